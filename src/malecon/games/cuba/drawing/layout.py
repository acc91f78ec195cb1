"""Where everything lies on the board of Cuba: wide for a desk, tall for a phone. One unit is one pixel."""

from __future__ import annotations

from dataclasses import dataclass

from malecon.drawing.board_parts import Box
from malecon.games.cuba import tiles

#: What can be had instead of a character's proper work: their order is that of the cards.
ALTERNATIVES = ("material", "crop", "architect", "mayor")


@dataclass(frozen=True, eq=False)  # there are two of them: comparing all measures would take longer than drawing
class Layout:
    """A board's measures. Fields, goods, buildings, berths, laws and cards are in the order of the rules."""

    width: int
    height: int
    wide: bool
    plantation: Box  # with its hedge
    fields: tuple[Box, ...]
    yard: Box
    cards: tuple[Box, ...]
    alternatives: tuple[Box, ...]
    market: tuple[Box, ...]
    sale: tuple[Box, ...]  # the last one is the supply's
    picture: float  # height of the picture of a building for sale, its cost above it
    harbour: Box
    berths: tuple[Box, ...]  # the first is the high seas
    title: Box
    laws: Box
    proposals: Box
    score: Box


def grid(area: Box, columns: int, rows: int, gap: float) -> tuple[Box, ...]:
    """Return equal boxes on whole pixels, row by row, with gaps between them."""
    across, down = (area.w + gap) / columns, (area.h + gap) / rows
    return tuple(
        Box(
            round(area.x + across * (i % columns)),
            round(area.y + down * (i // columns)),
            int(across - gap),
            int(down - gap),
        )
        for i in range(columns * rows)
    )


def inside(box: Box, margin: float) -> Box:
    return Box(box.x + margin, box.y + margin, box.w - 2 * margin, box.h - 2 * margin)


def cards_of(panel: Box) -> tuple[Box, ...]:
    """Return the four places for laws on a panel of parliament, under its heading."""
    return grid(Box(panel.x + 5, panel.y + 19, panel.w - 10, panel.h - 24), len(tiles.GROUP_KEYS), 1, 5)


def fields_of(plantation: Box) -> tuple[Box, ...]:
    return grid(inside(plantation, 7), tiles.COLUMNS, tiles.FIELDS // tiles.COLUMNS, 2)


def _wide() -> Layout:
    plantation = Box(462, 91, 326, 306)
    harbour = Box(794, 91, 160, 372)
    cards, alternatives, x = [], [], 462.0
    for character in tiles.CHARACTER_KEYS:
        cards.append(Box(x, 470, 69, 102))
        x += 72
        if character == "merchant":
            alternatives += [Box(x - 1, 470, 40, 50), Box(x - 1, 522, 40, 50)]
        elif character in ALTERNATIVES:
            alternatives.append(Box(x - 1, 470, 40, 102))
        if character in ("merchant", "architect"):
            x += 44
    return Layout(
        width=960,
        height=600,
        wide=True,
        plantation=plantation,
        fields=fields_of(plantation),
        yard=Box(462, 401, 326, 62),
        cards=tuple(cards),
        alternatives=tuple(alternatives),
        market=grid(Box(6, 91, 450, 96), len(tiles.TRADE_GOODS), 1, 3),
        sale=grid(Box(6, 192, 450, 380), 6, 4, 2.5),
        picture=54,
        harbour=harbour,
        berths=grid(harbour, 1, tiles.BERTHS + 1, 0),
        title=Box(6, 5, 146, 81),
        laws=Box(158, 5, 395, 81),
        proposals=Box(559, 5, 395, 81),
        score=Box(6, 577, 948, 19),
    )


def _tall() -> Layout:
    plantation = Box(4, 4, 382, 276)
    harbour = Box(4, 612, 382, 196)
    lower = grid(harbour, 2, 2, 0)
    return Layout(
        width=390,
        height=1758,
        wide=False,
        plantation=plantation,
        fields=fields_of(plantation),
        yard=Box(4, 284, 382, 62),
        cards=grid(Box(4, 352, 382, 102), len(tiles.CHARACTER_KEYS), 1, 4),
        alternatives=grid(Box(4, 460, 382, 48), len(ALTERNATIVES), 1, 4),
        market=grid(Box(4, 514, 382, 94), len(tiles.TRADE_GOODS), 1, 3),
        sale=grid(Box(4, 1036, 382, 690), 4, 6, 4),
        picture=68,
        harbour=harbour,
        berths=lower,
        title=Box(4, 814, 382, 36),
        laws=Box(4, 854, 382, 86),
        proposals=Box(4, 944, 382, 86),
        score=Box(4, 1732, 382, 20),
    )


LAYOUTS = {"wide": _wide(), "tall": _tall()}
