"""Honest chances: what a search expects, turned into how often such players win. No search lives here.

A search is more timid or bolder than results, by game and number of players. How much was measured in games of its own
(`training/calibration.py`) and is in `calibration.json` of each game's folder.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.kernel import registry

FILE = "calibration.json"
#: Constant, slope, and the weights of the square and the cube: logarithms of odds become those of honest odds.
Curve = tuple[float, float, float, float]
IDENTITY_CURVE: Curve = (0.0, 1.0, 0.0, 0.0)
#: Logarithms of odds beyond this count as this: once in a thousand.
FARTHEST = 7.0
#: Chances are compared with results in so many classes; one with a smaller share of them says too little to be counted.
CLASSES, LEAST_SHARE = 10, 0.01


def apply(expected: float, curve: Curve) -> float:
    """The chance that belongs to an expectation. What is certain stays certain."""
    if not 0 < expected < 1:
        return min(max(expected, 0.0), 1.0)
    if curve == IDENTITY_CURVE:
        return expected
    x = min(max(math.log(expected / (1 - expected)), -FARTHEST), FARTHEST)
    constant, slope, square, cube = curve
    return 1 / (1 + math.exp(-(constant + x * (slope + x * (square + x * cube)))))


class CalibrationCurves(NamedTuple):
    """How expectations become chances: the mover's after a move, and those of all seats before it."""

    mover: Curve = IDENTITY_CURVE
    seats: Curve = IDENTITY_CURVE

    def chance(self, expected: float) -> float:
        """The chance of the mover after a move."""
        return apply(expected, self.mover)

    def shares(self, expected: Sequence[float]) -> tuple[float, ...]:
        """The chances of all seats, which add up to 1."""
        bent = [apply(share, self.seats) for share in expected]
        return tuple(share / (sum(bent) or 1.0) for share in bent)


#: Chances as the search has them.
IDENTITY = CalibrationCurves()


@functools.cache
def curves_for(name: str, players: int) -> CalibrationCurves:
    """That of a game's search with so many players; IDENTITY where it was not measured."""
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
    """How far chances are from what happened."""

    classes: list[ChanceClass]

    @property
    def error(self) -> float:
        """The expected calibration error."""
        total = sum(one.size for one in self.classes)
        return sum(one.gap * one.size for one in self.classes) / total

    @property
    def worst(self) -> float:
        """How far off the worst class is, of those that are large enough."""
        total = sum(one.size for one in self.classes)
        return max(one.gap for one in self.classes if one.size >= LEAST_SHARE * total)


def compare(given: npt.NDArray[np.floating[Any]], won: npt.NDArray[np.floating[Any]]) -> CalibrationReport:
    """Chances beside the shares of the win that their owners got."""
    if not len(given) or given.shape != won.shape:
        raise ValueError("give as many results as chances, and at least one")
    numbers = np.minimum((given * CLASSES).astype(np.int64), CLASSES - 1)
    found = [(number, numbers == number) for number in np.unique(numbers).tolist()]
    return CalibrationReport(
        [
            ChanceClass(number, int(here.sum()), float(given[here].mean()), float(won[here].mean()))
            for number, here in found
        ]
    )
