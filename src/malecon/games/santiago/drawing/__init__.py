"""The drawing of Santiago de Cuba. All of it comes from the view, which does not hold what screens hide."""

from __future__ import annotations

from malecon.drawing.board_parts import Box, ground, standalone_card
from malecon.drawing.scene import BoardScene
from malecon.drawing.svg import as_part, element, group
from malecon.games.santiago import GAME, tiles
from malecon.games.santiago.drawing.closeup import close_up
from malecon.games.santiago.drawing.details import detail
from malecon.games.santiago.drawing.flights import flights
from malecon.games.santiago.drawing.harbour import harbour, supply
from malecon.games.santiago.drawing.layout import LAYOUTS
from malecon.games.santiago.drawing.panel import panel
from malecon.games.santiago.drawing.targets import places, targets
from malecon.games.santiago.drawing.town import building_card, buildings, cuban_card, street
from malecon.text import glossary, translate

__all__ = ["KINDS", "MOVERS", "board", "close_up", "detail", "flights", "panel", "places", "targets", "tile"]

KINDS = ("cubans", "buildings")
MOVERS = ("car", "ship", "value")


def board(scene: BoardScene, layout: str) -> str:
    plan = LAYOUTS[layout]
    content = (
        ground(plan.width, plan.height, plan.sea, plan.street.y + plan.street.h / 2),
        harbour(scene, plan),
        street(scene, plan),
        group(as_part(supply(scene, plan))),
        buildings(scene, plan),
    )
    return element(
        "svg",
        "".join(content),
        class_=f"m-board m-{layout}",
        viewBox=f"0 0 {plan.width} {plan.height}",
        role="group",
        aria_label=GAME.title,
    )


def tile(kind: str, key: str, language: str, size: int) -> str:
    """Draw a single Cuban or building, `size` wide, with its name."""
    entry = glossary(GAME)[kind][key]
    name = translate(entry.name, language)
    if kind == "cubans":
        box = Box(2, 2, 123, 111)
        card = cuban_card(tiles.CUBAN_KEYS.index(key), name, box, wide=True)
    else:
        box = Box(2, 2, 114, 137)
        card = building_card(key, name, box, 77.5, 13, 21)
    return standalone_card(card, f"{name}: {translate(entry.text, language)}", box, size)
