"""What attacking the service with load found (F1 to F6): each finding is a test that failed then."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from malecon import bots
from malecon.match import Match
from malecon.server.errors import TooOften
from malecon.server.operations import limits
from malecon.server.operations.limits import Buckets, Limiter, Settings
from malecon.server.operations.memory import TABLES, TREES, Memory
from malecon.server.pages import live
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.database import address_of
from malecon.server.storage.ledger import Entry
from malecon.server.storage.store import Storage
from malecon.server.tables.actions import TableActions
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.web import connections, guard
from malecon.server.web.app import create_app
from malecon.server.workers.bot_cache import BotShelf
from tests.server.people import Player, serving
from tests.server.processes import resident, server
from tests.server.test_secrecy import table_of

FAR = ("203.0.113.5", 1)


# --- F1: trees of bots are given back


def test_f1_a_finished_game_keeps_no_trees(client: TestClient) -> None:
    player = Player(client)
    table = player.open("bot:comerciante", "bot:capitan")["id"]
    services = client.app.state.services  # type: ignore[attr-defined]
    end, most = time.monotonic() + 60, 0
    while player.state(table)["turn"] is not None and time.monotonic() < end:
        most = max(most, services.memory.used[TREES])
        time.sleep(0.02)
    assert player.state(table)["turn"] is None
    assert most > 0
    assert services.memory.used[TREES] == 0
    assert len(services.autoplay._shelf) == 0
    assert 'malecon_memory_bytes{kind="trees"} 0' in client.get("/metrics").text


def test_f1_trees_leave_oldest_first_when_they_need_too_much() -> None:
    view = Match("santiago", 2, seed=1)
    seat = view.turn
    assert seat is not None
    size = _thinking(view, seat).memory
    memory = Memory(5 * size)
    shelf = BotShelf(memory)
    for number in range(30):
        bot = shelf.take(f"table {number}", seat, "search:sims=300")
        bot.choose(view.view(seat))
        shelf.put_back(f"table {number}", seat, "search:sims=300", bot)
        assert memory.used[TREES] <= 5 * size
    assert len(shelf) == 5
    assert memory.given_back[TREES] == 25
    kept = shelf.take("table 29", seat, "search:sims=300")
    assert getattr(kept, "memory", 0) == size
    assert getattr(shelf.take("table 0", seat, "search:sims=300"), "memory", 0) == 0
    shelf.clear("table 29")
    assert memory.used[TREES] == 4 * size


def _thinking(match: Match, seat: int) -> bots.SearchBot:
    bot = bots.make("search:sims=300")
    assert isinstance(bot, bots.SearchBot)
    bot.choose(match.view(seat))
    return bot


def test_f1_tables_leave_memory_too_and_come_back(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))

    async def many() -> None:
        memory = Memory(600_000)
        tables = TableActions(storage, memory=memory)
        new = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)
        names = [(await tables.open(new, "me")).id for _ in range(30)]
        assert tables.count < 10
        assert memory.used[TABLES] <= 600_000
        assert (await tables.get(names[0])).id == names[0]

    asyncio.run(many())
    storage.close()


# --- F2, F5: what one connection may send, and how long it may be silent


def test_f2_headers_without_end_are_cut_off(tmp_path: Path) -> None:
    with server(tmp_path) as (port, process), socket.create_connection(("127.0.0.1", port)) as line:
        before = resident(process.pid)
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        sent = 0
        with suppress(ConnectionError):
            while sent < 40_000_000:
                line.sendall(b"x" * 60_000)
                sent += 60_000
        assert sent < 20_000_000
        assert resident(process.pid) - before < 20_000_000
        with socket.create_connection(("127.0.0.1", port)) as another:
            another.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert another.recv(100).startswith(b"HTTP/1.1 200")


def test_f5_silent_connections_are_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import uvicorn

    monkeypatch.setattr(connections, "SLOWEST", 0.5)
    config = uvicorn.Config(create_app(tmp_path, Settings()), http=connections.Connections, log_level="warning")
    listening = socket.create_server(("127.0.0.1", 0))
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    port = listening.getsockname()[1]
    try:
        while not running.started:
            time.sleep(0.01)
        for said in (b"", b"GET / HT", b"POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"):
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.settimeout(5)
                line.sendall(said)
                began = time.monotonic()
                assert b"200" not in line.recv(1000)
                assert 0.2 < time.monotonic() - began < 4
        with socket.create_connection(("127.0.0.1", port)) as line:  # whoever is quick is served
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            assert line.recv(1000).startswith(b"HTTP/1.1 200")
    finally:
        running.should_exit = True
        thread.join(10)


def test_f5_one_address_cannot_have_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections.Connections, "most_of_one", 3)
    monkeypatch.setattr(connections.Connections, "open", connections.Counter())
    aborted = []

    class Transport(asyncio.Transport):
        def __init__(self, host: str) -> None:
            super().__init__({"peername": (host, 5), "sockname": ("127.0.0.1", 80)})

        def abort(self) -> None:
            aborted.append(self.get_extra_info("peername")[0])

    async def come() -> None:
        import uvicorn
        from uvicorn.server import ServerState

        config, state = uvicorn.Config(lambda: None), ServerState()
        config.load()
        there = []
        for host in ["203.0.113.9"] * 5 + ["203.0.113.8", *["127.0.0.1"] * 5]:
            one = connections.Connections(config, state, {})
            one.connection_made(Transport(host))
            there.append(one)
        assert aborted == ["203.0.113.9"] * 2
        there[0]._leave()
        one = connections.Connections(config, state, {})
        one.connection_made(Transport("203.0.113.9"))
        assert len(aborted) == 2
        for one in there:
            one._leave()

    asyncio.run(come())


# --- F3, F6: limits by cost, with small bursts


def test_f3_a_page_costs_more_than_a_move_and_bursts_are_small() -> None:
    limiter = Limiter(Settings())
    scope = {"type": "http", "client": FAR}
    pages = 0
    with suppress(TooOften):
        for _ in range(1_100):
            limiter.check(scope, False, False, guard.cost_of("/", False))
            pages += 1
    assert pages <= 25  # of 30 ms each: less than a second of work at once
    moves = 0
    other = {"type": "http", "client": ("203.0.113.6", 1)}
    with suppress(TooOften):
        for _ in range(1_100):
            limiter.check(other, True, False, guard.cost_of("/api/tables/x/moves", True))
            moves += 1
    assert 50 <= moves <= 100


def test_f3_a_bucket_fills_evenly() -> None:
    buckets = Buckets(600, 60, burst=30)
    for _ in range(30):
        buckets.take("ana")
    with pytest.raises(TooOften) as refused:
        buckets.take("ana")
    assert refused.value.wait == 1
    assert buckets.wait("ana", 10) == pytest.approx(1.0, abs=0.1)
    buckets.take("bea", 1000)  # what costs more than a bucket holds needs a full one
    with pytest.raises(TooOften):
        buckets.take("bea")


def test_f6_files_and_numbers_are_limited_too(tmp_path: Path) -> None:
    app = create_app(tmp_path, Settings(requests=20))
    with TestClient(app, client=FAR) as client:
        for path, times in (("/metrics", 20), ("/static/base.css", 130)):
            answers = [client.get(path).status_code for _ in range(times)]
            assert answers[0] == 200
            assert 429 in answers
    with TestClient(
        create_app(tmp_path, Settings(requests=20)), client=("127.0.0.1", 1)
    ) as client:  # the host itself is not limited
        assert {client.get("/metrics").status_code for _ in range(50)} == {200}


def test_f6_pings_without_end_are_hung_up_on(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        table = Player(client).open("me", "me")["id"]
    with server(tmp_path) as (port, _), connect(f"ws://127.0.0.1:{port}/api/tables/{table}/events") as live:
        live.recv()
        answered = 0
        with suppress(ConnectionClosed):
            while answered < 5_000 and live.ping().wait(3):
                answered += 1
        assert 0 < answered <= 200


def test_f3_who_does_not_stop_is_kept_waiting_and_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal costs work, too: floods of them are answered late, and with nothing."""
    waited = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(limits.asyncio, "sleep", sleep)
    limiter = Limiter(Settings())
    bad, good = {"type": "http", "client": FAR}, {"type": "http", "client": ("203.0.113.6", 1)}

    async def flood() -> None:
        held = [await limiter.hold(bad) for _ in range(60)]
        assert held[:15] == [False] * 15
        assert held[-1]
        assert not await limiter.hold(good)
        assert len(waited) == sum(held)
        assert set(waited) == {limits.PAUSE}
        assert not limiter._held

    asyncio.run(flood())
    monkeypatch.undo()
    with TestClient(create_app(tmp_path, Settings(requests=5)), client=FAR) as client:
        answers = [client.get("/") for _ in range(3)]
        assert answers[2].text
        while answers[-1].text and len(answers) < 500:  # on a slow machine some of them are forgiven meanwhile
            answers.append(client.get("/"))
        assert not answers[-1].text
        assert {answer.status_code for answer in answers[1:]} <= {429, 200}
        assert answers[-1].status_code == 429
        assert "retry-after" in answers[-1].headers


