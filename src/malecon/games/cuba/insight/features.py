"""What a learned value looks at in Cuba: a seat's prospects as numbers of about the size of 1.

The weights that go with them are in `weights.npz`; after a change of features they must be trained again.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from malecon.games.cuba import arrays, tiles
from malecon.games.cuba.insight.worth import worth
from malecon.games.cuba.position import BID, ENACT, OVER, PAY_DUTY, PAY_TAX, plantation
from malecon.games.cuba.rules.harbour import most_loadable, spaces_left
from malecon.games.cuba.rules.laws import can_pay_duty, count_buildings, subsidy, tax_due
from malecon.kernel.compile import kernel
from malecon.kernel.verbs import Position

# Where each group begins.
TABLE = 0  # round, cards played, phase, players, place in turn order, whose turn
OWN = TABLE + tiles.ROUNDS + 1 + 3 + 4 + 5 + 2
GOODS = OWN + 7
HAND = GOODS + 2 * len(tiles.GOOD_KEYS) + len(tiles.CROPS)
BUILT = HAND + len(tiles.CHARACTER_KEYS)
LAW = BUILT + 2 * len(tiles.BUILDING_KEYS)
MARKET = LAW + len(tiles.GROUP_KEYS) * tiles.LAWS_EACH + 3
AGAINST = MARKET + len(tiles.TRADE_GOODS) + tiles.BERTHS
#: Features that were added later.
MORE = AGAINST + 5
PHASE = MORE + 3
FIELDS = PHASE + OVER
HARBOUR = FIELDS + 12
PROPOSED = HARBOUR + tiles.BERTHS * len(tiles.TRADE_GOODS)
ROUND = PROPOSED + len(tiles.GROUP_KEYS) * tiles.LAWS_EACH
COUNT = ROUND + 14


@kernel
def rounds_left(position: Position) -> int:
    """Return how many rounds are left, counting this one."""
    return tiles.ROUNDS + 1 - max(1, int(position.round_number))


@kernel
def describe_table(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    at = TABLE
    out[at + tiles.ROUNDS - rounds_left(position)] = 1
    at += tiles.ROUNDS
    phase = int(position.phase)
    in_parliament = BID <= phase <= ENACT
    after_it = PAY_TAX <= phase <= PAY_DUTY
    out[at] = 0.0 if in_parliament or after_it else position.step / (tiles.CARDS_PLAYED * position.players)
    out[at + 1] = in_parliament
    out[at + 2] = after_it
    out[at + 3] = phase == OVER
    at += 4
    out[at + position.players - tiles.FEWEST_PLAYERS] = 1
    at += 4
    out[at + (seat - max(0, int(position.starter)) + position.players) % position.players] = 1
    at += 5
    out[at] = position.actor == seat
    out[at + 1] = position.active == seat


@kernel
def describe_own(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    left = rounds_left(position)
    pesos = int(position.pesos[seat])
    out[OWN] = position.points[seat] / 30
    out[OWN + 1] = min(pesos, 20) / 10
    out[OWN + 2] = min(pesos, 5) / 5
    out[OWN + 3] = min(pesos, 20) * left / 60
    out[OWN + 4] = worth(position, seat) / 30
    out[OWN + 5] = count_buildings(position, seat) / 4
    out[OWN + 6] = left / tiles.ROUNDS
    for good in range(len(tiles.GOOD_KEYS)):
        held = int(position.yard[seat, good])
        out[GOODS + good] = min(held, 6) / 3
        out[GOODS + len(tiles.GOOD_KEYS) + good] = held > 0
    for crop in range(len(tiles.CROPS)):
        out[GOODS + 2 * len(tiles.GOOD_KEYS) + crop] = min(int(position.stored[seat, crop]), 6) / 3
    for character in range(len(tiles.CHARACTER_KEYS)):
        out[HAND + character] = not position.played[seat] >> character & 1
    for field in range(tiles.FIELDS):
        building = int(position.built[seat, field])
        if 0 <= building < len(tiles.BUILDING_KEYS):
            out[BUILT + building] = 1
            out[BUILT + len(tiles.BUILDING_KEYS) + building] = left / tiles.ROUNDS


@kernel
def describe_board(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Describe the laws in force and what they mean to the seat, prices, and what the seat could ship from where."""
    at = LAW
    for group in range(len(tiles.GROUP_KEYS)):
        law = int(position.law[group])
        if law >= 0:
            out[at + law] = 1
        at += tiles.LAWS_EACH
    out[at] = tax_due(position, seat) / 4
    out[at + 1] = can_pay_duty(position, seat)
    out[at + 2] = subsidy(position, seat) / 4
    for good in range(len(tiles.TRADE_GOODS)):
        out[MARKET + good] = position.market[good] / 5
    for berth in range(1, tiles.BERTHS + 1):
        units = 0
        for good in range(len(tiles.TRADE_GOODS)):
            units += most_loadable(position, seat, berth, good)
        out[MARKET + len(tiles.TRADE_GOODS) + berth - 1] = units * berth / 8


