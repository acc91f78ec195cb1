"""Parts of the board of Cuba by themselves, for pictures that explain a rule."""

from __future__ import annotations

from collections.abc import Callable

from malecon.drawing.board_parts import Box
from malecon.drawing.scene import BoardScene
from malecon.drawing.svg import rect
from malecon.games.cuba.drawing.harbour import harbour
from malecon.games.cuba.drawing.layout import LAYOUTS, Layout
from malecon.games.cuba.drawing.market import market
from malecon.games.cuba.drawing.parliament import laws, proposals
from malecon.games.cuba.drawing.plantation import own_plantation, yard

PLAN = LAYOUTS["tall"]


def _strip(box: Box) -> Box:
    """Return the whole width of the board, where a part of it lies."""
    return Box(0, box.y - 4, PLAN.width, box.h + 9)


PARTS: dict[str, tuple[Callable[[BoardScene, Layout], str], Box]] = {
    "plantation": (own_plantation, _strip(PLAN.plantation)),
    "yard": (yard, _strip(PLAN.yard)),
    "market": (market, _strip(PLAN.market[0])),
    "harbour": (harbour, _strip(PLAN.harbour)),
    "laws": (laws, _strip(PLAN.laws)),
    "proposals": (proposals, _strip(PLAN.proposals)),
}


def detail(scene: BoardScene, part: str) -> tuple[str, Box]:
    draw, box = PARTS[part]
    sand = rect("ground", box.x, box.y, box.w, box.h, 8)
    return sand + draw(scene, PLAN), box
