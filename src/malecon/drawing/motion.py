"""Flights: which symbol flies from which thing on the board to which when a move is made, and which dice fall.

They are made from the journal of a move, so a viewer who may know the move may see them. Things are named by their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from malecon.kernel.common.holdings import GOODS, PESOS
from malecon.kernel.journal import Event

#: A die that was rolled; it tumbles where it lies.
DIE = "die"


@dataclass(frozen=True)
class Flight:
    """A number of a thing that flies. Each end is an id, or several in order of preference, separated by spaces."""

    thing: str
    count: int
    start: str
    end: str


def seat_place(seat: int) -> str:
    return f"seat-{seat}"


def gathered(flights: Iterable[Flight]) -> list[Flight]:
    """Return the same flights, those of the same thing between the same places joined, in the order they began."""
    counts: dict[tuple[str, str, str], int] = {}
    for flight in flights:
        key = flight.thing, flight.start, flight.end
        counts[key] = counts.get(key, 0) + flight.count
    return [Flight(thing, count, start, end) for (thing, start, end), count in counts.items()]


def changed(event: Event, goods: Sequence[str]) -> tuple[str, int]:
    """Return what an event moves (pesos, points or a good), and the source it came from or went to."""
    if event.kind == GOODS:
        return goods[event.thing], event.other
    return "peso" if event.kind == PESOS else "point", event.thing


def exchanged(thing: str, seat: int, change: int, elsewhere: Callable[[], str]) -> Flight | None:
    """Return the flight of what a seat gains from elsewhere or loses; None if nothing changes."""
    if not change:
        return None
    ends = (elsewhere(), seat_place(seat))
    return Flight(thing, change, *ends) if change > 0 else Flight(thing, -change, *reversed(ends))
