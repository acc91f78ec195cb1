"""Tables that wait for players, for tests."""

from __future__ import annotations

from typing import Any

from malecon.server.lobby.waiting import WaitingSeat, WaitingTable, seats_for


def waiting(owner: str, players: int = 2, game: str = "santiago", **more: Any) -> WaitingTable:
    numbers = more.pop("numbers", (players,))
    seats = seats_for(max(numbers), [WaitingSeat(owner, owner.capitalize())])
    return WaitingTable(id="", game=game, numbers=numbers, options={}, owner=owner, seats=seats, **more)
