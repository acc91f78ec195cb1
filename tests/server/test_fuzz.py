"""Whatever is sent over HTTP or a WebSocket: no 5xx, no hang, and a refused request has changed nothing."""

from __future__ import annotations

import logging
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.strategies import integers
from sqlalchemy import func, select
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from malecon.server.storage.database import address_of
from malecon.server.storage.schema import MOVES, PEOPLE, SEATS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.web.app import create_app
from malecon.server.web.sockets import LimitedWebSocketProtocol
from tests.server.faults import SHOWN


class Target:
    """A server in a thread, somebody known to it, and a table of theirs."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self._storage = Storage(address_of(folder))
        with httpx2.Client(base_url=address, timeout=20) as client:
            self.headers = {"authorization": f"Bearer {client.post('/api/people').json()['token']}"}
            body = {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}]}
            self.table = client.post("/api/tables", json=body, headers=self.headers).json()["id"]

    def kept(self) -> tuple[Any, ...]:
        """What is in the database, as far as any change of it shows."""
        body = (
            select(func.count(), func.sum(TABLES.c.revision)).select_from(TABLES),
            select(func.count()).select_from(MOVES),
            select(func.count(), func.count(SEATS.c.person)).select_from(SEATS),
            select(func.count()).select_from(PEOPLE),
        )
        with self._storage.engine.connect() as connection:
            return tuple(tuple(connection.execute(query).one()) for query in body)

    def is_well(self) -> bool:
        answer = httpx2.get(f"{self.address}/api/tables/{self.table}", headers=self.headers, timeout=10)
        return answer.status_code == 200 and bool(answer.json()["legal"])

    def close(self) -> None:
        self._storage.close()


@contextmanager
def listening(config: uvicorn.Config) -> Iterator[tuple[str, int]]:
    """A server in a thread; where it listens."""
    door = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
    thread.start()
    try:
        yield door.getsockname()
    finally:
        server.should_exit = True
        thread.join(10)
        assert not thread.is_alive()


@contextmanager
def running(folder: Path) -> Iterator[Target]:
    config = uvicorn.Config(
        create_app(folder),
        log_config=None,
        ws=LimitedWebSocketProtocol,
        ws_max_size=16_000,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    with listening(config) as (host, port):
        target = Target(f"http://{host}:{port}", folder)
        try:
            yield target
        finally:
            target.close()


def requests_of_all_kinds(folder: Path, examples: int) -> None:
    with running(folder) as target:
        schema = schemathesis.openapi.from_url(f"{target.address}/api/openapi.json")
        statuses: dict[int, int] = {}
        for described in schema.get_all_operations():
            operation = described.ok()

            @seed(6)
            @settings(
                max_examples=examples,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                verbosity=Verbosity.quiet,
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(), real=integers(0, 4))
            def sends(case: Any, real: int) -> None:
                if real and "table" in (case.path_parameters or {}):
                    case.path_parameters["table"] = target.table
                before = target.kept()
                gives_up = case.path in ("/api/account", "/api/account/delete")  # the table, to an account or for good
                answer = case.call(headers=None if real == 1 or gives_up else target.headers, timeout=20)
                assert answer.status_code < 500, f"{case.method} {case.path}: {answer.status_code}"
                statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
                if answer.status_code >= 400:
                    assert target.kept() == before
                    assert answer.status_code == 429 or answer.json()["error"]  # a flood is answered with nothing

            sends()
        assert target.is_well()
        SHOWN.append(f"requests by the OpenAPI description, by status: {dict(sorted(statuses.items()))}")
        assert sum(statuses.values()) >= 8 * examples
        assert any(status < 400 for status in statuses)
        assert any(status >= 400 for status in statuses)


def sockets_of_all_kinds(folder: Path, rounds: int, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(6)
    with running(folder) as target:
        before = target.kept()
        for _ in range(rounds):
            path = dice.choice([f"/api/tables/{target.table}/events", f"/tables/{target.table}/live", "/tables/x/live"])
            query = dice.choice(
                ["", "?version=0", "?version=-1", "?as=9&moves=99999999999", "?layout=%00", "?" + "a" * 3000]
            )
            if dice.random() < 0.25:
                _raw(target, path + query, dice)
                continue
            with suppress(WebSocketException, OSError, TimeoutError):  # to be shown the door is all right
                address = target.address.replace("http", "ws") + path + query
                with connect(address, additional_headers=target.headers, open_timeout=10, close_timeout=5) as ws:
                    for _ in range(dice.randrange(30)):
                        _babble(ws, dice)
                    ws.recv(timeout=2)
        assert target.is_well()
        assert target.kept() == before
    wrong = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record for record in wrong if record.name != "websockets.client"] == []  # the fuzzer's own stumbles


def _babble(ws: Any, dice: random.Random) -> None:
    size = dice.choice([0, 1, 100, 15_000, 20_000])
    kind = dice.randrange(4)
    if kind == 0:
        ws.send(dice.randbytes(size))
    elif kind == 1:
        ws.send("".join(chr(dice.randrange(32, 0xD7FF)) for _ in range(size // 4)))
    elif kind == 2:
        ws.ping(dice.randbytes(min(size, 100)))
    else:
        ws.send(['{"move":', dice.choice(['"drive 1"}', "}", "[" * 500])])


def _raw(target: Target, path: str, dice: random.Random) -> None:
    """A connection that does not keep to the protocol."""
    host, port = target.address.removeprefix("http://").split(":")
    head = f"GET {path} HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    key = "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    with suppress(OSError), socket.create_connection((host, int(port)), timeout=2) as raw:
        raw.sendall((head + dice.choice([key, "\r\n", key[:20]])).encode())
        raw.sendall(dice.randbytes(dice.choice([0, 1, 50, 5_000])))
        raw.settimeout(0.2)
        raw.recv(1000)


def test_rubbish_before_the_handshake_is_over(caplog: pytest.LogCaptureFixture) -> None:
    heard = []

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        heard.extend([(await receive())["type"] for _ in range(2)])

    with listening(uvicorn.Config(slow, lifespan="off", ws=LimitedWebSocketProtocol, log_config=None)) as (host, port):
        head = f"GET / HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        key = "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        with socket.create_connection((host, port), timeout=10) as raw:
            raw.sendall((head + key).encode())
            time.sleep(0.2)  # else it might come with the request, and nobody would look at it
            raw.sendall(b"\xff" * 50)
            assert raw.recv(1000) == b""
    assert heard == ["websocket.connect", "websocket.disconnect"]
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.filterwarnings("default")
def test_requests(tmp_path: Path) -> None:
    requests_of_all_kinds(tmp_path, examples=8)


def test_sockets(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    sockets_of_all_kinds(tmp_path, rounds=12, caplog=caplog)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_many_requests(tmp_path: Path) -> None:
    requests_of_all_kinds(tmp_path, examples=300)


@pytest.mark.slow
def test_many_sockets(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    sockets_of_all_kinds(tmp_path, rounds=400, caplog=caplog)
