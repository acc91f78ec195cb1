"""Sums over many games, in integers only, so that their order does not matter.

A tally is a dictionary of arrays; tallies of the same kind of games are added key by key.
"""

from __future__ import annotations

import numpy as np

from malecon.study.counting import CountedGames, Numbers
from malecon.study.design import StudyDesign

Tally = dict[str, Numbers]

#: A win in parts that up to five winners can share evenly.
WIN = 60
#: Points beyond these count as these in the spreads, not in the means.
MOST_POINTS = 300
#: Decisions beyond these count as these in the spreads, not in the means.
MOST_DECISIONS = 4_000
#: Columns in the table of a thing: the seats that had it, their wins, margins and squared margins.
HAD, WINS, MARGINS, SQUARES = range(4)
#: Columns in the table of a setup: games, the starter's wins, points of all seats, the setup's numbers; with squares.
GAMES, STARTERS_WINS, POINTS, POINTS_SQUARES, NUMBERS, NUMBERS_SQUARES = range(6)


def wins_of(standings: Numbers) -> Numbers:
    """Return the parts of the win that each seat has: game, seat."""
    best = standings == standings.max(axis=1, keepdims=True)
    return np.asarray(best * (WIN // best.sum(axis=1, keepdims=True)), np.int64)


def margins_of(points: Numbers) -> Numbers:
    """Return how far each seat is ahead of the mean of the others, times their number, so that it is an integer."""
    return np.asarray(points.shape[1] * points - points.sum(axis=1, keepdims=True), np.int64)


def tally(counted: CountedGames, design: StudyDesign) -> Tally:
    """Return all sums over these games."""
    points, decisions = counted.points, counted.decisions
    players = points.shape[1]
    wins, margins, total = wins_of(counted.standings), margins_of(points), points.sum(axis=1)
    turn_order = (design.starter(counted)[:, None] + np.arange(players)) % players

    def ordered(array: Numbers) -> Numbers:
        return np.take_along_axis(array, turn_order.reshape(turn_order.shape + (1,) * (array.ndim - 2)), axis=1)

    sums = {
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
        "facts": _moments(counted.facts.sum(axis=1, dtype=np.int64)),
        "facts of seats": _moments(counted.facts[:, :-1].sum(axis=1, dtype=np.int64)),
    }
    weights = np.stack([np.ones_like(wins), wins, margins, margins**2], axis=-1)
    for kind, things in design.things(counted).items():
        sums[kind] = _things(ordered(things), ordered(weights))
        winners = (things * wins[:, :, None]).sum(axis=1)
        sums[f"times of {kind}"] = _moments(things.sum(axis=1))
        sums[f"winners' times of {kind}"] = _moments(winners)
        sums[f"others' times of {kind}"] = _moments(WIN * things.sum(axis=1) - winners)
    starters_wins = ordered(wins)[:, 0]
    for kind, setup in design.setups(counted).items():
        numbers = np.zeros_like(setup.cases) if setup.numbers is None else setup.numbers
        columns = [np.ones_like(total), starters_wins, total, total**2]
        wide = [np.broadcast_to(column[:, None], setup.cases.shape) for column in columns]
        sums[kind] = np.stack(
            [_by_case(setup.cases, column, setup.size) for column in (*wide, numbers, numbers**2)], axis=-1
        )
    return sums


def add(tallies: list[Tally]) -> Tally:
    """Return the sum of several tallies."""
    return {key: np.sum([tally[key] for tally in tallies], axis=0) for key in tallies[0]}


def _moments(array: Numbers) -> Numbers:
    """Return sums and sums of squares over the games."""
    return np.stack([array.sum(axis=0), (array.astype(np.int64) ** 2).sum(axis=0)])


def _spread(array: Numbers, most: int) -> Numbers:
    return np.bincount(np.clip(array.ravel(), 0, most), minlength=most + 1)


def _by_case(cases: Numbers, numbers: Numbers, size: int) -> Numbers:
    return np.asarray(np.rint(np.bincount(cases.ravel(), numbers.ravel(), size)), np.int64)


def _things(things: Numbers, weights: Numbers) -> Numbers:
    """Return the table of things: place in turn order, thing, column. Floats are exact here: all numbers are small."""
    had = (things > 0).transpose(1, 2, 0).astype(np.float64)
    return np.asarray(np.rint(had @ weights.transpose(1, 0, 2).astype(np.float64)), np.int64)
