"""What a game tells those who do not know it yet: its rules, chapter by chapter, and tips for the first game.

Only the shapes are here; each game fills them in its own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from malecon.kernel.phrases import Phrase


@dataclass(frozen=True)
class Example:
    """A paragraph that shows a rule at work."""

    text: Phrase


@dataclass(frozen=True)
class Chapter:
    """A heading, its paragraphs and examples in their order, and the symbols drawn beside them."""

    title: Phrase
    paragraphs: tuple[Phrase | Example, ...]
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rulebook:
    """The rules page: chapters, then those kinds of the glossary that it lists, each with a heading."""

    chapters: tuple[Chapter, ...]
    kinds: Mapping[str, Phrase] = field(default_factory=dict)


@dataclass(frozen=True)
class Tips:
    """What a beginner should know, by phase: for the one who decides, and for those who wait."""

    mine: Mapping[str, Phrase] = field(default_factory=dict)
    others: Mapping[str, Phrase] = field(default_factory=dict)
