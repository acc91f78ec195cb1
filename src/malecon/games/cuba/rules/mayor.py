"""The mayor of Cuba (p. 9): goods onto one ship, or pesos for going without."""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.events import FORWENT, FROM_CHARACTER
from malecon.games.cuba.position import DRAW_SHIP, NEXT_CARD, SHIP
from malecon.games.cuba.rules.harbour import leaves_at_once, load, most_loadable
from malecon.kernel.common.holdings import change_pesos
from malecon.kernel.common.listing import put
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position

SOURCE = FROM_CHARACTER + tiles.MAYOR


@kernel
def list_shipments(position: Position, out: Moves | None) -> int:
    """List one unit onto any ship; the first unit settles which ship it is."""
    seat = int(position.active)
    count = 0
    for berth in range(1, tiles.BERTHS + 1):
        if position.berth == 0 or position.berth == berth:
            for good in range(len(tiles.TRADE_GOODS)):
                if most_loadable(position, seat, berth, good) > 0:
                    count = put(out, count, moves.SHIP + (berth - 1) * len(tiles.TRADE_GOODS) + good)
    return count


@kernel
def forgo_shipping(position: Position, journal: Journal | None) -> int:
    """Deliver nothing: the first two players in a round who choose this get pesos."""
    seat = int(position.active)
    note(journal, FORWENT, seat, 0, tiles.MAYOR, -1)
    reward = arrays.MAYOR_PESOS[position.not_shipped]
    if reward:
        position.not_shipped += 1
        change_pesos(position, seat, reward, SOURCE, journal)
    return NEXT_CARD


@kernel
def ship(position: Position, move: int, journal: Journal | None) -> int:
    if move == moves.FORGO:
        return forgo_shipping(position, journal)
    if move == moves.DONE:
        return NEXT_CARD
    berth, good = int(moves.PARTS[move, 0]), int(moves.PARTS[move, 1])
    position.berth = berth
    load(position, position.active, berth, good, 1, SOURCE, journal)
    if leaves_at_once(position, berth, journal):
        position.resume = NEXT_CARD
        return DRAW_SHIP
    return SHIP


@kernel
def offer_shipping(position: Position, journal: Journal | None) -> int:
    if list_shipments(position, None) > 0:
        return SHIP
    return NEXT_CARD if position.berth else forgo_shipping(position, journal)
