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
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import connect

PEER = "boardgame.io@0.50.2"
#: What must hold: 99 of 100 moves within this many seconds, and no error.
PROMISE = 0.25
#: Connections over which the moves are sent.
CONNECTIONS = 40


@dataclass
class Times:
    """How long every answer took, in seconds."""

    name: str
    times: list[float] = field(default_factory=list)

    def share(self, share: float) -> float:
        """As long as this share of the answers took at most."""
        ordered = sorted(self.times) or [float("inf")]
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


@dataclass
class Load:
    """What is asked of a server."""

    tables: int
    rate: float
    seconds: float
    spectators: int


@dataclass
class Outcome(Times):
    """How a server bore it. Times are in seconds, memory in bytes, work in processors kept busy."""

    errors: int = 0
    watched: int = 0
    memory: int = 0
    took: float = 0.0
    server_work: float = 0.0
    own_work: float = 0.0

    def line(self) -> str:
        cells = [f"{1000 * self.share(share):7.1f}" for share in (0.5, 0.95, 0.99, 1.0)]
        rate = len(self.times) / self.took if self.took else 0.0
        return (
            f"| {self.name:<29} | {len(self.times):6} | {rate:7.1f} | {' | '.join(cells)} | {self.errors:6} | "
            f"{self.watched:7} | {self.memory / 1e6:6.0f} | {self.server_work:10.2f} | {self.own_work:7.2f} |"
        )


HEAD = (
    "| server                        |  moves | moves/s |  p50 ms |  p95 ms |  p99 ms |  max ms | errors | watched "
    "| RAM MB | server CPU | own CPU |"
)


def memory_of(process: int) -> int:
    """The memory a process holds now."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def work_of(process: int | str) -> float:
    """The seconds a process has had a processor."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- ours


@contextmanager
def our_server(*where: str) -> Iterator[tuple[str, int]]:
    """A server of ours on a folder (`--data`) or database (`--database`): its address and process number."""
    command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", "0", *where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield server.stdout.readline().split()[-1], server.pid
        finally:
            server.terminate()


class Line:
    """A connection that sends one request after another: just enough of HTTP to leave the processor to the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.head = b""

    @classmethod
    async def to(cls, address: str, head: bytes = b"") -> Line:
        parts = urlsplit(address)
        line = cls(*await asyncio.open_connection(parts.hostname, parts.port))
        line.head = head
        return line

    async def post(self, path: str, body: object = None) -> tuple[int, Any]:
        """The status and the JSON of the answer."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        head += f"Content-Length: {len(data)}\r\n"
        self._writer.write(head.encode() + self.head + b"\r\n" + data)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(answer.partition(b"content-length:")[2].split(None, 1)[0])
        return int(answer.split(None, 2)[1]), json.loads(await self._reader.readexactly(length))


async def ours(load: Load) -> Outcome:
    outcome = Outcome("Malecón, on disk (SQLite)")
    with tempfile.TemporaryDirectory() as folder, our_server("--data", folder) as (address, process):
        _, person = await (await Line.to(address)).post("/api/people")
        known = f"Authorization: Bearer {person['token']}\r\n".encode()
        lines = [await Line.to(address, known) for _ in range(CONNECTIONS)]
        empty = memory_of(process)
        states: list[dict[str, Any]] = [{} for _ in range(load.tables)]
        numbers = iter(range(load.tables))

        async def opening(line: Line) -> None:
            for index in numbers:
                states[index] = await _open(line)

        await asyncio.gather(*map(opening, lines))
        print(f"{(memory_of(process) - empty) / load.tables / 1e3:.0f} kB for each open table", file=sys.stderr)
        watching = [
            asyncio.create_task(_watch(address, states[number]["id"], number % 2 == 0, outcome))
            for number in range(load.spectators)
        ]
        while outcome.watched < load.spectators:  # each of them is shown the table once
            await asyncio.sleep(0.1)
        await asyncio.sleep(2)
        outcome.watched = 0
        idle = deque([await Line.to(address, known) for _ in range(CONNECTIONS)])  # the server hangs up on idle ones
        dice, free, waiting = random.Random(1), list(range(load.tables)), asyncio.Semaphore(CONNECTIONS)

        async def move(due: float) -> None:
            if not free:  # every table still waits for its last move
                outcome.errors += 1
                return
            index = free.pop(dice.randrange(len(free)))
            state = states[index]
            body = {"move": dice.choice(state["legal"])["move"], "version": state["version"]}
            async with waiting:
                line = idle.popleft()
                try:
                    status, answer = await line.post(f"/api/tables/{state['id']}/moves", body)
                    outcome.times.append(time.perf_counter() - due)
                    if status != 200:
                        print(status, answer, file=sys.stderr)
                        outcome.errors += 1
                    elif answer["turn"] is None:
                        states[index] = await _open(line)
                    else:
                        states[index] = answer
                finally:
                    idle.append(line)
            free.append(index)

        before, own = work_of(process), work_of("self")
        await _steadily(load, move, outcome)
        outcome.server_work = (work_of(process) - before) / outcome.took
        outcome.own_work = (work_of("self") - own) / outcome.took
        outcome.memory = memory_of(process)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    return outcome


