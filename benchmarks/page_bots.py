"""Tables of one person and three El Patrón whose pages think: what a bot's move costs the server, and how quick it is.

    python benchmarks/page_bots.py --tables 500

The generator plays all pages over their live connections: at every table a move each 2.5 s, the person's or a bot's,
whoever is to move, so that the person moves every 10 s. It does not search: it takes a legal move, and its own
processor time is not counted. A move's time runs from when it was due until the page is sent it.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.load import Times, our_server, work_of
from benchmarks.routes import Client, person, precise_work_of

from malecon.bots.history import replay
from malecon.kernel import registry
from malecon.kernel.view import legal_codes
from malecon.server.pages.engine_files import engine_digest

GAME, SEATS = "santiago", 4
#: A table's moves, those of bots included.
SECONDS_A_MOVE = 2.5
#: What must hold: 95 of 100 moves within this many seconds, and what a bot's move costs, in moves of a person.
LONGEST_SECONDS, MOST_COST = 0.1, 3.0
#: What is loaded once does not count.
WARM_UP_SECONDS = 10.0
#: Tables and moves of the closed loop that measures what a person's move costs.
LOOP_TABLES, LOOP_MOVES = 8, 60
_BUTTON = re.compile(r'name="move"\s+value="([^"]+)"')


@dataclass
class Figures:
    """How long moves took, by who made them, and what went wrong."""

    person: Times = field(default_factory=lambda: Times("a person's moves"))
    bot: Times = field(default_factory=lambda: Times("bots' moves"))
    takeovers: int = 0
    errors: list[str] = field(default_factory=list)
    bytes_received: int = 0

    def clear(self) -> None:
        """Begin to count; errors stay."""
        self.person.times.clear()
        self.bot.times.clear()
        self.bytes_received = 0


class PlayedPage:
    """The page of a person at a table, played by the generator."""

    def __init__(self, client: Client, socket: ClientConnection, table: str, figures: Figures) -> None:
        self._client, self._socket, self._table, self._figures = client, socket, table, figures
        self._cells = np.zeros(0)
        self._known = 0
        self._dice = random.Random(table)
        self._request: dict[str, Any] | None = None
        self._moves: list[str] = []
        self.is_mine = False
        self._changed = asyncio.Condition()
        self._ready_since = 0.0
        self.version = -1
        self.is_accepted = asyncio.Event()

    async def listen(self) -> None:
        async for text in self._socket:
            self._figures.bytes_received += len(text)
            message = json.loads(text)
            async with self._changed:
                self._take(message, str(text))
                self._changed.notify_all()

    def _take(self, message: dict[str, Any], text: str) -> None:
        if "think" in message:
            self._request = message["think"]
            self._ready_since = time.perf_counter()
        elif "version" in message:
            self.version = message["version"]
            self.is_mine = message["title"].startswith("●")
            self._moves = _BUTTON.findall(text.replace('\\"', '"').replace("\\n", "\n"))
            self._ready_since = time.perf_counter()
        elif "engine" in message:
            self.is_accepted.set()
        elif "stop_thinking" in message:
            self._figures.takeovers += 1
            self._request = None
        elif "engine_error" in message or "error" in message:
            self._figures.errors.append(text)

    async def move(self, due: float) -> None:
        """Make the move that is due, a bot's or the person's, and wait until the page is sent it."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._request is not None or self.is_mine)
        began, version = max(due, self._ready_since), self.version
        moves = self._moves or (await self._legal() if self._request is None else [])
        request, self._request = self._request, None
        if request is not None:
            times, version = self._figures.bot, request["version"]
            answer = {"version": request["version"], "seat": request["seat"], "code": self._choose(request)}
            await self._socket.send(json.dumps(answer))
        else:
            times = self._figures.person
            fields = {"move": self._dice.choice(moves), "version": str(version)}
            self._moves, self.is_mine = [], False
            head = ("POST", f"/tables/{self._table}/move", urlencode(fields).encode())
            status, _, content = await self._client.ask(*head, "application/x-www-form-urlencoded")
            if status != 200:
                self._figures.errors.append(f"{status} {content[:200]!r}")
                self.is_mine = True
                return
        async with self._changed:
            await self._changed.wait_for(lambda: self.version > version)
        times.times.append(time.perf_counter() - began)

    async def _legal(self) -> list[str]:
        """The person's moves, if the page had them before and was not sent them again."""
        state = json.loads(await self._client.get(f"/api/tables/{self._table}?since={self.version}"))
        return [move["move"] for move in state["legal"]]

    def _choose(self, request: dict[str, Any]) -> int:
        """A legal move: the position is kept, and what is new is played."""
        codes = np.frombuffer(bytearray(base64.b64decode(request["codes"])), "<i2")
        game = registry.get(GAME)
        if not self._known:
            setup = bytearray(base64.b64decode(request["setup"]))
            self._cells = np.frombuffer(setup, game.dtype).view(np.recarray)
        replay(self._cells, codes[self._known :])
        self._known = len(codes)
        return self._dice.choice(legal_codes(game, self._cells[0]))


