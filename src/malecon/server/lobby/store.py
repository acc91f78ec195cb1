"""The waiting tables in the database. Of two who want the same seat, one gets it, in whichever process they ask.

Every change first counts the table's revision up, which makes those who change the same one wait for each other, and
then takes or frees a seat by one statement that says what must hold.
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
from malecon.server.errors import Refused
from malecon.server.lobby.waiting import (
    NoSuchWaitingTable,
    SeatCandidate,
    SeatsTaken,
    WaitingSeat,
    WaitingTable,
    check,
    check_rating,
)
from malecon.server.storage.ledger import Entry
from malecon.server.storage.new_tables import insert_table
from malecon.server.storage.notices import LOBBY
from malecon.server.storage.rows import TableRow
from malecon.server.storage.schema import TABLES, WAITING, WAITING_SEATS
from malecon.server.storage.store import Storage

#: Waiting tables that are shown.
MOST = 100
#: At how many of them one person may sit.
MOST_OF_ONE = 5
_SEEKING = 0x6D616C65636F6E  # PostgreSQL's name for the lock of those who look for a game
#: Seconds: for how long a table waits at most, and for how long it is remembered where it went.
PATIENCE, REMEMBERED = 7 * 86_400, 3600


class LobbyStore:
    """Opens waiting tables and seats people there. Every method is one transaction."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    # --- looking

    def waiting(self, most: int = MOST) -> list[WaitingTable]:
        """Those that wait, the oldest first."""

        def work(connection: Connection) -> list[WaitingTable]:
            wanted = select(WAITING).where(WAITING.c.table.is_(None)).order_by(WAITING.c.opened).limit(most)
            return _with_seats(connection, connection.execute(wanted).mappings().all())

        return self._storage.read(work)

    def find(self, name: str) -> WaitingTable:
        """One of them, or one that has started a while ago; NoSuchWaitingTable where there is none."""
        found = self._storage.read(lambda connection: _one(connection, name))
        if found is None:
            raise NoSuchWaitingTable
        return found

    # --- coming and going

    def open(self, wanted: WaitingTable) -> WaitingTable:
        """A new waiting table."""
        new = replace(check(wanted), id=secrets.token_urlsafe(9))

        def work(connection: Connection, again: bool) -> WaitingTable:
            if again and _one(connection, new.id) is not None:
                return new
            _check_number(connection, new.owner)
            _insert(connection, new)
            self._storage.tell(connection, LOBBY, new.id)
            return new

        return self._storage.write(work)

    def join(self, name: str, guest: SeatCandidate) -> WaitingTable:
        """Take a free seat; SeatsTaken where there is none. Whoever sits there already stays where they are."""

        def work(connection: Connection, again: bool) -> WaitingTable:
            waiting = self._changing(connection, name)
            if guest.person not in waiting.people:
                check_rating(waiting, guest)
                _check_number(connection, guest.person)
                if not _take_seat(connection, waiting, guest):
                    raise SeatsTaken
            return _one(connection, name) or waiting

        return self._storage.write(work)

    def seek(self, wanted: WaitingTable, guest: SeatCandidate, avoided: Collection[str] = ()) -> WaitingTable:
        """Sit down at the fullest table that fits, and the oldest of those; where there is none, at a new one.

        A table that would start with other numbers of players, too, keeps to those that both want.
        """
        checked = check(wanted)

        def work(connection: Connection, again: bool) -> WaitingTable:
            if self._storage.is_shared:  # or two who look for each other would both open a table
                connection.execute(select(func.pg_advisory_xact_lock(_SEEKING)))
            known = select(WAITING).where(
                WAITING.c.table.is_(None) & (WAITING.c.game == checked.game) & (WAITING.c.clock == checked.clock)
            )
            found = _with_seats(connection, connection.execute(known.order_by(WAITING.c.opened)).mappings().all())
            for candidate in sorted(found, key=lambda one: -one.taken):
                if guest.person in candidate.people:
                    return candidate
                if _suits(candidate, checked, guest, avoided):
                    with suppress(NoSuchWaitingTable):  # it has started meanwhile
                        waiting = self._changing(connection, candidate.id)
                        if _suits(waiting, checked, guest, avoided) and _take_seat(connection, waiting, guest):
                            _narrow(connection, waiting, checked.numbers)
                            return _one(connection, waiting.id) or waiting
            _check_number(connection, guest.person)
            new = replace(checked, id=secrets.token_urlsafe(9))
            _insert(connection, new)
            self._storage.tell(connection, LOBBY, new.id)
            return new

        return self._storage.write(work)

    def leave(self, name: str, person: str) -> WaitingTable | None:
        """Give a seat back. Whoever sat down next is the owner then; None where nobody is left and it is closed."""

        def work(connection: Connection, again: bool) -> WaitingTable | None:
            waiting = self._changing(connection, name)
            mine = (WAITING_SEATS.c.waiting == name) & (WAITING_SEATS.c.person == person)
            connection.execute(update(WAITING_SEATS).where(mine).values(person=None, name=None, rating=None))
            left = [other for other in waiting.people if other != person]
            if not left:
                _remove(connection, [name])
                return None
            if waiting.owner == person:
                connection.execute(update(WAITING).where(WAITING.c.id == name).values(owner=left[0]))
            return _one(connection, name)

        return self._storage.write(work)

    def fill_now(self, name: str) -> WaitingTable:
        """Have bots take the free seats at once."""

        def work(connection: Connection, again: bool) -> WaitingTable:
            waiting = self._changing(connection, name)
            connection.execute(update(WAITING).where(WAITING.c.id == name).values(fill_at=0.0))
            return _one(connection, name) or waiting

        return self._storage.write(work)

    def start(self, waiting: WaitingTable, table: TableRow, entries: Sequence[Entry]) -> bool:
        """Make a game of it, unless it has changed since, or somebody else has done so."""

        def work(connection: Connection, again: bool) -> bool:
            if again and connection.execute(select(TABLES.c.id).where(TABLES.c.id == table.id)).first():
                return True
            still = (WAITING.c.id == waiting.id) & WAITING.c.table.is_(None) & (WAITING.c.revision == waiting.revision)
            changed = update(WAITING).where(still).values(table=table.id, opened=time.time())
            if not connection.execute(changed).rowcount:
                return False
            insert_table(connection, table, entries)
            self._storage.tell(connection, LOBBY, waiting.id)
            return True

        return self._storage.write(work)

    def tidy(self, now: float) -> None:
        """Forget those that have waited for too long, and those that started a while ago."""
        old = (WAITING.c.opened < now - PATIENCE) & WAITING.c.table.is_(None)
        started = (WAITING.c.opened < now - REMEMBERED) & WAITING.c.table.is_not(None)

        def work(connection: Connection, again: bool) -> None:
            names = list(connection.execute(select(WAITING.c.id).where(old | started)).scalars())
            if names:
                _remove(connection, names)
                self._storage.tell(connection, LOBBY, names[0])

        self._storage.write(work)

    def _changing(self, connection: Connection, name: str) -> WaitingTable:
        """Lock a table until the transaction ends and return it; raise NoSuchWaitingTable if it has started."""
        still = (WAITING.c.id == name) & WAITING.c.table.is_(None)
        counted = update(WAITING).where(still).values(revision=WAITING.c.revision + 1)
        if not connection.execute(counted).rowcount:
            raise NoSuchWaitingTable
        self._storage.tell(connection, LOBBY, name)
        found = _one(connection, name)
        assert found is not None
        return found


