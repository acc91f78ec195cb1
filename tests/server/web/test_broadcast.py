"""Messages to spectators: made once for each change and language, and never with a player's private view."""

from __future__ import annotations

import json
import random
import socket
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import connect

from malecon.match import Match
from malecon.server.pages import live
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.game_log import LogEntry
from tests.server.people import PASSWORD, Player, register, serving
from tests.server.processes import server
from tests.server.stored_games import table_of


def test_spectators_share_one_message_per_language(monkeypatch: pytest.MonkeyPatch) -> None:
    match, dice = Match("santiago", 2, seed=4), random.Random(4)
    table = table_of(match)
    made = []
    make = live.Follower._build
    monkeypatch.setattr(live.Follower, "_build", lambda self, shown: made.append(self) or make(self, shown))
    viewers = [Viewer(None, "en"), Viewer(None, "de"), Viewer("stranger", "en"), Viewer("person 0", "en")]
    followers = [[live.Follower(table, viewer, len(table.match)) for _ in range(50)] for viewer in viewers]
    late = live.Follower(table, Viewer(None, "en"), len(table.match))
    for step in range(12):
        table.apply([LogEntry(table.version, "move", match.turn or 0, str(dice.choice(list(match.legal_moves))))])
        match = table.match.copy()
        while match.turn == -1:  # whatever chance does is a move as well
            table.apply([LogEntry(table.version, "move", -1, str(match.legal_moves[0]))])
            match = table.match.copy()
        table.row = replace(table.row, revision=table.revision + 1)
        made.clear()
        messages_of_groups = [{follower.message() for follower in group} for group in followers]
        assert all(len(messages) == 1 for messages in messages_of_groups), step
        assert messages_of_groups[0] == messages_of_groups[2] != messages_of_groups[1]
        assert len(made) == 3  # one for each language, and one for the player, who sees more
        assert messages_of_groups[3] != messages_of_groups[0]
    alone = json.loads(late.message() or "")
    assert alone["moves"] == json.loads(messages_of_groups[0].pop() or "")["moves"]
    assert "html" in alone


def test_all_spectators_receive_the_same_bytes(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        opened = player.open("me", "me", open_screens=True)
    with server(tmp_path) as (port, _), ExitStack() as stack:
        address = f"ws://127.0.0.1:{port}/api/tables/{opened['id']}/events"
        watching = [stack.enter_context(connect(address)) for _ in range(40)]
        first = {live.recv() for live in watching}
        assert len(first) == 1
        move = json.dumps({"move": opened["legal"][0]["move"]}).encode()
        with socket.create_connection(("127.0.0.1", port)) as line:
            head = (
                f"POST /api/tables/{opened['id']}/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(move)}\r\n"
            )
            line.sendall(f"{head}Authorization: {player.headers['authorization']}\r\n\r\n".encode() + move)
            assert line.recv(100).startswith(b"HTTP/1.1 200")
        second = {live.recv() for live in watching}
        assert len(second) == 1
        assert json.loads(second.pop())["version"] > json.loads(first.pop())["version"]


def test_a_spectator_who_takes_a_seat_sees_more_and_nobody_else_does(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        owner, guest = Player(client), Player(client)
        opened = owner.open("me", "open", game="cuba")
        table, token = opened["id"], opened["seats"][1]["invitation"]
    with server(tmp_path) as (port, _), ExitStack() as stack:
        root = f"ws://127.0.0.1:{port}"
        address = f"{root}/api/tables/{table}/events"
        crowd = [stack.enter_context(connect(address)) for _ in range(5)]
        theirs = stack.enter_context(connect(address, additional_headers=guest.headers))
        pages = [stack.enter_context(connect(f"{root}/tables/{table}/live")) for _ in range(5)]
        for live in (*crowd, theirs, *pages):
            live.recv(timeout=20)

        def post(path: str, player: Player, data: object) -> None:
            body = json.dumps(data).encode()
            with socket.create_connection(("127.0.0.1", port)) as line:
                head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                known = f"Authorization: {player.headers['authorization']}\r\nContent-Length: {len(body)}\r\n\r\n"
                line.sendall((head + known).encode() + body)
                assert line.recv(100).startswith(b"HTTP/1.1 200")

        post("/api/join", guest, {"token": token, "name": "Ben"})
        seen = [json.loads(live.recv(timeout=20)) for live in crowd]
        assert [state["seat"] for state in seen] == [None] * 5
        mine = json.loads(theirs.recv(timeout=20))
        assert (mine["seat"], mine["seats"][1]["mine"]) == (1, True)
        mover, legal = (guest, mine["legal"]) if mine["legal"] else (owner, opened["legal"])
        post(f"/api/tables/{table}/moves", mover, {"move": legal[0]["move"]})
        after = {live.recv(timeout=20) for live in crowd}
        assert len(after) == 1
        assert json.loads(after.pop())["seat"] is None
        mine = json.loads(theirs.recv(timeout=20))
        assert mine["seat"] == 1
        versions = {tuple(json.loads(live.recv(timeout=20))["version"] for _ in range(2)) for live in pages}
        assert len(versions) == 1  # of both changes, in their order
        assert versions.pop()[-1] == mine["version"]


def test_spectators_are_not_sent_invitations_when_the_owner_has_deleted_the_account(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        owner, friend = Player(client), Player(client)
        register(owner)
        opened = owner.open("me", "open", "open")
        friend.post("/api/join", {"token": opened["seats"][1]["invitation"], "name": "Friend"})
    with server(tmp_path) as (port, _), connect(f"ws://127.0.0.1:{port}/api/tables/{opened['id']}/events") as socket_:
        assert [seat["invitation"] for seat in json.loads(socket_.recv(timeout=20))["seats"]] == [None] * 3
        body = json.dumps({"password": PASSWORD}).encode()
        request = Request(f"http://127.0.0.1:{port}/api/account/delete", body, owner.headers)
        request.add_header("content-type", "application/json")
        with urlopen(request) as answer:
            assert answer.status == 204
        state = json.loads(socket_.recv(timeout=20))
        assert state["seats"][0]["kind"] == "open"
        assert [seat["invitation"] for seat in state["seats"]] == [None] * 3


def test_nobody_has_a_part_in_a_table() -> None:
    table = table_of(Match("santiago", 2, seed=4))
    table.row = replace(table.row, owner="")  # even if a database said so
    assert table.has_part("person 0")
    for nobody in (None, ""):
        assert not table.has_part(nobody)
        assert table.seats_of(nobody) == ()
        assert not table.row.hosts(nobody)
