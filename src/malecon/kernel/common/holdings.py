"""Pesos, points and goods in the journal: what every game here counts alike. Each game says where its goods lie."""

from __future__ import annotations

from malecon.kernel.common.records import Numbering
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Position

# The first kinds of events of every game.
_events = Numbering()
PESOS = _events.add("pesos")  # seat, change, source
POINTS = _events.add("points")  # seat, change, source
GOODS = _events.add("goods")  # seat, change, good, source
EVENTS = _events.names


@kernel(inline=True)
def change_pesos(position: Position, seat: int, change: int, source: int, journal: Journal | None) -> None:
    position.pesos[seat] += change
    note(journal, PESOS, seat, change, source, -1)


@kernel(inline=True)
def change_points(position: Position, seat: int, change: int, source: int, journal: Journal | None) -> None:
    position.points[seat] += change
    note(journal, POINTS, seat, change, source, -1)
