"""The heartbeat of the servers: time in which no server ran, and jumps of the clock, cost no player any time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from malecon.server.operations.metrics import Metrics
from malecon.server.storage import heartbeat
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.tables import timing
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.web.services import Services
from tests.clock import Clock
from tests.server.stored_games import long_game


def test_deadlines_move_by_the_time_in_which_no_server_ran(database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 0)
    storage.create(replace(row, clock="day", deadline=1_000_000.0), log[:20])
    storage.create(replace(row, id="over", clock="day", deadline=1_000_000.0, over=True), [])
    storage.create(replace(row, id="free"), [])
    day, now = 86_400.0, 950_000.0
    assert heartbeat.record(storage, now) == 0.0  # the first ever
    assert heartbeat.record(storage, now + 10) == 0.0
    deadline = 1_000_000.0
    for jump in (2 * day, -day, 3600.0, -3600.0):
        now += jump
        assert heartbeat.record(storage, now + 10) == jump
        deadline += jump
        loaded = storage.load("long")
        assert loaded is not None
        assert loaded.row.deadline == deadline
        assert heartbeat.record(storage, now + 20) == 0.0
        now += 10
    assert storage.revisions(["long", "over", "free"]) == {"long": 4, "over": 0, "free": 0}
    storage.close()


def test_a_clock_that_jumps_moves_deadlines_and_resigns_nobody(tmp_path: Path, clock: Clock) -> None:
    async def jump() -> None:
        services = Services(Storage(address_of(tmp_path)), Metrics(), clock=clock)
        seats = NewSeat("me"), NewSeat("me", "Bea")
        table = await services.tables.open(
            NewTable("santiago", seats, clock="ten-minutes", time_up=timing.RESIGN), "ana"
        )
        await services.deadlines.tick()
        for ahead in (2 * 86_400.0, -86_400.0):
            before = table.row.deadline
            assert before is not None
            clock.advance(ahead)
            for _ in range(2):
                await services.deadlines.tick()
                assert table.row.deadline == pytest.approx(before + ahead)
                assert not any(seat.resigned or seat.bot for seat in table.row.seats)
        clock.advance(30)  # so far the server cannot tell it from a pause
        await services.deadlines.tick()
        assert table.row.deadline == pytest.approx(before + ahead)
        await services.close()

    asyncio.run(jump())
