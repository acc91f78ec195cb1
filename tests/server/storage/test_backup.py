"""Backups: of either database, of a running server, refused if damaged, restored into the other kind."""

from __future__ import annotations

import json
import random
import stat
import threading
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from malecon.cli import app
from malecon.server.storage.database import BadDatabase, address_of, open_engine, writing
from malecon.server.storage.recovery import backup
from malecon.server.storage.recovery.backup import BadBackup
from malecon.server.storage.store import Storage
from tests.server.people import Player, serving
from tests.server.postgres import Postgres


def play_some(place: Path | str) -> tuple[Player, dict[str, dict]]:
    with serving(place) as client:
        player, dice = Player(client), random.Random(4)
        client.post("/settings", data={"name": "Änne", "language": "de"}, headers=player.headers)
        states = {}
        for game in ("santiago", "cuba"):
            table = player.open("me", "me", game=game)["id"]
            for _ in range(40):
                player.move(table, dice.choice(player.state(table)["legal"])["move"])
            states[table] = player.state(table)
    return player, states


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_backup_moves_between_kinds_of_database(
    database: str, target: str, tmp_path: Path, postgres: Postgres
) -> None:
    player, before = play_some(database)
    file = tmp_path / "all.zip"
    kept = backup.back_up(database, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept.rows["tables"] == 2
    other = address_of(tmp_path / "other") if target == "sqlite" else postgres.new_database()
    assert backup.restore(file, other) == kept
    with serving(other) as client:
        player.client = client
        for table, state in before.items():
            assert player.state(table) == state
            assert player.move(table, state["legal"][0]["move"]).status_code == 200
        assert "Änne" in client.get("/settings", headers=player.headers).text
    with pytest.raises(BadBackup, match="not empty"):
        backup.restore(file, other)


def test_a_backup_leaves_the_tables_of_other_programs_alone(tmp_path: Path, database: str) -> None:
    with serving(tmp_path / "club") as client:
        Player(client).open("me", "me")
    file, again = tmp_path / "club.zip", tmp_path / "again.zip"
    backup.back_up(address_of(tmp_path / "club"), file)
    engine = open_engine(database)
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE bookings (day DATE)"))
        connection.execute(text("CREATE TABLE guests (name VARCHAR(40))"))
        connection.execute(text("INSERT INTO guests VALUES ('Bea')"))
    kept = backup.restore(file, database)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT * FROM guests")).all() == [("Bea",)]
        assert connection.execute(text("SELECT * FROM bookings")).all() == []
    engine.dispose()
    assert backup.back_up(database, again) == kept  # and does not take them along
    with pytest.raises(BadBackup):
        backup.restore(file, database)


def test_a_backup_of_a_running_server_is_one_moment(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        player, done = Player(client), threading.Event()
        table = player.open("me", "me", game="cuba")["id"]

        def play() -> None:
            while not done.is_set():
                state = player.state(table)
                if state["turn"] is None:
                    return
                player.move(table, state["legal"][-1]["move"])

        playing = threading.Thread(target=play)
        playing.start()
        for number in range(5):
            file = tmp_path / f"{number}.zip"
            backup.back_up(address_of(tmp_path), file)
            backup.restore(file, address_of(tmp_path / str(number)))
            storage = Storage(address_of(tmp_path / str(number)))
            loaded = storage.load(table)
            storage.close()
            assert loaded is not None
            assert [entry.number for entry in loaded.entries] == list(range(len(loaded.entries)))
        done.set()
        playing.join()


def test_damaged_backups_are_refused_and_change_nothing(tmp_path: Path) -> None:
    _, before = play_some(tmp_path / "club")
    file = tmp_path / "all.zip"
    backup.back_up(address_of(tmp_path / "club"), file)
    good, wrong = file.read_bytes(), tmp_path / "wrong.zip"
    target = address_of(tmp_path / "other")

    def rewritten(change: dict[str, bytes | None]) -> None:
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(wrong, "w") as new:
            for name in old.namelist():
                data = change.get(name, old.read(name)) if name in change else old.read(name)
                if data is not None:
                    new.writestr(name, data)

    with zipfile.ZipFile(file) as archive:
        moves, manifest = archive.read("moves.jsonl"), json.loads(archive.read(backup.MANIFEST))
    lines = moves.splitlines(keepends=True)
    gap = b"".join(lines[:5] + lines[6:])
    import hashlib

    sealed = json.loads(json.dumps(manifest))
    sealed["parts"]["moves"] = {"rows": len(lines) - 1, "sha256": hashlib.sha256(gap).hexdigest()}
    newer = manifest | {"revision": "9999"}
    cases: list[bytes | dict[str, bytes | None]] = [
        b"",
        good[: len(good) // 2],
        good[: len(good) // 3] + bytes([good[len(good) // 3] ^ 1]) + good[len(good) // 3 + 1 :],
        {"moves.jsonl": moves.replace(b"move", b"Move", 1)},
        {"moves.jsonl": gap},
        {"moves.jsonl": gap, backup.MANIFEST: json.dumps(sealed).encode()},
        {"moves.jsonl": None},
        {backup.MANIFEST: None},
        {backup.MANIFEST: b"[]"},
        {backup.MANIFEST: json.dumps(newer).encode()},
    ]
    for case in cases:
        if isinstance(case, bytes):
            wrong.write_bytes(case)
        else:
            rewritten(case)
        with pytest.raises(BadBackup):
            backup.restore(wrong, target)
    backup.restore(file, target)
    assert before


def test_backups_at_the_command_line(tmp_path: Path) -> None:
    play_some(tmp_path / "club")
    run, file = CliRunner().invoke, tmp_path / "all.zip"
    kept = run(app, ["backup", str(file), "--data", str(tmp_path / "club")])
    assert kept.exit_code == 0
    assert "2 tables" in kept.stdout
    assert run(app, ["restore", str(file), "--data", str(tmp_path / "other")]).exit_code == 0
    assert isinstance(run(app, ["restore", str(file), "--data", str(tmp_path / "other")]).exception, BadBackup)
    assert isinstance(run(app, ["backup", str(file), "--data", str(tmp_path / "none")]).exception, BadBackup)
    assert isinstance(
        run(app, ["backup", str(file), "--database", "postgresql://x@127.0.0.1:1/y"]).exception, BadDatabase
    )
    assert run(app, ["backup", str(file), "--data", "x", "--database", "sqlite://"]).exit_code != 0
