"""The market of Cuba: a track for each trade good with its prices, and what buying and selling come to."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.drawing.board_parts import Box
from malecon.drawing.scene import BoardScene, halo
from malecon.drawing.svg import boxes, element, group, memoised, number, path, rect
from malecon.drawing.symbols import row, symbol_at
from malecon.games.cuba import arrays, tiles
from malecon.games.cuba.drawing.layout import Layout
from malecon.games.cuba.text.standing import stall
from malecon.text import sentence

#: The cloth over each stall.
CLOTHS = {"sugar": "leaf", "citrus": "orange", "tobacco": "palm", "rum": "bottle", "cigars": "brown"}


def market(scene: BoardScene, layout: Layout) -> str:
    stalls = [scene.part(_stall, layout, good) for good in range(len(layout.market))]
    return group("".join(stalls), id="market")


def _stall(scene: BoardScene, layout: Layout, good: int) -> str:
    box, key = layout.market[good], tiles.TRADE_GOODS[good]
    standing = int(scene.position.market[good])
    buying, selling = tiles.DEAREST_PURCHASE - standing, tiles.DEAREST_SALE - standing
    size = 17 if layout.wide else 15
    drawn = (
        rect("shade", box.x + 2, box.y + 10, box.w, box.h - 7, 4)
        + rect("paper/line", box.x, box.y + 6, box.w, box.h - 6, 4, width=1.4)
        + _cloth(box, CLOTHS[key])
        + _track(box, key, standing, int(arrays.MARKET_SPACES[good]))
        + path("/lot", f"M{box.middle:.1f} {box.y + box.h - 25:.1f}v21", 1.4)
    )
    half = box.w / 2
    plates = (("buy", f"−{buying}", box.x, 0.25 * box.w + 1), ("sell", f"+{selling}", box.middle, 0.75 * box.w))
    for deed, price, x, middle in plates:
        drawn += row((price, "peso"), box.x + middle, box.y + box.h - 14, size)
        if scene.moves_at(f"{deed}-{key}"):
            plate, glow = (
                rect("clear", x, box.y + box.h - 28, half, 28),
                halo(x + 1, box.y + box.h - 28, half - 2, 27, 5),
            )
            drawn += scene.thing(f"{deed}-{key}", plate, price, glow)
    spoken = sentence(stall(scene.position, good), scene.language)
    glow = halo(box.x, box.y, box.w, box.h, 5)
    return scene.thing(f"market-{key}", drawn, spoken, glow, explained=f"goods/{key}")


@memoised
def _cloth(box: Box, colour: str) -> str:
    """Draw the awning of a stall."""
    span = box.w / 9
    scallop = f"a{span / 2:.1f} {span / 2:.1f} 0 0 1-{span:.1f} 0"
    stripes = "".join(
        f"M{box.x + span * i:.1f} {box.y}h-{span:.1f}v13a{span / 2:.1f} {span / 2:.1f} 0 0 0 {span:.1f} 0z"
        for i in (2, 4, 6, 8)
    )
    return path(f"{colour}/line", f"M{box.x} {box.y}h{box.w}v13{scallop * 9}Z", 1.2) + path("chalk/line", stripes, 0.8)


@memoised
def _track(box: Box, key: str, standing: int, spaces: int) -> str:
    """Draw the spaces from the dearest on; what stands on them, and their prices."""
    pitch = (box.w - 4) / 5
    left, y = box.middle - pitch * spaces / 2, box.y + 26
    middles = [left + pitch * (space + 0.5) for space in range(spaces)]
    size = min(16, pitch - 1)
    drawn = [symbol_at(key, x - size / 2, y + 10 - size / 2, size) for x in middles[:standing]]
    prices = [str(tiles.DEAREST_SALE - space) for space in range(spaces)]
    for colours, written, first, last in (("plaster/line", "text", 0, standing), ("/muted", "muted", standing, spaces)):
        if first < last:
            drawn.insert(0, boxes(colours, [x - pitch / 2 + 1 for x in middles[first:last]], (y,), pitch - 2, 20))
            drawn.append(_spread("".join(prices[first:last]), middles[first:last], y + 32, written))
    return "".join(drawn)


def _spread(digits: str, xs: Sequence[float], y: float, colours: str) -> str:
    """Draw digits, each in the middle of its own place."""
    places = " ".join(number(x) for x in xs)
    return element("text", digits, class_=f"m-{colours} m-bold", x=places, y=y, font_size=11.5, text_anchor="middle")
