"""A page that thinks for bots, played by a test: it knows nothing but what the server sends it."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from malecon import bots
from malecon.bots import levels
from malecon.bots.history import replay
from malecon.kernel import registry
from malecon.kernel.verbs import Position
from malecon.kernel.view import legal_codes
from malecon.server.pages import engine_files
from malecon.server.tables import page_bots
from tests.server.people import Player, State, services_of, until


def position_of(request: dict[str, Any]) -> Position:
    """The position of a request, as its page works it out."""
    game = registry.get(request["game"])
    cells = np.frombuffer(bytearray(base64.b64decode(request["setup"])), game.dtype).view(np.recarray)
    replay(cells, np.frombuffer(bytearray(base64.b64decode(request["codes"])), "<i2"))
    return cells[0]


class Page:
    """The live connection of a player's page."""

    def __init__(self, socket: WebSocketTestSession, seed: int = 0) -> None:
        self.socket = socket
        self.dice = random.Random(seed)

    def announce(self, game: str = "santiago") -> None:
        """Announce the engine of a game; if it is the table's, wait until it is accepted."""
        self.socket.send_json({"engine": engine_files.engine_digest(game)})
        self.is_accepted = "engine" in self.receive("engine", "engine_error")

    def receive(self, *keys: str) -> dict[str, Any]:
        """The next message with one of these keys."""
        while True:
            message: dict[str, Any] = self.socket.receive_json()
            if any(key in message for key in keys):
                return message

    def asked(self) -> dict[str, Any]:
        """The next decision that the page is asked for."""
        return dict(self.receive("think")["think"])

    def choose(self, request: dict[str, Any]) -> int:
        return self.dice.choice(legal_codes(registry.get(request["game"]), position_of(request)))

    def answer(self, request: dict[str, Any], **other: int) -> None:
        move = {"version": request["version"], "seat": request["seat"]}
        self.socket.send_json({**move, "code": self.choose(request)} | other)

    def refusal(self) -> str:
        return str(self.receive("engine_error")["engine_error"])


@contextmanager
def page_of(client: TestClient, player: Player, table: str, game: str = "santiago") -> Iterator[Page]:
    """A page of this player, who is to move, that has announced its engine."""
    player.my_turn(table)
    with client.websocket_connect(f"/tables/{table}/live", headers=player.headers) as socket:
        page = Page(socket)
        page.announce(game)
        yield page


def open_solo(player: Player, *bots: str, game: str = "santiago", **options: Any) -> State:
    """A table of this player alone, at which the page may think."""
    seats = [{"who": "me"}, *({"who": f"bot:{bot}"} for bot in bots or ("patron",))]
    body = {"game": game, "seats": seats, "pace": "instant", "options": options, "page_thinks": True}
    answer = player.post("/api/tables", body)
    assert answer.status_code == 201, answer.text
    state: State = answer.json()
    assert state["casual"]
    return state


@contextmanager
def quick_patron() -> Iterator[None]:
    """El Patrón thinks for milliseconds, on the server and in pages."""

    def forget() -> None:
        for cached in (bots._parsed, page_bots._spec, page_bots._search_of):
            cached.cache_clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(levels.BY_KEY, "patron", replace(levels.BY_KEY["patron"], spec="search:sims=80"))
        forget()
        yield
    forget()


def play_to_the_end(
    player: Player, page: Page, table: str, on_request: Callable[[dict[str, Any]], None] = lambda request: None
) -> None:
    """Play a whole game: the player's moves, and those that the page is asked for."""
    while (state := player.state(table))["turn"] is not None:
        if state["legal"]:
            move = page.dice.choice(state["legal"])["move"]
            assert player.move(table, move, state["version"]).status_code == 200
            continue
        message = page.receive("think", "version")
        if "think" in message:
            on_request(message["think"])
            page.answer(message["think"])


def until_a_bot_is_to_move(player: Player, table: str) -> State:
    """The table after the player has moved so often that a bot has a choice."""
    while True:
        state = until(lambda: player.state(table), lambda state: state["legal"] or state["turn"] != 0)
        match = services_of(player.client).tables.get_loaded(table).match  # type: ignore[union-attr]
        if not state["legal"] and match.turn != 0 and len(match.legal_moves) > 1:
            return state
        if state["legal"]:
            assert player.move(table, state["legal"][0]["move"], state["version"]).status_code == 200


def bot_moves(client: TestClient) -> dict[str, float]:
    """How many moves of bots were chosen where, by the server's metrics."""
    lines = client.get("/metrics").text.splitlines()
    counts = [
        line.removeprefix('malecon_bot_moves_total{where="').split('"} ')
        for line in lines
        if "_bot_moves_total{" in line
    ]
    return {where: float(number) for where, number in counts}
