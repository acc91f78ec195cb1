"""Every live connection ends with its session: at once, and before any further message even if no notice comes."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from malecon.server.accounts.accounts import SessionsEnded
from malecon.server.accounts.session_check import LOGGED_OUT
from tests.server.people import Player, log_in, register, routes_of, services_of

#: Paths of all live connections, with gaps for a table, a waiting table and a tournament.
PATHS = (
    "/tables/{table}/live",
    "/tables/{table}/chat",
    "/api/tables/{table}/events",
    "/lobby/live",
    "/api/lobby/events",
    "/waiting/{waiting}/live",
    "/tournaments/{tournament}/live",
    "/api/tournaments/{tournament}/events",
)
CUP = {"game": "santiago", "format": "swiss", "players": 2, "rounds": 2, "options": {}, "public": True, "name": "Copa"}


class Scene:
    """A table, a waiting table and a tournament that somebody looks at, and a change of all three."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.bea = bea = Player(client)
        register(bea, "Bea")
        self.table = bea.open("me", "open", open_screens=True)
        friend = {"token": self.table["seats"][1]["invitation"], "name": "Carl"}
        self.carl = Player(client)
        assert self.carl.post("/api/join", friend).status_code == 200
        self.waiting = self.open_waiting()
        opened = bea.post("/api/tournaments", CUP)
        assert opened.status_code == 201, opened.text
        self.tournament = opened.json()["id"]

    def open_waiting(self) -> str:
        body = {"game": "santiago", "seats": [{"who": "me"}, {"who": "open"}], "clock": "day"}
        answer = self.bea.post("/api/lobby", body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def path(self, pattern: str) -> str:
        return pattern.format(table=self.table["id"], waiting=self.waiting, tournament=self.tournament)

    def change(self) -> None:
        """Change all that a connection may follow."""
        table = self.table["id"]
        moves = [(player, player.state(table)["legal"]) for player in (self.bea, self.carl)]
        player, legal = next((player, legal) for player, legal in moves if legal)
        assert player.move(table, legal[0]["move"]).status_code == 200
        assert self.bea.post(f"/api/tables/{self.table['id']}/talk", {"text": "hello"}).status_code == 204
        self.open_waiting()
        assert self.bea.post(f"/api/tournaments/{self.tournament}/enter", None).status_code == 200


def close_code(socket: WebSocketTestSession) -> int:
    """The code with which a connection is closed, after at most the messages that were under way."""
    for _ in range(10):
        try:
            socket.receive_json()
        except WebSocketDisconnect as closed:
            return closed.code
    raise AssertionError("it is still open")


def ways(client: TestClient, ana: Player) -> dict[str, Callable[[], object]]:
    return {
        "logged out here": lambda: client.post("/account/logout", headers=ana.headers, follow_redirects=False),
        "deleted": lambda: ana.post("/api/account/delete", {"password": "sugar and rum"}),
    }


def test_all_live_connections_are_tested(client: TestClient) -> None:
    def shape(path: str) -> str:
        return "/".join("{}" if part.startswith("{") else part for part in path.split("/"))

    paths = {shape(route.path) for route in routes_of(client) if isinstance(route, WebSocketRoute)}
    assert paths == set(map(shape, PATHS))


@pytest.mark.parametrize("way", ["logged out here", "deleted"])
@pytest.mark.parametrize("pattern", PATHS)
def test_a_live_connection_is_closed_as_soon_as_its_session_ends(client: TestClient, pattern: str, way: str) -> None:
    scene, ana = Scene(client), Player(client)
    register(ana)
    with client.websocket_connect(scene.path(pattern), headers=ana.headers) as socket:
        socket.receive_json()
        ways(client, ana)[way]()
        assert close_code(socket) == LOGGED_OUT
    end = time.monotonic() + 10
    while services_of(client).presence.people() and time.monotonic() < end:
        time.sleep(0.01)
    assert not services_of(client).presence.people()  # nobody sees them here any more


@pytest.mark.parametrize("pattern", PATHS)
def test_nothing_is_sent_after_a_log_out_even_without_a_notice(
    client: TestClient, pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, ana, phone = Scene(client), Player(client), Player(client)
    register(ana)
    log_in(phone)
    with client.websocket_connect(scene.path(pattern), headers=ana.headers) as socket:
        socket.receive_json()
        monkeypatch.delitem(services_of(client).events._handlers, SessionsEnded)
        client.post("/account/logout", headers=ana.headers, follow_redirects=False)
        scene.change()
        assert close_code(socket) == LOGGED_OUT
    assert phone.get("/api/account").status_code == 200
