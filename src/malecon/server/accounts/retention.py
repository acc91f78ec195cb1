"""Deletes what nobody needs any more, as the settings say: guests who do not return, their tables and devices."""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import Connection, delete, select

from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.schema import (
    ACCOUNTS,
    ACTS,
    ANALYSES,
    CODES,
    DEVICES,
    LESSONS_DONE,
    MESSAGES,
    MOVES,
    PAIRINGS,
    PEOPLE,
    PUZZLE_RATINGS,
    PUZZLE_TRIES,
    RELATIONS,
    REPORTS,
    SEATS,
    SESSIONS,
    SNAPSHOTS,
    TABLES,
    WAITING,
)
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import writes

log = logging.getLogger("malecon.server")
#: Between two looks, and rows that go at a look: a large transaction would make moves wait.
LOOK_SECONDS = 600.0
MOST_AT_ONCE = 200
DAY_SECONDS = 24 * 3600.0


class Retention:
    """Looks every ten minutes for what is too old. Accounts, their tables and their devices are never deleted."""

    def __init__(self, storage: Storage, settings: ServerSettings) -> None:
        self._storage, self._settings = storage, settings
        self._looked = time.monotonic()

    async def tick(self) -> None:
        if time.monotonic() - self._looked >= LOOK_SECONDS:
            self._looked = time.monotonic()
            await asyncio.to_thread(self.tidy)

    def tidy(self, now: float | None = None) -> tuple[int, int]:
        """Delete what is too old; return how many tables and how many guests."""
        now = time.time() if now is None else now
        tables = guests = 0
        if self._settings.table_days:
            tables = self._delete_tables(now - self._settings.table_days * DAY_SECONDS)
        if self._settings.guest_days:
            guests = self._delete_guests(now - self._settings.guest_days * DAY_SECONDS)
        if self._settings.act_days:
            before = now - self._settings.act_days * DAY_SECONDS
            self._storage.execute(delete(ACTS).where(ACTS.c.made < before))
        self._delete_codes(now)
        if tables or guests:
            log.info("deleted after their time: %d tables, %d guests", tables, guests)
        return tables, guests

    @writes
    def _delete_tables(self, connection: Connection, before: float) -> int:
        """Delete tables of guests, and of tournaments and waiting tables none."""
        accounts = select(ACCOUNTS.c.person)
        with_account = select(SEATS.c.table).where(SEATS.c.person.in_(accounts))
        paired = select(PAIRINGS.c.table).where(PAIRINGS.c.table.is_not(None))
        waiting = select(WAITING.c.table).where(WAITING.c.table.is_not(None))
        old = (TABLES.c.changed < before) & TABLES.c.owner.not_in(accounts)
        for kept in (with_account, paired, waiting):
            old &= TABLES.c.id.not_in(kept)
        names = list(connection.execute(select(TABLES.c.id).where(old).limit(MOST_AT_ONCE)).scalars())
        for column in (MOVES.c.table, SNAPSHOTS.c.table, MESSAGES.c.table, REPORTS.c.table, SEATS.c.table, TABLES.c.id):
            connection.execute(delete(column.table).where(column.in_(names)))
        return len(names)

    @writes
    def _delete_guests(self, connection: Connection, before: float) -> int:
        """Delete what is stored about guests who sit at no table, after their cookies have ended."""
        accounts = select(ACCOUNTS.c.person)
        seated = select(SEATS.c.person).where(SEATS.c.person.is_not(None))
        old = (PEOPLE.c.changed < before) & PEOPLE.c.id.not_in(accounts) & PEOPLE.c.id.not_in(seated)
        old &= PEOPLE.c.id.not_in(select(TABLES.c.owner))
        people = list(connection.execute(select(PEOPLE.c.id).where(old).limit(MOST_AT_ONCE)).scalars())
        personal = DEVICES.c.person, ANALYSES.c.owner, PUZZLE_TRIES.c.person, PUZZLE_RATINGS.c.who
        for column in (*personal, LESSONS_DONE.c.person, RELATIONS.c.person, PEOPLE.c.id):
            connection.execute(delete(column.table).where(column.in_(people)))
        for person in people:
            self._storage.notify_choices_deleted(connection, person)
        return len(people)

    @writes
    def _delete_codes(self, connection: Connection, now: float) -> None:
        connection.execute(delete(CODES).where(CODES.c.expires.is_not(None) & (CODES.c.expires < now)))
        known = select(SESSIONS.c.id)
        ended = DEVICES.c.session.is_not(None) & DEVICES.c.session.not_in(known)
        connection.execute(delete(DEVICES).where(ended))
