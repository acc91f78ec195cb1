"""Which move a beginner may try in the first round of the first game of Cuba. The tips say why."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.cuba import arrays, tiles
from malecon.games.cuba import position as phases
from malecon.kernel.verbs import Position
from malecon.text.rulebook import Suggestion

#: In this order each card has something to work with; the Merchant, who is left, has votes in parliament.
CARDS = ("worker", "architect", "foreman", "mayor", "merchant")
#: What is affordable with the first harvest and brings something in every round.
BUILDINGS = ("distillery", "cigar factory", "hotel", "hostel", "small bank", "town hall", "dam", "lighthouse")


def suggestion(position: Position, seat: int, legal: Sequence[str]) -> Suggestion | None:
    """Return one of the legal moves; None if every one is as good, and after the first round."""
    phase = int(position.phase)
    if int(position.round_number) > 1:
        return None
    if phase == phases.START_MATERIALS:
        return Suggestion("materials wood stone")
    if phase == phases.CARD:
        return next((Suggestion(card) for card in CARDS if card in legal), None)
    if phase == phases.FIGURE:
        fields = [field for field in range(tiles.FIELDS) if f"field {field + 1}" in legal]
        return Suggestion(f"field {max(fields, key=lambda field: _harvest(position, seat, field)) + 1}")
    if phase == phases.BUILD:
        return next((Suggestion(f"build {name}") for name in BUILDINGS if f"build {name}" in legal), None)
    if phase == phases.SHIP:
        highest = max((move for move in legal if move.startswith("ship ")), default=None)
        return None if highest is None else Suggestion(highest)
    return None


def _harvest(position: Position, seat: int, field: int) -> int:
    """Return what a figure there brings in: all materials, and the crops of two fields."""
    goods: list[int] = arrays.PLANTATIONS[phases.plantation(position, seat)].tolist()
    yields = [goods[other] for other in range(tiles.FIELDS) if int(arrays.CROSS[field]) >> other & 1]
    crops = sum(0 <= good < len(tiles.CROPS) for good in yields)
    return sum(good >= len(tiles.TRADE_GOODS) for good in yields) + min(crops, tiles.FREE_CROP_FIELDS)
