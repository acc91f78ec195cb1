"""Looks after what is due by the clock: turns whose time is up, and results that nobody has counted yet.

Several processes may do so on one database: each thing happens once, whoever is first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from malecon.server.storage import heartbeat
from malecon.server.storage.store import Storage
from malecon.server.tables.actions import TableActions
from malecon.server.tables.table import Table

log = logging.getLogger("malecon.server")
#: How many tables are looked after in one round.
MOST = 100


class Deadlines:
    """What a round of the tables looks for; `settle` counts the result of a finished game, once."""

    def __init__(
        self,
        tables: TableActions,
        storage: Storage,
        settle: Callable[[Table], Awaitable[None]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._tables, self._storage, self._settle = tables, storage, settle
        self._clock = clock
        self._beaten: tuple[float, float] | None = None  # when: by the clock, and by one that cannot jump

    async def round(self) -> None:
        await self._beat()
        late, unsettled = await asyncio.to_thread(self._storage.to_look_after, self._clock(), MOST)
        for name in (*late, *unsettled):
            try:
                await self._look_after(name, name in late)
            except Exception:  # the others must not wait for one that cannot be read
                log.exception("nobody can look after table %s", name)

    async def _beat(self) -> None:
        """Say that we are at work; before any clock is looked at, if this one may have jumped."""
        wall, steady = self._clock(), time.monotonic()
        if self._beaten is not None:
            passed, ticked = wall - self._beaten[0], steady - self._beaten[1]
            if ticked < heartbeat.EVERY and abs(passed - ticked) < heartbeat.BACK:
                return
        moved = await asyncio.to_thread(heartbeat.beat, self._storage, wall)
        self._beaten = wall, steady
        if moved:
            log.warning("no server was at work for %.0f s, or its clock was wrong: all deadlines moved along", moved)
            await self._tables.catch_up_all()

    async def _look_after(self, name: str, is_late: bool) -> None:
        table = await self._tables.get(name)
        if is_late:
            await self._tables.time_up(table)
        else:
            await self._tables.catch_up(table)  # the end may be on disk and not yet in memory
            await self._settle(table)
