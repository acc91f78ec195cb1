"""What the reasons ask of a game: how far a line goes, which events are worth a word, and whom they please.

A game's own answers are in `santiago` and `cuba`; the plain ones here do for any other.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from typing import NamedTuple, Protocol, cast

from malecon.kernel import registry
from malecon.kernel.game import Game
from malecon.kernel.journal import Event
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position


class Note(NamedTuple):
    """An event worth a word: what makes it the same in another line, for whom it is good (or bad), and how much."""

    key: tuple[Hashable, ...]
    seat: int
    worth: float


class Missed(NamedTuple):
    """A ship that has sailed while the seat still held goods it had asked for."""

    ship: int
    good: int
    held: int


class Horizon(Protocol):
    """Watches a line and says when enough has happened."""

    def __init__(self, seat: int) -> None: ...
    def reached(self, events: Sequence[Event]) -> bool: ...


class Notes(Protocol):
    """What a game answers."""

    Horizon: type[Horizon]

    def note(self, event: Event, before: Position) -> Note | None:
        """What is worth saying of an event, if anything."""

    def missed(self, start: Position, before: Position, after: Position, event: Event, seat: int) -> list[Missed]:
        """Goods that a seat holds while a ship sails which asked for them when the line began."""

    def ship(self, number: int) -> Phrase:
        """What the ship of a `Missed` is called."""

    def goods(self, kind: int, n: int) -> Phrase | None:
        """What so many units of a good are called."""


class PlainHorizon:
    """So many moves, in a game that says nothing else."""

    FARTHEST = 24

    def __init__(self, seat: int) -> None:
        self._moves = 0

    def reached(self, events: Sequence[Event]) -> bool:
        self._moves += 1
        return self._moves >= self.FARTHEST


class PlainNotes:
    """Nothing but what all games have in common."""

    Horizon = PlainHorizon

    def note(self, event: Event, before: Position) -> Note | None:
        return None

    def missed(self, start: Position, before: Position, after: Position, event: Event, seat: int) -> list[Missed]:
        return []

    def ship(self, number: int) -> Phrase:
        return say("ship {n}", n=number)

    def goods(self, kind: int, n: int) -> Phrase | None:
        return None


@cache
def _notes(name: str) -> Notes:
    return cast(Notes, registry.with_overrides(PlainNotes(), registry.component(name, "teaching.reasons")))


def notes_of(game: Game) -> Notes:
    return _notes(game.name)
