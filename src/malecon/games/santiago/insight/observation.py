"""What a seat sees of Santiago de Cuba as numbers, for programs that learn. It reads a view: `hide` took secrets out.

Seats are told from the observer's own: `own`, then the others in turn order. Seats that nobody sits in are zeros.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from malecon.games.santiago import tiles
from malecon.games.santiago.position import OVER, PHASES
from malecon.kernel.compile import kernel
from malecon.kernel.pieces import MANY, Pieces
from malecon.kernel.verbs import Position

SEATS = ("own", "next", "second", "third")
STEPS = tuple(str(steps) for steps in range(1, tiles.STOPS + 1))
STREET_THINGS = (*tiles.CUBAN_KEYS, "port")
#: In `street`, behind the Cubans.
PORT_THING = len(tiles.CUBAN_KEYS)

PIECES = Pieces()
PHASE = PIECES.add("phase", "what the game waits for", PHASES[: OVER + 1])
PLAYERS = PIECES.add("players", "how many play", tuple(map(str, range(tiles.FEWEST_PLAYERS, tiles.MOST_PLAYERS + 1))))
ACTIVE = PIECES.add("active", "whose turn it is", SEATS)
ACTOR = PIECES.add("actor", "who decides now; nobody where it is chance or the game is over", SEATS)
STARTER = PIECES.add("starter", "who started", SEATS)
OPEN_SCREENS = PIECES.add("open_screens", "1 where the table plays without screens")
STEP = PIECES.add("step", "tiles placed, or dice rolled, so far", high=tiles.SITES, typical=5)
CAR = PIECES.add("car", "the stop the car stands at", ("port", *map(str, range(1, tiles.STOPS))))
SHIP = PIECES.add("ship", "the ship in the port; the last one: the seventh has left", tuple(map(str, range(1, 9))))
VALUE = PIECES.add(
    "value",
    "the flag: points for a delivered good",
    tuple(map(str, range(tiles.LOWEST_VALUE, tiles.HIGHEST_VALUE + 1))),
)
DEPARTED = PIECES.add("departed", "1 where a ship has left this turn and the next has no demand yet")
LEFT_OUT = PIECES.add("left_out", "the die beside the board", tiles.DEMANDED)
PASSED = PIECES.add("passed", "who is out of this delivery round", SEATS)
STREET = PIECES.add("street", "what the car reaches with so many steps", STEPS, STREET_THINGS)
FACE_DOWN = PIECES.add("face_down", "Cubans who are face down", tiles.CUBAN_KEYS)
SITE = PIECES.add(
    "site", "the building on each site, numbered from 0; -1: none yet", tuple(map(str, range(tiles.SITES))),
    low=-1, high=tiles.SITES - 1, typical=tiles.SITES, values=("none", *tiles.BUILDING_KEYS),
)  # fmt: skip
FLOWER = PIECES.add("flower", "the flower each building lies under", tiles.BUILDING_KEYS, tiles.FLOWER_KEYS)
OWNER = PIECES.add("owner", "who owns each building", tiles.BUILDING_KEYS, SEATS)
STANDS = PIECES.add("stands", "the building each piece stands on", SEATS, tiles.BUILDING_KEYS)
DEMAND = PIECES.add("demand", "units the ship asks for", tiles.DEMANDED, high=tiles.HIGHEST_DEMAND, typical=2)
SUPPLY = PIECES.add("supply", "units in the supply", tiles.GOOD_KEYS, high=tiles.SUPPLY_EACH, typical=4)
MARKERS = PIECES.add("markers", "markers left to seize buildings with", SEATS, high=tiles.START_MARKERS, typical=3)
PESOS = PIECES.add("pesos", "pesos; -1: behind a screen", SEATS, low=-1, high=MANY, typical=6)
POINTS = PIECES.add("points", "points; -1: behind a screen", SEATS, low=-1, high=MANY, typical=20)
GOODS = PIECES.add(
    "goods", "units held; -1: behind a screen", SEATS, tiles.GOOD_KEYS, low=-1, high=tiles.SUPPLY_EACH, typical=3
)
SIZE = PIECES.size


@kernel(inline=True)
def from_seat(seat: int, other: int, players: int) -> int:
    """Return how many places after a seat another one sits."""
    return other - seat if other >= seat else other - seat + players


@kernel(inline=True)
def write(out: npt.NDArray[np.int16], at: int, number: int) -> None:
    """Write a number. An index without a sign spares machine code the question whether it counts from the end."""
    out[np.uintp(at)] = number


@kernel(inline=True)
def mark(out: npt.NDArray[np.int16], first: int, which: int, there: bool) -> None:
    """Write a 1 for one of several, or none, without a branch, which would often be guessed wrongly."""
    write(out, first + (which if there else 0), there)


@kernel(inline=True)
def observe_table(position: Position, seat: int, out: npt.NDArray[np.int16]) -> None:
    players = int(position.players)
    write(out, PHASE + int(position.phase), 1)
    write(out, PLAYERS + players - tiles.FEWEST_PLAYERS, 1)
    mark(out, ACTIVE, from_seat(seat, int(position.active), players), position.active >= 0)
    mark(out, ACTOR, from_seat(seat, int(position.actor), players), position.actor >= 0)
    mark(out, STARTER, from_seat(seat, int(position.starter), players), position.starter >= 0)
    write(out, OPEN_SCREENS, position.open_screens)
    write(out, STEP, position.step)
    write(out, CAR + int(position.car), 1)
    write(out, SHIP + int(position.ship) - 1, 1)
    write(out, VALUE + int(position.value) - tiles.LOWEST_VALUE, 1)
    write(out, DEPARTED, position.departed)
    mark(out, LEFT_OUT, int(position.left_out), position.left_out >= 0)
    for good in range(len(tiles.DEMANDED)):
        write(out, DEMAND + good, position.demand[good])
    for good in range(len(tiles.GOOD_KEYS)):
        write(out, SUPPLY + good, position.supply[good])


@kernel(inline=True)
def observe_street(position: Position, out: npt.NDArray[np.int16]) -> None:
    car = int(position.car)
    at = STREET + (tiles.STOPS - 1 - car) * len(STREET_THINGS)
    write(out, at + PORT_THING, 1)
    for stop in range(1, tiles.STOPS):
        at = at + len(STREET_THINGS) if stop != car + 1 else STREET
        if position.cuban_at[stop] >= 0:
            write(out, at + int(position.cuban_at[stop]), 1)
    face_down = int(position.face_down)
    if face_down:
        for cuban in range(len(tiles.CUBAN_KEYS)):
            write(out, FACE_DOWN + cuban, face_down >> cuban & 1)


@kernel(inline=True)
def observe_buildings(position: Position, seat: int, out: npt.NDArray[np.int16]) -> None:
    players = int(position.players)
    for site in range(tiles.SITES):  # on its own, so that the machine writes them all at once
        write(out, SITE + site, position.building_at[site])
    for site in range(tiles.SITES):
        building = int(position.building_at[site])
        if building >= 0:
            write(out, FLOWER + len(tiles.FLOWER_KEYS) * building + site // tiles.SITES_PER_FLOWER, 1)
    for building in range(len(tiles.BUILDING_KEYS)):
        owner = int(position.owner[building])
        mark(out, OWNER + len(SEATS) * building, from_seat(seat, owner, players), owner >= 0)


@kernel(inline=True)
def observe_seats(position: Position, seat: int, out: npt.NDArray[np.int16]) -> None:
    players = int(position.players)
    other = seat
    for place in range(players):
        write(out, PASSED + place, position.passed >> other & 1)
        if position.piece[other] >= 0:
            write(out, STANDS + tiles.SITES * place + int(position.piece[other]), 1)
        write(out, MARKERS + place, position.markers[other])
        write(out, PESOS + place, position.pesos[other])
        write(out, POINTS + place, position.points[other])
        for good in range(len(tiles.GOOD_KEYS)):
            write(out, GOODS + len(tiles.GOOD_KEYS) * place + good, position.goods[other, good])
        other = other + 1 if other + 1 < players else 0


@kernel
def observe(position: Position, seat: int, out: npt.NDArray[np.int16]) -> None:
    observe_table(position, seat, out)
    observe_street(position, out)
    observe_buildings(position, seat, out)
    observe_seats(position, seat, out)
