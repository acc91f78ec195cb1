"""What attacking the service's storage and clock found (F7, F12): each finding is a test that failed then."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, event, update

from malecon.server.errors import Unavailable
from malecon.server.operations.doctor import examine
from malecon.server.storage import heartbeat
from malecon.server.storage.appends import shadow_log
from malecon.server.storage.database import FILE, BadDatabase, address_of, writing
from malecon.server.storage.recovery.rescue import rescue
from malecon.server.storage.schema import MOVES
from malecon.server.storage.store import Storage
from tests.server.people import Player, serving, until
from tests.server.storage.test_storage import long_game

# --- F7: failures of the storage can be seen


def test_f7_a_full_disk_is_told_until_it_is_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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
        with suppress(Unavailable):
            services.storage.set_choices("somebody", long)
        health = client.get("/healthz")
        assert (health.status_code, health.json()["problem"]) == (503, "the disk is full")
        assert "the disk is full" in caplog.text
        event.remove(services.storage.engine, "checkout", limit)
        event.listen(services.storage.engine, "checkout", lambda c, *_: c.execute("PRAGMA max_page_count=1000000"))
        status = player.move(state["id"], move).status_code
        assert status == 200
        assert client.get("/healthz").status_code == 200
        assert "works again" in caplog.text


def played(folder: Path, moves: int) -> tuple[str, dict[str, Any], Player]:
    """A game of so many moves, whose server was killed: everything is still in the write-ahead log."""
    with serving(folder) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
    with serving(folder) as client:
        player.client = client
        # a reader who never ends keeps the write-ahead log from being written into the database
        reader = sqlite3.connect(folder / FILE)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM tables").fetchone()
        for _ in range(moves):
            state = player.move(state["id"], state["legal"][0]["move"]).json()
            assert state["turn"] is not None
        copy = folder.with_name(folder.name + "-killed")
        shutil.copytree(folder, copy)
        reader.close()
    return state["id"], state, player


def test_f7_a_lost_write_ahead_log_is_noticed_and_its_moves_are_saved(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, state, player = played(tmp_path / "club", 20)
    damaged = tmp_path / "club-killed"
    assert (damaged / f"{FILE}-wal").stat().st_size > 10_000
    (damaged / f"{FILE}-wal").unlink()
    findings = [finding for finding in examine(address_of(damaged)) if finding.subject == "logs"]
    assert [finding.state for finding in findings] == ["bad"]
    with serving(damaged) as client:
        found = until(lambda: client.get("/healthz").json(), lambda health: not health["ok"])
        assert found["problem"] == "moves of 1 tables are missing"
        assert table in caplog.text
        player.client = client
        assert player.state(table)["version"] < state["version"]
    saved = rescue(damaged, tmp_path / "saved")
    assert saved.witnessed >= 20
    assert (saved.cut, saved.lost) == ([], [])
    with serving(tmp_path / "saved") as client:
        player.client = client
        again = player.state(table)
        assert again["history"] == state["history"]
        assert player.move(table, again["legal"][0]["move"]).status_code == 200
        assert client.get("/healthz").json() == {"ok": True}


def test_f7_a_damaged_database_says_what_to_do_and_is_rescued(tmp_path: Path) -> None:
    kept = []
    with serving(tmp_path / "club") as client:
        player = Player(client)
        for _ in range(12):
            state = player.open("me", "me", open_screens=True)
            for _ in range(15):
                state = player.move(state["id"], state["legal"][0]["move"]).json()
            kept.append(state)
    shadow_log.forget(tmp_path / "club" / FILE)
    file = tmp_path / "club" / FILE
    whole = rescue(tmp_path / "club", tmp_path / "whole")  # nothing is damaged: nothing is lost
    assert (whole.rows["tables"], whole.cut, whole.lost) == (12, [], [])
    data = bytearray(file.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 3 * 4096] = b"\xaa" * (3 * 4096)
    file.write_bytes(data)
    findings = examine(address_of(tmp_path / "club"))
    assert any(finding.state == "bad" and "rescue" in finding.text for finding in findings)
    saved = rescue(tmp_path / "club", tmp_path / "saved")
    assert saved.rows["tables"] >= 6
    with serving(tmp_path / "saved") as client:
        player.client = client
        played_on = 0
        for state in kept:
            answer = player.get(f"/api/tables/{state['id']}")
            if answer.status_code == 200:
                found = answer.json()
                assert found["history"] == state["history"][: len(found["history"])]
                played_on += player.move(state["id"], found["legal"][0]["move"]).status_code == 200
        assert played_on >= 6
    file.write_bytes(b"\xaa" * len(data))
    with pytest.raises(BadDatabase, match="malecon rescue"):
        Storage(address_of(tmp_path / "club"))


def test_f7_a_log_that_was_altered_is_noticed(database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 0)
    storage.create(row, log[:20])
    assert shadow_log.altered_logs(storage.engine) == []
    for change in (update(MOVES).where(MOVES.c.number == 7).values(seat=5), delete(MOVES).where(MOVES.c.number == 19)):
        with writing(storage.engine) as connection:
            connection.execute(change)
        assert shadow_log.altered_logs(storage.engine) == ["long"]
    storage.close()


def test_f7_the_witness_begins_anew_and_never_knows_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shadow_log, "LARGEST", 3_000)
    with serving(tmp_path) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
        for _ in range(60):
            state = player.move(state["id"], state["legal"][0]["move"]).json()
            if state["turn"] is None:
                break
    path = shadow_log.path_of(tmp_path / FILE)
    assert shadow_log.older(path).exists()
    assert path.stat().st_mode & 0o077 == 0  # it holds moves that lie face down
    with path.open("ab") as cut:
        cut.write(b'["half a li')
    storage = Storage(address_of(tmp_path))
    storage.look_for_losses()
    assert storage.troubles.told is None
    storage.close()


# --- F12: clocks that jump


def test_f12_nobody_loses_time_while_no_server_is_at_work(database: str) -> None:
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


def test_f12_a_clock_that_jumps_while_the_server_runs_resigns_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_f12_a_table_from_the_future_is_woken(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))
    row, log = long_game("santiago", 0)
    storage.create(replace(row, due=True, created=time.time() + 86_400), log[:20])
    assert storage.due_tables(time.time(), 10) == ["long"]
    storage.close()
