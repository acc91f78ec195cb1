"""A move of Cuba with all that is known of it, for those who tell its story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from malecon.games.cuba import events as ev
from malecon.games.cuba import names
from malecon.kernel.game import Name
from malecon.kernel.journal import Event
from malecon.kernel.phrases import Phrase
from malecon.kernel.verbs import Position


@dataclass(frozen=True)
class Scene:
    """The table before and after, and what happened between."""

    before: Position
    after: Position
    code: int
    events: Sequence[Event]
    seats: Sequence[Name]

    @property
    def who(self) -> Name:
        """Who decided."""
        return self.seats[int(self.before.actor)]

    def has(self, kind: int) -> bool:
        return any(event.kind == kind for event in self.events)

    def all(self, kind: int, thing: int | None = None) -> list[Event]:
        """The events of a kind, or only those about one thing."""
        return [event for event in self.events if event.kind == kind and thing in (None, event.thing)]

    def gained(self, seat: int, *sources: int) -> list[Phrase]:
        """What came in from some sources, each kind of thing summed up."""
        return [amount(kind, good, n) for (kind, good), n in self._changes(seat, sources).items() if n > 0]

    def lost(self, seat: int, *sources: int) -> list[Phrase]:
        """What went out for some sources."""
        return [amount(kind, good, -n) for (kind, good), n in self._changes(seat, sources).items() if n < 0]

    def _changes(self, seat: int, sources: Sequence[int]) -> dict[tuple[int, int], int]:
        found: dict[tuple[int, int], int] = {}
        for event in self.events:
            if event.seat != seat:
                continue
            if event.kind in (ev.PESOS, ev.POINTS) and event.thing in sources:
                found[event.kind, -1] = found.get((event.kind, -1), 0) + event.amount
            elif event.kind == ev.GOODS and event.other in sources:
                found[event.kind, event.thing] = found.get((event.kind, event.thing), 0) + event.amount
        return dict(sorted(found.items()))


def amount(kind: int, good: int, n: int) -> Phrase:
    if kind == ev.PESOS:
        return names.pesos(n)
    return names.points(n) if kind == ev.POINTS else names.goods(good, n)
