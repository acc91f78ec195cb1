"""The lobby of one process: what waits, what is played, who is here, as everybody who looks is shown it.

What changes within half a second is told together, so that many who look cost no more than a few, and nothing here is
ever waited for by a move.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from malecon.kernel.errors import MaleconError
from malecon.server.accounts.presence import Presence
from malecon.server.background import Background
from malecon.server.lobby.store import LobbyStore
from malecon.server.lobby.waiting import SeatCandidate, WaitingTable
from malecon.server.storage.rows import PERSON
from malecon.server.storage.schema import SEATS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.tables.actions import TableActions
from malecon.server.tables.opening import new_table
from malecon.server.tables.table import Table

log = logging.getLogger("malecon.server")
#: Seconds in which changes are gathered; after which the games that are on are looked at again; for which somebody who
#: waits may be away; between two looks for what is old.
GATHER, GAMES_AGAIN, AWAY, TIDY = 0.5, 15.0, 60.0, 600.0
#: Games that are shown; seconds after the last move for which one still counts as on.
MOST_GAMES, STILL_ON = 12, 2 * 86_400
#: Those who look are woken a few at a time: whoever makes a move does not wait for hundreds.
TOGETHER = 16


@dataclass(frozen=True)
class PublicGame:
    """A public game that is being played: its people and bots in the order of seats."""

    table: str
    game: str
    names: tuple[str | None, ...]
    bots: tuple[str | None, ...]


@dataclass(frozen=True)
class LobbySnapshot:
    """What the lobby shows at one moment; the same for everybody."""

    revision: int = 0
    waiting: tuple[WaitingTable, ...] = ()
    games: tuple[PublicGame, ...] = ()
    here: tuple[str, ...] = ()  # names of those who do not mind
    guests: int = 0  # all others who are here

    def waiting_of(self, person: str) -> tuple[WaitingTable, ...]:
        return tuple(one for one in self.waiting if person in one.people)


class Lobby:
    """Follows what waits, starts what is full, and tells those who look."""

    def __init__(self, storage: Storage, tables: TableActions, presence: Presence) -> None:
        self._storage, self._tables, self._presence = storage, tables, presence
        self.store = LobbyStore(storage)
        self.snapshot = LobbySnapshot()
        self.on_start: Callable[[Table], None] = lambda table: None
        self.on_free_seat: Callable[[WaitingTable], None] = lambda waiting: None  # of a new table, or left by somebody
        self._listeners: set[Callable[[], None]] = set()
        self._background = Background()
        self._stale = True
        self._coming = False
        self._games: tuple[PublicGame, ...] = ()
        self._games_read = -GAMES_AGAIN
        self._tidied = 0.0
        self._missed: dict[str, float] = {}  # since when those who wait are not here
        self._one = asyncio.Lock()
        presence.on_change(lambda places: self.touch())

    # --- what people do

    async def open(self, wanted: WaitingTable) -> WaitingTable:
        return self._offered(await self._changed(await asyncio.to_thread(self.store.open, wanted)))

    async def join(self, name: str, guest: SeatCandidate) -> WaitingTable:
        return await self._changed(await asyncio.to_thread(self.store.join, name, guest))

    async def seek(self, wanted: WaitingTable, guest: SeatCandidate, avoided: tuple[str, ...] = ()) -> WaitingTable:
        found = await self._changed(await asyncio.to_thread(self.store.seek, wanted, guest, avoided))
        return self._offered(found) if found.people == (guest.person,) else found  # with others they were there before

    async def fill_now(self, name: str) -> WaitingTable:
        return await self._changed(await asyncio.to_thread(self.store.fill_now, name))

    async def leave(self, name: str, person: str) -> None:
        left = await asyncio.to_thread(self.store.leave, name, person)
        self.touch()
        if left is not None:
            self._offered(left)

    async def find(self, name: str) -> WaitingTable:
        return await asyncio.to_thread(self.store.find, name)

    def _offered(self, waiting: WaitingTable) -> WaitingTable:
        if waiting.table is None and not waiting.is_full:
            self.on_free_seat(waiting)
        return waiting

    async def _changed(self, waiting: WaitingTable) -> WaitingTable:
        """Start a table whose seats are taken; as it stands then."""
        self.touch()
        self._missed = {person: since for person, since in self._missed.items() if person not in waiting.people}
        return await self._start_if_ready(waiting)

    async def _start_if_ready(self, waiting: WaitingTable) -> WaitingTable:
        players = None if waiting.table is not None else waiting.starts_with(time.time())
        if players is None:
            return waiting
        row, entries = new_table(waiting.game_of(players), waiting.owner)
        if not await asyncio.to_thread(self.store.start, waiting, row, entries):
            return await self.find(waiting.id)  # somebody has just left, or another process was faster
        table = await self._tables.get(row.id)
        self._games_read = -GAMES_AGAIN
        self.touch()
        self.on_start(table)
        return replace(waiting, table=row.id)

    # --- what goes on by itself

    async def round(self) -> None:
        """Start what is due, let go of those who have left without a word, tidy up."""
        now = time.time()
        if self._stale and not self._coming:
            await self.refresh()
        for waiting in self.snapshot.waiting:
            try:
                if waiting.starts_with(now) is not None:
                    await self._start_if_ready(await self.find(waiting.id))
                    self.touch()
                elif waiting.needs_presence:
                    await self._send_away(waiting, now)
            except MaleconError as error:  # it was closed meanwhile, or can never start: the others do not suffer
                log.info("waiting table: %s", error)
        if now > self._tidied + TIDY:
            self._tidied = now
            await asyncio.to_thread(self.store.tidy, now)
        if self._listeners and time.monotonic() > self._games_read + GAMES_AGAIN:
            self.touch()

    async def _send_away(self, waiting: WaitingTable, now: float) -> None:
        here = self._presence.people()
        for person in waiting.people:
            if person in here:
                self._missed.pop(person, None)
            elif now - self._missed.setdefault(person, now) > AWAY:
                await self.leave(waiting.id, person)

    def touch(self) -> None:
        """Something has changed: look at it soon, once for all that changes until then."""
        self._stale = True
        if self._listeners and not self._coming:
            self._coming = True
            self._background.begin(self._soon())

    async def _soon(self) -> None:
        await asyncio.sleep(GATHER)
        self._coming = False
        await self.refresh()

    async def fresh(self) -> LobbySnapshot:
        """What the lobby shows now, for somebody who has just come: they do not wait for what is gathered."""
        if self._stale:
            await self.refresh()
        return self.snapshot

    async def refresh(self) -> None:
        async with self._one:
            self._stale = False
            try:
                waiting = await asyncio.to_thread(self.store.waiting)
                if time.monotonic() > self._games_read + GAMES_AGAIN:
                    self._games_read = time.monotonic()
                    self._games = await asyncio.to_thread(self._storage.read, _games_on)
            except MaleconError:
                self._stale = True
                raise
            present = self._presence.everybody()
            named = {one.person: one.name for one in present if one.name}
            new = replace(
                self.snapshot,
                waiting=tuple(waiting),
                games=self._games,
                here=tuple(sorted(named.values(), key=str.casefold)),
                guests=len({one.person for one in present}) - len(named),
            )
            if new != self.snapshot:
                self.snapshot = replace(new, revision=new.revision + 1)
                self._wake(tuple(self._listeners))

    def _wake(self, listeners: tuple[Callable[[], None], ...]) -> None:
        for listener in listeners[:TOGETHER]:
            listener()
        if len(listeners) > TOGETHER:
            asyncio.get_running_loop().call_soon(self._wake, listeners[TOGETHER:])

    async def changes(self) -> AsyncGenerator[LobbySnapshot]:
        """What is shown, now and after every change, quick ones together."""
        woken = asyncio.Event()
        self._listeners.add(woken.set)
        try:
            yield await self.fresh()
            while True:
                await woken.wait()
                woken.clear()
                yield self.snapshot
        finally:
            self._listeners.discard(woken.set)

    async def close(self) -> None:
        await self._background.cancel()


def _games_on(connection: Connection) -> tuple[PublicGame, ...]:
    """Public games that are on, those where something happened last first."""
    running = TABLES.c.public.is_(True) & TABLES.c.over.is_(False) & (TABLES.c.changed > time.time() - STILL_ON)
    wanted = select(TABLES.c.id, TABLES.c.game).where(running).order_by(TABLES.c.changed.desc()).limit(MOST_GAMES)
    rows = connection.execute(wanted).all()
    seats = select(SEATS).where(SEATS.c.table.in_([row.id for row in rows])).order_by(SEATS.c.seat)
    at: dict[str, list[tuple[str | None, str | None]]] = {}
    for seat in connection.execute(seats):
        at.setdefault(seat.table, []).append((seat.name, None if seat.kind == PERSON else seat.bot))
    return tuple(
        PublicGame(row.id, row.game, *(tuple(column) for column in zip(*at[row.id], strict=True)))
        for row in rows
        if row.id in at
    )
