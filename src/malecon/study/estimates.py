"""Estimates with 95 % intervals, computed from tallies: Wilson's for shares, the normal one for means.

A game counts once, whatever its number of players: what its seats do is not independent. For a share of
seats this makes the interval wider than it needs to be, never narrower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from malecon.kernel.game import Game
from malecon.kernel.journal import Event
from malecon.simulation.intervals import CONFIDENCE, wilson
from malecon.study import tallies
from malecon.study.counting import FactSchema, Numbers
from malecon.study.playing import GameSample, Trial

WIDTH = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
PERCENTILES = (5, 25, 50, 75, 95)
#: With fewer cases there is no normal interval.
FEWEST = 10


@dataclass(frozen=True)
class Estimate:
    """An estimate and the interval around it; `low` and `high` are nan if there are too few games for one."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> Estimate:
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


def share(parts: float, whole: float, games: int) -> Estimate:
    """Return a share with Wilson's interval for that number of games."""
    value = parts / whole if whole else math.nan
    return Estimate(value, *wilson(value * games, games)) if whole and games else Estimate(value, math.nan, math.nan)


def around(value: float, variance: float, cases: float) -> Estimate:
    """Return an estimate with the normal interval for its variance."""
    if cases < FEWEST:
        return Estimate(value, math.nan, math.nan)
    half = WIDTH * math.sqrt(max(0.0, variance))
    return Estimate(value, value - half, value + half)


def mean(moments: Sequence[float] | Numbers, cases: float, scale: float = 1.0) -> Estimate:
    """Return the mean of something by its sum and sum of squares."""
    value, variance = _mean_and_variance(float(moments[0]), float(moments[1]), cases)
    return around(value, variance, cases).scaled(scale)


def _mean_and_variance(total: float, squares: float, cases: float) -> tuple[float, float]:
    """Return the mean, and the variance of the mean."""
    if cases < 2:
        return (total / cases if cases else math.nan), math.nan
    value = total / cases
    return value, max(0.0, (squares - cases * value * value) / (cases - 1) / cases)


# --- who wins, what they score, how long it takes


def wins_by_order(sample: GameSample) -> list[Estimate]:
    """Return the share of wins by turn order, the starter first."""
    return [share(parts / tallies.WIN, sample.games, sample.games) for parts in sample.tally["wins by order"]]


def wins_by_seat(sample: GameSample) -> list[Estimate]:
    """Return the share of wins of each seat."""
    return [share(parts / tallies.WIN, sample.games, sample.games) for parts in sample.tally["wins by seat"]]


def points_by_order(sample: GameSample) -> list[Estimate]:
    """Return the mean points by turn order, the starter first."""
    return [mean(moments, sample.games) for moments in sample.tally["points by order"].T]


def mean_of(sample: GameSample, key: str) -> Estimate:
    """Return the mean of `best`, `last` or `decisions` over the games."""
    return mean(sample.tally[key], sample.games)


def mean_points(sample: GameSample) -> Estimate:
    """Return the mean points of a player."""
    return mean(sample.tally["table"], sample.games, 1 / sample.players)


def percentiles(spread: Numbers) -> list[int]:
    """Return the 5th, 25th, 50th, 75th and 95th percentile."""
    reached = np.cumsum(spread)
    return [int(np.searchsorted(reached, reached[-1] * percent / 100)) for percent in PERCENTILES]


def fact(sample: GameSample, schema: FactSchema, group: str, number: int, *, a_player: bool = True) -> Estimate:
    """Return how often something happened, to a player or in a game."""
    moments = sample.tally["facts of seats" if a_player else "facts"][:, schema.columns[group]][:, number]
    return mean(moments, sample.games, 1 / sample.players if a_player else 1.0)


def fact_sum(sample: GameSample, schema: FactSchema, group: str) -> Numbers:
    """Return how often each fact of a group happened in all games."""
    return np.asarray(sample.tally["facts"][0, schema.columns[group]], np.int64)


def points_by_source(sample: GameSample, schema: FactSchema, game: Game, kind: int) -> dict[str, Estimate]:
    """Return a player's points by source; `kind` is that of the event that gives points."""
    moments = sample.tally["facts of seats"][:, schema.columns["points"]]
    facts_by_source: dict[str, list[int]] = {}
    for number in np.flatnonzero(moments[1]).tolist():
        facts_by_source.setdefault(str(game.points_source(Event(kind, 0, 0, number))), []).append(number)
    estimates = {}
    for source in game.sources:
        numbers = facts_by_source.get(source, [])
        parts = [_mean_and_variance(float(moments[0, n]), float(moments[1, n]), sample.games) for n in numbers]
        # An upper bound: the parts of a source may rise and fall together, and then deviations add up.
        deviation = sum(math.sqrt(variance) for _, variance in parts)
        value = sum(value for value, _ in parts)
        estimates[source] = around(value, deviation**2, sample.games).scaled(1 / sample.players)
    return estimates


# --- what goes with winning


def had_share(sample: GameSample, kind: str) -> list[Estimate]:
    """Return the share of players who had each thing at least once."""
    had = sample.tally[kind][:, :, tallies.HAD].sum(axis=0)
    return [share(float(n), sample.games * sample.players, sample.games) for n in had]