@kernel
def describe_against(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Describe the seat beside the best of the others."""
    best, pesos, buildings = -1000, 0, 0
    for other in range(position.players):
        if other != seat:
            best = max(best, int(position.points[other]))
            pesos = max(pesos, int(position.pesos[other]))
            buildings = max(buildings, count_buildings(position, other))
    lead = max(-20, min(20, int(position.points[seat]) - best))
    out[AGAINST] = lead / 10
    out[AGAINST + 1] = lead / (2 + 3 * rounds_left(position))
    out[AGAINST + 2] = min(pesos, 20) / 10
    out[AGAINST + 3] = buildings / 4
    out[AGAINST + 4] = (position.votes[seat] + max(0, int(position.bid[seat]))) / 5


@kernel
def describe_fields(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Describe the fields without a building, by what they yield: those the figure activates, and all."""
    plan = plantation(position, seat)
    cross = int(arrays.CROSS[position.figure[seat]])
    for field in range(tiles.FIELDS):
        good = int(arrays.PLANTATIONS[plan, field])
        if good >= 0 and position.built[seat, field] < 0:
            at = FIELDS + (good if good < tiles.RUM else good - len(tiles.WARES))
            out[at] += (cross >> field & 1) / 2
            out[at + 6] += 1 / 3


@kernel
def describe_more(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Describe the options, the decision to be made, the harbour, the laws proposed, and what is left of the round."""
    out[MORE] = position.common
    out[MORE + 1] = position.with_envoys
    out[MORE + 2] = position.count_warehouse
    if position.actor == seat and position.phase < OVER:
        out[PHASE + int(position.phase)] = 1
    at = HARBOUR
    for berth in range(1, tiles.BERTHS + 1):
        for good in range(len(tiles.TRADE_GOODS)):
            out[at] = spaces_left(position, berth, good) / 2
            at += 1
    for group in range(len(tiles.GROUP_KEYS)):
        if position.proposal[group] >= 0:
            out[PROPOSED + group * tiles.LAWS_EACH + int(position.proposal[group])] = 1
    votes = 0
    for other in range(position.players):
        if other != seat:
            votes = max(votes, int(position.votes[other]))
    out[ROUND] = position.votes[seat] / 5
    out[ROUND + 1] = votes / 5
    out[ROUND + 2] = position.bidders >> seat & 1
    out[ROUND + 3] = position.tax_paid >> seat & 1
    out[ROUND + 4] = position.material_picked
    out[ROUND + 5] = position.crop_picked
    out[ROUND + 6] = position.not_built / 2
    out[ROUND + 7] = position.not_shipped / 2
    out[ROUND + 8] = position.town_hall == seat
    if position.active == seat:
        out[ROUND + 9] = position.picks / 2
        out[ROUND + 10] = position.berth / 3
        for crop in range(len(tiles.CROPS)):
            out[ROUND + 11 + crop] = position.ripe[crop] / 2


@kernel
def features(position: Position, seat: int, out: npt.NDArray[np.float32]) -> int:
    describe_table(position, seat, out)
    describe_own(position, seat, out)
    describe_board(position, seat, out)
    describe_against(position, seat, out)
    describe_fields(position, seat, out)
    describe_more(position, seat, out)
    return COUNT
