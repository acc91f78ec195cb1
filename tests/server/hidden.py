"""Changing what a viewer of a table may not know: nothing that is sent to the viewer may change with it."""

from __future__ import annotations

import random

from malecon.server.tables.table import Table
from tests.open_match import OpenMatch


def shuffle_hidden(table: Table, viewer: int | None, dice: random.Random) -> None:
    """Give everybody but the viewer other pesos, points and goods behind their screens."""
    table.match = OpenMatch.of(table.match)
    position = table.match.board
    for seat in range(table.match.players):
        if seat != viewer:
            position.pesos[seat] = dice.randrange(1, 30)
            position.points[seat] = dice.randrange(1, 60)
            position.goods[seat] = [dice.randrange(0, 5) for _ in range(6)]
