"""The JSON interface: how endpoints are found, what they refuse, and how they are described."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from malecon.server.operations.settings import ServerSettings
from malecon.server.web import json_api
from malecon.server.web.app import create_app
from malecon.server.web.guard import HEADERS
from tests.server.people import Player, register, serving

BEARER = {"authorization": "Bearer x"}


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b'{"move": "drive 9"}', {}, 400),
        (b'{"move": "nonsense"}', {}, 400),
        (b'{"move": "drive 9", "version": 99}', {}, 409),
        (b'{"move": "drive 9", "seat": 0}', {}, 403),
        (b'{"move": "drive 9", "seat": 17}', {}, 403),
        (b'{"move": "drive 9", "seat": -1}', {}, 400),
        (b'{"move": "drive 9", "version": "7"}', {}, 400),
        (b'{"move": "drive 9", "version": 99999999999999999999}', {}, 400),
        (b'{"move": "drive 9", "extra": 1}', {}, 400),
        (b'{"move": 5}', {}, 400),
        (b"{}", {}, 400),
        (b'{"move": "' + b"x" * 300 + b'"}', {}, 400),
        (b'{"move": "' + b"x" * 90_000 + b'"}', {}, 413),
        (b"[]", {}, 400),
        (b"", {}, 400),
        (b"\xff\xfe", {}, 400),
        (b'{"move": "\xff"}', {}, 400),
        (b'{"move": "drive 9"}', {"origin": "https://elsewhere.example"}, 403),
        (b'{"move": "drive 9"}', {"sec-fetch-site": "cross-site"}, 403),
        (b'{"move": "drive 9"}', BEARER, 401),
    ],
)
def test_a_move_that_is_refused_changes_nothing(
    client: TestClient, body: bytes, headers: dict[str, str], status: int
) -> None:
    player = Player(client)
    opened = player.open("open", "me")
    answer = client.post(f"/api/tables/{opened['id']}/moves", content=body, headers=player.headers | headers)
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert HEADERS.items() <= dict(answer.headers).items()
    assert player.state(opened["id"]) == opened


def test_a_refusal_names_the_field(client: TestClient) -> None:
    player = Player(client)
    for body, field in (
        ({"game": "santiago", "seats": [{"who": "me"}, {"who": 7}]}, "seats[1].who"),
        ({"game": "santiago", "seats": [{"who": "me"}], "colour": "red"}, "colour"),
        ({"seats": [{"who": "me"}]}, "game"),
    ):
        answer = player.post("/api/tables", body)
        assert answer.status_code == 400
        assert answer.json()["error"] == f"Invalid request: check {field}."


def test_paths_that_lead_nowhere(client: TestClient) -> None:
    player = Player(client, "de")
    table = player.open("me", "me")["id"]
    for path in ("/api/", "/api/tables/", "/api/nothing", "/api/tables/a/b/c"):
        answer = player.get(path)
        assert answer.status_code == 404, path
        assert answer.json() == {"error": "Unter dieser Adresse gibt es keine Seite."}
    for number in ("-1", "²", "99999999999999999999", str(2**31), "1.0"):
        assert player.post(f"/api/tables/{table}/seats/{number}/remove", {}).status_code == 404, number
    assert player.get("/api/join").status_code == 405


def test_what_is_asked_is_counted_by_route(client: TestClient) -> None:
    player = Player(client)
    table = player.open("me", "me")["id"]
    player.state(table)
    player.get("/api/nothing")
    metrics = client.get("/metrics").text
    assert 'route="/api/tables/{table}",status="200"' in metrics
    assert 'route="other",status="404"' in metrics
    assert table not in metrics


def test_requests_are_limited(tmp_path: Path) -> None:
    app = create_app(tmp_path, ServerSettings(requests=8))
    with TestClient(app, client=("203.0.113.5", 1)) as client:
        player = Player(client)
        table = player.open("me", "me")["id"]
        answers = [player.get(f"/api/tables/{table}") for _ in range(12)]
        assert answers[0].status_code == 200
        assert answers[-1].status_code == 429
        assert answers[-1].headers["retry-after"]


def test_new_choices_hold_at_once(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        table = player.open("me", "me")["id"]
        before = player.state(table)["prompt"]
        cookie = {"cookie": f"malecon={player.headers['authorization'].split()[1]}", "origin": "http://testserver"}
        assert client.post("/settings", data={"language": "de"}, headers=cookie).status_code in (200, 303)
        assert player.state(table)["prompt"] != before


def cached_guests(client: TestClient) -> int:
    return len(client.app.json_api._visitors._guests)  # type: ignore[attr-defined]


def test_long_headers_do_not_fill_the_cache_of_guests(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(client)
    table = player.open("me", "me")["id"]
    before = cached_guests(client)
    for number in range(50):
        junk = {"accept-language": f"{number}" + "x" * 20_000}
        assert client.get(f"/api/tables/{table}", headers=player.headers | junk).status_code == 200
    assert cached_guests(client) == before
    monkeypatch.setattr(json_api, "MOST_CACHED_GUESTS", 10)
    for number in range(50):
        client.get(f"/api/tables/{table}", headers=player.headers | {"accept-language": f"de;q=0.{number}"})
    assert cached_guests(client) <= 10


def test_a_session_that_is_not_accepted_yet_is_looked_up_again(client: TestClient) -> None:
    """Its key may be so new that this process reads it only now: the visitor is not a guest for good."""
    player = Player(client)
    secret = player.headers["authorization"].split()[1]
    other = Player(client)
    session = register(other, "Ana")
    before = cached_guests(client)
    for signed in (session[:-3] + "xxx", session):
        headers = {"cookie": f"malecon={secret}; malecon-session={signed}"}
        client.get("/api/tables", headers=headers)
        assert cached_guests(client) == before
    assert client.get("/api/account", headers=headers).json()["name"] == "Ana"


def test_a_live_connection_makes_moves_as_a_request_does(client: TestClient) -> None:
    player, dice = Player(client), random.Random(1)
    state = player.open("me", "me", open_screens=True)
    for path in (f"/api/tables/{state['id']}/events?version={state['version']}", f"/tables/{state['id']}/live"):
        with client.websocket_connect(path, headers=player.headers) as socket:
            if path.endswith("live"):
                socket.receive_json()
            for _ in range(30):  # more than what may be refused
                socket.send_json({"move": dice.choice(state["legal"])["move"], "version": state["version"]})
                assert socket.receive_json()["version"] > state["version"]
                state = player.state(state["id"])
            socket.send_json({"move": "nonsense", "version": state["version"]})
            assert list(socket.receive_json()) == ["error"]
            socket.send_json({"move": state["legal"][0]["move"], "version": 0})
            assert list(socket.receive_json()) == ["error"]
    assert player.state(state["id"])["version"] == state["version"]


def test_a_stranger_makes_no_moves_over_a_live_connection(client: TestClient) -> None:
    player, stranger = Player(client), Player(client)
    state = player.open("me", "me", open_screens=True)
    path = f"/api/tables/{state['id']}/events?version={state['version']}"
    with client.websocket_connect(path, headers=stranger.headers) as socket:
        socket.send_json({"move": state["legal"][0]["move"]})
        assert list(socket.receive_json()) == ["error"]
    assert player.state(state["id"]) == state


def test_a_form_makes_a_move_as_json_does(client: TestClient) -> None:
    player = Player(client)
    state = player.open("me", "me", open_screens=True)
    path, headers = f"/tables/{state['id']}/move", player.headers | {"accept": "application/json"}
    form = {"move": state["legal"][0]["move"], "version": state["version"]}
    moved = client.post(path, data=form, headers=headers)
    assert moved.json()["version"] > state["version"]
    for wrong in ({}, {"move": ""}, {"move": "x" * 300}, form | {"version": "x"}, form | {"seat": "-1"}):
        assert client.post(path, data=wrong, headers=headers).status_code == 400, wrong
    assert client.post(path, data=form, headers=headers).status_code == 409


def test_the_description_tells_every_endpoint_and_type(client: TestClient) -> None:
    described = client.get("/api/openapi.json").json()
    endpoints = client.app.json_api.endpoints  # type: ignore[attr-defined]
    assert {(path, method.upper()) for path, methods in described["paths"].items() for method in methods} == {
        (endpoint.path, endpoint.method) for endpoint in endpoints
    }
    operations = [operation for methods in described["paths"].values() for operation in methods.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    move = described["paths"]["/api/tables/{table}/moves"]["post"]
    assert [parameter["name"] for parameter in move["parameters"]] == ["table", "since"]
    assert move["requestBody"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/MoveRequest"}
    assert described["components"]["schemas"]["MoveRequest"]["additionalProperties"] is False
    assert all(_is_defined(part, described) for part in _references(described))


def test_answers_are_what_the_description_says(client: TestClient) -> None:
    """A whole state and a delta have exactly the fields of their types."""
    player = Player(client)
    opened = player.open("me", "me", open_screens=True)
    schemas = client.get("/api/openapi.json").json()["components"]["schemas"]
    assert set(schemas["TableState"]["required"]) <= set(opened) <= set(schemas["TableState"]["properties"])
    path = f"/api/tables/{opened['id']}/moves?since={opened['version']}"
    delta = player.post(path, {"move": opened["legal"][0]["move"]}).json()
    assert set(schemas["TableDelta"]["required"]) <= set(delta) <= set(schemas["TableDelta"]["properties"])
    assert set(opened["seats"][0]) == set(schemas["SeatState"]["properties"])


def _references(part: Any) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"]] if "$ref" in part else []
        return own + [reference for value in part.values() for reference in _references(value)]
    return [reference for value in part for reference in _references(value)] if isinstance(part, list) else []


def _is_defined(reference: str, described: dict[str, Any]) -> bool:
    return reference.removeprefix("#/components/schemas/") in described["components"]["schemas"]


def test_an_endpoint_that_breaks_says_so_and_nothing_else(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    group = json_api.Endpoints("/api/broken", "test")

    @group.get("", "It breaks")
    async def broken() -> None:
        raise RuntimeError("a secret of the server")

    json_interface = client.app.json_api  # type: ignore[attr-defined]
    json_interface._root.add(["broken"], group.all[0])
    answer = client.get("/api/broken")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "a secret of the server" in caplog.text