def had_by_winners(sample: GameSample, kind: str) -> list[Estimate]:
    """Return the share of winners who had each thing."""
    wins = sample.tally[kind][:, :, tallies.WINS].sum(axis=0) / tallies.WIN
    return [share(float(n), sample.games, sample.games) for n in wins]


def had_by_others(sample: GameSample, kind: str) -> list[Estimate]:
    """Return the share of the others who had each thing."""
    table = sample.tally[kind].sum(axis=0)
    others = table[:, tallies.HAD] - table[:, tallies.WINS] / tallies.WIN
    return [share(float(n), sample.games * (sample.players - 1), sample.games) for n in others]


def times(sample: GameSample, kind: str, whose: str = "") -> list[Estimate]:
    """Return how often a player had each thing in a game; with `winners'` or `others'`, only those."""
    moments = sample.tally[f"{whose} times of {kind}".lstrip()]
    of_seats = {"": sample.players, "winners'": tallies.WIN, "others'": tallies.WIN * (sample.players - 1)}[whose]
    return [mean(pair, sample.games, 1 / of_seats) for pair in moments.T]


def ahead_with(sample: GameSample, kind: str) -> list[Estimate]:
    """Return how much further ahead those with a thing are than those without, in the same place in turn order.

    This is a correlation, not an effect.
    """
    table = sample.tally[kind].astype(float)
    margins = sample.tally["margins by order"].astype(float)
    estimates = []
    for thing in range(table.shape[1]):
        value = variance = weight = 0.0
        for order in range(sample.players):
            had, total, squares = table[order, thing, [tallies.HAD, tallies.MARGINS, tallies.SQUARES]]
            missed = sample.games - had
            if min(had, missed) < 2:
                continue
            with_it = _mean_and_variance(total, squares, had)
            without = _mean_and_variance(margins[0, order] - total, margins[1, order] - squares, missed)
            value += had * (with_it[0] - without[0])
            variance += had * had * (with_it[1] + without[1])
            weight += had
        if not weight:
            estimates.append(Estimate(math.nan, math.nan, math.nan))
            continue
        estimates.append(around(value / weight, variance / weight**2, weight).scaled(1 / (sample.players - 1)))
    return estimates


# --- experiments


def ahead_by_gift(trial: Trial, usual: GameSample) -> Estimate:
    """Return how much further ahead of the others a gift puts a seat."""
    return _gain(trial, usual, lambda tally, seat: _margin(tally, seat, usual.players))


def wins_by_gift(trial: Trial, usual: GameSample) -> Estimate:
    """Return by how much a gift raises the share of wins."""
    return _gain(trial, usual, _win)


def _margin(tally: tallies.Tally, seat: int, players: int) -> tuple[float, float]:
    total, squares = tally["margins by seat"][:, seat]
    value, variance = _mean_and_variance(float(total), float(squares), int(tally["games"][0]))
    return value / (players - 1), variance / (players - 1) ** 2


def _win(tally: tallies.Tally, seat: int) -> tuple[float, float]:
    games = int(tally["games"][0])
    value = float(tally["wins by seat"][seat]) / tallies.WIN / games
    return value, value * (1 - value) / games


def _gain(trial: Trial, usual: GameSample, measure: Callable[[tallies.Tally, int], tuple[float, float]]) -> Estimate:
    """Return what a gift adds to a measure, which has a mean and its variance for each seat."""
    value = variance = 0.0
    for seat, tally in trial.tallies.items():
        assert seat is not None  # a gift favours a seat
        with_it, without = measure(tally, seat), measure(usual.tally, seat)
        weight = int(tally["games"][0]) / trial.games
        value += weight * (with_it[0] - without[0])
        variance += weight * weight * (with_it[1] + without[1])
    return around(value, variance, trial.games)


def points_by_change(trial: Trial, usual: GameSample) -> Estimate:
    """Return by how much a change that favours no seat raises the points of a player."""
    tally = trial.tallies[None]
    with_it = _mean_and_variance(float(tally["table"][0]), float(tally["table"][1]), trial.games)
    without = _mean_and_variance(float(usual.tally["table"][0]), float(usual.tally["table"][1]), usual.games)
    return around(with_it[0] - without[0], with_it[1] + without[1], trial.games).scaled(1 / usual.players)


def starters_wins(sample: GameSample, kind: str) -> list[Estimate]:
    """Return the starter's share of wins in each case of a setup."""
    rows = sample.tally[kind]
    return [
        share(float(row[tallies.STARTERS_WINS]) / tallies.WIN, float(row[tallies.GAMES]), int(row[tallies.GAMES]))
        for row in rows
    ]


def points_in_setup(sample: GameSample, kind: str) -> list[Estimate]:
    """Return a player's points in each case of a setup."""
    rows = sample.tally[kind]
    moments = rows[:, [tallies.POINTS, tallies.POINTS_SQUARES]]
    return [mean(m, int(row[tallies.GAMES]), 1 / sample.players) for m, row in zip(moments, rows, strict=True)]


def numbers_in_setup(sample: GameSample, kind: str) -> list[Estimate]:
    """Return the mean of the setup's numbers in each case, for a player."""
    rows = sample.tally[kind]
    moments = rows[:, [tallies.NUMBERS, tallies.NUMBERS_SQUARES]]
    return [mean(m, int(row[tallies.GAMES]), 1 / sample.players) for m, row in zip(moments, rows, strict=True)]
