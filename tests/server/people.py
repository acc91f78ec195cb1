"""Helpers: clients with an identity of their own at one running application."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from malecon.server.web.app import create_app

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
        wanted = {"game": game, "seats": [{"who": who} for who in seats], "pace": pace, "options": options}
        answer = self.post("/api/tables", wanted)
        assert answer.status_code == 201, answer.text
        state: State = answer.json()
        return state

    def state(self, table: str) -> State:
        found: State = self.get(f"/api/tables/{table}").json()
        return found

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
def serving(place: Path | str) -> Iterator[TestClient]:
    with TestClient(create_app(place), raise_server_exceptions=False, client=HERE) as client:
        yield client
