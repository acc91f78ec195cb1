"""Cuba as it is studied: buildings, laws, ships and berths, plantations, and gifts before the game begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from malecon.games.cuba import GAME, events, moves, names, tiles
from malecon.study.counting import Ledger, Numbers, Sheet
from malecon.study.subject import Experiment, Setup, Start, Subject

PLAYERS = 4
LAWS = len(tiles.GROUPS) * tiles.LAWS_EACH


def _ledger() -> Ledger:
    ledger = Ledger(GAME, len(events.EVENTS))
    ledger.events("started", events.ROUND, tiles.ROUNDS, amount=1, lowest=1)
    ledger.events("built", events.BUILT, len(tiles.BUILDINGS), thing=1)
    ledger.events("used", events.USED, len(tiles.BUILDINGS) + 1, thing=1)
    ledger.events("points", events.POINTS, len(events.SOURCES), thing=1, weighed=True)
    ledger.events("loaded", events.LOADED, tiles.BERTHS, amount=1, lowest=1)
    ledger.events("sailed", events.SAILED, 2, other=1)
    ledger.events("kept", events.VOTES, len(tiles.CHARACTERS), thing=1)
    ledger.events("won", events.WON, 1)
    ledger.events("proposed", events.PROPOSED, LAWS, thing=tiles.LAWS_EACH, other=1)
    ledger.events("vetoed", events.VETOED, LAWS, thing=tiles.LAWS_EACH, other=1)
    ledger.events("enacted", events.ENACTED, LAWS, thing=tiles.LAWS_EACH, other=1)
    return ledger


def _starter(sheet: Sheet) -> Numbers:
    """Who was starting player in the first round; the card goes round after that."""
    return np.asarray(np.argmax(sheet.part("started")[:, :-1, 0], axis=1), np.int64)


def _things(sheet: Sheet) -> Mapping[str, Numbers]:
    return {
        "built": sheet.part("built")[:, :-1].astype(np.int64),
        "loaded": sheet.part("loaded")[:, :-1].astype(np.int64),
        "kept": sheet.part("kept")[:, :-1].astype(np.int64),
    }


def _setups(sheet: Sheet) -> Mapping[str, Setup]:
    """The first ship drawn lies at berth 2 in the first round."""
    return {"first ship": Setup(tiles.SHIPS, moves.PARTS[sheet.first_moves, :1].astype(np.int64))}


def _start() -> Any:
    start = np.zeros(1, GAME.dtype).view(np.recarray)
    start[0] = GAME.new_position(PLAYERS)
    return start


def _experiments() -> Sequence[Experiment]:
    return [*_gifts_of_buildings(), *_gifts_of_goods(), *_laws_from_the_start()]


def _gifts_of_buildings() -> Iterator[Experiment]:
    """On every free field of every plantation."""
    usual = _start()
    for building in range(len(tiles.BUILDINGS)):
        starts = []
        for field in range(tiles.FIELDS):
            for seat in range(PLAYERS):
                if usual[0].built[seat, field] == tiles.NO_BUILDING:
                    start = usual.copy()
                    start[0].built[seat, field] = building
                    start[0].buildings_left[building] -= 1
                    starts.append(Start(start, seat))
        yield Experiment("built", building, tuple(starts))


def _gifts_of_goods() -> Iterator[Experiment]:
    for good in range(len(tiles.GOODS)):
        starts = []
        for seat in range(PLAYERS):
            start = _start()
            start[0].yard[seat, good] += 1
            start[0].supply[good] -= 1
            starts.append(Start(start, seat))
        yield Experiment("goods", good, tuple(starts))


def _laws_from_the_start() -> Iterator[Experiment]:
    """In force from the first round until another of its group is enacted."""
    for law in range(LAWS):
        start = _start()
        start[0].law[law // tiles.LAWS_EACH] = law % tiles.LAWS_EACH
        yield Experiment("laws", law, (Start(start),))


SUBJECT = Subject(
    game=GAME,
    ledger=_ledger(),
    experiment_players=PLAYERS,
    costs={"random": 1, "turista": 4_000, "aprendiz": 25, "comerciante": 10_000, "capitan": 10_000, "experiment": 300},
    names={
        "built": [names.building(i) for i in range(len(tiles.BUILDINGS))],
        "loaded": [names.place(berth) for berth in range(1, tiles.BERTHS + 1)],
        "kept": [names.character(i) for i in range(len(tiles.CHARACTERS))],
        "goods": [names.good(i) for i in range(len(tiles.GOODS))],
        "laws": [names.law(i // tiles.LAWS_EACH, i % tiles.LAWS_EACH) for i in range(LAWS)],
        "first ship": [names.spaces(i) for i in range(tiles.SHIPS)],
    },
    starter=_starter,
    things=_things,
    setups=_setups,
    experiments=_experiments,
)
