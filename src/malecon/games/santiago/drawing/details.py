"""Parts of the board of Santiago de Cuba by themselves, for pictures that explain a rule."""

from __future__ import annotations

from dataclasses import replace

from malecon.drawing.board_parts import Box
from malecon.drawing.scene import BoardScene
from malecon.drawing.svg import rect
from malecon.games.santiago import tiles
from malecon.games.santiago.drawing.harbour import harbour
from malecon.games.santiago.drawing.layout import LAYOUTS
from malecon.games.santiago.drawing.town import buildings, street

WIDTH = 390
ROW = 156
TILE = Box(0, 0, 114, 137)
#: The tall board, with a row of large buildings for each flower.
PLAN = replace(
    LAYOUTS["tall"],
    sites=tuple(Box(19 + 119 * (site % 3), 10 + ROW * (site // 3), TILE.w, TILE.h) for site in range(tiles.SITES)),
    picture=77.5,
    names=13,
    effects=21,
)
STREET = Box(0, PLAN.street.y - 5, WIDTH, PLAN.street.h + 10)
UPPER, LOWER = (Box(0, STREET.y + STREET.h / 2 * half, WIDTH, STREET.h / 2) for half in (0, 1))
HARBOUR = Box(0, PLAN.ship[1] - 6, WIDTH, PLAN.height - PLAN.ship[1] + 6)
STREETS = {"street": STREET, "upper street": UPPER, "lower street": LOWER}


def detail(scene: BoardScene, part: str) -> tuple[str, Box]:
    """Draw the harbour, the street or half of it, or the buildings under a flower."""
    if part == "harbour":
        return harbour(scene, PLAN), HARBOUR
    if part in STREETS:
        box = STREETS[part]
        stops = [stop for stop, (_, y) in enumerate(PLAN.stops) if box.y < y < box.y + box.h]
        return _sand(box) + street(scene, PLAN, stops), box
    flower = tiles.FLOWER_KEYS.index(part)
    row = Box(0, ROW * flower, WIDTH, ROW)
    return _sand(row) + buildings(scene, PLAN, [flower]), row


def _sand(box: Box) -> str:
    return rect("ground", box.x, box.y, box.w, box.h, 8)
