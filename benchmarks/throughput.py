"""Moves as fast as they go: a closed loop of connections, each sending its next move when the last one was answered.

What counts is the processor a move costs, of the server and of its database: it can be compared on a busy machine too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import load
from benchmarks.load import Line, Times, our_server, work_of


@dataclass
class ClosedLoopTimes(Times):
    """How a server bore it. Work is in seconds of a processor."""

    took: float = 0.0
    server_work: float = 0.0
    database_work: float = 0.0
    own_work: float = 0.0
    errors: int = 0

    @property
    def rate(self) -> float:
        return len(self.times) / self.took

    def verdict(self) -> str | None:
        """Whether this is as promised; None where nothing was."""
        goal = next((goal for name, goal in GOALS.items() if self.name.startswith(name)), None)
        if goal is None:
            return None
        work = 1000 * (self.server_work + self.database_work) / (len(self.times) or 1)
        checks = {
            f"{goal[0]} moves/s": self.rate >= goal[0],
            f"p99 under {1000 * LONGEST:.0f} ms": self.share(0.99) < LONGEST,
            f"{goal[1]} ms of processor a move": work <= goal[1],
            "no errors": not self.errors,
        }
        return f"{self.name}: " + ", ".join(f"{what}: {'yes' if held else 'NO'}" for what, held in checks.items())

    def line(self) -> str:
        moves = len(self.times) or 1
        cells = [f"{1000 * self.share(share):6.1f}" for share in (0.5, 0.99)]
        works = [f"{1000 * work / moves:9.2f}" for work in (self.server_work, self.database_work, self.own_work)]
        rate = self.rate
        return f"| {self.name:<42} | {rate:7.0f} | {' | '.join(cells)} | {' | '.join(works)} | {self.errors:6} |"


COLUMNS = ("moves/s", "p50 ms", "p99 ms", "server ms", "database", "generator", "errors")
#: What must hold on two cores, by the beginning of the name: moves a second, and milliseconds of processor a move, with
#: those of the database. And for each: the seconds within which 99 of 100 moves are made.
GOALS, LONGEST = {"SQLite, 1": (1_200, 0.8), "PostgreSQL, 2": (900, 2.0)}, 0.25
HEAD = f"| {'server':<42} | {' | '.join(COLUMNS)} |\n|{'-' * 44}|{'|'.join('-' * (len(name) + 2) for name in COLUMNS)}|"


@contextmanager
def serving(place: str, processes: int) -> Iterator[list[tuple[str, int]]]:
    """Start server processes on one folder or database; return their addresses and process numbers."""
    where = ["--database", place] if "://" in place else ["--data", place]
    with ExitStack() as stack:
        yield [stack.enter_context(our_server(*where)) for _ in range(processes)]


def database_work(postmaster: int) -> float:
    """The seconds a PostgreSQL has had a processor, all its processes together, those that have ended included."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            process, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        own = int(process.split()[0]) == postmaster
        if own or int(fields[1]) == postmaster:
            total += sum(map(int, fields[11 : 15 if own else 13])) / os.sysconf("SC_CLK_TCK")
    return total


