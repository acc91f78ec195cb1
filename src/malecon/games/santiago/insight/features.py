"""What a learned value looks at in Santiago de Cuba: a seat's prospects as numbers of about the size of 1.

The weights that go with them are in `weights.npz`; after a change of features they must be trained again.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from malecon.games.santiago import arrays, tiles
from malecon.games.santiago.insight.worth import worth
from malecon.games.santiago.position import DELIVER, DRIVE, OVER, ROLL, USE, VISIT
from malecon.games.santiago.position import DEMAND as CHOOSE_DEMAND
from malecon.games.santiago.rules.ships import count_goods
from malecon.kernel.compile import kernel
from malecon.kernel.verbs import Position

# Where each group begins.
TABLE = 0  # ships, flag, players, whose turn, phase
OWN = TABLE + 7 + 3 + 3 + 4 + 6
GOODS = OWN + 11
AGAINST = GOODS + 3 * len(tiles.GOOD_KEYS)
STREET = AGAINST + 7
PIECE = STREET + tiles.STOPS + len(tiles.CUBAN_KEYS)
OWNED = PIECE + tiles.SITES
#: Features that were added later.
PHASE = OWNED + tiles.SITES
DEMAND = PHASE + OVER
NEAR = DEMAND + 2 * tiles.WOOD + 2
TAKEN = NEAR + tiles.SITES
COUNT = TAKEN + tiles.SITES


@kernel
def saleable(position: Position, seat: int) -> int:
    """Return the units a seat holds that the ship asks for, wood not counted."""
    total = 0
    for good in range(len(tiles.DEMANDED)):
        total += min(position.goods[seat, good], position.demand[good])
    return total


@kernel
def describe_table(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    at = TABLE
    out[at + min(int(position.ship), tiles.SHIPS) - 1] = 1
    at += tiles.SHIPS
    out[at + position.value - tiles.LOWEST_VALUE] = 1
    at += 3
    out[at + position.players - tiles.FEWEST_PLAYERS] = 1
    at += 3
    out[at + (seat - position.active + position.players) % position.players] = 1
    at += 4
    phase = int(position.phase)
    out[at] = phase == DRIVE
    out[at + 1] = phase == VISIT
    out[at + 2] = phase == USE
    out[at + 3] = phase == DELIVER
    out[at + 4] = phase in (ROLL, CHOOSE_DEMAND) or position.departed != 0
    out[at + 5] = position.actor == seat


@kernel
def describe_own(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    ships_left = tiles.SHIPS + 1 - int(position.ship)
    pesos = int(position.pesos[seat])
    out[OWN] = position.points[seat] / 20
    out[OWN + 1] = min(pesos, 12) / 6
    out[OWN + 2] = pesos >= 1
    out[OWN + 3] = pesos >= 3
    out[OWN + 4] = pesos >= 5
    out[OWN + 5] = position.markers[seat] / 3
    out[OWN + 6] = position.markers[seat] * ships_left / 21
    units = saleable(position, seat)
    out[OWN + 7] = units / 4
    out[OWN + 8] = units * position.value / 12
    out[OWN + 9] = pesos * ships_left / 20
    out[OWN + 10] = ships_left / 7
    demanded = 0
    for good in range(len(tiles.GOOD_KEYS)):
        held = int(position.goods[seat, good])
        out[GOODS + good] = min(held, 6) / 3
        out[GOODS + 6 + good] = held > 0
        if good < len(tiles.DEMANDED):
            out[GOODS + 12 + good] = min(held, position.demand[good]) / 2
            demanded += position.demand[good]
    out[GOODS + 12 + tiles.WOOD] = min(int(position.goods[seat, tiles.WOOD]), demanded) / 2


@kernel
def describe_against(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Describe the lead over the best of the others, and what they could take from the ship first."""
    ahead, units, goods, pesos = -1000, 0, 0, 0
    demanded = 0
    for good in range(len(tiles.DEMANDED)):
        demanded += position.demand[good]
    for other in range(position.players):
        if other != seat:
            ahead = max(ahead, int(position.points[other]))
            units = max(units, saleable(position, other))
            pesos = max(pesos, int(position.pesos[other]))
            goods = max(goods, count_goods(position, other))
    lead = int(position.points[seat]) - ahead
    out[AGAINST] = max(-20, min(20, lead)) / 10
    ships_left = tiles.SHIPS + 1 - int(position.ship)
    out[AGAINST + 1] = max(-20, min(20, lead)) / (4 + 4 * ships_left)
    out[AGAINST + 2] = units / 4
    out[AGAINST + 3] = goods / 8
    out[AGAINST + 4] = min(pesos, 12) / 6
    out[AGAINST + 5] = demanded / 6
    out[AGAINST + 6] = worth(position, seat) / 20


@kernel
def describe_board(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Describe the way to the port and to every Cuban, the building the piece stands on, the buildings owned."""
    out[STREET + (tiles.STOPS - int(position.car)) % tiles.STOPS] = 1
    for stop in range(1, tiles.STOPS):
        cuban = int(position.cuban_at[stop])
        steps = (stop - int(position.car) + tiles.STOPS - 1) % tiles.STOPS + 1
        out[STREET + tiles.STOPS + cuban] = 0.0 if position.face_down >> cuban & 1 else 1.0 / steps
    if position.piece[seat] >= 0:
        out[PIECE + position.piece[seat]] = 1
    ships_left = tiles.SHIPS + 1 - int(position.ship)
    for building in range(len(tiles.BUILDING_KEYS)):
        if position.owner[building] == seat:
            out[OWNED + building] = ships_left / 4


@kernel
def describe_more(position: Position, seat: int, out: npt.NDArray[np.float32]) -> None:
    """Describe the decision, what the ship asks for and the others could deliver, and how near the buildings are."""
    if position.actor == seat and position.phase < OVER:
        out[PHASE + position.phase] = 1
    for good in range(tiles.WOOD):
        demanded = int(position.demand[good])
        if demanded:
            out[DEMAND + good] = demanded / 3
            units = 0
            for other in range(position.players):
                if other != seat:
                    units += min(int(position.goods[other, good]), demanded)
            out[DEMAND + tiles.WOOD + good] = units / 3
    out[DEMAND + 2 * tiles.WOOD] = position.passed >> seat & 1
    passed = 0
    for other in range(position.players):
        passed += position.passed >> other & 1
    out[DEMAND + 2 * tiles.WOOD + 1] = passed / 3
    for stop in range(1, tiles.STOPS):
        cuban = int(position.cuban_at[stop])
        if cuban >= 0 and not position.face_down >> cuban & 1 and arrays.CUBAN_FLOWER[cuban] >= 0:
            steps = (stop - int(position.car) + tiles.STOPS - 1) % tiles.STOPS + 1
            first = arrays.CUBAN_FLOWER[cuban] * tiles.SITES_PER_FLOWER
            for site in range(first, first + tiles.SITES_PER_FLOWER):
                building = int(position.building_at[site])
                if building >= 0:
                    out[NEAR + building] = max(out[NEAR + building], np.float32(1 / steps))
    for building in range(tiles.SITES):
        if position.owner[building] >= 0 and position.owner[building] != seat:
            out[TAKEN + building] = 1


@kernel
def features(position: Position, seat: int, out: npt.NDArray[np.float32]) -> int:
    describe_table(position, seat, out)
    describe_own(position, seat, out)
    describe_against(position, seat, out)
    describe_board(position, seat, out)
    describe_more(position, seat, out)
    return COUNT
