"""What a move costs when something is large: a long game, a crowd of spectators, one address that does its worst.

Ratios of processor time and of waiting time, each to a plain move of the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import routes
from benchmarks.load import Line, memory_of, work_of
from benchmarks.throughput import closed_loop, opened, serving
from tests.server.stored_games import VISITOR, large_analysis, long_and_short
from tests.server.tournaments.club import store_large

from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.web import table_state
from malecon.text import LANGUAGES

#: The address of the one who does their worst, as a proxy tells it, and those of the others.
BAD, OTHERS = "203.0.113.66", [f"198.51.100.{number}" for number in range(1, 21)]
#: What must hold meanwhile: 95 of 100 moves of others within this time.
LONGEST_MOVE_SECONDS = 0.05
#: The budget of the server for its caches, and what the program with its machine code takes besides, in megabytes.
MEMORY_MB = 200
PROGRAM_MB = 500


def share(times: Sequence[float], part: float) -> float:
    ordered = sorted(times) or [float("inf")]
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


async def person(address: str, sender: str = "") -> tuple[Line, bytes]:
    header = f"X-Forwarded-For: {sender}\r\n".encode() if sender else b""
    _, answer = await (await Line.to(address, header)).post("/api/people")
    known = f"Authorization: Bearer {answer['token']}\r\n".encode() + header
    return await Line.to(address, known), known


# --- long games


async def long_game(folder: Path, entries: int, rounds: int) -> str:
    """The same move at two tables that stand alike: one with about 50 entries in its log, one with thousands.

    Without the web, which costs the same for both: move, write to disk, make the answer with what is new.
    """
    storage = Storage(address_of(folder))
    tables = LiveTables(storage)
    work, times = [0.0, 0.0], [0, 0]
    kept = await long_and_short(tables, storage, entries)
    for _ in range(rounds):
        for number, (table, move) in enumerate(kept):
            for _ in range(50):
                since, began = table.version, time.process_time()
                await tables.move(table, "me", move)
                table_state.state_json(table, VISITOR, since)
                work[number] += time.process_time() - began
                times[number] += 1
                await tables.undo(table, "me")
    assert kept[1][0].version >= entries
    await tables.finish()
    storage.close()
    cost = [1000 * work[number] / times[number] for number in (0, 1)]
    return f"| a move at number 50, and at {entries} | {cost[0]:.2f} ms, {cost[1]:.2f} ms | {cost[1] / cost[0]:.2f} | |"


# --- pages


async def fetch(line: Line, path: str) -> None:
    """Get a page over a connection that sends JSON else."""
    line._writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n".encode() + line.head + b"\r\n")
    answer = (await line._reader.readuntil(b"\r\n\r\n")).lower()
    assert answer.split(None, 2)[1] == b"200", answer
    await line._reader.readexactly(int(answer.partition(b"content-length:")[2].split(None, 1)[0]))


async def pages(address: str, server: int, moves: int) -> str:
    """A page that is asked for after a move, and a move that two live pages show, in units of a move over JSON."""
    closed = await closed_loop("", [(address, server)], 32, 4.0, False)
    by_json = 1000 * closed.server_work / len(closed.times)
    line, known = await person(address)
    dice, state = random.Random(3), await opened(line)

    async def move() -> None:
        nonlocal state
        if state["turn"] is None:
            state = await opened(line)
        body = {"move": dice.choice(state["legal"])["move"], "version": state["version"]}
        _, state = await line.post(f"/api/tables/{state['id']}/moves", body)

    async def cost(what: Any, times: int) -> float:
        for _ in range(times // 4):  # what is loaded or drawn at first does not count
            await what()
        begun = work_of(server)
        for _ in range(times):
            await what()
        return 1000 * (work_of(server) - begun) / times

    async def move_and_page() -> None:
        await move()
        await fetch(line, f"/tables/{state['id']}")

    alone = await cost(move, moves)
    page = await cost(move_and_page, moves) - alone
    spent = shown = 0.0
    while shown < moves:
        state = await opened(line)
        async with watching(address, f"tables/{state['id']}/live", 2, known):
            begun = work_of(server)
            while state["turn"] is not None and shown < moves:
                await move()
                await asyncio.sleep(0.02)  # until both have been told
                shown += 1
            spent += work_of(server) - begun
    live = 1000 * spent / shown
    return (
        f"| a page of a table, and a move that two live pages show | {page:.2f} ms, {live:.2f} ms "
        f"| {page / by_json:.1f}, {live / by_json:.1f} moves over JSON of {by_json:.2f} ms | |"
    )


# --- spectators


@asynccontextmanager
async def watching(address: str, path: str, number: int, known: bytes = b"") -> AsyncIterator[list[int]]:
    """Open live connections, and count the messages they get in all."""
    got = [0]
    headers = dict([known.decode().strip().split(": ", 1)]) if known else {}
    async with AsyncExitStack() as stack:
        tasks = []
        for _ in range(number):
            live = await stack.enter_async_context(
                connect(f"{address.replace('http', 'ws')}{path}", additional_headers=headers, max_queue=None)
            )
            await live.recv()

            async def count(live: Any = live) -> None:
                async for _ in live:
                    got[0] += 1

            tasks.append(asyncio.create_task(count()))
        yield got
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _crowd(address: str, path: str, number: int, ready: Any, stop: Any) -> None:
    """Spectators in a process of their own, so that reading does not count as waiting."""

    async def look_on() -> None:
        async with watching(address, path, number):
            ready.set()
            while not stop.is_set():
                await asyncio.sleep(0.1)

    asyncio.run(look_on())


async def spectators(address: str, server: int, number: int, moves: int) -> list[str]:
    """Moves at a table whose players have its page open: alone, and with a crowd that looks on."""
    line, known = await person(address)
    state = await opened(line)
    lines = []
    _, before = await line.post(f"/api/tables/{state['id']}/moves", {"move": state["legal"][0]["move"]})
    figures: list[tuple[float, list[float]]] = []
    async with watching(address, f"tables/{state['id']}/live", 2, known):
        for path in (None, f"tables/{state['id']}/live", f"api/tables/{state['id']}/events"):
            context = multiprocessing.get_context("spawn")
            ready, stop = context.Event(), context.Event()
            crowd = context.Process(target=_crowd, args=(address, path, number, ready, stop))
            if path is not None:
                crowd.start()
                while not ready.is_set():
                    await asyncio.sleep(0.1)
            await asyncio.sleep(1)
            line = await Line.to(address, known)  # the server hangs up on idle ones
            times: list[float] = []
            spent = 0.0
            while len(times) < moves:
                assert before["turn"] is not None
                body = {"move": before["legal"][0]["move"], "version": before["version"]}
                begun, began = work_of(server), time.perf_counter()
                _, before = await line.post(f"/api/tables/{state['id']}/moves", body)
                times.append(time.perf_counter() - began)
                await asyncio.sleep(0.1)  # until everybody has been told
                spent += work_of(server) - begun
            figures.append((spent / len(times), times))
            if path is not None:
                stop.set()
                crowd.join()
    plain = figures[0]
    for name, (work, times) in zip(("pages", "programs"), figures[1:], strict=True):
        lines.append(
            f"| a move that two pages show, and {number} {name} of spectators, too | {1000 * plain[0]:.1f} ms, "
            f"{1000 * work:.1f} ms | {work / plain[0]:.2f} | {1000 * share(plain[1], 0.5):.1f} ms, "
            f"{1000 * share(times, 0.5):.1f} ms |"
        )
    return lines


# --- one address that does its worst


async def prepared(address: str, tournament: str) -> tuple[str, list[str], list[str]]:
    """What the one who does their worst has ready: who they are, the costliest pages, and own games as replays."""
    here = await routes.person(address)  # this machine has no limits: games are played in seconds
    games = [await routes.finished_game(here) for _ in range(3)]
    table, moves = games[0]
    client = routes.Client(address, f"{here.known}X-Forwarded-For: {BAD}\r\n")
    large = await client.load(large_analysis("cuba", 4_000))
    pages = [f"{large}/{node}" for node in (0, 1_000, 2_000, 3_999)]
    pages += [f"{large}/file.json", f"/tournaments/{tournament}", f"/api/tournaments/{tournament}"]
    pages += ["/explorer/cuba/4", f"/tables/{table}", f"/tables/{table}/replay/{moves}", f"/api/tables/{table}/log"]
    return client.known, pages, [f"/tables/{name}/replay/all" for name, _ in games]


def _worst(address: str, table: str, known: str, pages: list[str], whole: list[str], seconds: float) -> None:
    """As much as one address can: the costliest pages and files without end, changes, live connections, strong bots.

    And requests whose heads are long and never the same, and games of their own as whole replays.
    """
    header = f"X-Forwarded-For: {BAD}\r\n"
    parts = urlsplit(address)
    numbers = iter(range(10**9))

    async def flood(request: Callable[[], bytes], pause: float, at_once: int = 50) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
                while time.monotonic() < end:
                    for _ in range(at_once):
                        writer.write(request())
                    await writer.drain()
                    if not await reader.read(1 << 20):
                        break
                    await asyncio.sleep(pause)
                writer.close()

    def get(path: str, more: str = "") -> Callable[[], bytes]:
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{header}{more}\r\n".encode()
        return lambda: request

    def long_head() -> bytes:
        junk = f"{next(numbers):08}" * 7_000
        return (
            f"GET /api/tables/{table}?since=0 HTTP/1.1\r\nHost: localhost\r\n{known}Accept-Language: {junk}\r\n\r\n"
        ).encode()

    def note() -> bytes:
        text = f"text=note+{next(numbers)}".encode()
        kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(text)}\r\n"
        return f"POST {pages[1]}/note HTTP/1.1\r\nHost: localhost\r\n{known}{kind}\r\n".encode() + text

    async def tables() -> None:
        line, _ = await person(address, BAD)
        for _ in range(60):
            request = {"game": "cuba", "seats": [{"who": "bot:patron"}] * 5, "pace": "instant"}
            with suppress(OSError, asyncio.IncompleteReadError, ValueError):
                await line.post("/api/tables", request)

    async def replays() -> None:
        """Whole replays in every language, each of which must be made."""
        for path in whole:
            for language in LANGUAGES:
                done = False
                while not done:  # until it is no longer refused
                    client = routes.Client(address, f"{known}Accept-Language: {language}\r\n")
                    with suppress(OSError, asyncio.IncompleteReadError, AssertionError):
                        await client.get(path)
                        done = True
                    await asyncio.sleep(0.2)

    async def looking_on() -> None:
        async with AsyncExitStack() as stack:
            for _ in range(60):
                with suppress(Exception):
                    root = address.replace("http", "ws")
                    headers = {"X-Forwarded-For": BAD}
                    live = connect(f"{root}tables/{table}/live", additional_headers=headers, max_queue=None)
                    await stack.enter_async_context(live)
            await asyncio.sleep(seconds)

    async def everything() -> None:
        cheap = ["/", "/", f"/tables/{table}", "/rules/cuba", "/static/base.css", "/metrics", "/healthz", "/x"]
        floods = [flood(get(path), 0.02) for path in cheap]
        floods += [flood(get(path), 0.05, 5) for path in pages]
        floods += [flood(long_head, 0.02, 3), flood(note, 0.1, 3)]
        work = asyncio.gather(tables(), looking_on(), replays(), *floods, return_exceptions=True)
        await asyncio.wait_for(work, seconds + 5)

    with suppress(TimeoutError):
        asyncio.run(everything())


async def steadily(address: str, seconds: float) -> list[float]:
    """Twenty others, each from an address of their own, who make a move twice a second."""
    times: list[float] = []

    async def plays(number: int) -> None:
        line, _ = await person(address, OTHERS[number])
        state, dice, end = {"turn": None}, random.Random(number), time.monotonic() + seconds
        await asyncio.sleep(number / 40)
        while time.monotonic() < end:
            if state["turn"] is None:
                state = await opened(line)
            body = {"move": dice.choice(state["legal"])["move"], "version": state["version"]}  # type: ignore[index]
            began = time.perf_counter()
            status, state = await line.post(f"/api/tables/{state['id']}/moves", body)  # type: ignore[index]
            times.append(time.perf_counter() - began)
            assert status == 200, state
            await asyncio.sleep(0.5)

    await asyncio.gather(*(plays(number) for number in range(len(OTHERS))))
    return times


async def one_address(address: str, server: int, tournament: str, seconds: float) -> list[str]:
    line, _ = await person(address, BAD)
    request = {"game": "santiago", "seats": [{"who": "bot:random"}] * 2, "pace": "instant"}
    _, answer = await line.post("/api/tables", request)
    known, pages, whole = await prepared(address, tournament)
    calm, empty = await steadily(address, seconds), memory_of(server)
    arguments = (address, answer["id"], known, pages, whole, seconds + 3)
    bad = multiprocessing.get_context("spawn").Process(target=_worst, args=arguments)
    bad.start()
    most, begun = [empty], work_of(server)

    async def watch_memory() -> None:
        while True:
            most.append(memory_of(server))
            await asyncio.sleep(0.2)

    watching = asyncio.create_task(watch_memory())
    await asyncio.sleep(3)
    under = await steadily(address, seconds)
    watching.cancel()
    busy = (work_of(server) - begun) / (seconds + 3)
    bad.join()
    verdicts = {
        f"95 of 100 of others' moves under {1000 * LONGEST_MOVE_SECONDS:.0f} ms": share(under, 0.95)
        < LONGEST_MOVE_SECONDS,
        f"memory under MALECON_MEMORY ({MEMORY_MB} MB) and {PROGRAM_MB} MB": max(most)
        < (MEMORY_MB + PROGRAM_MB) * 1_000_000,
    }
    return [
        f"| others' moves, and while one address does its worst | p50 {1000 * share(calm, 0.5):.1f}, "
        f"{1000 * share(under, 0.5):.1f} ms | p95 {1000 * share(calm, 0.95):.1f}, {1000 * share(under, 0.95):.1f} ms | "
        f"p99 {1000 * share(calm, 0.99):.1f}, {1000 * share(under, 0.99):.1f} ms |",
        f"| memory before, and at most meanwhile | {empty / 1e6:.0f} MB, {max(most) / 1e6:.0f} MB | | "
        f"{busy:.2f} processors busy |",
        "",
        ", ".join(f"{what}: {'yes' if held else 'NO'}" for what, held in verdicts.items()),
    ]


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--entries", type=int, default=5_000)
    reading.add_argument("--spectators", type=int, default=500)
    reading.add_argument("--seconds", type=float, default=12.0, help="of peace, and of the worst of one address")
    reading.add_argument("--only-worst", action="store_true", help="only one address that does its worst")
    asked = reading.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("| what | processor | ratio | until it was answered |\n| --- | --- | --- | --- |", flush=True)
    if not asked.only_worst:
        with tempfile.TemporaryDirectory() as folder:
            print(asyncio.run(long_game(Path(folder), asked.entries, 5)), flush=True)
        with tempfile.TemporaryDirectory() as folder, serving(folder, 1) as ((address, server),):
            print(asyncio.run(pages(address, server, 240)), flush=True)
        with tempfile.TemporaryDirectory() as folder, serving(folder, 1) as ((address, server),):
            for line in asyncio.run(spectators(address, server, asked.spectators, 30)):
                print(line, flush=True)
    os.environ["MALECON_MEMORY"] = str(MEMORY_MB)
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage(address_of(Path(folder)))
        tournament = store_large(storage)
        storage.close()
        with serving(folder, 1) as ((address, server),):
            for line in asyncio.run(one_address(address, server, tournament, asked.seconds)):
                print(line, flush=True)


if __name__ == "__main__":
    main()
