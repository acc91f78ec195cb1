"""What can happen in Cuba, as kinds of journal entries, and the ways holdings change hands.

Every piece that moves goes through here, and every peso and point through `kernel.common.holdings`, so the journal is a
complete ledger. No rules.
"""

from __future__ import annotations

from malecon.games.cuba import tiles
from malecon.kernel.common import holdings
from malecon.kernel.common.holdings import GOODS as GOODS
from malecon.kernel.common.holdings import PESOS as PESOS
from malecon.kernel.common.holdings import POINTS as POINTS
from malecon.kernel.common.records import Numbering
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Position

# The kinds of events: what seat, amount, thing and other stand for. The first three are those of every game; goods
# are counted in yard and warehouse together.
_events = Numbering(holdings.EVENTS)
STORED = _events.add("stored")  # seat, count, good: from the yard into the warehouse
MARKET = _events.add("market")  # -, change, good: units standing on the market
NOTHING_LEFT = _events.add("nothing left")  # seat, -, good: the supply had less than was due
ROUND = _events.add("round")  # starting player, number
CARD = _events.add("card")  # seat, -, character
FIGURE = _events.add("figure")  # seat, -, field
BUILT = _events.add("built")  # seat, -, building, field
FORWENT = _events.add("forwent")  # seat, -, character: no building, no delivery
IDLE = _events.add("idle")  # seat, -, character: nothing could be done with the card
USED = _events.add("used")  # seat, -, building, field
LOADED = _events.add("loaded")  # seat, berth, good, ship
SAILED = _events.add("sailed")  # -, berth, ship, how (FULL or LEFT_BEHIND)
ARRIVED = _events.add("arrived")  # -, berth (0 is the high seas), ship
CALLED = _events.add("called")  # seat, -, ship, the one it replaces
PROPOSED = _events.add("proposed")  # -, -, group, law
VETOED = _events.add("vetoed")  # seat, -, group, law
STARTER = _events.add("starter")  # seat: the new starting player
VOTES = _events.add("votes")  # seat, votes before any bid, character kept
BID = _events.add("bid")  # seat, pesos, whether it is the second bid
TIED = _events.add("tied")  # seat, votes
WON = _events.add("won")  # seat, votes
ENACTED = _events.add("enacted")  # seat, -, group, law
PAID = _events.add("paid")  # seat, -, group
REFUSED = _events.add("refused")  # seat, -, group
UNABLE = _events.add("unable")  # seat, -, group: could not pay
GAME_OVER = _events.add("over")
EVENTS = _events.names

# How a ship sailed.
FULL = 0
LEFT_BEHIND = 1

# Where a holding came from or went to.
_sources = Numbering()
FROM_CHARACTER = _sources.add(*tiles.CHARACTER_KEYS)
FROM_BUILDING = _sources.add(*tiles.BUILDING_KEYS)
FROM_SETUP = _sources.add("setup")
FROM_BID = _sources.add("bid")
FROM_TAX = _sources.add("tax")
FROM_DUTY = _sources.add("duty")
FROM_BOTH = _sources.add("both")  # the extra point for tax and duty
FROM_SUBSIDY = _sources.add("subsidy")
FROM_END_OF_ROUND = _sources.add("end of round")
FROM_FINAL_BUILDINGS = _sources.add("final buildings")
SOURCES = _sources.names


@kernel(inline=True)
def is_crop(good: int) -> bool:
    """Return whether a good is a crop: crops come first."""
    return good < len(tiles.CROPS)


@kernel(inline=True)
def held(position: Position, seat: int, good: int) -> int:
    """Return what a seat has of a good: in the yard and, of crops, in the warehouse."""
    if is_crop(good):
        return position.yard[seat, good] + position.stored[seat, good]
    return position.yard[seat, good]


@kernel(inline=True)
def receive(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """Put pieces into the yard; the caller says where they come from."""
    position.yard[seat, good] += count
    note(journal, GOODS, seat, count, good, source)


@kernel
def give(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """Take pieces from a seat, from the yard first: crops there are lost at the end of the round anyway."""
    from_yard = min(count, position.yard[seat, good])
    position.yard[seat, good] -= from_yard
    if from_yard < count:
        position.stored[seat, good] -= count - from_yard
    note(journal, GOODS, seat, -count, good, source)


@kernel(inline=True)
def take(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """Move pieces from the supply into the yard."""
    position.supply[good] -= count
    receive(position, seat, good, count, source, journal)


@kernel(inline=True)
def spend(position: Position, seat: int, good: int, count: int, source: int, journal: Journal | None) -> None:
    """Move pieces from yard and warehouse to the supply."""
    position.supply[good] += count
    give(position, seat, good, count, source, journal)


@kernel(inline=True)
def change_market(position: Position, good: int, change: int, journal: Journal | None) -> None:
    position.market[good] += change
    note(journal, MARKET, -1, change, good, -1)
