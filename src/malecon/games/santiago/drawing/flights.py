"""What flies over the board of Santiago de Cuba when a move is made."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.drawing.motion import DIE, Flight, changed, exchanged, gathered, seat_place
from malecon.games.santiago import events as ev
from malecon.games.santiago import tiles
from malecon.kernel.journal import Event
from malecon.kernel.verbs import Position
from malecon.kernel.view import View

ZORRO = ev.FROM_CUBAN + tiles.ZORRO
OFFICE = ev.FROM_BUILDING + tiles.OFFICE


def flights(view: View, before: Position, after: Position, code: int, events: Sequence[Event]) -> list[Flight]:
    flying = []
    for event in events:
        if event.kind == ev.ROLLED:
            die = f"die-{tiles.DEMANDED[event.thing]}"
            flying.append(Flight(DIE, 1, die, die))
        elif event.kind in (ev.PESOS, ev.POINTS, ev.GOODS):
            flight = _flight(before, after, events, event)
            if flight is not None:
                flying.append(flight)
    return gathered(flying)


def _flight(before: Position, after: Position, events: Sequence[Event], event: Event) -> Flight | None:
    thing, source = changed(event, tiles.GOOD_KEYS)
    if source == ZORRO:  # from hand to hand: the journal tells it twice
        taker = seat_place(int(before.active))
        return Flight(thing, -event.amount, seat_place(event.seat), taker) if event.amount < 0 else None
    if source == ev.FROM_EXCHANGE:
        return None if event.kind == ev.GOODS else exchanged(thing, event.seat, event.amount, lambda: "ships")
    return exchanged(thing, event.seat, event.amount, lambda: _place(before, after, events, event, source))


def _place(before: Position, after: Position, events: Sequence[Event], event: Event, source: int) -> str:
    """Return where something comes from or goes to."""
    if source == ev.FROM_DRIVE:
        return "m-car"
    if source in (ev.FROM_DELIVERY, ev.FROM_WOOD):
        good = next(other.thing for other in events if other.kind == ev.DELIVERED)
        return f"die-{tiles.DEMANDED[good]} ship ships"
    if source == ev.FROM_OWNING:
        return f"building-{tiles.BUILDING_KEYS[after.piece[before.active]]}"
    if source >= ev.FROM_BUILDING:
        if source == OFFICE and event.kind == ev.GOODS:
            return f"die-{tiles.GOOD_KEYS[event.thing]} ship ships"
        return f"building-{tiles.BUILDING_KEYS[source - ev.FROM_BUILDING]}"
    if event.kind == ev.GOODS:
        return f"supply-{tiles.GOOD_KEYS[event.thing]}"
    return f"cuban-{tiles.CUBAN_KEYS[source - ev.FROM_CUBAN]}"
