"""The waiting tables in the database. Two people cannot take the same seat, in whichever process they ask.

Every change first increments the table's revision, which locks its row, and then takes or frees a seat by one statement
with the condition that must hold.
"""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from malecon.kernel.phrases import say
from malecon.server.errors import NotYourSeat, Refused
from malecon.server.lobby.waiting import (
    NoSuchWaitingTable,
    SeatCandidate,
    SeatsTaken,
    WaitingSeat,
    WaitingTable,
    check,
    check_candidate,
)
from malecon.server.storage.game_log import LogEntry
from malecon.server.storage.notices import LOBBY
from malecon.server.storage.rows import TableRow
from malecon.server.storage.schema import TABLES, WAITING, WAITING_SEATS
from malecon.server.storage.store import Storage, insert_table
from malecon.server.storage.transactions import is_retry, reads, writes

#: Waiting tables that are listed.
MOST_LISTED = 100
#: Waiting tables at which one person may have a seat.
MOST_PER_PERSON = 5
#: The advisory lock of PostgreSQL for searches.
_SEARCH_LOCK = 0x6D616C65636F6E
#: A table is removed when it has waited this long.
EXPIRY_SECONDS = 7 * 86_400
#: A table that has started is kept this long, so that its players are led to the game.
STARTED_SECONDS = 3600