@asynccontextmanager
async def page(address: str, seats: list[str], figures: Figures) -> AsyncIterator[PlayedPage]:
    """A table that was opened just now, with its page."""
    known = await person(address, "Accept: application/json\r\n")
    body = {
        "game": GAME,
        "seats": [{"who": who} for who in seats],
        "options": {"open_screens": True},
        "pace": "instant",
        "page_thinks": True,
    }
    status, state = await known.post("/api/tables", body)
    assert status == 201, state
    header = dict(line.split(": ", 1) for line in known.known.splitlines() if line.startswith("Authorization"))
    path = f"{address.replace('http', 'ws')}tables/{state['id']}/live?layout=wide"
    async with connect(path, additional_headers=header, max_queue=None, max_size=None) as socket:
        played = PlayedPage(known, socket, state["id"], figures)
        listening = asyncio.create_task(played.listen())
        if state["casual"]:
            await socket.send(json.dumps({"engine": engine_digest(GAME)}))
            await played.is_accepted.wait()
            while not played.is_mine:
                await played.move(time.perf_counter())
        yield played
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listening


async def cost_of_a_person(address: str, server: int) -> float:
    """The seconds of processor that a person's move costs, at tables where one person plays all seats."""
    figures = Figures()
    async with AsyncExitStack() as stack:
        tables = [await stack.enter_async_context(page(address, ["me"] * SEATS, figures)) for _ in range(LOOP_TABLES)]

        async def loop(table: PlayedPage, moves: int) -> None:
            for _ in range(moves):
                await table.move(time.perf_counter())

        await asyncio.gather(*(loop(table, LOOP_MOVES // 4) for table in tables))
        before, made = precise_work_of(server), len(figures.person.times)
        await asyncio.gather(*(loop(table, LOOP_MOVES) for table in tables))
        if figures.errors:
            sys.exit(f"not all moves were made: {figures.errors[:3]}")
        return (precise_work_of(server) - before) / (len(figures.person.times) - made)


async def measured(address: str, server: int, tables: int, seconds: float) -> bool:
    """Play, and print what was measured; whether it is as promised."""
    a_person = await cost_of_a_person(address, server)
    figures = Figures()
    async with AsyncExitStack() as stack:
        pages = [
            await stack.enter_async_context(page(address, ["me", *["bot:patron"] * (SEATS - 1)], figures))
            for _ in range(tables)
        ]

        async def play(played: PlayedPage, first: float, end: float) -> None:
            due = first
            while due < end:
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                await played.move(due)
                due = max(due + SECONDS_A_MOVE, time.perf_counter() - SECONDS_A_MOVE)

        began, step = time.perf_counter(), SECONDS_A_MOVE / tables
        end = began + WARM_UP_SECONDS + seconds
        playing = [asyncio.create_task(play(each, began + i * step, end)) for i, each in enumerate(pages)]
        await asyncio.sleep(WARM_UP_SECONDS)
        figures.clear()
        versions = sum(each.version for each in pages)
        work, own, began = precise_work_of(server), work_of("self"), time.perf_counter()
        await asyncio.gather(*playing)
        took = time.perf_counter() - began
        work, own = precise_work_of(server) - work, work_of("self") - own
        made = sum(each.version for each in pages) - versions
    people, bots = len(figures.person.times), len(figures.bot.times)
    a_bot = (work - people * a_person) / bots
    cost = a_bot / a_person
    print("| | moves | p50 ms | p95 ms | p99 ms | ms of processor a move |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for times, work_a_move in ((figures.person, a_person), (figures.bot, a_bot)):
        cells = " | ".join(f"{1000 * times.share(share):.1f}" for share in (0.5, 0.95, 0.99))
        print(f"| {times.name} | {len(times.times)} | {cells} | {1000 * work_a_move:.2f} |")
    both = Times("both", figures.person.times + figures.bot.times)
    cells = " | ".join(f"{1000 * both.share(share):.1f}" for share in (0.5, 0.95, 0.99))
    print(f"| both | {len(both.times)} | {cells} | |")
    print(
        f"{tables} tables, {made / took:.0f} moves/s with those of chance and without a choice; server "
        f"{work / took:.2f} processors, generator {own / took:.2f}; {figures.bytes_received / made / 1e3:.1f} kB "
        f"a move; {figures.takeovers} taken over by the server, {len(figures.errors)} errors {figures.errors[:2] or ''}"
    )
    checks = {
        f"a bot's move costs {cost:.2f} moves of a person, at most {MOST_COST:g}": cost <= MOST_COST,
        f"95 of 100 moves within {1000 * LONGEST_SECONDS:.0f} ms": both.share(0.95) < LONGEST_SECONDS,
        "the pages made all moves": not figures.errors and not figures.takeovers,
    }
    print(", ".join(f"{what}: {'yes' if holds else 'NO'}" for what, holds in checks.items()))
    return all(checks.values())


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--tables", type=int, default=500)
    reading.add_argument("--seconds", type=float, default=60.0)
    asked = reading.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder, our_server("--data", folder) as (address, server):
        if not asyncio.run(measured(address, server, asked.tables, asked.seconds)):
            sys.exit("not as promised")


if __name__ == "__main__":
    main()
