"""Accounts: a name and a password that keep somebody's games across devices. Nobody needs one.

What is stored of a password is argon2's hash. An account is a person like a guest is: seats and tables name the person,
so a guest who registers, and one who logs in, brings their games along.
"""

from __future__ import annotations

import asyncio
import secrets
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.errors import BadPassword, NameTaken, NoAccount
from malecon.server.names import alphabets, lookalikes, name_key, tidy_name
from malecon.server.storage.schema import (
    ACCOUNTS,
    ANALYSES,
    DEVICES,
    ENTRANTS,
    LESSONS_DONE,
    MESSAGES,
    PEOPLE,
    PUZZLE_RATINGS,
    PUZZLE_TRIES,
    RATINGS,
    RELATIONS,
    REPORTS,
    RESULTS,
    SEATS,
    SNAPSHOTS,
    TABLES,
    TOURNAMENTS,
    WAITING,
    WAITING_SEATS,
)
from malecon.server.storage.store import Storage
from malecon.server.tables.seats import abandoned_seat

Found = TypeVar("Found")
SHORTEST_NAME, LONGEST_NAME = 2, 40
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 200
#: Passwords that are hashed at the same time: each takes a core and 19 MB for a moment.
HASHERS = 2


@dataclass(frozen=True)
class Account:
    """Somebody with a name of their own."""

    person: str
    name: str
    epoch: int
    hook: str | None = None


