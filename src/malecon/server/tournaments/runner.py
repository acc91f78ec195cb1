"""Runs tournaments: starts them in time, takes results from tables, and pairs one round after the other.

Several processes may do so on one database: each step is written once, by the first. A server that stops half-way
loses nothing: what is due is read from the database every second.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Collection, Hashable, Mapping
from dataclasses import replace
from typing import TypeVar, cast
from weakref import WeakValueDictionary

from malecon.kernel.phrases import say
from malecon.server.accounts.ratings import final_places
from malecon.server.accounts.visitors import Choices
from malecon.server.errors import Refused, Resigned
from malecon.server.events import Events
from malecon.server.names import distinct_names
from malecon.server.operations import memory
from malecon.server.operations.memory import Memory
from malecon.server.storage.rows import TOURNAMENT
from malecon.server.storage.store import Storage
from malecon.server.tables.events import TableStarted
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable, new_table
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from malecon.server.tournaments.model import CALLED_OFF, OPEN, ROUND_ROBIN, Tournament, plan_stored
from malecon.server.tournaments.pairing import Round
from malecon.server.tournaments.standings import beaten
from malecon.server.tournaments.store import NewTables, SeatResult, TournamentStore

log = logging.getLogger("malecon.server")
Value = TypeVar("Value")
#: Estimated memory of a tournament, and of each of its entrants and pairings.
SNAPSHOT_BYTES = 10_000
ROW_BYTES = 1_000


class TournamentSnapshot:
    """A tournament at one revision, and what is made of it once for all who look."""

    def __init__(
        self, tournament: Tournament, names: Mapping[int, str], use: Callable[[TournamentSnapshot], None]
    ) -> None:
        self.tournament = tournament
        self.names = names
        self._made: dict[Hashable, object] = {}
        self._making: dict[Hashable, asyncio.Lock] = {}
        self._use = use

    async def once(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return what `make` returns; it is called once, in a thread."""
        if key not in self._made:
            async with self._making.setdefault(key, asyncio.Lock()):
                if key not in self._made:
                    self._made[key] = await asyncio.to_thread(make)
                    self._use(self)
        return cast(Value, self._made[key])

    @property
    def size(self) -> int:
        """The estimated bytes in memory."""
        texts = sum(len(value) for value in self._made.values() if isinstance(value, str))
        others = sum(not isinstance(value, str) for value in self._made.values())
        rows = len(self.tournament.entrants) + len(self.tournament.pairings)
        return SNAPSHOT_BYTES + ROW_BYTES * rows * (1 + others) + 2 * texts


