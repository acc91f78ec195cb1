"""HTTP and WebSocket connections: what a client may send, how long it may be silent, and how many it may open."""

from __future__ import annotations

import asyncio
import json
import random
import resource
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from malecon.server.operations.settings import ServerSettings
from malecon.server.web import connections, sockets
from malecon.server.web.app import create_app
from tests.server.people import Player, serving
from tests.server.processes import resident, server


def test_endless_headers_are_cut_off(tmp_path: Path) -> None:
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


def test_silent_connections_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import uvicorn

    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_SECONDS", 0.5)
    config = uvicorn.Config(
        create_app(tmp_path, ServerSettings()), http=connections.LimitedHttpProtocol, log_level="warning"
    )
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
        with socket.create_connection(("127.0.0.1", port)) as line:  # a quick client is served
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            assert line.recv(1000).startswith(b"HTTP/1.1 200")
    finally:
        running.should_exit = True
        thread.join(10)


@contextmanager
def answering(body: bytes) -> Iterator[tuple[int, Collection[object]]]:
    """A server with our protocols that sends this to everybody; its port and its connections."""
    import uvicorn

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while True:
                await send({"type": "websocket.send", "bytes": body})
        length = (b"content-length", b"%d" % len(body))
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": body})

    config = uvicorn.Config(
        app,
        http=connections.LimitedHttpProtocol,
        ws=sockets.LimitedWebSocketProtocol,
        ws_ping_interval=0.3,
        ws_ping_timeout=0.3,
        lifespan="off",
        log_level="critical",
    )
    listening = socket.create_server(("127.0.0.1", 0))
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not running.started:
            time.sleep(0.01)
        yield listening.getsockname()[1], running.server_state.connections
    finally:
        running.should_exit = True
        thread.join(10)


def ask(port: int, more: bytes = b"") -> socket.socket:
    """A connection with a small buffer that has sent a request and reads nothing by itself."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", port))
    line.settimeout(20)
    line.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n" + more + b"\r\n")
    return line


def wait_for_none(open_connections: Collection[object]) -> None:
    """Wait until the server has given up all connections; a client that reads nothing does not notice."""
    end = time.monotonic() + 15
    while open_connections:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("size", [8_000_000, 4_500_000])
def test_clients_that_do_not_read_their_answers_are_disconnected(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READ_CHECK_SECONDS", 0.5)
    monkeypatch.setattr(connections, "FEWEST_READ_BYTES", 2_000)
    with answering(bytes(size)) as (port, open_connections):
        with ask(port), ask(port, b"Connection: close\r\n"):
            while len(open_connections) < 2:
                time.sleep(0.01)
            wait_for_none(open_connections)
        with ask(port) as slow:  # it takes longer than several checks, but goes on reading
            got = 0
            began = time.monotonic()
            while got < size:
                piece = slow.recv(65_536)
                assert piece
                got += len(piece)
                if time.monotonic() - began < 2:
                    time.sleep(0.02)
            assert time.monotonic() - began > 1.5


def test_live_connections_that_do_not_read_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "ABORT_SECONDS", 0.1)
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    upgrade += b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    body = random.Random(1).randbytes(1_000_000)
    with answering(body) as (port, open_connections), ask(port, upgrade):
        while not open_connections:
            time.sleep(0.01)
        wait_for_none(open_connections)


def test_one_address_cannot_have_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections.LimitedHttpProtocol, "most_of_one", 3)
    monkeypatch.setattr(connections.LimitedHttpProtocol, "open", connections.Counter())
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
            connection = connections.LimitedHttpProtocol(config, state, {})
            connection.connection_made(Transport(host))
            there.append(connection)
        assert aborted == ["203.0.113.9"] * 2
        there[0]._leave()
        connection = connections.LimitedHttpProtocol(config, state, {})
        connection.connection_made(Transport("203.0.113.9"))
        assert len(aborted) == 2
        for connection in there:
            connection._leave()

    asyncio.run(come())


def test_endless_pings_close_the_connection(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        table = Player(client).open("me", "me")["id"]
    with server(tmp_path) as (port, _), connect(f"ws://127.0.0.1:{port}/api/tables/{table}/events") as live:
        live.recv()
        answered = 0
        with suppress(ConnectionClosed):
            while answered < 5_000 and live.ping().wait(3):
                answered += 1
        assert 0 < answered <= 200


def test_malformed_messages_and_resets_leave_no_traceback(tmp_path: Path) -> None:
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
        for path in (b"/healthz", b"/static/base.css", b"/"):  # by then the answers to the others have been written
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                assert line.makefile("rb").read().startswith(b"HTTP/1.1 200")
        process.terminate()
        process.wait(20)
    assert "Traceback" not in (tmp_path / "stderr").read_text()


#: Files that a starved server may open.
MOST_FILES = 150


def test_too_many_connections_for_the_files_that_may_be_opened(tmp_path: Path) -> None:
    """Newcomers are sent away while there are too many; who is connected plays on, and then all is well again."""
    with serving(tmp_path) as client:
        player = Player(client)
        state = player.open("me", "me", open_screens=True)
    command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    log = (tmp_path / "log").open("w")
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES, MOST_FILES))  # noqa: E731
    with log, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=few) as server:
        try:
            assert server.stdout
            port = int(server.stdout.readline().rstrip().rstrip("/").rpartition(":")[2])
            with ExitStack() as stack:
                mine = stack.enter_context(socket.create_connection(("127.0.0.1", port), 60))
                move = {"move": state["legal"][0]["move"], "version": state["version"]}
                state = _post(mine, state["id"], player, move)
                for _ in range(3 * MOST_FILES):
                    with suppress(OSError):
                        stack.enter_context(socket.create_connection(("127.0.0.1", port), 60))
                move = {"move": state["legal"][0]["move"], "version": state["version"]}
                state = _post(mine, state["id"], player, move)
            with socket.create_connection(("127.0.0.1", port), 60) as line:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert line.recv(1000).startswith(b"HTTP/1.1 200")
        finally:
            server.terminate()
    log_text = (tmp_path / "log").read_text()
    assert f"may open only {MOST_FILES} files" in log_text
    assert "too many connections" in log_text
    assert "Traceback" not in log_text


def _post(line: socket.socket, table: str, player: Player, body: object) -> dict[str, Any]:
    data = json.dumps(body).encode()
    head = f"POST /api/tables/{table}/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(data)}\r\n"
    line.sendall(f"{head}Authorization: {player.headers['authorization']}\r\n\r\n".encode() + data)
    reading = line.makefile("rb")
    assert b"200" in reading.readline()
    length = 0
    while (header := reading.readline().strip()) != b"":
        name, _, value = header.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    answer: dict[str, Any] = json.loads(reading.read(length))
    return answer
