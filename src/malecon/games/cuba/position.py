"""A position of Cuba: one small record. It holds what lies on the table, never what is still to come."""

from __future__ import annotations

import numpy as np

from malecon.games.cuba import tiles
from malecon.kernel.compile import kernel
from malecon.kernel.verbs import CHANCE, Position

# The phases: what the game waits for. The last seven are never waited in; the rules pass through them.
PHASES = (
    "draw ship",  # chance draws the card for the empty place nearest to berth 3
    "choose starter",  # chance draws the starting player
    "start materials",
    "start crops",
    "propose",  # chance turns up the next group's law
    "envoy",  # in the variant: lay the parliament card face down
    "card",  # play a character
    "figure",  # worker: place the figure
    "harvest",  # worker: choose crops that are free
    "irrigate",  # worker: more crops for water
    "trade",  # merchant
    "build",  # architect: choose a building
    "site",  # architect: choose its field
    "use",  # foreman
    "ship",  # mayor
    "bid",
    "second bid",
    "enact",
    "tax",
    "duty",
    "over",
    "next card",
    "parliament",
    "count votes",
    "subsidies",
    "market law",
    "end of round",
    "next round",
)
(
    DRAW_SHIP,
    CHOOSE_STARTER,
    START_MATERIALS,
    START_CROPS,
    PROPOSE,
    ENVOY,
    CARD,
    FIGURE,
    HARVEST,
    IRRIGATE,
    TRADE,
    BUILD,
    SITE,
    USE,
    SHIP,
    BID,
    SECOND_BID,
    ENACT,
    PAY_TAX,
    PAY_DUTY,
    OVER,
    NEXT_CARD,
    PARLIAMENT,
    COUNT_VOTES,
    SUBSIDIES,
    MARKET_LAW,
    END_OF_ROUND,
    NEXT_ROUND,
) = range(len(PHASES))

#: What lies face down on the table now.
NOTHING, ENVOYS, BIDS, SECOND_BIDS = range(4)
#: A bid or an envoy that is not chosen yet, or in a view: one that somebody else has chosen in secret.
UNKNOWN = -1
#: No ship, no proposal, no card, no seat.
NONE = -1

