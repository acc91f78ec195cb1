"""The store: migrations lose nothing, snapshots are only a cache, a number is used once, long games load at once."""

from __future__ import annotations

import asyncio
import random
import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, event, insert, inspect, select, text, update
from starlette.testclient import TestClient

from malecon.server.errors import Stale
from malecon.server.storage import database as databases
from malecon.server.storage import snapshots
from malecon.server.storage.database import BadDatabase, address_of
from malecon.server.storage.game_log import UNDO, LogEntry
from malecon.server.storage.log_writer import LogWriter
from malecon.server.storage.rows import Append, SeatRow, TableRow, with_seat
from malecon.server.storage.schema import MOVES, SEATS, SNAPSHOTS, TABLES, metadata
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from tests.server.people import Player, serving
from tests.server.postgres import Postgres, lose_acknowledgement, lose_connection
from tests.server.stored_games import long_game, write_log


def test_the_migrations_lead_to_the_schema(database: str) -> None:
    engine = databases.open_engine(database)
    with databases.writing(engine) as connection:
        databases.migrate(connection, databases.head())
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()
    config = Config()
    config.set_main_option("script_location", str(databases.MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == databases.head()


def test_a_new_database_is_at_the_newest_migration(database: str) -> None:
    storage = Storage(database)
    assert databases.revision_of(storage.engine) == databases.head()
    with storage.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    storage.close()
    Storage(database).close()  # once more changes nothing


def test_addresses_that_lead_to_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("", "nothing", "mysql://host/name", "oracle://x", "postgresql+asyncpg://x/y"):
        with pytest.raises(BadDatabase):
            Storage(address)
    with pytest.raises(BadDatabase, match="cannot be opened"):
        Storage("postgresql://malecon@127.0.0.1:1/nothing")
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(BadDatabase, match=r'pip install "psycopg\[binary\]>=3.2"'):
        Storage("postgresql://malecon@127.0.0.1:1/nothing")


def test_a_database_of_a_newer_program_is_left_alone(database: str) -> None:
    storage = Storage(database)
    with databases.writing(storage.engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadDatabase, match="newer"):
        Storage(database)
    assert databases.revision_of(storage.engine) == "9999"
    storage.close()


def test_many_processes_may_start_at_once(postgres: Postgres) -> None:
    address = postgres.new_database()

    async def all_at_once() -> list[Storage]:
        return await asyncio.gather(*(asyncio.to_thread(Storage, address) for _ in range(4)))

    for storage in asyncio.run(all_at_once()):
        assert databases.revision_of(storage.engine) == databases.head()
        storage.close()


# --- snapshots and long games


def same(first: Table, other: Table) -> None:
    assert first.match.to_bytes() == other.match.to_bytes()
    assert (first.game_log, first.row) == (other.game_log, other.row)
    assert [first.match.view(seat).history for seat in range(4)] == [
        other.match.view(seat).history for seat in range(4)
    ]


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_a_long_game_is_on_the_table_in_no_time(database: str, game: str) -> None:
    storage = Storage(database)
    row, log = long_game(game, 2_000)
    write_log(storage, row, log[:-30])
    times = []
    for _ in range(7):
        began = time.process_time()  # the work, not what else the machine does meanwhile
        loaded = storage.load("long")
        assert loaded is not None
        table = Table.of(loaded)
        table.match.view(0)
        times.append(time.process_time() - began)
        assert loaded.snapshot is not None
        assert len(loaded.entries) <= snapshots.INTERVAL_ENTRIES + 1
    whole = storage.load("long", with_snapshot=False)
    assert whole is not None
    same(table, Table.of(whole))
    assert table.version == len(log) - 30 >= 1_950
    storage.close()
    print(f"{game}: {table.version} entries, {1000 * min(times):.1f} ms")
    assert min(times) < 0.05


def test_snapshots_that_do_not_fit_are_not_believed(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))
    row, log = long_game("cuba", 300)
    row = write_log(storage, row, log[:250])
    whole = storage.load("long", with_snapshot=False)
    assert whole is not None
    right = Table.of(whole)
    with storage.engine.connect() as connection:
        good = connection.execute(select(SNAPSHOTS)).one()
    other = Table(row, log[:150])
    shorter = snapshots.take(other.match, other.game_log)
    damaged = bytearray(good.data)
    damaged[-5] ^= 1
    wrong = [
        {"data": bytes(damaged)},
        {"data": b""},
        {"data": good.data[:-1]},
        {"data": shorter.data},  # of another length than it says
        {"number": 150},
        {"number": 4_000},
    ]
    for change in wrong:
        with databases.writing(storage.engine) as connection:
            connection.execute(delete(SNAPSHOTS))
            connection.execute(insert(SNAPSHOTS), {"table": "long", "number": good.number, "data": good.data} | change)
        table = asyncio.run(LiveTables(storage).get("long"))
        assert table.match.to_bytes() == right.match.to_bytes()
        assert table.game_log == right.game_log
    storage.close()


def test_a_table_grows_snapshots_while_it_is_played_and_comes_back_the_same(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        player, dice = Player(client), random.Random(2)
        table = player.open("me", "me", "me", game="cuba")["id"]
        for _ in range(130):
            state = player.state(table)
            if state["turn"] is None:
                break
            if state["can_undo"] and dice.random() < 0.3:
                assert player.post(f"/api/tables/{table}/undo", {}).status_code == 200
            else:
                player.move(table, dice.choice(state["legal"])["move"])
        before = player.state(table)
    storage = Storage(address_of(tmp_path))
    with storage.engine.connect() as connection:
        assert connection.execute(select(SNAPSHOTS.c.number)).scalar_one() >= snapshots.INTERVAL_ENTRIES
        assert [row.number for row in connection.execute(select(MOVES.c.number).order_by(MOVES.c.number))] == list(
            range(before["version"])
        )
    storage.close()
    with serving(tmp_path) as client:
        player.client = client
        assert player.state(table) == before


# --- one writer wins


def test_only_who_knows_the_last_revision_may_write(database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 0)
    storage.create(row, log[:20])
    storage.append(Append(row, log[20:22], over=False, needs_autoplay=False))
    for write in (
        lambda: storage.append(Append(row, log[20:21], over=False, needs_autoplay=False)),
        lambda: storage.append(Append(replace(row, revision=1), log[21:23], over=True, needs_autoplay=True)),
        lambda: storage.set_values(row, pace="calm"),
        lambda: storage.set_seat(row, 0, replace(with_seat(row, 0, SeatRow("bot", bot="greedy")), needs_autoplay=True)),
    ):
        with pytest.raises(Stale):
            write()
    loaded = storage.load("long")
    assert loaded is not None
    assert loaded.entries == log[:22]
    assert loaded.row == replace(row, revision=1)
    with storage.engine.connect() as connection:
        assert len(connection.execute(select(SEATS)).all()) == 4
    storage.close()


def test_tables_that_are_written_together_share_a_transaction_and_no_fate(tmp_path: Path) -> None:
    """Twenty appends that wait at once: few commits, all of them on disk when they are acknowledged, one refused."""
    storage = Storage(address_of(tmp_path))
    row, log = long_game("santiago", 0)
    rows = [replace(row, id=f"table {number}") for number in range(20)]
    for table_row in rows:
        storage.create(table_row, log[:20])
    storage.append(Append(rows[7], log[20:21], over=False, needs_autoplay=False))  # an older revision is too late
    commits = 0

    def counted(connection: object) -> None:
        nonlocal commits
        commits += 1

    async def together() -> list[BaseException | None]:
        log_writer = LogWriter(storage)
        new = [
            Append(table_row, log[20:23], table_row is rows[3], table_row is rows[4], None, 5.5)
            for table_row in rows
            if table_row is not rows[7]
        ]
        event.listen(storage.engine, "commit", counted)
        first = await asyncio.gather(*map(log_writer.append, new), return_exceptions=True)
        assert commits <= 2
        late = [replace(table_row, revision=1) for table_row in rows if table_row is not rows[7]] + [rows[7]]
        last = [Append(table_row, [LogEntry(23, UNDO, 0)], over=False, needs_autoplay=False) for table_row in late]
        return [*first, *await asyncio.gather(*map(log_writer.append, last), return_exceptions=True)]

    outcomes = asyncio.run(together())
    assert [type(outcome) for outcome in outcomes if outcome is not None] == [Stale]
    assert isinstance(outcomes[-1], Stale)
    for table_row in rows:
        loaded = storage.load(table_row.id)
        assert loaded is not None
        expected = log[:21] if table_row is rows[7] else [*log[:23], LogEntry(23, UNDO, 0)]
        assert (loaded.entries, loaded.row.revision) == (expected, 1 if table_row is rows[7] else 2)
    storage.close()


def racing(database: str, races: int) -> None:
    """Two servers' tables on one database, both with a move of the same number: one wins, every time."""

    async def race() -> None:
        storages = [Storage(database), Storage(database)]
        processes = [LiveTables(storage) for storage in storages]
        wins = [0, 0]
        table = None
        for number in range(races):
            if table is None or table.match.is_over:
                opened = await processes[0].open(
                    NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False), "me"
                )
                pair = [opened, await processes[1].get(opened.id)]
            table = pair[0]
            assert pair[1].version == table.version
            moves = [str(move) for move in table.match.legal_moves]
            version = table.version
            results = await asyncio.gather(
                processes[0].move(pair[0], "me", moves[number % len(moves)], version),
                processes[1].move(pair[1], "me", moves[(number * 7) % len(moves)], version),
                return_exceptions=True,
            )
            won = [index for index, result in enumerate(results) if result is None]
            assert len(won) == 1, results
            assert all(isinstance(result, Stale) for result in results if result is not None), results
            wins[won[0]] += 1
            for here, twin in zip(processes, pair, strict=True):
                await here.refresh(twin)
            assert pair[0].match.to_bytes() == pair[1].match.to_bytes()
        print(f"{races} races: {wins[0]} to {wins[1]}, never both, never none")
        for storage in storages:
            storage.close()

    asyncio.run(race())


def test_two_processes_race_for_a_number_and_exactly_one_wins(database: str) -> None:
    racing(database, 100)


@pytest.mark.slow
def test_a_thousand_races(database: str) -> None:
    racing(database, 1_000)


def test_who_asks_after_the_end_leaves_no_connection_behind(database: str) -> None:
    """As threads do that had to wait for their turn while the server stopped."""
    storage = Storage(database)
    storage.close()
    opened: list[object] = []
    event.listen(storage.engine, "connect", lambda connection, _: opened.append(connection))
    event.listen(storage.engine, "close", lambda connection, _: opened.remove(connection))
    storage.set_choices("me", {"name": "Bea"})
    assert storage.choices("me") == {"name": "Bea"}
    assert opened == []


def test_two_people_choose_at_once(database: str) -> None:
    storage = Storage(database)

    async def all_at_once() -> None:
        await asyncio.gather(
            *(asyncio.to_thread(storage.set_choices, "me", {"name": str(number)}) for number in range(12))
        )

    asyncio.run(all_at_once())
    assert storage.choices("me")["name"] in map(str, range(12))
    with storage.engine.connect() as connection:
        assert "people" in inspect(connection).get_table_names()
    storage.close()


def test_a_table_that_is_wrongly_said_to_be_due_is_struck_off(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        table = player.open("me", "me")["id"]
    storage = Storage(address_of(tmp_path))
    with databases.writing(storage.engine) as connection:
        connection.execute(update(TABLES).values(needs_autoplay=True))
    with serving(tmp_path) as client:
        end = time.monotonic() + 5
        while storage.tables_to_autoplay(time.time(), 10) and time.monotonic() < end:
            time.sleep(0.02)
        assert storage.tables_to_autoplay(time.time(), 10) == []
        player.client = client
        assert player.state(table)["legal"]
    storage.close()
    shutil.rmtree(tmp_path)


def test_a_transaction_under_way_ends_before_the_database_is_let_go(database: str) -> None:
    storage = Storage(database)
    reading, go_on, ended = threading.Event(), threading.Event(), []

    def work(connection: Connection) -> None:
        reading.set()
        go_on.wait(10)
        ended.append(connection.execute(text("SELECT 1")).scalar())

    reader = threading.Thread(target=storage.read, args=(work,))
    reader.start()
    assert reading.wait(10)
    threading.Timer(0.2, go_on.set).start()
    storage.close()
    assert ended == [1]
    reader.join(10)


def test_a_table_created_in_the_future_is_due(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))
    row, log = long_game("santiago", 0)
    storage.create(replace(row, needs_autoplay=True, created=time.time() + 86_400), log[:20])
    assert storage.tables_to_autoplay(time.time(), 10) == ["long"]
    storage.close()


ALONE = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)


