"""Accounts: a name and a password that keep a person's games across devices. Playing needs none.

Only argon2's hash of a password is stored. An account is a person as a guest is: seats and tables name the person, so a
guest who registers or logs in keeps their games.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from malecon.server.accounts.passwords import check_password, hash_password, is_right, needs_rehash
from malecon.server.accounts.transfer import keep_under, name_mark, transfer_relations, transfer_sanctions
from malecon.server.errors import BadPassword, NameTaken, NoAccount
from malecon.server.events import Events
from malecon.server.names import account_name, name_key, skeleton
from malecon.server.storage.notices import CHAT_REMOVED, LOBBY
from malecon.server.storage.rows import GONE
from malecon.server.storage.schema import (
    ACCOUNTS,
    ACTS,
    ANALYSES,
    CODES,
    DEVICES,
    ENTRANTS,
    LESSONS_DONE,
    MAILS,
    MESSAGES,
    PEOPLE,
    PUZZLE_RATINGS,
    PUZZLE_TRIES,
    RATINGS,
    REPORTS,
    RESULTS,
    SEATS,
    SESSIONS,
    SNAPSHOTS,
    TABLES,
    TOURNAMENTS,
    WAITING,
    WAITING_SEATS,
)
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import is_retry, writes
from malecon.server.tables.seats import abandoned_seat

T = TypeVar("T")
#: Passwords hashed at the same time: each takes a core and 19 MB for a moment.
MAX_CONCURRENT_HASHES = 2


@dataclass(frozen=True)
class Account:
    """A registered person. `epoch` counts up whenever all sessions are ended; `hook` is the address of a web hook.

    `mail` is their confirmed address, and `identity` who they are at the service by which they log in, if any.
    """

    person: str
    name: str
    epoch: int
    hook: str | None = None
    created: float = 0.0
    is_moderator: bool = False
    mail: str | None = None
    summary_days: int = 0
    identity: str | None = None


class SessionOwner(NamedTuple):
    """The account of a session, the stored choices of its owner, and when the session was last used."""

    account: Account
    choices: dict[str, Any]
    seen: float


@dataclass(frozen=True, slots=True)
class SessionsEnded:
    """This process has ended sessions of a person."""

    person: str


class Accounts:
    """Creates, finds, changes and deletes accounts."""

    def __init__(self, storage: Storage, events: Events | None = None) -> None:
        self._storage, self._events = storage, events or Events()
        self._hashing = asyncio.Semaphore(MAX_CONCURRENT_HASHES)

    def find_by_session(self, session: str) -> SessionOwner | None:
        """Return whose session this is; None if it has ended, or the account is deleted."""
        joined = SESSIONS.join(ACCOUNTS, ACCOUNTS.c.person == SESSIONS.c.person)
        joined = joined.outerjoin(PEOPLE, PEOPLE.c.id == ACCOUNTS.c.person)
        query = select(*_COLUMNS, PEOPLE.c.choices, SESSIONS.c.seen).select_from(joined)
        row = self._storage.first(query.where(SESSIONS.c.id == session))
        return None if row is None else SessionOwner(Account(*row[:-2]), row[-2] or {}, row[-1])

    async def register(
        self, guest: str, name: str, password: str | None, is_moderator: bool = False, identity: str | None = None
    ) -> tuple[Account, list[str]]:
        """Create an account that takes over a guest's games and choices; return it and the tables that changed.

        Without a password nobody can log in by one: with an identity at another service, or until a code sets it.
        """
        name = account_name(name)
        hashed = "" if password is None else await self._hash(check_password(name, password))
        account = Account(
            secrets.token_hex(20), name, 1, created=time.time(), is_moderator=is_moderator, identity=identity
        )
        row: dict[str, object] = {
            "person": account.person,
            "name": name,
            "key": name_key(name),
            "skeleton": skeleton(name),
        }
        row |= {"password": hashed, "epoch": 1, "created": account.created}
        row |= {"moderator": is_moderator, "identity": identity}

        try:
            return account, await asyncio.to_thread(self._insert_account, row, guest)
        except IntegrityError:  # a name that is, or looks, the same
            raise NameTaken from None

    async def log_in(self, name: str, password: str) -> Account:
        """Return the account of a name; raise BadPassword, the same for a wrong name and a wrong password."""
        query = select(*_COLUMNS, ACCOUNTS.c.password).where(ACCOUNTS.c.key == name_key(name))
        row = await asyncio.to_thread(self._storage.first, query)
        await self._check(password, None if row is None else row[-1])
        assert row is not None
        if await self._in_thread(needs_rehash, row[-1]):  # its parameters have changed: only now is the password here
            new = update(ACCOUNTS).where((ACCOUNTS.c.person == row[0]) & (ACCOUNTS.c.password == row[-1]))
            await asyncio.to_thread(self._storage.execute, new.values(password=await self._hash(password)))
        return Account(*row[:-1])

    def find(self, name: str) -> Account | None:
        """Return the account of a name; None if there is none."""
        row = self._storage.first(select(*_COLUMNS).where(ACCOUNTS.c.key == name_key(name)[:80]))
        return None if row is None else Account(*row)

    def find_by_identity(self, identity: str) -> Account | None:
        """Return the account of somebody known to another service; None if there is none."""
        row = self._storage.first(select(*_COLUMNS).where(ACCOUNTS.c.identity == identity))
        return None if row is None else Account(*row)

    def set_identity(self, account: Account, identity: str | None) -> None:
        """Let an account be logged in to by another service from now on; raise NameTaken if another one has that."""
        change = update(ACCOUNTS).where(ACCOUNTS.c.person == account.person).values(identity=identity)
        try:
            self._storage.execute(change)
        except IntegrityError:
            raise NameTaken from None

    def set_moderator(self, account: Account, is_moderator: bool) -> None:
        """Let an account moderate from now on, or no more; its sessions know with their next request."""
        own = update(ACCOUNTS).where(ACCOUNTS.c.person == account.person)
        self._storage.execute(own.values(moderator=is_moderator))

    def set_summary(self, account: Account, days: int) -> None:
        """Send an e-mail of what waits every so many days; 0: none."""
        own = update(ACCOUNTS).where(ACCOUNTS.c.person == account.person)
        self._storage.execute(own.values(summary_days=days, summary_due=time.time() + days * 24 * 3600))

    def set_mail(self, person: str, address: str | None) -> None:
        self._storage.execute(update(ACCOUNTS).where(ACCOUNTS.c.person == person).values(mail=address))

    async def set_password(self, account: Account, new: str) -> Account:
        """Set a new password without the old one, and end all sessions. The caller has checked that this is allowed."""
        hashed = await self._hash(check_password(account.name, new))
        return await self._next_epoch(account, password=hashed)

    async def change_password(self, account: Account, old: str, new: str) -> Account:
        """Set a new password and end all sessions; return the account, for which a new session can be begun."""
        await self._check_own(account, old)
        hashed = await self._hash(check_password(account.name, new))
        return await self._next_epoch(account, password=hashed)

    async def end_sessions(self, account: Account) -> None:
        """End all sessions of an account."""
        await self._next_epoch(account)

    async def end_session(self, account: Account, session: str) -> None:
        """End one session of an account, and notifications on the device that began it."""
        own = (SESSIONS.c.id == session) & (SESSIONS.c.person == account.person)

        def work(connection: Connection) -> None:
            if connection.execute(delete(SESSIONS).where(own)).rowcount:
                connection.execute(delete(DEVICES).where(DEVICES.c.session == session))
                self._storage.notify_sessions_ended(connection, account.person)

        await asyncio.to_thread(self._storage.write, work)
        self._events.publish(SessionsEnded(account.person))

    async def _next_epoch(self, account: Account, **changed: object) -> Account:
        """End all sessions of an account by a new epoch, and return the account with it."""
        new_epoch = await asyncio.to_thread(self._delete_sessions, account.person, changed)
        self._events.publish(SessionsEnded(account.person))
        if new_epoch is None:  # it has been deleted meanwhile
            raise NoAccount
        return replace(account, epoch=new_epoch)

    async def set_hook(self, account: Account, address: str | None) -> None:
        change = update(ACCOUNTS).where(ACCOUNTS.c.person == account.person).values(hook=address)
        await asyncio.to_thread(self._storage.execute, change)

    def hook_of(self, person: str) -> str | None:
        query = select(ACCOUNTS.c.hook).where(ACCOUNTS.c.person == person)
        address: str | None = self._storage.scalar(query)
        return address

    async def adopt(self, guest: str, person: str) -> list[str]:
        """Give a guest's seats and tables to a person; return the tables that changed."""
        return await asyncio.to_thread(self._storage.write, lambda connection: self._adopt(connection, guest, person))

    async def delete(self, account: Account, password: str) -> list[str]:
        """Check the password and delete an account as `forget` does; return the tables that changed."""
        await self._check_own(account, password)
        return await self.forget(account.person, account.name)

    async def forget(self, person: str, name: str | None = None) -> list[str]:
        """Delete all data of a person; return the tables where they sat or spoke. Bots play on for their seats.

        `name` is that of their account: what others have decided against them is kept under its digest.
        """
        tables = await asyncio.to_thread(self._delete_person, person, name)
        self._events.publish(SessionsEnded(person))
        return tables

    # --- inside

    @writes
    def _insert_account(self, connection: Connection, row: Mapping[str, Any], guest: str) -> list[str]:
        """Insert an account with a guest's games and choices; return the tables that changed."""
        person, name = row["person"], row["name"]
        own = select(ACCOUNTS).where(ACCOUNTS.c.person == person)
        if is_retry(connection) and connection.execute(own).first():
            return _tables_of(connection, person)
        connection.execute(insert(ACCOUNTS), row)
        choices = connection.execute(select(PEOPLE.c.choices).where(PEOPLE.c.id == guest)).scalar() or {}
        chosen = choices | {"name": choices.get("name") or name}
        connection.execute(insert(PEOPLE), {"id": person, "choices": chosen, "changed": time.time()})
        transfer_sanctions(connection, name_mark(name), person, name)
        transfer_relations(connection, name_mark(name), person)
        return self._adopt(connection, guest, person)

    @writes
    def _delete_sessions(self, connection: Connection, person: str, changed: Mapping[str, object]) -> int | None:
        """Delete sessions and devices of an account and change its row; return its new epoch, None if it is gone."""
        self._storage.notify_sessions_ended(connection, person)
        for column in (DEVICES.c.person, SESSIONS.c.person):
            connection.execute(delete(column.table).where(column == person))
        own_row = update(ACCOUNTS).where(ACCOUNTS.c.person == person)
        next_epoch = own_row.values(epoch=ACCOUNTS.c.epoch + 1, **changed).returning(ACCOUNTS.c.epoch)
        epoch: int | None = connection.execute(next_epoch).scalar()
        return epoch

    @writes
    def _delete_person(self, connection: Connection, person: str, name: str | None) -> list[str]:
        """Delete all rows of a person; return the tables where they sat or spoke."""
        tables = _tables_of(connection, person)
        self._storage.notify_sessions_ended(connection, person)
        self._storage.touch(connection, tables)
        unfinished = (TABLES.c.id.in_(tables)) & (TABLES.c.over.is_(False))
        connection.execute(update(TABLES).where(unfinished).values(needs_autoplay=True))
        running = list(connection.execute(select(TABLES.c.id).where(unfinished)).scalars())
        connection.execute(update(TABLES).where(TABLES.c.owner == person).values(owner=GONE))
        for table, seat in connection.execute(
            select(SEATS.c.table, SEATS.c.seat).where((SEATS.c.person == person) & SEATS.c.table.in_(running))
        ).all():
            free = abandoned_seat()
            connection.execute(
                update(SEATS)
                .where((SEATS.c.table == table) & (SEATS.c.seat == seat))
                .values(kind=free.kind, bot=free.bot, token=free.token, taken_over=free.taken_over)
            )
        connection.execute(update(SEATS).where(SEATS.c.person == person).values(person=None, name=None, plans=None))
        connection.execute(update(RESULTS).where(RESULTS.c.who == person).values(who=None))
        connection.execute(delete(SNAPSHOTS).where(SNAPSHOTS.c.table.in_(tables)))  # they hold names
        self._leave_waiting_tables(connection, person)
        _leave_tournaments(connection, person)
        spoken_at = self._notify_of_messages(connection, person)
        _delete_messages(connection, person)
        keep_under(connection, person, person if name is None else name_mark(name))
        self._storage.notify_choices_deleted(connection, person)
        personal = RATINGS.c.who, REPORTS.c.by, PEOPLE.c.id
        learning = PUZZLE_RATINGS.c.who, PUZZLE_TRIES.c.person, LESSONS_DONE.c.person, ANALYSES.c.owner
        mail = connection.execute(select(ACCOUNTS.c.mail).where(ACCOUNTS.c.person == person)).scalar()
        if mail is not None:
            connection.execute(delete(MAILS).where(MAILS.c.recipient == mail))
        connection.execute(update(ACTS).where(ACTS.c.person == person).values(person=None, name=None))
        connection.execute(update(ACTS).where(ACTS.c.about == person).values(about=None, about_name=None, detail=""))
        logins = CODES.c.person, DEVICES.c.person, SESSIONS.c.person
        for column in (*personal, *learning, *logins, ACCOUNTS.c.person):
            connection.execute(delete(column.table).where(column == person))
        return _union(tables, spoken_at)

    def _adopt(self, connection: Connection, guest: str, person: str) -> list[str]:
        tables = _tables_of(connection, guest)
        self._storage.touch(connection, tables)
        connection.execute(update(TABLES).where(TABLES.c.owner == guest).values(owner=person))
        connection.execute(update(SEATS).where(SEATS.c.person == guest).values(person=person))
        spoken_at = self._notify_of_messages(connection, guest)
        connection.execute(update(MESSAGES).where(MESSAGES.c.person == guest).values(person=person))
        for column in (WAITING_SEATS.c.person, WAITING.c.owner, DEVICES.c.person):
            connection.execute(update(column.table).where(column == guest).values({column: person}))
        connection.execute(update(ANALYSES).where(ANALYSES.c.owner == guest).values(owner=person))
        done = select(LESSONS_DONE.c.lesson).where(LESSONS_DONE.c.person == person).scalar_subquery()
        not_yet_done = (LESSONS_DONE.c.person == guest) & LESSONS_DONE.c.lesson.not_in(done)
        connection.execute(update(LESSONS_DONE).where(not_yet_done).values(person=person))
        connection.execute(delete(LESSONS_DONE).where(LESSONS_DONE.c.person == guest))
        name = connection.execute(select(ACCOUNTS.c.name).where(ACCOUNTS.c.person == person)).scalar()
        transfer_sanctions(connection, guest, person, name)
        transfer_relations(connection, guest, person)
        connection.execute(delete(PEOPLE).where(PEOPLE.c.id == guest))  # or a name would outlive its account
        self._storage.notify_choices_deleted(connection, guest)
        return _union(tables, spoken_at)

    def _notify_of_messages(self, connection: Connection, person: str) -> list[str]:
        """Notify the other processes of all tables where a person has spoken; return them."""
        tables = list(
            connection.execute(select(MESSAGES.c.table).where(MESSAGES.c.person == person).distinct()).scalars()
        )
        for table in tables:
            self._storage.notify(connection, CHAT_REMOVED, table)
        return tables

    def _leave_waiting_tables(self, connection: Connection, person: str) -> None:
        """Free a person's seats at waiting tables; the next person owns each table, and an empty one is closed."""
        seats, own_seats = WAITING_SEATS.c, WAITING_SEATS.c.person == person
        left = WAITING.c.id.in_(select(seats.waiting).where(own_seats)) | (WAITING.c.owner == person)
        changed = update(WAITING).where(left).values(revision=WAITING.c.revision + 1)
        names = sorted(connection.execute(changed.returning(WAITING.c.id)).scalars())
        connection.execute(update(WAITING_SEATS).where(own_seats).values(person=None, name=None, rating=None))
        for name in names:
            others = (
                select(seats.person).where((seats.waiting == name) & seats.person.is_not(None)).order_by(seats.seat)
            )
            waits = (WAITING.c.id == name) & WAITING.c.table.is_(None)
            own = (WAITING.c.id == name) & (WAITING.c.owner == person)
            next_owner = connection.execute(others).scalar()
            if next_owner is None and connection.execute(delete(WAITING).where(waits)).rowcount:
                connection.execute(delete(WAITING_SEATS).where(seats.waiting == name))
            connection.execute(update(WAITING).where(own).values(owner=next_owner or GONE))
            self._storage.notify(connection, LOBBY, name)

    async def _check_own(self, account: Account, password: str) -> None:
        query = select(ACCOUNTS.c.password).where(ACCOUNTS.c.person == account.person)
        hashed = await asyncio.to_thread(self._storage.scalar, query)
        await self._check(password, hashed)

    async def _check(self, password: str, hashed: str | None) -> None:
        """Raise BadPassword unless the password is right; an unknown name takes as long."""
        if not await self._in_thread(is_right, hashed, password):
            raise BadPassword

    async def _hash(self, password: str) -> str:
        return await self._in_thread(hash_password, password)

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        async with self._hashing:
            return await asyncio.to_thread(work, *arguments)


