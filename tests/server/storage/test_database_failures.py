"""Failures of the database: read-only, full, locked, or slow; nothing is lost and no move is half made."""

from __future__ import annotations

import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event

from malecon.server.errors import Stale, Unavailable
from malecon.server.storage import store
from malecon.server.storage.appends import postgres as to_postgres
from malecon.server.storage.appends import shadow_log
from malecon.server.storage.database import FILE, address_of
from malecon.server.storage.rows import Append
from tests.server.people import Player, serving, until
from tests.server.postgres import Postgres
from tests.server.stored_games import long_game


def test_a_database_that_cannot_be_written_to(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
        storage = client.app.state.services.storage  # type: ignore[attr-defined]
        storage._close_log_connection()
        storage.engine.dispose()
        allowed = [0]

        def protect(connection: Any, *_: object) -> None:
            connection.execute(f"PRAGMA query_only={1 - allowed[0]}")

        event.listen(storage.engine, "checkout", protect)
        refused = player.move(state["id"], state["legal"][0]["move"])
        assert refused.status_code == 503
        assert player.state(state["id"]) == state  # nothing has happened, and everybody may look
        health = client.get("/healthz")
        assert (health.status_code, health.json()["problem"]) == (503, "the database cannot be written to")
        assert "malecon_storage_trouble 1" in client.get("/metrics").text
        assert "cannot be written to" in caplog.text
        allowed[0] = 1
        storage._close_log_connection()
        assert player.move(state["id"], state["legal"][0]["move"]).status_code == 200
        assert client.get("/healthz").json()["ok"] is True


def check_play_while_nobody_can_write(place: Path | str, hold: Callable[[], Callable[[], None]]) -> None:
    """While nobody can write, tables in memory are shown; a move waits or is refused, and happens once or never."""
    with serving(place) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
        table, move = state["id"], state["legal"][0]["move"]
        player.state(table)
        let_go = hold()
        answers: list[int] = []
        mover = threading.Thread(target=lambda: answers.append(player.move(table, move, state["version"]).status_code))
        mover.start()
        try:
            looks = 0
            end = time.monotonic() + 3
            while time.monotonic() < end:
                assert player.state(table)["version"] == state["version"]
                assert client.get("/api/games").status_code == 200
                looks += 1
            assert looks > 3
            assert answers == []  # it waits: nobody is told that a move was made before it was
        finally:
            let_go()
        mover.join(60)
        assert answers in ([200], [503])
        after = player.state(table)
        assert (after["version"] > state["version"]) == (answers == [200])
        again = player.move(table, after["legal"][0]["move"], after["version"])
        assert again.status_code == 200
        assert len(again.json()["history"]) == again.json()["version"]


def test_postgresql_answers_slowly(postgres: Postgres) -> None:
    address = postgres.new_database()

    def hold() -> Callable[[], None]:
        connection = psycopg.connect(address)
        connection.execute("LOCK TABLE moves IN ACCESS EXCLUSIVE MODE")

        def let_go() -> None:
            connection.rollback()
            connection.close()

        return let_go

    check_play_while_nobody_can_write(address, hold)


def test_postgresql_does_not_answer_for_long(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a move is told so after a while, and the move does not happen later either."""
    monkeypatch.setattr(to_postgres, "OPTIONS", to_postgres.OPTIONS.replace("timeout=10000", "timeout=300"))
    monkeypatch.setattr(store, "RETRY_FOR_SECONDS", 0.1)
    address = postgres.new_database()
    with serving(address) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
        move = state["legal"][0]["move"]
        with psycopg.connect(address) as slow:
            slow.execute("LOCK TABLE tables IN SHARE MODE")
            assert [player.move(state["id"], move, state["version"]).status_code for _ in range(2)] == [503, 503]
            assert player.state(state["id"]) == state
        assert player.move(state["id"], move, state["version"]).status_code == 200


def test_another_program_locks_the_sqlite_database(tmp_path: Path) -> None:
    def hold() -> Callable[[], None]:
        connection = sqlite3.connect(tmp_path / FILE, isolation_level=None, check_same_thread=False)
        connection.execute("BEGIN IMMEDIATE")
        return connection.close

    check_play_while_nobody_can_write(tmp_path, hold)


def test_a_full_disk_is_reported_until_there_is_room_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
        services = client.app.state.services  # type: ignore[attr-defined]
        pen = services.storage._engine.raw_connection()
        pages = pen.driver_connection.execute("PRAGMA page_count").fetchone()[0]
        pen.close()

        def limit(connection: Any, *_: object) -> None:
            connection.execute(f"PRAGMA max_page_count={pages}")

        event.listen(services.storage.engine, "checkout", limit)
        move, status = state["legal"][0]["move"], 200
        long = {"name": "x" * 400_000}
        for _ in range(10):  # a heartbeat that needs no more room may be written in between, and end the failure
            with suppress(Unavailable):
                services.storage.set_choices("somebody", long)
            health = client.get("/healthz")
            if health.status_code == 503:
                break
        assert (health.status_code, health.json()["problem"]) == (503, "the disk is full")
        assert "the disk is full" in caplog.text
        event.remove(services.storage.engine, "checkout", limit)
        event.listen(services.storage.engine, "checkout", lambda c, *_: c.execute("PRAGMA max_page_count=1000000"))
        status = player.move(state["id"], move).status_code
        assert status == 200
        assert client.get("/healthz").status_code == 200
        assert "works again" in caplog.text


def test_a_move_is_acknowledged_though_the_shadow_log_has_no_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is committed: to refuse it would be a lie. The trouble is reported until all moves are safe again."""
    shadow = shadow_log.path_of(tmp_path / FILE)
    with serving(tmp_path) as client:
        rounds = client.app.state.services._rounds  # type: ignore[attr-defined]
        until(lambda: {"left": len(rounds)}, lambda state: state["left"] == 1)  # the shadow log has been read
        shadow.symlink_to("/dev/full")
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
        for _ in range(2):
            moved = player.move(state["id"], state["legal"][0]["move"], state["version"])
            assert moved.status_code == 200
            state = moved.json()
        health = client.get("/healthz")
        assert (health.status_code, health.json()["problem"]) == (503, "the shadow log is incomplete: the disk is full")
        assert caplog.text.count("the shadow log cannot be written") == 1
        shadow.unlink()
        with closing(sqlite3.connect(tmp_path / FILE)) as reader:  # moves it reads must stay in the write-ahead log
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM moves").fetchone()
            state = player.move(state["id"], state["legal"][0]["move"]).json()
            assert client.get("/healthz").status_code == 503
        player.move(state["id"], state["legal"][0]["move"])
        assert client.get("/healthz").json()["ok"] is True
        assert "the shadow log is complete again" in caplog.text


def test_a_move_on_a_full_disk_is_acknowledged_if_and_only_if_it_is_committed(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", disk], check=False).returncode:
        pytest.skip("only root may make a small disk")
    try:
        with serving(disk) as client:
            player = Player(client)
            state = player.open("me", "me", open_screens=True)
            storage = client.app.state.services.storage  # type: ignore[attr-defined]
            storage.set_choices("somebody", {"name": "x" * 2_000_000})  # the write-ahead log gets its size,
            with closing(sqlite3.connect(disk / FILE)) as checkpoint:
                checkpoint.execute("PRAGMA wal_checkpoint(FULL)")  # and is written from its beginning again
            with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
                while True:
                    filler.write(bytes(4096))
            with closing(sqlite3.connect(f"file:{disk / FILE}?mode=ro", uri=True)) as reader:
                for _ in range(80):
                    before = player.state(state["id"])
                    moved = player.move(state["id"], before["legal"][0]["move"], before["version"])
                    query = 'SELECT count(*) FROM moves WHERE "table" = ?'
                    (stored,) = reader.execute(query, (state["id"],)).fetchone()
                    assert moved.status_code in (200, 503)
                    assert (stored > before["version"]) == (moved.status_code == 200)
            assert client.get("/healthz").status_code == 503
            (disk / "filler").unlink()
            assert player.move(state["id"], player.state(state["id"])["legal"][0]["move"]).status_code == 200
            assert client.get("/healthz").json()["ok"] is True
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


def test_no_move_waits_for_a_reader_when_the_shadow_log_is_rotated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shadow_log, "MOST_BYTES", 1_000)
    monkeypatch.setattr(shadow_log, "RETRY_BYTES", 100)
    storage = store.Storage(address_of(tmp_path))
    row, log = long_game("santiago", 0)
    storage.create(row, log[:20])
    older = shadow_log.older(shadow_log.path_of(tmp_path / FILE))
    numbers = iter(range(20, len(log)))

    def append() -> None:
        number = next(numbers)
        new = Append(replace(row, revision=number - 20), log[number : number + 1], over=False, needs_autoplay=False)
        assert storage.append_all([new]) == [None]

    append()
    with closing(sqlite3.connect(tmp_path / FILE)) as reader:  # as a backup does for minutes
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM moves").fetchone()
        began = time.monotonic()
        for _ in range(50):
            append()
        assert time.monotonic() - began < 10  # half of the time that SQLite waits for a reader, once
        assert not older.exists()  # it has moves that are only in the write-ahead log
    for _ in range(5):
        append()
    assert older.exists()
    storage.close()


def test_moves_that_are_written_alone_are_in_the_shadow_log_too(tmp_path: Path) -> None:
    storage = store.Storage(address_of(tmp_path))
    row, log = long_game("santiago", 0)
    rows = [replace(row, id=name) for name in ("first", "late", "last")]
    for table_row in rows:
        storage.create(table_row, log[:20])
    storage.append(Append(rows[1], log[20:21], over=False, needs_autoplay=False))
    outcomes = storage.append_all([Append(table_row, log[20:22], False, False) for table_row in rows])
    assert [type(outcome) for outcome in outcomes] == [type(None), Stale, type(None)]
    lines = {
        (table, revision, len(entries)) for table, revision, _, entries in shadow_log.read_shadow_log(tmp_path / FILE)
    }
    assert lines == {("first", 1, 2), ("late", 1, 1), ("last", 1, 2)}
    storage.close()