POSITION = np.dtype(
    (
        np.record,
        [
            ("phase", np.int8),
            ("actor", np.int8),  # who decides now: a seat, CHANCE or NOBODY
            ("active", np.int8),  # whose card is being played; in parliament, the winner
            ("players", np.int8),
            ("starter", np.int8),
            ("round_number", np.int8),  # 1 to 6; 0 in the setup
            ("common", np.int8),  # option: everybody has the same plantation
            ("with_envoys", np.int8),  # option
            ("count_warehouse", np.int8),  # option: the printed warehouse counts as a building
            ("face_down", np.int8),  # NOTHING, ENVOYS, BIDS or SECOND_BIDS
            ("step", np.int8),  # cards played this round, laws proposed or seats asked so far
            ("resume", np.int8),  # the phase that follows when the harbour is full again
            # the turn of one card
            ("picks", np.int8),  # worker: crops still free
            ("ripe", np.int8, (3,)),  # worker: activated crop fields not used yet, by crop
            ("bought", np.int8),  # merchant: bit masks of trade goods
            ("sold", np.int8),
            ("planned", np.int8),  # architect: the building that is paid for
            ("used", np.int16),  # foreman: bit mask of fields
            ("berth", np.int8),  # mayor: the one being loaded; 0 before the first unit
            # the board
            ("supply", np.int8, (len(tiles.GOODS),)),
            ("market", np.int8, (len(tiles.TRADE_GOODS),)),
            ("buildings_left", np.int8, (len(tiles.BUILDINGS),)),
            ("material_picked", np.int8),  # the black markers: alternatives used this round
            ("crop_picked", np.int8),
            ("not_built", np.int8),
            ("not_shipped", np.int8),
            ("ship_at", np.int8, (tiles.BERTHS + 1,)),  # by berth; 0 is the high seas
            ("cargo", np.int8, (tiles.BERTHS + 1, len(tiles.TRADE_GOODS))),
            ("unseen_ships", np.int16),  # bit mask: the part of the deck in no known order, on top
            ("queued", np.int8),  # ships that went under it, in order
            ("queue", np.int8, (tiles.SHIPS,)),
            # parliament
            ("unseen_laws", np.int8, (len(tiles.GROUPS),)),  # bit masks
            ("proposal", np.int8, (len(tiles.GROUPS),)),
            ("law", np.int8, (len(tiles.GROUPS),)),  # in force
            ("vetoed", np.int8),  # the group vetoed this round
            ("vetoed_before", np.int8),  # and the one vetoed in the round before
            ("town_hall", np.int8),  # the seat that used it this round
            ("bidders", np.int8),  # bit mask of seats still to bid
            ("tax_paid", np.int8),  # bit mask of seats
            ("votes", np.int16, (tiles.MOST_PLAYERS,)),  # as far as they are revealed
            ("bid", np.int8, (tiles.MOST_PLAYERS,)),
            ("envoy", np.int8, (tiles.MOST_PLAYERS,)),
            # the players
            ("played", np.int8, (tiles.MOST_PLAYERS,)),  # bit mask of characters
            ("last_card", np.int8, (tiles.MOST_PLAYERS,)),
            ("figure", np.int8, (tiles.MOST_PLAYERS,)),  # the field it stands on
            ("pesos", np.int16, (tiles.MOST_PLAYERS,)),
            ("points", np.int16, (tiles.MOST_PLAYERS,)),
            ("yard", np.int8, (tiles.MOST_PLAYERS, len(tiles.GOODS))),
            ("stored", np.int8, (tiles.MOST_PLAYERS, len(tiles.CROPS))),  # in the warehouse
            ("built", np.int8, (tiles.MOST_PLAYERS, tiles.FIELDS)),  # the building on a field
        ],
    )
)


@kernel(inline=True)
def plantation(position: Position, seat: int) -> int:
    """The row of `tiles.PLANTATIONS` that a seat plays on."""
    return 0 if position.common else 1 + seat


def new_position(
    players: int, plantations: str = "individual", envoys: bool = False, count_warehouse: bool = True
) -> Position:
    """The table before setup: no ship is drawn, nobody is the starting player, nobody has chosen goods."""
    position: Position = np.zeros(1, POSITION).view(np.recarray)[0]
    position.phase = DRAW_SHIP
    position.resume = CHOOSE_STARTER
    position.actor = CHANCE
    position.players = players
    position.starter = position.active = NONE
    position.common = plantations == "common"
    position.with_envoys = envoys
    position.count_warehouse = count_warehouse
    position.planned = tiles.NO_BUILDING
    position.supply[:] = tiles.PIECES
    position.supply[: len(tiles.TRADE_GOODS)] -= tiles.MARKET_START
    position.market[:] = tiles.MARKET_START
    position.buildings_left[:] = tiles.BUILDING_TILES
    position.ship_at[:] = NONE
    position.unseen_ships = (1 << tiles.SHIPS) - 1
    position.queue[:] = NONE
    position.unseen_laws[:] = (1 << tiles.LAWS_EACH) - 1
    position.proposal[:] = NONE
    position.law[:] = tiles.LAWS_AT_FIRST
    position.vetoed = position.vetoed_before = NONE
    position.town_hall = NONE
    position.bid[:] = UNKNOWN
    position.envoy[:] = UNKNOWN
    position.last_card[:] = NONE
    position.pesos[:players] = tiles.START_PESOS
    position.built[:] = tiles.NO_BUILDING
    for seat in range(players):
        warehouse = int((tiles.PLANTATIONS[plantation(position, seat)] == tiles.YIELDLESS).argmax())
        position.figure[seat] = warehouse
        position.built[seat, warehouse] = tiles.PRINTED_WAREHOUSE
    return position
