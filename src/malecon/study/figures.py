"""Numbers with intervals, read from tallies: Wilson's for shares, the normal one for means, both for 95 %.

A game counts once, however many sit at the table: what its seats do is not independent. For a share of
seats this makes the interval wider than it needs to be, never narrower.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from malecon.arena.results import CONFIDENCE, wilson
from malecon.kernel.game import Game
from malecon.kernel.journal import Event
from malecon.study import tallies
from malecon.study.counting import Ledger, Numbers
from malecon.study.playing import Cell, Trial

WIDTH = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
PERCENTILES = (5, 25, 50, 75, 95)
#: With fewer cases than this the normal interval says nothing.
FEWEST = 10


@dataclass(frozen=True)
class Figure:
    """An estimate and the interval around it; `low` and `high` are nan where there are too few games for one."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> Figure:
        return Figure(self.value * factor, self.low * factor, self.high * factor)


def share(parts: float, whole: float, games: int) -> Figure:
    """A share with Wilson's interval for so many games."""
    value = parts / whole if whole else math.nan
    return Figure(value, *wilson(value * games, games)) if whole and games else Figure(value, math.nan, math.nan)


def around(value: float, variance: float, cases: float) -> Figure:
    """An estimate with the normal interval for its variance."""
    if cases < FEWEST:
        return Figure(value, math.nan, math.nan)
    half = WIDTH * math.sqrt(max(0.0, variance))
    return Figure(value, value - half, value + half)


def mean(moments: Sequence[float] | Numbers, cases: float, scale: float = 1.0) -> Figure:
    """The mean of something whose sum and sum of squares are known."""
    value, variance = _mean_and_variance(float(moments[0]), float(moments[1]), cases)
    return around(value, variance, cases).scaled(scale)


def _mean_and_variance(total: float, squares: float, cases: float) -> tuple[float, float]:
    """The mean, and the variance of the mean."""
    if cases < 2:
        return (total / cases if cases else math.nan), math.nan
    value = total / cases
    return value, max(0.0, (squares - cases * value * value) / (cases - 1) / cases)


# --- who wins, what they score, how long it takes


def wins_by_order(cell: Cell) -> list[Figure]:
    """The share of wins by turn order, the starter first."""
    return [share(parts / tallies.WIN, cell.games, cell.games) for parts in cell.tally["wins by order"]]


def wins_by_seat(cell: Cell) -> list[Figure]:
    return [share(parts / tallies.WIN, cell.games, cell.games) for parts in cell.tally["wins by seat"]]


def points_by_order(cell: Cell) -> list[Figure]:
    return [mean(moments, cell.games) for moments in cell.tally["points by order"].T]


def mean_of(cell: Cell, key: str) -> Figure:
    """The mean of `best`, `last` or `decisions` over the games."""
    return mean(cell.tally[key], cell.games)


def mean_points(cell: Cell) -> Figure:
    """Points of a player."""
    return mean(cell.tally["table"], cell.games, 1 / cell.players)


def percentiles(spread: Numbers) -> list[int]:
    """The 5th, 25th, 50th, 75th and 95th."""
    reached = np.cumsum(spread)
    return [int(np.searchsorted(reached, reached[-1] * percent / 100)) for percent in PERCENTILES]


def fact(cell: Cell, ledger: Ledger, part: str, number: int, *, a_player: bool = True) -> Figure:
    """How often something happened, to a player or in a game."""
    moments = cell.tally["facts of seats" if a_player else "facts"][:, ledger.parts[part]][:, number]
    return mean(moments, cell.games, 1 / cell.players if a_player else 1.0)


def fact_sum(cell: Cell, ledger: Ledger, part: str) -> Numbers:
    """How often each thing of a part happened in all games."""
    return np.asarray(cell.tally["facts"][0, ledger.parts[part]], np.int64)


def points_by_source(cell: Cell, ledger: Ledger, game: Game, kind: int) -> dict[str, Figure]:
    """A player's points by where they count in the breakdown; `kind` is that of the event that gives points."""
    moments = cell.tally["facts of seats"][:, ledger.parts["points"]]
    found: dict[str, list[int]] = {}
    for number in np.flatnonzero(moments[1]).tolist():
        found.setdefault(str(game.points_source(Event(kind, 0, 0, number))), []).append(number)
    figures = {}
    for source in game.sources:
        numbers = found.get(source, [])
        parts = [_mean_and_variance(float(moments[0, n]), float(moments[1, n]), cell.games) for n in numbers]
        # deviations add up at most: parts of one source may rise and fall together
        deviation = sum(math.sqrt(variance) for _, variance in parts)
        value = sum(value for value, _ in parts)
        figures[source] = around(value, deviation**2, cell.games).scaled(1 / cell.players)
    return figures


# --- what goes with winning


def had_share(cell: Cell, kind: str) -> list[Figure]:
    """The share of players who had each thing at least once."""
    had = cell.tally[kind][:, :, tallies.HAD].sum(axis=0)
    return [share(float(n), cell.games * cell.players, cell.games) for n in had]