def test_a_repeated_write_does_not_overwrite_what_others_wrote(postgres: Postgres) -> None:
    async def play() -> None:
        storage = Storage(postgres.new_database())
        tables = LiveTables(storage)
        table = await tables.open(ALONE, "ana")
        old, new = table.row, SeatRow("bot", bot="greedy")
        storage.set_values(old, pace="calm")  # somebody else is faster
        for work in (
            lambda: storage.set_seat(old, 0, _seated(old, new)),
            lambda: storage.set_values(old, pace="fast"),
        ):
            lose_connection(storage)
            with pytest.raises(Stale):
                work()
        now = replace(old, revision=1, pace="calm")
        lose_acknowledgement(storage)
        storage.set_seat(now, 0, _seated(now, new))  # committed, but the answer was lost: once is enough
        loaded = storage.load(table.id)
        assert loaded is not None
        assert (loaded.row.revision, loaded.row.pace, loaded.row.seats[0]) == (2, "calm", new)
        storage.close()

    asyncio.run(play())


def _seated(row: TableRow, seat: SeatRow) -> TableRow:
    return replace(row, seats=(seat, *row.seats[1:]), needs_autoplay=True)


def test_only_the_operating_system_user_may_read_the_database(tmp_path: Path, client: TestClient) -> None:
    assert next(tmp_path.rglob("*.sqlite3")).stat().st_mode & 0o077 == 0
