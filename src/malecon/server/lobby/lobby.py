"""The lobby of one process: waiting tables, public games and who is online, as a snapshot for everybody.

Changes within half a second make one new snapshot, however many look at the lobby. No move waits for the lobby.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from malecon.kernel.errors import BadSetup, MaleconError
from malecon.server.accounts.presence import Presence
from malecon.server.background import Background
from malecon.server.events import Events
from malecon.server.lobby.store import LobbyStore
from malecon.server.lobby.waiting import CannotStart, SeatCandidate, SeatFreed, WaitingTable
from malecon.server.storage.rows import PERSON
from malecon.server.storage.schema import SEATS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.tables.events import TableStarted
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import new_table

log = logging.getLogger("malecon.server")
#: Changes within this time are shown together.
GATHER_SECONDS = 0.5
#: The public games are read again after this time.
GAMES_CACHE_SECONDS = 15.0
#: Absence after which a person loses their seat at a waiting table.
AWAY_SECONDS = 60.0
#: Time between two removals of old waiting tables.
TIDY_SECONDS = 600.0
#: Public games that are listed.
MOST_GAMES = 12
#: A game counts as running for this time after its last move.
RUNNING_SECONDS = 2 * 86_400
#: Listeners woken at a time, so that no move waits for hundreds of them.
WAKE_BATCH = 16


@dataclass(frozen=True)
class PublicGame:
    """A running public game: its people and bots in the order of seats."""

    table: str
    game: str
    names: tuple[str | None, ...]
    bots: tuple[str | None, ...]


@dataclass(frozen=True)
class LobbySnapshot:
    """The lobby at one moment, the same for everybody."""

    revision: int = 0
    waiting: tuple[WaitingTable, ...] = ()
    games: tuple[PublicGame, ...] = ()
    here: tuple[str, ...] = ()  # names of those who want to be seen
    guests: int = 0  # the number of all others who are online

    def waiting_of(self, person: str) -> tuple[WaitingTable, ...]:
        return tuple(waiting for waiting in self.waiting if person in waiting.people)


class Lobby:
    """Keeps waiting tables, starts those that are full, and wakes listeners when the snapshot changes."""

    def __init__(self, storage: Storage, tables: LiveTables, presence: Presence, events: Events) -> None:
        self._storage, self._tables, self._presence, self._events = storage, tables, presence, events
        self.store = LobbyStore(storage)
        self.snapshot = LobbySnapshot()
        self._listeners: set[Callable[[], None]] = set()
        self._background = Background()
        self._stale = True
        self._refresh_is_due = False
        self._games: tuple[PublicGame, ...] = ()
        self._games_read = -GAMES_CACHE_SECONDS
        self._tidied = 0.0
        self._missed: dict[str, float] = {}  # since when people with a seat are offline
        self._refresh_lock = asyncio.Lock()

    # --- what people do

    async def open(self, new: WaitingTable) -> WaitingTable:
        return self._announce_free_seat(await self._changed(await asyncio.to_thread(self.store.open, new)))

    async def join(self, name: str, candidate: SeatCandidate) -> WaitingTable:
        return await self._changed(await asyncio.to_thread(self.store.join, name, candidate))

    async def seek(self, search: WaitingTable, candidate: SeatCandidate, avoided: tuple[str, ...] = ()) -> WaitingTable:
        waiting = await self._changed(await asyncio.to_thread(self.store.seek, search, candidate, avoided))
        return (
            self._announce_free_seat(waiting) if waiting.people == (candidate.person,) else waiting
        )  # a table with others is not new

    async def fill_now(self, name: str) -> WaitingTable:
        return await self._changed(await asyncio.to_thread(self.store.fill_now, name))

    async def leave(self, name: str, person: str) -> None:
        left = await asyncio.to_thread(self.store.leave, name, person)
        self.touch()
        if left is not None:
            self._announce_free_seat(left)

    async def find(self, name: str) -> WaitingTable:
        return await asyncio.to_thread(self.store.find, name)

    def _announce_free_seat(self, waiting: WaitingTable) -> WaitingTable:
        if waiting.table is None and not waiting.is_full:
            self._events.publish(SeatFreed(waiting))
        return waiting

    async def _changed(self, waiting: WaitingTable) -> WaitingTable:
        """Start a table if its seats are taken; return it."""
        self.touch()
        self._missed = {person: since for person, since in self._missed.items() if person not in waiting.people}
        return await self._start_if_ready(waiting)

    async def _start_if_ready(self, waiting: WaitingTable) -> WaitingTable:
        players = None if waiting.table is not None else waiting.starts_with(time.time())
        if players is None:
            return waiting
        try:
            row, entries = new_table(waiting.game_of(players), waiting.owner)
        except BadSetup as error:  # it would fail every second, and keep its people waiting
            await asyncio.to_thread(self.store.close, waiting)
            self.touch()
            raise CannotStart(error) from error
        if not await asyncio.to_thread(self.store.start, waiting, row, entries):
            return await self.find(waiting.id)  # a person has just left, or another process was faster
        table = await self._tables.get(row.id)
        self._games_read = -GAMES_CACHE_SECONDS
        self.touch()
        self._events.publish(TableStarted(table))
        return replace(waiting, table=row.id)

    # --- what goes on by itself

    async def tick(self) -> None:
        """Start tables that are due, free the seats of absent people, remove old tables."""
        now = time.time()
        if self._stale and not self._refresh_is_due:
            await self.refresh()
        for waiting in self.snapshot.waiting:
            try:
                if waiting.starts_with(now) is not None:
                    await self._start_if_ready(await self.find(waiting.id))
                    self.touch()
                elif waiting.needs_presence:
                    await self._remove_absent(waiting, now)
            except MaleconError as error:  # it was closed meanwhile, or cannot start
                log.info("waiting table: %s", error)
        if now > self._tidied + TIDY_SECONDS:
            self._tidied = now
            await asyncio.to_thread(self.store.tidy, now)
        if self._listeners and time.monotonic() > self._games_read + GAMES_CACHE_SECONDS:
            self.touch()

    async def _remove_absent(self, waiting: WaitingTable, now: float) -> None:
        online = self._presence.people()
        for person in waiting.people:
            if person in online:
                self._missed.pop(person, None)
            elif now - self._missed.setdefault(person, now) > AWAY_SECONDS:
                await self.leave(waiting.id, person)

    def touch(self) -> None:
        """Refresh the snapshot soon, once for all changes until then."""
        self._stale = True
        if self._listeners and not self._refresh_is_due:
            self._refresh_is_due = True
            self._background.begin(self._refresh_soon())

    async def _refresh_soon(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        self._refresh_is_due = False
        await self.refresh()

    async def fresh(self) -> LobbySnapshot:
        """Return an up-to-date snapshot, without waiting until changes are gathered."""
        if self._stale:
            await self.refresh()
        return self.snapshot

    async def refresh(self) -> None:
        async with self._refresh_lock:
            self._stale = False
            try:
                waiting = await asyncio.to_thread(self.store.waiting)
                if time.monotonic() > self._games_read + GAMES_CACHE_SECONDS:
                    self._games_read = time.monotonic()
                    self._games = await asyncio.to_thread(self._storage.read, _public_games)
            except MaleconError:
                self._stale = True
                raise
            present = self._presence.everybody()
            named = {person.person: person.name for person in present if person.name}
            snapshot = replace(
                self.snapshot,
                waiting=tuple(waiting),
                games=self._games,
                here=tuple(sorted(named.values(), key=str.casefold)),
                guests=len({person.person for person in present}) - len(named),
            )
            if snapshot != self.snapshot:
                self.snapshot = replace(snapshot, revision=snapshot.revision + 1)
                self._wake(tuple(self._listeners))

    def _wake(self, listeners: tuple[Callable[[], None], ...]) -> None:
        for listener in listeners[:WAKE_BATCH]:
            listener()
        if len(listeners) > WAKE_BATCH:
            asyncio.get_running_loop().call_soon(self._wake, listeners[WAKE_BATCH:])

    async def changes(self) -> AsyncGenerator[LobbySnapshot]:
        """Yield the snapshot, now and after every change, quick ones together."""
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


def _public_games(connection: Connection) -> tuple[PublicGame, ...]:
    """Return the running public games, the latest changed first."""
    running = TABLES.c.public.is_(True) & TABLES.c.over.is_(False) & (TABLES.c.changed > time.time() - RUNNING_SECONDS)
    query = select(TABLES.c.id, TABLES.c.game).where(running).order_by(TABLES.c.changed.desc()).limit(MOST_GAMES)
    rows = connection.execute(query).all()
    seats = select(SEATS).where(SEATS.c.table.in_([row.id for row in rows])).order_by(SEATS.c.seat)
    players: dict[str, list[tuple[str | None, str | None]]] = {}
    for seat in connection.execute(seats):
        players.setdefault(seat.table, []).append((seat.name, None if seat.kind == PERSON else seat.bot))
    return tuple(
        PublicGame(row.id, row.game, *(tuple(column) for column in zip(*players[row.id], strict=True)))
        for row in rows
        if row.id in players
    )
