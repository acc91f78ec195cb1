"""A move with all that is known of it, for those who tell a game's story. What is told is each game's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from malecon.kernel.common.holdings import GOODS, PESOS, POINTS
from malecon.kernel.common.naming import pesos, points
from malecon.kernel.game import Name
from malecon.kernel.journal import Event
from malecon.kernel.notation import Reading
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.kernel.view import Outcome
from malecon.text.lists import commas


@dataclass(frozen=True)
class Scene(ABC):
    """The table before and after a move, and what happened between."""

    before: Position
    after: Position
    move: Reading
    events: Sequence[Event]
    seats: Sequence[Name]

    @property
    def family(self) -> int:
        return self.move.family

    @property
    def parts(self) -> tuple[int, ...]:
        return self.move.parts

    @property
    def actor(self) -> Name:
        """Who decided."""
        return self.seats[int(self.before.actor)]

    def has(self, kind: int) -> bool:
        return any(event.kind == kind for event in self.events)

    def all(self, kind: int, thing: int | None = None) -> list[Event]:
        """The events of a kind, or only those about one thing."""
        return [event for event in self.events if event.kind == kind and thing in (None, event.thing)]

    def gained(self, *sources: int, seat: int | None = None) -> list[Phrase]:
        """What came in from some sources, each kind of thing summed up; for one seat, or whomever it came to."""
        return [self.amount(kind, good, n) for (kind, good), n in self._changes(sources, seat).items() if n > 0]

    def lost(self, *sources: int, seat: int | None = None) -> list[Phrase]:
        """What went out for some sources."""
        return [self.amount(kind, good, -n) for (kind, good), n in self._changes(sources, seat).items() if n < 0]

    @abstractmethod
    def goods(self, kind: int, n: int) -> Phrase:
        """What so many units of a good are called."""

    def amount(self, kind: int, good: int, n: int) -> Phrase:
        if kind == PESOS:
            return pesos(n)
        return points(n) if kind == POINTS else self.goods(good, n)

    def _changes(self, sources: Sequence[int], seat: int | None) -> dict[tuple[int, int], int]:
        """The sum of each kind of thing, in the order in which they changed hands."""
        found: dict[tuple[int, int], int] = {}
        for event in self.events:
            if seat not in (None, event.seat):
                continue
            if event.kind in (PESOS, POINTS) and event.thing in sources:
                found[event.kind, -1] = found.get((event.kind, -1), 0) + event.amount
            elif event.kind == GOODS and event.other in sources:
                found[event.kind, event.thing] = found.get((event.kind, event.thing), 0) + event.amount
        return found


def tell_usual_result(outcome: Outcome, seats: Sequence[Name]) -> list[Phrase]:
    """How a game ended that points decided, or nothing; empty where something else did."""
    best = points(outcome.points[outcome.winners[0]])
    if outcome.reason == "shared":
        winners = commas([seats[seat] for seat in outcome.winners])
        return [say("A shared victory, with {points} each: {winners}.", points=best, winners=winners)]
    if outcome.reason == "points":
        return [say("{winner} wins with {points}.", winner=seats[outcome.winners[0]], points=best)]
    return []