# --- F4: what spectators are sent is made once a change and language


def test_f4_spectators_share_their_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    match, dice = Match("santiago", 2, seed=4), random.Random(4)
    table = table_of(match)
    made = []
    make = live.Follower._made
    monkeypatch.setattr(live.Follower, "_made", lambda self, shown: made.append(self) or make(self, shown))
    viewers = [Viewer(None, "en"), Viewer(None, "de"), Viewer("stranger", "en"), Viewer("person 0", "en")]
    followers = [[live.Follower(table, viewer, len(table.match)) for _ in range(50)] for viewer in viewers]
    late = live.Follower(table, Viewer(None, "en"), len(table.match))
    for step in range(12):
        table.follow([Entry(table.version, "move", match.turn or 0, str(dice.choice(list(match.legal_moves))))])
        match = table.match.copy()
        while match.turn == -1:  # whatever chance does is a move as well
            table.follow([Entry(table.version, "move", -1, str(match.legal_moves[0]))])
            match = table.match.copy()
        table.row = replace(table.row, revision=table.revision + 1)
        made.clear()
        told = [{follower.message() for follower in group} for group in followers]
        assert all(len(messages) == 1 for messages in told), step
        assert told[0] == told[2] != told[1]
        assert len(made) == 2 + 50  # one for each language; players see more, each for themselves
        assert told[3] != told[0]
    alone = json.loads(late.message() or "")
    assert alone["moves"] == json.loads(told[0].pop() or "")["moves"]
    assert "html" in alone


def test_f4_a_message_for_many_is_compressed_once(tmp_path: Path) -> None:
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


def test_f4_who_sits_down_leaves_the_crowd_and_nobody_else_sees_more(tmp_path: Path) -> None:
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
        told = {tuple(json.loads(live.recv(timeout=20))["version"] for _ in range(2)) for live in pages}
        assert len(told) == 1  # of both changes, in their order
        assert told.pop()[-1] == mine["version"]
