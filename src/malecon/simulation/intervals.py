"""Confidence intervals for shares, such as win rates."""

from __future__ import annotations

from statistics import NormalDist

CONFIDENCE = 0.95


def wilson(wins: float, games: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's interval for a win rate; wins may be fractions."""
    if not games:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    rate, spread = wins / games, z * z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * (rate * (1 - rate) / games + spread / (4 * games)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)
