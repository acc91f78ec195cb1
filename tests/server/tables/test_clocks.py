"""Clocks: a turn has an end, undoing wins no time, and what happens then happens once, also after a restart."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from malecon.kernel.verbs import CHANCE
from malecon.server.accounts.guests import person_of
from malecon.server.storage.rows import PERSON, SeatRow
from malecon.server.storage.store import Storage
from malecon.server.tables import timing
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import deadline
from malecon.text import LANGUAGES
from tests.clock import Clock
from tests.server.people import ORIGIN, Player, serving, until

#: Longer than a turn of `seconds_for_a_turn`, and too short for the server to take it for a jump of its clock.
LATER = 4.0


@pytest.fixture(autouse=True)
def seconds_for_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten minutes take three seconds."""
    monkeypatch.setitem(timing.CLOCKS, "ten-minutes", 3)


def open_timed(player: Player, *seats: str, clock: str = "ten-minutes", time_up: str = "bot") -> dict:
    body = {"game": "santiago", "seats": [{"who": who} for who in seats], "clock": clock, "time_up": time_up}
    answer = player.post("/api/tables", body | {"pace": "instant", "options": {"open_screens": True}})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_turn_is_timed_as_a_whole(client: TestClient) -> None:
    ana = Player(client)
    state = open_timed(ana, "me", "me", clock="day")
    assert 0 < state["deadline"] - time.time() - 86_390 < 10
    kept = renewed = undone = 0
    for _ in range(60):
        before = state
        state = ana.move(state["id"], state["legal"][0]["move"]).json()
        new = state["history"][len(before["history"]) :]
        if state["turn"] == before["turn"] and all(move["seat"] == before["turn"] for move in new):
            assert state["deadline"] == before["deadline"]
            kept += 1
            if state["can_undo"] and not undone:
                undone += 1
                again = ana.post(f"/api/tables/{state['id']}/undo", {}).json()
                assert again["deadline"] == before["deadline"]
                state = ana.move(state["id"], before["legal"][0]["move"]).json()
                assert state["deadline"] == before["deadline"]
        else:
            assert state["deadline"] > before["deadline"]
            renewed += 1
    assert kept
    assert renewed
    assert undone


def test_no_clock_runs_for_bots_guests_to_come_and_tables_without_one(client: TestClient) -> None:
    ana = Player(client)
    assert open_timed(ana, "me", "me", clock="none")["deadline"] is None
    assert open_timed(ana, "open", "open")["deadline"] is None
    for bad in ({"clock": "hour"}, {"time_up": "shout"}):
        body = {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}]} | bad
        assert ana.post("/api/tables", body).status_code == 400
    assert client.get("/api/games").json()["clocks"]["day"] == 86_400


@pytest.mark.parametrize("time_up", timing.TIMES_UP)
def test_when_the_time_is_up_a_bot_takes_over(client: TestClient, clock: Clock, time_up: str) -> None:
    ana, bea = Player(client), Player(client)
    opened = open_timed(ana, "me", "open", time_up=time_up)
    bea.post("/api/join", {"token": opened["seats"][1]["invitation"]})
    assert not any(seat["bot"] for seat in ana.state(opened["id"])["seats"])
    seat = ana.state(opened["id"])["turn"]
    clock.advance(LATER)
    late = until(lambda: ana.state(opened["id"]), lambda state: any(seat["bot"] for seat in state["seats"]))
    assert seats_with_bots(late) == [seat]
    assert late["seats"][seat]["resigned"] == (time_up == "resign")
    whose = (ana, bea)[seat]
    back = f"/tables/{opened['id']}/seats/{seat}/return"
    if time_up == "resign":
        assert client.post(back, headers=whose.headers | ORIGIN).status_code == 400
        assert whose.state(opened["id"])["seats"][seat]["bot"]
    else:  # at once, or when the bot has finished the turn
        until(lambda: {"status": client.post(back, headers=whose.headers | ORIGIN).status_code}, has_worked)
        assert whose.state(opened["id"])["seats"][seat]["bot"] is None


def seats_with_bots(state: dict) -> list[int]:
    return [seat["seat"] for seat in state["seats"] if seat["bot"]]


def has_worked(answer: dict) -> bool:
    assert answer["status"] in (200, 409)
    return bool(answer["status"] == 200)


def play_on(player: Player, state: dict, ends_turn: bool) -> tuple[dict, dict]:
    """Move until a turn has ended by somebody's own choice, or goes on; the table before that move and after it."""
    for _ in range(80):
        before = state
        state = player.move(state["id"], state["legal"][0]["move"]).json()
        last = state["history"][-1]
        if last["seat"] == before["turn"] and (state["turn"] != before["turn"]) == ends_turn:
            return before, state
    raise AssertionError


def test_a_turn_that_has_ended_cannot_be_taken_back_against_the_clock(client: TestClient) -> None:
    ana = Player(client)
    _, after = play_on(ana, open_timed(ana, "me", "me", clock="day"), ends_turn=True)
    assert not after["can_undo"]
    refused = ana.post(f"/api/tables/{after['id']}/undo", {})
    assert refused.status_code == 409
    assert "clock" in refused.json()["error"]
    assert ana.state(after["id"]) == after
    _, after = play_on(ana, open_timed(ana, "me", "me", clock="none"), ends_turn=True)
    assert ana.post(f"/api/tables/{after['id']}/undo", {}).status_code == 200  # nobody hurries here


