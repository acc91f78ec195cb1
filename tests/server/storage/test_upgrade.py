"""Upgrades with games under way: a database that an older version of the program has left in the middle of its games.

`old/0003.sql` was written by the program of commit 4ccdd0c, with `old/0003.json` as what it said of its tables.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from malecon.server.operations.doctor import examine
from malecon.server.storage.appends import shadow_log
from malecon.server.storage.database import FILE, HEAD, address_of, revision_of
from malecon.server.storage.recovery import backup
from malecon.server.storage.store import Storage
from tests.server.people import Player, serving
from tests.server.postgres import Postgres

OLD = Path(__file__).parent / "old"
TOLD = json.loads((OLD / "0003.json").read_text("utf-8"))


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """The folder as the older server left it."""
    folder = tmp_path / "club"
    folder.mkdir()
    with sqlite3.connect(folder / FILE) as database:
        database.executescript((OLD / "0003.sql").read_text("utf-8"))
    database.close()
    return folder


def plays_on(place: Path | str) -> None:
    """Every table is as it was, and goes on: with the tokens, links and passwords that people have."""
    with serving(place) as client:
        people = {}
        for name, known in TOLD["people"].items():
            people[name] = Player(client)
            people[name].headers = {"authorization": known, "accept-language": "en"}
        for name, before in TOLD["tables"].items():
            who = people["cleo" if name == "over" else "bea"]
            now = who.state(before["id"])
            assert now["history"][: len(before["history"])] == before["history"]
            assert now["options"].items() >= before["options"].items()
            if name == "over":
                assert (now["turn"], now["result"]["points"]) == (None, before["result"]["points"])
            elif len(now["history"]) == len(before["history"]):
                assert now["turn"] == before["turn"]
                # a field that is new since then says what the rules were
                assert now["position"].items() >= before["position"].items() or name == "two"
        for name in ("two", "alone", "bots", "clock"):
            moved = _moves(people, TOLD["tables"][name]["id"], 6)
            assert moved == 6, name
        session = client.post("/api/session", json={"name": "Ana", "password": "correct horse battery"})
        assert session.status_code in (200, 201)
        assert client.get("/healthz").json() == {"ok": True}
        assert client.get(f"/tables/{TOLD['tables']['over']['id']}/replay/3").status_code == 200


def _moves(people: dict[str, Player], table: str, wanted: int) -> int:
    made = 0
    for _ in range(wanted):
        states: list[tuple[Player, dict[str, Any]]] = [
            (who, who.my_turn(table, 0.0 + 20)) for who in _seated(people, table)
        ]
        who, state = next((who, state) for who, state in states if state["legal"])
        made += who.move(table, state["legal"][0]["move"], state["version"]).status_code == 200
    return made


def _seated(people: dict[str, Player], table: str) -> list[Player]:
    """Who is to move there, by asking everybody."""
    found = [who for who in people.values() if who.state(table)["legal"]]
    return found or [people["bea"]]


def test_games_under_way_go_on_after_an_upgrade(club: Path) -> None:
    plays_on(club)
    storage = Storage(address_of(club))
    assert revision_of(storage.engine) == HEAD
    assert shadow_log.altered_logs(storage.engine) == []
    storage.close()
    assert [finding for finding in examine(address_of(club)) if finding.state == "bad"] == []


def test_games_under_way_move_to_postgresql_with_the_upgrade(club: Path, postgres: Postgres, tmp_path: Path) -> None:
    backup.back_up(address_of(club), tmp_path / "club.zip")
    address = postgres.new_database()
    backup.restore(tmp_path / "club.zip", address)
    plays_on(address)
