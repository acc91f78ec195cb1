"""Santiago de Cuba as it is studied: Cubans, buildings, the layout of the town, and gifts before the game begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from malecon.games.santiago import GAME, events, moves, names, tiles
from malecon.study.counting import Ledger, Numbers, Sheet
from malecon.study.subject import Experiment, Setup, Start, Subject

PLAYERS = 3

#: The moves that use each building, in the order of `tiles.BUILDINGS`.
USES = tuple(
    moves.NOTATION.codes(*(family for family, used in moves.USES.items() if used == building))
    for building in range(len(tiles.BUILDINGS))
)


def _ledger() -> Ledger:
    ledger = Ledger(GAME, len(events.EVENTS))
    ledger.moves("used", USES)
    ledger.events("stops", events.DROVE, tiles.STOPS, thing=1)
    ledger.events("inactive", events.INACTIVE, len(tiles.CUBANS), thing=1)
    ledger.events("seized", events.SEIZED, len(tiles.BUILDINGS), thing=1)
    ledger.events("points", events.POINTS, len(events.SOURCES), thing=1, weighed=True)
    ledger.events("sailed", events.SAILED, 2, thing=1)
    ledger.events("turns", events.TURN, 1)
    return ledger


def _starter(sheet: Sheet) -> Numbers:
    return np.asarray(sheet.ends.starter, np.int64)


def _cubans(sheet: Sheet) -> Numbers:
    """How often each seat stopped at each Cuban who was not face down."""
    stop_of = np.argsort(sheet.ends.cuban_at[:, 1:], axis=1)[:, None, :]  # by Cuban, counted from the first stop
    stops = sheet.part("stops")[:, :-1, 1:]
    found = np.take_along_axis(stops, stop_of, axis=2) - sheet.part("inactive")[:, :-1]
    return found.astype(np.int64)


def _things(sheet: Sheet) -> Mapping[str, Numbers]:
    return {
        "cubans": _cubans(sheet),
        "used": sheet.part("used")[:, :-1].astype(np.int64),
        "seized": sheet.part("seized")[:, :-1].astype(np.int64),
    }


def _setups(sheet: Sheet) -> Mapping[str, Setup]:
    """Who stands at the first stop behind the port, and under which flower each building lies with its uses."""
    first = sheet.ends.cuban_at[:, 1:2].astype(np.int64)
    flower = np.argsort(sheet.ends.building_at, axis=1) // tiles.SITES_PER_FLOWER
    cases = flower + len(tiles.FLOWERS) * np.arange(len(tiles.BUILDINGS))
    uses = sheet.part("used").sum(axis=1, dtype=np.int64)
    return {
        "first cuban": Setup(len(tiles.CUBANS), first),
        "flower": Setup(len(tiles.BUILDINGS) * len(tiles.FLOWERS), cases, uses),
    }


def _start() -> Any:
    start = np.zeros(1, GAME.dtype).view(np.recarray)
    start[0] = GAME.new_position(PLAYERS)
    return start


def _experiments() -> Sequence[Experiment]:
    """Seats are alike, since chance says who starts: the first gets the gift."""
    return [*_gifts_of_buildings(), *_gifts_of_cubans()]


def _gifts_of_buildings() -> Iterator[Experiment]:
    for building in range(len(tiles.BUILDINGS)):
        start = _start()
        start[0].owner[building] = 0
        start[0].markers[0] -= 1
        yield Experiment("seized", building, (Start(start, 0),))


def _gifts_of_cubans() -> Iterator[Experiment]:
    """What a Cuban hands over at once; not those where somebody chooses."""
    for cuban in range(len(tiles.CUBANS)):
        start = _start()
        start[0].pesos[0] += tiles.CUBAN_PESOS[cuban]
        start[0].points[0] += tiles.CUBAN_POINTS[cuban]
        if tiles.CUBAN_GOODS[cuban]:
            good = tiles.CUBAN_GOOD[cuban]
            start[0].goods[0, good] += tiles.CUBAN_GOODS[cuban]
            start[0].supply[good] -= tiles.CUBAN_GOODS[cuban]
        if start[0] != _start()[0]:
            yield Experiment("cubans", cuban, (Start(start, 0),))


SUBJECT = Subject(
    game=GAME,
    ledger=_ledger(),
    experiment_players=PLAYERS,
    costs={"random": 1, "turista": 1_000, "aprendiz": 2, "comerciante": 4_000, "capitan": 4_000, "experiment": 20},
    names={
        "cubans": [names.cuban(i) for i in range(len(tiles.CUBANS))],
        "used": [names.building(i) for i in range(len(tiles.BUILDINGS))],
        "seized": [names.building(i) for i in range(len(tiles.BUILDINGS))],
        "first cuban": [names.cuban(i) for i in range(len(tiles.CUBANS))],
    },
    starter=_starter,
    things=_things,
    setups=_setups,
    experiments=_experiments,
)
