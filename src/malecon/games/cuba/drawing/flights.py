"""What flies over the board of Cuba when a move is made."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.drawing.motion import Flight, changed, exchanged, gathered
from malecon.games.cuba import events as ev
from malecon.games.cuba import tiles
from malecon.games.cuba.drawing.buildings import slug
from malecon.games.cuba.drawing.plantation import shown_seat
from malecon.games.cuba.drawing.targets import place
from malecon.kernel.journal import Event
from malecon.kernel.verbs import Position
from malecon.kernel.view import View

#: The origin of pieces that do not come from the place of the move.
PLACES = {
    ev.FROM_BID: "hand parliament",
    ev.FROM_TAX: "law-tax",
    ev.FROM_DUTY: "law-duty",
    ev.FROM_BOTH: "law-duty",
    ev.FROM_SUBSIDY: "law-subsidy",
    ev.FROM_FINAL_BUILDINGS: "buildings",
}


def flights(view: View, before: Position, after: Position, code: int, events: Sequence[Event]) -> list[Flight]:
    move_place = place(before, code)
    for event in events:
        if event.kind == ev.LOADED:
            move_place = f"berth-{event.amount}"
    if before.actor != shown_seat(view) and move_place.startswith(("field-", "built-", "yard")):
        move_place = ""  # only one plantation lies on the board
    flying = []
    for event in events:
        if event.kind in (ev.PESOS, ev.POINTS, ev.GOODS):
            flight = _flight(move_place, event)
            if flight is not None:
                flying.append(flight)
    return gathered(flying)


def _flight(move_place: str, event: Event) -> Flight | None:
    thing, source = changed(event, tiles.GOOD_KEYS)
    return exchanged(thing, event.seat, event.amount, lambda: _place(move_place, source))


def _place(move_place: str, source: int) -> str:
    """Return where something comes from or goes to."""
    if source in PLACES:
        return PLACES[source]
    if source in (ev.FROM_SETUP, ev.FROM_END_OF_ROUND):
        return "supply"
    if source >= ev.FROM_BUILDING and not move_place:
        return f"build-{slug(tiles.BUILDING_KEYS[source - ev.FROM_BUILDING])}"
    return f"{move_place} supply".strip()
