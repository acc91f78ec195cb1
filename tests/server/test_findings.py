"""What attacking the service found, F1 to F14: each finding is a test that failed then."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, event, update
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.server.people import Player, serving, until
from tests.server.test_secrecy import table_of
from tests.server.test_storage import long_game
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from malecon import bots, words
from malecon.match import Match
from malecon.server.errors import NoSuchTable, TooOften, Unavailable
from malecon.server.operation import limits
from malecon.server.operation.doctor import examine
from malecon.server.operation.limits import Buckets, Limiter, Settings
from malecon.server.operation.memory import TABLES, TREES, Memory
from malecon.server.page import live
from malecon.server.page.table_view import Viewer
from malecon.server.people.guests import person_of
from malecon.server.people.sessions import Sessions
from malecon.server.storage import beats
from malecon.server.storage.appends import witness
from malecon.server.storage.database import FILE, BadDatabase, address_of, writing
from malecon.server.storage.ledger import Entry
from malecon.server.storage.recovery.rescue import rescue
from malecon.server.storage.schema import MOVES
from malecon.server.storage.store import Storage
from malecon.server.tables.actions import TableActions
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.thought.bot_shelf import BotShelf
from malecon.server.web import connections, guard
from malecon.server.web.app import create_app

FAR = ("203.0.113.5", 1)


@contextmanager
def server(folder: Path, **environment: str) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A server of its own: its port and process."""
    command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", "0", "--data", str(folder)]
    with (
        (folder / "stderr").open("w") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **environment}
        ) as process,
    ):
        assert process.stdout
        try:
            yield int(process.stdout.readline().rstrip().rstrip("/").rpartition(":")[2]), process
        finally:
            process.terminate()