def _check_number(connection: Connection, person: str) -> None:
    """Refused where somebody waits at so many tables that they could not play at all of them."""
    both = WAITING_SEATS.join(WAITING, WAITING.c.id == WAITING_SEATS.c.waiting)
    mine = (WAITING_SEATS.c.person == person) & WAITING.c.table.is_(None)
    if (connection.execute(select(func.count()).select_from(both).where(mine)).scalar() or 0) >= MOST_OF_ONE:
        raise Refused(say("you are waiting at {n} tables already; leave one of them first", n=MOST_OF_ONE))


def _take_seat(connection: Connection, waiting: WaitingTable, guest: SeatCandidate) -> bool:
    """The first seat that is free, taken by one statement that holds only while it is."""
    seat = WAITING_SEATS.c
    rating = guest.ratings.get(max(waiting.numbers)) if guest.account else None
    values = {
        "person": guest.person,
        "name": guest.name,
        "account": guest.account,
        "automatic": guest.automatic,
        "rating": rating,
    }
    free = (seat.waiting == waiting.id) & seat.person.is_(None) & seat.bot.is_(None)
    numbers = connection.execute(select(seat.seat).where(free).order_by(seat.seat)).scalars().all()
    return any(
        connection.execute(update(WAITING_SEATS).where(free & (seat.seat == number)).values(**values)).rowcount
        for number in numbers
    )


