"""The database: tables, seats, people's choices, and the log of every game, which is only ever appended to.

The key of a log entry is its table and number, so two writers can never both make the same move happen. Every change of
a table increments its revision, and only a writer that knows the last one may write. Snapshots are a cache.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sqlalchemy import Connection, Engine, Select, delete, event, func, insert, select, union, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, DataError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.pool import PoolProxiedConnection

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.errors import Stale, Unavailable
from malecon.server.storage.appends import postgres, shadow_log
from malecon.server.storage.appends import sqlite as to_sqlite
from malecon.server.storage.database import bring_up_to_date, driver_arguments, is_postgres, open_engine, writing
from malecon.server.storage.game_log import LogEntry, extended
from malecon.server.storage.health import DatabaseHealth
from malecon.server.storage.notices import CHANNEL, CHOICES, SESSIONS, TABLE, Notice, new_sender, pack
from malecon.server.storage.rows import (
    Append,
    Loaded,
    SeatRow,
    Snapshot,
    TableRow,
    columns_of,
    seat_of,
    table_of,
)
from malecon.server.storage.schema import MOVES, PEOPLE, SEATS, SNAPSHOTS, TABLES, metadata

if TYPE_CHECKING:
    import psycopg

Result = TypeVar("Result")
#: People whose choices are cached.
MOST_CACHED_CHOICES = 10_000
#: How long a database that restarts is waited for before a request is refused.
RETRY_FOR_SECONDS = 5.0
#: Between two attempts.
RETRY_INTERVAL_SECONDS = 0.1
#: A change that happened later than this from now was written by a clock that was wrong.
MOST_AHEAD_SECONDS = 120.0
#: How long `close` waits for transactions under way.
CLOSE_TIMEOUT_SECONDS = 5.0


class Storage:
    """The database. Every method is one transaction; what it returns has been committed."""

    def __init__(self, address: str) -> None:
        self._idle = threading.Condition()
        self._running = 0  # transactions under way, in any thread
        self._log_connection: PoolProxiedConnection | psycopg.Connection[Any] | None = None  # for `append_all` only
        self.sender = new_sender()  # the name of this process in its notices
        self.health = DatabaseHealth()
        self._shadow_log: shadow_log.ShadowLog | None = None
        self._engine = open_engine(address)
        try:
            bring_up_to_date(self._engine, metadata)
        except BaseException:
            self.close()
            raise
        self._shared = is_postgres(self._engine)
        self._shadow_log = self._open_shadow_log()
        # read by every request; other processes send a notice when they change it
        self._choices_cache: dict[str, dict[str, Any]] = {}
        # SQLite has one writer at a time: better to wait here than to retry there
        self._write_lock: AbstractContextManager[object] = nullcontext() if self._shared else threading.Lock()

    @property
    def engine(self) -> Engine:
        return self._engine

    @property
    def is_shared(self) -> bool:
        """Whether other server processes may use this database."""
        return self._shared

    def close(self) -> None:
        """Close all connections. One that a thread still uses now would never be closed, so it may finish first.

        Threads that outlive the server may even connect later: their connections are closed when they are done.
        """
        with self._idle:
            self._idle.wait_for(lambda: not self._running, CLOSE_TIMEOUT_SECONDS)
        event.listen(self._engine, "checkin", lambda _, entry: entry.invalidate())
        self._close_log_connection()
        if self._shadow_log is not None:
            self._shadow_log.close()
        self._engine.dispose()

    def _open_shadow_log(self) -> shadow_log.ShadowLog | None:
        file = self._engine.url.database
        if self._shared or not file or file == ":memory:":
            return None
        return shadow_log.ShadowLog(Path(file), self._checkpoint)

    def _checkpoint(self) -> None:
        """Move everything from the write-ahead log into the file itself; for the thread that writes."""
        connection = cast(PoolProxiedConnection, self._log_connection)
        cast(sqlite3.Connection, connection.driver_connection).execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def check_for_losses(self) -> None:
        """Report in `health` if something that was acknowledged is missing."""
        file = self._engine.url.database
        if self._shadow_log is None or file is None:
            return
        lost = shadow_log.lost_tables(self._engine, Path(file))
        if lost:
            self.health.record_losses(lost)

    def ping(self) -> None:
        """Raise Unavailable if the database does not answer."""
        self.read(lambda connection: connection.execute(select(TABLES.c.id).limit(1)).all(), retry_for=0)
        self.health.record_read()

    # --- tables

    def create(self, table: TableRow, entries: Sequence[LogEntry]) -> None:
        def work(connection: Connection, again: bool) -> None:
            if again and _row(connection, table.id) is not None:
                return
            insert_table(connection, table, entries)

        self.write(work)

    def load(self, table: str, with_snapshot: bool = True) -> Loaded | None:
        def work(connection: Connection) -> Loaded | None:
            row = _row(connection, table)
            if row is None:
                return None
            stored = connection.execute(select(SNAPSHOTS).where(SNAPSHOTS.c.table == table)).first()
            if stored is None or not with_snapshot:
                return Loaded(row, _entries(connection, table, 0))
            return Loaded(row, _entries(connection, table, stored.number - 1), Snapshot(stored.number, stored.data))

        return self.read(work)

    def changes_since(self, table: str, revision: int, version: int) -> Loaded | None:
        """Return the row and the entries from `version` on; None if nothing has changed since that revision."""

        def work(connection: Connection) -> Loaded | None:
            row = _row(connection, table)
            if row is None or row.revision == revision:
                return None
            return Loaded(row, _entries(connection, table, version))

        return self.read(work)

    def revisions(self, tables: Collection[str]) -> dict[str, int]:
        """Return the revision of each of these tables."""
        query = select(TABLES.c.id, TABLES.c.revision).where(TABLES.c.id.in_(tables))
        return self.read(lambda connection: {row.id: row.revision for row in connection.execute(query)})

    def append(self, new: Append) -> None:
        """Append entries to a log, all or none; raise Stale if the table has changed since `row`."""

        def work(connection: Connection, again: bool) -> None:
            row, entries = new.row, new.entries
            if again and _entries(connection, row.id, entries[0].number)[: len(entries)] == list(entries):
                return  # it had been committed when the connection broke
            self._change(
                connection,
                row,
                over=new.over,
                needs_autoplay=new.needs_autoplay,
                deadline=new.deadline,
                digest=new.digest,
            )
            _insert_entries(connection, row.id, entries)
            _keep_snapshot(connection, row.id, new.snapshot)

        try:
            self.write(work)
        except IntegrityError:
            raise Stale from None

    def append_all(self, appends: Sequence[Append]) -> list[Exception | None]:
        """Append to several logs in one transaction; return the error of each, if any. For one thread at a time."""
        if self._shared:
            return self._append_to_postgres(appends)
        try:
            with self._counted(), self._write_lock:
                if self._log_connection is None:
                    self._log_connection = self._engine.raw_connection()
                connection = cast(PoolProxiedConnection, self._log_connection)
                to_sqlite.append_all(cast(sqlite3.Connection, connection.driver_connection), appends)
                if self._shadow_log is not None:
                    self._shadow_log.append_all(appends)
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
                        done = {new.row.id for new in appends if self._was_appended(new)}
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

    def _was_appended(self, new: Append) -> bool:
        with self._reading() as connection:
            return _entries(connection, new.row.id, new.entries[0].number)[: len(new.entries)] == list(new.entries)

    def _append_alone(self, new: Append) -> Exception | None:
        try:
            self.append(new)
        except (Stale, Unavailable) as error:
            return error
        return None

    def set_values(self, row: TableRow, **values: object) -> None:
        """Change a table's pace or rematch; raise Stale if the table has changed since `row`."""

        def work(connection: Connection, again: bool) -> None:
            now = _row(connection, row.id) if again else None
            if now is None or vars(now) | values | {"revision": row.revision + 1} != vars(
                now
            ):  # else it had been committed
                self._change(connection, row, **values)

        self.write(work)

    def set_seat(self, row: TableRow, seat: int, after: TableRow) -> None:
        """Change a seat to what `after` has; raise Stale if the table has changed since `row`."""
        new = after.seats[seat]

        def work(connection: Connection, again: bool) -> None:
            now = _row(connection, row.id) if again else None
            if now is not None and (now.revision, now.seats[seat]) == (row.revision + 1, new):
                return  # it had been committed when the connection broke
            columns = ("needs_autoplay", "deadline", "notes", "over", "result_recorded")
            self._change(connection, row, **{name: getattr(after, name) for name in columns})
            where = (SEATS.c.table == row.id) & (SEATS.c.seat == seat)
            connection.execute(update(SEATS).where(where).values(**vars(new)))

        self.write(work)

    def _change(self, connection: Connection, row: TableRow, **values: object) -> None:
        """Increment the revision, and notify the other processes once this is committed."""
        unchanged = update(TABLES).where((TABLES.c.id == row.id) & (TABLES.c.revision == row.revision))
        result = connection.execute(unchanged.values(revision=row.revision + 1, changed=time.time(), **values))
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
        return self.read(lambda connection: list(connection.execute(query).scalars()))

    def late_and_unrecorded(self, now: float, most: int) -> tuple[list[str], list[str]]:
        """Return the tables where a turn's time is up, and the finished ones whose result is not recorded."""
        in_time = TABLES.c.over.is_(True) | TABLES.c.needs_autoplay.is_(
            True
        )  # what moves automatically is no player's delay
        late = select(TABLES.c.id).where((TABLES.c.deadline < now) & ~in_time).limit(most)
        over = select(TABLES.c.id).where(TABLES.c.result_recorded.is_(False) & TABLES.c.over.is_(True)).limit(most)
        return self.read(
            lambda connection: (list(connection.execute(late).scalars()), list(connection.execute(over).scalars()))
        )

    def clear_needs_autoplay(self, row: TableRow) -> None:
        """Correct a row that wrongly says that its table needs autoplay; no notice is needed."""
        unchanged = update(TABLES).where((TABLES.c.id == row.id) & (TABLES.c.revision == row.revision))
        self.write(lambda connection, again: connection.execute(unchanged.values(needs_autoplay=False)))

    # --- looking tables up

    def count_unfinished(self, owner: str, since: float) -> int:
        """Return the number of unfinished tables of an owner that have changed since then."""
        running = (TABLES.c.owner == owner) & TABLES.c.over.is_(False) & (TABLES.c.changed > since)
        query = select(func.count()).select_from(TABLES).where(running)
        return self.read(lambda connection: int(connection.execute(query).scalar() or 0))

    def invited_to(self, token: str) -> tuple[str, int] | None:
        """Return the table and seat of an invitation."""
        query = select(SEATS.c.table, SEATS.c.seat).where(SEATS.c.token == token)
        row = self.read(lambda connection: connection.execute(query).first())
        return None if row is None else (row[0], row[1])

    def tables_of(self, person: str, most: int) -> list[TableRow]:
        """Return the tables that a person opened or sits at, the last changed first."""

        def work(connection: Connection) -> list[TableRow]:
            rows = connection.execute(tables_of_query(person, most)).mappings().all()
            seats = select(SEATS).where(SEATS.c.table.in_([row["id"] for row in rows])).order_by(SEATS.c.seat)
            at: defaultdict[str, list[SeatRow]] = defaultdict(list)
            for seat in connection.execute(seats).mappings():
                at[seat["table"]].append(seat_of(seat))
            return [table_of(row, tuple(at[row["id"]])) for row in rows]

        return self.read(work)

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
        choices: dict[str, Any] | None = self.read(lambda connection: connection.execute(query).scalar())
        return self._remember_choices(person, choices or {})

    def set_choices(self, person: str, choices: Mapping[str, Any]) -> None:
        dialect = postgresql if self._shared else sqlite
        new = dialect.insert(PEOPLE).values(id=person, choices=dict(choices))
        upsert = new.on_conflict_do_update(index_elements=["id"], set_={"choices": dict(choices)})

        def work(connection: Connection, again: bool) -> None:
            connection.execute(upsert)
            self.notify(connection, CHOICES, person)

        self.write(work)
        self._remember_choices(person, dict(choices))

    def _remember_choices(self, person: str, choices: dict[str, Any]) -> dict[str, Any]:
        if len(self._choices_cache) >= MOST_CACHED_CHOICES:
            self._choices_cache.clear()
        self._choices_cache[person] = choices
        return choices

    # --- transactions, for other modules too

    def read(self, work: Callable[[Connection], Result], retry_for: float = RETRY_FOR_SECONDS) -> Result:
        """Run a transaction that reads; raise Unavailable if the database does not answer."""

        def once(again: bool) -> Result:
            with self._reading() as connection:
                return work(connection)

        return self._retry(once, retry_for)

    def _reading(self) -> Connection:
        """Return a connection for reading. On PostgreSQL every statement is its own transaction: none stays open."""
        connection = self._engine.connect()
        return connection.execution_options(isolation_level="AUTOCOMMIT") if self._shared else connection

    def write(self, work: Callable[[Connection, bool], Result]) -> Result:
        """Run a transaction that writes. `again` tells the work that its last try failed, perhaps after committing."""

        def once(again: bool) -> Result:
            with self._write_lock, writing(self._engine) as connection:
                return work(connection, again)

        result = self._retry(once, RETRY_FOR_SECONDS)
        self.health.record_write()
        return result

    def _retry(self, once: Callable[[bool], Result], retry_for: float) -> Result:
        """Run a transaction, again for a while if the database server restarts meanwhile."""
        end, again = time.monotonic() + retry_for, False
        while True:
            try:
                with self._counted():
                    return once(again)
            except (OperationalError, InterfaceError) as error:
                if not self._shared or time.monotonic() > end:
                    self.health.record_failure(error)
                    raise Unavailable from error
            except (DataError, OverflowError):  # a text with a zero in it, or a number that the database cannot hold
                raise BadSetup(say("invalid request")) from None
            except IntegrityError:
                raise
            except DatabaseError as error:  # a damaged file
                self.health.record_failure(error)
                raise Unavailable from error
            again = True
            time.sleep(RETRY_INTERVAL_SECONDS)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count a transaction as under way, so that `close` can wait for it."""
        with self._idle:
            self._running += 1
        try:
            yield
        finally:
            with self._idle:
                self._running -= 1
                self._idle.notify_all()


def tables_of_query(person: str, most: int) -> Select[Any]:
    """Return the query for a person's tables: those they opened and those they sit at, by an index each."""
    opened = select(TABLES.c.id).where(TABLES.c.owner == person)
    seated = select(SEATS.c.table).where(SEATS.c.person == person)
    own = TABLES.c.id.in_(union(opened, seated))
    return select(TABLES).where(own).order_by(TABLES.c.changed.desc()).limit(most)


