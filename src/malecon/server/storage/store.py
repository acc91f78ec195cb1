"""The database: tables, seats, people's choices, and the log of every game, which is only ever appended to.

The key of a log entry is its table and number, so two writers can never both make the same move happen. Every change of
a table increments its revision, and only a writer that knows the last one may write. Snapshots are a cache.
"""

from __future__ import annotations

import sqlite3
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Connection, Select, func, insert, select, union, update
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.pool import PoolProxiedConnection

from malecon.server.errors import Stale, Unavailable
from malecon.server.storage.appends import postgres, shadow_log
from malecon.server.storage.appends import sqlite as to_sqlite
from malecon.server.storage.database import driver_arguments
from malecon.server.storage.game_log import LogEntry, extended
from malecon.server.storage.notices import CHANNEL, CHOICES, SESSIONS, TABLE, Notice, new_sender, pack
from malecon.server.storage.rows import (
    Append,
    Loaded,
    SeatRow,
    Snapshot,
    TableRow,
    columns_of,
    seat_columns,
    seat_of,
    table_of,
)
from malecon.server.storage.schema import MOVES, PEOPLE, SEATS, SNAPSHOTS, TABLES
from malecon.server.storage.transactions import (
    RETRY_FOR_SECONDS,
    RETRY_INTERVAL_SECONDS,
    Transactions,
    is_retry,
    reads,
    upsert,
    writes,
)

if TYPE_CHECKING:
    import psycopg

#: People whose choices are cached.
MOST_CACHED_CHOICES = 10_000
#: A change that happened later than this from now was written by a clock that was wrong.
MOST_AHEAD_SECONDS = 120.0


