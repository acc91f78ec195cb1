"""A position of Cuba: one small record. It holds what lies on the table, never what is still to come."""

from __future__ import annotations

import numpy as np

from malecon.games.cuba import arrays, tiles
from malecon.kernel.common.records import Numbering
from malecon.kernel.compile import kernel
from malecon.kernel.positions import position_type
from malecon.kernel.verbs import CHANCE, Position

# The phases: what the game waits for.
_phases = Numbering()
DRAW_SHIP = _phases.add("draw ship")  # chance draws the card for the empty place nearest to berth 3
CHOOSE_STARTER = _phases.add("choose starter")  # chance draws the starting player
START_MATERIALS = _phases.add("start materials")
START_CROPS = _phases.add("start crops")
PROPOSE = _phases.add("propose")  # chance turns up the next group's law
ENVOY = _phases.add("envoy")  # in the variant: lay the parliament card face down
CARD = _phases.add("card")  # play a character
FIGURE = _phases.add("figure")  # worker: place the figure
HARVEST = _phases.add("harvest")  # worker: choose crops that are free
IRRIGATE = _phases.add("irrigate")  # worker: more crops for water
TRADE = _phases.add("trade")  # merchant
BUILD = _phases.add("build")  # architect: choose a building
SITE = _phases.add("site")  # architect: choose its field
USE = _phases.add("use")  # foreman
SHIP = _phases.add("ship")  # mayor
BID = _phases.add("bid")
SECOND_BID = _phases.add("second bid")
ENACT = _phases.add("enact")
PAY_TAX = _phases.add("tax")
PAY_DUTY = _phases.add("duty")
OVER = _phases.add("over")
# These are never waited in; the rules pass through them.
NEXT_CARD = _phases.add("next card")
PARLIAMENT = _phases.add("parliament")
COUNT_VOTES = _phases.add("count votes")
SUBSIDIES = _phases.add("subsidies")
MARKET_LAW = _phases.add("market law")
END_OF_ROUND = _phases.add("end of round")
NEXT_ROUND = _phases.add("next round")
PHASES = _phases.names

# What lies face down on the table now.
NOTHING = 0
ENVOYS = 1
BIDS = 2
SECOND_BIDS = 3
#: A bid or an envoy that is not chosen yet, or in a view: one that somebody else has chosen in secret.
UNKNOWN = -1
#: No ship, no proposal, no card, no seat.
NONE = -1

POSITION = position_type(
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
        ("supply", np.int8, (len(tiles.GOOD_KEYS),)),
        ("market", np.int8, (len(tiles.TRADE_GOODS),)),
        ("buildings_left", np.int8, (len(tiles.BUILDING_KEYS),)),
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
        ("unseen_laws", np.int8, (len(tiles.GROUP_KEYS),)),  # bit masks
        ("proposal", np.int8, (len(tiles.GROUP_KEYS),)),
        ("law", np.int8, (len(tiles.GROUP_KEYS),)),  # in force
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
        ("yard", np.int8, (tiles.MOST_PLAYERS, len(tiles.GOOD_KEYS))),
        ("stored", np.int8, (tiles.MOST_PLAYERS, len(tiles.CROPS))),  # in the warehouse
        ("built", np.int8, (tiles.MOST_PLAYERS, tiles.FIELDS)),  # the building on a field
    ]
)


@kernel(inline=True)
def plantation(position: Position, seat: int) -> int:
    """Return the row of `arrays.PLANTATIONS` that a seat plays on."""
    return 0 if position.common else 1 + seat


def new_position(
    players: int, plantations: str = "individual", envoys: bool = False, count_warehouse: bool = True
) -> Position:
    """Return the table before setup: no ship is drawn, there is no starting player, no goods are chosen."""
    position: Position = np.zeros(1, POSITION)[0]
    position.phase = DRAW_SHIP
    position.resume = CHOOSE_STARTER
    position.actor = CHANCE
    position.players = players
    position.starter = position.active = NONE
    position.common = plantations == "common"
    position.with_envoys = envoys
    position.count_warehouse = count_warehouse
    position.planned = tiles.NO_BUILDING
    position.supply[:] = arrays.PIECES
    position.supply[: len(tiles.TRADE_GOODS)] -= arrays.MARKET_START
    position.market[:] = arrays.MARKET_START
    position.buildings_left[:] = arrays.BUILDING_TILES
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
        warehouse = int((arrays.PLANTATIONS[plantation(position, seat)] == tiles.YIELDLESS).argmax())
        position.figure[seat] = warehouse
        position.built[seat, warehouse] = tiles.PRINTED_WAREHOUSE
    return position
