"""One set of symbols for goods, money, points, flowers and what buildings do, each known by its shape alone.

They are drawn once on a sheet, on a grid of 24 × 24, and used everywhere from there, in the log and on buttons too.
"""

from __future__ import annotations

from math import cos, pi, sin

from malecon.drawing.svg import boxes, circle, element, ellipse, label, number, path, rect, remembered, text_width

GRID = 24


@remembered
def star(x: float, y: float, outer: float, inner: float, points: int = 5) -> str:
    """The outline of a star that stands on two points."""
    corners = []
    for i in range(2 * points):
        radius, angle = (outer, inner)[i % 2], pi * i / points - pi / 2
        corners.append(f"{number(x + radius * cos(angle))} {number(y + radius * sin(angle))}")
    return f"M{'L'.join(corners)}Z"


def _turned(content: str, degrees: float, x: float = 12, y: float = 12) -> str:
    return element("g", content, transform=f"rotate({number(degrees)} {number(x)} {number(y)})")


def _sugar() -> str:
    stalk = rect("petal/line", 9.7, 5, 4.6, 18, 1, width=1.2) + path("/leaf", "M10.7 10.5h2.6M10.7 16.5h2.6", 1.3)
    leaves = path("leaf/line", "M12 6C9 5 8 3 8 .8 10.5 1.5 12 3 12 6ZM12 6c0-3 1.5-4.5 4-5.2C16 3 15 5 12 6Z", 1)
    return "".join(_turned(stalk, turn, 12, 26) for turn in (-20, 20)) + stalk + leaves


def _citrus() -> str:
    rays = "M12 8L5.5 14.5M12 8v10M12 8l6.5 6.5"
    slice_ = path("orange/line", "M1.5 8h21a10.5 11.5 0 0 1-21 0Z", 1.3)
    return (
        slice_
        + path("pulp", "M4 9h16a8 8.3 0 0 1-16 0Z")
        + path("/orange", rays, 1.5)
        + path("leaf/line", "M12 7C11 3 13.5 1 18 1.5 17.5 5 15.5 7 12 7Z", 1.1)
    )


def _tobacco() -> str:
    leaf = path("leaf/line", "M3 21C.5 12 6 2.5 21.5 2 23 15 14 22.5 5.5 19.5Z", 1.3)
    veins = path("/palm", "M2.5 21.8L17.5 6M9 15V8.5M9 15l6.5.8M13 11V6M13 11l5 .3", 1.4)
    return leaf + veins


def _rum() -> str:
    glass = path(
        "bottle/line",
        "M9.8 2h4.4v6c0 1.6 3.3 2.6 3.3 5.5V21.5a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V13.5C6.5 10.6 9.8 9.6 9.8 8Z",
        1.3,
    )
    return (
        glass
        + rect("ink", 9.6, 1, 4.8, 2.6, 0.6)
        + rect("pulp", 6.8, 14, 10.4, 5.4)
        + path("/bottle", "M9 16.7h6", 1.3)
    )


def _cigars() -> str:
    lid = path("bark/line", "M4.5 9.5L7 3h14l-1.5 6.5Z", 1.2)
    rolls = "".join(ellipse("cut/line", x, 9.6, 2.1, 1.9, 1) for x in (5.6, 9.9, 14.2, 18.4))
    box = rect("brown/line", 2.5, 10.2, 19, 11.3, 0.8, width=1.3)
    return lid + rolls + box + path("sun", "M2.9 13.7h18.2v3.8H2.9Z") + circle("bottle", 12, 15.6, 2.9)


def _wood() -> str:
    log = path("bark/line", "M6 8.2L17.5 3.5c4 .5 5.5 5.5 3.5 8.5L9.5 19.5Z", 1.3)
    grain = path("/brown", "M12 8l6-2.5M13.5 12.5l6-3.2", 1.1)
    end = ellipse("cut/line", 7.4, 14, 5.2, 6, 1.3)
    return log + grain + end + ellipse("/bark", 7.4, 14, 2.5, 3.1, 1.1)


def _stone() -> str:
    return (
        path("stone/line", "M2 9L9 3.5l13 3v9.5l-7 5.5L2 18.5Z", 1.3)
        + path("light", "M2 9L9 3.5l13 3-7 5Z")
        + path("shade", "M15 11.5l7-5v9.5l-7 5.5Z")
        + path("/line", "M2 9l13 2.5 7-5M15 11.5v10", 1)
    )


def _water() -> str:
    drop = path("drop/line", "M12 1.5C15 7 19.5 11 19.5 15.5a7.5 7.5 0 0 1-15 0C4.5 11 9 7 12 1.5Z", 1.3)
    return drop + path("/chalk", "M8 15.5c0 2.3 1.5 3.8 3.5 4.2", 1.6)