class Storage(Transactions):
    """The database. Every method is one transaction; what it returns has been committed."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.sender = new_sender()  # the name of this process in its notices
        self._log_connection: PoolProxiedConnection | psycopg.Connection[Any] | None = None  # for `append_all` only
        self._shadow_log = self._open_shadow_log()
        # read by every request; other processes send a notice when they change it
        self._choices_cache: dict[str, dict[str, Any]] = {}

    def close(self) -> None:
        super().close()
        self._close_log_connection()
        if self._shadow_log is not None:
            self._shadow_log.close()

    def _open_shadow_log(self) -> shadow_log.ShadowLog | None:
        file = self._engine.url.database
        if self._shared or not file or file == ":memory:":
            return None
        return shadow_log.ShadowLog(Path(file), self._checkpoint)

    def _checkpoint(self) -> bool:
        """Move what is in the write-ahead log into the file itself; return whether that was everything.

        For the thread that writes: it does not wait for readers, because moves would wait with it.
        """
        try:
            _, in_log, moved = self._sqlite_log_connection().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error:  # as long as the disk is full
            return False
        return bool(in_log == moved)

    def _sqlite_log_connection(self) -> sqlite3.Connection:
        if self._log_connection is None:
            self._log_connection = self._engine.raw_connection()
        return cast(sqlite3.Connection, cast(PoolProxiedConnection, self._log_connection).driver_connection)

    def _append_to_shadow_log(self, appends: Sequence[Append]) -> None:
        """Append what has been committed. If that fails, it is reported; the moves are acknowledged all the same."""
        if self._shadow_log is None:
            return
        try:
            self._shadow_log.append_all(appends)
        except OSError as error:
            self.health.record_shadow_log_failure(error)
        else:
            if not self._shadow_log.is_incomplete:
                self.health.record_shadow_log_complete()

    def check_for_losses(self) -> None:
        """Report in `health` if something that was acknowledged is missing."""
        file = self._engine.url.database
        if self._shadow_log is None or file is None:
            return
        lost = shadow_log.lost_tables(self._engine, Path(file))
        if lost:
            self.health.record_losses(lost)

    def size_bytes(self) -> int:
        """Return how much room the database takes."""
        if self.is_shared:
            return int(self.scalar(select(func.pg_database_size(func.current_database()))))
        file = Path(self._engine.url.database or "")
        return sum(path.stat().st_size for path in file.parent.glob(f"{file.name}*")) if file.name else 0

    def count_tables(self) -> tuple[int, int]:
        """Return the number of unfinished and of finished tables."""
        rows = self.rows(select(TABLES.c.over, func.count()).group_by(TABLES.c.over))
        counts = {bool(row[0]): int(row[1]) for row in rows}
        return counts.get(False, 0), counts.get(True, 0)

    def ping(self) -> None:
        """Raise Unavailable if the database does not answer."""
        self.rows(select(TABLES.c.id).limit(1), retry_for=0)
        self.health.record_read()

    # --- tables

    @writes
    def create(self, connection: Connection, table: TableRow, entries: Sequence[LogEntry]) -> None:
        if not is_retry(connection) or _row(connection, table.id) is None:
            insert_table(connection, table, entries)

    @writes
    def create_rematch(
        self, connection: Connection, finished: TableRow, table: TableRow, entries: Sequence[LogEntry]
    ) -> None:
        """Create a table to which a finished one leads, or neither; raise Stale if that has changed since."""
        if not is_retry(connection) or _row(connection, table.id) is None:
            self._change(connection, finished, rematch=table.id)
            insert_table(connection, table, entries)

    @reads
    def load(self, connection: Connection, table: str, with_snapshot: bool = True) -> Loaded | None:
        row = _row(connection, table)
        if row is None:
            return None
        stored = connection.execute(select(SNAPSHOTS).where(SNAPSHOTS.c.table == table)).first()
        if stored is None or not with_snapshot:
            return Loaded(row, _entries(connection, table, 0))
        return Loaded(row, _entries(connection, table, stored.number - 1), Snapshot(stored.number, stored.data))

    @reads
    def changes_since(self, connection: Connection, table: str, revision: int, version: int) -> Loaded | None:
        """Return the row and the entries from `version` on; None if nothing has changed since that revision."""
        row = _row(connection, table)
        if row is None or row.revision == revision:
            return None
        return Loaded(row, _entries(connection, table, version))

    def revisions(self, tables: Collection[str]) -> dict[str, int]:
        """Return the revision of each of these tables."""
        query = select(TABLES.c.id, TABLES.c.revision).where(TABLES.c.id.in_(tables))
        return {row.id: row.revision for row in self.rows(query)}

    def append(self, new: Append) -> None:
        """Append entries to a log, all or none; raise Stale if the table has changed since `row`."""
        try:
            self._append(new)
        except IntegrityError:
            raise Stale from None
        with self._write_lock:
            self._append_to_shadow_log([new])

    @writes
    def _append(self, connection: Connection, new: Append) -> None:
        if is_retry(connection) and _has_entries(connection, new):
            return
        self._change(
            connection,
            new.row,
            over=new.over,
            needs_autoplay=new.needs_autoplay,
            deadline=new.deadline,
            digest=new.digest,
        )
        _insert_entries(connection, new.row.id, new.entries)
        if new.snapshot is not None:
            upsert(connection, SNAPSHOTS, {"table": new.row.id} | vars(new.snapshot))

    def append_all(self, appends: Sequence[Append]) -> list[Exception | None]:
        """Append to several logs in one transaction; return the error of each, if any. For one thread at a time."""
        if self._shared:
            return self._append_to_postgres(appends)
        try:
            with self._counted(), self._write_lock:
                to_sqlite.append_all(self._sqlite_log_connection(), appends)
                self._append_to_shadow_log(appends)
        except (Stale, sqlite3.IntegrityError):  # of one append, not of the others
            return [self._append_alone(new) for new in appends]
        except (sqlite3.Error, OSError) as error:
            self.health.record_failure(error)
            raise Unavailable from error
        self.health.record_write()
        return [None] * len(appends)

    def _append_to_postgres(self, appends: Sequence[Append]) -> list[Exception | None]:
        import psycopg

        done: set[str] = set()
        end, again = time.monotonic() + RETRY_FOR_SECONDS, False
        while True:
            try:
                with self._counted():
                    if again:  # some of it may have been committed when the connection broke
                        done = self._appended(appends)
                    if self._log_connection is None:
                        self._log_connection = self._connect_for_logs()
                    connection = cast("psycopg.Connection[Any]", self._log_connection)
                    left = [new for new in appends if new.row.id not in done]
                    done |= postgres.append_all(connection, left, self.sender)
                self.health.record_write()
                return [None if new.row.id in done else Stale() for new in appends]
            except (psycopg.OperationalError, OperationalError) as error:
                self._close_log_connection()
                if time.monotonic() > end:
                    self.health.record_failure(error)
                    raise Unavailable from error
            except psycopg.Error:  # of one append, not of the others
                return [None if new.row.id in done else self._append_alone(new) for new in appends]
            again = True
            time.sleep(RETRY_INTERVAL_SECONDS)

    def _connect_for_logs(self) -> psycopg.Connection[Any]:
        import psycopg

        arguments = driver_arguments(self._engine)
        arguments["options"] = f"{arguments['options']} {postgres.OPTIONS}"
        return psycopg.connect(autocommit=True, **arguments)

    def _close_log_connection(self) -> None:
        connection, self._log_connection = self._log_connection, None
        if connection is not None:
            connection.close()

    @reads
    def _appended(self, connection: Connection, appends: Sequence[Append]) -> set[str]:
        """Return the tables whose log has what was to be appended."""
        return {new.row.id for new in appends if _has_entries(connection, new)}

    def _append_alone(self, new: Append) -> Exception | None:
        try:
            self.append(new)
        except (Stale, Unavailable) as error:
            return error
        return None

    @writes
    def set_values(self, connection: Connection, row: TableRow, /, **values: object) -> None:
        """Change a table's pace or rematch; raise Stale if the table has changed since `row`."""
        now = _row(connection, row.id) if is_retry(connection) else None
        if now is None or vars(now) | values | {"revision": row.revision + 1} != vars(now):
            self._change(connection, row, **values)

    @writes
    def set_seat(self, connection: Connection, row: TableRow, seat: int, after: TableRow) -> None:
        """Change a seat to what `after` has; raise Stale if the table has changed since `row`."""
        new = after.seats[seat]
        now = _row(connection, row.id) if is_retry(connection) else None
        if now is not None and (now.revision, now.seats[seat]) == (row.revision + 1, new):
            return
        columns = ("needs_autoplay", "deadline", "notes", "over", "result_recorded")
        values: dict[str, object] = {name: getattr(after, name) for name in columns}
        if replace(new, plans=row.seats[seat].plans) == row.seats[seat]:  # others cannot tell when somebody plans
            values["changed"] = TABLES.c.changed
        self._change(connection, row, **values)
        where = (SEATS.c.table == row.id) & (SEATS.c.seat == seat)
        connection.execute(update(SEATS).where(where).values(**seat_columns(new)))

    def _change(self, connection: Connection, row: TableRow, **values: object) -> None:
        """Increment the revision, and notify the other processes once this is committed."""
        unchanged = update(TABLES).where((TABLES.c.id == row.id) & (TABLES.c.revision == row.revision))
        values = {"revision": row.revision + 1, "changed": time.time()} | values
        result = connection.execute(unchanged.values(**values))
        if not result.rowcount:
            raise Stale
        self.notify(connection, TABLE, row.id, row.revision + 1)

    def notify(self, connection: Connection, about: str, name: str, revision: int | None = None) -> None:
        """Notify the other processes, once the transaction is committed, that something has changed."""
        if self._shared:
            notice = pack(Notice(self.sender, about, name, revision))
            connection.execute(select(func.pg_notify(CHANNEL, notice)))

    def notify_sessions_ended(self, connection: Connection, person: str) -> None:
        """Notify the other processes, in a transaction that ends a person's sessions."""
        self.notify(connection, SESSIONS, person)

    def notify_choices_deleted(self, connection: Connection, person: str) -> None:
        """Notify the other processes, in a transaction that deletes a person's choices."""
        self.notify(connection, CHOICES, person)
        self.forget_choices(person)

    def touch(self, connection: Connection, tables: Sequence[str]) -> None:
        """Increment the revisions of tables, in a transaction that changes something about them."""
        query = update(TABLES).where(TABLES.c.id.in_(tables))
        connection.execute(query.values(revision=TABLES.c.revision + 1))
        for table in tables:
            self.notify(connection, TABLE, table)

    # --- work for ticks

    def tables_to_autoplay(self, before: float, most: int) -> list[str]:
        """Return the tables that need autoplay and have not changed since then, the oldest first."""
        still = (TABLES.c.changed < before) | (TABLES.c.changed > before + MOST_AHEAD_SECONDS)
        late = (TABLES.c.needs_autoplay.is_(True)) & (TABLES.c.over.is_(False)) & still
        query = select(TABLES.c.id).where(late).order_by(TABLES.c.changed).limit(most)
        return self.scalars(query)

    def late_and_unrecorded(self, now: float, most: int) -> tuple[list[str], list[str]]:
        """Return the tables where a turn's time is up, and the finished ones whose result is not recorded."""
        in_time = TABLES.c.over.is_(True) | TABLES.c.needs_autoplay.is_(
            True
        )  # what moves automatically is no player's delay
        late = select(TABLES.c.id).where((TABLES.c.deadline < now) & ~in_time).limit(most)
        over = select(TABLES.c.id).where(TABLES.c.result_recorded.is_(False) & TABLES.c.over.is_(True)).limit(most)
        return self.scalars(late), self.scalars(over)

    def clear_needs_autoplay(self, row: TableRow) -> None:
        """Correct a row that wrongly says that its table needs autoplay; no notice is needed."""
        unchanged = update(TABLES).where((TABLES.c.id == row.id) & (TABLES.c.revision == row.revision))
        self.execute(unchanged.values(needs_autoplay=False))

    # --- looking tables up

    def count_unfinished(self, owner: str, since: float) -> int:
        """Return the number of unfinished tables of an owner that have changed since then."""
        running = (TABLES.c.owner == owner) & TABLES.c.over.is_(False) & (TABLES.c.changed > since)
        query = select(func.count()).select_from(TABLES).where(running)
        return int(self.scalar(query))

    def invited_to(self, token: str) -> tuple[str, int] | None:
        """Return the table and seat of an invitation."""
        query = select(SEATS.c.table, SEATS.c.seat).where(SEATS.c.token == token)
        row = self.first(query)
        return None if row is None else (row[0], row[1])

    @reads
    def tables_of(self, connection: Connection, person: str, most: int) -> list[TableRow]:
        """Return the tables that a person opened or sits at, the last changed first."""
        rows = connection.execute(tables_of_query(person, most)).mappings().all()
        seats = select(SEATS).where(SEATS.c.table.in_([row["id"] for row in rows])).order_by(SEATS.c.seat)
        at: defaultdict[str, list[SeatRow]] = defaultdict(list)
        for seat in connection.execute(seats).mappings():
            at[seat["table"]].append(seat_of(seat))
        return [table_of(row, tuple(at[row["id"]])) for row in rows]

    # --- people

    def cached_choices(self, person: str) -> dict[str, Any] | None:
        """Return a person's choices if they are cached."""
        return self._choices_cache.get(person)

    def forget_choices(self, person: str | None = None) -> None:
        """Drop the choices of a person, or of everybody, from the cache."""
        if person is None:
            self._choices_cache.clear()
        else:
            self._choices_cache.pop(person, None)

    def choices(self, person: str) -> dict[str, Any]:
        """Return a person's choices, and cache them."""
        query = select(PEOPLE.c.choices).where(PEOPLE.c.id == person)
        return self._remember_choices(person, self.scalar(query) or {})

    def set_choices(self, person: str, choices: Mapping[str, Any]) -> None:
        self._set_choices(person, dict(choices))
        self._remember_choices(person, dict(choices))

    @writes
    def _set_choices(self, connection: Connection, person: str, choices: dict[str, Any]) -> None:
        upsert(connection, PEOPLE, {"id": person, "choices": choices, "changed": time.time()})
        self.notify(connection, CHOICES, person)

    def _remember_choices(self, person: str, choices: dict[str, Any]) -> dict[str, Any]:
        if len(self._choices_cache) >= MOST_CACHED_CHOICES:
            self._choices_cache.clear()
        self._choices_cache[person] = choices
        return choices