def had_by_winners(cell: Cell, kind: str) -> list[Figure]:
    wins = cell.tally[kind][:, :, tallies.WINS].sum(axis=0) / tallies.WIN
    return [share(float(n), cell.games, cell.games) for n in wins]


def had_by_others(cell: Cell, kind: str) -> list[Figure]:
    table = cell.tally[kind].sum(axis=0)
    others = table[:, tallies.HAD] - table[:, tallies.WINS] / tallies.WIN
    return [share(float(n), cell.games * (cell.players - 1), cell.games) for n in others]


def times(cell: Cell, kind: str, whose: str = "") -> list[Figure]:
    """How often a player had each thing in a game; with `winners'` or `others'`, only those."""
    moments = cell.tally[f"{whose} times of {kind}".lstrip()]
    of_seats = {"": cell.players, "winners'": tallies.WIN, "others'": tallies.WIN * (cell.players - 1)}[whose]
    return [mean(pair, cell.games, 1 / of_seats) for pair in moments.T]


def ahead_with(cell: Cell, kind: str) -> list[Figure]:
    """How much further ahead of their table those with a thing are than those without, both in the same place in turn
    order. It goes together; that one makes the other is not said.
    """
    table = cell.tally[kind].astype(float)
    margins = cell.tally["margins by order"].astype(float)
    found = []
    for thing in range(table.shape[1]):
        value = variance = weight = 0.0
        for order in range(cell.players):
            had, total, squares = table[order, thing, [tallies.HAD, tallies.MARGINS, tallies.SQUARES]]
            missed = cell.games - had
            if min(had, missed) < 2:
                continue
            with_it = _mean_and_variance(total, squares, had)
            without = _mean_and_variance(margins[0, order] - total, margins[1, order] - squares, missed)
            value += had * (with_it[0] - without[0])
            variance += had * had * (with_it[1] + without[1])
            weight += had
        if not weight:
            found.append(Figure(math.nan, math.nan, math.nan))
            continue
        found.append(around(value / weight, variance / weight**2, weight).scaled(1 / (cell.players - 1)))
    return found


# --- experiments


def ahead_by_gift(trial: Trial, usual: Cell) -> Figure:
    """How much further ahead of the others a gift puts a seat than the same seat is without it."""
    return _gain(trial, usual, lambda tally, seat: _margin(tally, seat, usual.players))


def wins_by_gift(trial: Trial, usual: Cell) -> Figure:
    """By how much a gift raises the share of wins."""
    return _gain(trial, usual, _win)


def _margin(tally: tallies.Tally, seat: int, players: int) -> tuple[float, float]:
    total, squares = tally["margins by seat"][:, seat]
    value, variance = _mean_and_variance(float(total), float(squares), int(tally["games"][0]))
    return value / (players - 1), variance / (players - 1) ** 2


def _win(tally: tallies.Tally, seat: int) -> tuple[float, float]:
    games = int(tally["games"][0])
    value = float(tally["wins by seat"][seat]) / tallies.WIN / games
    return value, value * (1 - value) / games


def _gain(trial: Trial, usual: Cell, measure: object) -> Figure:
    assert callable(measure)
    value = variance = 0.0
    for seat, tally in trial.tallies.items():
        with_it, without = measure(tally, seat), measure(usual.tally, seat)
        weight = int(tally["games"][0]) / trial.games
        value += weight * (with_it[0] - without[0])
        variance += weight * weight * (with_it[1] + without[1])
    return around(value, variance, trial.games)


def points_by_change(trial: Trial, usual: Cell) -> Figure:
    """By how much a change that favours nobody raises the points of a player."""
    tally = trial.tallies[None]
    with_it = _mean_and_variance(float(tally["table"][0]), float(tally["table"][1]), trial.games)
    without = _mean_and_variance(float(usual.tally["table"][0]), float(usual.tally["table"][1]), usual.games)
    return around(with_it[0] - without[0], with_it[1] + without[1], trial.games).scaled(1 / usual.players)


def starters_wins(cell: Cell, kind: str) -> list[Figure]:
    """The starter's share of wins in each case of a setup."""
    rows = cell.tally[kind]
    return [
        share(float(row[tallies.STARTERS_WINS]) / tallies.WIN, float(row[tallies.GAMES]), int(row[tallies.GAMES]))
        for row in rows
    ]


def points_in_setup(cell: Cell, kind: str) -> list[Figure]:
    """A player's points in each case of a setup."""
    rows = cell.tally[kind]
    moments = rows[:, [tallies.POINTS, tallies.POINTS_SQUARES]]
    return [mean(m, int(row[tallies.GAMES]), 1 / cell.players) for m, row in zip(moments, rows, strict=True)]


def beside_in_setup(cell: Cell, kind: str) -> list[Figure]:
    """The number beside each case of a setup, for a player."""
    rows = cell.tally[kind]
    moments = rows[:, [tallies.BESIDE, tallies.BESIDE_SQUARES]]
    return [mean(m, int(row[tallies.GAMES]), 1 / cell.players) for m, row in zip(moments, rows, strict=True)]
