"""What a server does by itself: backups on a schedule, deleting what is too old, a lock, systemd, its own log."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import select, update
from starlette.testclient import TestClient

from malecon.server.accounts.retention import DAY_SECONDS, Retention
from malecon.server.operations import memory, scheduled_backups
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.scheduled_backups import ScheduledBackups, backup_files
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.recovery import backup as backups
from malecon.server.storage.schema import MOVES, PEOPLE, SEATS, TABLES
from malecon.server.web.app import create_app
from tests.cli.command import malecon
from tests.server.people import HERE, Browser, Player, register, registered, services_of, serving, until
from tests.server.processes import server


def age(client: TestClient) -> float:
    families = text_string_to_metric_families(client.get("/metrics").text)
    return next(family.samples[0].value for family in families if family.name == "malecon_backup_age_seconds")


def test_backups_on_a_schedule(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    settings = ServerSettings(backup_folder=str(folder), backup_keep=2)
    with TestClient(create_app(tmp_path / "club", settings), client=HERE) as client:
        Player(client).open("me", "me")
        until(lambda: {"files": backup_files(folder)}, lambda state: state["files"])
        until(lambda: {"age": age(client)}, lambda state: 0 <= state["age"] < 60)
        (file,) = backup_files(folder)
        file = file.rename(folder / "malecon-20260104T000000Z.zip")  # the next may be made in the same second
        assert backups.check(file).rows["moves"] >= 0
        assert file.stat().st_mode & 0o077 == 0
        address = services_of(client).storage.engine.url.render_as_string(hide_password=False)
        schedule = ScheduledBackups(address, settings, Metrics())
        schedule._look(folder)
        assert backup_files(folder) == [file]  # none is due
        for days in (3, 2):
            old = folder / f"malecon-2026010{days}T000000Z.zip"
            old.write_bytes(file.read_bytes())
        os.utime(file, (time.time() - 90_000,) * 2)
        for old in backup_files(folder)[1:]:
            os.utime(old, (time.time() - 900_000,) * 2)
        schedule._look(folder)
        kept = backup_files(folder)
        assert len(kept) == 2
        assert kept[1] == file
        (folder / "in-progress").touch()  # another process is at it
        os.utime(kept[0], (time.time() - 90_000,) * 2)
        schedule._look(folder)
        assert backup_files(folder) == kept


def test_a_backup_that_fails_is_logged_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    settings = ServerSettings(backup_folder=str(tmp_path / "file"))
    schedule = ScheduledBackups("sqlite:///none", settings, Metrics())
    schedule._look(tmp_path / "file")
    assert "the scheduled backup failed" in caplog.text
    monkeypatch.setattr(scheduled_backups, "RETRY_SECONDS", 0.0)
    caplog.clear()
    schedule._look(tmp_path / "file")
    assert "the scheduled backup failed" in caplog.text


def test_the_command_keeps_so_many_backups(tmp_path: Path) -> None:
    with serving(tmp_path / "club") as client:
        Player(client).open("me", "me")
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"malecon-2026010{day}T000000Z.zip").write_text("old")
    done = malecon("backup", str(folder), "--keep", "2", "--data", str(tmp_path / "club"))
    assert done.returncode == 0, done.stderr
    assert "all of it checked" in done.stdout
    assert [file.name for file in backup_files(folder)][1:] == ["malecon-20260103T000000Z.zip"]


def test_old_guests_and_their_tables_are_deleted(database: str) -> None:
    settings = ServerSettings(guest_days=365, table_days=30)
    with TestClient(create_app(database, settings), raise_server_exceptions=False, client=HERE) as client:
        guest, ana, quiet = Player(client), Player(client), Browser(client, "Quiet")
        register(ana)
        old, kept, shared = guest.open("me", "me")["id"], ana.open("me", "me")["id"], guest.open("me", "open")
        ana.post("/api/join", {"token": shared["seats"][1]["invitation"]})
        storage = services_of(client).storage
        retention = Retention(storage, settings)
        assert retention.tidy() == (0, 0)
        storage.execute(update(TABLES).values(changed=time.time() - 40 * DAY_SECONDS))
        assert retention.tidy() == (1, 0)
        assert set(storage.scalars(select(TABLES.c.id))) == {kept, shared["id"]}
        assert old not in storage.scalars(select(MOVES.c.table)) + storage.scalars(select(SEATS.c.table))
        storage.execute(update(PEOPLE).values(changed=time.time() - 400 * DAY_SECONDS))
        people = len(storage.rows(select(PEOPLE)))
        deleted = retention.tidy()[1]
        assert deleted >= 1
        assert len(storage.rows(select(PEOPLE))) == people - deleted
        assert quiet.page("/settings")
        assert ana.get("/api/account").json()["name"] == "Ana"
        assert ana.state(shared["id"])["seats"]  # the guest sits there still


def test_a_second_server_on_the_same_folder_says_so(tmp_path: Path) -> None:
    with server(tmp_path) as (_, process):
        second = malecon("serve", "--no-browser", "--port", "0", "--data", str(tmp_path))
        assert second.returncode == 2
        assert f"another server (process {process.pid}) uses {tmp_path}" in second.stderr
        process.kill()
        process.wait()
    with server(tmp_path):  # a server that was killed leaves no lock behind
        pass


def test_systemd_is_told_when_the_server_answers_and_stops(tmp_path: Path) -> None:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(path))
        line.settimeout(60)
        (tmp_path / "club").mkdir()
        with server(tmp_path / "club", NOTIFY_SOCKET=str(path)) as (port, process):
            assert line.recv(100) == b"READY=1"
            assert json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5))["ok"] is True
            process.terminate()
            assert line.recv(100) == b"STOPPING=1"


def test_the_log_has_times_levels_and_requests(tmp_path: Path) -> None:
    for form, level, path in (("json", "info", "a"), ("plain", "debug", "b"), ("plain", "warning", "c")):
        folder = tmp_path / path
        folder.mkdir()
        command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", "0", "--data", str(folder)]
        environment = {**os.environ, "MALECON_LOG": form, "MALECON_LOG_LEVEL": level, "MALECON_COMPILE": ""}
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(command, stderr=log, stdout=subprocess.PIPE, text=True, env=environment)
            try:
                if form == "json" or level == "debug":
                    written = until(
                        lambda folder=folder: {"log": (folder / "log").read_text()},
                        lambda state: "serving at" in state["log"],
                        60,
                    )
                    address = re.search(r"serving at (http://[\d.:]+)", written["log"])
                    assert address
                    asked = urllib.request.Request(
                        f"{address[1]}/healthz", headers={"x-request-id": "from-the-proxy-1"}
                    )
                    answer = urllib.request.urlopen(asked, timeout=10)
                    assert answer.headers["x-request-id"] == "from-the-proxy-1"
                    forged = urllib.request.Request(f"{address[1]}/healthz", headers={"x-request-id": "a b{}"})
                    assert re.fullmatch(
                        r"[0-9a-f]{16}", urllib.request.urlopen(forged, timeout=10).headers["x-request-id"]
                    )
                else:
                    assert process.stdout
                    process.stdout.readline()
            finally:
                process.terminate()
                process.communicate()
        lines = (folder / "log").read_text().splitlines()
        if form == "json":
            entries = [json.loads(line) for line in lines]
            assert any(entry.get("request") == "from-the-proxy-1" and entry["route"] == "/healthz" for entry in entries)
            assert entries[-1]["message"] == "stopped"
        elif level == "debug":
            assert all(
                re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (debug|info|warning|error): ", line) for line in lines
            )
            assert any("[from-the-proxy-1]" in line for line in lines)
            assert "stopped" in lines[-1]
        else:
            assert lines == []


@pytest.mark.parametrize(("available", "budget"), [(64_000, 800), (1_500, 800), (1_000, 500), (700, 200), (300, 100)])
def test_the_budget_follows_from_the_memory(available: int, budget: int) -> None:
    assert memory.default_budget(available * 1_000_000) == budget


def test_the_limit_of_a_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "CGROUP_LIMITS", (file,))
    monkeypatch.setattr(memory, "_own_cgroup", list)
    whole = memory.memory_limit()
    file.write_text("max\n")
    assert memory.memory_limit() == whole
    file.write_text("900000000\n")
    assert memory.memory_limit() == 900_000_000
    assert ServerSettings().memory_megabytes == 400


def test_metrics_are_for_this_machine_or_for_who_has_the_token(tmp_path: Path) -> None:
    far = ("198.51.100.7", 5000)
    for token, client_address, given, status in (
        ("", HERE, "", 200),
        ("", far, "", 403),
        ("sesame", far, "", 403),
        ("sesame", far, "Bearer wrong", 403),
        ("sesame", far, "Bearer sesame", 200),
        ("sesame", HERE, "", 403),
    ):
        app = create_app(tmp_path, ServerSettings(metrics_token=token))
        with TestClient(app, raise_server_exceptions=False, client=client_address) as client:
            answer = client.get("/metrics", headers={"authorization": given} if given else {})
            assert answer.status_code == status, (token, given)
            if status == 200:
                assert "malecon_build_info{" in answer.text


def test_the_foot_of_pages_says_which_program_this_is(client: TestClient) -> None:
    from malecon import __version__
    from malecon.server.operations.build import commit

    assert f"Malecón {__version__}" in client.get("/").text
    assert client.get("/healthz").json() == {"ok": True, "version": __version__, "commit": commit()}
    assert registered(Browser(client), "Ana")
