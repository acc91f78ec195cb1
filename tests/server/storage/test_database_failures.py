"""Failures of the database: read-only, full, locked, or slow; nothing is lost and no move is half made."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event

from malecon.server.errors import Unavailable
from malecon.server.storage import store
from malecon.server.storage.appends import postgres as to_postgres
from malecon.server.storage.database import FILE
from tests.server.people import Player, serving
from tests.server.postgres import Postgres


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
        assert client.get("/healthz").json() == {"ok": True}


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
