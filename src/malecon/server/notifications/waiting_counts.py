"""The number of games that wait for each connected person: counted once, then updated with every change of a table.

The numbers are kept in memory only.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable

from malecon.kernel.errors import MaleconError
from malecon.server.background import Background
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.table import Table

log = logging.getLogger("malecon.server")
#: Changes within this time are counted together.
GATHER_SECONDS = 0.3


class _PersonCount:
    """The running tables of one person, and whether each of them waits for this person."""

    def __init__(self) -> None:
        self.tables: dict[str, bool] = {}
        self.listeners: set[Callable[[], None]] = set()
        self.followed: set[str] = set()  # tables that are followed for this person
        self.counted = False

    @property
    def number(self) -> int:
        return sum(self.tables.values())


class WaitingCounts:
    """Counts for the people connected to this process."""

    def __init__(self, tables: LiveTables) -> None:
        self._tables = tables
        self._counts: dict[str, _PersonCount] = {}
        self._people_at: defaultdict[str, set[str]] = defaultdict(set)  # which of them have a seat at a table
        self._stale: dict[str, None] = {}  # in the order in which they changed
        self._background = Background()

    def on_change(self, table: Table) -> None:
        """A table in memory has changed, in this process or another."""
        if not self._counts:
            return
        for seat in table.row.seats:
            if seat.person in self._counts:
                self._join(table.id, seat.person)
        self.on_notice(table.id)

    def on_notice(self, name: str) -> None:
        """A table has changed, whether it is in memory or not."""
        if name in self._people_at:
            if not self._stale:
                self._background.begin(self._update_soon())
            self._stale[name] = None

    async def numbers(self, person: str) -> AsyncGenerator[int]:
        """Yield the number of games that wait for a person: now, and whenever it changes."""
        woken = asyncio.Event()
        count = self._counts.setdefault(person, _PersonCount())
        count.listeners.add(woken.set)
        sent: int | None = None
        try:
            if not count.counted:
                await self._count(person, count)
            while True:
                if count.number != sent:
                    sent = count.number
                    yield sent
                await woken.wait()
                woken.clear()
        finally:
            count.listeners.discard(woken.set)
            if not count.listeners and self._counts.get(person) is count:
                self._forget(person, count)

    async def close(self) -> None:
        await self._background.cancel()

    # --- inside

    async def _count(self, person: str, count: _PersonCount) -> None:
        for row in await self._tables.tables_of(person):
            if not row.over:
                self._join(row.id, person)
                await self._update(row.id, (person,))
        count.counted = True

    async def _update_soon(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        stale, self._stale = self._stale, {}
        for name in stale:
            try:
                await self._update(name, tuple(self._people_at.get(name, ())))
            except Exception:  # the others are counted all the same
                log.exception("table %s cannot be counted", name)

    async def _update(self, name: str, people: tuple[str, ...]) -> None:
        """Count a table again for these people; it no longer counts for those without a seat."""
        try:
            table = await self._tables.get(name)
        except MaleconError:  # it cannot be read just now: its last count stays
            return
        for person in people:
            count = self._counts.get(person)
            if count is None:
                continue
            before, seats = count.number, table.seats_of(person)
            if table.is_over or not seats:
                count.tables.pop(name, None)
                count.followed.discard(name)
                self._leave(name, person)
            else:
                count.tables[name] = table.waits_for(seats)
            if count.number != before:
                for wake in tuple(count.listeners):
                    wake()

    def _join(self, name: str, person: str) -> None:
        self._people_at[name].add(person)
        self._counts[person].followed.add(name)

    def _leave(self, name: str, person: str) -> None:
        self._people_at[name].discard(person)
        if not self._people_at[name]:
            del self._people_at[name]

    def _forget(self, person: str, count: _PersonCount) -> None:
        del self._counts[person]
        for name in count.followed:
            self._leave(name, person)