def test_leaving_and_coming_back_wins_no_time(client: TestClient, clock: Clock) -> None:
    ana = Player(client)
    table = open_timed(ana, "me", "me", clock="day")["id"]
    seats = f"/tables/{table}/seats"
    client.post(f"/tables/{table}/pace", data={"pace": "calm"}, headers=ana.headers | ORIGIN)
    before = ana.state(table)
    clock.advance(LATER)
    client.post(f"{seats}/{before['turn']}/leave", headers=ana.headers | ORIGIN)
    away = ana.state(table)
    assert (away["deadline"], away["version"]) == (None, before["version"])  # the bot's pace is slow
    assert ana.post(f"/api/tables/{table}/undo", {}).status_code == 409
    client.post(f"{seats}/{before['turn']}/return", headers=ana.headers | ORIGIN)
    back = ana.state(table)
    assert back["version"] == before["version"]
    assert back["deadline"] == before["deadline"]


def test_forced_moves_win_no_time() -> None:
    class Choosing:
        turn = 0

    seat = SeatRow(PERSON, person="ana", automatic=True)
    match: Any = Choosing()
    # kept while the only move is made
    assert deadline(match, [seat], 600, now=1000.0, begun=7.0, is_automatic=True) == 7.0
    # nothing to choose yet: the time has not begun
    assert deadline(match, [seat], 600, now=1000.0, is_automatic=True) is None
    assert deadline(match, [seat], 600, now=1000.0, begun=7.0) == 7.0
    assert deadline(match, [seat], 600, now=1000.0) == 1600.0


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_has_resigned_plays_no_more(client: TestClient, clock: Clock, language: str) -> None:
    ana = Player(client, language)
    opened = open_timed(ana, "me", "me", time_up="resign")
    table = opened["id"]
    client.post(f"/tables/{table}/pace", data={"pace": "calm"}, headers=ana.headers | ORIGIN)
    clock.advance(LATER)
    late = until(lambda: ana.state(table), lambda state: state["seats"][opened["turn"]]["resigned"])
    body = {"move": opened["legal"][0]["move"], "seat": opened["turn"]}
    answers = [ana.post(f"/api/tables/{table}/moves", body)]
    assert late["legal"] == []
    client.post(f"/tables/{table}/pace", data={"pace": "instant"}, headers=ana.headers | ORIGIN)
    until(lambda: ana.state(table), lambda state: state["turn"] != opened["turn"])  # the bot has finished the turn
    clock.advance(LATER)
    late = until(lambda: ana.state(table), lambda state: all(seat["resigned"] for seat in state["seats"]))
    until(lambda: ana.state(table), lambda state: len(state["history"]) > len(late["history"]))  # a bot has moved
    page = {"accept": "application/json", "accept-language": language}
    answers += [client.post(f"/tables/{table}/{act}", headers=ana.headers | ORIGIN | page) for act in ("undo", "redo")]
    assert [answer.status_code for answer in answers] == [400] * 3
    assert len({answer.json()["error"] for answer in answers}) == 1
    assert not ana.state(table)["can_undo"]


def test_a_deadline_that_passes_while_the_server_is_down(tmp_path: Path, clock: Clock) -> None:
    """The seat that was late gets a bot, once; the other seat keeps its person and has the whole time of a turn."""
    with serving(tmp_path, clock) as client:
        ana = Player(client)
        opened = open_timed(ana, "me", "me")
    clock.advance(LATER)
    late, other = opened["turn"], 1 - opened["turn"]
    with serving(tmp_path, clock) as client:
        ana.client = client
        state = until(lambda: ana.state(opened["id"]), lambda state: state["turn"] == other and state["legal"])
        assert seats_with_bots(state) == [late]
        assert state["deadline"] == clock.now + timing.CLOCKS["ten-minutes"]
        assert {move["seat"] for move in state["history"][len(opened["history"]) :]} <= {late, CHANCE}
    with serving(tmp_path, clock) as client:  # nothing happens a second time
        ana.client = client
        assert ana.state(opened["id"])["version"] == state["version"]


def test_of_two_processes_one_hands_the_seat_over(database: str, clock: Clock) -> None:
    async def race() -> None:
        storages = Storage(database), Storage(database)
        first, other = (LiveTables(storage, clock=clock) for storage in storages)
        person = person_of("x" * 20)
        seats = NewSeat("me"), NewSeat("me", "Bea")
        table = await first.open(NewTable("santiago", seats, clock="ten-minutes", time_up="resign"), person)
        twin = await other.get(table.id)
        await asyncio.gather(first.time_up(table), other.time_up(twin))
        assert table.revision == twin.revision == 0  # not yet
        clock.advance(LATER)
        await asyncio.gather(first.time_up(table), other.time_up(twin))
        await asyncio.gather(first.refresh(table), other.refresh(twin))
        assert table.revision == twin.revision == 1
        assert sum(seat.resigned for seat in table.row.seats) == 1
        for storage in storages:
            assert storage.late_and_unrecorded(clock(), 10) == ([], [])
            storage.close()

    asyncio.run(race())


def test_the_time_left_is_on_the_page(client: TestClient) -> None:
    client.get("/")
    form = {"game": "santiago", "seat-0": "me", "seat-1": "me", "clock": "three-days", "time_up": "resign"}
    page = client.post("/tables", data=form, headers=ORIGIN)
    assert 'data-clock="259200"' in page.text
    assert 'data-mine="' in page.text or 'class="cover"' in page.text
    assert 'data-clock="259200"' in client.get("/").text
