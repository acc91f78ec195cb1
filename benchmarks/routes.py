"""What each route costs: processor time of the server, in units of a durable move over JSON in the same run.

All requests come from this machine, which has no limits. With each route stands what it is charged to an address: one
request for every 5 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.throughput import opened, serving
from tests.server.stored_games import large_analysis
from tests.server.tournaments.club import store_large

from malecon.server.operations.costs import UNIT_SECONDS
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage


def precise_work_of(process: int) -> float:
    """The seconds that the threads of a process have had a processor, to the microsecond."""
    stats = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(stat.read_text().split()[0]) for stat in stats) / 1e9


class Client:
    """A person who asks the server, over one connection, for pages and JSON."""

    def __init__(self, address: str, known: str = "") -> None:
        self._address, self.known = urlsplit(address), known
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, bytes, bytes]:
        """The status, the head and the content of the answer."""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._address.netloc}\r\n{self.known}"
        if method == "POST":
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        for attempt in (1, 2):  # the server hangs up on idle connections
            if self._streams is None:
                host, port = self._address.hostname, self._address.port
                self._streams = await asyncio.open_connection(host, port, limit=1 << 20)
            reader, writer = self._streams
            try:
                writer.write(head.encode() + b"\r\n" + body)
                answer = await reader.readuntil(b"\r\n\r\n")
                break
            except (OSError, asyncio.IncompleteReadError):
                self._streams = None
                if attempt == 2:
                    raise
        length = re.search(rb"content-length: *(\d+)", answer, re.IGNORECASE)
        return int(answer.split(None, 2)[1]), answer, await reader.readexactly(int(length[1]) if length else 0)

    async def get(self, path: str) -> bytes:
        status, _, content = await self.ask("GET", path)
        assert status in (200, 303), (path, status, content[:200])
        return content

    async def post(self, path: str, body: object = None) -> tuple[int, Any]:
        """Send JSON; the status and the JSON of the answer."""
        data = b"" if body is None else json.dumps(body).encode()
        status, _, content = await self.ask("POST", path, data, "application/json")
        return status, json.loads(content) if content else None

    async def submit(self, path: str, **fields: str) -> str:
        """Send a form; where it leads."""
        data = urlencode(fields).encode()
        status, head, content = await self.ask("POST", path, data, "application/x-www-form-urlencoded")
        assert status in (200, 303), (path, status, content[:200])
        place = re.search(rb"location: *(\S+)", head, re.IGNORECASE)
        return place[1].decode() if place else ""

    async def load(self, document: str) -> str:
        """Begin an analysis with a document; its address."""
        data = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'
        data += document.encode() + b"\r\n--x--\r\n"
        status, head, content = await self.ask("POST", "/analysis/load", data, "multipart/form-data; boundary=x")
        assert status == 303, content[:200]
        return re.search(rb"location: *(\S+)", head, re.IGNORECASE)[1].decode().rpartition("/")[0]  # type: ignore[index]


async def person(address: str, header: str = "") -> Client:
    _, answer = await Client(address, header).post("/api/people")
    return Client(address, f"Authorization: Bearer {answer['token']}\r\n{header}")


async def finished_game(client: Client) -> tuple[str, int]:
    """A game of Cuba that one person has played for all seats; its name and its moves."""
    request = {"game": "cuba", "seats": [{"who": "me"}] * 4, "options": {}}
    _, state = await client.post("/api/tables", request)
    dice, name = random.Random(1), state["id"]
    while state["turn"] is not None:
        body = {"move": dice.choice(state["legal"])["move"], "version": state["version"]}
        status, state = await client.post(f"/api/tables/{name}/moves", body)
        assert status == 200, state
    return name, len(state["history"])


class Route(NamedTuple):
    name: str
    ask: Callable[[], Awaitable[object]]


async def routes(address: str, tournament: str) -> list[Route]:
    """The requests to be measured; the first is the unit."""
    me, guest = await person(address), Client(address)
    name, moves = await finished_game(me)
    table: dict[str, Any] = await opened(me)  # type: ignore[arg-type]
    dice, notes = random.Random(2), iter(range(10**9))
    analyses = {size: await me.load(large_analysis("cuba", size)) for size in (40, 4_000)}

    async def move() -> None:
        nonlocal table
        if table["turn"] is None:
            table = await opened(me)  # type: ignore[arg-type]
        body = {"move": dice.choice(table["legal"])["move"], "version": table["version"]}
        _, answer = await me.post(f"/api/tables/{table['id']}/moves?since={table['version']}", body)
        table = {**table, **answer}

    def read(path: str, who: Client = me) -> Callable[[], Awaitable[object]]:
        return lambda: who.get(path)

    def note(size: int) -> Callable[[], Awaitable[object]]:
        return lambda: me.submit(f"{analyses[size]}/7/note", text=f"note {next(notes)}")

    def anywhere(size: int) -> Callable[[], Awaitable[object]]:
        return lambda: me.get(f"{analyses[size]}/{dice.randrange(size - 1)}")

    return [
        Route("a durable move over JSON", move),
        Route(
            "`/api/tables/T`, from a version on", lambda: me.get(f"/api/tables/{table['id']}?since={table['version']}")
        ),
        Route("`/api/tables/T`, finished Cuba, all of it", read(f"/api/tables/{name}")),
        Route("`/api/tables/T/log`, finished Cuba", read(f"/api/tables/{name}/log")),
        Route("`/api/tables/T/record`, finished Cuba", read(f"/api/tables/{name}/record")),
        Route("`/`", read("/", guest)),
        Route("`/tables/T` in progress, own", lambda: me.get(f"/tables/{table['id']}")),
        Route("`/tables/T`, finished Cuba, own", read(f"/tables/{name}")),
        Route("`/tables/T`, finished Cuba, as a spectator", read(f"/tables/{name}", guest)),
        Route(f"`/tables/T/replay/{moves}`, the last step", read(f"/tables/{name}/replay/{moves}")),
        Route(f"`/tables/T/replay/{moves // 2}`", read(f"/tables/{name}/replay/{moves // 2}")),
        Route("`/tables/T/replay/all`, made before", read(f"/tables/{name}/replay/all")),
        Route("`/tables/T/ask/…`", read(f"/tables/{name}/ask/100")),
        Route("`/analysis/A/…`, 40 moves", anywhere(40)),
        Route("`/analysis/A/…`, 4,000 moves", anywhere(4_000)),
        Route("a note in an analysis of 40 moves", note(40)),
        Route("a note in an analysis of 4,000 moves", note(4_000)),
        Route("`/analysis/A/file.json`, 4,000 moves", read(f"{analyses[4_000]}/file.json")),
        Route("`/tournaments/X`, 128 players, 15 rounds", read(f"/tournaments/{tournament}", guest)),
        Route("`/api/tournaments/X`, 128 players, 15 rounds", read(f"/api/tournaments/{tournament}", guest)),
        Route("`/explorer/cuba/4`", read("/explorer/cuba/4", guest)),
        Route("`/leaders`", read("/leaders", guest)),
        Route("`/people/N`", read("/people/Large1", guest)),
        Route("`/rules/cuba`", read("/rules/cuba", guest)),
        Route("`/puzzles`", read("/puzzles", guest)),
        Route("`/learn`", read("/learn", guest)),
        Route("`/metrics`", read("/metrics", guest)),
    ]


async def measured(address: str, server: int, tournament: str, times: int) -> list[tuple[str, float]]:
    """The mean processor time of each route, in seconds."""
    means = []
    for route in await routes(address, tournament):
        for _ in range(3):  # what is loaded once does not count
            await route.ask()
        count = times * 5 if not means else times
        before = precise_work_of(server)
        for _ in range(count):
            await route.ask()
        means.append((route.name, (precise_work_of(server) - before) / count))
    return means


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--times", type=int, default=40, help="that each route is asked for")
    asked = reading.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage(address_of(Path(folder)))
        tournament = store_large(storage)
        storage.close()
        with serving(folder, 1) as ((address, server),):
            means = asyncio.run(measured(address, server, tournament, asked.times))
    unit = means[0][1]
    print("| request | ms of processor | in moves | charged |\n| --- | ---: | ---: | ---: |")
    for name, seconds in means:
        charged = max(1.0, seconds / UNIT_SECONDS)
        print(f"| {name} | {1000 * seconds:.1f} | {seconds / unit:.1f} | {charged:.1f} |")


if __name__ == "__main__":
    main()
