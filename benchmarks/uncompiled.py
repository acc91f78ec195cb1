"""Does a server need machine code? The same work on a server with everything compiled, and on one with nothing.

Processor time is the server's, so that a busy machine changes little. Compile first: `malecon warm`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.load import memory_of, our_server
from benchmarks.report import markdown
from benchmarks.routes import Client, person, precise_work_of
from benchmarks.throughput import closed_loop

from malecon.kernel import readiness, registry

#: Tables of four, with one person in all seats.
PLAYERS = 4
BOTS = ("aprendiz", "capitan")
WARM_UP_MOVES = 20


@contextmanager
def server(cache: str | None) -> Iterator[tuple[str, int]]:
    before = dict(os.environ)
    if cache is not None:
        os.environ["MALECON_CACHE_DIR"] = cache
    try:
        with tempfile.TemporaryDirectory() as folder, our_server("--data", folder) as running:
            yield running
    finally:
        os.environ.clear()
        os.environ.update(before)


async def opened(client: Client, game: str, seats: list[str]) -> dict[str, Any]:
    request = {"game": game, "seats": [{"who": who} for who in seats], "options": {}, "pace": "instant"}
    status, state = await client.post("/api/tables", request)
    assert status == 201, state
    return dict(state)


async def played(client: Client, process: int, game: str, moves: int, with_page: bool) -> float:
    """Milliseconds of processor that a move costs, or a move and the page of the table after it."""
    state, dice, spent = await opened(client, game, ["me"] * PLAYERS), random.Random(1), 0.0
    for number in range(WARM_UP_MOVES + moves):
        if state["turn"] is None:
            state = await opened(client, game, ["me"] * PLAYERS)
        before = precise_work_of(process)
        body = {"move": dice.choice(state["legal"])["move"], "version": state["version"]}
        _, answer = await client.post(f"/api/tables/{state['id']}/moves", body)
        if with_page:
            await client.get(f"/tables/{state['id']}")
        if number >= WARM_UP_MOVES:
            spent += precise_work_of(process) - before
        state = {**state, **answer}
    return 1000 * spent / moves


async def bot_moves(client: Client, process: int, game: str, bot: str) -> float:
    """Milliseconds of processor that a bot's move costs, the table included, over a whole game of bots."""
    await opened(client, game, [f"bot:{bot}"] * PLAYERS)  # what is loaded once does not count
    before = precise_work_of(process)
    state = await opened(client, game, [f"bot:{bot}"] * PLAYERS)
    while state["turn"] is not None:
        await asyncio.sleep(0.05)
        _, _, content = await client.ask("GET", f"/api/tables/{state['id']}")
        state = {**state, "turn": None} if b'"turn":null' in content.replace(b" ", b"") else state
        moves = len(re.findall(rb'"move"', content))
    return 1000 * (precise_work_of(process) - before) / max(1, moves)


async def reviewed(client: Client, process: int, game: str) -> float:
    """Seconds of processor that the review of a game of quick bots takes, with its reasons."""
    state = await opened(client, game, ["bot:aprendiz"] * PLAYERS)
    place = f"/tables/{state['id']}"
    while b'"turn":null' not in (await client.ask("GET", f"/api{place}"))[2].replace(b" ", b""):
        await asyncio.sleep(0.1)
    before = precise_work_of(process)
    await client.submit(f"{place}/review")
    while b'"ready":true' not in (await client.get(f"{place}/review")).replace(b" ", b""):
        await asyncio.sleep(0.1)
    return precise_work_of(process) - before


async def figures(cache: str | None, moves: int, seconds: float) -> dict[str, str]:
    with server(cache) as (address, process):
        loop = await closed_loop("", [(address, process)], 32, seconds, news=False)
        rows = {
            "Santiago de Cuba over JSON, moves a second": f"{loop.rate:,.0f}",
            "the same, processor of a move": f"{1000 * loop.server_work / len(loop.times):.2f} ms",
        }
        origin = f"Origin: {address.rstrip('/')}\r\n"
        client = await person(address, origin)
        for game in registry.names():
            title = registry.get(game).title
            rows[f"{title}, a move over JSON"] = f"{await played(client, process, game, moves, False):.2f} ms"
            rows[f"{title}, a move and the page after it"] = (
                f"{await played(client, process, game, moves, True):.2f} ms"
            )
            for bot in BOTS:
                rows[f"{title}, a move of {bot}"] = f"{await bot_moves(client, process, game, bot):.2f} ms"
            rows[f"{title}, a review with reasons"] = f"{await reviewed(client, process, game):.1f} s"
        rows["memory of the server then"] = f"{memory_of(process) / 1e6:.0f} MB"
    return rows


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--moves", type=int, default=150)
    reading.add_argument("--seconds", type=float, default=5.0, help="of moves as fast as they go")
    asked = reading.parse_args()
    if not all(map(readiness.is_compiled, registry.names())):
        raise SystemExit("compile first: malecon warm")
    compiled = asyncio.run(figures(None, asked.moves, asked.seconds))
    with tempfile.TemporaryDirectory() as empty:
        plain = asyncio.run(figures(empty, asked.moves, asked.seconds))
    print(markdown(["", "compiled", "nothing compiled"], [[name, compiled[name], plain[name]] for name in compiled]))


if __name__ == "__main__":
    main()
