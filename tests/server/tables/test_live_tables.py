"""Tables in memory: each exists once, a broken one stops no other, and idle ones are loaded again."""

from __future__ import annotations

import asyncio
import gc
import time
from pathlib import Path

import pytest
from sqlalchemy import update

from malecon.server.errors import NoSuchTable
from malecon.server.operations.memory import Memory
from malecon.server.storage import database as databases
from malecon.server.storage.database import address_of
from malecon.server.storage.game_log import DamagedLog
from malecon.server.storage.schema import MOVES, SEATS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from tests.server.people import Player, serving, until

ALONE = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)


def test_a_table_is_not_lost_for_a_name_on_disk(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        ana = Player(client)
        table = ana.open("me", "me")["id"]
    storage = Storage(address_of(tmp_path))
    with databases.writing(storage.engine) as connection:
        connection.execute(update(SEATS).values(name="x" * 80))
    storage.close()
    with serving(tmp_path) as client:
        ana.client = client
        assert ana.state(table)["legal"]
        assert client.get("/", headers=ana.headers).status_code == 200


@pytest.mark.parametrize("damage", ["no such move", "drive 1"])
def test_a_damaged_log_is_reported_and_other_tables_go_on(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An entry is no move at all, or no legal one: nothing is made up in its place."""
    with serving(tmp_path) as client:
        ana = Player(client)
        damaged, sound = ana.open("me", "me")["id"], ana.open("me", "me")["id"]
    storage = Storage(address_of(tmp_path))
    with databases.writing(storage.engine) as connection:
        second = (MOVES.c.table == damaged) & (MOVES.c.number == 1)
        connection.execute(update(MOVES).where(second).values(move=damage))
    loaded = storage.load(damaged)
    assert loaded is not None
    with pytest.raises(DamagedLog, match=damaged):
        Table.of(loaded)
    storage.close()
    with serving(tmp_path) as client:
        ana.client = client
        assert ana.get(f"/api/tables/{damaged}").status_code == 500
        assert ana.get(f"/tables/{damaged}").status_code == 500
        assert any(damaged in str(record.exc_info) for record in caplog.records if record.exc_info)
        assert ana.state(sound)["legal"]


def test_one_broken_table_does_not_stop_the_others(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        ana = Player(client)
        broken = ana.open("me", "me")["id"]
        sound = ana.open("bot:random", "me", pace="calm")["id"]
    storage = Storage(address_of(tmp_path))
    with databases.writing(storage.engine) as connection:
        connection.execute(update(MOVES).where(MOVES.c.table == broken).values(move="no such move"))
        connection.execute(
            update(TABLES).where(TABLES.c.id == broken).values(needs_autoplay=True, changed=0, deadline=1.0)
        )
        connection.execute(update(TABLES).where(TABLES.c.id == sound).values(pace="instant"))
    storage.close()
    with serving(tmp_path) as client:
        ana.client = client
        until(lambda: client.get(f"/api/tables/{sound}", headers=ana.headers).json(), lambda state: state["legal"], 15)


def test_there_is_only_one_of_each_table_however_many_there_are(tmp_path: Path) -> None:
    async def play() -> None:
        storage = Storage(address_of(tmp_path))
        tables = LiveTables(storage, memory=Memory(200_000))  # two of them
        first = await tables.open(ALONE, "ana")
        for _ in range(5):
            await tables.open(ALONE, "ana")
        assert await tables.get(first.id) is first  # somebody holds it
        name, before = first.id, first.version
        await tables.move(first, "ana", str(first.match.legal_moves[0]))
        for _ in range(5):
            await tables.open(ALONE, "ana")
        del first
        gc.collect()
        assert tables.count <= 3
        again = await tables.get(name)
        assert again.version > before
        storage.close()

    asyncio.run(play())


def test_a_table_exists_once_after_a_load_failed(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))

    async def race() -> None:
        tables = LiveTables(storage)
        new = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)
        name = (await tables.open(new, "me")).id
        del tables._live[name], tables._recent[name]
        load, fails = storage.load, [True, False, False, False]

        def broken(table: str, with_snapshot: bool = True) -> object:
            time.sleep(0.05)
            if fails.pop(0):
                raise NoSuchTable
            return load(table, with_snapshot)

        storage.load = broken  # type: ignore[method-assign, assignment]
        first = [asyncio.create_task(tables.get(name)) for _ in range(3)]
        await asyncio.sleep(0.02)
        first[0].cancel()  # a cancelled request does not cancel the others
        failed = await asyncio.gather(*first, return_exceptions=True)
        assert [type(error) for error in failed[1:]] == [NoSuchTable] * 2
        loaded = await asyncio.gather(*(tables.get(name) for _ in range(20)))
        assert len({id(table) for table in loaded}) == 1
        assert tables._loading == {}

    asyncio.run(race())
    storage.close()