def resident(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096


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
            assert answers[-1] == 429
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
        answers = [client.get("/") for _ in range(26)]
        assert {answer.status_code for answer in answers[1:]} == {429}
        assert all("retry-after" in answer.headers for answer in answers[1:])
        assert answers[2].text
        assert not answers[-1].text


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


# --- F8 to F14


def test_f8_others_play_while_a_large_record_is_read(client: TestClient) -> None:
    player = Player(client)
    table = player.open("me", "me")["id"]
    large = json.dumps({"malecon-record": 1, "moves": [["white", "drive 1"]] * 150_000})
    sender = threading.Thread(
        target=client.post,
        args=("/records",),
        kwargs={"files": {"file": large[:3_900_000]}, "headers": {"origin": "http://testserver"}},
    )
    sender.start()
    times = []
    while sender.is_alive():
        began = time.perf_counter()
        player.state(table)
        times.append(time.perf_counter() - began)
    sender.join()
    assert times
    assert sorted(times)[len(times) // 2] < 0.2


def test_f9_nobody_is_replaced_by_the_owner_and_still_rated(client: TestClient) -> None:
    owner, guest = Player(client), Player(client)
    opened = owner.open("me", "open", "open")
    table = opened["id"]
    guest.post("/api/join", {"token": opened["seats"][1]["invitation"]})
    origin = {"origin": "http://testserver", "accept": "application/json"}
    leave = [client.post(f"/tables/{table}/seats/{seat}/leave", headers=owner.headers | origin) for seat in (1, 2, 0)]
    assert [answer.status_code for answer in leave] == [403, 200, 200]
    assert owner.state(table)["seats"][1]["bot"] is None
    assert client.post(f"/tables/{table}/seats/1/leave", headers=guest.headers | origin).status_code == 200


def test_f10_other_names_are_not_answered(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, Settings(hosts="malecon.example"))) as client:
        for host, status in (
            ("malecon.example", 200),
            ("MALECON.example:8000", 200),
            ("127.0.0.1:8000", 200),
            ("[::1]:8000", 200),
            ("localhost", 200),
            ("evil.example", 421),
            ("127.0.0.1.evil.example", 421),
            ("[", 421),
        ):
            assert client.get("/healthz", headers={"host": host}).status_code == status, host
            found = client.get("/api/tables/none", headers={"host": host}).status_code
            assert found == (404 if status == 200 else 421), host
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/tables/x/live", headers={"host": "evil"}):
            pass
    with server(tmp_path) as (port, _):
        for host, status in ((b"localhost", b"200"), (b"evil.example", b"421")):
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
                assert line.recv(100).split()[1] == status


def test_f11_a_used_invitation_shows_nothing(client: TestClient) -> None:
    owner, guest = Player(client), Player(client)
    token = owner.open("me", "open")["seats"][1]["invitation"]
    assert client.get(f"/join/{token}").status_code == 200
    guest.post("/api/join", {"token": token})
    assert client.get(f"/join/{token}").status_code == 404


def test_f11_names_that_look_alike_are_one_name(client: TestClient) -> None:
    def register(name: str) -> int:
        answer = Player(client).post("/api/account", {"name": name, "password": "correct horse battery"})
        return int(answer.status_code)

    assert register("copa") == 201
    assert register("сора") == 409  # the same in Cyrillic letters
    assert register("cора") == 400  # and mixed
    assert register("Мария") == 201
    assert register("хорор") == 201
    assert register("xopop") == 409  # and the other way round
    assert register("ΧΟΡΟΡ") == 409
    assert register("тοκ") == 400
    assert register("τοκ") == 201
    assert register("tok") == 409


def test_f11_guests_do_not_choose_their_own_secret(database: str) -> None:
    chosen, old = "a" * 40, "b" * 32
    storage = Storage(database)
    storage.set_choices(person_of(old), {"name": "Bea"})  # from before secrets were marked
    storage.close()
    with serving(database) as client:
        player = Player(client)
        table = player.open("me", "me")["id"]
        token = player.headers["authorization"].split()[1]
        for wrong in (chosen, token[:-1] + ("A" if token[-1] != "A" else "B"), "x" + token[1:]):
            assert client.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {wrong}"}).status_code == 401
        assert client.get("/api/account", headers={"authorization": f"Bearer {old}"}).status_code != 401
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


def test_f11_rubbish_on_a_live_connection_leaves_no_traceback(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        table = Player(client).open("me", "me")["id"]
    with server(tmp_path) as (port, process):
        with connect(f"ws://127.0.0.1:{port}/api/tables/{table}/events") as live:
            live.recv()
            live.send(b"\xff\xfe", text=True)
            with suppress(Exception):
                live.recv(timeout=3)
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
        for path in (b"/healthz", b"/static/base.css", b"/") * 5:  # and who resets it in the middle of an answer
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                line.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
        time.sleep(0.5)
        process.terminate()
        process.wait(20)
    assert "Traceback" not in (tmp_path / "stderr").read_text()


def test_f11_who_has_seen_a_version_never_sees_less(client: TestClient) -> None:
    """The other process has not heard of the move yet; it looks it up before it answers."""
    services = client.app.state.services  # type: ignore[attr-defined]
    player = Player(client)
    state = player.open("me", "me", open_screens=True)
    other = TableActions(services.storage)
    theirs = asyncio.run(other.get(state["id"]))
    new = player.move(state["id"], state["legal"][0]["move"]).json()
    ours = services.tables.alive(state["id"])
    services.tables._forget(ours)
    services.tables._live[state["id"]] = theirs
    assert theirs.version < new["version"]
    assert player.get(f"/api/tables/{state['id']}?since={new['version']}").json()["version"] == new["version"]


def test_f13_a_table_that_could_not_be_loaded_once_is_one_table_afterwards(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))

    async def race() -> None:
        tables = TableActions(storage)
        new = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)
        name = (await tables.open(new, "me")).id
        tables._forget(tables._live[name])
        load, fails = storage.load, [True, False, False, False]

        def broken(table: str, with_snapshot: bool = True) -> object:
            time.sleep(0.05)
            if fails.pop(0):
                raise NoSuchTable
            return load(table, with_snapshot)

        storage.load = broken  # type: ignore[method-assign, assignment]
        first = [asyncio.create_task(tables.get(name)) for _ in range(3)]
        await asyncio.sleep(0.02)
        first[0].cancel()  # whoever hangs up takes nobody along
        failed = await asyncio.gather(*first, return_exceptions=True)
        assert [type(one) for one in failed[1:]] == [NoSuchTable] * 2
        found = await asyncio.gather(*(tables.get(name) for _ in range(20)))
        assert len({id(table) for table in found}) == 1
        assert tables._loading == {}

    asyncio.run(race())
    storage.close()


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_f14_a_wrong_token_is_refused(client: TestClient, language: str) -> None:
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


