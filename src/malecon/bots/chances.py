"""Honest chances: what a search expects, turned into how often such players win. No search lives here.

A search is more timid or bolder than results, by game and number of players. How much was measured in games of its own
(`training/calibration.py`) and is in `weights/chances.json`.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parent / "weights" / "chances.json"


#: Constant, slope, and the weights of the square and the cube: logarithms of odds become those of honest odds.
Curve = tuple[float, float, float, float]
STRAIGHT: Curve = (0.0, 1.0, 0.0, 0.0)
#: Logarithms of odds beyond this count as this: once in a thousand.
FARTHEST = 7.0


def bend(expected: float, curve: Curve) -> float:
    """The chance that belongs to an expectation. What is certain stays certain."""
    if not 0 < expected < 1:
        return min(max(expected, 0.0), 1.0)
    if curve == STRAIGHT:
        return expected
    x = min(max(math.log(expected / (1 - expected)), -FARTHEST), FARTHEST)
    constant, slope, square, cube = curve
    return 1 / (1 + math.exp(-(constant + x * (slope + x * (square + x * cube)))))


class Honesty(NamedTuple):
    """How expectations become chances: the mover's after a move, and those of all seats before it."""

    mover: Curve = STRAIGHT
    seats: Curve = STRAIGHT

    def chance(self, expected: float) -> float:
        """The chance of the mover after a move."""
        return bend(expected, self.mover)

    def shares(self, expected: Sequence[float]) -> tuple[float, ...]:
        """The chances of all seats, which add up to 1."""
        bent = [bend(share, self.seats) for share in expected]
        return tuple(share / (sum(bent) or 1.0) for share in bent)


#: Chances as the search has them.
AS_EXPECTED = Honesty()


@functools.cache
def honesty(name: str, players: int) -> Honesty:
    """That of a game's search with so many players; AS_EXPECTED where it was not measured."""
    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    curves = found.get(name, {}).get(str(players), {})
    return Honesty(**{which: tuple(curve) for which, curve in curves.items()})
