"""What has changed since a version: with the deltas, a client knows what it would be sent as a whole."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from starlette.testclient import TestClient

from malecon.server.tables.live_tables import LiveTables
from tests.server.people import Player, State


def updated(known: State, news: State) -> State:
    """What docs tell a client to do."""
    first = news.pop("history_from")
    history = known["history"][:first] + news.pop("history")
    return {**known, **news, "history": history}


@pytest.mark.parametrize(("game", "options"), [("santiago", {}), ("cuba", {"envoys": True}), ("cuba", {})])
def test_news_lead_to_the_state_that_everybody_sees(client: TestClient, game: str, options: dict[str, Any]) -> None:
    """Also with face-down moves, undo and several seats of one person, for clients that ask rarely or often."""
    players = [Player(client) for _ in range(3)]
    owner, dice = players[0], random.Random(3)
    opened = owner.open("me", "me", "open", "open", game=game, **options)
    for guest, seat in zip(players[1:], opened["seats"][2:], strict=True):
        assert guest.post("/api/join", {"token": seat["invitation"]}).status_code == 200
    table, viewers = opened["id"], [*players, Player(client, "de")]
    known = [viewer.state(table) for viewer in viewers]
    hidden = shorter = 0
    for step in range(160):
        for number, viewer in enumerate(viewers):
            if dice.random() < 0.4:
                news = viewer.get(f"/api/tables/{table}?since={known[number]['version']}").json()
                shorter += len(news["history"]) < len(known[number]["history"])
                known[number] = updated(known[number], news)
                assert known[number] == viewer.state(table)
                hidden += any(past["move"] is None for past in known[number]["history"])
        mover = next((player for player in players if player.state(table)["legal"]), None)
        if mover is None:
            break
        state = mover.state(table)
        if state["can_undo"] and dice.random() < 0.2:
            since = known[players.index(mover)]["version"]
            answer = mover.post(f"/api/tables/{table}/undo?since={since}", {})
        else:
            move = dice.choice(state["legal"])["move"]
            since = known[players.index(mover)]["version"]
            answer = mover.post(f"/api/tables/{table}/moves?since={since}", {"move": move})
        assert answer.status_code == 200, step
        number = players.index(mover)
        known[number] = updated(known[number], answer.json())
        assert known[number] == mover.state(table)
    assert shorter > 50
    assert bool(hidden) == (game == "cuba")


def test_news_of_seats_and_of_versions_that_are_no_more(client: TestClient) -> None:
    owner, guest = Player(client), Player(client)
    opened = owner.open("me", "me", "me", "open")
    table, version = opened["id"], opened["version"]
    if opened["legal"]:
        assert owner.move(table, opened["legal"][0]["move"]).status_code == 200
    state = owner.state(table)
    guest.post("/api/join", {"token": opened["seats"][3]["invitation"]})
    news = owner.get(f"/api/tables/{table}?since={state['version']}").json()
    assert news["seats"][3]["kind"] == "person"
    assert "options" not in news
    assert "dice" not in news
    for since in (version, 0):
        assert updated(opened, owner.get(f"/api/tables/{table}?since={since}").json()) == owner.state(table)
    ahead = owner.get(f"/api/tables/{table}?since={state['version'] + 5}").json()  # nobody knows what they have seen
    assert ahead.pop("history_from") == 0
    assert ahead == owner.state(table)
    for bad in ("-1", "x", "1.5", "9" * 30):
        assert owner.get(f"/api/tables/{table}?since={bad}").status_code == 400


def test_live_connections_can_have_news_only(client: TestClient) -> None:
    player = Player(client)
    opened = player.open("me", "me", open_screens=True)
    path = f"/api/tables/{opened['id']}/events?since={opened['version']}"
    known, dice = opened, random.Random(1)
    with client.websocket_connect(path, headers=player.headers) as socket:
        for _ in range(12):
            full = player.move(opened["id"], dice.choice(known["legal"])["move"]).json()
            news = socket.receive_json()
            assert len(news["history"]) < 6
            known = updated(known, news)
            assert known == full


def test_nobody_is_shown_an_older_version_than_they_have_seen(client: TestClient) -> None:
    """The other process has not heard of the move yet; it looks it up before it answers."""
    services = client.app.state.services  # type: ignore[attr-defined]
    player = Player(client)
    state = player.open("me", "me", open_screens=True)
    other = LiveTables(services.storage)
    theirs = asyncio.run(other.get(state["id"]))
    new = player.move(state["id"], state["legal"][0]["move"]).json()
    services.tables._live[state["id"]] = theirs
    assert theirs.version < new["version"]
    assert player.get(f"/api/tables/{state['id']}?since={new['version']}").json()["version"] == new["version"]
