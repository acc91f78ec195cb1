"""What is kept: tables, seats, people's choices, and the log of every game, which is only ever appended to.

The key of a log entry is its table and number, so two writers can never both make the same move happen. Every change of
a table counts its revision up, and only a writer who knows the last one may write. Snapshots are a cache.
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
from malecon.match.dice import Dice
from malecon.server.errors import Stale, Unavailable
from malecon.server.storage import new_tables
from malecon.server.storage.appends import postgres, shadow_log
from malecon.server.storage.appends import sqlite as to_sqlite
from malecon.server.storage.database import bring_up_to_date, driver_arguments, is_postgres, open_engine, writing
from malecon.server.storage.health import Troubles
from malecon.server.storage.ledger import Entry
from malecon.server.storage.notices import CHANNEL, CHOICES, SESSIONS, TABLE, Notice, new_sender, pack
from malecon.server.storage.rows import (
    Append,
    Loaded,
    SeatRow,
    Snapshot,
    TableRow,
    dice_columns,
    seat_of,
    table_of,
)
from malecon.server.storage.schema import MOVES, PEOPLE, SEATS, SNAPSHOTS, TABLES, metadata

if TYPE_CHECKING:
    import psycopg

Found = TypeVar("Found")
#: People whose choices are kept in memory.
MOST_REMEMBERED = 10_000
#: Seconds for which a database that restarts is waited for before a request is refused.
PATIENCE = 5.0
#: Seconds: what is said to have happened so much later than now was written by a clock that was wrong.
AHEAD = 120.0
#: Seconds that a database which is let go of waits for transactions under way.
LAST_WAIT = 5.0


class Storage:
    """The database. Every method is one transaction; what it returns has been committed."""

    def __init__(self, address: str) -> None:
        self._calm = threading.Condition()
        self._busy = 0  # transactions under way, in any thread
        self._pen: PoolProxiedConnection | psycopg.Connection[Any] | None = None  # what logs are written with
        self.sender = new_sender()  # by which the other processes know us
        self.troubles = Troubles()
        self._witness: shadow_log.Witness | None = None
        self._engine = open_engine(address)
        try:
            bring_up_to_date(self._engine, metadata)
        except BaseException:
            self.close()
            raise
        self._shared = is_postgres(self._engine)
        self._witness = self._call_witness()
        # every request asks for it; other processes that change it say so
        self._chosen: dict[str, dict[str, Any]] = {}
        # SQLite has one writer at a time: better to queue here than to try again and again there
        self._turn: AbstractContextManager[object] = nullcontext() if self._shared else threading.Lock()

    @property
    def engine(self) -> Engine:
        return self._engine

    @property
    def is_shared(self) -> bool:
        """Whether other server processes may use this database."""
        return self._shared

    def close(self) -> None:
        """Let go of the database. A connection that a thread still uses now would never be closed, so it may finish.

        And there may be threads that nobody waits for any more, and that ask even later: they hang up by themselves.
        """
        with self._calm:
            self._calm.wait_for(lambda: not self._busy, LAST_WAIT)
        event.listen(self._engine, "checkin", lambda _, entry: entry.invalidate())
        self._drop_pen()
        if self._witness is not None:
            self._witness.close()
        self._engine.dispose()

    def _call_witness(self) -> shadow_log.Witness | None:
        file = self._engine.url.database
        return (
            None if self._shared or not file or file == ":memory:" else shadow_log.Witness(Path(file), self._checkpoint)
        )

    def _checkpoint(self) -> None:
        """Have everything in the file itself and nothing in its write-ahead log; for the thread that writes."""
        pen = cast(PoolProxiedConnection, self._pen)
        cast(sqlite3.Connection, pen.driver_connection).execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def look_for_losses(self) -> None:
        """Whether something that was acknowledged is missing; it is a trouble until somebody has seen to it."""
        file = self._engine.url.database
        if self._witness is None or file is None:
            return
        lost = shadow_log.lost_tables(self._engine, Path(file))
        if lost:
            self.troubles.lost(lost)

    def ping(self) -> None:
        """Whether the database answers; Unavailable where it does not."""
        self.read(lambda connection: connection.execute(select(TABLES.c.id).limit(1)).all(), patience=0)
        self.troubles.answered()

    # --- tables

    def create(self, table: TableRow, entries: Sequence[Entry]) -> None:
        def work(connection: Connection, again: bool) -> None:
            if again and _row(connection, table.id) is not None:
                return
            new_tables.insert_table(connection, table, entries)

        self.write(work)

    def load(self, table: str, with_snapshot: bool = True) -> Loaded | None:
        def work(connection: Connection) -> Loaded | None:
            row = _row(connection, table)
            if row is None:
                return None
            found = connection.execute(select(SNAPSHOTS).where(SNAPSHOTS.c.table == table)).first()
            if found is None or not with_snapshot:
                return Loaded(row, _entries(connection, table, 0))
            return Loaded(row, _entries(connection, table, found.number - 1), Snapshot(found.number, found.data))

        return self.read(work)

    def news(self, table: str, revision: int, version: int) -> Loaded | None:
        """The table and its entries from a number on; None where nothing has changed since that revision."""

        def work(connection: Connection) -> Loaded | None:
            row = _row(connection, table)
            if row is None or row.revision == revision:
                return None
            return Loaded(row, _entries(connection, table, version))

        return self.read(work)

    def revisions(self, tables: Collection[str]) -> dict[str, int]:
        """The last revision of each of these tables."""
        wanted = select(TABLES.c.id, TABLES.c.revision).where(TABLES.c.id.in_(tables))
        return self.read(lambda connection: {row.id: row.revision for row in connection.execute(wanted)})

    def append(self, new: Append) -> None:
        """Add entries to a log, all or none; Stale where the table has changed since `row`."""

        def work(connection: Connection, again: bool) -> None:
            row, entries = new.row, new.entries
            if again and _entries(connection, row.id, entries[0].number)[: len(entries)] == list(entries):
                return  # it had been committed when the connection broke
            self._change(connection, row, over=new.over, due=new.due, deadline=new.deadline, digest=new.digest)
            new_tables.append(connection, row.id, entries)
            _keep_snapshot(connection, row.id, new.snapshot)

        try:
            self.write(work)
        except IntegrityError:
            raise Stale from None

    def append_all(self, appends: Sequence[Append]) -> list[Exception | None]:
        """The same for several tables in one transaction; what was wrong with each. For one thread at a time."""
        if self._shared:
            return self._append_to_postgres(appends)
        try:
            with self._under_way(), self._turn:
                if self._pen is None:
                    self._pen = self._engine.raw_connection()
                pen = cast(PoolProxiedConnection, self._pen)
                to_sqlite.append_all(cast(sqlite3.Connection, pen.driver_connection), appends)
                if self._witness is not None:
                    self._witness.note(appends)
        except (Stale, sqlite3.IntegrityError):  # of one of them: the others shall not suffer
            return [self._tried(new) for new in appends]
        except (sqlite3.Error, OSError) as error:
            self.troubles.note(error)
            raise Unavailable from error
        self.troubles.over()
        return [None] * len(appends)

    def _append_to_postgres(self, appends: Sequence[Append]) -> list[Exception | None]:
        import psycopg

        done: set[str] = set()
        end, again = time.monotonic() + PATIENCE, False
        while True:
            try:
                with self._under_way():
                    if again:  # some of it may have been committed when the connection broke
                        done = {new.row.id for new in appends if self._was_appended(new)}
                    if self._pen is None:
                        self._pen = self._new_pen()
                    pen = cast("psycopg.Connection[Any]", self._pen)
                    left = [new for new in appends if new.row.id not in done]
                    done |= postgres.append_all(pen, left, self.sender)
                self.troubles.over()
                return [None if new.row.id in done else Stale() for new in appends]
            except (psycopg.OperationalError, OperationalError) as error:
                self._drop_pen()
                if time.monotonic() > end:
                    self.troubles.note(error)
                    raise Unavailable from error
            except psycopg.Error:  # of one of them: the others shall not suffer
                return [None if new.row.id in done else self._tried(new) for new in appends]
            again = True
            time.sleep(0.1)

    def _new_pen(self) -> psycopg.Connection[Any]:
        import psycopg

        arguments = driver_arguments(self._engine)
        arguments["options"] = f"{arguments['options']} {postgres.OPTIONS}"
        return psycopg.connect(autocommit=True, **arguments)

    def _drop_pen(self) -> None:
        pen, self._pen = self._pen, None
        if pen is not None:
            pen.close()

    def _was_appended(self, new: Append) -> bool:
        with self._reading() as connection:
            return _entries(connection, new.row.id, new.entries[0].number)[: len(new.entries)] == list(new.entries)

    def _tried(self, new: Append) -> Exception | None:
        try:
            self.append(new)
        except (Stale, Unavailable) as error:
            return error
        return None

    def set_values(self, row: TableRow, **values: object) -> None:
        """Change a table's pace, or where it is played again; Stale where the table has changed since `row`."""

        def work(connection: Connection, again: bool) -> None:
            now = _row(connection, row.id) if again else None
            if now is None or vars(now) | values | {"revision": row.revision + 1} != vars(now):  # else it is done
                self._change(connection, row, **values)

        self.write(work)

    def set_seat(self, row: TableRow, seat: int, after: TableRow) -> None:
        """Change who sits there, as `after` says; Stale where the table has changed since `row`."""
        new = after.seats[seat]

        def work(connection: Connection, again: bool) -> None:
            now = _row(connection, row.id) if again else None
            if now is not None and (now.revision, now.seats[seat]) == (row.revision + 1, new):
                return  # it had been committed when the connection broke
            told = {name: getattr(after, name) for name in ("due", "deadline", "notes", "over", "settled")}
            self._change(connection, row, **told)
            where = (SEATS.c.table == row.id) & (SEATS.c.seat == seat)
            connection.execute(update(SEATS).where(where).values(**vars(new)))

        self.write(work)

    def _change(self, connection: Connection, row: TableRow, **values: object) -> None:
        """Count the revision up, and tell the other processes once this is committed."""
        known = update(TABLES).where((TABLES.c.id == row.id) & (TABLES.c.revision == row.revision))
        done = connection.execute(known.values(revision=row.revision + 1, changed=time.time(), **values))
        if not done.rowcount:
            raise Stale
        self._notify(connection, TABLE, row.id, row.revision + 1)

    def _notify(self, connection: Connection, about: str, name: str, revision: int | None = None) -> None:
        if self._shared:
            notice = pack(Notice(self.sender, about, name, revision))
            connection.execute(select(func.pg_notify(CHANNEL, notice)))

    def tell(self, connection: Connection, about: str, name: str) -> None:
        """Tell the other processes, once the transaction is committed, that something has changed."""
        self._notify(connection, about, name)

    def sessions_end(self, connection: Connection, person: str) -> None:
        """Tell the other processes, inside a transaction that ends somebody's sessions."""
        self._notify(connection, SESSIONS, person)

    def choices_end(self, connection: Connection, person: str) -> None:
        """The same inside a transaction that takes somebody's choices away."""
        self._notify(connection, CHOICES, person)
        self.forget_choices(person)

    def touch(self, connection: Connection, tables: Sequence[str]) -> None:
        """The same for all these tables, where a transaction changes whose seats there are."""
        known = update(TABLES).where(TABLES.c.id.in_(tables))
        connection.execute(known.values(revision=TABLES.c.revision + 1))
        for table in tables:
            self._notify(connection, TABLE, table)

    def give_dice(self, table: str, dice: Dice) -> Dice | None:
        """Put dice on a table that has none; those that lie there then."""

        def work(connection: Connection, again: bool) -> Dice | None:
            bare = update(TABLES).where((TABLES.c.id == table) & TABLES.c.commitment.is_(None))
            connection.execute(bare.values(**dice_columns(dice)))
            row = _row(connection, table)
            return None if row is None else row.dice

        return self.write(work)

    # --- what is to be done

    def due_tables(self, before: float, most: int) -> list[str]:
        """Tables where something should move by itself and nothing has happened since then, the oldest first."""
        still = (TABLES.c.changed < before) | (TABLES.c.changed > before + AHEAD)
        late = (TABLES.c.due.is_(True)) & (TABLES.c.over.is_(False)) & still
        wanted = select(TABLES.c.id).where(late).order_by(TABLES.c.changed).limit(most)
        return self.read(lambda connection: list(connection.execute(wanted).scalars()))

    def to_look_after(self, now: float, most: int) -> tuple[list[str], list[str]]:
        """Tables where a turn's time is up, and finished ones whose result has not been counted."""
        in_time = TABLES.c.over.is_(True) | TABLES.c.due.is_(True)  # whatever moves by itself is nobody's delay
        late = select(TABLES.c.id).where((TABLES.c.deadline < now) & ~in_time).limit(most)
        over = select(TABLES.c.id).where(TABLES.c.settled.is_(False) & TABLES.c.over.is_(True)).limit(most)
        return self.read(
            lambda connection: (list(connection.execute(late).scalars()), list(connection.execute(over).scalars()))
        )

    def not_due(self, row: TableRow) -> None:
        """Nothing moves by itself there after all; nobody needs to hear of it."""
        known = update(TABLES).where((TABLES.c.id == row.id) & (TABLES.c.revision == row.revision))
        self.write(lambda connection, again: connection.execute(known.values(due=False)))

    # --- finding tables

    def unfinished_of(self, owner: str, since: float) -> int:
        """How many unfinished tables somebody has opened in which something has happened since then."""
        running = (TABLES.c.owner == owner) & TABLES.c.over.is_(False) & (TABLES.c.changed > since)
        wanted = select(func.count()).select_from(TABLES).where(running)
        return self.read(lambda connection: int(connection.execute(wanted).scalar() or 0))

    def invited_to(self, token: str) -> tuple[str, int] | None:
        """The table and seat of an invitation."""
        wanted = select(SEATS.c.table, SEATS.c.seat).where(SEATS.c.token == token)
        row = self.read(lambda connection: connection.execute(wanted).first())
        return None if row is None else (row[0], row[1])

    def tables_of(self, person: str, most: int) -> list[TableRow]:
        """The tables somebody opened or sits at, those where something happened last first."""

        def work(connection: Connection) -> list[TableRow]:
            rows = connection.execute(wanted_tables(person, most)).mappings().all()
            seats = select(SEATS).where(SEATS.c.table.in_([row["id"] for row in rows])).order_by(SEATS.c.seat)
            at: defaultdict[str, list[SeatRow]] = defaultdict(list)
            for seat in connection.execute(seats).mappings():
                at[seat["table"]].append(seat_of(seat))
            return [table_of(row, tuple(at[row["id"]])) for row in rows]

        return self.read(work)

    # --- people

    def known_choices(self, person: str) -> dict[str, Any] | None:
        """What somebody has chosen, if that is known without a look at the database."""
        return self._chosen.get(person)

    def forget_choices(self, person: str | None = None) -> None:
        """Do not remember what somebody, or anybody, has chosen any longer."""
        if person is None:
            self._chosen.clear()
        else:
            self._chosen.pop(person, None)

    def choices(self, person: str) -> dict[str, Any]:
        wanted = select(PEOPLE.c.choices).where(PEOPLE.c.id == person)
        found: dict[str, Any] | None = self.read(lambda connection: connection.execute(wanted).scalar())
        return self._choose(person, found or {})

    def set_choices(self, person: str, choices: Mapping[str, Any]) -> None:
        dialect = postgresql if self._shared else sqlite
        new = dialect.insert(PEOPLE).values(id=person, choices=dict(choices))
        kept = new.on_conflict_do_update(index_elements=["id"], set_={"choices": dict(choices)})

        def work(connection: Connection, again: bool) -> None:
            connection.execute(kept)
            self._notify(connection, CHOICES, person)

        self.write(work)
        self._choose(person, dict(choices))

    def _choose(self, person: str, choices: dict[str, Any]) -> dict[str, Any]:
        if len(self._chosen) >= MOST_REMEMBERED:
            self._chosen.clear()
        self._chosen[person] = choices
        return choices

    # --- transactions, for whoever keeps something else here

    def read(self, work: Callable[[Connection], Found], patience: float = PATIENCE) -> Found:
        """Look something up; Unavailable where the database does not answer."""

        def once(again: bool) -> Found:
            with self._reading() as connection:
                return work(connection)

        return self._patiently(once, patience)

    def _reading(self) -> Connection:
        """A connection for questions. On PostgreSQL each is its own transaction: none stays open while we think."""
        connection = self._engine.connect()
        return connection.execution_options(isolation_level="AUTOCOMMIT") if self._shared else connection

    def write(self, work: Callable[[Connection, bool], Found]) -> Found:
        """One transaction that writes. `again` tells the work that its last attempt broke, perhaps after the commit."""

        def once(again: bool) -> Found:
            with self._turn, writing(self._engine) as connection:
                return work(connection, again)

        found = self._patiently(once, PATIENCE)
        self.troubles.over()
        return found

    def _patiently(self, once: Callable[[bool], Found], patience: float) -> Found:
        """A database server may restart under us: what it broke off is tried again for a while."""
        end, again = time.monotonic() + patience, False
        while True:
            try:
                with self._under_way():
                    return once(again)
            except (OperationalError, InterfaceError) as error:
                if not self._shared or time.monotonic() > end:
                    self.troubles.note(error)
                    raise Unavailable from error
            except DataError:  # PostgreSQL takes no text with a zero in it
                raise BadSetup(say("invalid request")) from None
            except IntegrityError:
                raise
            except DatabaseError as error:  # a damaged file
                self.troubles.note(error)
                raise Unavailable from error
            again = True
            time.sleep(0.1)

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        with self._calm:
            self._busy += 1
        try:
            yield
        finally:
            with self._calm:
                self._busy -= 1
                self._calm.notify_all()