async def _open(line: Line) -> dict[str, Any]:
    request = {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}], "options": {"open_screens": True}}
    status, answer = await line.post("/api/tables", request)
    if status != 201:
        sys.exit(f"no table: {answer}")
    return dict(answer)


async def _watch(address: str, table: str, page: bool, outcome: Outcome) -> None:
    """Look on, as a page does or as a program does."""
    path = f"tables/{table}/live" if page else f"api/tables/{table}/events"
    async with connect(f"{address.replace('http', 'ws')}{path}", max_queue=None) as socket:
        async for _ in socket:
            outcome.watched += 1


async def _steadily(load: Load, move: Any, outcome: Outcome) -> None:
    """Moves at even distances, whether or not those before have been answered."""
    began, tasks = time.perf_counter(), set[asyncio.Task[None]]()

    def done(task: asyncio.Task[None]) -> None:
        tasks.discard(task)
        if task.exception() is not None:
            print(repr(task.exception()), file=sys.stderr)
            outcome.errors += 1

    for number in range(int(load.rate * load.seconds)):
        due = began + number / load.rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        task = asyncio.create_task(move(due))
        tasks.add(task)
        task.add_done_callback(done)
    await asyncio.gather(*tasks, return_exceptions=True)
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
const [port, server, tables, rate, seconds, spectators] = process.argv.slice(2).map(Number);
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
  const fs = require('fs');
  const work = () => fs.readFileSync(`/proc/${server}/stat`, 'utf8').split(') ').pop().split(' ').slice(11, 13)
    .reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  if (!rate) {  // as fast as they go: each seat sends its next move when the last one has come back
    const again = (one) => {
      one.due = performance.now();
      const payload = { type: 'play', args: [], playerID: '0' };
      one.socket.emit('update', { type: 'MAKE_MOVE', payload }, one.state, one.match, '0');
    };
    free.push = again;
    const began = performance.now(), before = work(), own = process.cpuUsage();
    free.splice(0).forEach(again);
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    found.took = (performance.now() - began) / 1000;
    found.work = (work() - before) / found.took;
    found.own = (process.cpuUsage(own).user + process.cpuUsage(own).system) / 1e6 / found.took;
    fs.writeFileSync('found.json', JSON.stringify(found));
    process.exit(0);
  }
  const all = rate * seconds, began = performance.now(), before = work(), own = process.cpuUsage();
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
  found.work = (work() - before) / found.took;
  found.own = (process.cpuUsage(own).user + process.cpuUsage(own).system) / 1e6 / found.took;
  fs.writeFileSync('found.json', JSON.stringify(found));  // a pipe would be cut off at the exit
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
                given = [port, *map(str, (server.pid, load.tables, load.rate, load.seconds, load.spectators))]
                subprocess.run(["node", "client.cjs", *given], cwd=folder, check=True)
                outcome.memory = memory_of(server.pid)
            finally:
                server.terminate()
        figures = json.loads((folder / "found.json").read_text())
        outcome.times, outcome.errors = figures["times"], figures["errors"]
        outcome.watched, outcome.took = figures["watched"], figures["took"]
        outcome.server_work, outcome.own_work = figures["work"], figures["own"]
    return outcome


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--tables", type=int, default=1_000)
    reading.add_argument("--rate", type=float, default=200.0, help="moves a second")
    reading.add_argument("--seconds", type=float, default=60.0)
    reading.add_argument(
        "--spectators", type=int, default=100, help="tables with a live connection, every other one as a page has it"
    )
    asked = reading.parse_args()
    load = Load(asked.tables, asked.rate, asked.seconds, asked.spectators)
    print(f"{load.tables} tables, {load.rate:g} moves/s for {load.seconds:g} s, {load.spectators} spectators")
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    own = asyncio.run(ours(load))
    print(HEAD)
    print("|" + "|".join("-" * len(cell) for cell in HEAD.split("|")[1:-1]) + "|")
    print(own.line(), flush=True)
    if shutil.which("node") and shutil.which("npm"):
        print(theirs(load).line())
    else:
        print("Node is missing: no figures of the peer")
    if own.errors or own.share(0.99) > PROMISE:
        sys.exit(f"not as promised: {own.errors} errors, p99 {1000 * own.share(0.99):.0f} ms")


if __name__ == "__main__":
    main()
