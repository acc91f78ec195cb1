"""The heartbeat of the servers: time in which no server ran, and jumps of the clock, cost no player any time."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from malecon.server.storage import heartbeat
from malecon.server.storage.store import Storage
from tests.server.people import Player, serving, until
from tests.server.stored_games import long_game


def test_deadlines_move_by_the_time_in_which_no_server_ran(database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 0)
    storage.create(replace(row, clock=86_400, deadline=1_000_000.0), log[:20])
    storage.create(replace(row, id="over", clock=86_400, deadline=1_000_000.0, over=True), [])
    storage.create(replace(row, id="free"), [])
    day, now = 86_400.0, 950_000.0
    assert heartbeat.beat(storage, now) == 0.0  # the first ever
    assert heartbeat.beat(storage, now + 10) == 0.0
    deadline = 1_000_000.0
    for jump in (2 * day, -day, 3600.0, -3600.0):
        now += jump
        assert heartbeat.beat(storage, now + 10) == jump
        deadline += jump
        loaded = storage.load("long")
        assert loaded is not None
        assert loaded.row.deadline == deadline
        assert heartbeat.beat(storage, now + 20) == 0.0
        now += 10
    assert storage.revisions(["long", "over", "free"]) == {"long": 4, "over": 0, "free": 0}
    storage.close()


def test_a_clock_that_jumps_moves_deadlines_and_resigns_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        seats = [{"who": "me"}, {"who": "me"}]
        wanted = {"game": "santiago", "seats": seats, "clock": "ten-minutes", "time_up": "resign"}
        table = player.post("/api/tables", wanted).json()["id"]
        time.sleep(1.5)  # a beat
        real, ahead = time.time, 2 * 86_400.0
        monkeypatch.setattr(time, "time", lambda: real() + ahead)
        before = player.state(table)["deadline"]
        state = until(lambda: player.state(table), lambda state: state["deadline"] != before, 10)
        time.sleep(1.5)
        assert abs(state["deadline"] - before - ahead) < 30
        assert not any(seat["resigned"] or seat["bot"] for seat in player.state(table)["seats"])
