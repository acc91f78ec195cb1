"""What can happen in Santiago de Cuba, as kinds of journal entries, and the ways holdings change hands.

Every good that moves goes through here, and every peso and point through `kernel.common.holdings`, so the journal is a
complete ledger. No rules.
"""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.kernel.common import holdings
from malecon.kernel.common.holdings import GOODS as GOODS
from malecon.kernel.common.holdings import PESOS as PESOS
from malecon.kernel.common.holdings import POINTS as POINTS
from malecon.kernel.common.records import Numbering
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Position

# The kinds of events: what seat, amount, thing and other stand for. The first three are those of every game.
_events = Numbering(holdings.EVENTS)
TURN = _events.add("turn")  # seat
DROVE = _events.add("drove")  # seat, steps, stop
INACTIVE = _events.add("inactive")  # seat, -, Cuban: nothing happens at a face-down tile
NOTHING_LEFT = _events.add("nothing left")  # seat, -, Cuban: the supply had less than the Cuban gives
FACE_UP = _events.add("face up")  # -, -, Cuban
FACE_DOWN = _events.add("face down")  # seat, -, Cuban
SEIZED = _events.add("seized")  # seat, -, building
MOVED = _events.add("moved")  # seat, -, building
STAYED = _events.add("stayed")  # seat, -, building or -1: no free building under that flower
FLAG = _events.add("flag")  # seat, new value
DIE = _events.add("die")  # -, new demand, good
DELIVERED = _events.add("delivered")  # seat, units, good, whether in wood
PASSED = _events.add("passed")  # seat: out of this delivery round
ROUND_OVER = _events.add("round over")  # everybody passed
SAILED = _events.add("sailed")  # -, number of the ship, how (FULL or TIMED_OUT)
ROLLED = _events.add("rolled")  # -, face, good
LEFT_OUT = _events.add("left out")  # seat, -, good
GAME_OVER = _events.add("over")
EVENTS = _events.names

# How a ship sailed.
FULL = 0
TIMED_OUT = 1

# Where a holding came from or went to.
_sources = Numbering()
FROM_CUBAN = _sources.add(*tiles.CUBAN_KEYS)
FROM_BUILDING = _sources.add(*tiles.BUILDING_KEYS)
FROM_DRIVE = _sources.add("drive")
FROM_DELIVERY = _sources.add("delivery")
FROM_WOOD = _sources.add("wood")
FROM_OWNING = _sources.add("owner")
FROM_EXCHANGE = _sources.add("exchange")
SOURCES = _sources.names


@kernel(inline=True)
def take_goods(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """Move goods from the supply to a seat; a negative count goes the other way."""
    position.supply[good] -= count
    position.goods[seat, good] += count
    note(journal, GOODS, seat, count, good, source)


@kernel(inline=True)
def hand_over(position: Position, giver: int, taker: int, good: int, source: int, journal: Journal | None) -> None:
    """Move one good from a seat to another."""
    position.goods[giver, good] -= 1
    position.goods[taker, good] += 1
    note(journal, GOODS, giver, -1, good, source)
    note(journal, GOODS, taker, 1, good, source)
