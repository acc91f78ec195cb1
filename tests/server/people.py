"""Players and browsers with an identity of their own at one running application."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute
from starlette.testclient import TestClient

from malecon.server.web.app import create_app
from malecon.server.web.services import Services

#: A client on this machine, which is not limited.
HERE = ("127.0.0.1", 5000)
ORIGIN = {"origin": "http://testserver"}
State = dict[str, Any]


class Player:
    """Somebody with a token who plays over the JSON interface."""

    def __init__(self, client: TestClient, language: str = "en") -> None:
        self.client = client
        token = client.post("/api/people").json()["token"]
        self.headers = {"authorization": f"Bearer {token}", "accept-language": language}

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(path, headers=self.headers, **more)

    def post(self, path: str, data: Any) -> Any:
        return self.client.post(path, headers=self.headers, json=data)

    def open(self, *seats: str, game: str = "santiago", pace: str = "instant", **options: Any) -> State:
        body = {"game": game, "seats": [{"who": who} for who in seats], "pace": pace, "options": options}
        answer = self.post("/api/tables", body)
        assert answer.status_code == 201, answer.text
        state: State = answer.json()
        return state

    def state(self, table: str) -> State:
        state: State = self.get(f"/api/tables/{table}").json()
        return state

    def move(self, table: str, move: str, version: int | None = None) -> Any:
        return self.post(f"/api/tables/{table}/moves", {"move": move, "version": version})

    def my_turn(self, table: str, seconds: float = 20) -> State:
        """The table once it is this player's turn, or the game is over."""
        return until(lambda: self.state(table), lambda state: state["legal"] or state["turn"] is None, seconds)


def until(look: Callable[[], State], fits: Callable[[State], Any], seconds: float = 20) -> State:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        state = look()
        if fits(state):
            return state
        time.sleep(0.01)
    raise AssertionError(f"nothing came of it in {seconds} s: {state}")


@contextmanager
def serving(place: Path | str, clock: Callable[[], float] = time.time) -> Iterator[TestClient]:
    with TestClient(create_app(place, clock=clock), raise_server_exceptions=False, client=HERE) as client:
        yield client


class Browser:
    """A visitor of the pages, with a token in place of a cookie."""

    def __init__(self, client: TestClient, name: str = "", language: str = "en") -> None:
        self.client = client
        token = client.post("/api/people").json()["token"]
        self.headers = ORIGIN | {"accept-language": language, "authorization": f"Bearer {token}"}
        self.post("/settings", name=name, here="on", talk="on", automatic="on")

    def get(self, path: str) -> Any:
        return self.client.get(path, headers=self.headers, follow_redirects=False)

    def connect(self, path: str) -> Any:
        return self.client.websocket_connect(path, headers=self.headers)

    def open(self, *seats: str, game: str = "santiago", join: str = "public", **more: str) -> str:
        data = {"game": game, "join": join} | {f"seat-{n}": who for n, who in enumerate(seats)} | more
        answer = self.post("/tables", **data)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def post(self, path: str, **data: Any) -> Any:
        return self.client.post(path, data=data, headers=self.headers, follow_redirects=False)

    def page(self, path: str = "/") -> str:
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return str(answer.text)


PASSWORD = "sugar and rum"


def register(player: Player, name: str = "Ana", password: str = PASSWORD) -> str:
    answer = player.post("/api/account", {"name": name, "password": password})
    assert answer.status_code == 201, answer.text
    return use(player, answer.json()["token"])


def use(player: Player, token: str) -> str:
    player.headers = player.headers | {"authorization": f"Bearer {token}"}
    return token


def log_in(player: Player, name: str = "Ana", password: str = PASSWORD, bring: bool = False) -> int:
    answer = player.post("/api/session", {"name": name, "password": password, "bring": bring})
    if answer.status_code == 201:
        use(player, answer.json()["token"])
    return int(answer.status_code)


def registered(browser: Browser, name: str) -> Browser:
    answer = browser.client.post(
        "/api/account", json={"name": name, "password": "a good secret 1"}, headers=browser.headers
    )
    assert answer.status_code == 201, answer.text
    browser.headers = browser.headers | {"authorization": f"Bearer {answer.json()['token']}"}
    return browser


def moderating(browser: Browser, name: str) -> Browser:
    """Somebody with an account that moderates."""
    registered(browser, name)
    accounts = services_of(browser.client).accounts
    account = accounts.find(name)
    assert account is not None
    accounts.set_moderator(account, True)
    return browser


def routes_of(client: TestClient) -> list[BaseRoute]:
    """Every route of an application, those of its routers included."""
    own: list[BaseRoute] = client.app.routes  # type: ignore[attr-defined]
    routers = [entry.original_router.routes if hasattr(entry, "original_router") else [entry] for entry in own]
    return [route for router in routers for route in router]


def services_of(client: TestClient) -> Services:
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    return services
