"""Many tables at once: moves at a steady rate while spectators watch, on our server and on boardgame.io's, in one run.

Ours plays Santiago de Cuba by all its rules and has every move on disk before it answers. The peer's game is a counter,
kept in memory, so the comparison favours the peer. A move's time runs from when it was due, not from when it was sent.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import connect

PEER = "boardgame.io@0.50.2"
#: What must hold: 99 of 100 moves within this many seconds, and no error.
PROMISE = 0.25


@dataclass
class Load:
    """What is asked of a server."""

    tables: int
    rate: float
    seconds: float
    spectators: int


@dataclass
class Outcome:
    """How a server bore it. Times are in seconds, memory in bytes."""

    name: str
    times: list[float] = field(default_factory=list)
    errors: int = 0
    watched: int = 0
    memory: int = 0
    took: float = 0.0

    def line(self) -> str:
        ordered = sorted(self.times) or [float("nan")]
        shares = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.95, 0.99)]
        cells = [f"{1000 * value:8.1f}" for value in (*shares, ordered[-1])]
        rate = len(self.times) / self.took if self.took else 0.0
        return (
            f"| {self.name:<28} | {len(self.times):6} | {rate:7.1f} | {' | '.join(cells)} | {self.errors:6} | "
            f"{self.watched:8} | {self.memory / 1e6:8.0f} |"
        )


HEAD = (
    "| server                       |  moves | moves/s |   p50 ms |   p95 ms |   p99 ms |   max ms | errors |  watched "
    "|   RAM MB |"
)


def memory_of(process: int) -> int:
    """The memory a process holds now."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


# --- ours


@contextmanager
def our_server(folder: Path) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", "0", "--data", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield server.stdout.readline().split()[-1], server.pid
        finally:
            server.terminate()


async def ours(load: Load) -> Outcome:
    outcome = Outcome("Malecón, on disk (SQLite)")
    with tempfile.TemporaryDirectory() as folder, our_server(Path(folder)) as (address, process):
        limits = httpx2.Limits(max_connections=60, max_keepalive_connections=60)
        async with httpx2.AsyncClient(base_url=address, timeout=30, limits=limits) as client:
            token = (await client.post("/api/people")).json()["token"]
            client.headers["authorization"] = f"Bearer {token}"
            states = [await _open(client) for _ in range(load.tables)]
            ids = [state["id"] for state in states]
            watching = [asyncio.create_task(_watch(address, name, outcome)) for name in ids[: load.spectators]]
            await asyncio.sleep(1)
            dice, free = random.Random(1), set(range(load.tables))

            async def move(due: float) -> None:
                if not free:  # every table still waits for its last move
                    outcome.errors += 1
                    return
                index = free.pop()
                state = states[index]
                body = {"move": dice.choice(state["legal"])["move"], "version": state["version"]}
                try:
                    answer = await client.post(f"/api/tables/{state['id']}/moves", json=body)
                    if answer.status_code != 200:
                        outcome.errors += 1
                        return
                    outcome.times.append(time.perf_counter() - due)
                    states[index] = answer.json()
                    if states[index]["turn"] is None:
                        states[index] = await _open(client)
                    free.add(index)
                except httpx2.HTTPError:
                    outcome.errors += 1

            await _steadily(load, move, outcome)
            outcome.memory = memory_of(process)
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
    return outcome


async def _open(client: httpx2.AsyncClient) -> dict[str, Any]:
    wanted = {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}], "options": {"open_screens": True}}
    answer = await client.post("/api/tables", json=wanted)
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


async def _watch(address: str, table: str, outcome: Outcome) -> None:
    async with connect(f"{address.replace('http', 'ws')}api/tables/{table}/events", max_queue=None) as socket:
        async for _ in socket:
            outcome.watched += 1


async def _steadily(load: Load, move: Any, outcome: Outcome) -> None:
    """Moves at even distances, whether or not those before have been answered."""
    began, tasks = time.perf_counter(), set()
    for number in range(int(load.rate * load.seconds)):
        due = began + number / load.rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        task = asyncio.create_task(move(due))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    outcome.took = time.perf_counter() - began


# --- the peer's

