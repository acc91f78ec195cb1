"""Web hooks: told when it is one's turn, never anything secret, never into the host's own network."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from starlette.testclient import TestClient

from malecon.kernel.errors import BadSetup
from malecon.server.notifications import addresses, dispatcher, outgoing_http
from malecon.server.notifications.addresses import NotAllowed, check_address, is_public
from malecon.server.notifications.outgoing_http import send
from malecon.server.notifications.webhooks import Webhooks
from malecon.server.operations.settings import ServerSettings
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


def test_hooks_never_reach_addresses_of_the_hosts_network(listener: Listener) -> None:
    port = listener.server_address[1]
    for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"):
        with pytest.raises((NotAllowed, OSError)):
            asyncio.run(send(f"http://{host}:{port}/", {}, b"{}"))
    assert listener.heard == []


def resolving_to(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """Let a look-up of any name give these addresses, one after the other."""
    left = list(answers)

    def lookup(_: object, port: int, *__: object, **___: object) -> list:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (left.pop(0), port))]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)


def test_the_connection_goes_to_the_address_that_was_checked(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the name resolves to by then: here one address of the loopback network passes for a public one."""
    monkeypatch.setattr(addresses, "is_public", lambda address: address == "127.0.0.1")
    resolving_to(monkeypatch, "127.0.0.1", "127.0.0.2")
    address = f"http://rebinding.example:{listener.server_address[1]}/"
    assert asyncio.run(send(address, {}, b'{"event": "first"}')) == 200
    with pytest.raises(NotAllowed):
        asyncio.run(send(address, {}, b'{"event": "second"}'))
    assert listener.heard == [{"event": "first"}]


def certificate_for(name: str, folder: Path) -> Path:
    """Write a certificate that vouches for itself and for one host name, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(hours=1))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file = folder / "certificate.pem"
    file.write_bytes(builder.sign(key, SHA256()).public_bytes(Encoding.PEM) + private)
    return file


def test_the_name_of_the_host_is_verified_though_its_address_is_called(
    listener: Listener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = certificate_for("hook.example", tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener.socket = context.wrap_socket(listener.socket, server_side=True)
    port = listener.server_address[1]
    resolving_to(monkeypatch, *["127.0.0.1"] * 3)
    outgoing_http._trust.cache_clear()
    try:
        with pytest.raises(OSError, match="no connection"):  # nobody whom this machine trusts has signed it
            asyncio.run(send(f"https://hook.example:{port}/", {}, b"{}", any_address=True))
        outgoing_http._trust.cache_clear()
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with pytest.raises(OSError, match="no connection"):
            asyncio.run(send(f"https://other.example:{port}/", {}, b"{}", any_address=True))
        assert asyncio.run(send(f"https://hook.example:{port}/", {}, b"{}", any_address=True)) == 200
    finally:
        outgoing_http._trust.cache_clear()
    assert listener.heard == [{}]


def test_a_connection_that_never_finishes_its_handshake_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing_http, "TIMEOUT_SECONDS", 0.3)

    async def call(listening: socket.socket) -> None:
        with pytest.raises(TimeoutError):
            await send(f"https://127.0.0.1:{listening.getsockname()[1]}/", {}, b"{}", any_address=True)
        taken, _ = listening.accept()
        with taken, suppress(ConnectionResetError):
            taken.settimeout(10)
            while await asyncio.to_thread(taken.recv, 10_000):  # what the client sent first; then the end
                pass

    with socket.create_server(("127.0.0.1", 0)) as listening:
        asyncio.run(call(listening))


async def all_called(caller: Webhooks) -> None:
    async with asyncio.timeout(20):
        while caller._queues:
            await asyncio.sleep(0.005)


@pytest.mark.parametrize(("status", "times"), [(200, 1), (404, 1), (302, 1), (500, 3), (429, 3)])
def test_calls_are_repeated_a_little_and_follow_nobody(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, status: int, times: int
) -> None:
    monkeypatch.setattr(dispatcher, "RETRY_SECONDS", (0.01, 0.01))
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
        asyncio.run(send(slow.address, {}, b"", any_address=True))
    assert time.monotonic() - began < 10  # the bytes alone would take half an hour


def test_slow_hooks_delay_nobody_else(slow: SlowService, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are more slow hooks than concurrent calls; a hook after them is still called before they give up."""
    monkeypatch.setattr(dispatcher, "MAX_CONCURRENT", 2)
    monkeypatch.setattr(outgoing_http, "TIMEOUT_SECONDS", 0.2)
    monkeypatch.setattr(dispatcher, "RETRY_SECONDS", (30.0, 30.0))

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
    monkeypatch.setattr(dispatcher, "RETRY_SECONDS", (30.0, 30.0))

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
        await wait_until(lambda: caplog.text.count("timed out") == 2)  # it would be called again in half a minute
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


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """Answer one request with these bytes; yield the address."""

    def answer_once() -> None:
        taken, _ = listening.accept()
        with taken:
            while not taken.recv(10_000).endswith(b"{}"):
                pass
            taken.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer_once)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        thread.join()


@pytest.mark.parametrize(
    "answer", [b"", b"SSH-2.0 hello\r\n\r\n", b"HTTP/1.1 OK\r\n\r\n", b"HTTP/1.1 2000 OK\r\n\r\n", b"x" * 200_000]
)
def test_what_is_no_answer(answer: bytes) -> None:
    with answering(answer) as address, pytest.raises(OSError, match="no valid response"):
        asyncio.run(send(address, {}, b"{}", any_address=True))


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"HTTP/1.1 204 No Content\r\n\r\n", 204),
        (b"HTTP/1.0 204\r\n\r\n", 204),
        (b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n", 201),
    ],
)
def test_only_the_status_of_the_final_answer_is_read(answer: bytes, status: int) -> None:
    with answering(answer) as address:
        assert asyncio.run(send(address, {}, b"{}", any_address=True)) == status
