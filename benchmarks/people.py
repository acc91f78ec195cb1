"""People at their tables: pages open, a move every so often, pages loaded now and then; how many one process carries.

    python benchmarks/people.py --people 500 1000 2000

Everybody has a table of their own with its live page open. Their move and the answer of a bot that thinks in their
browser come one after the other, each as one request. Now and then they load the page of a table, or the home page.
What counts is the time of a move, from when it was due, and what the server takes of a processor: that can be compared
on a busy machine, too. Generator and server share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.load import Line, Times, _open, memory_of, our_server, work_of

#: Seconds between two moves of a person, and between two pages that a person loads.
MOVE_SECONDS, PAGE_SECONDS = 15.0, 300.0
#: Connections for moves: a browser would have one of its own, but they would stand idle.
CONNECTIONS = 60
PAGES = ("/", "/tables/{table}")


async def get(address: str, path: str) -> None:
    """Load a page, over a connection of its own as a browser that comes does."""
    host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    if not answer.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"{path}: {answer[:60]!r}")


async def live_page(address: str, table: str, count: list[int]) -> None:
    async with connect(f"{address.replace('http', 'ws')}tables/{table}/live", max_queue=None, compression=None) as page:
        async for _ in page:
            count[0] += 1


async def costs(address: str, process: int, table: str, loads: int) -> None:
    """Print what the server's processor takes for a page."""
    for path in PAGES:
        await get(address, path.format(table=table))
        before = work_of(process)
        for _ in range(loads):
            await get(address, path.format(table=table))
        print(f"{path:<18} {1000 * (work_of(process) - before) / loads:.1f} ms of processor a load", flush=True)


async def simulate(people: int, seconds: float, loads: int) -> None:
    dice, times, count = random.Random(1), Times("moves"), [0]
    with tempfile.TemporaryDirectory() as folder, our_server("--data", folder) as (address, process):
        _, person = await (await Line.to(address)).post("/api/people")
        known = f"Authorization: Bearer {person['token']}\r\n".encode()
        lines: asyncio.Queue[Line] = asyncio.Queue()
        for _ in range(CONNECTIONS):
            lines.put_nowait(await Line.to(address, known))
        opener = await Line.to(address, known)
        states = [await _open(opener) for _ in range(people)]
        if loads:
            await costs(address, process, states[0]["id"], loads)
        before = memory_of(process)
        pages = [asyncio.create_task(live_page(address, state["id"], count)) for state in states]
        while count[0] < people:
            await asyncio.sleep(0.1)
        each = (memory_of(process) - before) / people / 1e3

        async def move(index: int, due: float) -> None:
            state, line = states[index], await lines.get()
            try:
                body = {"move": dice.choice(state["legal"])["move"], "version": state["version"]}
                try:
                    status, answer = await line.post(f"/api/tables/{state['id']}/moves", body)
                except asyncio.IncompleteReadError:  # the server hangs up on connections that stand idle
                    line = await Line.to(address, known)
                    status, answer = await line.post(f"/api/tables/{state['id']}/moves", body)
                times.times.append(time.perf_counter() - due)
                assert status == 200, answer
                states[index] = answer if answer["turn"] is not None else await _open(line)
            finally:
                lines.put_nowait(line)

        async def live(index: int) -> None:
            """One person: a move and the bot's answer, again and again, and a page now and then."""
            start = time.perf_counter() + dice.random() * MOVE_SECONDS
            while start < end:
                await asyncio.sleep(max(0.0, start - time.perf_counter()))
                for _ in range(2):
                    await move(index, max(start, time.perf_counter()))
                if dice.random() < MOVE_SECONDS / PAGE_SECONDS:
                    await get(address, dice.choice(PAGES).format(table=states[index]["id"]))
                start += MOVE_SECONDS

        began, end = work_of(process), time.perf_counter() + seconds
        own = work_of("self")
        await asyncio.gather(*map(live, range(people)))
        took = seconds
        cores, generator = (work_of(process) - began) / took, (work_of("self") - own) / took
        moves = len(times.times)
        print(
            f"{people} people: {moves / took:.0f} moves/s, p50 {1000 * times.share(0.5):.0f} ms,",
            f"p95 {1000 * times.share(0.95):.0f} ms; server {cores:.2f} cores,",
            f"{1000 * cores * took / moves:.1f} ms a move with its page; generator {generator:.2f} cores;",
            f"{memory_of(process) / 1e6:.0f} MB, {each:.0f} kB a live page",
            flush=True,
        )
        for page in pages:
            page.cancel()
        await asyncio.gather(*pages, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--people", type=int, nargs="+", default=[500, 1000, 2000])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--loads", type=int, default=30, help="of each page, to measure its cost; 0: none")
    chosen: Any = parser.parse_args()
    for people in chosen.people:
        asyncio.run(simulate(people, chosen.seconds, chosen.loads))


if __name__ == "__main__":
    main()
