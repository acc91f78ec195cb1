"""Health, metrics and logs: what operators read, and no secrets in it."""

from __future__ import annotations

import gc
import json
import logging
import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from malecon import __version__
from malecon.server.operations.logs import JsonLines
from tests.paths import ROOT
from tests.server.people import Player, serving
from tests.server.postgres import Postgres


def test_health_and_metrics(client: TestClient) -> None:
    assert client.get("/healthz").json()["ok"] is True
    player = Player(client)
    table = player.open("me", "bot:greedy")["id"]
    for _ in range(5):
        player.move(table, player.my_turn(table)["legal"][0]["move"])
    client.post(f"/api/tables/{table}/moves", json={"move": "fly"})
    with client.websocket_connect(f"/api/tables/{table}/events", headers=player.headers) as socket:
        socket.receive_json()
        answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    values = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }
    assert values["malecon_tables",] == 1
    assert values["malecon_sockets",] == 1
    assert values["malecon_moves_total", "person"] == 5
    assert values["malecon_moves_total", "bot"] >= 4
    assert values["malecon_requests_total", "/api/tables/{table}/moves", "200", "POST"] == 5
    assert values["malecon_requests_total", "/api/tables/{table}/moves", "403", "POST"] == 1
    assert values["malecon_request_seconds_count", "/api/tables/{table}/moves"] == 6
    assert values["malecon_think_seconds_count", "bot:greedy"] >= 1
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
            assert answer.json()["ok"] is False
            assert answer.json()["problem"] == "the database does not answer"
            assert answer.json()["version"] == __version__
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
    text = json.dumps(lines)
    assert invitation not in text
    assert secret not in text


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


def test_alerts_and_dashboard_name_only_exported_metrics(client: TestClient) -> None:
    """Every figure that the files for Prometheus and Grafana name is on the page that Prometheus reads."""
    player = Player(client)
    state = player.open("me", "bot:comerciante", open_screens=True)
    player.my_turn(state["id"])
    exported = client.get("/metrics").text
    folder = ROOT / "container" / "prometheus"
    asked = set(re.findall(r"malecon_[a-z_]+", "".join((folder / name).read_text() for name in PROMETHEUS_FILES)))
    assert len(asked) > 7
    known = set(re.findall(r"^# TYPE (\S+)", exported, re.MULTILINE))
    for name in asked:
        assert any(name in (metric, f"{metric}_bucket", f"{metric}_total") for metric in known), name
    json.loads((folder / "dashboard.json").read_text())


PROMETHEUS_FILES = ("alerts.yml", "dashboard.json")
