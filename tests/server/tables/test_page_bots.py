"""Bots that a page thinks for: what it is sent, what it may answer, and when the server thinks instead."""

from __future__ import annotations

import asyncio
import base64
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from malecon.bots.history import position_from_history
from malecon.games.cuba.position import BID, ENVOY, ENVOYS, SECOND_BID
from malecon.kernel.positions import as_array
from malecon.kernel.view import hidden
from malecon.match import Match
from malecon.server.errors import BotHasMoved, PageTooOld
from malecon.server.pages.engine_files import engine_digest
from malecon.server.storage.rows import BOT, OPEN, PERSON, SeatRow
from malecon.server.tables import autoplay, page_bots
from malecon.server.tables.opening import NewTable
from malecon.server.tables.page_bots import ThinkingPage, ThinkRequest, can_leave_to_page, think_request
from malecon.server.tables.seats import NewSeat
from tests.server.cluster import processes, wait_until
from tests.server.hidden import shuffle_hidden
from tests.server.people import Player, register, services_of, serving, until
from tests.server.postgres import Postgres
from tests.server.stored_games import table_of
from tests.server.thinking_pages import (
    Page,
    bot_moves,
    open_solo,
    page_of,
    play_to_the_end,
    position_of,
    quick_patron,
    until_a_bot_is_to_move,
)

GAMES = [("santiago", {}), ("santiago", {"open_screens": True}), ("cuba", {}), ("cuba", {"envoys": True})]
SOLO = NewTable("santiago", (NewSeat("me"), NewSeat("bot:patron")), page_thinks=True, pace="instant")


def sent(match: Match, person: int, seat: int) -> bytes | None:
    """What the page of a person is sent for the bot on another seat, apart from the random seed."""
    request = think_request(match.view(person), match.view(seat), "patron", len(match))
    return None if request is None else msgspec.json.encode(msgspec.structs.replace(request, seed=0))


def decisions(match: Match, dice: random.Random) -> Iterator[int]:
    """A random game, stopped at every decision: who is to move."""
    while match.turn is not None:
        yield match.turn
        match.push(dice.choice(list(match.legal_moves)))