def _peso() -> str:
    return (
        circle("amber/line", 12, 12.6, 10.2, 1.2)
        + circle("sun/line", 12, 11.4, 10.2, 1.2)
        + circle("/amber", 12, 11.4, 7.6, 1.2)
        + path("/ink", "M15 8.5c-1.5-1.8-6-1.6-6 .8 0 3 6.2 1.3 6.2 4.3 0 2.5-4.7 2.7-6.4.7M12 5.7v11.5", 1.7)
    )


def _point() -> str:
    return path("coral/line", star(12, 12.6, 11.4, 5), 1.3) + path("light", "M12 1.2L9.1 8.5 1.2 9 12 12.6Z")


def _any() -> str:
    """Any good: a closed crate."""
    return (
        rect("bark/line", 2.5, 4.5, 19, 16, 1, width=1.3)
        + path("/brown", "M4.5 6.5l15 12M4.5 18.5l15-12", 1.6)
        + rect("cut/line", 2.5, 4.5, 19, 3.6, 0.8, width=1)
        + rect("cut/line", 2.5, 16.9, 19, 3.6, 0.8, width=1)
    )


def _crop() -> str:
    """Any crop: a sack with a sprout."""
    sack = path("cut/line", "M6 10h12c4 4 4.5 12 1.5 12.5h-15C1.5 22 2 14 6 10Z", 1.3)
    sprout = path("leaf/line", "M12 8C7 8.5 5 5.5 5 2c4 0 7 2 7 6ZM12 8c0-4 3-7 7-7 0 4-2 7-7 7Z", 1.1)
    return sprout + sack + path("/bark", "M5.5 11h13", 2.2)


def _material() -> str:
    """Any building material: a board, a block, a drop."""
    board = path("bark/line", "M1.5 18.5l15-4 2 3.5-15 4.5Z", 1.1)
    block = path("stone/line", "M2 8l7-2.5 5 2v7L7 17l-5-2.5Z", 1.1) + path("/line", "M2 8l5 2.5 7-3M7 10.5V17", 0.9)
    return board + block + path("drop/line", "M18 1.5c2.5 4 4.5 6 4.5 9a4.5 4.5 0 0 1-9 0c0-3 2-5 4.5-9Z", 1.1)


def _vote() -> str:
    """A raised hand."""
    fingers = "M6 13V6.5c0-2.2 2.8-2.2 2.8 0V3c0-2.3 3-2.3 3 0v-.5c0-2.3 3-2.3 3 0V4.5c0-2.2 2.8-2.2 2.8 0V13"
    palm = path("skin-a/line", f"{fingers}c0 3-1.5 4-2.5 5h-6.5C6 16 3.5 13.5 2 11.5c-1-2 1.5-3 4-.5Z", 1.2)
    return palm + rect("chalk/line", 6.5, 17.5, 10, 5.5, 1, width=1.2)


def _fist() -> str:
    """A closed hand: nobody sees what it holds."""
    hand = path(
        "skin-a/line",
        "M3 9c0-4 3-5 5-4.5C9 2 12.5 2 13.5 4c2-1.5 5-.5 5 2 3 0 4 3 2.5 5.5l-2 6H5.5C3.5 16 3 13 3 9Z",
        1.3,
    )
    fingers = path("/line", "M8 4.5v6M13.5 4.5v6M18.5 6.5v4.5M4 12.5c3 1.5 8 1.5 9.5-.5", 1.1)
    return hand + fingers + rect("chalk/line", 5.5, 17.5, 13, 5.5, 1, width=1.2)


def _law() -> str:
    sheet_ = path("chalk/line", "M4 1.5h12l4 4v17H4Z", 1.3) + path("/line", "M16 1.5v4h4", 1)
    return sheet_ + path("/muted", "M7 9h10M7 13h10", 1.6) + circle("bottle", 15.5, 18.5, 2.6)


def _veto() -> str:
    return _law() + path("/coral", "M2 21.5L22 3", 3.4)


def _store() -> str:
    """A warehouse."""
    barn = path("brick/line", "M3 22.5V11l4.5-6.5h9L21 11v11.5Z", 1.2)
    roof = path("coral/line", "M.8 11.5L6.5 3h11l5.7 8.5-1.7 1.2L16.5 5.5h-9l-5 7.2Z", 1)
    return (
        barn
        + roof
        + rect("cut/line", 7.5, 12.5, 9, 10, width=1.1)
        + path("/brown", "M7.5 12.5l9 10M16.5 12.5l-9 10", 1.3)
    )


