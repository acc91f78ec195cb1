"""Bad days: a database that cannot be written to, or answers slowly for long, and too few files to open."""

from __future__ import annotations

import json
import resource
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event

from malecon.server.storage import store
from malecon.server.storage.appends import postgres as to_postgres
from malecon.server.storage.database import FILE
from tests.server.people import Player, serving
from tests.server.postgres import Postgres

#: Files that a starved server may open.
FILES = 150


def test_a_database_that_cannot_be_written_to(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
        storage = client.app.state.services.storage  # type: ignore[attr-defined]
        storage._drop_pen()
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
        storage._drop_pen()
        assert player.move(state["id"], state["legal"][0]["move"]).status_code == 200
        assert client.get("/healthz").json() == {"ok": True}


def slow_days(place: Path | str, hold: Callable[[], Callable[[], None]]) -> None:
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

    slow_days(address, hold)


def test_postgresql_does_not_answer_for_long(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a move is told so after a while, and the move does not happen later either."""
    monkeypatch.setattr(to_postgres, "OPTIONS", to_postgres.OPTIONS.replace("timeout=10000", "timeout=300"))
    monkeypatch.setattr(store, "PATIENCE", 0.1)
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


def test_another_program_holds_the_database(tmp_path: Path) -> None:
    def hold() -> Callable[[], None]:
        connection = sqlite3.connect(tmp_path / FILE, isolation_level=None, check_same_thread=False)
        connection.execute("BEGIN IMMEDIATE")
        return connection.close

    slow_days(tmp_path, hold)


def test_too_few_files(tmp_path: Path) -> None:
    """Newcomers are sent away while there are too many; who is connected plays on, and then all is well again."""
    with serving(tmp_path) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
    command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    log = (tmp_path / "log").open("w")
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))  # noqa: E731
    with log, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=few) as server:
        try:
            assert server.stdout
            port = int(server.stdout.readline().rstrip().rstrip("/").rpartition(":")[2])
            with ExitStack() as stack:
                mine = stack.enter_context(socket.create_connection(("127.0.0.1", port), 60))
                move = {"move": state["legal"][0]["move"], "version": state["version"]}
                state = _post(mine, state["id"], player, move)
                for _ in range(3 * FILES):
                    with suppress(OSError):
                        stack.enter_context(socket.create_connection(("127.0.0.1", port), 60))
                move = {"move": state["legal"][0]["move"], "version": state["version"]}
                state = _post(mine, state["id"], player, move)
            with socket.create_connection(("127.0.0.1", port), 60) as line:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert line.recv(1000).startswith(b"HTTP/1.1 200")
        finally:
            server.terminate()
    told = (tmp_path / "log").read_text()
    assert f"may open only {FILES} files" in told
    assert "too many connections" in told
    assert "Traceback" not in told


def _post(line: socket.socket, table: str, player: Player, body: object) -> dict[str, Any]:
    data = json.dumps(body).encode()
    head = f"POST /api/tables/{table}/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(data)}\r\n"
    line.sendall(f"{head}Authorization: {player.headers['authorization']}\r\n\r\n".encode() + data)
    reading = line.makefile("rb")
    assert b"200" in reading.readline()
    length = 0
    while (header := reading.readline().strip()) != b"":
        name, _, value = header.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    found: dict[str, Any] = json.loads(reading.read(length))
    return found