@pytest.fixture(autouse=True)
def no_waiting_for_the_first_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here pages come when a table has been open for long."""
    monkeypatch.setattr(autoplay, "FIRST_PAGE_SECONDS", 0.0)


# --- what is sent


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_the_position_that_a_page_works_out_is_the_one_the_bot_sees(game: str, options: dict[str, Any]) -> None:
    checked = 0
    for seed in range(12):
        match = Match(game, 2 + seed % 3, seed=seed, options=options)
        for seat in decisions(match, random.Random(seed)):
            person = (seat + 1) % match.players
            data = sent(match, person, seat)
            if data is None:
                continue
            position, view = position_of(msgspec.json.decode(data)), match.view(seat)
            assert position.tobytes() == position_from_history(view).tobytes()  # what the server's bot searches
            assert hidden(as_array(position), seat).tobytes() == view.position.tobytes()
            assert hidden(as_array(position), person).tobytes() == match.view(person).position.tobytes()
            checked += 1
    assert checked > 200


def test_what_stands_behind_screens_is_not_sent() -> None:
    """Positions that differ in the holdings of bots alone: the page would be sent the same."""
    checked = 0
    for seed in range(12):
        dice = random.Random(seed)
        match = Match("santiago", 2 + seed % 3, seed=seed)
        for seat in decisions(match, dice):
            person = (seat + 1) % match.players
            other = table_of(match)
            shuffle_hidden(other, person, dice)
            assert other.match.view(seat) != match.view(seat)
            assert sent(other.match, person, seat) == sent(match, person, seat) is not None
            checked += 1
    assert checked > 1_000


@pytest.mark.parametrize("envoys", [False, True])
def test_games_that_look_alike_to_the_person_look_alike_to_the_page(envoys: bool) -> None:
    """Two games go on with the same moves after one that differs face down: as long as the person sees no difference,
    the page is asked the same, in the same moments.
    """
    compared = asked = 0
    for seed in range(40):
        dice = random.Random(seed)
        match = Match("cuba", 2 + seed % 3, seed=seed, options={"envoys": envoys})
        for seat in decisions(match, dice):
            person = (seat + 1) % match.players
            if len(match.legal_moves) < 2 or dice.random() < 0.5:
                continue
            truth, other = match.fork(len(match)), match.fork(len(match))
            first, second = dice.sample(list(match.legal_moves), 2)
            truth.push(first)
            other.push(second)
            while truth.turn is not None and truth.turn == other.turn and truth.view(person) == other.view(person):
                if truth.turn != person:
                    assert sent(truth, person, truth.turn) == sent(other, person, other.turn)
                    compared += 1
                common = [move for move in truth.legal_moves if move in other.legal_moves]
                if not common:
                    break
                move = dice.choice(common)
                truth.push(move)
                other.push(move)
            asked += sent(match, person, seat) is not None
    assert compared > 60
    assert asked > 300


def test_what_rests_on_something_face_down_stays_on_the_server() -> None:
    kept = {False: 0, True: 0}
    for envoys in kept:
        for seed in range(10):
            match = Match("cuba", 2 + seed % 3, seed=seed, options={"envoys": envoys})
            for seat in decisions(match, random.Random(seed)):
                position = match.position
                for person in set(range(match.players)) - {seat}:
                    is_covered = not (match.view(person).history.is_open and match.view(seat).history.is_open)
                    lays = position.phase in (BID, SECOND_BID, ENVOY)
                    assert (sent(match, person, seat) is None) == (is_covered or lays)
                    if position.face_down == ENVOYS:
                        assert sent(match, person, seat) is None
                    kept[envoys] += is_covered or lays
    assert all(number > 100 for number in kept.values())


def test_a_page_is_told_how_the_bot_of_that_level_searches() -> None:
    match = Match("santiago", 2, seed=3)
    view = match.view(match.turn)
    request = think_request(match.view(1 - (match.turn or 0)), view, "patron", 7)
    assert request is not None
    assert (request.version, request.seat, request.players) == (7, match.turn, 2)
    assert (request.search.ms, request.search.sims, request.search.miss) == (1500, 0, 0.0)
    assert request.search.settings == {
        "explore": 0.3, "around": 4, "margin": 0.1, "prior": 1.0,
        "policy": 1, "playout": 2, "depth": 20_000, "value": 0,
    }  # fmt: skip
    assert request.seconds == 1.5 + page_bots.PATIENCE_SECONDS
    for instant in ("turista", "aprendiz", "comerciante", "capitan", "random"):  # quicker than to ask
        assert think_request(match.view(1 - (match.turn or 0)), view, instant, 7) is None


def test_where_a_page_may_think() -> None:
    me, bot, open_seat = SeatRow(PERSON, person="me"), SeatRow(BOT, bot="patron"), SeatRow(OPEN, token="t")
    assert can_leave_to_page((me, bot))
    assert can_leave_to_page((bot, SeatRow(BOT, bot="turista"), me))
    assert not can_leave_to_page((me, SeatRow(BOT, bot="capitan")))
    for others in ((me,), (SeatRow(PERSON, person="other"),), (open_seat,)):
        assert not can_leave_to_page((me, bot, *others))
    assert not can_leave_to_page((bot, bot))


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_over_a_whole_game_a_page_is_sent_what_its_person_knows(
    client: TestClient, game: str, options: dict[str, Any]
) -> None:
    """Everything that the page is sent for bots follows from the person's own view, and nothing while a thing of
    anybody lies face down.
    """
    player = Player(client)
    asked = 0
    with quick_patron():
        table = str(open_solo(player, "patron", "turista", game=game, **options)["id"])
        live = services_of(client).tables.get_loaded(table)
        assert live is not None
        names = {field.name for field in msgspec.structs.fields(ThinkRequest)}

        def check(request: dict[str, Any]) -> None:
            nonlocal asked
            view = live.match.view(0)  # the bot waits, so it is the version that the request is about
            assert set(request) == names
            assert base64.b64decode(request["codes"]) == view.history.codes.astype("<i2").tobytes()
            assert base64.b64decode(request["setup"]) == view.game.new_position(3, **view.options).tobytes()
            assert view.history.is_open
            assert all(live.match.view(seat).history.is_open for seat in range(3))
            asked += 1

        with page_of(client, player, table, game) as page:
            play_to_the_end(player, page, table, check)
    assert asked > 5  # with envoys, something lies face down most of the time
    assert bot_moves(client)["page"] == asked


# --- over the live connection


def test_a_page_thinks_and_the_server_stores_its_moves(client: TestClient) -> None:
    player = Player(client)
    table = str(open_solo(player, "patron", "patron")["id"])
    made: list[tuple[int, int]] = []
    with page_of(client, player, table) as page:
        until_a_bot_is_to_move(player, table)
        while len(made) < 6:
            request = page.asked()
            state = player.state(table)
            assert (request["version"], request["seat"]) == (state["version"], state["turn"])
            code = page.choose(request)
            page.answer(request, code=code)
            until(lambda: player.state(table), lambda state: state["version"] > request["version"])  # noqa: B023
            made.append((request["version"], code))
            until_a_bot_is_to_move(player, table)
        history = services_of(client).tables.get_loaded(table).match.history  # type: ignore[union-attr]
        assert all(history.codes[version] == code for version, code in made)
    assert bot_moves(client)["page"] >= 6


def test_wrong_answers_are_refused_and_change_nothing(client: TestClient) -> None:
    player, stranger = Player(client), Player(client, "de")
    table = str(open_solo(player)["id"])
    with page_of(client, player, table) as page:
        page.socket.send_json({"version": 0, "seat": 1, "code": 0})
        assert page.refusal() == "This bot is no longer waiting for an answer from this page."  # it was not even asked
        until_a_bot_is_to_move(player, table)
        request = page.asked()
        before = player.state(table)
        for wrong in (
            {"version": request["version"] + 1},
            {"version": request["version"] - 1},
            {"seat": 0},
            {"seat": 7},
        ):
            page.answer(request, **wrong)
            assert page.refusal() == "This bot is no longer waiting for an answer from this page."
        for nonsense in (
            {"code": -1},
            {"code": "drive 1"},
            {"code": 1, "move": "drive 1"},
            {"engine": 5},
            {"engine": "x" * 200},
        ):
            page.socket.send_json({"version": request["version"], "seat": request["seat"]} | nonsense)
            assert page.refusal().startswith("Invalid request")
        with client.websocket_connect(f"/tables/{table}/live", headers=stranger.headers) as other:
            other.send_json({"engine": engine_digest("santiago")})
            other.send_json({"version": request["version"], "seat": request["seat"], "code": page.choose(request)})
            answers = []
            while len(answers) < 2:
                message = other.receive_json()
                answers += [message["engine_error"]] if "engine_error" in message else []
            assert answers == ["Die Bots dieses Tisches denken auf dem Server."] * 2
        assert player.state(table) == before
        page.answer(request)
        until(lambda: player.state(table), lambda state: state["version"] > request["version"])


def test_after_an_illegal_move_the_server_thinks(client: TestClient) -> None:
    player = Player(client)
    table = str(open_solo(player)["id"])
    with page_of(client, player, table) as page:
        until_a_bot_is_to_move(player, table)
        request = page.asked()
        page.answer(request, code=32_767)
        assert page.refusal() == "This is not a legal move of the bot."
        assert page.receive("stop_thinking")["stop_thinking"] == request["version"]
        player.my_turn(table)
    assert set(bot_moves(client)) == {"server"}


def test_a_page_with_another_engine_is_not_asked(client: TestClient) -> None:
    player = Player(client)
    table = str(open_solo(player)["id"])
    with page_of(client, player, table, game="cuba") as page:  # as good as an old one
        assert not page.is_accepted
        page.socket.send_json({"engine": "another"})
        assert page.refusal() == "This page is too old to think for bots; reload it."
        until_a_bot_is_to_move(player, table)
        player.my_turn(table)
    assert set(bot_moves(client)) == {"server"}


def test_without_an_engine_no_page_thinks(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from malecon.server.pages import engine_files

    monkeypatch.setattr(engine_files, "engine_files", lambda game: None)
    player = Player(client)
    table = str(open_solo(player)["id"])
    with client.websocket_connect(f"/tables/{table}/live", headers=player.headers) as socket:
        socket.send_json({"engine": ""})
        assert Page(socket).refusal() == "This page is too old to think for bots; reload it."
    assert "data-engine" not in player.get(f"/tables/{table}").text


def test_the_page_of_a_player_alone_is_told_which_engine_to_load(client: TestClient) -> None:
    player, stranger = Player(client), Player(client)
    table = str(open_solo(player)["id"])
    assert f'data-engine="{engine_digest("santiago")}"' in player.get(f"/tables/{table}").text
    assert "data-engine" not in stranger.get(f"/tables/{table}").text
    assert "data-engine" not in player.get(f"/tables/{player.open('me', 'bot:patron')['id']}").text


def test_at_a_new_table_the_server_waits_for_the_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the first move of a bot costs the server no search either; a page that cannot think says so at once."""
    monkeypatch.setattr(autoplay, "FIRST_PAGE_SECONDS", 60.0)
    player = Player(client)
    seats = [{"who": "bot:patron"}, {"who": "bot:patron"}, {"who": "me"}]
    body = {"game": "santiago", "seats": seats, "pace": "instant", "page_thinks": True}

    def open_where_a_bot_begins() -> str:
        while True:
            table = str(player.post("/api/tables", body).json()["id"])
            match = services_of(client).tables.get_loaded(table).match  # type: ignore[union-attr]
            if match.turn != 2 and len(match.legal_moves) > 1:
                return table

    table = open_where_a_bot_begins()
    with client.websocket_connect(f"/tables/{table}/live", headers=player.headers) as socket:
        page = Page(socket)
        page.announce()
        page.answer(page.asked())
        until(lambda: bot_moves(client), lambda counts: counts.get("page"))
    other = open_where_a_bot_begins()
    with client.websocket_connect(f"/tables/{other}/live", headers=player.headers) as socket:
        socket.send_json({"engine": None})
        player.my_turn(other)