def tables_of_query(person: str, most: int) -> Select[Any]:
    """Return the query for a person's tables: those they opened and those they sit at, by an index each."""
    opened = select(TABLES.c.id).where(TABLES.c.owner == person)
    seated = select(SEATS.c.table).where(SEATS.c.person == person)
    own = TABLES.c.id.in_(union(opened, seated))
    return select(TABLES).where(own).order_by(TABLES.c.changed.desc()).limit(most)


def insert_table(connection: Connection, table: TableRow, entries: Sequence[LogEntry]) -> None:
    """Insert a new table with its seats and the beginning of its log, in the caller's transaction."""
    connection.execute(insert(TABLES), columns_of(table) | {"digest": extended(None, entries)})
    seats = [{"table": table.id, "seat": number} | seat_columns(seat) for number, seat in enumerate(table.seats)]
    connection.execute(insert(SEATS), seats)
    _insert_entries(connection, table.id, entries)


def _insert_entries(connection: Connection, table: str, entries: Sequence[LogEntry]) -> None:
    made = time.time()
    if entries:
        connection.execute(insert(MOVES), [{"table": table, "made": made} | vars(entry) for entry in entries])


def _row(connection: Connection, table: str) -> TableRow | None:
    row = connection.execute(select(TABLES).where(TABLES.c.id == table)).mappings().first()
    return None if row is None else table_of(row, _seats(connection, table))


def _has_entries(connection: Connection, new: Append) -> bool:
    """Return whether entries are in the log: they had been committed when the connection broke."""
    return _entries(connection, new.row.id, new.entries[0].number)[: len(new.entries)] == list(new.entries)


def _entries(connection: Connection, table: str, first: int) -> list[LogEntry]:
    columns = MOVES.c.number, MOVES.c.kind, MOVES.c.seat, MOVES.c.move, MOVES.c.automatic
    query = select(*columns).where((MOVES.c.table == table) & (MOVES.c.number >= first)).order_by(MOVES.c.number)
    return [LogEntry(*row) for row in connection.execute(query)]


def _seats(connection: Connection, table: str) -> tuple[SeatRow, ...]:
    rows = connection.execute(select(SEATS).where(SEATS.c.table == table).order_by(SEATS.c.seat)).mappings()
    return tuple(map(seat_of, rows))
