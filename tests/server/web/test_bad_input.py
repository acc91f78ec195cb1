"""Whatever is sent: a clear answer in the reader's language, nothing changed, never a 500."""

from __future__ import annotations

import json
import threading
import time

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from malecon.kernel.errors import BadSetup
from malecon.server.accounts.visitors import Choices
from malecon.server.pages.live import MOST_MESSAGES
from malecon.server.web.guard import LARGEST_BODY_BYTES, LARGEST_RECORD_BYTES
from malecon.text import LANGUAGES
from tests.server.people import ORIGIN, Browser, Player, serving

JSON = {"accept": "application/json"}


def at_my_turn(client: TestClient) -> tuple[Player, dict]:
    player = Player(client)
    table = player.open("me", "me")
    return player, player.state(table["id"])


MOVES = [
    ({"move": "drive 40"}, 400),
    ({"move": "fly to Miami"}, 400),
    ({"move": ""}, 400),
    ({"move": "x" * 201}, 400),
    ({"move": "drive 1", "version": 0}, 409),
    ({"move": "drive 1", "version": "many"}, 400),
    ({"move": "drive 1", "seat": 7}, 403),
    ({"move": 3}, 400),
    ({"moves": "drive 1"}, 400),
    ({"move": "drive 1", "more": 1}, 400),
    ([], 400),
    (None, 400),
    ({"move": "roll rum 2"}, 400),
]


@pytest.mark.parametrize(("body", "status"), MOVES)
def test_malformed_moves_are_refused(client: TestClient, body: object, status: int) -> None:
    player, before = at_my_turn(client)
    answer = player.post(f"/api/tables/{before['id']}/moves", body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"].strip()
    assert player.state(before["id"]) == before


TABLES = [
    {"game": "chess", "seats": [{"who": "me"}, {"who": "me"}]},
    {"game": "santiago", "seats": [{"who": "me"}]},
    {"game": "santiago", "seats": []},
    {"game": "santiago", "seats": [{"who": "me"}] * 8},
    {"game": "santiago", "seats": [{"who": "me"}, {"who": "bot:search:ms=3600000"}]},
    {"game": "santiago", "seats": [{"who": "me"}, {"who": "bot:search:net=/etc/hostname"}]},
    {"game": "santiago", "seats": [{"who": "me"}, {"who": "bot:capitan:net=/etc/hostname"}]},
    {"game": "santiago", "seats": [{"who": "me"}, {"who": "bot:nobody"}]},
    {"game": "santiago", "seats": [{"who": "me"}, {"who": "a cat"}]},
    {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}], "options": {"fly": True}},
    {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}], "options": {"open_screens": 3}},
    {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}], "pace": "warp"},
    {"game": "santiago", "seats": [{"who": "me", "name": "Ana"}, {"who": "me", "name": "ana "}]},
    {"game": "santiago", "seats": [{"who": "me", "name": "a\u0000b"}, {"who": "me"}]},
    {"game": "santiago", "seats": "me"},
]


@pytest.mark.parametrize("body", TABLES)
def test_invalid_tables_are_refused(client: TestClient, body: object) -> None:
    player = Player(client)
    answer = player.post("/api/tables", body)
    assert answer.status_code in (400, 404), answer.text
    assert answer.json()["error"]
    assert player.get("/api/tables").json() == []


PATHS = [
    "/nothing",
    "/tables/nothing",
    "/tables/nothing/replay/3",
    "/join/nothing",
    "/rules/chess",
    "/glossary/chess/en",
    "/glossary/santiago/xx",
    "/api/tables/nothing",
    "/api/nothing",
    "/static/nothing.js",
    "/static/../app.py",
    "/tables/%00",
]


