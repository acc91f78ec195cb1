"""A move that was played, the positions before and after it, and its events: what the log of a game is made from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from malecon.kernel.common.holdings import GOODS, PESOS, POINTS
from malecon.kernel.common.naming import pesos, points
from malecon.kernel.game import Name
from malecon.kernel.journal import Event
from malecon.kernel.notation import Reading
from malecon.kernel.phrases import Phrase
from malecon.kernel.verbs import Position


@dataclass(frozen=True)
class PlayedMove(ABC):
    """A move, the positions before and after it, and its events."""

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
        """Return the name of the seat that decided."""
        return self.seats[int(self.before.actor)]

    def has(self, kind: int) -> bool:
        return any(event.kind == kind for event in self.events)

    def all(self, kind: int, thing: int | None = None) -> list[Event]:
        """Return the events of a kind, or only those about a thing."""
        return [event for event in self.events if event.kind == kind and thing in (None, event.thing)]

    def gained(self, *sources: int, seat: int | None = None) -> list[Phrase]:
        """Return what came from some sources, summed up by kind of thing; for one seat or for all."""
        return [self.amount(kind, good, n) for (kind, good), n in self._changes(sources, seat).items() if n > 0]

    def lost(self, *sources: int, seat: int | None = None) -> list[Phrase]:
        """Return what was spent on some sources."""
        return [self.amount(kind, good, -n) for (kind, good), n in self._changes(sources, seat).items() if n < 0]

    @abstractmethod
    def goods(self, kind: int, n: int) -> Phrase:
        """Return a number of units of a good."""

    def amount(self, kind: int, good: int, n: int) -> Phrase:
        if kind == PESOS:
            return pesos(n)
        return points(n) if kind == POINTS else self.goods(good, n)

    def _changes(self, sources: Sequence[int], seat: int | None) -> dict[tuple[int, int], int]:
        """Return the sum of each kind of thing, in the order in which they changed hands."""
        totals: dict[tuple[int, int], int] = {}
        for event in self.events:
            if seat not in (None, event.seat):
                continue
            if event.kind in (PESOS, POINTS) and event.thing in sources:
                totals[event.kind, -1] = totals.get((event.kind, -1), 0) + event.amount
            elif event.kind == GOODS and event.other in sources:
                totals[event.kind, event.thing] = totals.get((event.kind, event.thing), 0) + event.amount
        return totals
