"""What a game tells about itself in plain Python, beside its answers to the verbs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from malecon.kernel.journal import Event
from malecon.kernel.notation import Notation
from malecon.kernel.phrases import Phrase
from malecon.kernel.pieces import Pieces
from malecon.kernel.verbs import Position

OptionValue = bool | str
Name = Phrase | str  # of a seat: its colour, or what the player calls themself


@dataclass(frozen=True)
class Option:
    """A table option: its default and every value it can take."""

    default: OptionValue
    choices: tuple[OptionValue, ...] = (False, True)


@dataclass(frozen=True)
class Game:
    """A game's nature and tables. `rules_version` grows whenever a record could replay differently."""

    name: str
    title: str
    rules_version: int
    fewest_players: int
    most_players: int
    colours: tuple[str, ...]
    phases: tuple[str, ...]
    notation: Notation
    most_legal: int  # the longest list of legal moves
    dtype: np.dtype[Any]
    new_position: Callable[..., Position]  # (players, **options): the table before chance sets it up
    why_illegal: Callable[[Position, int, tuple[Name, ...]], Phrase]  # the rule that forbids a move
    criteria: Mapping[str, Callable[[Position, int], int]]  # what ranks the seats, most important first
    points_source: Callable[[Event], str | None]  # for an event that gives points: where they count in the breakdown
    starting_points: int
    sources: tuple[str, ...]  # every answer of `points_source`, in the order of the breakdown
    options: Mapping[str, Option] = field(default_factory=dict)
    pieces: Pieces = field(default_factory=Pieces)  # what `observe` writes
    #: Whether a move made in position `then` is still face down in position `now` for everyone but its maker.
    conceals: Callable[[Position, Position, int], bool] | None = None

    @property
    def decisions(self) -> int:
        """How many moves are the seats' to make: those with a lower code. The others are chance's."""
        return self.notation.decisions

    def __repr__(self) -> str:
        return f"malecon.games.get({self.name!r})"