# --- F7: failures of the storage can be seen


def test_f7_a_full_disk_is_told_until_it_is_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
        services = client.app.state.services  # type: ignore[attr-defined]
        pen = services.storage._engine.raw_connection()
        pages = pen.driver_connection.execute("PRAGMA page_count").fetchone()[0]
        pen.close()

        def limit(connection: Any, *_: object) -> None:
            connection.execute(f"PRAGMA max_page_count={pages}")

        event.listen(services.storage.engine, "checkout", limit)
        move, status = state["legal"][0]["move"], 200
        long = {"name": "x" * 400_000}
        with suppress(Unavailable):
            services.storage.set_choices("somebody", long)
        health = client.get("/healthz")
        assert (health.status_code, health.json()["problem"]) == (503, "the disk is full")
        assert "the disk is full" in caplog.text
        event.remove(services.storage.engine, "checkout", limit)
        event.listen(services.storage.engine, "checkout", lambda c, *_: c.execute("PRAGMA max_page_count=1000000"))
        status = player.move(state["id"], move).status_code
        assert status == 200
        assert client.get("/healthz").status_code == 200
        assert "works again" in caplog.text


def played(folder: Path, moves: int) -> tuple[str, dict[str, Any], Player]:
    """A game of so many moves, whose server was killed: everything is still in the write-ahead log."""
    with serving(folder) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
    with serving(folder) as client:
        player.client = client
        # a reader who never ends keeps the write-ahead log from being written into the database
        reader = sqlite3.connect(folder / FILE)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM tables").fetchone()
        for _ in range(moves):
            state = player.move(state["id"], state["legal"][0]["move"]).json()
            assert state["turn"] is not None
        copy = folder.with_name(folder.name + "-killed")
        shutil.copytree(folder, copy)
        reader.close()
    return state["id"], state, player


def test_f7_a_lost_write_ahead_log_is_noticed_and_its_moves_are_saved(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, state, player = played(tmp_path / "club", 20)
    damaged = tmp_path / "club-killed"
    assert (damaged / f"{FILE}-wal").stat().st_size > 10_000
    (damaged / f"{FILE}-wal").unlink()
    findings = [finding for finding in examine(address_of(damaged)) if finding.subject == "logs"]
    assert [finding.state for finding in findings] == ["bad"]
    with serving(damaged) as client:
        found = until(lambda: client.get("/healthz").json(), lambda health: not health["ok"])
        assert found["problem"] == "moves of 1 tables are missing"
        assert table in caplog.text
        player.client = client
        assert player.state(table)["version"] < state["version"]
    saved = rescue(damaged, tmp_path / "saved")
    assert saved.witnessed >= 20
    assert (saved.cut, saved.lost) == ([], [])
    with serving(tmp_path / "saved") as client:
        player.client = client
        again = player.state(table)
        assert again["history"] == state["history"]
        assert player.move(table, again["legal"][0]["move"]).status_code == 200
        assert client.get("/healthz").json() == {"ok": True}


def test_f7_a_damaged_database_says_what_to_do_and_is_rescued(tmp_path: Path) -> None:
    kept = []
    with serving(tmp_path / "club") as client:
        player = Player(client)
        for _ in range(12):
            state = player.open("me", "me", open_screens=True)
            for _ in range(15):
                state = player.move(state["id"], state["legal"][0]["move"]).json()
            kept.append(state)
    witness.forget(tmp_path / "club" / FILE)
    file = tmp_path / "club" / FILE
    whole = rescue(tmp_path / "club", tmp_path / "whole")  # nothing is damaged: nothing is lost
    assert (whole.rows["tables"], whole.cut, whole.lost) == (12, [], [])
    data = bytearray(file.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 3 * 4096] = b"\xaa" * (3 * 4096)
    file.write_bytes(data)
    findings = examine(address_of(tmp_path / "club"))
    assert any(finding.state == "bad" and "rescue" in finding.text for finding in findings)
    saved = rescue(tmp_path / "club", tmp_path / "saved")
    assert saved.rows["tables"] >= 6
    with serving(tmp_path / "saved") as client:
        player.client = client
        played_on = 0
        for state in kept:
            answer = player.get(f"/api/tables/{state['id']}")
            if answer.status_code == 200:
                found = answer.json()
                assert found["history"] == state["history"][: len(found["history"])]
                played_on += player.move(state["id"], found["legal"][0]["move"]).status_code == 200
        assert played_on >= 6
    file.write_bytes(b"\xaa" * len(data))
    with pytest.raises(BadDatabase, match="malecon rescue"):
        Storage(address_of(tmp_path / "club"))


def test_f7_a_log_that_was_altered_is_noticed(database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 0)
    storage.create(row, log[:20])
    assert witness.altered_logs(storage.engine) == []
    for change in (update(MOVES).where(MOVES.c.number == 7).values(seat=5), delete(MOVES).where(MOVES.c.number == 19)):
        with writing(storage.engine) as connection:
            connection.execute(change)
        assert witness.altered_logs(storage.engine) == ["long"]
    storage.close()


def test_f7_the_witness_begins_anew_and_never_knows_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witness, "LARGEST", 3_000)
    with serving(tmp_path) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
        for _ in range(60):
            state = player.move(state["id"], state["legal"][0]["move"]).json()
            if state["turn"] is None:
                break
    path = witness.path_of(tmp_path / FILE)
    assert witness.older(path).exists()
    assert path.stat().st_mode & 0o077 == 0  # it holds moves that lie face down
    with path.open("ab") as cut:
        cut.write(b'["half a li')
    storage = Storage(address_of(tmp_path))
    storage.look_for_losses()
    assert storage.troubles.told is None
    storage.close()


