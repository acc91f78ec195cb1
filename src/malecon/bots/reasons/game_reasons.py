"""What explanations ask of a game: how far a line goes, which events are worth a sentence, and for whom they are good.

A game answers in its module `teaching.reasons`; what it leaves out is answered by the defaults here.
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


class NotableEvent(NamedTuple):
    """An event worth a sentence: a key that is equal in other lines, for whom it is good (or bad), and how much."""

    key: tuple[Hashable, ...]
    seat: int
    worth: float


class MissedDelivery(NamedTuple):
    """A ship that has sailed while the seat still held goods that the ship had asked for."""

    ship: int
    good: int
    held: int


class Horizon(Protocol):
    """Watches a line and decides when it has gone on for long enough."""

    def __init__(self, seat: int) -> None: ...
    def reached(self, events: Sequence[Event]) -> bool: ...


class GameReasons(Protocol):
    """What a game provides."""

    Horizon: type[Horizon]

    def notable(self, event: Event, before: Position) -> NotableEvent | None:
        """Return what is worth saying about an event, or None."""

    def missed_deliveries(
        self, start: Position, before: Position, after: Position, event: Event, seat: int
    ) -> list[MissedDelivery]:
        """Return the goods a seat holds while a ship sails that asked for them at the start of the line."""

    def ship_name(self, number: int) -> Phrase:
        """Return what the ship of a `MissedDelivery` is called."""

    def goods_name(self, kind: int, n: int) -> Phrase | None:
        """Return what `n` units of a good are called."""


class DefaultHorizon:
    """Ends a line after a fixed number of moves."""

    MOST_MOVES = 24

    def __init__(self, seat: int) -> None:
        self._moves = 0

    def reached(self, events: Sequence[Event]) -> bool:
        self._moves += 1
        return self._moves >= self.MOST_MOVES


class DefaultReasons:
    """The answers for a game that has no others: no event is worth a sentence."""

    Horizon = DefaultHorizon

    def notable(self, event: Event, before: Position) -> NotableEvent | None:
        return None

    def missed_deliveries(
        self, start: Position, before: Position, after: Position, event: Event, seat: int
    ) -> list[MissedDelivery]:
        return []

    def ship_name(self, number: int) -> Phrase:
        return say("ship {n}", n=number)

    def goods_name(self, kind: int, n: int) -> Phrase | None:
        return None


@cache
def _reasons(name: str) -> GameReasons:
    own = registry.component(name, "teaching.reasons")
    return cast(GameReasons, registry.with_overrides(DefaultReasons(), own))


def game_reasons(game: Game) -> GameReasons:
    """Return a game's own answers, completed by the defaults."""
    return _reasons(game.name)
