"""Running it: health, numbers, logs without secrets, backups, a doctor, and an end that loses nothing."""

from __future__ import annotations

import gc
import json
import logging
import random
import re
import signal
import stat
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text
from starlette.testclient import TestClient
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from malecon.cli import app
from malecon.server.operations import doctor
from malecon.server.operations.metrics import JsonLines
from malecon.server.storage import database
from malecon.server.storage.database import BadDatabase, address_of, open_engine, writing
from malecon.server.storage.recovery import backup
from malecon.server.storage.recovery.backup import BadBackup
from malecon.server.storage.store import Storage
from tests.paths import ROOT
from tests.server.people import Player, serving
from tests.server.postgres import Postgres


def test_health_and_numbers(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"ok": True}
    player = Player(client)
    table = player.open("me", "bot:greedy")["id"]
    for _ in range(5):
        player.move(table, player.my_turn(table)["legal"][0]["move"])
    client.post(f"/api/tables/{table}/moves", json={"move": "fly"})
    with client.websocket_connect(f"/api/tables/{table}/events", headers=player.headers) as socket:
        socket.receive_json()
        answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    found = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }
    assert found["malecon_tables",] == 1
    assert found["malecon_sockets",] == 1
    assert found["malecon_moves_total", "person"] == 5
    assert found["malecon_moves_total", "bot"] >= 4
    assert found["malecon_requests_total", "/api/tables/{table}/moves", "200", "POST"] == 5
    assert found["malecon_requests_total", "/api/tables/{table}/moves", "403", "POST"] == 1
    assert found["malecon_request_seconds_count", "/api/tables/{table}/moves"] == 6
    assert found["malecon_think_seconds_count", "greedy"] >= 1
    assert table not in answer.text


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # connections that died are dropped
def test_health_says_when_the_database_is_gone() -> None:
    own = Postgres()
    try:
        with serving(own.new_database()) as client:
            assert client.get("/healthz").status_code == 200
            own.stop("immediate")
            answer = client.get("/healthz")
            assert answer.status_code == 503
            assert "database" in client.get("/healthz", headers={"accept": "application/json"}).json()["error"]
            own.start()
            assert client.get("/healthz").status_code == 200
    finally:
        own.close()
    gc.collect()


def test_logs_are_json_and_hold_no_secrets(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    player = Player(client)
    opened = player.open("me", "open")
    invitation, secret = opened["seats"][1]["invitation"], player.headers["authorization"].split()[1]
    client.get(f"/join/{invitation}")
    client.get(f"/join/{invitation}x?token={secret}")
    client.post("/api/join", json={"token": invitation}, headers={"cookie": f"malecon={secret}"})
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records if record.name.startswith("malecon")]
    assert {line["route"] for line in lines} >= {"/join/{token}", "/api/join", "/api/tables"}
    assert all(line["level"] and line["time"].endswith("Z") and line["ms"] >= 0 for line in lines)
    told = json.dumps(lines)
    assert invitation not in told
    assert secret not in told


