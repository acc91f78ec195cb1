"""Phrases joined to lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from malecon.kernel.phrases import say

if TYPE_CHECKING:  # text alone does not load the engine
    from malecon.kernel.game import Name


def commas(parts: Sequence[Name]) -> Name:
    """Return “one, two, three”. For people: in Spanish, “and” would depend on how the last name sounds."""
    listed = parts[0]
    for part in parts[1:]:
        listed = say("{first}, {next}", first=listed, next=part)
    return listed


def listed(parts: Sequence[Name]) -> Name:
    """Return “one, two and three”. For amounts, which begin with a number."""
    if len(parts) == 1:
        return parts[0]
    return say("{first} and {last}", first=commas(parts[:-1]), last=parts[-1])
