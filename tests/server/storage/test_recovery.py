"""Recovery: lost, damaged and altered logs are noticed, and `malecon rescue` recovers what is left."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, update

from malecon.server.operations.doctor import examine
from malecon.server.storage.appends import shadow_log
from malecon.server.storage.database import FILE, BadDatabase, address_of, writing
from malecon.server.storage.recovery.rescue import rescue
from malecon.server.storage.rows import Append
from malecon.server.storage.schema import MOVES
from malecon.server.storage.store import Storage
from tests.cli.command import malecon
from tests.server.people import Player, serving, until
from tests.server.stored_games import long_game


def killed_while_playing(folder: Path, moves: int) -> tuple[str, dict[str, Any], Player]:
    """A game of this number of moves, whose server was killed: everything is still in the write-ahead log."""
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


def test_a_lost_write_ahead_log_is_noticed_and_its_moves_are_recovered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, state, player = killed_while_playing(tmp_path / "club", 20)
    damaged = tmp_path / "club-killed"
    assert (damaged / f"{FILE}-wal").stat().st_size > 10_000
    (damaged / f"{FILE}-wal").unlink()
    findings = [finding for finding in examine(address_of(damaged)) if finding.subject == "logs"]
    assert [finding.state for finding in findings] == ["bad"]
    with serving(damaged) as client:
        health_report = until(lambda: client.get("/healthz").json(), lambda health: not health["ok"])
        assert health_report["problem"] == "moves of 1 tables are missing"
        assert table in caplog.text
        player.client = client
        assert player.state(table)["version"] < state["version"]
    saved = rescue(damaged, tmp_path / "saved")
    assert saved.from_shadow_log >= 20
    assert (saved.cut, saved.lost) == ([], [])
    with serving(tmp_path / "saved") as client:
        player.client = client
        again = player.state(table)
        assert again["history"] == state["history"]
        assert player.move(table, again["legal"][0]["move"]).status_code == 200
        assert client.get("/healthz").json()["ok"] is True


def test_a_damaged_database_is_reported_and_recovered(tmp_path: Path) -> None:
    kept = []
    with serving(tmp_path / "club") as client:
        player = Player(client)
        for _ in range(12):
            state = player.open("me", "me", open_screens=True)
            for _ in range(15):
                state = player.move(state["id"], state["legal"][0]["move"]).json()
            kept.append(state)
    shadow_log.delete(tmp_path / "club" / FILE)
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
                recovered = answer.json()
                assert recovered["history"] == state["history"][: len(recovered["history"])]
                played_on += player.move(state["id"], recovered["legal"][0]["move"]).status_code == 200
        assert played_on >= 6
    file.write_bytes(b"\xaa" * len(data))
    with pytest.raises(BadDatabase, match="malecon rescue"):
        Storage(address_of(tmp_path / "club"))


def test_an_altered_log_is_noticed(database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 0)
    storage.create(row, log[:20])
    assert shadow_log.altered_logs(storage.engine) == []
    for change in (update(MOVES).where(MOVES.c.number == 7).values(seat=5), delete(MOVES).where(MOVES.c.number == 19)):
        with writing(storage.engine) as connection:
            connection.execute(change)
        assert shadow_log.altered_logs(storage.engine) == ["long"]
    storage.close()


def test_the_shadow_log_is_rotated_and_ignores_a_torn_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shadow_log, "MOST_BYTES", 3_000)
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
    storage.check_for_losses()
    assert storage.health.problem is None
    row, log = long_game("santiago", 0)
    storage.create(row, log[:20])
    storage.append(Append(row, log[20:21], over=False, needs_autoplay=False))
    assert row.id in {table for table, *_ in shadow_log.read_shadow_log(tmp_path / FILE)}  # not part of the torn line
    storage.close()


def test_a_rescued_server_knows_its_guests(tmp_path: Path) -> None:
    """The key that marks guests has the number 0: a guest without a seat is believed after the rescue, too."""
    with serving(tmp_path / "club") as client:
        guest, player = Player(client), Player(client)
        player.open("me", "me")
        assert guest.get("/api/tables").status_code == 200
    saved = rescue(tmp_path / "club", tmp_path / "saved")
    assert saved.rows["keys"] >= 1
    assert saved.damaged == []
    with serving(tmp_path / "saved") as client:
        guest.client = client
        assert guest.get("/api/tables").status_code == 200


def test_what_cannot_be_read_at_all_is_said(tmp_path: Path) -> None:
    with serving(tmp_path / "club") as client:
        Player(client).open("me", "me")
    file = tmp_path / "club" / FILE
    content = bytearray(file.read_bytes())
    content[:4096] = bytes(4096)
    file.write_bytes(content)
    for beside in file.parent.glob(f"{FILE}-wal"):
        beside.unlink()
    refused = malecon("rescue", str(tmp_path / "club"), str(tmp_path / "saved"))
    assert refused.returncode == 2
    assert "nothing can be read of" in refused.stderr
    assert not (tmp_path / "saved").exists()
