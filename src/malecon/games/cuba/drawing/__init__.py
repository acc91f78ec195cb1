"""The drawing of Cuba. All of it comes from the view, which does not hold hidden bids and envoys."""

from __future__ import annotations

from malecon.drawing.board_parts import Box, fitted, ground, standalone_card
from malecon.drawing.scene import BoardScene
from malecon.drawing.svg import as_part, element, group, rect
from malecon.games.cuba import GAME, names, tiles
from malecon.games.cuba.drawing.buildings import building_card, sale
from malecon.games.cuba.drawing.closeup import close_up
from malecon.games.cuba.drawing.details import detail
from malecon.games.cuba.drawing.flights import flights
from malecon.games.cuba.drawing.hand import character_card, hand
from malecon.games.cuba.drawing.harbour import HEIGHT, WIDTH, harbour, ship_card
from malecon.games.cuba.drawing.layout import LAYOUTS
from malecon.games.cuba.drawing.market import market
from malecon.games.cuba.drawing.panel import panel
from malecon.games.cuba.drawing.parliament import law_card, parliament
from malecon.games.cuba.drawing.plantation import FIELD_KEYS, field_card, landscape, own_plantation, yard
from malecon.games.cuba.drawing.score import score
from malecon.games.cuba.drawing.targets import places, targets
from malecon.text import glossary, translate

__all__ = ["KINDS", "MOVERS", "board", "close_up", "detail", "flights", "panel", "places", "targets", "tile"]

KINDS = ("characters", "buildings", "fields", "ships", *tiles.GROUP_KEYS)
MOVERS = (
    *(f"score-{seat}" for seat in range(GAME.most_players)),
    *(f"boat-{ship}" for ship in range(tiles.SHIPS)),
)


def board(scene: BoardScene, layout: str) -> str:
    plan = LAYOUTS[layout]
    content = (
        ground(plan.width, plan.height, plan.height, plan.plantation.y + plan.plantation.h / 2)
        + own_plantation(scene, plan)
        + scene.part(yard, plan)
        + hand(scene, plan)
        + market(scene, plan)
        + scene.part(harbour, plan)
        + group(as_part(parliament(scene, plan)))
        + sale(scene, plan)
        + scene.part(score, plan)
    )
    # what nearly all text has is said once, for the whole board
    content = content.replace(' text-anchor="middle"', "").replace(' m-bold"', '"')
    return element(
        "svg",
        content,
        class_=f"m-board m-{layout} m-bold",
        viewBox=f"0 0 {plan.width} {plan.height}",
        text_anchor="middle",
        role="group",
        aria_label=GAME.title,
    )


def tile(kind: str, key: str, language: str, size: int) -> str:
    """Draw a single character, building, law, field or ship, `size` wide."""
    box = Box(2, 2, 114, 152 if kind == "buildings" else 137)
    if kind == "ships":
        name: str = translate(names.spaces(tiles.SHIP_KEYS.index(key)), language)
        box = Box(2, 2, WIDTH + 8, HEIGHT + 10)
        card = rect("sea/line", 2, 2, box.w, box.h, 8, width=1.4)
        hull = ship_card(tiles.SHIP_KEYS.index(key), (0,) * len(tiles.TRADE_GOODS))
        card += element("svg", hull, x=6, y=5, width=WIDTH, height=HEIGHT, viewBox=f"0 0 {WIDTH} {HEIGHT}")
        return standalone_card(card, name, box, size)
    entry = glossary(GAME)[kind][key]
    name = translate(entry.name, language)
    if kind == "characters":
        card = character_card(tiles.CHARACTER_KEYS.index(key), name, box)
    elif kind == "buildings":
        card = building_card(key, name, box, 93, 21, priced=True)
    elif kind == "fields":
        box = Box(2, 2, 114, 114)
        good = next(good for good, named in FIELD_KEYS.items() if named == key)
        card = field_card(good, box, fitted(landscape(good), box))
    else:
        box = Box(2, 2, 114, 72)
        card = law_card(tiles.GROUP_KEYS.index(kind), key, box)
    return standalone_card(card, f"{name}: {translate(entry.text, language)}", box, size)
