"""Ends turns whose time is up, and records results that have not been recorded yet.

Several processes may do so on one database: each thing happens once, in the process that is first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from malecon.server.storage import heartbeat
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.table import Table

log = logging.getLogger("malecon.server")
#: Tables of each kind that are handled in one tick.
MOST_TABLES = 100


class Deadlines:
    """Looks for such tables every second; `record_result` records the result of a finished game, once."""

    def __init__(
        self,
        tables: LiveTables,
        storage: Storage,
        record_result: Callable[[Table], Awaitable[None]],
        clock: heartbeat.DatabaseClock,
    ) -> None:
        self._tables = tables
        self._storage = storage
        self._record_result = record_result
        self._clock = clock
        self._last_heartbeat: tuple[float, float] | None = None  # by that clock, and by one that cannot jump

    async def tick(self) -> None:
        await self._record_heartbeat()
        late, unrecorded = await asyncio.to_thread(self._storage.late_and_unrecorded, self._clock(), MOST_TABLES)
        for name in (*late, *unrecorded):
            try:
                await self._handle(name, name in late)
            except Exception:  # the others must not wait for one that cannot be loaded
                log.exception("table %s cannot be handled", name)

    async def _record_heartbeat(self) -> None:
        """Record that a server is at work, at the latest before deadlines are compared with a clock that jumped."""
        if self._last_heartbeat is not None:
            wall, steady = self._last_heartbeat
            passed, ticked = self._clock() - wall, time.monotonic() - steady
            if ticked < heartbeat.INTERVAL_SECONDS and abs(passed - ticked) < heartbeat.MOST_BACK_SECONDS:
                return
        moved = await asyncio.to_thread(heartbeat.record, self._storage, self._clock)
        self._last_heartbeat = self._clock(), time.monotonic()
        if moved:
            if moved > 0:
                log.warning(
                    "no server was at work for %.0f s, or its clock was wrong: all deadlines moved along", moved
                )
            else:
                log.warning("the clock was set back by %.0f s: all deadlines moved along", -moved)
            await self._tables.refresh_all()

    async def _handle(self, name: str, is_late: bool) -> None:
        table = await self._tables.get(name)
        if is_late:
            await self._tables.time_up(table)
        else:
            await self._tables.refresh(table)  # the end may be on disk and not yet in memory
            await self._record_result(table)