def _starter() -> str:
    """The starting player's straw hat."""
    brim = path("cut/line", "M.8 16.5C4 13 8 13.5 12 13.5s8-.5 11.2 3C20 20 16 20.5 12 20.5S4 20 .8 16.5Z", 1.2)
    crown = path("cut/line", "M6 15.5C6 7 7.5 4 12 4s6 3 6 11.5c-3 1.5-9 1.5-12 0Z", 1.2)
    return brim + crown + path("coral", "M6.2 11.5c3 1.5 8.6 1.5 11.6 0l.2 4c-3 1.5-9 1.5-12 0Z")


def _drought() -> str:
    """The sun over cracked earth."""
    sun = circle("sun/line", 12, 7, 4.2, 1.1) + path(
        "/amber", "M12 .5v1M5.5 2.5l1 1M18.5 2.5l-1 1M3.5 8.5H5M19 8.5h1.5", 1.6
    )
    earth = path("bark/line", "M1 13.5h22v9.5H1Z", 1.2)
    return sun + earth + path("/ink", "M5 13.5l2 4-3 2M7 17.5l4 1.5 1 4M16 13.5l-2 3.5 3 2.5-1 3.5M17 19.5l5-1", 1.2)


def _field() -> str:
    """A ploughed field."""
    return path("leaf/line", "M6 6h12l5.5 14H.5Z", 1.2) + path("/palm", "M9.5 7l-4 12.5M12 7v12.5M14.5 7l4 12.5", 1.6)


def _bribe() -> str:
    """Money for votes, forbidden."""
    return (
        circle("sun/line", 12, 12, 9, 1.2)
        + path("/ink", "M14.5 9c-1.3-1.5-5-1.3-5 .7 0 2.5 5.2 1 5.2 3.6 0 2-4 2.2-5.4.5M12 6.8v10", 1.5)
        + path("/coral", "M3 21L21 3", 3.2)
    )


def _flower_white() -> str:
    petals = "".join(_turned(ellipse("petal/line", 12, 6, 3.9, 4.7, 1.2), 72 * i) for i in range(5))
    return petals + circle("sun/line", 12, 12, 3, 1)


def _flower_yellow() -> str:
    """A tulip."""
    stem = path("/palm", "M12 15v8", 2) + path("leaf/line", "M12 22.5C8 22 6.5 19 6.5 16.5 9.5 17 12 19 12 22.5Z", 1)
    return stem + path("gold/line", "M4.5 2.5L8.3 6 12 1.5 15.7 6 19.5 2.5C21 11 18 16 12 16S3 11 4.5 2.5Z", 1.3)


def _flower_blue() -> str:
    """A bell that hangs from its stalk."""
    stalk = path("/palm", "M6 22.5C2.5 12 5 2.5 13 2.5", 2)
    bell = path("azure/line", "M13 2.5c5 .8 6 5 6.3 9.5l3 4-4.3-.8-2.7 3-2.6-3-4.4.8 1.6-4C9.5 8 9.5 4 13 2.5Z", 1.3)
    return stalk + bell + circle("sun/line", 15.4, 19.3, 1.7, 0.8)


def _flower_red() -> str:
    """A rose seen from above."""
    edge = (
        "M12 1.5c3.5-.6 6 1 6.7 4 3.3 1 4.6 4.2 3.3 7 .9 3.6-1 6.5-4.2 7C15.5 22.5 12 23 9.5 21 "
        "6 21.8 3 20 2.6 16.5 .6 13.5 1.5 10 4.3 8.5 4.5 5 7.5 1.8 12 1.5Z"
    )
    whorl = "M12 10.5c2 0 2.5 3 0 3.4-3 .3-4.2-3.5-1.5-5.2 3.3-1.9 7.3.8 6.7 4.6-.6 3.5-4.5 5.3-8 3.8"
    return path("rose/line", edge, 1.3) + path("/chalk", whorl, 1.5)


def _flower_none() -> str:
    petals = "".join(_turned(ellipse("/stone", 12, 5.8, 3.7, 4.2, 1.4), 72 * i) for i in range(5))
    return petals + circle("/stone", 12, 12, 2.6, 1.4)


def _die(zero: bool) -> str:
    face = rect("chalk/line", 2.5, 2.5, 19, 19, 4, width=1.4)
    if zero:
        return face + ellipse("/ink", 12, 12, 4, 5.6, 2.2)
    return face + "".join(circle("ink", x, y, 2) for x, y in ((7.5, 7.5), (12, 12), (16.5, 16.5)))


def _arrow() -> str:
    return path("text", "M1 9.8h12V5l9.5 7L13 19v-4.8H1Z")


