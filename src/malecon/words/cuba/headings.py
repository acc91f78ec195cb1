"""Under which heading each move of Cuba stands in a long list, and which moves decline what is offered."""

from __future__ import annotations

from malecon.games.cuba import moves, names, tiles
from malecon.kernel.phrases import Phrase, counted, say
from malecon.kernel.verbs import Position

#: Families of moves by which one does nothing, or is done.
WAYS_OUT = frozenset({moves.FORGO, moves.DONE, moves.REFUSE_TAX, moves.REFUSE_DUTY})


def heading(position: Position, code: int) -> Phrase | None:
    """What the moves of a group have in common; None for a move that stands by itself."""
    family, parts = moves.NOTATION.read(code)
    if family in moves.USES:
        building = names.building(moves.USES[family])
        if family == moves.SWAP:
            return say("{building}: give {goods}", building=building, goods=names.goods(parts[0], 1))
        if family in (moves.CONSIGN, moves.DISPATCH, moves.DISPATCH_TWO):
            return say("{building}: {place}", building=building, place=names.place(parts[0]))
        return building
    match family, parts:
        case moves.BUY, _:
            return say("Buy")
        case moves.SELL, _:
            return say("Sell")
        case moves.SHIP, (berth, _):
            return say("Load {place}", place=names.place(berth))
        case moves.BUILD, (tile,):
            return counted("{n} material", "{n} materials", int(tiles.BUILDING_COST[tile].sum()))
    return None
