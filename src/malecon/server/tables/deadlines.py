"""Looks after what is due by the clock: turns whose time is up, and results that nobody has counted yet.

Several processes may do so on one database: each thing happens once, whoever is first.
"""

from __future__ import annotations

import asyncio
import logging
import time

from malecon.kernel.errors import MaleconError
from malecon.server.people.ratings import Ratings
from malecon.server.storage.store import Storage
from malecon.server.tables.actions import TableActions
from malecon.server.tables.table import Table

log = logging.getLogger("malecon.server")
#: Seconds between two rounds, and how many tables are looked after in one.
ROUND, MOST = 1.0, 100


class Deadlines:
    """Makes a round of the tables every second."""

    def __init__(self, tables: TableActions, storage: Storage, ratings: Ratings) -> None:
        self._tables, self._storage, self._ratings = tables, storage, ratings
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._make_rounds())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _make_rounds(self) -> None:
        while True:
            try:
                await self.round()
            except MaleconError as error:
                log.warning("no round of the clocks: %s", error)
            except Exception:
                log.exception("a round of the clocks broke")
            await asyncio.sleep(ROUND)

    async def round(self) -> None:
        late, unsettled = await asyncio.to_thread(self._storage.to_look_after, time.time(), MOST)
        for name in (*late, *unsettled):
            try:
                await self._look_after(name, name in late)
            except Exception:  # the others must not wait for one that cannot be read
                log.exception("nobody can look after table %s", name)

    async def _look_after(self, name: str, is_late: bool) -> None:
        table = await self._tables.get(name)
        if is_late:
            await self._tables.time_up(table)
        else:
            await self._tables.catch_up(table)  # the end may be on disk and not yet in memory
            await self.settle(table)

    async def settle(self, table: Table) -> None:
        """Count the result of a finished game, once."""
        await asyncio.to_thread(self._ratings.settle, table.row, table.match.outcome, table.is_record)