SERVER = """
const { Server } = require('boardgame.io/server');
const game = { name: 'count', setup: () => ({ n: 0 }), moves: { play: ({ G }) => { G.n += 1; } } };
const server = Server({ games: [game], origins: [/127.0.0.1/] });
server.run({ port: 0, callback: () => {} }).then(({ appServer }) => console.log(appServer.address().port));
"""
CLIENT = """
const { io } = require('socket.io-client');
const [port, tables, rate, seconds, spectators] = process.argv.slice(2).map(Number);
const root = `http://127.0.0.1:${port}`;
const found = { times: [], errors: 0, watched: 0, took: 0 };
const seat = (match, player) => new Promise((ready) => {
  const socket = io(`${root}/count`, { transports: ['websocket'], forceNew: true });
  const one = { socket, match, state: null, due: null };
  socket.on('sync', (id, info) => { one.state = info.state._stateID; ready(one); });
  socket.on('update', (id, state) => {
    one.state = state._stateID;
    if (player === null) found.watched += 1;
    else if (one.due !== null) {
      found.times.push((performance.now() - one.due) / 1000);
      one.due = null;
      free.push(one);
    }
  });
  socket.on('connect', () => socket.emit('sync', match, player, undefined, 2));
});
const free = [];
(async () => {
  for (let n = 0; n < tables; n++) {
    free.push(await seat(`match-${n}`, '0'));  // its server opens a match for whoever asks first
    if (n < spectators) await seat(`match-${n}`, null);
  }
  const all = rate * seconds, began = performance.now();
  for (let n = 0; n < all; n++) {
    const due = began + 1000 * n / rate;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    const one = free.shift();
    if (!one) { found.errors += 1; continue; }
    one.due = due;
    const payload = { type: 'play', args: [], playerID: '0' };
    one.socket.emit('update', { type: 'MAKE_MOVE', payload }, one.state, one.match, '0');
  }
  for (let n = 0; n < 100 && found.times.length + found.errors < all; n++) await new Promise((d) => setTimeout(d, 50));
  found.errors += all - found.times.length - found.errors;
  found.took = (performance.now() - began) / 1000;
  console.log(JSON.stringify(found));
  process.exit(0);
})();
"""


def theirs(load: Load) -> Outcome:
    outcome = Outcome(f"{PEER}, in memory")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", PEER, "socket.io-client@4"]
        subprocess.run(install, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (folder / "server.cjs").write_text(SERVER)
        (folder / "client.cjs").write_text(CLIENT)
        quiet = {**os.environ, "NODE_ENV": "production", "DEBUG": ""}
        with subprocess.Popen(
            ["node", "server.cjs"], cwd=folder, stdout=subprocess.PIPE, text=True, env=quiet
        ) as server:
            try:
                assert server.stdout
                port = next(line.strip() for line in server.stdout if line.strip().isdigit())
                given = [port, *map(str, (load.tables, load.rate, load.seconds, load.spectators))]
                done = subprocess.run(
                    ["node", "client.cjs", *given], cwd=folder, capture_output=True, text=True, check=True
                )
                outcome.memory = memory_of(server.pid)
            finally:
                server.terminate()
        found = json.loads(done.stdout.splitlines()[-1])
        outcome.times, outcome.errors = found["times"], found["errors"]
        outcome.watched, outcome.took = found["watched"], found["took"]
    return outcome


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--tables", type=int, default=1_000)
    reading.add_argument("--rate", type=float, default=200.0, help="moves a second")
    reading.add_argument("--seconds", type=float, default=60.0)
    reading.add_argument("--spectators", type=int, default=100, help="tables with a live connection")
    asked = reading.parse_args()
    load = Load(asked.tables, asked.rate, asked.seconds, asked.spectators)
    print(f"{load.tables} tables, {load.rate:g} moves/s for {load.seconds:g} s, {load.spectators} spectators")
    print(HEAD)
    print("|" + "|".join("-" * len(cell) for cell in HEAD.split("|")[1:-1]) + "|")
    own = asyncio.run(ours(load))
    print(own.line(), flush=True)
    if shutil.which("node") and shutil.which("npm"):
        print(theirs(load).line())
    else:
        print("Node is missing: no figures of the peer")
    p99 = sorted(own.times)[int(len(own.times) * 0.99)] if own.times else float("inf")
    if own.errors or p99 > PROMISE:
        sys.exit(f"not as promised: {own.errors} errors, p99 {1000 * p99:.0f} ms")


if __name__ == "__main__":
    main()