def _delete_messages(connection: Connection, person: str) -> None:
    """Delete what a person has said, and reports of it. Numbers of messages stay, so that none is used twice."""
    own = MESSAGES.c.person == person
    reported = (MESSAGES.c.table == REPORTS.c.table) & (MESSAGES.c.number == REPORTS.c.number) & own
    connection.execute(delete(REPORTS).where(select(MESSAGES.c.number).where(reported).exists()))
    nothing = {"person": GONE, "seat": None, "name": None, "text": "", "phrase": None, "said": 0.0, "hidden": True}
    connection.execute(update(MESSAGES).where(own).values(**nothing))


def _union(tables: list[str], more: list[str]) -> list[str]:
    return list(dict.fromkeys((*tables, *more)))


def _leave_tournaments(connection: Connection, person: str) -> None:
    """Withdraw a person from running tournaments, and remove them from those that have not begun."""
    own = ENTRANTS.c.person == person
    entered = select(ENTRANTS.c.tournament).where(own)
    changed = update(TOURNAMENTS).where(TOURNAMENTS.c.id.in_(entered) | (TOURNAMENTS.c.owner == person))
    connection.execute(changed.values(revision=TOURNAMENTS.c.revision + 1))
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.owner == person).values(owner=GONE))
    not_begun = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.state == "open")
    connection.execute(delete(ENTRANTS).where(own & ENTRANTS.c.tournament.in_(not_begun)))
    connection.execute(
        update(ENTRANTS).where(own).values(person=None, withdrawn=func.coalesce(ENTRANTS.c.withdrawn, 0))
    )


_COLUMNS = tuple(
    ACCOUNTS.c[name]
    for name in ("person", "name", "epoch", "hook", "created", "moderator", "mail", "summary_days", "identity")
)


def _tables_of(connection: Connection, person: str) -> list[str]:
    seats = select(SEATS.c.table).where(SEATS.c.person == person)
    query = select(TABLES.c.id).where((TABLES.c.owner == person) | TABLES.c.id.in_(seats)).order_by(TABLES.c.id)
    return list(connection.execute(query).scalars())
