"""What has changed since a version, and the short way for looking and moving: they tell what the long way tells."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from malecon.server.operations.limits import ServerSettings
from malecon.server.tables.live_tables import LiveTables
from malecon.server.web.app import create_app
from tests.server.people import Player, State, serving


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
    for bad in ("-1", "x", "1e3", "9" * 30):
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


LONG_WAY = "?layout=wide"  # anything but `since` goes through all layers


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b'{"move": "drive 9"}', {}),
        (b'{"move": "nonsense"}', {}),
        (b'{"move": "drive 9", "version": 99}', {}),
        (b'{"move": "drive 9", "seat": 1}', {}),
        (b'{"move": "drive 9", "seat": 17}', {}),
        (b'{"move": "drive 9", "version": "7"}', {}),
        (b'{"move": "drive 9", "extra": 1}', {}),
        (b'{"move": 5}', {}),
        (b'{"move": "' + b"x" * 300 + b'"}', {}),
        (b'{"move": "' + b"x" * 90_000 + b'"}', {}),
        (b"[]", {}),
        (b"", {}),
        (b"\xff\xfe", {}),
        (b'{"move": "drive 9"}', {"origin": "https://elsewhere.example"}),
        (b'{"move": "drive 9"}', {"sec-fetch-site": "cross-site"}),
        (b'{"move": "drive 9"}', {"authorization": "Bearer x"}),
        (b'{"move": "drive 9"}', {"accept-language": "de"}),
    ],
)
def test_the_short_way_refuses_as_the_long_way_does(client: TestClient, body: bytes, headers: dict[str, str]) -> None:
    player = Player(client)
    opened = player.open("open", "me")  # whose turn it is makes no difference: nothing can be done
    path = f"/api/tables/{opened['id']}/moves"
    sent = player.headers | {"content-type": "application/json"} | headers
    answers = [client.post(path + way, content=body, headers=sent) for way in ("", LONG_WAY)]
    short, long = ((answer.status_code, answer.json(), sorted(answer.headers.items())) for answer in answers)
    assert short == long
    assert short[0] >= 400


def test_the_short_way_looks_as_the_long_way_does(client: TestClient) -> None:
    player, stranger = Player(client), Player(client, "it")
    table = player.open("me", "bot:random")["id"]
    player.my_turn(table)
    for who in (player, stranger):
        for path in (f"/api/tables/{table}", "/api/tables/nowhere", "/api/tables/%20", "/api/tables/a%2Fb"):
            short, long = who.get(path), who.get(path + LONG_WAY)
            assert short.status_code == long.status_code
            assert short.json() == long.json()
            assert sorted(short.headers.items()) == sorted(long.headers.items())
    text = client.get("/metrics").text
    assert 'route="/api/tables/{table}",status="200"' in text


def test_the_short_way_is_limited_too(tmp_path: Path) -> None:
    app = create_app(tmp_path, ServerSettings(requests=8))
    with TestClient(app, client=("203.0.113.5", 1)) as client:
        player = Player(client)
        table = player.open("me", "me")["id"]
        answers = [player.get(f"/api/tables/{table}") for _ in range(12)]
        assert answers[0].status_code == 200
        assert answers[-1].status_code == 429
        assert answers[-1].headers["retry-after"]


def test_what_somebody_has_chosen_holds_on_the_short_way(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        table = player.open("me", "me")["id"]
        before = player.state(table)["prompt"]
        cookie = {"cookie": f"malecon={player.headers['authorization'].split()[1]}", "origin": "http://testserver"}
        assert client.post("/settings", data={"language": "de"}, headers=cookie).status_code in (200, 303)
        assert player.state(table)["prompt"] != before


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
