"""Symbols for goods, money, points, flowers and what buildings do, each told from the others by its shape alone.

Each is a file of this folder, drawn on a grid of 24 × 24. A page holds all of them once, as a sheet, and uses them from
there: on the board, in the log and on buttons.
"""

from __future__ import annotations

from pathlib import Path

from malecon.drawing.pictures import read_picture
from malecon.drawing.svg import element, label, memoised, text_width

GRID = 24
FOLDER = Path(__file__).parent

#: The shapes of every symbol, by the name of its file.
SYMBOLS = {file.stem: read_picture(file).shapes for file in sorted(FOLDER.glob("*.svg"))}


def sheet() -> str:
    """Return the definitions of all symbols."""
    return "".join(
        element("symbol", drawn, id=f"m-{key}", viewBox=f"0 0 {GRID} {GRID}") for key, drawn in SYMBOLS.items()
    )


@memoised
def symbol_at(key: str, x: float, y: float, size: float) -> str:
    """Draw a symbol inside a drawing, by its upper left corner."""
    return element("use", href=f"#m-{key}", x=x, y=y, width=size, height=size)


def symbol_inline(key: str, size: int) -> str:
    """Return a symbol between words; the page must hold the sheet."""
    if key not in SYMBOLS:
        raise KeyError(key)
    return element(
        "svg",
        element("use", href=f"#m-{key}"),
        class_="m-sym",
        width=size,
        height=size,
        viewBox=f"0 0 {GRID} {GRID}",
        aria_hidden="true",
    )


@memoised
def row(tokens: tuple[str, ...], x: float, y: float, size: float, colours: str = "text") -> str:
    """Draw symbols and numbers in a row, centred on x, y: `("sugar", "arrow", "rum")`, `("+2", "peso")`."""
    gap = size / 9
    left = x - row_width(tokens, size) / 2
    drawn = []
    for token in tokens:
        span = _span(token, size)
        if token in SYMBOLS:
            drawn.append(symbol_at(token, left, y - span / 2, span))
        else:
            drawn.append(label(token, left + span / 2, y + size * 0.3, size * 0.84, colours=colours))
        left += span + gap
    return "".join(drawn)


@memoised
def row_width(tokens: tuple[str, ...], size: float) -> float:
    return sum(_span(token, size) for token in tokens) + (len(tokens) - 1) * size / 9


def _span(token: str, size: float) -> float:
    if token in ("arrow", "left"):
        return size * 0.66
    return size if token in SYMBOLS else text_width(token, size * 0.84)
