"""Web hooks: told when it is one's turn, never anything secret, never into the host's own network."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.people import HERE, Player, until
from tests.server.test_accounts import register

from malecon.kernel.errors import BadSetup
from malecon.server import hooks
from malecon.server.app import create_app
from malecon.server.hooks import Hooks, NotAllowed, check_address, is_public, post
from malecon.server.limits import Settings


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


def test_whoever_wants_to_be_called_is(tmp_path: Path, listener: Listener) -> None:
    with TestClient(create_app(tmp_path, Settings(hooks="any")), client=HERE) as client:
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


def test_nobody_knocks_at_the_neighbours_doors(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    port = listener.server_address[1]
    for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"):
        with pytest.raises((NotAllowed, OSError)):
            post(f"http://{host}:{port}/", {})
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])  # a name that leads elsewhere the second time it is asked

    def lookup(*_: object, **__: object) -> list:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in next(answers)]

    tried: list[object] = []

    def connect(to: object, *_: object) -> None:
        tried.append(to)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(OSError):  # noqa: PT011
        post(f"http://rebinding.example:{port}/", {})
    assert tried == [("93.184.216.34", port)]  # what was looked at, not what the name says by then
    assert listener.heard == []


@pytest.mark.parametrize(("status", "calls"), [(200, 1), (404, 1), (302, 1), (500, 3), (429, 3)])
def test_calls_are_repeated_a_little_and_follow_nobody(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, status: int, calls: int
) -> None:
    monkeypatch.setattr(hooks, "AGAIN", (0.01, 0.01))
    listener.status = status

    async def call() -> None:
        caller = Hooks("any")
        await caller._call(listener.address, {"event": "your_turn"})
        await caller.close()

    asyncio.run(call())
    assert listener.paths == ["/hook?key=secret"] * calls


def test_where_it_calls_is_not_logged(listener: Listener, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")

    async def call() -> None:
        caller = Hooks("public")
        await caller._call(listener.address, {})
        await caller.close()

    asyncio.run(call())
    assert "not allowed" in caplog.text
    assert "key=secret" not in caplog.text
    assert listener.heard == []
