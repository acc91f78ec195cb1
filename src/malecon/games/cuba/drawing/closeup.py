"""A seat of Cuba seen closely: its plantation, its yard and warehouse, its cards, as large as the page allows."""

from __future__ import annotations

from dataclasses import replace

from malecon.drawing.board_parts import Box
from malecon.drawing.closeup import BANNER, banner
from malecon.drawing.scene import BoardScene
from malecon.drawing.svg import element
from malecon.games.cuba import tiles
from malecon.games.cuba.drawing.hand import held_card
from malecon.games.cuba.drawing.layout import LAYOUTS, Layout, fields_of, grid
from malecon.games.cuba.drawing.plantation import own_plantation, yard


def _wide() -> Layout:
    plantation = Box(6, BANNER + 4, 560, 400)
    return replace(
        LAYOUTS["wide"],
        width=760,
        height=BANNER + 484,
        plantation=plantation,
        fields=fields_of(plantation),
        yard=Box(6, BANNER + 410, 560, 70),
        cards=grid(Box(576, BANNER + 4, 178, 476), 2, 3, 8),
    )


def _tall() -> Layout:
    plantation = Box(4, BANNER + 4, 382, 300)
    return replace(
        LAYOUTS["tall"],
        height=BANNER + 484,
        plantation=plantation,
        fields=fields_of(plantation),
        yard=Box(4, BANNER + 310, 382, 62),
        cards=grid(Box(4, BANNER + 378, 382, 102), len(tiles.CHARACTER_KEYS), 1, 4),
    )


PLANS = {"wide": _wide(), "tall": _tall()}


def close_up(scene: BoardScene, seat: int, layout: str) -> str:
    plan, position = PLANS[layout], scene.position
    own = replace(scene, view=replace(scene.view, seat=seat), targets={})  # the same knowledge, another plantation
    purse = (("peso", int(position.pesos[seat])), ("point", int(position.points[seat])))
    content = banner(scene, seat, plan.width, purse) + own_plantation(own, plan) + yard(own, plan)
    content += "".join(held_card(own, box, card) for card, box in enumerate(plan.cards[: len(tiles.CHARACTER_KEYS)]))
    return element(
        "svg",
        content,
        class_="m-panel m-close-up",
        viewBox=f"0 0 {plan.width} {plan.height}",
        role="group",
        aria_label=scene.name(seat),
    )