class Accounts:
    """All accounts."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._hashing = asyncio.Semaphore(HASHERS)
        self.on_end: Callable[[str], None] = lambda person: None  # in the process that ended somebody's sessions

    def find(self, person: str) -> tuple[Account, dict[str, Any]] | None:
        """An account and what its owner has chosen."""
        both = ACCOUNTS.outerjoin(PEOPLE, PEOPLE.c.id == ACCOUNTS.c.person)
        wanted = select(*_COLUMNS, PEOPLE.c.choices).select_from(both).where(ACCOUNTS.c.person == person)
        row = self._storage.read(lambda connection: connection.execute(wanted).first())
        return None if row is None else (Account(*row[:-1]), row[-1] or {})

    async def register(self, guest: str, name: str, password: str) -> tuple[Account, list[str]]:
        """A new account for a guest, whose games and choices it takes over; and the tables this changes."""
        name, password = _checked_name(name), _checked_password(name, password)
        account = Account(secrets.token_hex(20), name, 1)
        row = {"person": account.person, "name": name, "key": name_key(name), "epoch": 1, "created": time.time()}
        row["password"] = await self._hash(password)

        def work(connection: Connection, again: bool) -> list[str]:
            if again and connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.person == account.person)).first():
                return _tables_of(connection, account.person)
            if connection.execute(select(ACCOUNTS.c.key).where(ACCOUNTS.c.key.in_(lookalikes(name)))).first():
                raise NameTaken
            connection.execute(insert(ACCOUNTS), row)
            choices = connection.execute(select(PEOPLE.c.choices).where(PEOPLE.c.id == guest)).scalar() or {}
            kept = choices | {"name": choices.get("name") or name}
            connection.execute(insert(PEOPLE), {"id": account.person, "choices": kept})
            return self._adopt(connection, guest, account.person)

        try:
            return account, await asyncio.to_thread(self._storage.write, work)
        except IntegrityError:
            raise NameTaken from None

    async def log_in(self, name: str, password: str) -> Account:
        """The account of that name, if the password is its own; BadPassword tells nobody which of them was wrong."""
        wanted = select(*_COLUMNS, ACCOUNTS.c.password).where(ACCOUNTS.c.key == name_key(name))
        row = await asyncio.to_thread(self._storage.read, lambda connection: connection.execute(wanted).first())
        await self._check(password, None if row is None else row[-1])
        assert row is not None
        return Account(*row[:-1])

    async def change_password(self, account: Account, old: str, new: str) -> Account:
        """A new password; every session but the one that is begun now has ended."""
        await self._check_own(account, old)
        hashed = await self._hash(_checked_password(account.name, new))
        return await self._next_epoch(account, password=hashed)

    async def end_sessions(self, account: Account) -> None:
        """Log out everywhere."""
        await self._next_epoch(account)

    async def _next_epoch(self, account: Account, **changed: object) -> Account:
        """Every session of an account that has begun so far ends; the account as it is then."""
        mine = update(ACCOUNTS).where(ACCOUNTS.c.person == account.person)
        ended = mine.values(epoch=ACCOUNTS.c.epoch + 1, **changed).returning(ACCOUNTS.c.epoch)

        def work(connection: Connection, again: bool) -> int | None:
            self._storage.sessions_end(connection, account.person)
            connection.execute(delete(DEVICES).where(DEVICES.c.person == account.person))
            found: int | None = connection.execute(ended).scalar()
            return found

        epoch = await asyncio.to_thread(self._storage.write, work)
        self.on_end(account.person)
        if epoch is None:  # it has been deleted meanwhile
            raise NoAccount
        return replace(account, epoch=epoch)

    async def set_hook(self, account: Account, address: str | None) -> None:
        mine = update(ACCOUNTS).where(ACCOUNTS.c.person == account.person).values(hook=address)
        await asyncio.to_thread(self._storage.write, lambda connection, again: connection.execute(mine))

    def hook_of(self, person: str) -> str | None:
        wanted = select(ACCOUNTS.c.hook).where(ACCOUNTS.c.person == person)
        found: str | None = self._storage.read(lambda connection: connection.execute(wanted).scalar())
        return found

    async def adopt(self, guest: str, person: str) -> list[str]:
        """Give a guest's seats and tables to a person; the tables this changes."""
        return await asyncio.to_thread(
            self._storage.write, lambda connection, again: self._adopt(connection, guest, person)
        )

    async def delete(self, account: Account, password: str) -> list[str]:
        """Forget somebody. Their seats stay, without a name, and a bot plays on; the tables this changes."""
        await self._check_own(account, password)
        return await self.forget(account)

    async def forget(self, account: Account) -> list[str]:
        """The same, as the host wants it."""
        person = account.person

        def work(connection: Connection, again: bool) -> list[str]:
            tables = _tables_of(connection, person)
            self._storage.sessions_end(connection, person)
            self._storage.touch(connection, tables)
            where = (TABLES.c.id.in_(tables)) & (TABLES.c.over.is_(False))
            connection.execute(update(TABLES).where(where).values(due=True))
            running = list(connection.execute(select(TABLES.c.id).where(where)).scalars())
            connection.execute(update(TABLES).where(TABLES.c.owner == person).values(owner=""))
            for table, seat in connection.execute(
                select(SEATS.c.table, SEATS.c.seat).where((SEATS.c.person == person) & SEATS.c.table.in_(running))
            ).all():
                free = abandoned_seat()
                connection.execute(
                    update(SEATS)
                    .where((SEATS.c.table == table) & (SEATS.c.seat == seat))
                    .values(kind=free.kind, bot=free.bot, token=free.token, taken_over=free.taken_over)
                )
            connection.execute(update(SEATS).where(SEATS.c.person == person).values(person=None, name=None))
            connection.execute(update(RESULTS).where(RESULTS.c.who == person).values(who=None))
            connection.execute(delete(SNAPSHOTS).where(SNAPSHOTS.c.table.in_(tables)))  # they hold names
            connection.execute(
                update(WAITING_SEATS).where(WAITING_SEATS.c.person == person).values(person=None, name=None)
            )
            _leave_tournaments(connection, person)
            gone = RATINGS.c.who, MESSAGES.c.person, RELATIONS.c.person, RELATIONS.c.other, REPORTS.c.by, PEOPLE.c.id
            taught = PUZZLE_RATINGS.c.who, PUZZLE_TRIES.c.person, LESSONS_DONE.c.person, ANALYSES.c.owner
            for column in (*gone, *taught, DEVICES.c.person, ACCOUNTS.c.person):
                connection.execute(delete(column.table).where(column == person))
            return tables

        found = await asyncio.to_thread(self._storage.write, work)
        self.on_end(person)
        return found

    # --- inside

    def _adopt(self, connection: Connection, guest: str, person: str) -> list[str]:
        tables = _tables_of(connection, guest)
        self._storage.touch(connection, tables)
        connection.execute(update(TABLES).where(TABLES.c.owner == guest).values(owner=person))
        connection.execute(update(SEATS).where(SEATS.c.person == guest).values(person=person))
        connection.execute(update(MESSAGES).where(MESSAGES.c.person == guest).values(person=person))
        for column in (WAITING_SEATS.c.person, WAITING.c.owner, DEVICES.c.person):
            connection.execute(update(column.table).where(column == guest).values({column: person}))
        connection.execute(update(ANALYSES).where(ANALYSES.c.owner == guest).values(owner=person))
        known = select(LESSONS_DONE.c.lesson).where(LESSONS_DONE.c.person == person).scalar_subquery()
        new = (LESSONS_DONE.c.person == guest) & LESSONS_DONE.c.lesson.not_in(known)
        connection.execute(update(LESSONS_DONE).where(new).values(person=person))
        connection.execute(delete(LESSONS_DONE).where(LESSONS_DONE.c.person == guest))
        connection.execute(delete(PEOPLE).where(PEOPLE.c.id == guest))  # or a name would outlive its account
        self._storage.choices_end(connection, guest)
        return tables

    async def _check_own(self, account: Account, password: str) -> None:
        wanted = select(ACCOUNTS.c.password).where(ACCOUNTS.c.person == account.person)
        found = await asyncio.to_thread(self._storage.read, lambda connection: connection.execute(wanted).scalar())
        await self._check(password, found)

    async def _check(self, password: str, hashed: str | None) -> None:
        """BadPassword where it is not the right one; as long for a name that nobody has."""
        if not await self._working(_fits, hashed, password):
            raise BadPassword

    async def _hash(self, password: str) -> str:
        return await self._working(_hash, password)

    async def _working(self, work: Callable[..., Found], *arguments: object) -> Found:
        async with self._hashing:
            return await asyncio.to_thread(work, *arguments)


