"""Answers to the verbs that games give alike, since their positions have fields of these names."""

from __future__ import annotations

from malecon.kernel.compile import kernel
from malecon.kernel.verbs import Position


@kernel(inline=True)
def actor(position: Position) -> int:
    seat: int = position.actor
    return seat


@kernel
def points(position: Position, seat: int) -> int:
    held: int = position.points[seat]
    return held