def _swap() -> str:
    return path("text", "M0 8.5L6.5 2v4.5H22v4H6.5V15ZM24 15.5L17.5 22v-4.5H2v-4h15.5V9Z")


def _back() -> str:
    """A tile turned face down."""
    tile = rect("sea/line", 4.5, 8.5, 15, 14, 1.5, width=1.3) + path("/plaster", star(12, 15.7, 4.6, 2), 1.2)
    return tile + path("/text", "M5 6.5C8 1.5 16 1.5 19 5.5M19.5 1.5v4.5H15", 1.8)


def _flag() -> str:
    return path("/text", "M5 1.5v21", 2.2) + path("azure/line", "M6 2.5h15.5l-4 5 4 5H6Z", 1.2)


def _deed() -> str:
    """A property marker that waits for its house."""
    house = path("cream/line", "M2 12.5L10 6l8 6.5v10H2Z", 1.3) + rect("door", 7.5, 15.5, 5, 7)
    return house + path("/text", "M18 1.2v12", 1.8) + path("coral/line", "M18 1.5h-8l2 3-2 3h8Z", 1.1)


def _use() -> str:
    house = path("cream/line", "M3 12L12 4l9 8v10.5H3Z", 1.3) + path(
        "coral/line", "M1 12.5L12 2.5l11 10-2 1.5-9-8-9 8Z", 1
    )
    return house + boxes("window", (6,), (14,), 4, 4) + rect("door", 13, 14.5, 5, 8)


def _ship() -> str:
    return (
        path("plaster/line", "M7 15V9h10v6Z", 1.2)
        + rect("coral/line", 10, 3, 4, 6, width=1.2)
        + path("ink", "M1 14.5h22L19.5 21.5H4.5Z")
        + path("/bottle", "M4.5 21h15", 1.6)
    )


def _car() -> str:
    return (
        path("plaster/line", "M6 12.5L9 7h7l3.5 5.5Z", 1.2)
        + path("coral/line", "M.8 12.5L3 11h18.5l2 3-.5 4H1.2Z", 1.2)
        + "".join(circle("ink", x, 18, 3) + circle("chalk", x, 18, 1.2) for x in (6, 18))
    )


def _left() -> str:
    return element("g", _arrow(), transform="matrix(-1,0,0,1,24,0)")


SYMBOLS = {
    "sugar": _sugar(),
    "citrus": _citrus(),
    "tobacco": _tobacco(),
    "rum": _rum(),
    "cigars": _cigars(),
    "wood": _wood(),
    "stone": _stone(),
    "water": _water(),
    "peso": _peso(),
    "point": _point(),
    "any": _any(),
    "crop": _crop(),
    "material": _material(),
    "vote": _vote(),
    "fist": _fist(),
    "law": _law(),
    "veto": _veto(),
    "store": _store(),
    "starter": _starter(),
    "drought": _drought(),
    "field": _field(),
    "bribe": _bribe(),
    "white": _flower_white(),
    "yellow": _flower_yellow(),
    "blue": _flower_blue(),
    "red": _flower_red(),
    "none": _flower_none(),
    "die": _die(zero=False),
    "zero": _die(zero=True),
    "arrow": _arrow(),
    "left": _left(),
    "swap": _swap(),
    "back": _back(),
    "flag": _flag(),
    "deed": _deed(),
    "use": _use(),
    "ship": _ship(),
    "car": _car(),
}


def sheet() -> str:
    """The definitions of all symbols, for once per page."""
    return "".join(
        element("symbol", drawn, id=f"m-{key}", viewBox=f"0 0 {GRID} {GRID}") for key, drawn in SYMBOLS.items()
    )


@remembered
def symbol_at(key: str, x: float, y: float, size: float) -> str:
    """A symbol inside a drawing, by its upper left corner."""
    return element("use", href=f"#m-{key}", x=x, y=y, width=size, height=size)


def symbol_inline(key: str, size: int) -> str:
    """A symbol between words; the page must hold the sheet."""
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


@remembered
def row(tokens: tuple[str, ...], x: float, y: float, size: float, colours: str = "text") -> str:
    """Symbols and numbers in a row, centred on x, y: `("sugar", "arrow", "rum")`, `("+2", "peso")`."""
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


@remembered
def row_width(tokens: tuple[str, ...], size: float) -> float:
    return sum(_span(token, size) for token in tokens) + (len(tokens) - 1) * size / 9


def _span(token: str, size: float) -> float:
    if token in ("arrow", "left"):
        return size * 0.66
    return size if token in SYMBOLS else text_width(token, size * 0.84)
