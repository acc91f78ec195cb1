"""What moves by itself: bots, and people who have nothing to choose. One task per table, at a pace people can follow.

Bots think in processes elsewhere if there are any, else in a small pool of threads. Of
several processes only the one that has claimed a table moves there. Now and then tables are looked for where something
should have moved: those of a process that died, or all of them when a server starts.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from malecon import bots
from malecon.kernel.errors import MaleconError
from malecon.match import View
from malecon.server.background import Background
from malecon.server.errors import Stale, Unavailable
from malecon.server.operations.limits import Limiter
from malecon.server.operations.memory import Memory
from malecon.server.operations.metrics import Metrics
from malecon.server.storage.cluster import OtherProcesses
from malecon.server.storage.store import Storage
from malecon.server.tables.actions import TableActions
from malecon.server.tables.table import Table
from malecon.server.tables.timing import PACES
from malecon.server.workers.bot_cache import BotShelf
from malecon.server.workers.bot_pool import BotPool
from malecon.server.workers.jobs import Job
from malecon.server.workers.remote import Elsewhere, NobodyThinks

Found = TypeVar("Found")
log = logging.getLogger("malecon.server")
#: Threads that think at the same time, and who waits there for reviews.
THREADS, REVIEWS = 2, "reviews"
#: Seconds that a table must have stood still before it is woken, and how many are woken at once.
STILL, MOST_WOKEN = 3.0, 200
#: Seconds to wait for a database that does not answer.
PAUSE = 1.0


class Autoplay:
    """Starts a task for a table whenever something there can move by itself."""

    def __init__(
        self,
        tables: TableActions,
        storage: Storage,
        other_processes: OtherProcesses,
        metrics: Metrics,
        limiter: Limiter,
        memory: Memory,
    ) -> None:
        self._tables = tables
        self._storage = storage
        self._other_processes = other_processes
        self._metrics = metrics
        self._limiter = limiter
        self._pool = BotPool(THREADS)
        self._shelf = BotShelf(memory)
        self.elsewhere = Elsewhere(storage)
        self._background = Background()
        self._still = 0.0  # the first round wakes all that wait
        self._closing = False
        tables.on_change = self.look_at

    async def close(self) -> None:
        self._closing = True
        await self._background.cancel()
        self._pool.close()
        await self.elsewhere.close()

    async def think(self, person: str, work: Callable[..., Found], *arguments: object) -> Found:
        """Run something long in the pool of the bots, for somebody who takes turns with others and pays for it."""
        found, seconds = await self._pool.run(self._limiter.home_of(person), lambda: _timed(work, *arguments))
        self._limiter.charge_thought(person, seconds)
        return found

    async def review(self, work: Callable[[], None]) -> None:
        """The same for a review, which was paid for when it was asked for; all of them share one place in the row."""
        await self._pool.run(REVIEWS, work)

    def look_at(self, table: Table) -> None:
        if table.match.is_over:
            self._shelf.clear(table.id)
        if not self._closing and not table.thinking and table.moves_by_itself:
            table.thinking = True
            self._background.begin(self._drive(table))

    async def round(self) -> None:
        """Wake the tables that wait for a bot."""
        since, self._still = time.time() - self._still, STILL
        for name in await asyncio.to_thread(self._storage.due_tables, since, MOST_WOKEN):
            try:
                await self._wake(name)
            except Exception:  # the others must not wait for one that cannot be woken
                log.exception("table %s cannot be woken", name)

    async def _wake(self, name: str) -> None:
        """Look at a table that is said to move by itself; others that do not are struck off."""
        table = await self._tables.get(name)
        if not table.thinking and not table.moves_by_itself:
            await self._tables.catch_up(table)
            if not table.moves_by_itself and table.row.due:
                await asyncio.to_thread(self._storage.not_due, table.row)
                table.row = replace(table.row, due=False)
        self.look_at(table)

    async def _drive(self, table: Table) -> None:
        claimed = False
        try:
            claimed = await self._other_processes.claim(table.id)
            while claimed and table.moves_by_itself:
                try:
                    await self._one_move(table)
                except Unavailable:
                    await asyncio.sleep(PAUSE)
                except Stale:  # somebody has acted meanwhile: think again
                    continue
        except MaleconError as error:
            log.error("table %s: %s", table.id, error)
        except Exception:  # the next round tries again
            log.exception("table %s stands still", table.id)
        finally:
            table.thinking = False
            if claimed:
                await self._other_processes.release(table.id)

    async def _one_move(self, table: Table) -> None:
        began, version, seat = time.monotonic(), table.version, table.match.turn
        assert seat is not None
        view, spec = table.match.view(seat), table.bot_at(seat)
        if spec is None or len(view.legal_moves) == 1:
            move = str(view.legal_moves[0])
        else:
            owner = table.row.owner
            await asyncio.sleep(self._limiter.thought_wait(owner))  # who has had too much of it lets others go first
            began = time.monotonic()
            move = str(await self._chosen(table, seat, spec, view))
            self._metrics.thought[spec].add(time.monotonic() - began)
        await asyncio.sleep(max(0.0, PACES[table.row.pace] - (time.monotonic() - began)))
        if table.bot_at(seat) == spec:  # nobody has come back to the seat meanwhile
            await self._tables.bot_move(table, move, seat, version, automatic=spec is None)

    async def _chosen(self, table: Table, seat: int, spec: str, view: View) -> object:
        """A bot's move. If the bot breaks, the game goes on all the same."""

        def choose() -> tuple[bots.Bot, object]:  # whoever waits for a thread holds no tree meanwhile
            bot = self._shelf.take(table.id, seat, spec)
            return bot, bots.choose_soon(bot, view)

        if self.elsewhere.threads and not _answers_at_once(spec):
            owner = table.row.owner
            with suppress(NobodyThinks):  # then we do
                thought = await self.elsewhere.think(self._limiter.home_of(owner), Job.of(table.id, spec, view))
                self._limiter.charge_thought(owner, thought.seconds)
                return thought.move
        try:
            bot, move = await self.think(table.row.owner, choose)
        except Exception:
            log.exception("the bot %s broke; a random move takes its place", spec)
            return bots.make("random", secrets.randbits(63)).choose(view)
        self._shelf.put_back(table.id, seat, spec, bot)
        return move


@lru_cache(1_000)
def _answers_at_once(spec: str) -> bool:
    return isinstance(bots.make(spec), bots.SimpleBot)


def _timed(work: Callable[..., Found], *arguments: object) -> tuple[Found, float]:
    began = time.monotonic()
    return work(*arguments), time.monotonic() - began
