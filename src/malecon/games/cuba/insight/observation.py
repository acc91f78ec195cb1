"""What a seat sees of Cuba as numbers, for programs that learn. It reads a view: `hide` took secrets out.

Seats are told from the observer's own: `own`, then the others in turn order. Seats that nobody sits in are zeros.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from malecon.games.cuba import arrays, tiles
from malecon.games.cuba.position import OVER, PHASES, plantation
from malecon.kernel.compile import kernel
from malecon.kernel.pieces import MANY, Pieces
from malecon.kernel.verbs import Position

SEATS = ("own", "next", "second", "third", "fourth")
FIELDS = tuple(map(str, range(1, tiles.FIELDS + 1)))
PLACES = ("high seas", *map(str, range(1, tiles.BERTHS + 1)))
LAW_CARDS = tuple(map(str, range(1, tiles.LAWS_EACH + 1)))
PLANTATIONS = ("common", *tiles.COLOURS)
GROUNDS = ("sugar", "citrus", "tobacco", "wood", "stone", "water")
#: By good: its place in `ground`; wares grow nowhere.
GROUND_OF = np.array([GROUNDS.index(good) if good in GROUNDS else -1 for good in tiles.GOOD_KEYS], np.int8)

PIECES = Pieces()
PHASE = PIECES.add("phase", "what the game waits for", PHASES[: OVER + 1])
PLAYERS = PIECES.add("players", "how many play", tuple(map(str, range(tiles.FEWEST_PLAYERS, tiles.MOST_PLAYERS + 1))))
ACTIVE = PIECES.add("active", "whose card is being played; in parliament, the winner", SEATS)
ACTOR = PIECES.add("actor", "who decides now; nobody where it is chance or the game is over", SEATS)
STARTER = PIECES.add("starter", "who is the starting player", SEATS)
ROUND = PIECES.add("round", "the round; 0 in the setup", tuple(map(str, range(tiles.ROUNDS + 1))))
OPTIONS = PIECES.add("options", "table options that are on", ("common plantations", "envoys", "count warehouse"))
CONCEALED = PIECES.add("concealed", "what lies face down", ("nothing", "envoys", "bids", "second bids"))
STEP = PIECES.add("step", "cards played this round, laws proposed or seats asked so far", high=MANY, typical=10)
RESUME = PIECES.add(
    "resume",
    "the number of the phase that follows when the harbour is full again",
    high=len(PHASES),
    typical=len(PHASES),
    values=(*PHASES, "none"),
)
PICKS = PIECES.add("picks", "worker: crops still free", high=MANY, typical=2)
RIPE = PIECES.add("ripe", "worker: activated crop fields not used yet", tiles.CROPS, high=tiles.FIELDS, typical=2)
BOUGHT = PIECES.add("bought", "merchant: goods bought this turn", tiles.TRADE_GOODS)
SOLD = PIECES.add("sold", "merchant: goods sold this turn", tiles.TRADE_GOODS)
PLANNED = PIECES.add("planned", "architect: the building that is paid for", tiles.BUILDING_KEYS)
USED = PIECES.add("used", "foreman: fields used this turn", FIELDS)
LOADING = PIECES.add("loading", "mayor: the berth being loaded; none before the first unit", PLACES)
SUPPLY = PIECES.add("supply", "units in the supply", tiles.GOOD_KEYS, high=int(arrays.PIECES.max()), typical=10)
MARKET = PIECES.add("market", "units on the market", tiles.TRADE_GOODS, high=int(arrays.MARKET_SPACES.max()), typical=3)
LEFT = PIECES.add("buildings_left", "tiles not built yet", tiles.BUILDING_KEYS, high=2)
FORGONE = PIECES.add(
    "forgone", "who picked goods, or forwent building or shipping, this round",
    ("materials picked", "crops picked", "not built", "not shipped"), high=MANY, typical=2,
)  # fmt: skip
SHIPS = PIECES.add("ships", "the ship at each berth", PLACES, tiles.SHIP_KEYS)
CARGO = PIECES.add("cargo", "units loaded on it", PLACES, tiles.TRADE_GOODS, high=tiles.CARGO, typical=2)
WANTED = PIECES.add("wanted", "units it still takes", PLACES, tiles.TRADE_GOODS, high=tiles.CARGO, typical=2)
UNSEEN_SHIPS = PIECES.add("unseen_ships", "ships of the deck whose order nobody knows, on top", tiles.SHIP_KEYS)
QUEUE = PIECES.add(
    "queue", "the place of a ship under them, counted from 1; 0: it is not there", tiles.SHIP_KEYS,
    high=tiles.SHIPS, typical=5,
)  # fmt: skip
UNSEEN_LAWS = PIECES.add(
    "unseen_laws", "laws not turned up yet, in the order of the rules", tiles.GROUP_KEYS, LAW_CARDS
)
PROPOSAL = PIECES.add("proposal", "laws proposed this round", tiles.GROUP_KEYS, LAW_CARDS)
LAW = PIECES.add("law", "laws in force", tiles.GROUP_KEYS, LAW_CARDS)
VETOED = PIECES.add("vetoed", "the group vetoed", ("this round", "the round before"), tiles.GROUP_KEYS)
TOWN_HALL = PIECES.add("town_hall", "who used it this round", SEATS)
BIDDERS = PIECES.add("bidders", "who is still to bid", SEATS)
TAX_PAID = PIECES.add("tax_paid", "who paid the tax this round", SEATS)
VOTES = PIECES.add("votes", "votes, as far as they are revealed", SEATS, high=MANY, typical=5)
BID = PIECES.add("bid", "bids; -1: none, or one that lies face down", SEATS, low=-1, high=tiles.HIGHEST_BID, typical=5)
ENVOY = PIECES.add("envoy", "envoys laid down, as far as the seat knows them", SEATS, tiles.CHARACTER_KEYS)
PLAYED = PIECES.add("played", "characters played this round", SEATS, tiles.CHARACTER_KEYS)
LAST_CARD = PIECES.add("last_card", "the one played last", SEATS, tiles.CHARACTER_KEYS)
FIGURE = PIECES.add("figure", "the field the figure stands on", SEATS, FIELDS)
PESOS = PIECES.add("pesos", "pesos", SEATS, high=MANY, typical=10)
POINTS = PIECES.add("points", "points", SEATS, high=MANY, typical=30)
YARD = PIECES.add("yard", "units in the yard", SEATS, tiles.GOOD_KEYS, high=int(arrays.PIECES.max()), typical=3)
STORED = PIECES.add("stored", "units in the warehouse", SEATS, tiles.CROPS, high=int(arrays.PIECES.max()), typical=3)
BUILT = PIECES.add(
    "built", "the building on each field, numbered from 1; 0: none; the last: the printed warehouse", SEATS, FIELDS,
    high=tiles.PRINTED_WAREHOUSE + 1, typical=tiles.PRINTED_WAREHOUSE,
    values=("none", *tiles.BUILDING_KEYS, "printed warehouse"),
)  # fmt: skip
OWNED = PIECES.add("owned", "buildings by kind", SEATS, tiles.BUILDING_KEYS, high=2)
PLANTATION = PIECES.add("plantation", "the plantation a seat plays on", SEATS, PLANTATIONS)
GROUND = PIECES.add("ground", "what grows on the observer's own fields, where nothing is built", FIELDS, GROUNDS)
SIZE = PIECES.size


@kernel(inline=True)
def from_seat(seat: int, other: int, players: int) -> int:
    """Return how many places after a seat another one sits."""
    return other - seat if other >= seat else other - seat + players


@kernel(inline=True)
def observe_round(position: Position, seat: int, out: npt.NDArray[np.int16]) -> None:
    players = int(position.players)
    out[PHASE + int(position.phase)] = 1
    out[PLAYERS + players - tiles.FEWEST_PLAYERS] = 1
    if position.active >= 0:
        out[ACTIVE + from_seat(seat, int(position.active), players)] = 1
    if position.actor >= 0:
        out[ACTOR + from_seat(seat, int(position.actor), players)] = 1
    if position.starter >= 0:
        out[STARTER + from_seat(seat, int(position.starter), players)] = 1
    out[ROUND + int(position.round_number)] = 1
    out[OPTIONS] = position.common
    out[OPTIONS + 1] = position.with_envoys
    out[OPTIONS + 2] = position.count_warehouse
    out[CONCEALED + int(position.face_down)] = 1
    out[STEP] = position.step
    out[RESUME] = position.resume


@kernel(inline=True)
def observe_turn(position: Position, out: npt.NDArray[np.int16]) -> None:
    """Write what the card being played has done so far."""
    out[PICKS] = position.picks
    for crop in range(len(tiles.CROPS)):
        out[RIPE + crop] = position.ripe[crop]
    bought, sold, used = int(position.bought), int(position.sold), int(position.used)
    for good in range(len(tiles.TRADE_GOODS)):
        out[BOUGHT + good] = bought >> good & 1
        out[SOLD + good] = sold >> good & 1
    if 0 <= position.planned < len(tiles.BUILDING_KEYS):
        out[PLANNED + int(position.planned)] = 1
    for field in range(tiles.FIELDS):
        out[USED + field] = used >> field & 1
    if position.berth > 0:
        out[LOADING + int(position.berth)] = 1


@kernel(inline=True)
def observe_board(position: Position, out: npt.NDArray[np.int16]) -> None:
    for good in range(len(tiles.GOOD_KEYS)):
        out[SUPPLY + good] = position.supply[good]
    for good in range(len(tiles.TRADE_GOODS)):
        out[MARKET + good] = position.market[good]
    for building in range(len(tiles.BUILDING_KEYS)):
        out[LEFT + building] = position.buildings_left[building]
    out[FORGONE] = position.material_picked
    out[FORGONE + 1] = position.crop_picked
    out[FORGONE + 2] = position.not_built
    out[FORGONE + 3] = position.not_shipped


@kernel(inline=True)
def observe_harbour(position: Position, out: npt.NDArray[np.int16]) -> None:
    for place in range(tiles.BERTHS + 1):
        ship = int(position.ship_at[place])
        if ship >= 0:
            out[SHIPS + tiles.SHIPS * place + ship] = 1
            at = len(tiles.TRADE_GOODS) * place
            for good in range(len(tiles.TRADE_GOODS)):
                out[CARGO + at + good] = position.cargo[place, good]
                out[WANTED + at + good] = arrays.SHIP_WANTS[ship, good] - position.cargo[place, good]
    unseen = int(position.unseen_ships)
    for ship in range(tiles.SHIPS):
        out[UNSEEN_SHIPS + ship] = unseen >> ship & 1
    for i in range(position.queued):
        out[QUEUE + int(position.queue[i])] = i + 1


@kernel(inline=True)
def observe_parliament(position: Position, seat: int, out: npt.NDArray[np.int16]) -> None:
    for group in range(len(tiles.GROUP_KEYS)):
        at = tiles.LAWS_EACH * group
        unseen = int(position.unseen_laws[group])
        for law in range(tiles.LAWS_EACH):
            out[UNSEEN_LAWS + at + law] = unseen >> law & 1
        if position.proposal[group] >= 0:
            out[PROPOSAL + at + int(position.proposal[group])] = 1
        if position.law[group] >= 0:
            out[LAW + at + int(position.law[group])] = 1
    if position.vetoed >= 0:
        out[VETOED + int(position.vetoed)] = 1
    if position.vetoed_before >= 0:
        out[VETOED + len(tiles.GROUP_KEYS) + int(position.vetoed_before)] = 1
    if position.town_hall >= 0:
        out[TOWN_HALL + from_seat(seat, int(position.town_hall), int(position.players))] = 1


@kernel(inline=True)
def observe_seat(position: Position, other: int, place: int, out: npt.NDArray[np.int16]) -> None:
    """Write what lies before a seat; `place` counts from the observer."""
    out[BIDDERS + place] = position.bidders >> other & 1
    out[TAX_PAID + place] = position.tax_paid >> other & 1
    out[VOTES + place] = position.votes[other]
    out[BID + place] = position.bid[other]
    out[PESOS + place] = position.pesos[other]
    out[POINTS + place] = position.points[other]
    at = len(tiles.CHARACTER_KEYS) * place
    if position.envoy[other] >= 0:
        out[ENVOY + at + int(position.envoy[other])] = 1
    if position.last_card[other] >= 0:
        out[LAST_CARD + at + int(position.last_card[other])] = 1
    played = int(position.played[other])
    for character in range(len(tiles.CHARACTER_KEYS)):
        out[PLAYED + at + character] = played >> character & 1
    out[FIGURE + tiles.FIELDS * place + int(position.figure[other])] = 1
    for good in range(len(tiles.GOOD_KEYS)):
        out[YARD + len(tiles.GOOD_KEYS) * place + good] = position.yard[other, good]
    for crop in range(len(tiles.CROPS)):
        out[STORED + len(tiles.CROPS) * place + crop] = position.stored[other, crop]
    for field in range(tiles.FIELDS):
        building = int(position.built[other, field])
        out[BUILT + tiles.FIELDS * place + field] = building + 1
        if 0 <= building < len(tiles.BUILDING_KEYS):
            out[OWNED + len(tiles.BUILDING_KEYS) * place + building] += 1
    out[PLANTATION + len(PLANTATIONS) * place + plantation(position, other)] = 1


@kernel
def observe(position: Position, seat: int, out: npt.NDArray[np.int16]) -> None:
    observe_round(position, seat, out)
    observe_turn(position, out)
    observe_board(position, out)
    observe_harbour(position, out)
    observe_parliament(position, seat, out)
    for other in range(position.players):
        observe_seat(position, other, from_seat(seat, other, int(position.players)), out)
    own = plantation(position, seat)
    for field in range(tiles.FIELDS):
        good = int(arrays.PLANTATIONS[own, field])
        if good >= 0 and position.built[seat, field] < 0:
            out[GROUND + len(GROUNDS) * field + int(GROUND_OF[good])] = 1
