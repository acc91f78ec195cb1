"""Games over days: the longest wait first, what happened since one's last move, and options that suit a long game."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from tests.server.people import Browser, Player


@pytest.mark.parametrize(("per_turn", "open_screens"), [("none", False), ("ten-minutes", False), ("day", True)])
def test_screens_are_open_by_default_in_games_over_days(client: TestClient, per_turn: str, open_screens: bool) -> None:
    ana = Player(client)
    body = {"game": "santiago", "seats": [{"who": "me"}, {"who": "open"}], "clock": per_turn}
    assert ana.post("/api/tables", body).json()["options"]["open_screens"] is open_screens
    chosen = body | {"options": {"open_screens": not open_screens}}
    assert ana.post("/api/tables", chosen).json()["options"]["open_screens"] is not open_screens


def test_a_form_leaves_the_default_to_the_clock(client: TestClient) -> None:
    bea = Browser(client, "Bea")
    for clock, value, open_screens in (
        ("week", "", True),
        ("week", "off", False),
        ("none", "", False),
        ("none", "on", True),
    ):
        option = {"option-santiago-open_screens": value}
        where = bea.open("me", "open", join="link", clock=clock, **option)
        state = client.get(f"/api{where}", headers=bea.headers).json()
        assert state["options"]["open_screens"] is open_screens, (clock, value)


def test_the_home_page_leads_to_the_game_that_has_waited_longest(client: TestClient) -> None:
    bea = Browser(client, "Bea")
    opened = [bea.open("me", "me", join="link") for _ in range(3)]
    page = bea.page()
    leads_to = re.search(r'class="button primary" href="(/tables/[\w-]+)"', page)
    assert leads_to is not None
    assert leads_to[1] == opened[0]
    listed = re.findall(r'class="my-turn"\s+href="(/tables/[\w-]+)"', page)
    assert listed == opened


def test_the_table_leads_to_what_happened_since_ones_last_move(client: TestClient) -> None:
    ana, bea = Player(client), Player(client)
    state = ana.open("me", "open", open_screens=True)
    bea.post("/api/join", {"token": state["seats"][1]["invitation"]})
    players = {0: ana, 1: bea}
    name, last = state["id"], {0: 0, 1: 0}
    for _ in range(30):
        state = ana.state(name)
        turn = state["turn"]
        legal = players[turn].state(name)["legal"]
        state = players[turn].move(name, legal[0]["move"]).json()
        own = [number for number, move in enumerate(state["history"], 1) if move["seat"] == turn]
        last[turn] = own[-1]
        for seat, player in players.items():
            page = player.get(f"/tables/{name}").text
            others = [move for move in state["history"][last[seat] :] if move["seat"] >= 0]
            link = f'href="/tables/{name}/replay/{last[seat]}">Since your last move'
            assert (link in page) is bool(others and last[seat])
