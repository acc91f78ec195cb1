"""The lobby, conversations and tournaments as JSON: what pages can do, programs can, within the same limits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from malecon.server.lobby.store import MOST_PER_PERSON
from malecon.server.operations.settings import ServerSettings
from malecon.server.web.app import create_app
from tests.server.people import Player

WANTED: dict[str, Any] = {"game": "santiago", "seats": [{"who": "me"}, {"who": "open"}], "clock": "day"}


def test_two_programs_meet_in_the_lobby(client: TestClient) -> None:
    ana, bea = Player(client), Player(client)
    with client.websocket_connect("/api/lobby/events", headers=bea.headers) as events:
        assert events.receive_json()["waiting"] == []
        opened = ana.post("/api/lobby", WANTED)
        assert opened.status_code == 201, opened.text
        place = opened.json()
        assert [seat["free"] for seat in place["seats"]] == [False, True]
        shown = events.receive_json()
        while not shown["waiting"]:  # that somebody has come is told, too
            shown = events.receive_json()
        assert [item["id"] for item in shown["waiting"]] == [place["id"]]
    assert client.get("/api/lobby").json()["waiting"] == [place]
    started = bea.post(f"/api/lobby/{place['id']}/join", None).json()
    assert started["table"] is not None
    assert ana.get(f"/api/lobby/{place['id']}").json()["table"] == started["table"]
    assert {ana.state(started["table"])["seat"], bea.state(started["table"])["seat"]} == {0, 1}
    assert client.get("/api/lobby").json()["games"][0]["table"] == started["table"]
    secret = [player.headers["authorization"].split()[1] for player in (ana, bea)]
    persons = {seat.person for seat in client.app.state.services.tables.get_loaded(started["table"]).row.seats}  # type: ignore[attr-defined]
    everything = json.dumps([shown, place, started, client.get("/api/lobby").json()])
    assert not any(hidden in everything for hidden in (*secret, *persons))  # who somebody is stays with the server


def test_finding_leaving_and_starting(client: TestClient) -> None:
    ana, bea = Player(client), Player(client)
    sought = {"game": "cuba", "players": [2, 3], "clock": "day"}
    place = ana.post("/api/lobby/find", sought).json()
    assert place["players"] == [2, 3]
    assert bea.post(f"/api/lobby/{place['id']}/start", None).status_code == 403
    assert ana.post(f"/api/lobby/{place['id']}/leave", None).status_code == 204
    assert ana.get(f"/api/lobby/{place['id']}").status_code == 404
    again = ana.post("/api/lobby/find", sought).json()
    assert ana.post(f"/api/lobby/{again['id']}/start", None).json()["table"] is not None
    assert ana.post("/api/lobby/find", sought | {"players": [2]}).json()["table"] is None
    assert bea.post("/api/lobby/find", sought | {"players": [2]}).json()["table"] is not None


def test_what_is_refused(client: TestClient) -> None:
    ana = Player(client)
    wrong: list[dict[str, Any]] = [
        {"game": "go"}, {"seats": []}, {"seats": [{"who": "open"}] * 2}, {"clock": "hour"}, {"fill": 7},
        {"bot": "tree"}, {"lowest": 30, "highest": 20}, {"lowest": -1}, {"more": 1},
    ]  # fmt: skip
    for change in wrong:
        assert ana.post("/api/lobby", WANTED | change).status_code in (400, 404), change
    sought = {"game": "santiago", "players": [2]}
    for change in ({"players": []}, {"players": [9]}, {"fill": -1}, {"clock": ""}, {"bot": ""}):
        assert ana.post("/api/lobby/find", sought | change).status_code == 400, change
    for _ in range(MOST_PER_PERSON):
        assert ana.post("/api/lobby", WANTED).status_code == 201
    assert ana.post("/api/lobby", WANTED).status_code in (400, 403, 409)
    for path in ("/api/lobby", "/api/lobby/find", "/api/lobby/nothing/join"):  # without a token nobody would come back
        assert client.post(path, json=sought if "find" in path else WANTED).status_code == 403


def test_a_conversation(client: TestClient) -> None:
    ana, bea, carl = Player(client), Player(client, "de"), Player(client)
    place = ana.post("/api/lobby", WANTED).json()
    table = bea.post(f"/api/lobby/{place['id']}/join", None).json()["table"]
    path = f"/api/tables/{table}/talk"
    assert ana.post(path, {"phrase": "hello"}).status_code == 204
    assert ana.post(path, {"text": "<b>one</b>\u202e"}).status_code == 204
    assert carl.post(path, {"text": "from the gallery"}).status_code == 204
    assert [item["text"] for item in bea.get(path).json()] == ["Hallo!", "<b>one</b>"]  # who plays hears no gallery
    assert [item["text"] for item in carl.get(path).json()] == ["Hello!", "<b>one</b>", "from the gallery"]
    assert [item["number"] for item in bea.get(f"{path}?since=0").json()] == [1]
    assert [item["room"] for item in carl.get(path).json()] == ["seated", "seated", "gallery"]
    for wrong in ({"text": ""}, {"phrase": "nothing"}, {"text": "x" * 400}, {"said": 1}):
        assert ana.post(path, wrong).status_code == 400, wrong
    assert client.post(path, json={"text": "x"}).status_code == 403
    alone = ana.open("me", "bot:turista")
    assert ana.get(f"/api/tables/{alone['id']}/talk").status_code == 403


def test_the_same_limits_hold(tmp_path: Path) -> None:
    elsewhere = ("203.0.113.7", 5000)
    with TestClient(create_app(tmp_path, ServerSettings(messages=6, tables=3)), client=elsewhere) as client:
        ana = Player(client)
        opened = ana.open("me", "open")
        said = [ana.post(f"/api/tables/{opened['id']}/talk", {"text": "x"}).status_code for _ in range(4)]
        assert said == [204, 204, 429, 429]
        assert [ana.post("/api/lobby", WANTED).status_code for _ in range(3)] == [201, 201, 429]


CUP: dict[str, Any] = {"game": "santiago", "format": "swiss", "players": 2, "rounds": 2, "name": "Copa", "most": 8}


def account(client: TestClient, name: str) -> Player:
    player = Player(client)
    answer = player.post("/api/account", {"name": name, "password": "a good secret 1"})
    player.headers |= {"authorization": f"Bearer {answer.json()['token']}"}
    return player


def test_a_tournament_of_programs(client: TestClient) -> None:
    ana, bea, carla = (account(client, name) for name in ("Ana", "Bea", "Carla"))
    opened = ana.post("/api/tournaments", CUP)
    assert opened.status_code == 201, opened.text
    path = f"/api/tournaments/{opened.json()['id']}"
    with client.websocket_connect(f"{path}/events", headers=bea.headers) as events:
        assert events.receive_json()["entrants"] == []
        for player in (ana, bea, carla):
            assert player.post(f"{path}/enter", None).status_code == 200
        event = events.receive_json()
        while len(event["entrants"]) < 3:
            event = events.receive_json()
        assert [item["name"] for item in event["entrants"]] == ["Ana", "Bea", "Carla"]
        assert (event["me"], event["is_mine"], event["state"]) == (2, False, "open")
    assert bea.post(f"{path}/start", None).status_code == 403
    started = ana.post(f"{path}/start", None).json()
    assert (started["state"], started["round"], started["rounds"], started["is_mine"]) == ("on", 1, 2, True)
    played, bye = started["tables"]
    assert (bye["table"], bye["walkover"], bye["seats"][0]["score"]) == (None, False, 1.0)
    assert [seat["score"] for seat in played["seats"]] == [None, None]
    assert started["standings"][0]["entrant"] == bye["seats"][0]["entrant"]
    names = {item["number"]: item["name"] for item in started["entrants"]}
    for player, name in ((ana, "Ana"), (bea, "Bea"), (carla, "Carla")):
        tournament = player.get(path).json()
        assert names[tournament["me"]] == name
        assert tournament["my_table"] == (None if tournament["me"] == bye["seats"][0]["entrant"] else played["table"])
    assert {item["id"] for item in client.get("/api/tournaments").json()} == {started["id"]}
    assert [(item["entrants"], item["entered"]) for item in ana.get("/api/tournaments").json()] == [(3, True)]
    persons = {seat.person for seat in client.app.state.services.tables.get_loaded(played["table"]).row.seats}  # type: ignore[attr-defined]
    event = json.dumps([started, client.get(path).json(), client.get("/api/tournaments").json()])
    assert not any(person in event for person in persons)  # who somebody is stays with the server
    assert carla.post(f"{path}/leave", None).json()["entrants"][2]["withdrawn"] is not None
    assert bea.post(f"{path}/end", None).status_code == 403
    assert ana.post(f"{path}/end", None).json()["state"] == "ended"


def test_a_series_against_bots(client: TestClient) -> None:
    ana = account(client, "Ana")
    series = ana.post("/api/tournaments", CUP | {"format": "series", "bot": "turista", "rounds": 3}).json()
    assert (series["state"], series["bot"], series["public"]) == ("on", "turista", False)
    assert series["my_table"] == series["tables"][0]["table"]
    assert ana.state(series["my_table"])["seat"] == series["tables"][0]["seats"][0]["seat"]
    assert client.get("/api/tournaments").json() == []


def test_invalid_tournaments_are_refused_as_json(client: TestClient) -> None:
    ana, guest = account(client, "Ana"), Player(client)
    wrong: list[dict[str, Any]] = [
        {"game": "go"}, {"format": "cup"}, {"players": 9}, {"rounds": 0}, {"rounds": 10**30}, {"starts": 1e300},
        {"fewest": 9}, {"most": 10**30}, {"lowest": 30, "highest": 20}, {"bot": "turista"}, {"clock": "hour"},
        {"name": "x" * 61}, {"options": {"none": True}}, {"format": "series"}, {"more": 1},
    ]  # fmt: skip
    for change in wrong:
        assert ana.post("/api/tournaments", CUP | change).status_code in (400, 404), change
    assert ana.get("/api/tournaments").json() == []
    assert guest.post("/api/tournaments", CUP).status_code == 403
    assert guest.get("/api/tournaments/nowhere").status_code == 404
    path = f"/api/tournaments/{ana.post('/api/tournaments', CUP).json()['id']}"
    assert guest.post(f"{path}/enter", None).status_code == 403
    assert ana.post(f"{path}/start", None).status_code == 400  # nobody has entered
