"""What can happen in Cuba, as kinds of journal entries, and the ways holdings change hands.

Every piece that moves goes through here, and every peso and point through `kernel.common.holdings`, so the journal is a
complete ledger. No rules.
"""

from __future__ import annotations

from malecon.games.cuba import tiles
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Position

# Kind: what seat, amount, thing and other stand for. The first three are those of `kernel.common.holdings`.
EVENTS = (
    "pesos",  # seat, change, source
    "points",  # seat, change, source
    "goods",  # seat, change, good, source: yard and warehouse together
    "stored",  # seat, count, good: from the yard into the warehouse
    "market",  # -, change, good: units standing on the market
    "nothing left",  # seat, -, good: the supply had less than was due
    "round",  # starting player, number
    "card",  # seat, -, character
    "figure",  # seat, -, field
    "built",  # seat, -, building, field
    "forwent",  # seat, -, character: no building, no delivery
    "idle",  # seat, -, character: nothing could be done with the card
    "used",  # seat, -, building, field
    "loaded",  # seat, berth, good, ship
    "sailed",  # -, berth, ship, how (FULL or LEFT_BEHIND)
    "arrived",  # -, berth (0 is the high seas), ship
    "called",  # seat, -, ship, the one it replaces
    "proposed",  # -, -, group, law
    "vetoed",  # seat, -, group, law
    "starter",  # seat: the new starting player
    "votes",  # seat, votes before any bid, character kept
    "bid",  # seat, pesos, whether it is the second bid
    "tied",  # seat, votes
    "won",  # seat, votes
    "enacted",  # seat, -, group, law
    "paid",  # seat, -, group
    "refused",  # seat, -, group
    "unable",  # seat, -, group: could not pay
    "over",
)
(
    PESOS,
    POINTS,
    GOODS,
    STORED,
    MARKET,
    NOTHING_LEFT,
    ROUND,
    CARD,
    FIGURE,
    BUILT,
    FORWENT,
    IDLE,
    USED,
    LOADED,
    SAILED,
    ARRIVED,
    CALLED,
    PROPOSED,
    VETOED,
    STARTER,
    VOTES,
    BID,
    TIED,
    WON,
    ENACTED,
    PAID,
    REFUSED,
    UNABLE,
    GAME_OVER,
) = range(len(EVENTS))

FULL, LEFT_BEHIND = 0, 1

# Where a holding came from or went to.
SOURCES = (
    *tiles.CHARACTERS,
    *tiles.BUILDINGS,
    *("setup", "bid", "tax", "duty", "both", "subsidy", "end of round", "final buildings"),
)
FROM_CHARACTER = 0
FROM_BUILDING = len(tiles.CHARACTERS)
FROM_SETUP = FROM_BUILDING + len(tiles.BUILDINGS)
FROM_BID = FROM_SETUP + 1
FROM_TAX = FROM_SETUP + 2
FROM_DUTY = FROM_SETUP + 3
FROM_BOTH = FROM_SETUP + 4  # the extra point for tax and duty
FROM_SUBSIDY = FROM_SETUP + 5
FROM_END_OF_ROUND = FROM_SETUP + 6
FROM_FINAL_BUILDINGS = FROM_SETUP + 7


@kernel(inline=True)
def is_crop(good: int) -> bool:
    """Crops come first among the goods."""
    return good < len(tiles.CROPS)


@kernel(inline=True)
def held(position: Position, seat: int, good: int) -> int:
    """What a seat has of a good: in the yard and, of crops, in the warehouse."""
    if is_crop(good):
        return position.yard[seat, good] + position.stored[seat, good]
    return position.yard[seat, good]


@kernel(inline=True)
def receive(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """Into the yard; where the pieces come from is the caller's to say."""
    position.yard[seat, good] += count
    note(journal, GOODS, seat, count, good, source)


@kernel
def give(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """Out of a seat's hands, from the yard first: crops there are lost at the end of the round anyway."""
    from_yard = min(count, position.yard[seat, good])
    position.yard[seat, good] -= from_yard
    if from_yard < count:
        position.stored[seat, good] -= count - from_yard
    note(journal, GOODS, seat, -count, good, source)


@kernel(inline=True)
def take(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """From the supply into the yard."""
    position.supply[good] -= count
    receive(position, seat, good, count, source, journal)


@kernel(inline=True)
def spend(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """From yard and warehouse to the supply."""
    position.supply[good] += count
    give(position, seat, good, count, source, journal)


@kernel(inline=True)
def change_market(position: Position, good: int, change: int, journal: Journal | None) -> None:
    position.market[good] += change
    note(journal, MARKET, -1, change, good, -1)
