"""Under which heading each move of Santiago de Cuba stands in a long list, and which moves decline what is offered."""

from __future__ import annotations

from malecon.games.santiago import moves, names
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position

#: Families of moves by which one does nothing.
WAYS_OUT = frozenset({moves.PASS})


def heading(position: Position, code: int) -> Phrase | None:
    """What the moves of a group have in common; None for a move that stands by itself."""
    match moves.NOTATION.read(code):
        case moves.SWAP, (given, _):
            return say(
                "{building}: give {goods}", building=names.building(moves.USES[moves.SWAP]), goods=names.goods(given, 1)
            )
        case ((moves.DELIVER | moves.DELIVER_WOOD), (_, good)):
            return names.good(good)
        case family, _ if family in moves.USES:
            return names.building(moves.USES[family])
    return None
