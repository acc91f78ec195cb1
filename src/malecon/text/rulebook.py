"""The types of a rules page and of the tips for a first game. Their content is in each game's package."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from malecon.kernel.phrases import Phrase

if TYPE_CHECKING:
    from malecon.kernel.verbs import Position


@dataclass(frozen=True)
class ExampleGame:
    """A short game that the examples of a rules page are taken from: its moves, scene by scene."""

    names: tuple[str, ...]
    scenes: Mapping[str, str]  # each with the moves that lead to it from the scene before, between commas
    options: Mapping[str, bool | str] = field(default_factory=dict)

    def moves(self, scene: str) -> list[str]:
        """Return every move from the start of the game to a scene."""
        played: list[str] = []
        for name, text in self.scenes.items():
            played += [move.strip() for move in text.split(",")]
            if name == scene:
                return played
        raise KeyError(scene)


@dataclass(frozen=True)
class Picture:
    """Parts of the board in a scene of the example game, one below the other."""

    scene: str
    parts: tuple[str, ...]  # of the board, or a seat's panel: `seat 1`
    description: Phrase  # what it shows, for readers who cannot see it
    marked: tuple[str, ...] = ()  # the ids of things to outline
    offers: bool = False  # outline what can be chosen, as at the table
    seat: int = 0  # who looks


@dataclass(frozen=True)
class Example:
    """A paragraph that shows a rule at work, and the pictures that go with it."""

    text: Phrase
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Chapter:
    """A heading, its paragraphs and examples in their order, and the symbols drawn beside them."""

    title: Phrase
    paragraphs: tuple[Phrase | Example, ...]
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """A part of the table as text: its title, and what is there."""

    title: Phrase
    lines: tuple[Phrase, ...]


@dataclass(frozen=True)
class Rulebook:
    """The rules page: chapters, then those kinds of the glossary that it lists, each with a heading."""

    chapters: tuple[Chapter, ...]
    kinds: Mapping[str, Phrase] = field(default_factory=dict)
    example_game: ExampleGame | None = None


@dataclass(frozen=True)
class Suggestion:
    """A move that a beginner may try, in notation, and why, unless the tip says so."""

    move: str
    why: Phrase | None = None


@dataclass(frozen=True)
class Tips:
    """What a beginner should know: the goal, then by phase what helps the one who decides, or those who wait.

    The tips of a phase are given in their order, each once. A tip that depends on the position is a function of it
    and of the beginner's seat, which returns None if the tip does not fit. It reads only what that seat can see.
    So does `suggests`, which is given the legal moves as well.
    """

    mine: Mapping[str, Phrase | tuple[Tip, ...]] = field(default_factory=dict)
    others: Mapping[str, Phrase | tuple[Tip, ...]] = field(default_factory=dict)
    goal: Phrase | None = None  # what wins, and how long the game takes
    suggests: Callable[[Position, int, Sequence[str]], Suggestion | None] | None = None


Tip = Phrase | Callable[["Position", int], Phrase | None]
