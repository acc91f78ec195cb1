"""What can happen in Santiago de Cuba, as kinds of journal entries, and the ways holdings change hands.

Every good that moves goes through here, and every peso and point through `kernel.common.holdings`, so the journal is a
complete ledger. No rules.
"""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Position

# Kind: what seat, amount, thing and other stand for. The first three are those of `kernel.common.holdings`.
EVENTS = (
    "pesos",  # seat, change, source
    "points",  # seat, change, source
    "goods",  # seat, change, good, source
    "turn",  # seat
    "drove",  # seat, steps, stop
    "inactive",  # seat, -, Cuban: nothing happens at a face-down tile
    "nothing left",  # seat, -, Cuban: the supply had less than the Cuban gives
    "face up",  # -, -, Cuban
    "face down",  # seat, -, Cuban
    "seized",  # seat, -, building
    "moved",  # seat, -, building
    "stayed",  # seat, -, building or -1: no free building under that flower
    "flag",  # seat, new value
    "die",  # -, new demand, good
    "delivered",  # seat, units, good, whether in wood
    "passed",  # seat: out of this delivery round
    "round over",  # everybody passed
    "sailed",  # -, number of the ship, how (FULL or TIMED_OUT)
    "rolled",  # -, face, good
    "left out",  # seat, -, good
    "over",
)
(
    PESOS,
    POINTS,
    GOODS,
    TURN,
    DROVE,
    INACTIVE,
    NOTHING_LEFT,
    FACE_UP,
    FACE_DOWN,
    SEIZED,
    MOVED,
    STAYED,
    FLAG,
    DIE,
    DELIVERED,
    PASSED,
    ROUND_OVER,
    SAILED,
    ROLLED,
    LEFT_OUT,
    GAME_OVER,
) = range(len(EVENTS))

FULL, TIMED_OUT = 0, 1

# Where a holding came from or went to.
SOURCES = (*tiles.CUBANS, *tiles.BUILDINGS, "drive", "delivery", "wood", "owner", "exchange")
FROM_CUBAN = 0
FROM_BUILDING = len(tiles.CUBANS)
FROM_DRIVE = FROM_BUILDING + len(tiles.BUILDINGS)
FROM_DELIVERY = FROM_DRIVE + 1
FROM_WOOD = FROM_DRIVE + 2
FROM_OWNING = FROM_DRIVE + 3
FROM_EXCHANGE = FROM_DRIVE + 4


@kernel(inline=True)
def take_goods(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """From the supply to a seat; a negative count goes the other way."""
    position.supply[good] -= count
    position.goods[seat, good] += count
    note(journal, GOODS, seat, count, good, source)


@kernel(inline=True)
def hand_over(position: Position, giver: int, taker: int, good: int, source: int, journal: Journal | None) -> None:
    """One good from a seat to another."""
    position.goods[giver, good] -= 1
    position.goods[taker, good] += 1
    note(journal, GOODS, giver, -1, good, source)
    note(journal, GOODS, taker, 1, good, source)
