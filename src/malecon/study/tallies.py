"""Games added up: whole numbers only, so that sums are the same in whatever order they are made.

A tally is a dictionary of arrays; two of the same kind of games are added key by key.
"""

from __future__ import annotations

import numpy as np

from malecon.study.counting import Numbers, Sheet
from malecon.study.subject import Subject

Tally = dict[str, Numbers]

#: A win is so many parts, since up to five may share it.
WIN = 60
#: Points and decisions beyond these count as these in the spreads, not in the means.
MOST_POINTS, MOST_DECISIONS = 300, 4_000
#: In the last axis of the table of a thing: of those who had it the seats, wins, margins and their squares.
HAD, WINS, MARGINS, SQUARES = range(4)
#: In the table of a setup: games, the starter's wins, points of the whole table and their squares, the number beside.
GAMES, STARTERS_WINS, POINTS, POINTS_SQUARES, BESIDE, BESIDE_SQUARES = range(6)


def wins_of(standings: Numbers) -> Numbers:
    """The parts of the win that each seat has: game, seat."""
    best = standings == standings.max(axis=1, keepdims=True)
    return np.asarray(best * (WIN // best.sum(axis=1, keepdims=True)), np.int64)


def margins_of(points: Numbers) -> Numbers:
    """How far each seat is ahead of the mean of the others, times their number, so that it is whole."""
    return np.asarray(points.shape[1] * points - points.sum(axis=1, keepdims=True), np.int64)


def tally(sheet: Sheet, subject: Subject) -> Tally:
    """Everything that is known of these games afterwards."""
    points, decisions = sheet.points, sheet.decisions
    players = points.shape[1]
    wins, margins, total = wins_of(sheet.standings), margins_of(points), points.sum(axis=1)
    turn_order = (subject.starter(sheet)[:, None] + np.arange(players)) % players

    def ordered(array: Numbers) -> Numbers:
        return np.take_along_axis(array, turn_order.reshape(turn_order.shape + (1,) * (array.ndim - 2)), axis=1)

    found = {
        "games": np.array([len(points)]),
        "wins by order": ordered(wins).sum(axis=0),
        "margins by order": _moments(ordered(margins)),
        "wins by seat": wins.sum(axis=0),
        "margins by seat": _moments(margins),
        "points by order": _moments(ordered(points)),
        "table": _moments(total[:, None])[:, 0],
        "best": _moments(points.max(axis=1)[:, None])[:, 0],
        "last": _moments(points.min(axis=1)[:, None])[:, 0],
        "decisions": _moments(decisions[:, None])[:, 0],
        "spread of points": _spread(points, MOST_POINTS),
        "spread of best": _spread(points.max(axis=1), MOST_POINTS),
        "spread of last": _spread(points.min(axis=1), MOST_POINTS),
        "spread of decisions": _spread(decisions, MOST_DECISIONS),
        "facts": _moments(sheet.facts.sum(axis=1, dtype=np.int64)),
        "facts of seats": _moments(sheet.facts[:, :-1].sum(axis=1, dtype=np.int64)),
    }
    weights = np.stack([np.ones_like(wins), wins, margins, margins**2], axis=-1)
    for kind, things in subject.things(sheet).items():
        found[kind] = _things(ordered(things), ordered(weights))
        winners = (things * wins[:, :, None]).sum(axis=1)
        found[f"times of {kind}"] = _moments(things.sum(axis=1))
        found[f"winners' times of {kind}"] = _moments(winners)
        found[f"others' times of {kind}"] = _moments(WIN * things.sum(axis=1) - winners)
    starters_wins = ordered(wins)[:, 0]
    for kind, setup in subject.setups(sheet).items():
        beside = np.zeros_like(setup.cases) if setup.beside is None else setup.beside
        columns = [np.ones_like(total), starters_wins, total, total**2]
        wide = [np.broadcast_to(column[:, None], setup.cases.shape) for column in columns]
        found[kind] = np.stack(
            [_by_case(setup.cases, numbers, setup.size) for numbers in (*wide, beside, beside**2)], axis=-1
        )
    return found


def add(tallies: list[Tally]) -> Tally:
    return {key: np.sum([tally[key] for tally in tallies], axis=0) for key in tallies[0]}


def _moments(array: Numbers) -> Numbers:
    """Sums and sums of squares over the games."""
    return np.stack([array.sum(axis=0), (array.astype(np.int64) ** 2).sum(axis=0)])


def _spread(array: Numbers, most: int) -> Numbers:
    return np.bincount(np.clip(array.ravel(), 0, most), minlength=most + 1)


def _by_case(cases: Numbers, numbers: Numbers, size: int) -> Numbers:
    found: Numbers = np.rint(np.bincount(cases.ravel(), numbers.ravel(), size)).astype(np.int64)
    return found


def _things(things: Numbers, weights: Numbers) -> Numbers:
    """Order, thing, and what stands in the last axis. In floats, which are exact here: all numbers are small."""
    had = (things > 0).transpose(1, 2, 0).astype(np.float64)
    return np.asarray(np.rint(had @ weights.transpose(1, 0, 2).astype(np.float64)), np.int64)
