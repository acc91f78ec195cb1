"""Pesos, points and goods in the journal: what every game here counts alike. Each game says where its goods lie."""

from __future__ import annotations

from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Position

# The first kinds of events: seat, change, source; for goods, the good and the source.
PESOS, POINTS, GOODS = range(3)


@kernel(inline=True)
def change_pesos(position: Position, seat: int, change: int, source: int, journal: Journal | None) -> None:
    position.pesos[seat] += change
    note(journal, PESOS, seat, change, source, -1)


@kernel(inline=True)
def change_points(position: Position, seat: int, change: int, source: int, journal: Journal | None) -> None:
    position.points[seat] += change
    note(journal, POINTS, seat, change, source, -1)