# --- F12: clocks that jump


def test_f12_nobody_loses_time_while_no_server_is_at_work(database: str) -> None:
    storage = Storage(database)
    row, log = long_game("santiago", 0)
    storage.create(replace(row, clock=86_400, deadline=1_000_000.0), log[:20])
    storage.create(replace(row, id="over", clock=86_400, deadline=1_000_000.0, over=True), [])
    storage.create(replace(row, id="free"), [])
    day, now = 86_400.0, 950_000.0
    assert beats.beat(storage, now) == 0.0  # the first ever
    assert beats.beat(storage, now + 10) == 0.0
    deadline = 1_000_000.0
    for jump in (2 * day, -day, 3600.0, -3600.0):
        now += jump
        assert beats.beat(storage, now + 10) == jump
        deadline += jump
        loaded = storage.load("long")
        assert loaded is not None
        assert loaded.row.deadline == deadline
        assert beats.beat(storage, now + 20) == 0.0
        now += 10
    assert storage.revisions(["long", "over", "free"]) == {"long": 4, "over": 0, "free": 0}
    storage.close()


def test_f12_a_clock_that_jumps_while_the_server_runs_resigns_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path) as client:
        player = Player(client)
        seats = [{"who": "me"}, {"who": "me"}]
        wanted = {"game": "santiago", "seats": seats, "clock": "ten-minutes", "time_up": "resign"}
        table = player.post("/api/tables", wanted).json()["id"]
        time.sleep(1.5)  # a beat
        real, ahead = time.time, 2 * 86_400.0
        monkeypatch.setattr(time, "time", lambda: real() + ahead)
        before = player.state(table)["deadline"]
        state = until(lambda: player.state(table), lambda state: state["deadline"] != before, 10)
        time.sleep(1.5)
        assert abs(state["deadline"] - before - ahead) < 30
        assert not any(seat["resigned"] or seat["bot"] for seat in player.state(table)["seats"])


def test_f12_a_table_from_the_future_is_woken(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))
    row, log = long_game("santiago", 0)
    storage.create(replace(row, due=True, created=time.time() + 86_400), log[:20])
    assert storage.due_tables(time.time(), 10) == ["long"]
    storage.close()
