"""Transactions of the database: for reading, for writing, and once more while a database server restarts.

One statement is run by `rows`, `first`, `scalar`, `scalars` or `execute`. Several belong into a method with the
decorator `reads` or `writes`, which then gets the connection; what it returns has been committed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection, Engine, Executable, Row, Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, DataError, IntegrityError, InterfaceError, OperationalError

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.errors import Unavailable
from malecon.server.storage.database import bring_up_to_date, is_postgres, open_engine, writing
from malecon.server.storage.health import DatabaseHealth
from malecon.server.storage.schema import metadata

AnyRow = Row[*tuple[Any, ...]]
Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")
#: How long a database that restarts is waited for before a request is refused.
RETRY_FOR_SECONDS = 5.0
#: Between two attempts.
RETRY_INTERVAL_SECONDS = 0.1
#: How long `close` waits for transactions under way.
CLOSE_TIMEOUT_SECONDS = 5.0
_IS_RETRY = "is_retry"


class Transactions:
    """Runs transactions in any thread; raises Unavailable if the database does not answer."""

    def __init__(self, address: str) -> None:
        self._idle = threading.Condition()
        self._running = 0  # transactions under way, in any thread
        self.health = DatabaseHealth()
        self._engine = open_engine(address)
        try:
            bring_up_to_date(self._engine, metadata)
        except BaseException:
            self._engine.dispose()
            raise
        self._shared = is_postgres(self._engine)
        # SQLite has one writer at a time: better to wait here than to retry there
        self._write_lock: AbstractContextManager[object] = nullcontext() if self._shared else threading.Lock()

    @property
    def engine(self) -> Engine:
        return self._engine

    @property
    def is_shared(self) -> bool:
        """Whether other server processes may use this database."""
        return self._shared

    @property
    def _storage(self) -> Transactions:
        """Itself: so that its own methods can be decorated as those of other stores."""
        return self

    def close(self) -> None:
        """Close all connections. One that a thread still uses now would never be closed, so it may finish first.

        Threads that outlive the server may even connect later: their connections are closed when they are done.
        """
        with self._idle:
            self._idle.wait_for(lambda: not self._running, CLOSE_TIMEOUT_SECONDS)
        event.listen(self._engine, "checkin", lambda _, entry: entry.invalidate())
        self._engine.dispose()

    # --- one statement

    def rows(self, query: Executable, retry_for: float = RETRY_FOR_SECONDS) -> Sequence[AnyRow]:
        """Return all rows of a query."""

        def once(is_retry: bool) -> Sequence[AnyRow]:
            with self._reading() as connection:
                return connection.execute(query).all()

        return self._retry(once, retry_for)

    def first(self, query: Executable) -> AnyRow | None:
        """Return the first row of a query, if there is one."""
        rows = self.rows(query)
        return rows[0] if rows else None

    def scalars(self, query: Executable) -> list[Any]:
        """Return the first column of a query."""
        return [row[0] for row in self.rows(query)]

    def scalar(self, query: Executable) -> Any:
        """Return the first value of the first row of a query; None if there is no row."""
        row = self.first(query)
        return None if row is None else row[0]

    def execute(self, statement: Executable) -> None:
        """Run a statement that writes, and does the same if it is run twice."""
        self.write(lambda connection: connection.execute(statement))

    # --- several statements

    def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run a transaction that reads: all statements see the same state, whatever others commit in between."""

        def once(is_retry: bool) -> Result:
            with self._reading(isolation_level="REPEATABLE READ", postgresql_readonly=True) as connection:
                return work(connection)

        return self._retry(once, RETRY_FOR_SECONDS)

    def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run a transaction that writes."""

        def once(is_retry: bool) -> Result:
            with self._write_lock, writing(self._engine) as connection:
                return work(connection.execution_options(**{_IS_RETRY: is_retry}))

        result = self._retry(once, RETRY_FOR_SECONDS)
        self.health.record_write()
        return result

    def _reading(self, **options: Any) -> Connection:
        """Return a connection for reading. A statement alone is its own transaction on PostgreSQL: none stays open."""
        connection = self._engine.connect()
        if not self._shared:  # a transaction of SQLite always sees one state
            return connection
        return connection.execution_options(**options or {"isolation_level": "AUTOCOMMIT"})

    def _retry(self, once: Callable[[bool], Result], retry_for: float) -> Result:
        """Run a transaction, again for a while if the database server restarts meanwhile."""
        end, is_retry = time.monotonic() + retry_for, False
        while True:
            try:
                with self._counted():
                    return once(is_retry)
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
            is_retry = True
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


class HasStorage(Protocol):
    """What `reads` and `writes` need of the first argument."""

    @property
    def _storage(self) -> Transactions: ...


Store = TypeVar("Store", bound=HasStorage)


def reads(
    method: Callable[Concatenate[Store, Connection, Parameters], Result],
) -> Callable[Concatenate[Store, Parameters], Result]:
    """Make a method a transaction that reads; its callers do not pass the connection."""

    @wraps(method)
    def reading(store: Store, /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        return store._storage.read(lambda connection: method(store, connection, *arguments, **named))

    return reading


def writes(
    method: Callable[Concatenate[Store, Connection, Parameters], Result],
) -> Callable[Concatenate[Store, Parameters], Result]:
    """Make a method a transaction that writes; its callers do not pass the connection.

    If the connection breaks, the method runs again. Where that could do something twice, it asks `is_retry`.
    """

    @wraps(method)
    def write(store: Store, /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        return store._storage.write(lambda connection: method(store, connection, *arguments, **named))

    return write


def is_retry(connection: Connection) -> bool:
    """Return whether the last try of this transaction failed, perhaps after it had been committed."""
    return bool(connection.get_execution_options().get(_IS_RETRY, False))


def upsert(connection: Connection, table: Table, values: dict[str, Any], unchanged: Collection[str] = ()) -> None:
    """Insert a row, or change the one that has the same primary key, apart from the columns that stay unchanged."""
    keys = [column.name for column in table.primary_key]
    others = {name: value for name, value in values.items() if name not in keys and name not in unchanged}
    new = _insert(connection, table).values(values)
    connection.execute(new.on_conflict_do_update(index_elements=keys, set_=others))


def insert_missing(connection: Connection, table: Table, values: dict[str, Any]) -> bool:
    """Insert a row; return False, and change nothing, if there is one with its key."""
    return bool(connection.execute(_insert(connection, table).values(values).on_conflict_do_nothing()).rowcount)


def _insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