def wanted_tables(person: str, most: int) -> Select[Any]:
    """Somebody's tables: those they opened and those they sit at are found by an index each."""
    opened = select(TABLES.c.id).where(TABLES.c.owner == person)
    sits = select(SEATS.c.table).where(SEATS.c.person == person)
    mine = TABLES.c.id.in_(union(opened, sits))
    return select(TABLES).where(mine).order_by(TABLES.c.changed.desc()).limit(most)


def _row(connection: Connection, table: str) -> TableRow | None:
    row = connection.execute(select(TABLES).where(TABLES.c.id == table)).mappings().first()
    return None if row is None else table_of(row, _seats(connection, table))


def _keep_snapshot(connection: Connection, table: str, snapshot: Snapshot | None) -> None:
    if snapshot is not None:
        connection.execute(delete(SNAPSHOTS).where(SNAPSHOTS.c.table == table))
        connection.execute(insert(SNAPSHOTS), {"table": table} | vars(snapshot))


def _entries(connection: Connection, table: str, first: int) -> list[Entry]:
    columns = MOVES.c.number, MOVES.c.kind, MOVES.c.seat, MOVES.c.move, MOVES.c.automatic
    wanted = select(*columns).where((MOVES.c.table == table) & (MOVES.c.number >= first)).order_by(MOVES.c.number)
    return [Entry(*row) for row in connection.execute(wanted)]


def _seats(connection: Connection, table: str) -> tuple[SeatRow, ...]:
    rows = connection.execute(select(SEATS).where(SEATS.c.table == table).order_by(SEATS.c.seat)).mappings()
    return tuple(map(seat_of, rows))
