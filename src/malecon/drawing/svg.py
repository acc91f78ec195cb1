"""An SVG writer: elements as text, escaped, with short numbers. Colours are classes, which the palette defines.

The first argument of a shape is its colours: `"sun"` fills, `"sun/line"` fills and outlines, `"/line"` only outlines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from html import escape
from math import cos, pi, sin
from typing import TypeVar, cast

Number = int | float
DrawingFunction = TypeVar("DrawingFunction", bound=Callable[..., object])
#: Stands before and after every part of a page that can be replaced by itself.
PART_MARK = "<!---->"
#: Stands after every item of a part that is a list: an item that a page shows already is not sent again.
ITEM_MARK = "<!--/-->"


def memoised(draw: DrawingFunction) -> DrawingFunction:
    """Memoise a drawing function: most of a board is the same after a move."""
    return cast(DrawingFunction, lru_cache(maxsize=8192)(draw))


def number(value: Number) -> str:
    """Return a number with at most one decimal: a tenth of a pixel is enough."""
    return f"{value:.1f}".removesuffix(".0").replace("-0.0", "0") if isinstance(value, float) else str(value)


def attributes(**given: str | Number | None) -> str:
    """Return attributes as text; `class_` is class, `stroke_width` is stroke-width, and None leaves one out."""
    text = ""
    for name, value in given.items():
        if value is not None:
            text += f'{_attribute(name)}{_escaped(value) if isinstance(value, str) else number(value)}"'
    return text


@cache
def _attribute(name: str) -> str:
    return f' {name.rstrip("_").replace("_", "-")}="'


@lru_cache(maxsize=4096)  # ids, classes and names, which recur
def _escaped(text: str) -> str:
    return escape(text)


def element(tag: str, content: str = "", /, **given: str | Number | None) -> str:
    head = f"<{tag}{attributes(**given)}"
    return f"{head}>{content}</{tag}>" if content else f"{head}/>"


def classes(colours: str) -> str:
    """Return the classes of `fill/stroke`."""
    fill, _, stroke = colours.partition("/")
    return " ".join(([f"m-{fill}"] if fill else ["m-open"]) + ([f"m-s-{stroke}"] if stroke else []))


@memoised
def path(colours: str, d: str, width: Number | None = None) -> str:
    return element("path", class_=classes(colours), d=d, stroke_width=width)


@memoised
def rect(
    colours: str, x: Number, y: Number, w: Number, h: Number, r: Number | None = None, *, width: Number | None = None
) -> str:
    return element("rect", class_=classes(colours), x=x, y=y, width=w, height=h, rx=r, stroke_width=width)


@memoised
def circle(colours: str, x: Number, y: Number, r: Number, width: Number | None = None) -> str:
    return element("circle", class_=classes(colours), cx=x, cy=y, r=r, stroke_width=width)


def boxes(colours: str, xs: Iterable[Number], ys: Iterable[Number], w: Number, h: Number) -> str:
    """Draw equal rectangles at all crossings of xs and ys, as one path: windows, slats, shelves."""
    rows = list(ys)
    step = f"h{number(w)}v{number(h)}h-{number(w)}z"
    return path(colours, "".join(f"M{number(x)} {number(y)}{step}" for x in xs for y in rows))


@memoised
def star(x: float, y: float, outer: float, inner: float, points: int = 5) -> str:
    """Return the outline of a star that stands on two points."""
    corners = []
    for i in range(2 * points):
        radius, angle = (outer, inner)[i % 2], pi * i / points - pi / 2
        corners.append(f"{number(x + radius * cos(angle))} {number(y + radius * sin(angle))}")
    return f"M{'L'.join(corners)}Z"


def as_part(content: str) -> str:
    """Mark content as a part, which a page replaces by itself; parts inside it are no parts any more."""
    return PART_MARK + content.replace(PART_MARK, "") + PART_MARK


def group(content: str, /, **given: str | Number | None) -> str:
    return element("g", content, **given)


@memoised
def place_at(content: str, x: Number, y: Number, scale: Number = 1) -> str:
    """Put content that is drawn around its own origin at a point."""
    scaled = f" scale({scale:.3g})" if scale != 1 else ""
    return element("g", content, transform=f"translate({number(x)},{number(y)}){scaled}")


@memoised
def label(
    content: str,
    x: Number,
    y: Number,
    size: Number = 12,
    *,
    colours: str = "text",
    anchor: str | None = "middle",
    bold: bool = True,
    room: Number | None = None,
) -> str:
    """Write one line of text; with `room`, it is squeezed if it would be wider than that."""
    squeezed = room is not None and text_width(content, size) > room
    return element(
        "text",
        escape(content),
        class_=f"m-{colours} m-bold" if bold else f"m-{colours}",
        x=x,
        y=y,
        font_size=size,
        text_anchor=anchor,
        textLength=room if squeezed else None,
        lengthAdjust="spacingAndGlyphs" if squeezed else None,
    )


@memoised
def text_width(text: str, size: Number) -> float:
    """Return about how wide a bold line is in the widest of our typefaces."""
    wide, narrow = "mwMWÄÖÜ@", "ijltfrI.,:;'’!|()[] "
    return size * sum(0.9 if c in wide else 0.33 if c in narrow else 0.72 if c.isupper() else 0.59 for c in text)


def wrapped(text: str, size: Number, room: Number) -> list[str]:
    """Return the text in one line, or in two of about equal length if it has a space and needs them."""
    if text_width(text, size) <= room or " " not in text:
        return [text]
    words = text.split()
    splits = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(splits, key=lambda pair: max(text_width(line, size) for line in pair)))
