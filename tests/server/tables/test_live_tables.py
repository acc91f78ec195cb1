"""What must not go wrong when much happens at once: bad names, broken tables, short memory, a server that stops."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from malecon.server.accounts.ratings import Ratings
from malecon.server.errors import Stale
from malecon.server.operations.memory import Memory
from malecon.server.operations.metrics import Metrics
from malecon.server.storage import database as databases
from malecon.server.storage.database import address_of
from malecon.server.storage.rows import SeatRow, TableRow
from malecon.server.storage.schema import MOVES, SEATS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.tables.actions import TableActions
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.web.services import Services
from tests.server.people import Player, serving, until
from tests.server.postgres import Postgres

TWO_BOTS = NewTable("santiago", (NewSeat("bot:random"), NewSeat("bot:random")), pace="instant")
ALONE = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)


@pytest.mark.parametrize("name", ["x" * 41, "a\u202eb", "a\u0007b"])
def test_a_name_that_cannot_be_takes_no_seat(tmp_path: Path, name: str) -> None:
    with serving(tmp_path) as client:
        ana, ben = Player(client), Player(client)
        opened = ana.open("me", "open")
        token = opened["seats"][1]["invitation"]
        assert ben.post("/api/join", {"token": token, "name": name}).status_code == 400
        assert ana.state(opened["id"]) == opened
    with serving(tmp_path) as client:  # and nothing of it was kept
        ana.client = ben.client = client
        assert ana.state(opened["id"]) == opened
        assert ben.post("/api/join", {"token": token, "name": "Ben"}).status_code == 200


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


def test_one_broken_table_does_not_stop_the_others(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        ana = Player(client)
        broken = ana.open("me", "me")["id"]
        sound = ana.open("bot:random", "me", pace="calm")["id"]
    storage = Storage(address_of(tmp_path))
    with databases.writing(storage.engine) as connection:
        connection.execute(update(MOVES).where(MOVES.c.table == broken).values(move="no such move"))
        connection.execute(update(TABLES).where(TABLES.c.id == broken).values(due=True, changed=0, deadline=1.0))
        connection.execute(update(TABLES).where(TABLES.c.id == sound).values(pace="instant"))
    storage.close()
    with serving(tmp_path) as client:
        ana.client = client
        until(lambda: client.get(f"/api/tables/{sound}", headers=ana.headers).json(), lambda state: state["legal"], 15)


def test_there_is_only_one_of_each_table_however_many_there_are(tmp_path: Path) -> None:
    async def play() -> None:
        storage = Storage(address_of(tmp_path))
        tables = TableActions(storage, memory=Memory(200_000))  # two of them
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


def test_what_was_tried_again_does_not_overwrite_what_others_did(postgres: Postgres) -> None:
    async def play() -> None:
        storage = Storage(postgres.new_database())
        tables = TableActions(storage)
        table = await tables.open(ALONE, "ana")
        old, new = table.row, SeatRow("bot", bot="greedy")
        storage.set_values(old, pace="calm")  # somebody else is faster
        for work in (
            lambda: storage.set_seat(old, 0, _seated(old, new)),
            lambda: storage.set_values(old, pace="fast"),
        ):
            _break_once(storage)
            with pytest.raises(Stale):
                work()
        now = replace(old, revision=1, pace="calm")
        _break_once(storage, after=True)
        storage.set_seat(now, 0, _seated(now, new))  # committed, but the answer was lost: once is enough
        loaded = storage.load(table.id)
        assert loaded is not None
        assert (loaded.row.revision, loaded.row.pace, loaded.row.seats[0]) == (2, "calm", new)
        storage.close()

    asyncio.run(play())


def _seated(row: TableRow, seat: SeatRow) -> TableRow:
    return replace(row, seats=(seat, *row.seats[1:]), due=True)


def _break_once(storage: Storage, after: bool = False) -> None:
    """The next transaction breaks: before anything happened, or after the commit."""
    broken = [True]
    writing = storage.write

    def write(work):  # type: ignore[no-untyped-def]
        def once(again: bool) -> object:
            if broken and not after:
                broken.clear()
                raise OperationalError("", {}, Exception("gone"))
            with databases.writing(storage.engine) as connection:
                found = work(connection, again)
            if broken:
                broken.clear()
                raise OperationalError("", {}, Exception("gone"))
            return found

        storage.write = writing  # type: ignore[method-assign]
        return storage._patiently(once, 5)

    storage.write = write  # type: ignore[method-assign]


def test_a_game_that_is_not_over_in_memory_is_not_counted(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))
    table = asyncio.run(TableActions(storage).open(ALONE, "ana"))
    assert not Ratings(storage).settle(table.row, None)
    loaded = storage.load(table.id)
    assert loaded is not None
    assert not loaded.row.settled
    storage.close()


def test_a_server_that_stops_makes_no_more_moves(tmp_path: Path) -> None:
    async def play() -> int:
        services = Services(Storage(address_of(tmp_path)), Metrics())
        services.open()
        table = await services.tables.open(TWO_BOTS, "ana")
        while table.version < 40:
            await asyncio.sleep(0.01)
        await services.close()
        version = table.version
        await asyncio.sleep(0.2)
        assert table.version == version
        return version

    version = asyncio.run(play())
    storage = Storage(address_of(tmp_path))
    with storage.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(MOVES)).scalar() == version
    storage.close()


def test_text_with_a_zero_is_refused(database: str) -> None:
    with serving(database) as client:
        ana = Player(client)
        for path in ("/tables/%00", "/join/%00", "/api/tables/%00"):
            assert client.get(path, headers=ana.headers).status_code in (400, 404)
        assert ana.post("/api/join", {"token": "a\0b"}).status_code in (400, 404)
        assert ana.post("/api/settings", {"name": "a\0b"}).status_code != 500


def test_only_the_owner_may_read_the_database(tmp_path: Path, client: TestClient) -> None:
    assert next(tmp_path.rglob("*.sqlite3")).stat().st_mode & 0o077 == 0
