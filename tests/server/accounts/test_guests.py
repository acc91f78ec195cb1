"""Guests and their tokens: made by the server, stored as digests, refused if forged."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from malecon.server.accounts.guests import person_of
from malecon.server.accounts.sessions import Sessions
from malecon.server.storage.schema import metadata
from malecon.server.storage.store import Storage
from malecon.text import LANGUAGES
from tests.server.people import Player, services_of, serving


def test_guests_cannot_choose_their_own_secret(database: str) -> None:
    chosen, stored = "a" * 40, "b" * 32
    storage = Storage(database)
    storage.set_choices(person_of(stored), {"name": "Bea"})  # its mark was made with a key that is lost
    storage.close()
    with serving(database) as client:
        player = Player(client)
        table = player.open("me", "me")["id"]
        token = player.headers["authorization"].split()[1]
        changed_end = token[:-1] + ("A" if token[-1] != "A" else "B")
        changed_start = ("x" if token[0] != "x" else "y") + token[1:]
        for wrong in (chosen, changed_end, changed_start):
            assert client.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {wrong}"}).status_code == 401
        assert client.get("/api/account", headers={"authorization": f"Bearer {stored}"}).status_code != 401
        client.cookies.set("malecon", chosen)
        client.get("/")
        given = {cookie.value for cookie in client.cookies.jar if cookie.name == "malecon"} - {chosen}
        assert len(given) == 1  # a browser gets one of ours instead
    with serving(database) as client:  # the key stays the same, also in another process
        player.client = client
        assert player.state(table)["legal"]
        Sessions(client.app.state.services.storage).new_key(forget=True)  # type: ignore[attr-defined]
    with serving(database) as client:
        player.client = client
        assert player.state(table)["legal"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_token_is_refused(client: TestClient, language: str) -> None:
    player = Player(client)
    table = player.open("me", "me")["id"]
    for wrong in ("x", "", "a.b.c", "ñ" * 30, "x" * 300):
        headers = {"authorization": f"Bearer {wrong}".encode(), "accept-language": language}
        for path in ("/api/tables", f"/api/tables/{table}", "/"):
            answer = client.get(path, headers=headers)
            assert answer.status_code == 401, (wrong, path)
        assert client.get("/api/tables", headers=headers).json()["error"]
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"/api/tables/{table}/events", headers={"authorization": "Bearer x"}),
    ):
        pass


def test_a_guests_secret_is_nowhere_in_the_database(client: TestClient) -> None:
    guest = Player(client)
    guest.open("me", "me")
    secret = guest.headers["authorization"].split()[1]
    with services_of(client).storage.engine.connect() as connection:
        rows = {table.name: connection.execute(select(table)).all() for table in metadata.sorted_tables}
    assert rows["seats"]
    assert secret not in str(rows)
