"""Whole games over the JSON interface; undo, redo, automatic moves, races, and a restart in the middle."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import httpx2
from starlette.testclient import TestClient

from malecon import bots
from malecon.match import Match, Record
from malecon.server.pages import html_diff, live
from malecon.server.pages.drawings import PART_MARK
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.game_log import MOVE, LogEntry
from malecon.server.storage.rows import PERSON, SeatRow, TableRow
from malecon.server.tables.table import Table
from tests.server.people import ORIGIN, Player, serving, until


def play_to_the_end(player: Player, table: str) -> dict:
    for _ in range(2000):
        state = player.my_turn(table)
        if state["turn"] is None:
            return state
        answer = player.move(table, state["legal"][0]["move"], state["version"])
        assert answer.status_code == 200, answer.text
    raise AssertionError("the game does not end")


def test_a_whole_game_against_a_bot(client: TestClient) -> None:
    player = Player(client)
    table = player.open("me", "bot:greedy")["id"]
    state = play_to_the_end(player, table)
    assert state["phase"] == "over"
    assert sum(sum(score.values()) for score in state["result"]["scores"]) == sum(state["result"]["points"])
    record = player.get(f"/tables/{table}/record.json")
    match = Record.from_json(record.text).replay()
    assert [turn.move.text for turn in match.history] == [past["move"] for past in state["history"]]
    assert player.get(f"/api/tables/{table}/record").json() == record.json()


def test_two_people_by_invitation_and_a_spectator(client: TestClient) -> None:
    ana, ben, eve = Player(client), Player(client), Player(client)
    opened = ana.open("me", "open")
    table, token = opened["id"], opened["seats"][1]["invitation"]
    assert token
    assert ana.state(table)["seats"][1]["invitation"] == token
    joined = ben.post("/api/join", {"token": token, "name": "Ben"}).json()
    assert joined["seats"][1]["name"] == "Ben"
    assert joined["seats"][1]["mine"]
    assert eve.post("/api/join", {"token": token}).status_code == 404
    assert ana.state(table)["seats"][1]["invitation"] is None
    for _ in range(60):
        state = until(lambda: ana.state(table), lambda state: True)
        mover = ana if state["turn"] == 0 else ben
        legal = mover.state(table)["legal"]
        foreseen = mover.get(f"/api/tables/{table}/legal").json()
        assert [(move["move"], move["text"]) for move in foreseen] == [(move["move"], move["text"]) for move in legal]
        assert all(move["preview"] and move["final"] in (True, False) for move in foreseen)
        assert mover.move(table, legal[-1]["move"]).status_code == 200
    watching = eve.state(table)
    assert eve.get(f"/api/tables/{table}/legal").json() == []
    assert watching["seat"] is None
    assert watching["legal"] == []
    assert set(watching["position"]["pesos"][:2]) == {-1}
    assert eve.move(table, "drive 1").status_code == 403


def test_undo_and_redo_until_somebody_else_acts(client: TestClient) -> None:
    ana, ben = Player(client), Player(client)
    opened = ana.open("me", "open")
    table = opened["id"]
    ben.post("/api/join", {"token": opened["seats"][1]["invitation"]})
    by_seat = {0: ana, 1: ben}
    state = ana.state(table)
    assert not state["can_undo"]  # only chance has acted
    assert ana.post(f"/api/tables/{table}/undo", {}).status_code == 409
    undone = refused = 0
    for _ in range(45):
        state = ana.state(table)
        if state["turn"] is None:
            break
        mover, other = by_seat[state["turn"]], by_seat[1 - state["turn"]]
        before = mover.state(table)
        after = mover.move(table, before["legal"][0]["move"]).json()
        assert other.post(f"/api/tables/{table}/undo", {}).status_code == 409
        if after["can_undo"]:
            back = mover.post(f"/api/tables/{table}/undo", {"version": after["version"]}).json()
            assert back["position"] == before["position"]
            assert back["history"] == before["history"]
            assert back["version"] == after["version"] + 1
            again = mover.client.post(f"/tables/{table}/redo", headers=mover.headers | {"accept": "application/json"})
            assert again.status_code == 200
            assert mover.state(table)["position"] == after["position"]
            undone += 1
        elif after["history"][-1]["seat"] == -1:
            assert mover.post(f"/api/tables/{table}/undo", {}).status_code == 409
            refused += 1
    assert undone > 15


def test_forced_moves_are_made_by_themselves(client: TestClient) -> None:
    client.get("/")
    form = {"game": "santiago", "seat-0": "me", "seat-1": "me", "option-santiago-open_screens": "on", "pace": "instant"}
    answer = client.post("/tables", data=form, headers=ORIGIN, follow_redirects=False)
    table = answer.headers["location"].rsplit("/", 1)[1]

    def state() -> dict:
        return client.get(f"/api/tables/{table}").json()

    made = 0
    for _ in range(60):
        now = until(state, lambda state: len(state["legal"]) != 1)
        made += 1
        if now["turn"] is None:
            break
        client.post(f"/api/tables/{table}/moves", json={"move": now["legal"][-1]["move"]})
    assert sum(past["seat"] >= 0 for past in state()["history"]) > made  # some were nobody's choice


def test_two_tabs_race_and_exactly_one_wins(client: TestClient) -> None:
    player = Player(client)
    table = player.open("me", "bot:random")["id"]
    for _ in range(15):
        state = player.my_turn(table)
        if state["turn"] is None:
            break
        answers: list[int] = []
        start = threading.Barrier(3)

        def tab(index: int, state: dict = state, start: threading.Barrier = start, answers: list = answers) -> None:
            move = state["legal"][index % len(state["legal"])]["move"]
            start.wait()
            answers.append(player.move(table, move, state["version"]).status_code)

        tabs = [threading.Thread(target=tab, args=(i,)) for i in range(3)]
        for thread in tabs:
            thread.start()
        for thread in tabs:
            thread.join()
        assert sorted(answers) == [200, 409, 409]


def test_a_restart_resumes_where_it_was_and_wakes_the_bots(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        table = player.open("me", "bot:greedy", pace="calm")["id"]
        for _ in range(3):
            state = player.state(table)
            if state["legal"]:
                player.move(table, state["legal"][0]["move"])
        before = player.state(table)
    with serving(tmp_path) as client:
        player.client = client
        after = player.state(table)
        assert after["history"][: len(before["history"])] == before["history"]
        assert after["seats"] == before["seats"]
        assert player.my_turn(table)["legal"]


def test_a_seat_is_left_to_a_bot_and_taken_back(client: TestClient) -> None:
    player, guest = Player(client), Player(client)
    table = player.open("me", "bot:random")["id"]
    json = {"accept": "application/json"}
    assert client.post(f"/tables/{table}/seats/0/leave", headers=guest.headers | json).status_code == 403
    assert client.post(f"/tables/{table}/seats/0/leave", headers=player.headers | json).status_code == 200
    until(lambda: player.state(table), lambda state: len(state["history"]) > 60)
    assert client.post(f"/tables/{table}/seats/0/return", headers=player.headers | json).status_code in (200, 409)
    state = player.my_turn(table)
    assert state["seats"][0]["bot"] is None
    assert client.post(f"/tables/{table}/seats/1/return", headers=player.headers | json).status_code == 400
    assert client.post(f"/tables/{table}/seats/9/leave", headers=player.headers | json).status_code == 400


def test_the_last_bid_cannot_be_taken_back_for_it_opens_the_others(client: TestClient) -> None:
    player, dice = Player(client), random.Random(1)
    table = player.open("me", "me", "me", game="cuba")["id"]
    bids = 0
    for _ in range(400):
        state = player.state(table)
        after = player.move(table, dice.choice(state["legal"])["move"]).json()
        bids = bids + 1 if state["phase"] == "bid" else 0
        if bids and after["phase"] == "bid":
            assert after["can_undo"]
        elif bids > 1:
            assert not after["can_undo"]
            return
    raise AssertionError("nobody ever bid against another")


def test_a_bot_that_thinks_does_not_slow_other_tables(client: TestClient) -> None:
    player = Player(client)
    player.open("bot:patron", "bot:patron")
    table = player.open("me", "me")["id"]
    times = []
    for _ in range(12):
        state = player.state(table)
        began = time.monotonic()
        player.move(table, state["legal"][0]["move"])
        times.append(time.monotonic() - began)
    assert sorted(times)[len(times) // 2] < 0.5


def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys; from malecon.server.operations.settings import read_settings;"
        "from malecon.server.web.serve import run;"
        "run(read_settings({}, None, False, {'data': sys.argv[1], 'port': 0}), False, print)"
    )
    acknowledged: list[str] = []
    headers: dict[str, str] = {}
    table = ""
    for _ in range(2):
        command = [sys.executable, "-u", "-c", program, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            address = server.stdout.readline().strip()
            with httpx2.Client(base_url=address, timeout=30, transport=httpx2.HTTPTransport(retries=20)) as client:
                if not table:
                    headers["authorization"] = f"Bearer {client.post('/api/people').json()['token']}"
                    body = {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}], "pace": "instant"}
                    table = client.post("/api/tables", json=body, headers=headers).json()["id"]
                state = client.get(f"/api/tables/{table}", headers=headers).json()
                made = [past["move"] for past in state["history"] if past["seat"] >= 0]
                assert made[: len(acknowledged)] == acknowledged
                for _ in range(10):
                    move = state["legal"][0]["move"]
                    state = client.post(f"/api/tables/{table}/moves", json={"move": move}, headers=headers).json()
                    made.append(move)
                acknowledged = made
            server.kill()


def test_live_messages_follow_the_game(client: TestClient) -> None:
    player = Player(client)
    table = player.open("me", "me", open_screens=True)["id"]
    with client.websocket_connect(f"/api/tables/{table}/events", headers=player.headers) as socket:
        first = socket.receive_json()
        player.move(table, first["legal"][0]["move"])
        second = socket.receive_json()
        assert second["version"] > first["version"]
    with client.websocket_connect(f"/tables/{table}/live", headers=player.headers) as socket:
        page = socket.receive_json()
        assert "moves" in page["html"]
        player.move(table, player.state(table)["legal"][0]["move"])
        news = socket.receive_json()
        assert news["version"] > page["version"]
        assert news["announce"]


def test_bots_thinking_do_not_slow_down_other_tables(client: TestClient) -> None:
    """While bots think about one move each for a second and a half, people elsewhere make many."""
    match = Match("santiago", 2, seed=1)
    bots.make("patron").choose(match.view(match.turn))  # whatever must be compiled is compiled now
    player = Player(client)
    mine = player.open("me", "me", open_screens=True)["id"]
    took, elsewhere = [], [player.open("bot:patron", "bot:patron")["id"] for _ in range(3)]
    for _ in range(20):
        state = player.my_turn(mine)
        assert all(player.state(table)["turn"] is not None for table in elsewhere)  # they go on all the time
        began = time.perf_counter()
        assert player.move(mine, state["legal"][0]["move"]).status_code == 200
        took.append(time.perf_counter() - began)
    assert sorted(took)[10] < 0.5, took  # a thought lasts three times as long


def test_only_what_changed_is_sent() -> None:
    """A page that replaces the parts it is sent shows what a new page would show, for players and for spectators."""
    dice = random.Random(5)
    for game in ("santiago", "cuba"):
        for person in ("person 0", None):
            table = live_table(game, 3)
            viewer = Viewer(person, "en")
            whole = live.render_table(table, viewer)
            follower = live.Follower(table, viewer, len(table.match), live.page_hash(table, viewer))
            assert follower.message() is None
            sent = 0
            for _ in range(60):
                make_move(table, dice)
                message = follower.message()
                assert message is not None
                news = json.loads(message)
                if "html" in news:
                    whole, sent = news["html"], sent + 1
                    continue
                pieces = html_diff.split(whole)
                for key, items in news["parts"].items():
                    part = 2 * int(key) + 1
                    shown = pieces[part].split(html_diff.ITEM_MARK)
                    full = html_diff.ITEM_MARK.join(shown[item] if isinstance(item, int) else item for item in items)
                    assert full != pieces[part]
                    pieces[part] = full
                whole = PART_MARK.join(pieces)
                assert whole == live.render_table(table, viewer)
            assert sent <= 3, "nearly every move should change parts alone"


def live_table(game: str, players: int) -> Table:
    match = Match(game, players, seed=8)
    seats = tuple(SeatRow(PERSON, person=f"person {seat}") for seat in range(players))
    options, rules = dict(match.options), match.game.rules_version
    row = TableRow("t", game, rules, players, "person 0", seats, options=options)
    return Table(row, [LogEntry(i, MOVE, turn.seat, str(turn.move)) for i, turn in enumerate(match.history)])


def make_move(table: Table, dice: random.Random) -> None:
    turn = table.match.turn
    assert turn is not None
    table.apply([LogEntry(table.version, MOVE, turn, str(dice.choice(list(table.match.legal_moves))))])
    table.set_row(replace(table.row, revision=table.revision + 1))  # as with every change in the database
