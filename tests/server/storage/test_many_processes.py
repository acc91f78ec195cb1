"""Several processes on one PostgreSQL: a move is one round trip, nobody reads what they wrote, nothing stays open."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from sqlalchemy import event

from malecon.server.accounts.visitors import Choices, Visitor
from malecon.server.errors import Stale, Unavailable
from malecon.server.storage import notices
from malecon.server.storage.appends import postgres as to_postgres
from malecon.server.storage.game_log import UNDO, LogEntry, extended
from malecon.server.storage.notices import TABLE, MovedDetails, Notice
from malecon.server.storage.rows import Append, Snapshot
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from tests.server.cluster import processes, wait_until
from tests.server.postgres import Postgres
from tests.server.stored_games import long_game

MINE = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)
GUEST = Visitor("guest", Choices(), "en", "wide")


def statements(storage: Storage) -> list[str]:
    """What is asked of the database from now on, apart from the one statement that writes moves."""
    executed: list[str] = []
    event.listen(storage.engine, "before_cursor_execute", lambda *arguments: executed.append(arguments[2]))
    return executed


def test_a_move_is_one_round_trip_and_the_other_process_needs_none(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    append_all = to_postgres.append_all

    def counted(connection: psycopg.Connection[object], appends: list[Append], sender: str) -> set[str]:
        written.append(len(appends))
        return append_all(connection, appends, sender)

    monkeypatch.setattr(to_postgres, "append_all", counted)

    async def play() -> None:
        async with processes(postgres.new_database(), 2) as (first, other):
            here = await first.tables.open(MINE, "me")
            there = await other.tables.get(here.id)
            asked = statements(first.storage), statements(other.storage)
            for _ in range(20):
                await first.tables.move(here, "me", str(here.match.legal_moves[0]), here.version)
                await wait_until(lambda: there.revision == here.revision)
                assert there.match.to_bytes() == here.match.to_bytes()
                assert there.row == here.row
            assert written == [1] * 20
            assert asked == ([], [])
            await first.tables.set_pace(here, "me", "calm")  # what is no move is read by those who show the table
            await wait_until(lambda: there.row.pace == "calm")
            assert asked[1]

    asyncio.run(play())


def test_moves_of_many_tables_share_a_statement_and_no_fate(postgres: Postgres) -> None:
    storage = Storage(postgres.new_database())
    row, log = long_game("santiago", 0)
    rows = [replace(row, id=f"table {number}") for number in range(12)]
    for table_row in rows:
        storage.create(table_row, log[:20])
    storage.append(Append(rows[7], log[20:21], over=False, needs_autoplay=False))  # an older revision is too late
    new = [
        Append(table_row, log[20:23], table_row is rows[3], table_row is rows[4], Snapshot(23, b"x"), 5.5, "abc")
        for table_row in rows
    ]
    outcomes = storage.append_all(new)
    assert [type(outcome) for outcome in outcomes] == [
        Stale if table_row is rows[7] else type(None) for table_row in rows
    ]
    for table_row in rows:
        loaded = storage.load(table_row.id)
        assert loaded is not None
        if table_row is rows[7]:
            assert (loaded.row.revision, loaded.entries, loaded.snapshot) == (1, log[:21], None)
        else:
            assert loaded.entries == log[22:23]  # the last one that the snapshot stands for
            assert loaded.snapshot == Snapshot(23, b"x")
            expected = replace(
                table_row,
                revision=1,
                over=table_row is rows[3],
                needs_autoplay=table_row is rows[4],
                deadline=5.5,
                digest="abc",
            )
            assert loaded.row == expected
    storage.close()


def test_a_move_whose_acknowledgement_was_lost_is_made_once(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks right after the commit: the move is found on disk, and not refused as too late."""
    storage = Storage(postgres.new_database())
    row, log = long_game("santiago", 0)
    storage.create(row, log[:20])
    append_all, breaks = to_postgres.append_all, [True]

    def broken(connection: psycopg.Connection[object], appends: list[Append], sender: str) -> set[str]:
        done = append_all(connection, appends, sender)
        if breaks.pop():
            breaks.append(False)
            raise psycopg.OperationalError("the server closed the connection unexpectedly")
        breaks.append(False)
        return done

    monkeypatch.setattr(to_postgres, "append_all", broken)
    assert storage.append_all([Append(row, log[20:22], over=False, needs_autoplay=False)]) == [None]
    loaded = storage.load(row.id)
    assert loaded is not None
    assert (loaded.row.revision, loaded.entries) == (1, log[:22])
    storage.close()


