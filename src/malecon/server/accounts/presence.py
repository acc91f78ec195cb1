"""Presence: which people have a live connection, to any process, and at which table.

With several processes on one database, each writes who is connected to it and reads what the others have written.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from malecon.server.accounts.visitors import Visitor
from malecon.server.background import Background
from malecon.server.events import Events
from malecon.server.storage import notices
from malecon.server.storage.schema import PRESENCE
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import upsert, writes

#: Changes within this time are written together.
GATHER_SECONDS = 0.5
HEARTBEAT_SECONDS = 10.0
#: After this time without a heartbeat, what a process has written no longer counts.
EXPIRY_SECONDS = 35.0
#: The place of people who look at no table.
NOWHERE = ""


@dataclass(frozen=True)
class PresentPerson:
    """A connected person, and the table they look at. Guests, and people who do not want to be seen, have no name."""

    person: str
    name: str
    place: str = NOWHERE


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """People have come or gone, in this process or in others."""


class Presence:
    """Tracks who is connected to this process and to others."""

    def __init__(self, storage: Storage, events: Events) -> None:
        self._storage, self._events = storage, events
        self._own: Counter[PresentPerson] = Counter()
        self._others: list[PresentPerson] = []
        self._listeners_at: defaultdict[str, set[Callable[[], None]]] = defaultdict(set)
        self._background = Background()
        self._write_is_due = False
        self._written = 0.0

    @contextmanager
    def listening(self, place: str, wake: Callable[[], None]) -> Iterator[None]:
        """Call `wake` when people come to a place or go."""
        self._listeners_at[place].add(wake)
        try:
            yield
        finally:
            self._listeners_at[place].discard(wake)
            if not self._listeners_at[place]:
                del self._listeners_at[place]

    @contextmanager
    def visiting(self, visitor: Visitor, place: str = NOWHERE) -> Iterator[None]:
        """Count a visitor as present while the context lasts."""
        is_visible = visitor.account is not None and visitor.choices.here
        name = visitor.account.name if visitor.account is not None and is_visible else ""
        entry = PresentPerson(visitor.person, name, place)
        self._own[entry] += 1
        if self._own[entry] == 1:
            self._changed({place})
        try:
            yield
        finally:
            self._own[entry] -= 1
            if not self._own[entry]:
                del self._own[entry]
                self._changed({place})

    def everybody(self) -> list[PresentPerson]:
        """Return everybody who is connected, once for each place."""
        return list(dict.fromkeys((*self._own, *self._others)))

    def at(self, place: str) -> list[PresentPerson]:
        return [person for person in self.everybody() if person.place == place]

    def people(self) -> set[str]:
        return {present.person for present in (*self._own, *self._others)}

    # --- other processes

    async def tick(self) -> None:
        """Write a heartbeat and read those of the others, if it is time."""
        if self._storage.is_shared and time.monotonic() > self._written + HEARTBEAT_SECONDS:
            await self._write_own()
            await self.refresh()

    async def refresh(self) -> None:
        """Read who is connected to the other processes."""
        if self._storage.is_shared:
            before = set(self._others)
            self._others = await asyncio.to_thread(self._read)
            changed = before ^ set(self._others)
            if changed:
                self._wake({person.place for person in changed})

    def on_notice(self) -> None:
        """Another process has announced that people have come or gone."""
        self._background.begin(self.refresh())

    async def close(self) -> None:
        await self._background.cancel()
        if self._storage.is_shared:
            self._own.clear()
            await self._write_own()

    def _changed(self, places: set[str]) -> None:
        self._wake(places)
        if self._storage.is_shared and not self._write_is_due:
            self._write_is_due = True
            self._background.begin(self._write_soon())

    def _wake(self, places: set[str]) -> None:
        self._events.publish(PresenceChanged())
        for place in places:
            for wake in tuple(self._listeners_at.get(place, ())):
                wake()

    async def _write_soon(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        self._write_is_due = False
        await self._write_own()

    async def _write_own(self) -> None:
        self._written = time.monotonic()
        people = [[person.person, person.name, person.place] for person in self._own]
        await asyncio.to_thread(self._write, people)

    @writes
    def _write(self, connection: Connection, people: list[list[str]]) -> None:
        upsert(connection, PRESENCE, {"process": self._storage.sender, "wall": time.time(), "people": people})
        connection.execute(delete(PRESENCE).where(PRESENCE.c.wall < time.time() - 10 * EXPIRY_SECONDS))
        self._storage.notify(connection, notices.PRESENCE, self._storage.sender)

    def _read(self) -> list[PresentPerson]:
        fresh = (PRESENCE.c.wall > time.time() - EXPIRY_SECONDS) & (PRESENCE.c.process != self._storage.sender)
        processes = self._storage.scalars(select(PRESENCE.c.people).where(fresh))
        return [PresentPerson(*row) for rows in processes for row in rows]
