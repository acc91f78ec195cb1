"""Web hooks: told when it is one's turn, never anything secret, never into the host's own network."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from malecon.kernel.errors import BadSetup
from malecon.server.notifications import outgoing_http
from malecon.server.notifications.outgoing_http import NotAllowed, check_address, is_public
from malecon.server.notifications.webhooks import Webhooks, post
from malecon.server.operations.limits import ServerSettings
from malecon.server.web.app import create_app
from tests.server.cluster import wait_until
from tests.server.people import HERE, Player, register, until
from tests.server.slow_service import SlowService


class Listener(HTTPServer):
    """A program of a player's, on this machine, that answers with a status of the test's choice."""

    def __init__(self) -> None:
        self.heard: list[dict] = []
        self.paths: list[str] = []
        self.status = 200
        super().__init__(("127.0.0.1", 0), Answer)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook?key=secret"


class Answer(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.heard.append(json.loads(body))
        self.server.paths.append(self.path)
        self.send_response(self.server.status)
        self.send_header("location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def listener() -> Iterator[Listener]:
    server = Listener()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_hook_is_called_when_it_is_the_players_turn(tmp_path: Path, listener: Listener) -> None:
    with TestClient(create_app(tmp_path, ServerSettings(hooks="any")), client=HERE) as client:
        ana, bea = Player(client), Player(client)
        token = register(ana)
        assert ana.post("/api/account/hook", {"address": listener.address}).status_code == 204
        assert ana.get("/api/account").json()["hook"] == listener.address
        opened = ana.open("me", "open", open_screens=True)
        link = opened["seats"][1]["invitation"]
        bea.post("/api/join", {"token": link, "name": "Bea"})
        for _ in range(200):  # until Bea has had a turn and it is Ana's again
            player = ana if ana.state(opened["id"])["legal"] else bea
            state = player.state(opened["id"])
            player.move(opened["id"], state["legal"][0]["move"])
            if listener.heard:
                break
        (heard,) = until(lambda: listener.heard, len)[:1]  # type: ignore[arg-type, return-value]
        assert (heard["event"], heard["table"], heard["game"]) == ("your_turn", opened["id"], "santiago")
        assert set(heard) == {"event", "text", "game", "table", "path", "seat", "deadline"}
        for secret in (token, link, listener.address, "Bea"):
            assert secret not in json.dumps(listener.heard)
        assert ana.post("/api/account/hook", {"address": None}).status_code == 204
        assert ana.get("/api/account").json()["hook"] is None


def test_hooks_are_off_unless_the_host_says_so(client: TestClient) -> None:
    ana = Player(client)
    register(ana)
    assert ana.post("/api/account/hook", {"address": "https://example.org/"}).status_code == 403
    assert Player(client).post("/api/account/hook", {"address": "https://example.org/"}).status_code == 403


@pytest.mark.parametrize(
    "address",
    ["ftp://example.org/", "https://", "https://user:word@example.org/", "https://example.org:0/", "file:///etc/passwd",
     "https://example.org:99999/", "https://exämple.org/", "https://example.org/\r\nx: y", "javascript:1", "x" * 400,
     "https://[::1", "https://a b/"],
)  # fmt: skip
def test_addresses_that_cannot_be_called(address: str) -> None:
    with pytest.raises(BadSetup):
        check_address(address)


PRIVATE = (
    "127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1 240.0.0.1 "
    "255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 fc00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 "
    "2002:7f00:1:: 2002:a00:1:: fec0::1"
)


def test_what_is_public() -> None:
    for address in PRIVATE.split():
        assert not is_public(address), address
    for address in ("8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"):
        assert is_public(address), address


def test_hooks_never_reach_addresses_of_the_hosts_network(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    port = listener.server_address[1]
    for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"):
        with pytest.raises((NotAllowed, OSError)):
            asyncio.run(post(f"http://{host}:{port}/", {}))
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])  # a name that leads elsewhere the second time it is asked

    def lookup(*_: object, **__: object) -> list:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in next(answers)]

    tried: list[object] = []

    async def connect(to: object, at: object, **_: object) -> None:
        tried.append((to, at))
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(asyncio, "open_connection", connect)
    with pytest.raises(ConnectionRefusedError):
        asyncio.run(post(f"http://rebinding.example:{port}/", {}))
    assert tried == [("93.184.216.34", port)]  # what was looked at, not what the name says by then
    assert listener.heard == []


async def all_called(caller: Webhooks) -> None:
    async with asyncio.timeout(20):
        while caller._queues:
            await asyncio.sleep(0.005)


@pytest.mark.parametrize(("status", "times"), [(200, 1), (404, 1), (302, 1), (500, 3), (429, 3)])
def test_calls_are_repeated_a_little_and_follow_nobody(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, status: int, times: int
) -> None:
    monkeypatch.setattr(outgoing_http, "RETRY_SECONDS", (0.01, 0.01))
    listener.status = status

    async def call() -> None:
        caller = Webhooks("any")
        caller.call("ana", listener.address, {"event": "your_turn"})
        await all_called(caller)
        await caller.close()

    asyncio.run(call())
    assert listener.paths == ["/hook?key=secret"] * times


def test_where_it_calls_is_not_logged(listener: Listener, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")

    async def call() -> None:
        caller = Webhooks("public")
        caller.call("ana", listener.address, {})
        await all_called(caller)
        await caller.close()

    asyncio.run(call())
    assert "not allowed" in caplog.text
    assert "key=secret" not in caplog.text
    assert listener.heard == []


# --- those that take their time


async def called(slow: SlowService, times: int) -> None:
    await wait_until(lambda: slow.calls >= times, 20)


@pytest.fixture
def slow() -> Iterator[SlowService]:
    server = SlowService()
    yield server
    server.close()


def test_an_answer_a_byte_at_a_time_has_its_end(slow: SlowService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing_http, "TIMEOUT_SECONDS", 0.3)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(post(slow.address, {}, any_address=True))
    assert time.monotonic() - began < 10  # the bytes alone would take half an hour


def test_slow_hooks_delay_nobody_else(slow: SlowService, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are more slow hooks than concurrent calls; a hook after them is still called before they give up."""
    monkeypatch.setattr(outgoing_http, "MAX_CONCURRENT", 2)
    monkeypatch.setattr(outgoing_http, "TIMEOUT_SECONDS", 0.2)
    monkeypatch.setattr(outgoing_http, "RETRY_SECONDS", (30.0, 30.0))

    async def call() -> None:
        caller = Webhooks("any")
        for number in range(6):
            caller.call(f"slow {number}", slow.address, {})
        caller.call("ana", listener.address, {"event": "your_turn"})
        async with asyncio.timeout(20):  # six of them, two at a time: 0.6 s, and nothing of the 30 s they wait
            while not listener.heard:
                await asyncio.sleep(0.01)
        assert len(caller._queues) >= 6  # all of them would be called again
        await caller.close()

    asyncio.run(call())
    assert slow.calls == 6