def test_two_processes_with_the_same_tables_never_wait_for_each_other(postgres: Postgres) -> None:
    """Both write to the same forty tables, in opposite order, again and again: one of them wins each, no deadlock."""
    address = postgres.new_database()
    storages = [Storage(address), Storage(address)]
    row, log = long_game("santiago", 0)
    rows = [replace(row, id=f"table {number:02}") for number in range(40)]
    for table_row in rows:
        storages[0].create(table_row, log[:20])
    wins: list[list[str]] = [[], []]

    def write(number: int, revision: int) -> None:
        ordered = rows if number else rows[::-1]
        new = [
            Append(replace(table_row, revision=revision), [LogEntry(20 + revision, UNDO, 0)], False, False)
            for table_row in ordered
        ]
        outcomes = storages[number].append_all(new)
        wins[number] += [table_row.id for table_row, outcome in zip(ordered, outcomes, strict=True) if outcome is None]

    for revision in range(10):
        wins[0].clear(), wins[1].clear()
        threads = [threading.Thread(target=write, args=(number, revision)) for number in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert sorted(wins[0] + wins[1]) == [table_row.id for table_row in rows]
    for storage in storages:
        storage.close()


def test_a_torn_read_does_not_silence_live_pages(postgres: Postgres) -> None:
    """A move is committed between the statements with which another process reads the row and the log."""

    async def play() -> None:
        loop = asyncio.get_running_loop()
        async with processes(postgres.new_database(), 2) as (first, other):
            here = await first.tables.open(MINE, "me")
            there = await other.tables.get(here.id)
            shown: list[int] = []
            there.listeners.add(lambda: shown.append(there.version))
            between: list[str] = []

            def commit_between(*arguments: Any) -> None:
                if "FROM moves" in arguments[2] and not between:
                    between.append(str(here.match.legal_moves[0]))
                    asyncio.run_coroutine_threadsafe(first.tables.move(here, "me", between[0]), loop).result(20)

            event.listen(other.storage.engine, "before_cursor_execute", commit_between)
            await first.tables.set_pace(here, "me", "calm")
            await wait_until(lambda: bool(between) and there.revision == here.revision)
            for _ in range(3):
                await first.tables.move(here, "me", str(here.match.legal_moves[0]))
                await wait_until(lambda: shown[-1] == here.version)
            assert await other.tables.get(here.id) is there
            assert there.match.to_bytes() == here.match.to_bytes()
            assert there.row == here.row

    asyncio.run(play())


def test_a_notice_that_does_not_fit_makes_the_table_load_again(postgres: Postgres) -> None:
    async def play() -> None:
        address = postgres.new_database()
        async with processes(address, 2) as (first, other):
            here = await first.tables.open(MINE, "me")
            there = await other.tables.get(here.id)
            shown: list[int] = []
            there.listeners.add(lambda: shown.append(there.revision))
            strange = MovedDetails([(there.version + 1, UNDO, 0, "", False)], False, False, None, None)
            with psycopg.connect(address, autocommit=True) as connection:
                notice = notices.pack(Notice("somebody", TABLE, here.id, there.revision + 1, strange))
                connection.execute("SELECT pg_notify(%s, %s)", (notices.CHANNEL, notice))
            await wait_until(lambda: bool(shown))
            assert (there.version, there.row) == (here.version, here.row)
            await first.tables.move(here, "me", str(here.match.legal_moves[0]))
            await wait_until(lambda: shown[-1] == here.revision)
            assert there.match.to_bytes() == here.match.to_bytes()

    asyncio.run(play())


def test_followers_of_a_table_that_cannot_be_read_are_disconnected(postgres: Postgres) -> None:
    """They connect again; a change at the table, or the next visitor, reads it into the same object."""

    async def play() -> None:
        address = postgres.new_database()
        async with processes(address, 2) as (first, other):
            here = await first.tables.open(MINE, "me")
            there = await other.tables.get(here.id)
            follows = asyncio.ensure_future(anext(there.changes(at_once=False)))
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute("ALTER TABLE seats RENAME TO lost_seats")
                await first.tables.move(here, "me", str(here.match.legal_moves[0]))
                await wait_until(lambda: there.revision == here.revision)
                await asyncio.wait_for(follows, 20)
                follows = asyncio.ensure_future(anext(there.changes(at_once=False)))
                changed = notices.pack(Notice("another process", TABLE, here.id))
                connection.execute("SELECT pg_notify(%s, %s)", (notices.CHANNEL, changed))
                with pytest.raises(Unavailable):
                    await asyncio.wait_for(follows, 20)
                connection.execute("ALTER TABLE lost_seats RENAME TO seats")
            await first.tables.move(here, "me", str(here.match.legal_moves[0]))
            assert await other.tables.get(here.id) is there
            assert not there.is_outdated
            assert there.match.to_bytes() == here.match.to_bytes()

    asyncio.run(play())


def test_a_lost_notice_is_made_up_for(postgres: Postgres) -> None:
    async def play() -> None:
        address = postgres.new_database()
        async with processes(address, 1) as (first,):
            here = await first.tables.open(MINE, "me")
            deaf = LiveTables(Storage(address))
            there = await deaf.get(here.id)
            shown: list[int] = []
            there.listeners.add(lambda: shown.append(there.version))
            await first.tables.move(here, "me", str(here.match.legal_moves[0]))
            await deaf.tick()
            assert shown == [here.version]
            await first.tables.move(here, "me", str(here.match.legal_moves[0]))
            await deaf.tick()  # it is not time yet
            assert len(shown) == 1
            await deaf.finish()
            deaf._storage.close()

    asyncio.run(play())


def test_no_connection_stays_in_a_transaction(postgres: Postgres) -> None:
    address = postgres.new_database()

    async def play() -> None:
        async with processes(address, 1) as (services,):
            table = await services.tables.open(MINE, "me")
            await asyncio.to_thread(services.storage.choices, "me")
            await services.tables.tables_of("me")
            await services.tables.move(table, "me", str(table.match.legal_moves[0]))
            with psycopg.connect(address, autocommit=True) as connection:
                query = (
                    "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

                def are_idle() -> bool:
                    return {row[0] for row in connection.execute(query)} == {"idle"}

                await wait_until(are_idle)  # others may be at work for a moment; a transaction would stay open

    asyncio.run(play())


def test_a_move_finds_its_rows_by_their_keys(postgres: Postgres) -> None:
    """Also if it was planned while there was but one table."""
    storage = Storage(postgres.new_database())
    row, log = long_game("santiago", 0)
    storage.create(row, log[:20])
    pen = storage._connect_for_logs()
    values = {"now": 0.0, "moved": "[]", "logged": "[]"}
    plan = "\n".join(line[0] for line in pen.execute(b"EXPLAIN " + to_postgres._PLAIN, values))
    assert "Seq Scan" not in plan
    assert "tables_pkey" in plan
    pen.close()
    storage.close()


def test_choices_made_in_one_process_are_known_in_the_other(postgres: Postgres) -> None:
    async def choose() -> None:
        async with processes(postgres.new_database(), 2) as (first, other):
            await asyncio.to_thread(first.storage.set_choices, "ana", {"language": "it"})

            def remembers() -> bool:  # for good, once the notice of the change, which makes it forget, is through
                return other.storage.choices("ana") == {"language": "it"} == other.storage.cached_choices("ana")

            await wait_until(remembers)
            await asyncio.to_thread(first.storage.set_choices, "ana", {"language": "de"})
            await wait_until(lambda: other.storage.cached_choices("ana") is None)
            assert await asyncio.to_thread(other.storage.choices, "ana") == {"language": "de"}

    asyncio.run(choose())


def test_notices_that_are_long_own_or_strange() -> None:
    entries = [LogEntry(number, "move", 0, "x" * 60) for number in range(200)]
    moved = MovedDetails.of(Append(long_game("santiago", 0)[0], entries, False, False))
    long = notices.pack(Notice("me", TABLE, "a", 5, moved))
    assert len(long) <= notices.MOST_BYTES
    assert notices.unpack(long, "other") == Notice("me", TABLE, "a", 5)
    assert notices.unpack(long, "me") is None
    for strange in ("", "person:ana", "{}", "[1]", '["a","table"]'):
        assert notices.unpack(strange, "me") is None


def test_the_digest_of_a_log_tells_whether_something_is_missing() -> None:
    row, log = long_game("santiago", 0)
    whole = extended(None, log)
    assert extended(extended(None, log[:7]), log[7:]) == whole
    assert len({whole, extended(None, log[:-1]), extended(None, log[1:]), extended(None, log[:3] + log[4:])}) == 4
    assert Table(row, log).version == len(log)
