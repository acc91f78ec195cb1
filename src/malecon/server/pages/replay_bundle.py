"""Replays: where turns and chapters begin, the log beside a position, and all steps in one bundle.

A bundle is made in a thread, once for all who may see the same, and counts in the memory budget.
"""

from __future__ import annotations

import asyncio
import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import msgspec

from malecon.match import View
from malecon.server.background import Background
from malecon.server.errors import TooOften
from malecon.server.operations import memory
from malecon.server.operations.limits import Limiter
from malecon.server.operations.memory import Memory
from malecon.server.pages import table_view
from malecon.server.pages.table_view import LogLine
from malecon.server.tables.table import Table
from malecon.server.workers.fair_semaphore import FairSemaphore
from malecon.text import chapters

#: Lines of the log before and after the current one.
LINES_BEFORE = 60
LINES_AFTER = 60
#: After each step the thread sleeps for this multiple of the time that the step took, which is longer under load:
#: while it runs, every move waits for the interpreter's lock.
PAUSE_SHARE = 3.0
#: When to ask again for a bundle while another one is made for the same person.
RETRY_SECONDS = 10.0
#: Where a page is split: what lies between two such tags often stays the same.
_PIECES = re.compile(r"(?=<(?:g|section|article|li|div|svg|symbol)\b)")


@dataclass(frozen=True)
class Jumps:
    """The positions to jump to: the turn, and the part of the game, before and after."""

    turn_back: int
    turn_on: int
    part_back: int
    part_on: int


def jumps(table: Table, moves: int) -> Jumps:
    """Return where the keys for turns and parts of the game lead from here."""
    total = len(table.match)
    turns, parts = table.cached("turns", lambda: _turns(table)), table.cached("parts", lambda: chapters(table.match))
    turn_back, turn_on = _around(turns, moves, total)
    part_back, part_on = _around(parts, moves, total)
    return Jumps(turn_back, turn_on, part_back, part_on)


def log(table: Table, now: View, language: str, moves: int) -> list[LogLine]:
    """Return the log around a position, with all that the viewer may know by now."""
    lines = table_view.log(table, now, language, max(0, moves - LINES_BEFORE))
    return [line for line in lines if line.number < moves + LINES_AFTER]


class ReplayBundles:
    """Bundles of whole games for browsers' caches, and those that are being made.

    They have a thread of their own: those that search have a low priority, and would hold the interpreter's lock with
    it, while the requests of everybody wait.
    """

    def __init__(self, limiter: Limiter, budget: Memory) -> None:
        self._limiter, self._memory = limiter, budget
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replays")
        self._semaphore = FairSemaphore(1)
        self._kept: dict[Hashable, bytes] = {}
        self._making: dict[Hashable, asyncio.Task[bytes]] = {}
        self._people: dict[str, Hashable] = {}  # for whom which bundle is made
        self._background = Background()
        self._stopped = False

    def kept(self, key: Hashable) -> bytes | None:
        """Return a bundle that was made before."""
        bundle = self._kept.get(key)
        if bundle is not None:
            self._keep(key, bundle)
        return bundle

    async def make(self, person: str, key: Hashable, steps: int, render: Callable[[int], str]) -> bytes:
        """Make a bundle for a person, who is charged for the time, or wait for the same that somebody else asked for.

        `render` is called in a thread. Raise TooOften if another bundle is being made for the person.
        """
        task = self._making.get(key)
        if task is None:
            if person in self._people:
                raise TooOften(RETRY_SECONDS)
            task = self._making[key] = self._background.begin(self._make(person, key, steps, render))
            self._people[person] = key
        return await asyncio.shield(task)  # it goes on if the person leaves: they will ask again

    async def _make(self, person: str, key: Hashable, steps: int, render: Callable[[int], str]) -> bytes:
        try:
            await self._semaphore.acquire(self._limiter.quota_key(person))
            try:
                run = asyncio.get_running_loop().run_in_executor
                bundle, seconds = await run(self._thread, self._bundle, steps, render)
            finally:
                self._semaphore.release()
        finally:
            del self._making[key], self._people[person]
        self._limiter.charge_think_time(person, seconds)
        self._keep(key, bundle)
        return bundle

    def _bundle(self, steps: int, render: Callable[[int], str]) -> tuple[bytes, float]:
        """Return all steps as JSON, and the processor time that took.

        Each step is a list of numbers of pieces, since it hardly differs from the last one.
        """
        began = time.thread_time()
        pieces: dict[str, int] = {}
        lists = []
        for step in range(steps):
            if self._stopped:
                raise RuntimeError("the server stops")
            step_began = time.monotonic()
            lists.append([pieces.setdefault(piece, len(pieces)) for piece in _PIECES.split(render(step))])
            time.sleep(PAUSE_SHARE * (time.monotonic() - step_began))
        return msgspec.json.encode({"pieces": list(pieces), "steps": lists}), time.thread_time() - began

    def _keep(self, key: Hashable, bundle: bytes) -> None:
        self._kept[key] = bundle
        self._memory.use(memory.REPLAYS, key, len(bundle), lambda: self._kept.pop(key, None))

    async def close(self) -> None:
        self._stopped = True
        await self._background.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)


def _turns(table: Table) -> list[int]:
    """Return the numbers of moves after which another player is to decide."""
    starts, last = [], None
    for number, turn in enumerate(table.match.history):
        if turn.seat >= 0 and turn.seat != last:
            starts.append(number)
            last = turn.seat
    return starts


def _around(begins: Sequence[int], moves: int, total: int) -> tuple[int, int]:
    before, after = bisect_left(begins, moves) - 1, bisect_right(begins, moves)
    return begins[before] if before >= 0 else 0, begins[after] if after < len(begins) else total
