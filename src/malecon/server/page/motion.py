"""What moves on a viewer's table after a change: told by the page's script, of moves that this viewer may know."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from malecon import drawing
from malecon.kernel.journal import events, new_journal
from malecon.kernel.playing import tell_move
from malecon.match import Match, View

#: What came in one go is shown in one go; of more than this nobody could follow anything.
MOST_MOVES, MOST_FLIGHTS = 12, 14


def flights(match: Match, view: View, since: int, until: int | None = None) -> list[dict[str, Any]]:
    """The flights of the moves from a number on, up to another or the last; a move still face down shows none."""
    until = len(match) if until is None else until
    found: list[drawing.Flight] = []
    for number in range(max(since, until - MOST_MOVES), until):
        move = view.history[number].move
        if move is not None:
            before, journal = match.everything(number).position, new_journal()
            after = before.copy()
            tell_move(after, move.code, number, journal)
            found += drawing.flights(view, before, after, move.code, events(journal))
    return [asdict(flight) for flight in found[-MOST_FLIGHTS:]]
