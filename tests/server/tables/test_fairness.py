"""Among people nobody looks ahead unless all were told; who gives up, or sleeps for a fortnight, comes last."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from malecon.match import Match
from malecon.server.storage.game_log import GameLog
from malecon.server.storage.rows import BOT, PERSON, SeatRow
from malecon.server.tables import timing
from malecon.server.tables.table import is_automatic
from tests.clock import Clock
from tests.server.people import ORIGIN, Player, services_of, until
from tests.server.stored_games import table_of

JSON = {"accept": "application/json"}


def ask(player: Player, path: str) -> int:
    return int(player.client.post(path, headers=player.headers | ORIGIN | JSON, follow_redirects=False).status_code)


def open_for_two(client: TestClient, hints: bool = False, clock: str = "none") -> tuple[Player, Player, str]:
    """A table of open screens, so that only fairness can forbid something."""
    ana, bea = Player(client), Player(client)
    body = {"game": "santiago", "seats": [{"who": "me"}, {"who": "open"}], "options": {"open_screens": True}}
    opened = ana.post("/api/tables", body | {"hints": hints, "clock": clock, "pace": "instant"}).json()
    joined = bea.post("/api/join", {"token": opened["seats"][1]["invitation"]})
    assert joined.status_code == 200, joined.text
    return ana, bea, opened["id"]


@pytest.mark.parametrize("hints", [False, True])
def test_no_hint_and_no_look_ahead_among_people_unless_agreed(client: TestClient, hints: bool) -> None:
    ana, bea, table = open_for_two(client, hints)
    mover = (ana, bea)[ana.state(table)["turn"]]
    assert ask(mover, f"/tables/{table}/hint") == (200 if hints else 403)
    assert ask(ana, f"/tables/{table}/review") == 403  # nobody reviews a running game, agreed or not
    for player in (ana, bea, Player(client)):  # a spectator could tell
        assert ask(player, f"/tables/{table}/fork/20") == (303 if hints else 403)
        assert player.get(f"/tables/{table}/record.json").status_code == (200 if hints else 403)
    page = mover.get(f"/tables/{table}").text
    assert ("data-hint" in page) == hints
    assert ("Hints and looking ahead are allowed" in page) == hints
    free = ana.post("/api/tables", {"game": "cuba", "seats": [{"who": "me"}, {"who": "open"}], "hints": hints}).json()
    page_before = bea.get(f"/join/{free['seats'][1]['invitation']}").text  # before one sits down
    assert ("Hints and looking ahead are allowed" in page_before) == hints


def test_alone_against_bots_there_are_hints(client: TestClient) -> None:
    ana = Player(client)
    table = ana.open("me", "bot:random")["id"]
    ana.my_turn(table)
    assert ask(ana, f"/tables/{table}/hint") == 200
    hint = ana.client.post(f"/tables/{table}/hint", headers=ana.headers | ORIGIN).json()
    assert hint["moves"]
    assert all(isinstance(sentence, str) and "{" not in sentence for sentence in hint["why"])
    assert "hints until the game is over" not in ana.get(f"/tables/{table}").text


def test_giving_up_is_for_good_and_comes_last(client: TestClient) -> None:
    ana, bea, table = open_for_two(client)
    assert "Give up for good" in ana.get(f"/tables/{table}").text
    assert ask(bea, f"/tables/{table}/seats/0/resign") == 403
    assert ask(ana, f"/tables/{table}/seats/0/resign") == 200
    seat = bea.state(table)["seats"][0]
    assert seat["resigned"]
    assert seat["bot"]
    assert ask(ana, f"/tables/{table}/seats/0/return") == 400
    assert ask(ana, f"/tables/{table}/seats/0/resign") == 400


def test_who_is_away_for_a_fortnight_gives_up(
    client: TestClient, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timing, "FORTNIGHT_SECONDS", 3)
    ana, bea, table = open_for_two(client)
    alone = ana.open("me", "bot:random", "bot:random")["id"]
    assert ana.state(table)["deadline"] is None  # no clock is shown
    sleeper = ana.state(table)["turn"]
    clock.advance(4)
    late = until(lambda: bea.state(table), lambda state: state["seats"][sleeper]["resigned"])
    assert late["seats"][sleeper]["bot"]
    other = 1 - sleeper
    until(lambda: bea.state(table), lambda state: state["turn"] == other)
    clock.advance(4)
    until(lambda: bea.state(table), lambda state: state["seats"][other]["resigned"])
    ended = until(lambda: bea.state(table), lambda state: state["turn"] is None)  # bots have played to the end
    assert ended["result"]
    assert not ana.state(alone)["seats"][0]["resigned"]  # who keeps nobody waiting has all the time there is


def forced_positions(**options: bool) -> list[Match]:
    """Positions of one game in which a player has a single move."""
    match, dice, forced = Match("santiago", 2, seed=6, options=options), random.Random(6), []
    while not match.is_over:
        if (match.turn or 0) >= 0 and len(match.legal_moves) == 1:
            forced.append(match.copy())
        match.push(dice.choice(list(match.legal_moves)))
    assert len(forced) > 3
    return forced


def test_a_forced_move_is_made_at_once_only_if_others_see_that_it_is_forced() -> None:
    ana, bea, bot = SeatRow(PERSON, person="ana"), SeatRow(PERSON, person="bea"), SeatRow(BOT, bot="comerciante")
    log = GameLog()
    for match in forced_positions():  # each player has a screen, and what is behind it decides what they may do
        assert not is_automatic(match, (ana, bea), log)
        assert is_automatic(match, (ana, ana), log)  # nobody else is there to learn it
        own = (ana, bot) if match.turn == 0 else (bot, ana)
        assert is_automatic(match, own, log)
    for match in forced_positions(open_screens=True):
        assert is_automatic(match, (ana, bea), log)


def test_a_forced_move_of_a_bot_takes_as_long_as_others(client: TestClient) -> None:
    autoplay = services_of(client).autoplay
    autoplay._last_think_seconds["comerciante"] = 1.7
    for options, pause in (({}, 1.7), ({"open_screens": True}, 0.0)):
        table = table_of(forced_positions(**options)[0])
        table.row = replace(table.row, seats=(SeatRow(BOT, bot="comerciante"),) * 2)
        assert autoplay._pause_before_forced(table, table.match.turn or 0) == pause