def test_a_crash_is_logged_without_what_was_asked(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(tmp_path) as client:
        token = Player(client).open("me", "open")["seats"][1]["invitation"]
        services = client.app.state.services  # type: ignore[attr-defined]
        with services.storage.engine.connect() as connection:
            connection.exec_driver_sql("ALTER TABLE seats RENAME COLUMN token TO tokens")
            connection.exec_driver_sql("COMMIT")
        answer = client.get(f"/join/{token}")
        assert answer.status_code in (500, 503)
    assert token not in caplog.text
    assert token not in "".join(JsonLines().format(record) for record in caplog.records)


# --- backups


def play_some(place: Path | str) -> tuple[Player, dict[str, dict]]:
    with serving(place) as client:
        player, dice = Player(client), random.Random(4)
        client.post("/settings", data={"name": "Änne", "language": "de"}, headers=player.headers)
        found = {}
        for game in ("santiago", "cuba"):
            table = player.open("me", "me", game=game)["id"]
            for _ in range(40):
                player.move(table, dice.choice(player.state(table)["legal"])["move"])
            found[table] = player.state(table)
    return player, found


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


# --- the doctor


def test_the_doctor(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def states(address: str) -> dict[str, str]:
        return {found.subject: found.state for found in doctor.examine(address)}

    assert states(database)["database"] == "ok"  # nothing there yet
    Storage(database).close()
    assert states(database)["database"] == "ok"
    assert states("postgresql://x@127.0.0.1:1/y")["database"] == "bad"
    assert states("nothing")["database"] == "bad"
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "malecon.sqlite3").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert states(address_of(tmp_path / "torn"))["database"] == "bad"
    found = CliRunner().invoke(app, ["doctor", "--data", str(tmp_path / "club")])
    assert found.exit_code == 0
    assert "Python" in found.stdout
    assert CliRunner().invoke(app, ["doctor", "--database", "postgresql://x@127.0.0.1:1/y"]).exit_code == 1
    engine = database_at(tmp_path / "old", "0001")
    assert {found.subject: found.state for found in doctor.examine(engine)}["database"] == "note"


def database_at(folder: Path, revision: str) -> str:
    engine = database.open_engine(address_of(folder))
    with database.writing(engine) as connection:
        database.migrate(connection, revision)
    engine.dispose()
    return address_of(folder)


# --- the end


def drain(socket: ClientConnection) -> None:
    while True:
        socket.recv(timeout=10)


def test_a_stopping_server_finishes_what_it_began(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", "0", "--log", "json"]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [*command, "--data", str(tmp_path)], stdout=subprocess.PIPE, stderr=errors, text=True
        ) as server,
    ):
        try:
            assert server.stdout
            table, acknowledged = play_until_stopped(server.stdout.readline().split()[-1], server)
            began = time.monotonic()
            assert server.wait(10) in (0, -signal.SIGTERM)
            assert time.monotonic() - began < 6
        finally:
            server.kill()
    logs = [json.loads(line) for line in log.read_text().splitlines()]
    assert all(line["level"] == "info" for line in logs), logs
    assert any(line.get("route") == "/api/tables" for line in logs)
    storage = Storage(address_of(tmp_path))
    loaded = storage.load(table)
    storage.close()
    assert loaded is not None
    assert loaded.entries[-1].number + 1 >= acknowledged > 0


def play_until_stopped(address: str, server: subprocess.Popen[str]) -> tuple[str, int]:
    """Play and watch until the server is told to stop; the table, and how many entries it has acknowledged."""
    with httpx2.Client(base_url=address, timeout=30) as client:
        headers = {"authorization": f"Bearer {client.post('/api/people').json()['token']}"}
        wanted = {
            "game": "cuba",
            "seats": [{"who": "me"}, {"who": "me"}, {"who": "bot:comerciante"}],
            "pace": "instant",
        }
        table = client.post("/api/tables", json=wanted, headers=headers).json()["id"]
        acknowledged = 0
        with connect(f"{address.replace('http', 'ws')}api/tables/{table}/events") as socket:
            socket.recv()
            end = time.monotonic() + 60
            try:
                while time.monotonic() < end:
                    state = client.get(f"/api/tables/{table}", headers=headers).json()
                    if state["legal"]:
                        body = {"move": state["legal"][0]["move"]}
                        answer = client.post(f"/api/tables/{table}/moves", json=body, headers=headers)
                        if answer.status_code == 200:
                            if not acknowledged:  # a busy machine may take its time until then
                                threading.Timer(0.5, server.send_signal, (signal.SIGTERM,)).start()
                            acknowledged = answer.json()["version"]
            except httpx2.HTTPError:
                pass
            with pytest.raises(ConnectionClosed) as closed:
                drain(socket)
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1012
        return table, acknowledged


def test_alerts_and_dashboard_ask_only_for_what_is_told(client: TestClient) -> None:
    """Every figure that the files for Prometheus and Grafana name is on the page that Prometheus reads."""
    player = Player(client)
    state = player.open("me", "bot:comerciante", open_screens=True)
    player.my_turn(state["id"])
    told = client.get("/metrics").text
    folder = ROOT / "container" / "prometheus"
    asked = set(re.findall(r"malecon_[a-z_]+", "".join((folder / name).read_text() for name in FILES)))
    assert len(asked) > 7
    known = set(re.findall(r"^# TYPE (\S+)", told, re.MULTILINE))
    for name in asked:
        assert any(name in (one, f"{one}_bucket", f"{one}_total") for one in known), name
    json.loads((folder / "dashboard.json").read_text())


FILES = ("alerts.yml", "dashboard.json")