class LobbyStore:
    """Stores waiting tables and their seats. Every method is one transaction."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    # --- looking

    @reads
    def waiting(self, connection: Connection, most: int = MOST_LISTED) -> list[WaitingTable]:
        """Return the tables that wait, the oldest first."""
        query = select(WAITING).where(WAITING.c.table.is_(None)).order_by(WAITING.c.opened).limit(most)
        return _with_seats(connection, connection.execute(query).mappings().all())

    @reads
    def find(self, connection: Connection, name: str) -> WaitingTable:
        """Return a table that waits or has started a short while ago; raise NoSuchWaitingTable if there is none."""
        waiting = _read(connection, name)
        if waiting is None:
            raise NoSuchWaitingTable
        return waiting

    # --- coming and going

    def open(self, table: WaitingTable) -> WaitingTable:
        """Store a new waiting table."""
        new = replace(check(table), id=secrets.token_urlsafe(9))
        self._add(new)
        return new

    @writes
    def _add(self, connection: Connection, new: WaitingTable) -> None:
        if is_retry(connection) and _read(connection, new.id) is not None:
            return
        _check_seat_count(connection, new.owner)
        _insert(connection, new)
        self._storage.notify(connection, LOBBY, new.id)

    @writes
    def join(self, connection: Connection, name: str, candidate: SeatCandidate) -> WaitingTable:
        """Take a free seat; raise SeatsTaken if there is none. A person who has a seat already keeps it."""
        waiting = self._lock(connection, name)
        if candidate.person not in waiting.people:
            check_candidate(waiting, candidate)
            _check_seat_count(connection, candidate.person)
            if not _take_seat(connection, waiting, candidate):
                raise SeatsTaken
        return _read(connection, name) or waiting

    @writes
    def seek(
        self, connection: Connection, search: WaitingTable, candidate: SeatCandidate, avoided: Collection[str] = ()
    ) -> WaitingTable:
        """Take a seat at the fullest table that fits, the oldest of those; or at a new one if none fits.

        The table keeps only the numbers of players that both want.
        """
        checked = check(search)
        if self._storage.is_shared:  # else two people looking for each other would both open a table
            connection.execute(select(func.pg_advisory_xact_lock(_SEARCH_LOCK)))
        open_tables = select(WAITING).where(
            WAITING.c.table.is_(None) & (WAITING.c.game == checked.game) & (WAITING.c.clock == checked.clock)
        )
        tables = _with_seats(connection, connection.execute(open_tables.order_by(WAITING.c.opened)).mappings().all())
        for table in sorted(tables, key=lambda table: -table.taken):
            if candidate.person in table.people:
                return table
            if _suits(table, checked, candidate, avoided):
                with suppress(NoSuchWaitingTable):  # it has started meanwhile
                    waiting = self._lock(connection, table.id)
                    if _suits(waiting, checked, candidate, avoided) and _take_seat(connection, waiting, candidate):
                        _narrow(connection, waiting, checked.numbers)
                        return _read(connection, waiting.id) or waiting
        _check_seat_count(connection, candidate.person)
        new = replace(checked, id=secrets.token_urlsafe(9))
        _insert(connection, new)
        self._storage.notify(connection, LOBBY, new.id)
        return new

    @writes
    def leave(self, connection: Connection, name: str, person: str) -> WaitingTable | None:
        """Free the seat of a person; return the table, which the next person owns, or None if it is empty.

        Raise NotYourSeat if the person has none: nothing changes and nobody is notified.
        """
        waiting = self._lock(connection, name)
        if person not in waiting.people:
            raise NotYourSeat
        own_seat = (WAITING_SEATS.c.waiting == name) & (WAITING_SEATS.c.person == person)
        connection.execute(update(WAITING_SEATS).where(own_seat).values(person=None, name=None, rating=None))
        left = [other for other in waiting.people if other != person]
        if not left:
            _remove(connection, [name])
            return None
        if waiting.owner == person:
            connection.execute(update(WAITING).where(WAITING.c.id == name).values(owner=left[0]))
        return _read(connection, name)

    @writes
    def fill_now(self, connection: Connection, name: str) -> WaitingTable:
        """Let bots take the free seats at once."""
        waiting = self._lock(connection, name)
        connection.execute(update(WAITING).where(WAITING.c.id == name).values(fill_at=0.0))
        return _read(connection, name) or waiting

    @writes
    def start(
        self, connection: Connection, waiting: WaitingTable, table: TableRow, entries: Sequence[LogEntry]
    ) -> bool:
        """Start the game; return False if the table has changed or started meanwhile."""
        if is_retry(connection) and connection.execute(select(TABLES.c.id).where(TABLES.c.id == table.id)).first():
            return True
        still = (WAITING.c.id == waiting.id) & WAITING.c.table.is_(None) & (WAITING.c.revision == waiting.revision)
        changed = update(WAITING).where(still).values(table=table.id, opened=time.time())
        if not connection.execute(changed).rowcount:
            return False
        insert_table(connection, table, entries)
        self._storage.notify(connection, LOBBY, waiting.id)
        return True

    @writes
    def close(self, connection: Connection, waiting: WaitingTable) -> None:
        """Remove a table, unless it has changed or started meanwhile."""
        still = (WAITING.c.id == waiting.id) & WAITING.c.table.is_(None) & (WAITING.c.revision == waiting.revision)
        if connection.execute(update(WAITING).where(still).values(revision=WAITING.c.revision + 1)).rowcount:
            _remove(connection, [waiting.id])
            self._storage.notify(connection, LOBBY, waiting.id)

    @writes
    def tidy(self, connection: Connection, now: float) -> None:
        """Remove tables that have waited too long, and those that have started a while ago."""
        old = (WAITING.c.opened < now - EXPIRY_SECONDS) & WAITING.c.table.is_(None)
        started = (WAITING.c.opened < now - STARTED_SECONDS) & WAITING.c.table.is_not(None)
        names = list(connection.execute(select(WAITING.c.id).where(old | started)).scalars())
        if names:
            _remove(connection, names)
            self._storage.notify(connection, LOBBY, names[0])

    def _lock(self, connection: Connection, name: str) -> WaitingTable:
        """Lock a table until the transaction ends and return it; raise NoSuchWaitingTable if it has started."""
        still = (WAITING.c.id == name) & WAITING.c.table.is_(None)
        increment = update(WAITING).where(still).values(revision=WAITING.c.revision + 1)
        if not connection.execute(increment).rowcount:
            raise NoSuchWaitingTable
        self._storage.notify(connection, LOBBY, name)
        waiting = _read(connection, name)
        assert waiting is not None
        return waiting


def _check_seat_count(connection: Connection, person: str) -> None:
    """Raise Refused if a person has seats at too many waiting tables."""
    joined = WAITING_SEATS.join(WAITING, WAITING.c.id == WAITING_SEATS.c.waiting)
    own = (WAITING_SEATS.c.person == person) & WAITING.c.table.is_(None)
    if (connection.execute(select(func.count()).select_from(joined).where(own)).scalar() or 0) >= MOST_PER_PERSON:
        raise Refused(say("you are waiting at {n} tables already; leave one of them first", n=MOST_PER_PERSON))


def _take_seat(connection: Connection, waiting: WaitingTable, candidate: SeatCandidate) -> bool:
    """Take the first free seat by a statement that only matches while it is free; return whether one was taken."""
    seat = WAITING_SEATS.c
    rating = candidate.ratings.get(max(waiting.numbers)) if candidate.account else None
    values = {
        "person": candidate.person,
        "name": candidate.name,
        "account": candidate.account,
        "automatic": candidate.automatic,
        "rating": rating,
    }
    free = (seat.waiting == waiting.id) & seat.person.is_(None) & seat.bot.is_(None)
    numbers = connection.execute(select(seat.seat).where(free).order_by(seat.seat)).scalars().all()
    return any(
        connection.execute(update(WAITING_SEATS).where(free & (seat.seat == number)).values(**values)).rowcount
        for number in numbers
    )


def _suits(waiting: WaitingTable, search: WaitingTable, candidate: SeatCandidate, avoided: Collection[str]) -> bool:
    """Return whether a table fits a search and its candidate."""
    if waiting.is_full or set(waiting.people) & set(avoided) or dict(waiting.options) != dict(search.options):
        return False
    if not any(number in search.numbers and number > waiting.taken for number in waiting.numbers):
        return False
    rating = candidate.ratings.get(max(waiting.numbers))
    low, high = waiting.lowest, waiting.highest
    if low is None and high is None:
        return True
    return candidate.account and rating is not None and (low or 0) <= rating and (high is None or rating <= high)


def _narrow(connection: Connection, waiting: WaitingTable, numbers: Collection[int]) -> None:
    """Restrict a table to the numbers of players in `numbers`, and remove seats that it no longer needs."""
    taken = waiting.taken + 1
    kept = [number for number in waiting.numbers if number in numbers and number >= taken]
    if kept == list(waiting.numbers):
        return
    connection.execute(update(WAITING).where(WAITING.c.id == waiting.id).values(numbers=kept))
    free_seats = (
        (WAITING_SEATS.c.waiting == waiting.id) & WAITING_SEATS.c.person.is_(None) & WAITING_SEATS.c.bot.is_(None)
    )
    free = list(
        connection.execute(select(WAITING_SEATS.c.seat).where(free_seats).order_by(WAITING_SEATS.c.seat)).scalars()
    )
    gone = free[max(kept) - taken :]
    surplus = (WAITING_SEATS.c.waiting == waiting.id) & WAITING_SEATS.c.seat.in_(gone)
    connection.execute(delete(WAITING_SEATS).where(surplus))


def _insert(connection: Connection, new: WaitingTable) -> None:
    values = {name: value for name, value in vars(new).items() if name in WAITING.c}
    values |= {"numbers": list(new.numbers), "options": dict(new.options)}
    connection.execute(insert(WAITING), values)
    seats = [{"waiting": new.id, "seat": number} | vars(seat) for number, seat in enumerate(new.seats)]
    connection.execute(insert(WAITING_SEATS), seats)


def _remove(connection: Connection, names: Sequence[str]) -> None:
    connection.execute(delete(WAITING_SEATS).where(WAITING_SEATS.c.waiting.in_(names)))
    connection.execute(delete(WAITING).where(WAITING.c.id.in_(names)))


def _read(connection: Connection, name: str) -> WaitingTable | None:
    rows = connection.execute(select(WAITING).where(WAITING.c.id == name)).mappings().all()
    return next(iter(_with_seats(connection, rows)), None)


def _with_seats(connection: Connection, rows: Sequence[Any]) -> list[WaitingTable]:
    names = [row["id"] for row in rows]
    query = select(WAITING_SEATS).where(WAITING_SEATS.c.waiting.in_(names)).order_by(WAITING_SEATS.c.seat)
    seats: defaultdict[str, list[WaitingSeat]] = defaultdict(list)
    for seat in connection.execute(query).mappings():
        seats[seat["waiting"]].append(WaitingSeat(**{field: seat[field] for field in WaitingSeat.__dataclass_fields__}))
    return [
        WaitingTable(**dict(row) | {"numbers": tuple(row["numbers"])}, seats=tuple(seats[row["id"]])) for row in rows
    ]
