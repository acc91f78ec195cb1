"""What moves by itself: bots, and people who have nothing to choose. One task per table, at a pace people can follow.

Bots think in a small pool of threads; their kernels release the interpreter's lock, so other tables do not wait. Of
several processes only the one that has claimed a table moves there. Now and then tables are looked for where something
should have moved: those of a process that died, or all of them when a server starts.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from malecon import bots
from malecon.kernel.errors import MaleconError
from malecon.match import View
from malecon.server.errors import Stale, Unavailable
from malecon.server.limits import Buckets
from malecon.server.metrics import Metrics
from malecon.server.neighbours import Neighbours
from malecon.server.storage import Storage
from malecon.server.tables import PACES, Table, Tables

log = logging.getLogger("malecon.server")
#: Threads that think at the same time.
THINKERS = 2
#: Seconds between two searches for tables that stand still, how long they must have stood, how many are woken at once.
ROUND, STILL, MOST_WOKEN = 1.0, 3.0, 200
#: Seconds to wait for a database that does not answer.
PAUSE = 1.0


class Driver:
    """Starts a task for a table whenever something there can move by itself."""

    def __init__(
        self, tables: Tables, storage: Storage, neighbours: Neighbours, metrics: Metrics, thought: Buckets
    ) -> None:
        self._tables = tables
        self._storage = storage
        self._neighbours = neighbours
        self._metrics = metrics
        self._thought = thought
        self._pool = ThreadPoolExecutor(THINKERS, thread_name_prefix="bot")
        self._tasks: set[asyncio.Task[None]] = set()
        tables.on_change = self.look_at

    def start(self) -> None:
        """Wake the tables that wait for a bot, now and from time to time."""
        self._begin(self._make_rounds())

    async def close(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def think(self, work: object, *arguments: object) -> object:
        """Run something long in the pool of the bots."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)  # type: ignore[arg-type]

    def look_at(self, table: Table) -> None:
        if not table.thinking and table.moves_by_itself:
            table.thinking = True
            self._begin(self._drive(table))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _make_rounds(self) -> None:
        still = 0.0
        while True:
            try:
                for name in await asyncio.to_thread(self._storage.due_tables, time.time() - still, MOST_WOKEN):
                    await self._wake(name)
            except MaleconError as error:
                log.warning("no round of the tables: %s", error)
            except Exception:
                log.exception("a round of the tables broke")
            still = STILL
            await asyncio.sleep(ROUND)

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
            claimed = await self._neighbours.claim(table.id)
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
                await self._neighbours.release(table.id)

    async def _one_move(self, table: Table) -> None:
        began, version, seat = time.monotonic(), table.version, table.match.turn
        assert seat is not None
        view, spec = table.match.view(seat), table.bot_at(seat)
        if spec is None or len(view.legal_moves) == 1:
            move = str(view.legal_moves[0])
        else:
            bot = table.bots.get((seat, spec))
            if bot is None:
                bot = table.bots[seat, spec] = bots.make(spec, secrets.randbits(63))
            await asyncio.sleep(self._thought.wait(table.row.owner))  # who has had too much of it lets others go first
            began = time.monotonic()
            move = str(await self._chosen(bot, view))
            self._thought.charge(table.row.owner, time.monotonic() - began)
            self._metrics.thought[spec].add(time.monotonic() - began)
        await asyncio.sleep(max(0.0, PACES[table.row.pace] - (time.monotonic() - began)))
        if table.bot_at(seat) == spec:  # nobody has come back to the seat meanwhile
            await self._tables.bot_move(table, move, seat, version, automatic=spec is None)

    async def _chosen(self, bot: bots.Bot, view: View) -> object:
        """A bot's move. If the bot breaks, the game goes on all the same."""
        try:
            return await self.think(bot.choose, view)
        except Exception:
            log.exception("the bot %s broke; a random move takes its place", bot.name)
            return bots.make("random", secrets.randbits(63)).choose(view)