@pytest.mark.parametrize("path", PATHS)
def test_unknown_addresses_are_not_found(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert 400 <= answer.status_code < 500
    assert answer.headers["content-security-policy"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_come_in_the_readers_language(client: TestClient, language: str) -> None:
    said = client.get("/api/tables/nothing", headers={"accept-language": language}).json()["error"]
    english = client.get("/api/tables/nothing", headers={"accept-language": "en"}).json()["error"]
    page = client.get("/tables/nothing", headers={"accept-language": language})
    assert page.status_code == 404
    assert f'<html lang="{language}"' in page.text
    assert said
    assert language != "en" or said == english


def test_only_ones_own_replay_positions_and_seats(client: TestClient) -> None:
    player, before = at_my_turn(client)
    table = before["id"]
    headers = player.headers | JSON
    assert client.get(f"/tables/{table}/replay/99999", headers=headers).status_code == 404
    assert client.get(f"/tables/{table}/replay/-1", headers=headers).status_code == 400
    assert client.get(f"/tables/{table}/replay/x", headers=headers).status_code == 400
    assert client.get(f"/tables/{table}/record.json", headers=headers).status_code == 403  # screens are closed
    assert client.post(f"/tables/{table}/fork/0", data={"seat": 0}, headers=headers).status_code == 403
    assert client.post(f"/tables/{table}/pace", data={"pace": "warp"}, headers=headers).status_code == 400
    assert client.post(f"/tables/{table}/pace", data={"pace": "fast"}, headers=JSON).status_code == 403
    assert client.post(f"/tables/{table}/undo", headers=JSON).status_code == 403
    assert client.post(f"/tables/{table}/hint", headers=JSON).status_code == 400
    assert client.get(f"/tables/{table}/why?place=moon", headers=headers).status_code == 200
    assert player.state(table) == before


RECORDS = [
    b"",
    b"{}",
    b"[" * 100_000,
    b"\xff\xfe\x00",
    b'{"malecon": 1}',
    b'{"malecon": 99, "game": "santiago"}',
    b'{"malecon": 1, "game": "santiago", "rules": 1, "players": 2, "options": {}, "names": [null, null], '
    b'"moves": ["red: drive 1"], "result": null}',
]


@pytest.mark.parametrize("data", RECORDS)
def test_damaged_records(client: TestClient, data: bytes) -> None:
    client.get("/")
    answer = client.post("/records", files={"file": ("game.json", data)}, headers=ORIGIN)
    assert answer.status_code == 400, answer.text
    assert 'role="alert"' in answer.text


def test_bodies_that_are_too_large(client: TestClient) -> None:
    player, before = at_my_turn(client)
    huge = {"move": "x" * LARGEST_BODY_BYTES}
    assert player.post(f"/api/tables/{before['id']}/moves", huge).status_code == 413
    answer = client.post("/records", files={"file": ("game.json", b" " * LARGEST_RECORD_BYTES)}, headers=ORIGIN)
    assert answer.status_code == 413

    def stream() -> object:
        for _ in range(20):
            yield b"x" * 10_000

    answer = client.post(
        f"/api/tables/{before['id']}/moves",
        headers=player.headers | {"content-type": "application/json"},
        content=stream(),
    )
    assert 400 <= answer.status_code < 500
    broken = client.post("/api/tables", headers=player.headers | {"content-type": "application/json"}, content=b"{")
    assert broken.status_code == 400
    assert player.state(before["id"]) == before


def test_writes_from_other_sites(client: TestClient) -> None:
    player, before = at_my_turn(client)
    path = f"/api/tables/{before['id']}/moves"
    body = {"move": before["legal"][0]["move"]}
    for foreign in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert client.post(path, json=body, headers=player.headers | foreign).status_code == 403
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"/tables/{before['id']}/live", headers=player.headers | foreign),
        ):
            pass
    assert player.state(before["id"]) == before
    assert client.post(path, json=body, headers=player.headers | ORIGIN).status_code == 200


def test_sockets_that_send_too_much_or_lead_nowhere_are_closed(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/tables/nothing/live"):
        pass
    player, before = at_my_turn(client)
    with client.websocket_connect(
        f"/tables/{before['id']}/live?as=x&moves=-3&layout=9", headers=player.headers
    ) as socket:
        assert socket.receive_json()["version"] == before["version"]
        for _ in range(30):
            socket.send_text("{" * 1000)
        answers = [socket.receive_json() for _ in range(MOST_MESSAGES)]
        assert [list(answer) for answer in answers] == [["error"]] * MOST_MESSAGES
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    assert player.state(before["id"]) == before


def test_invalid_settings_are_refused(client: TestClient) -> None:
    client.get("/")
    for form in ({"theme": "pink"}, {"language": "xx"}, {"pace": "warp"}, {"name": "x" * 41}):
        assert client.post("/settings", data=form, headers=ORIGIN).status_code == 400
    for back in ("https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"):
        answer = client.post("/language", data={"language": "de", "back": back}, headers=ORIGIN, follow_redirects=False)
        assert answer.headers["location"] == "/"


def test_other_tables_are_answered_while_a_large_record_is_read(client: TestClient) -> None:
    player = Player(client)
    table = player.open("me", "me")["id"]
    large = json.dumps({"malecon-record": 1, "moves": [["white", "drive 1"]] * 150_000})
    sender = threading.Thread(
        target=client.post,
        args=("/records",),
        kwargs={"files": {"file": large[:3_900_000]}, "headers": {"origin": "http://testserver"}},
    )
    sender.start()
    times = []
    while sender.is_alive():
        began = time.perf_counter()
        player.state(table)
        times.append(time.perf_counter() - began)
    sender.join()
    assert times
    assert sorted(times)[len(times) // 2] < 0.2


def test_text_with_a_null_character_is_refused(database: str) -> None:
    with serving(database) as client:
        ana = Player(client)
        for path in ("/tables/%00", "/join/%00", "/api/tables/%00"):
            assert client.get(path, headers=ana.headers).status_code in (400, 404)
        assert ana.post("/api/join", {"token": "a\0b"}).status_code in (400, 404)
        assert ana.post("/api/settings", {"name": "a\0b"}).status_code != 500


def test_a_name_is_checked_wherever_it_is_entered(client: TestClient) -> None:
    ana, bea = Browser(client, "Ana"), Browser(client, "Bea")
    token = ana.get(f"/api{ana.open('me', 'open', join='link')}").json()["seats"][1]["invitation"]
    opening = {"game": "santiago", "seat-0": "me", "seat-1": "open", "clock": "day"}
    for name in ("W" * 45_000, "W" * 41, "a\u202eb"):
        for data in ({"join": "public"}, {"join": "link"}, {"quick": "now"}):
            assert bea.post("/tables", **opening | data | {"name": name}).status_code == 400
        assert bea.post("/tables", **opening | {"name-0": name}).status_code == 400
        assert bea.post(f"/join/{token}", name=name).status_code in (400, 422)
        with pytest.raises(BadSetup):
            Choices().changed(name=name)
    assert bea.post("/settings", name="W" * 41).status_code in (400, 422)
    assert Choices().changed(name="  Bea  ").name == "Bea"
    assert 'value="Bea"' in bea.page("/settings")
    assert bea.get("/api/lobby").json()["waiting"] == []
