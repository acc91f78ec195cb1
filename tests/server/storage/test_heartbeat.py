"""The heartbeat of the servers: time in which no server ran, and jumps of the clock, cost no player any time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from malecon.server.operations.metrics import Metrics
from malecon.server.storage import heartbeat
from malecon.server.storage.database import address_of, writing
from malecon.server.storage.schema import HEARTBEATS
from malecon.server.storage.store import Storage
from malecon.server.tables import timing
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.web.services import Services
from tests.clock import Clock
from tests.server.postgres import Postgres
from tests.server.stored_games import long_game


def test_deadlines_move_by_the_time_in_which_no_server_ran(database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 0)
    storage.create(replace(row, clock="day", deadline=1_000_000.0), log[:20])
    storage.create(replace(row, id="over", clock="day", deadline=1_000_000.0, over=True), [])
    storage.create(replace(row, id="free"), [])
    clock = heartbeat.DatabaseClock(storage)
    assert heartbeat.record(storage, clock) == 0.0  # the first ever
    assert heartbeat.record(storage, clock) == 0.0
    deadline = 1_000_000.0
    for missing in (2 * 86_400.0, -86_400.0, 3600.0, -3600.0):
        with writing(storage.engine) as connection:
            connection.execute(update(HEARTBEATS).values(wall=HEARTBEATS.c.wall - missing))
        moved = heartbeat.record(storage, clock)
        assert moved == pytest.approx(missing, abs=5)
        deadline += moved
        loaded = storage.load("long")
        assert loaded is not None
        assert loaded.row.deadline == pytest.approx(deadline)
        assert heartbeat.record(storage, clock) == 0.0
    assert storage.revisions(["long", "over", "free"]) == {"long": 4, "over": 0, "free": 0}
    storage.close()


@pytest.mark.parametrize("behind", [8.0, 20.0, -20.0, 3600.0, -3600.0])
def test_machines_whose_clocks_differ_move_no_deadlines(postgres: Postgres, behind: float) -> None:
    async def play() -> None:
        address, clocks = postgres.new_database(), (Clock(), Clock())
        clocks[1].advance(-behind)
        machines = [Services(Storage(address), Metrics(), clock=clock) for clock in clocks]
        for machine in machines:
            await machine.deadlines.tick()
        seats = NewSeat("me"), NewSeat("me", "Bea")
        new = NewTable("santiago", seats, clock="ten-minutes", time_up=timing.RESIGN)
        opened = [await machine.tables.open(new, "ana") for machine in machines]
        before = [table.row.deadline for table in opened]
        assert before[0] == pytest.approx(before[1], abs=5)
        for _ in range(5):
            for machine, clock in zip(machines, clocks, strict=True):
                clock.advance(10)  # at once, which is no time by the clock of the database
                await machine.deadlines.tick()
        for machine in machines:
            tables = [await machine.tables.get(table.id) for table in opened]
            for table in tables:
                await machine.tables.refresh(table)
            assert [table.row.deadline for table in tables] == before
            assert [table.revision for table in tables] == [0, 0]
        for machine in machines:
            await machine.close()

    asyncio.run(play())


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