# --- taking over


def test_the_server_takes_over_when_the_page_closes_or_cannot_think_any_more(client: TestClient) -> None:
    player = Player(client)
    table = str(open_solo(player)["id"])
    with page_of(client, player, table) as page:
        until_a_bot_is_to_move(player, table)
        page.asked()
    player.my_turn(table)  # long before the time is up
    assert set(bot_moves(client)) == {"server"}
    with page_of(client, player, table) as page:
        until_a_bot_is_to_move(player, table)
        request = page.asked()
        page.socket.send_json({"engine": None})
        player.my_turn(table)
        page.answer(request)
        assert page.refusal() == "This bot is no longer waiting for an answer from this page."
    assert set(bot_moves(client)) == {"server"}
    assert 'malecon_page_takeovers_total{why="gone"} 2.0' in client.get("/metrics").text


def test_a_late_answer_is_refused_and_the_page_asked_no_more(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(client)
    table = str(open_solo(player)["id"])
    with page_of(client, player, table) as page:
        monkeypatch.setattr(page_bots, "PATIENCE_SECONDS", -1.45)
        until_a_bot_is_to_move(player, table)
        request = page.asked()
        assert page.receive("stop_thinking")["stop_thinking"] == request["version"]
        monkeypatch.setattr(page_bots, "PATIENCE_SECONDS", 30.0)
        page.answer(request)  # while the server thinks
        assert page.refusal() == "This bot is no longer waiting for an answer from this page."
        player.my_turn(table)
        page.answer(request)  # after it has moved
        assert page.refusal() == "This bot is no longer waiting for an answer from this page."
        numbers = [entry.number for entry in services_of(client).storage.load(table, False).entries]  # type: ignore[union-attr]
        assert numbers == list(range(len(numbers)))
        until_a_bot_is_to_move(player, table)
        player.my_turn(table)  # without asking the page
        assert set(bot_moves(client)) == {"server"}
        page.announce()
        until_a_bot_is_to_move(player, table)
        page.answer(page.asked())
        until(lambda: bot_moves(client), lambda counts: counts.get("page"))
    assert 'malecon_page_takeovers_total{why="late"} 1.0' in client.get("/metrics").text


def test_undo_ends_what_the_page_thinks_about(client: TestClient) -> None:
    player = Player(client)
    table = str(open_solo(player, open_screens=True)["id"])
    with page_of(client, player, table) as page:
        while True:
            until_a_bot_is_to_move(player, table)
            request = page.asked()
            if player.state(table)["can_undo"]:
                break
            page.answer(request)
            until(lambda: player.state(table), lambda state: state["version"] > request["version"])  # noqa: B023
        assert player.post(f"/api/tables/{table}/undo", {}).status_code == 200
        assert page.receive("stop_thinking")["stop_thinking"] == request["version"]
        page.answer(request)
        assert page.refusal() == "This bot is no longer waiting for an answer from this page."
        assert player.state(table)["turn"] == 0
        until_a_bot_is_to_move(player, table)
        again = page.asked()
        assert again["version"] > request["version"]
        page.answer(again)
        until(lambda: player.state(table), lambda state: state["version"] > again["version"])


def test_the_player_may_move_the_thinking_to_the_server_and_back(client: TestClient) -> None:
    player, stranger = Player(client), Player(client)
    table = str(open_solo(player)["id"])
    post = {"follow_redirects": False, "headers": player.headers | {"origin": "http://testserver"}}
    with page_of(client, player, table) as page:
        until_a_bot_is_to_move(player, table)
        request = page.asked()
        assert client.post(f"/tables/{table}/thinking", data={"where": "server"}, **post).status_code == 303
        assert page.receive("stop_thinking")["stop_thinking"] == request["version"]
        player.my_turn(table)
        assert set(bot_moves(client)) == {"server"}
        assert player.state(table)["casual"]  # for good
        assert client.post(f"/tables/{table}/thinking", data={"where": "browser"}, **post).status_code == 303
        page.announce()
        until_a_bot_is_to_move(player, table)
        page.answer(page.asked())
        until(lambda: bot_moves(client), lambda counts: counts.get("page"))
        assert client.post(f"/tables/{table}/thinking", data={"where": "moon"}, **post).status_code == 400
        foreign = stranger.headers | {"origin": "http://testserver"}
        assert client.post(f"/tables/{table}/thinking", data={"where": "server"}, headers=foreign).status_code == 403
    counted = str(player.open("me", "bot:patron")["id"])  # a player who is losing cannot stop it from counting
    assert client.post(f"/tables/{counted}/thinking", data={"where": "browser"}, **post).status_code == 400
    assert not player.state(counted)["casual"]


def test_the_page_goes_on_thinking_when_its_player_resigns_until_the_game_is_over(client: TestClient) -> None:
    player = Player(client)
    register(player)
    table = str(open_solo(player)["id"])
    with page_of(client, player, table) as page:
        until_a_bot_is_to_move(player, table)
        page.answer(page.asked())
        until(lambda: bot_moves(client), lambda counts: counts.get("page"))
        headers = player.headers | {"origin": "http://testserver"}
        assert (
            client.post(f"/tables/{table}/seats/0/resign", headers=headers, follow_redirects=False).status_code == 303
        )
        while player.state(table)["turn"] is not None:
            message = page.receive("think", "version")
            if "think" in message:
                page.answer(message["think"])
    until(lambda: player.state(table), lambda state: state["result"])
    page_row = until(
        lambda: services_of(client).storage.load(table).row,  # type: ignore[arg-type, union-attr, return-value]
        lambda row: row.result_recorded,  # type: ignore[attr-defined]
    )
    assert page_row.casual  # type: ignore[attr-defined]
    account = player.get("/api/account").json()
    assert (account["statistics"], account["results"]) == ([], [])
    assert "No game has got this far yet." in client.get("/explorer/santiago/2?source=here").text


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_a_game_with_a_thinking_page_counts_nowhere(client: TestClient, game: str) -> None:
    """And the same game with the same bots on the server does."""
    player = Player(client)
    register(player)
    explorer = f"/explorer/{game}/2?source=here"

    def finish(table: str) -> None:
        with client.websocket_connect(f"/tables/{table}/live", headers=player.headers) as socket:
            page = Page(socket)
            if player.state(table)["casual"]:
                page.announce(game)
            play_to_the_end(player, page, table)
        stored = services_of(client).storage
        until(lambda: stored.load(table).row, lambda row: row.result_recorded)  # type: ignore[union-attr]

    with quick_patron():
        finish(str(open_solo(player, game=game)["id"]))
        account = player.get("/api/account").json()
        assert (account["statistics"], account["results"]) == ([], [])
        ratings = services_of(client).ratings
        assert ratings.of_bots() == {}
        assert ratings.results("bot:patron") == []
        assert "No game has got this far yet." in client.get(explorer).text
        finish(str(player.open("me", "bot:patron", game=game)["id"]))
        account = player.get("/api/account").json()
        assert len(account["statistics"]) == len(account["results"]) == 1
        assert ratings.of_bots()
        assert len(ratings.results("bot:patron")) == 1
        assert "No game has got this far yet." not in client.get(explorer).text


def test_series_and_tables_of_several_people_keep_their_bots_on_the_server(client: TestClient) -> None:
    player = Player(client)
    register(player)
    seats = [{"who": "me"}, {"who": "open"}, {"who": "bot:patron"}]
    body = {"game": "santiago", "seats": seats, "pace": "instant", "page_thinks": True}
    shared = player.post("/api/tables", body).json()
    assert not shared["casual"]
    series = {"game": "santiago", "format": "series", "players": 2, "rounds": 2, "bot": "patron"}
    opened = player.post("/api/tournaments", series)
    assert opened.status_code == 201, opened.text
    name = opened.json()["id"]
    now = until(lambda: player.get(f"/api/tournaments/{name}").json(), lambda state: state["my_table"])
    assert not player.state(now["my_table"])["casual"]
    assert "data-engine" not in player.get(f"/tables/{now['my_table']}").text


def test_after_a_restart_the_server_makes_the_move_that_a_page_was_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        table = str(open_solo(player)["id"])
        with page_of(client, player, table) as page:
            until_a_bot_is_to_move(player, table)
            request = page.asked()
    with serving(tmp_path) as client:
        player.client = client
        assert player.state(table)["casual"]
        player.my_turn(table)
        with page_of(client, player, table) as page:
            page.answer(request)
            assert page.refusal() == "This bot is no longer waiting for an answer from this page."
        assert set(bot_moves(client)) == {"server"}


def test_of_two_processes_the_one_with_the_page_asks_it_and_the_other_takes_over(postgres: Postgres) -> None:
    async def play() -> None:
        async with processes(postgres.new_database(), 2) as (first, other):
            here = await first.tables.open(SOLO, "me")
            await wait_until(lambda: here.match.turn == 0)  # the bot may have begun
            there = await other.tables.get(here.id)
            page = ThinkingPage("me")
            digest = engine_digest("santiago")
            assert digest is not None
            first.page_bots.announce(here, page, digest)
            with pytest.raises(PageTooOld):
                other.page_bots.announce(there, ThinkingPage("me"), "an old one")
            messages = page.messages()

            async def asked() -> dict[str, Any]:
                while True:
                    message = msgspec.json.decode(await asyncio.wait_for(anext(messages), 20))
                    if "think" in message:
                        return dict(message["think"])

            async def until_a_bot_has_a_choice() -> None:
                while here.match.turn == 0 or len(here.match.legal_moves) == 1:
                    version = here.version
                    if here.match.turn == 0 and not here.is_automatic:
                        await first.tables.move(here, "me", str(here.match.legal_moves[0]))
                    await wait_until(lambda: here.version > version)  # noqa: B023

            await until_a_bot_has_a_choice()
            request = await asked()
            await wait_until(lambda: there.version == request["version"])
            other.autoplay.look_at(there)  # the claim is the first process's
            await wait_until(lambda: not there.thinking)
            code = here.match.legal_moves.codes[0]
            page.answer(request["version"], request["seat"], code)
            await wait_until(lambda: there.version > request["version"])
            assert there.match.code_at(request["version"]) == code
            await until_a_bot_has_a_choice()
            request = await asked()
            await first.autoplay.close()  # as a process that stops
            await wait_until(lambda: there.version == request["version"])
            other.autoplay.look_at(there)
            await wait_until(lambda: here.version > request["version"])
            with pytest.raises(BotHasMoved):
                page.answer(request["version"], request["seat"], code)
            await other.autoplay.close()
            loaded = first.storage.load(here.id, False)
            assert loaded is not None
            assert [entry.number for entry in loaded.entries] == list(range(len(loaded.entries)))

    asyncio.run(play())