def _suits(waiting: WaitingTable, wanted: WaitingTable, guest: SeatCandidate, avoided: Collection[str]) -> bool:
    """Whether somebody who looks for such a game may and would sit there."""
    if waiting.is_full or set(waiting.people) & set(avoided) or dict(waiting.options) != dict(wanted.options):
        return False
    if not any(number in wanted.numbers and number > waiting.taken for number in waiting.numbers):
        return False
    rating = guest.ratings.get(max(waiting.numbers))
    low, high = waiting.lowest, waiting.highest
    if low is None and high is None:
        return True
    return guest.account and rating is not None and (low or 0) <= rating and (high is None or rating <= high)


def _narrow(connection: Connection, waiting: WaitingTable, numbers: Collection[int]) -> None:
    """Keep to the numbers of players that are wanted by all, and to as many seats."""
    taken = waiting.taken + 1
    kept = [number for number in waiting.numbers if number in numbers and number >= taken]
    if kept == list(waiting.numbers):
        return
    connection.execute(update(WAITING).where(WAITING.c.id == waiting.id).values(numbers=kept))
    here = (WAITING_SEATS.c.waiting == waiting.id) & WAITING_SEATS.c.person.is_(None) & WAITING_SEATS.c.bot.is_(None)
    free = list(connection.execute(select(WAITING_SEATS.c.seat).where(here).order_by(WAITING_SEATS.c.seat)).scalars())
    gone = free[max(kept) - taken :]
    of_this = (WAITING_SEATS.c.waiting == waiting.id) & WAITING_SEATS.c.seat.in_(gone)
    connection.execute(delete(WAITING_SEATS).where(of_this))


def _insert(connection: Connection, new: WaitingTable) -> None:
    values = {name: value for name, value in vars(new).items() if name != "seats"}
    values |= {"numbers": list(new.numbers), "options": dict(new.options)}
    connection.execute(insert(WAITING), values)
    seats = [{"waiting": new.id, "seat": number} | vars(seat) for number, seat in enumerate(new.seats)]
    connection.execute(insert(WAITING_SEATS), seats)


def _remove(connection: Connection, names: Sequence[str]) -> None:
    connection.execute(delete(WAITING_SEATS).where(WAITING_SEATS.c.waiting.in_(names)))
    connection.execute(delete(WAITING).where(WAITING.c.id.in_(names)))


def _one(connection: Connection, name: str) -> WaitingTable | None:
    rows = connection.execute(select(WAITING).where(WAITING.c.id == name)).mappings().all()
    return next(iter(_with_seats(connection, rows)), None)


def _with_seats(connection: Connection, rows: Sequence[Any]) -> list[WaitingTable]:
    names = [row["id"] for row in rows]
    wanted = select(WAITING_SEATS).where(WAITING_SEATS.c.waiting.in_(names)).order_by(WAITING_SEATS.c.seat)
    at: defaultdict[str, list[WaitingSeat]] = defaultdict(list)
    for seat in connection.execute(wanted).mappings():
        at[seat["waiting"]].append(WaitingSeat(**{field: seat[field] for field in WaitingSeat.__dataclass_fields__}))
    return [WaitingTable(**dict(row) | {"numbers": tuple(row["numbers"])}, seats=tuple(at[row["id"]])) for row in rows]