def insert_table(connection: Connection, table: TableRow, entries: Sequence[LogEntry]) -> None:
    """Insert a new table with its seats and the beginning of its log, in the caller's transaction."""
    connection.execute(insert(TABLES), columns_of(table) | {"digest": extended(None, entries)})
    seats = [{"table": table.id, "seat": number} | vars(seat) for number, seat in enumerate(table.seats)]
    connection.execute(insert(SEATS), seats)
    _insert_entries(connection, table.id, entries)


def _insert_entries(connection: Connection, table: str, entries: Sequence[LogEntry]) -> None:
    made = time.time()
    if entries:
        connection.execute(insert(MOVES), [{"table": table, "made": made} | vars(entry) for entry in entries])


def _row(connection: Connection, table: str) -> TableRow | None:
    row = connection.execute(select(TABLES).where(TABLES.c.id == table)).mappings().first()
    return None if row is None else table_of(row, _seats(connection, table))


def _keep_snapshot(connection: Connection, table: str, snapshot: Snapshot | None) -> None:
    if snapshot is not None:
        connection.execute(delete(SNAPSHOTS).where(SNAPSHOTS.c.table == table))
        connection.execute(insert(SNAPSHOTS), {"table": table} | vars(snapshot))


def _entries(connection: Connection, table: str, first: int) -> list[LogEntry]:
    columns = MOVES.c.number, MOVES.c.kind, MOVES.c.seat, MOVES.c.move, MOVES.c.automatic
    query = select(*columns).where((MOVES.c.table == table) & (MOVES.c.number >= first)).order_by(MOVES.c.number)
    return [LogEntry(*row) for row in connection.execute(query)]


def _seats(connection: Connection, table: str) -> tuple[SeatRow, ...]:
    rows = connection.execute(select(SEATS).where(SEATS.c.table == table).order_by(SEATS.c.seat)).mappings()
    return tuple(map(seat_of, rows))