def _leave_tournaments(connection: Connection, person: str) -> None:
    """Withdraw somebody for good, without a name; what has not begun yet never knew them."""
    mine = ENTRANTS.c.person == person
    entered = select(ENTRANTS.c.tournament).where(mine)
    changed = update(TOURNAMENTS).where(TOURNAMENTS.c.id.in_(entered) | (TOURNAMENTS.c.owner == person))
    connection.execute(changed.values(revision=TOURNAMENTS.c.revision + 1))
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.owner == person).values(owner=""))
    waiting = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.state == "open")
    connection.execute(delete(ENTRANTS).where(mine & ENTRANTS.c.tournament.in_(waiting)))
    connection.execute(
        update(ENTRANTS).where(mine).values(person=None, withdrawn=func.coalesce(ENTRANTS.c.withdrawn, 0))
    )


_COLUMNS = (ACCOUNTS.c.person, ACCOUNTS.c.name, ACCOUNTS.c.epoch, ACCOUNTS.c.hook)


def _tables_of(connection: Connection, person: str) -> list[str]:
    seats = select(SEATS.c.table).where(SEATS.c.person == person)
    wanted = select(TABLES.c.id).where((TABLES.c.owner == person) | TABLES.c.id.in_(seats)).order_by(TABLES.c.id)
    return list(connection.execute(wanted).scalars())


def _checked_name(name: str) -> str:
    found = tidy_name(name) or ""
    if not SHORTEST_NAME <= len(found) <= LONGEST_NAME or not found.isprintable():
        raise BadSetup(say("a name has {fewest} to {most} visible characters", fewest=SHORTEST_NAME, most=LONGEST_NAME))
    if len(alphabets(found)) > 1:
        raise BadSetup(say("a name is written in the letters of one alphabet"))
    return found


def _checked_password(name: str, password: str) -> str:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise BadSetup(
            say("a password has {fewest} to {most} characters", fewest=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
        )
    if name_key(name) == name_key(password) or len(set(password)) < 4:
        raise BadSetup(say("this password is too easy to guess"))
    return password


def _hasher() -> Any:
    from argon2 import PasswordHasher  # loaded when somebody has an account: a start without one is not slower

    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


def _hash(password: str) -> str:
    return str(_hasher().hash(unicodedata.normalize("NFC", password)))


#: Compared with where there is no account, so that the time it takes tells nothing.
_NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$wmE8jby9lrQH9mGK64qqZw$YuI/YsaCO11j61SJDDvCwHveqoGqCXEwYIPRHmyJ5HE"


def _fits(hashed: str | None, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        _hasher().verify(hashed or _NOBODY, unicodedata.normalize("NFC", password[:LONGEST_PASSWORD]))
    except (VerificationError, InvalidHashError):
        return False
    return hashed is not None
