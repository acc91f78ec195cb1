"""Who is here: people with a live connection to any process, and at which table. Nothing of it is kept for long.

With several processes on one database, each says who is connected to it, and all read what the others say.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql

from malecon.server.accounts.visitors import Visitor
from malecon.server.background import Background
from malecon.server.storage import notices
from malecon.server.storage.schema import HERE
from malecon.server.storage.store import Storage

#: Seconds: between changes that are told together, between two signs of life, and after how many without one nobody
#: believes what a process said.
GATHER, EVERY, BELIEVED = 0.5, 10.0, 35.0
#: Where somebody is who looks at no table.
NOWHERE = ""


@dataclass(frozen=True)
class Present:
    """Somebody who is here, and where. Without a name they are one of the guests."""

    person: str
    name: str
    place: str = NOWHERE


class Presence:
    """Those who are here. `on_change` hears of every change, of this process and of others."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._own: Counter[Present] = Counter()
        self._others: list[Present] = []
        self._at: defaultdict[str, set[Callable[[], None]]] = defaultdict(set)
        self._listeners: list[Callable[[set[str]], None]] = []
        self._background = Background()
        self._telling = False
        self._told = 0.0

    def on_change(self, listener: Callable[[set[str]], None]) -> None:
        """Call `listener` with the places where somebody has come or gone."""
        self._listeners.append(listener)

    @contextmanager
    def heard_at(self, place: str, wake: Callable[[], None]) -> Iterator[None]:
        """Call `wake` when somebody comes to a place or goes."""
        self._at[place].add(wake)
        try:
            yield
        finally:
            self._at[place].discard(wake)
            if not self._at[place]:
                del self._at[place]

    @contextmanager
    def visiting(self, visitor: Visitor, place: str = NOWHERE) -> Iterator[None]:
        """Somebody is here for as long as this lasts."""
        shown = visitor.account is not None and visitor.choices.here
        name = visitor.account.name if visitor.account is not None and shown else ""
        present = Present(visitor.person, name, place)
        self._own[present] += 1
        if self._own[present] == 1:
            self._changed({place})
        try:
            yield
        finally:
            self._own[present] -= 1
            if not self._own[present]:
                del self._own[present]
                self._changed({place})

    def everybody(self) -> list[Present]:
        """All who are here, once for each place."""
        return list(dict.fromkeys((*self._own, *self._others)))

    def at(self, place: str) -> list[Present]:
        return [one for one in self.everybody() if one.place == place]

    def people(self) -> set[str]:
        return {one.person for one in (*self._own, *self._others)}

    # --- other processes

    async def round(self) -> None:
        """A sign of life now and then."""
        if self._storage.is_shared and time.monotonic() > self._told + EVERY:
            await self._tell()
            await self.look()

    async def look(self) -> None:
        """Read what the others say."""
        if self._storage.is_shared:
            before = set(self._others)
            self._others = await asyncio.to_thread(self._storage.read, self._read)
            changed = before ^ set(self._others)
            if changed:
                self._wake({one.place for one in changed})

    def hear(self) -> None:
        """Another process says that somebody has come or gone."""
        self._background.begin(self.look())

    async def close(self) -> None:
        await self._background.cancel()
        if self._storage.is_shared:
            self._own.clear()
            await self._tell()

    def _changed(self, places: set[str]) -> None:
        self._wake(places)
        if self._storage.is_shared and not self._telling:
            self._telling = True
            self._background.begin(self._tell_soon())

    def _wake(self, places: set[str]) -> None:
        for listener in self._listeners:
            listener(places)
        for place in places:
            for wake in tuple(self._at.get(place, ())):
                wake()

    async def _tell_soon(self) -> None:
        await asyncio.sleep(GATHER)
        self._telling = False
        await self._tell()

    async def _tell(self) -> None:
        self._told = time.monotonic()
        people = [[one.person, one.name, one.place] for one in self._own]
        await asyncio.to_thread(self._storage.write, lambda connection, again: self._write(connection, people))

    def _write(self, connection: Connection, people: list[list[str]]) -> None:
        values = {"wall": time.time(), "people": people}
        new = postgresql.insert(HERE).values(process=self._storage.sender, **values)
        connection.execute(new.on_conflict_do_update(index_elements=["process"], set_=values))
        connection.execute(delete(HERE).where(HERE.c.wall < time.time() - 10 * BELIEVED))
        self._storage.tell(connection, notices.HERE, self._storage.sender)

    def _read(self, connection: Connection) -> list[Present]:
        fresh = (HERE.c.wall > time.time() - BELIEVED) & (HERE.c.process != self._storage.sender)
        rows: list[Any] = list(connection.execute(select(HERE.c.people).where(fresh)).scalars())
        return [Present(*one) for people in rows for one in people]
