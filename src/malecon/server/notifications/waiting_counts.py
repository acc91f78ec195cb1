"""How many games wait for somebody who is connected: counted once, then kept up with every change of their tables.

What is the same for all who look at the lobby is elsewhere; this is each person's own, and nothing of it is stored.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable

from malecon.kernel.errors import MaleconError
from malecon.server.background import Background
from malecon.server.tables.actions import TableActions
from malecon.server.tables.table import Table

#: Seconds in which changes are gathered.
GATHER = 0.3


class _Watched:
    """The running tables of one person, and whether each of them waits for this person."""

    def __init__(self) -> None:
        self.tables: dict[str, bool] = {}
        self.listeners: set[Callable[[], None]] = set()
        self.known: set[str] = set()  # tables that are looked at for them
        self.counted = False

    @property
    def number(self) -> int:
        return sum(self.tables.values())


class WaitingCounts:
    """Counts for those who are connected to this process."""

    def __init__(self, tables: TableActions) -> None:
        self._tables = tables
        self._watched: dict[str, _Watched] = {}
        self._at: defaultdict[str, set[str]] = defaultdict(set)  # who of them sits at which table
        self._stale: set[str] = set()
        self._background = Background()

    def hear(self, table: Table) -> None:
        """A table in memory has changed, here or elsewhere."""
        if not self._watched:
            return
        for seat in table.row.seats:
            if seat.person in self._watched:
                self._join(table.id, seat.person)
        self.hear_of(table.id)

    def hear_of(self, name: str) -> None:
        """A table has changed, whether it is in memory or not."""
        if name in self._at:
            if not self._stale:
                self._background.begin(self._look_soon())
            self._stale.add(name)

    async def numbers(self, person: str) -> AsyncGenerator[int]:
        """How many games wait for somebody: now, and whenever that changes."""
        woken = asyncio.Event()
        mine = self._watched.setdefault(person, _Watched())
        mine.listeners.add(woken.set)
        told: int | None = None
        try:
            if not mine.counted:
                await self._count(person, mine)
            while True:
                if mine.number != told:
                    told = mine.number
                    yield told
                await woken.wait()
                woken.clear()
        finally:
            mine.listeners.discard(woken.set)
            if not mine.listeners and self._watched.get(person) is mine:
                self._forget(person, mine)

    async def close(self) -> None:
        await self._background.cancel()

    # --- inside

    async def _count(self, person: str, mine: _Watched) -> None:
        for row in await self._tables.mine(person):
            if not row.over:
                self._join(row.id, person)
                await self._look(row.id, (person,))
        mine.counted = True

    async def _look_soon(self) -> None:
        await asyncio.sleep(GATHER)
        stale, self._stale = self._stale, set()
        for name in stale:
            await self._look(name, tuple(self._at.get(name, ())))

    async def _look(self, name: str, people: tuple[str, ...]) -> None:
        """Whether a table waits for these people; who sits there no more is done with it."""
        try:
            table = await self._tables.get(name)
        except MaleconError:  # it cannot be read just now: what was known of it stays
            return
        for person in people:
            mine = self._watched.get(person)
            if mine is None:
                continue
            before, seats = mine.number, table.seats_of(person)
            if table.is_over or not seats:
                mine.tables.pop(name, None)
                mine.known.discard(name)
                self._leave(name, person)
            else:
                mine.tables[name] = table.waits_for(seats)
            if mine.number != before:
                for wake in tuple(mine.listeners):
                    wake()

    def _join(self, name: str, person: str) -> None:
        self._at[name].add(person)
        self._watched[person].known.add(name)

    def _leave(self, name: str, person: str) -> None:
        self._at[name].discard(person)
        if not self._at[name]:
            del self._at[name]

    def _forget(self, person: str, mine: _Watched) -> None:
        del self._watched[person]
        for name in mine.known:
            self._leave(name, person)
