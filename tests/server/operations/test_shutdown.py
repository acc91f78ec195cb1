"""Shutdown: a server that stops finishes what it began, makes no more moves, and loses nothing."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import func, select
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from malecon.server.operations.metrics import Metrics
from malecon.server.storage.database import address_of
from malecon.server.storage.schema import MOVES
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.web.services import Services

TWO_BOTS = NewTable("santiago", (NewSeat("bot:random"), NewSeat("bot:random")), pace="instant")


def test_a_server_that_stops_makes_no_more_moves(tmp_path: Path) -> None:
    async def play() -> int:
        services = Services(Storage(address_of(tmp_path)), Metrics())
        services.open()
        table = await services.tables.open(TWO_BOTS, "ana")
        while table.version < 40:
            await asyncio.sleep(0.01)
        await services.close()
        version = table.version
        await asyncio.sleep(0.2)
        assert table.version == version
        return version

    version = asyncio.run(play())
    storage = Storage(address_of(tmp_path))
    with storage.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(MOVES)).scalar() == version
    storage.close()


def drain(socket: ClientConnection) -> None:
    while True:
        socket.recv(timeout=10)


def test_a_stopping_server_finishes_what_it_began(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", "0", "--log", "json"]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [*command, "--data", str(tmp_path)], stdout=subprocess.PIPE, stderr=errors, text=True
        ) as server,
    ):
        try:
            assert server.stdout
            table, acknowledged = play_until_stopped(server.stdout.readline().split()[-1], server)
            began = time.monotonic()
            assert server.wait(10) in (0, -signal.SIGTERM)
            assert time.monotonic() - began < 6
        finally:
            server.kill()
    logs = [json.loads(line) for line in log.read_text().splitlines()]
    assert all(line["level"] == "info" for line in logs), logs
    assert any(line.get("route") == "/api/tables" for line in logs)
    storage = Storage(address_of(tmp_path))
    loaded = storage.load(table)
    storage.close()
    assert loaded is not None
    assert loaded.entries[-1].number + 1 >= acknowledged > 0


def play_until_stopped(address: str, server: subprocess.Popen[str]) -> tuple[str, int]:
    """Play and watch until the server is told to stop; the table, and how many entries it has acknowledged."""
    with httpx2.Client(base_url=address, timeout=30) as client:
        headers = {"authorization": f"Bearer {client.post('/api/people').json()['token']}"}
        new = {
            "game": "cuba",
            "seats": [{"who": "me"}, {"who": "me"}, {"who": "bot:comerciante"}],
            "pace": "instant",
        }
        table = client.post("/api/tables", json=new, headers=headers).json()["id"]
        acknowledged = made = 0
        with connect(f"{address.replace('http', 'ws')}api/tables/{table}/events") as socket:
            socket.recv()
            end = time.monotonic() + 60
            try:
                while time.monotonic() < end:
                    state = client.get(f"/api/tables/{table}", headers=headers).json()
                    if state["legal"]:
                        body = {"move": state["legal"][0]["move"]}
                        answer = client.post(f"/api/tables/{table}/moves", json=body, headers=headers)
                        if answer.status_code == 200:
                            acknowledged = answer.json()["version"]
                            made += 1
                            if made == 10:  # and play on, while it stops
                                server.send_signal(signal.SIGTERM)
            except httpx2.HTTPError:
                pass
            with pytest.raises(ConnectionClosed) as closed:
                drain(socket)
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1012
        return table, acknowledged