class Tournaments:
    """Runs all tournaments, and wakes those who follow one when it changes."""

    def __init__(
        self, storage: Storage, tables: LiveTables, events: Events | None = None, budget: Memory | None = None
    ) -> None:
        self._storage, self._tables, self._events = storage, tables, events or Events()
        self._memory = budget or Memory(0)
        self._snapshots: dict[str, TournamentSnapshot] = {}
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.store = TournamentStore(storage)
        self._watched: dict[str, set[asyncio.Event]] = {}
        self._revisions: dict[str, int] = {}
        self._lock = asyncio.Lock()

    # --- what people do

    async def open(self, tournament: Tournament) -> Tournament:
        """Store a new tournament; a series begins at once."""
        new = await asyncio.to_thread(self.store.open, tournament)
        return await self._advance_now(new.id) if new.is_series else new

    async def join(self, name: str, person: str) -> None:
        await asyncio.to_thread(self.store.join, name, person)
        await self._wake()

    async def start(self, name: str) -> Tournament:
        """Start a tournament now; raise Refused if there are too few entrants."""
        tournament = await asyncio.to_thread(self.store.find, name)
        if tournament.state != OPEN:
            raise Refused(say("this tournament has begun already"))
        if len(tournament.active) < tournament.fewest:
            raise Refused(say("this tournament needs {n} players to start", n=tournament.fewest))
        return await self._advance_now(name)

    async def leave(self, name: str, person: str) -> None:
        """Take back an entry, or withdraw: running games are resigned."""
        await asyncio.to_thread(self.store.leave, name, person)
        await self.tick()

    async def end(self, name: str) -> None:
        """End a tournament. Running games can be played to the end but no longer count."""
        await asyncio.to_thread(self.store.end, name)
        await self._wake()

    async def _advance_now(self, name: str) -> Tournament:
        async with self._lock:
            await self._advance(name)
        await self._wake()
        return await asyncio.to_thread(self.store.find, name)

    # --- what goes on by itself

    async def tick(self) -> None:
        """Do all that is due: resign games of those who withdrew, store results, start rounds."""
        async with self._lock:
            due = await asyncio.to_thread(self.store.due, time.time())
            for table, seat, person in due.leaving:
                await self._log_failure(self._give_up, table, seat, person)
            if due.leaving:
                due = await asyncio.to_thread(self.store.due, time.time())
            for name, table in due.decided:
                await self._log_failure(self._decide, name, table)
            if due.decided:
                due = await asyncio.to_thread(self.store.due, time.time())
            for name in due.forward:
                await self._log_failure(self._advance, name)
        await self._wake()

    async def _log_failure(self, work: Callable[..., object], *what: object) -> None:
        try:
            await work(*what)  # type: ignore[misc]
        except Exception:  # the others must not wait for one that cannot go on
            log.exception("a tournament cannot go on: %s", what)

    async def _give_up(self, name: str, seat: int, person: str) -> None:
        table = await self._tables.get(name)
        try:
            await self._tables.resign(table, person, seat)
        except (Refused, Resigned) as error:  # it was over, or they had resigned already
            log.info("table %s: %s", name, error)

    async def _decide(self, name: str, table_name: str) -> None:
        table = await self._tables.get(table_name)
        await self._tables.refresh(table)  # the end may be on disk and not yet in memory
        tournament = await asyncio.to_thread(self.store.find, name)
        seats = [pairing.seat for pairing in tournament.tables.get(table_name, ()) if pairing.seat is not None]
        results = results_of(table, seats)
        if results is not None:
            await asyncio.to_thread(self.store.decide, name, table_name, results, table.match.players - 1)

    async def _advance(self, name: str) -> None:
        """Start a tournament, pair its next round, or finish it."""
        tournament = await asyncio.to_thread(self.store.find, name)
        plan = None
        if tournament.state == OPEN:
            if not tournament.is_series and len(tournament.active) < tournament.fewest:
                await asyncio.to_thread(self.store.finish, tournament, CALLED_OFF)
                return
            if tournament.format == ROUND_ROBIN:
                plan = await asyncio.to_thread(tournament.planned)
        elif not tournament.is_running or not tournament.is_round_decided:
            return
        gone = await asyncio.to_thread(self.store.banned, tournament)
        planned = tournament if plan is None else replace(tournament, plan=plan_stored(plan))
        new = await asyncio.to_thread(planned.next_round, gone)
        if new is None:
            await asyncio.to_thread(self.store.finish, tournament)
            return
        tables = await asyncio.to_thread(self._new_tables, tournament, new)
        if not await asyncio.to_thread(self.store.begin_round, tournament, new, list(tables), tables, plan):
            return  # an entrant has just left, or another process was faster
        for table_name in tables:
            self._events.publish(TableStarted(await self._tables.get(table_name)))
            if tournament.is_series and tournament.tables:
                last = await self._tables.get(list(tournament.tables)[-1])
                await self._tables.link_rematch(last, table_name)

    def _new_tables(self, tournament: Tournament, new: Round) -> NewTables:
        """Return the tables of a round to be written, in the order of the round."""
        names = self.store.names_of(tournament)
        people = {entrant.number: entrant.person for entrant in tournament.entrants}
        automatic = {number: self._choices(person).automatic for number, person in people.items() if person}
        tables = {}
        for group in new.tables:
            seat_names = distinct_names([names.get(number) for number in group])
            seats = [
                NewSeat("person", name, person=people[number], automatic=automatic.get(number, True))
                for number, name in zip(group, seat_names, strict=True)
            ]
            if tournament.is_series:
                own_seat = tournament.round % tournament.players
                bots = [NewSeat(f"bot:{tournament.bot}")] * (tournament.players - 1)
                seats = [*bots[:own_seat], *seats, *bots[own_seat:]]
            settings = NewTable(
                game=tournament.game,
                seats=tuple(seats),
                **tournament.table_options()
                | ({"pace": self._choices(tournament.owner).pace} if tournament.is_series else {}),
            )
            # nobody owns the table of a tournament: its owner may be one of the players, and could send others away
            owner = tournament.owner if tournament.is_series else f"{TOURNAMENT}{tournament.id}"
            row, entries = new_table(settings, owner)
            tables[row.id] = row, entries
        return tables

    def _choices(self, person: str) -> Choices:
        cached = self._storage.cached_choices(person)
        return Choices.of(self._storage.choices(person) if cached is None else cached)

    # --- those who look

    async def look(self, name: str) -> TournamentSnapshot:
        """Return a tournament as it is now; raise NoSuchTournament if there is none."""
        return await self._snapshot(name, await asyncio.to_thread(self.store.revision, name))

    async def _snapshot(self, name: str, revision: int) -> TournamentSnapshot:
        """Return a tournament at that revision or a later one. It is read once, however many people look."""
        async with self._reading.setdefault(name, asyncio.Lock()):
            snapshot = self._snapshots.get(name)
            if snapshot is None or snapshot.tournament.revision < revision:
                tournament = await asyncio.to_thread(self.store.find, name)
                names = await asyncio.to_thread(self.store.names_of, tournament)
                snapshot = self._snapshots[name] = TournamentSnapshot(tournament, names, self._use)
        self._use(snapshot)
        return snapshot

    def _use(self, snapshot: TournamentSnapshot) -> None:
        name = snapshot.tournament.id
        if self._snapshots.get(name) is snapshot:
            self._memory.use(memory.TOURNAMENTS, name, snapshot.size, lambda: self._snapshots.pop(name, None))

    async def changes(self, name: str) -> AsyncGenerator[TournamentSnapshot]:
        """Yield a tournament now and after every change."""
        woken = asyncio.Event()
        self._watched.setdefault(name, set()).add(woken)
        try:
            snapshot = await self.look(name)
            while True:
                self._revisions[name] = max(self._revisions.get(name, 0), snapshot.tournament.revision)
                yield snapshot
                await woken.wait()
                woken.clear()
                snapshot = await self._snapshot(name, self._revisions[name])
        finally:
            self._watched[name].discard(woken)
            if not self._watched[name]:
                del self._watched[name]
                self._revisions.pop(name, None)

    async def _wake(self) -> None:
        if not self._watched:
            return
        revisions = await asyncio.to_thread(self.store.revisions, tuple(self._watched))
        for name, revision in revisions.items():
            if self._revisions.get(name) != revision:
                self._revisions[name] = revision
                for woken in self._watched.get(name, ()):
                    woken.set()


def results_of(table: Table, tracked: Collection[int]) -> Mapping[int, SeatResult] | None:
    """Return how a table ended for the tracked seats; None while it is undecided.

    Those who have resigned come in last. A table is decided early if only one player has not resigned; if all agreed to
    stop, it is a tie.
    """
    seats = [replace(seat, resigned=seat.resigned or seat.taken_over) for seat in table.row.seats]
    left = [not seat.resigned for seat in seats]
    outcome = table.match.outcome
    points = [0] * len(seats)
    if outcome is not None:
        places, points = final_places(outcome.places, seats), [int(value) for value in outcome.points]
    elif table.row.is_stopped or sum(left) <= 1 or not any(left[seat] for seat in tracked):
        places = [1 if value else 1 + sum(left) for value in left]
    else:
        return None
    won = beaten(places)
    return {seat: SeatResult(places[seat], won[seat], points[seat]) for seat in tracked}