async def closed_loop(
    name: str, servers: list[tuple[str, int]], connections: int, seconds: float, news: bool, postmaster: int = 0
) -> ClosedLoopTimes:
    figures = ClosedLoopTimes(name)
    lines: list[Line] = []
    for number in range(connections):
        address = servers[number % len(servers)][0]
        if number < len(servers):
            _, person = await (await Line.to(address)).post("/api/people")
            known = f"Authorization: Bearer {person['token']}\r\n".encode()
        lines.append(await Line.to(address, known))
    end = 0.0

    async def playing(line: Line, dice: random.Random) -> None:
        state: dict[str, Any] = {"turn": None}
        while time.perf_counter() < end:
            if state["turn"] is None:
                state = await opened(line)
            path = f"/api/tables/{state['id']}/moves"
            if news:
                path += f"?since={state['version']}"
            body = {"move": dice.choice(state["legal"])["move"], "version": state["version"]}
            began = time.perf_counter()
            status, answer = await line.post(path, body)
            figures.times.append(time.perf_counter() - began)
            if status == 200:
                state = {**state, **answer}
            else:
                figures.errors += 1
                print(status, answer, file=sys.stderr)
                state = {"turn": None}

    async def all_playing(length: float) -> None:
        nonlocal end
        end = time.perf_counter() + length
        await asyncio.gather(*(playing(line, random.Random(number)) for number, line in enumerate(lines)))

    await all_playing(2.0)  # what is compiled or loaded at the first move does not count
    figures.times.clear()
    before, theirs, own = [work_of(pid) for _, pid in servers], _work(postmaster), work_of("self")
    began = time.perf_counter()
    await all_playing(seconds)
    figures.took = time.perf_counter() - began
    figures.server_work = sum(work_of(pid) for _, pid in servers) - sum(before)
    figures.database_work, figures.own_work = _work(postmaster) - theirs, work_of("self") - own
    return figures


def _work(postmaster: int) -> float:
    return database_work(postmaster) if postmaster else 0.0


async def opened(line: Line) -> dict[str, Any]:
    request = {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}], "options": {"open_screens": True}}
    status, answer = await line.post("/api/tables", request)
    if status != 201:
        sys.exit(f"no table: {answer}")
    return dict(answer)


def on_sqlite(connections: int, seconds: float, news: bool) -> ClosedLoopTimes:
    with tempfile.TemporaryDirectory() as folder, serving(folder, 1) as servers:
        return asyncio.run(closed_loop(f"SQLite, 1 process{_said(news)}", servers, connections, seconds, news))


def on_postgres(processes: int, connections: int, seconds: float, news: bool) -> ClosedLoopTimes:
    from tests.server.postgres import Postgres

    postgres = Postgres()
    try:
        postmaster = int((postgres.folder / "data" / "postmaster.pid").read_text().split()[0])
        with serving(postgres.new_database(), processes) as servers:
            name = f"PostgreSQL, {processes} process{'es' if processes > 1 else ''}{_said(news)}"
            return asyncio.run(closed_loop(name, servers, connections, seconds, news, postmaster))
    finally:
        postgres.close()


def the_peer(connections: int, seconds: float) -> ClosedLoopTimes:
    """The same of boardgame.io's server, whose game is a counter in memory."""
    figures = load.theirs(load.Load(connections, 0.0, seconds, 0))
    server_work, own_work = figures.server_work * figures.took, figures.own_work * figures.took
    return ClosedLoopTimes(figures.name, figures.times, figures.took, server_work, 0.0, own_work)


def _said(news: bool) -> str:
    return ", news only" if news else ""


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--seconds", type=float, default=20.0)
    reading.add_argument("--connections", type=int, default=32)
    reading.add_argument("--processes", type=int, nargs="*", default=[1, 2], help="of servers on PostgreSQL")
    reading.add_argument("--news", action=argparse.BooleanOptionalAction, default=None)
    reading.add_argument("--peer", action=argparse.BooleanOptionalAction, default=True)
    asked = reading.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(HEAD, flush=True)
    all_figures = []
    for news in (False, True) if asked.news is None else (asked.news,):
        all_figures.append(on_sqlite(asked.connections, asked.seconds, news))
        print(all_figures[-1].line(), flush=True)
        for processes in asked.processes:
            all_figures.append(on_postgres(processes, 2 * asked.connections, asked.seconds, news))
            print(all_figures[-1].line(), flush=True)
    if asked.peer and shutil.which("node") and shutil.which("npm"):
        print(the_peer(asked.connections, asked.seconds).line())
    elif asked.peer:
        print("Node is missing: no figures of the peer")
    for figures in all_figures:
        verdict = figures.verdict()
        if verdict is not None:
            print(verdict)


if __name__ == "__main__":
    main()