def test_of_one_person_only_the_newest_waits(
    slow: SlowService, listener: Listener, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setattr(outgoing_http, "TIMEOUT_SECONDS", 0.3)
    monkeypatch.setattr(outgoing_http, "RETRY_SECONDS", (30.0, 30.0))

    async def call() -> None:
        caller = Webhooks("any")
        caller.call("ana", slow.address, {"turn": 0})
        await called(slow, 1)
        for turn in range(1, 50):
            caller.call("ana", listener.address, {"turn": turn})
        assert len(caller._queues) == 1
        await all_called(caller)
        caller.call("ana", slow.address, {"turn": 50})
        await called(slow, 2)
        await wait_until(lambda: caplog.text.count("unreachable") == 2)  # it would be called again in half a minute
        caller.call("ana", listener.address, {"turn": 51})
        await all_called(caller)
        await caller.close()
        caller.call("ana", listener.address, {"turn": 52})  # a server that stops calls nobody

    asyncio.run(call())
    assert listener.heard == [{"turn": 49}, {"turn": 51}]


STOPS = """
import asyncio, socket, sys, time
from malecon.server.notifications.webhooks import Webhooks

real = socket.getaddrinfo

def stuck(host, *more, **named):
    if host == "stuck.example":
        time.sleep(600)
    return real(host, *more, **named)

socket.getaddrinfo = stuck

async def main():
    caller = Webhooks("any")
    caller.call("stuck", "http://stuck.example/", {})
    for number in range(60):
        caller.call(f"slow {number}", sys.argv[1], {})
    await asyncio.to_thread(sys.stdin.readline)  # until some have been called
    await caller.close()

asyncio.run(main())
print("stopped")
"""


def test_no_hook_keeps_a_process_from_stopping(slow: SlowService) -> None:
    """Neither an answer that does not end, nor a name that is looked up for ever."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", STOPS, slow.address]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        asyncio.run(called(slow, 1))
        assert process.communicate("now\n", timeout=60) == ("stopped\n", "")


def test_what_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in (b"", b"SSH-2.0 hello\r\n", b"HTTP/1.1 OK\r\n", b"HTTP/1.1 2000 OK\r\n", b"HTTP/1.1\r\n"):
        with pytest.raises(ValueError, match="no answer"):
            outgoing_http._status(line)
    for line in (b"HTTP/1.1 204 No Content\r\n", b"HTTP/1.0 204\r\n"):
        assert outgoing_http._status(line) == 204
