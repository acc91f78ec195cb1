"""Calibration: curves that turn what a search expects into how often such players win, and a report on chances.

What a search expects is more timid or bolder than results, by game and number of players. `training/calibration.py`
measures by how much in games of the search; the curves are in `calibration.json` of each game's folder.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.kernel import registry
from malecon.kernel.compile import kernel
from malecon.kernel.numerics import exp, log

FILE = "calibration.json"
#: Constant, slope, and the weights of the square and the cube, which map logarithms of odds.
Curve = tuple[float, float, float, float]
IDENTITY_CURVE: Curve = (0.0, 1.0, 0.0, 0.0)
#: Logarithms of odds beyond this count as this: once in a thousand.
FARTHEST = 7.0
_LEAST_ODDS, _MOST_ODDS = 0.0009118819655545162, 1096.6331584284585  # e to the power of -7 and 7
#: The number of classes in which chances are compared with results.
CLASSES = 10
#: The worst class is looked for among those with at least this share of all chances.
LEAST_SHARE = 0.01


@kernel
def apply(expected: float, curve: Curve) -> float:
    """Return the chance for an expectation by a curve. What is certain stays certain."""
    if not 0 < expected < 1:
        return min(max(expected, 0.0), 1.0)
    if curve == IDENTITY_CURVE:
        return expected
    odds = expected / (1 - expected)
    x = log(min(max(odds, _LEAST_ODDS), _MOST_ODDS))
    constant, slope, square, cube = curve
    return 1 / (1 + exp(-(constant + x * (slope + x * (square + x * cube)))))


class CalibrationCurves(NamedTuple):
    """The curves for expectations: the mover's after a move, and those of all seats before it."""

    mover: Curve = IDENTITY_CURVE
    seats: Curve = IDENTITY_CURVE

    def chance(self, expected: float) -> float:
        """Return the chance of the mover after a move."""
        return apply(expected, self.mover)

    def shares(self, expected: Sequence[float]) -> tuple[float, ...]:
        """Return the chances of all seats, which add up to 1."""
        shares = [apply(share, self.seats) for share in expected]
        total = 0.0
        for share in shares:  # not `sum`, which rounds differently in newer versions of Python
            total += share
        return tuple(share / (total or 1.0) for share in shares)


#: Chances as the search has them.
IDENTITY = CalibrationCurves()


@functools.cache
def curves_for(name: str, players: int) -> CalibrationCurves:
    """Return the curves of a game with that many players; IDENTITY if they were not measured."""
    file = registry.data_file(name, FILE)
    measured = json.loads(file.read_text(encoding="utf-8")) if file is not None and file.exists() else {}
    curves = measured.get(str(players), {})
    return CalibrationCurves(**{which: tuple(curve) for which, curve in curves.items()})


class ChanceClass(NamedTuple):
    """Chances between two round numbers: how many, what they are on average, and how often their owners won."""

    number: int
    size: int
    given: float
    won: float

    @property
    def gap(self) -> float:
        return abs(self.given - self.won)


class CalibrationReport(NamedTuple):
    """A comparison of chances with results."""

    classes: list[ChanceClass]

    @property
    def error(self) -> float:
        """The expected calibration error."""
        total = sum(group.size for group in self.classes)
        return sum(group.gap * group.size for group in self.classes) / total

    @property
    def worst(self) -> float:
        """The gap of the worst class, of those that are large enough."""
        total = sum(group.size for group in self.classes)
        return max(group.gap for group in self.classes if group.size >= LEAST_SHARE * total)


def compare(given: npt.NDArray[np.floating[Any]], won: npt.NDArray[np.floating[Any]]) -> CalibrationReport:
    """Compare chances with the shares of the win that their owners got."""
    if not len(given) or given.shape != won.shape:
        raise ValueError("give as many results as chances, and at least one")
    numbers = np.minimum((given * CLASSES).astype(np.int64), CLASSES - 1)
    groups = [(number, numbers == number) for number in np.unique(numbers).tolist()]
    return CalibrationReport(
        [
            ChanceClass(number, int(here.sum()), float(given[here].mean()), float(won[here].mean()))
            for number, here in groups
        ]
    )
