"""Opening a database and migrating it: SQLite in a folder, or PostgreSQL by its address.

A new database is made at once as the schema says; an older one is changed step by step by the migrations.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, MetaData, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError

from malecon.kernel.errors import MaleconError
from malecon.kernel.extras import install_command
from malecon.kernel.phrases import say

FILE = "malecon.sqlite3"
MIGRATIONS = Path(__file__).parent / "migrations"
#: With less room than this SQLite cannot open a database.
LEAST_FREE_BYTES = 200_000
#: Held by the one process that changes the schema.
_SCHEMA_LOCK = 0x6D616C65636F6E


class BadDatabase(MaleconError, ValueError):
    """An address that leads to no usable database."""


def address_of(folder: Path) -> str:
    """Return the address of the database in a folder."""
    return URL.create("sqlite", database=str(folder / FILE)).render_as_string(hide_password=False)


def open_engine(address: str) -> Engine:
    """Return an engine for an address like `sqlite:///FILE` or `postgresql://…`; raise BadDatabase if there is none."""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise BadDatabase(
            say("this is not the address of a database; one looks like postgresql://user@host/name")
        ) from None
    if url.drivername == "sqlite":
        if url.database and url.database != ":memory:":
            path = Path(url.database)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)  # it holds secrets: only its owner may read it
        # `Storage` sees to it that there is one writer at a time; a reader may have to wait for a checkpoint
        engine = create_engine(url, hide_parameters=True, connect_args={"timeout": 20, "check_same_thread": False})
        event.listen(engine, "connect", _make_durable)
        event.listen(engine, "begin", _begin)
        return engine
    if url.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise BadDatabase(say("there is no database called {name}; choose from: {known}",
                              name=repr(url.drivername)[:40], known="sqlite, postgresql"))  # fmt: skip
    try:
        return create_engine(
            url.set(drivername="postgresql+psycopg"), hide_parameters=True, pool_size=8, connect_args=_TIMEOUTS
        )
    except (ImportError, NoSuchModuleError):
        raise BadDatabase(
            say("PostgreSQL needs a driver; install it with: {command}", command=install_command("postgres"))
        ) from None


#: A lost connection is noticed in seconds, by both sides.
_TIMEOUTS = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # keepalives do not run while something sent is unacknowledged
    "options": "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
    " -c tcp_user_timeout=10000",
}


def is_postgres(engine: Engine) -> bool:
    return engine.dialect.name == "postgresql"


def driver_arguments(engine: Engine) -> dict[str, Any]:
    """Return what psycopg itself needs to connect to the same database."""
    _, arguments = engine.dialect.create_connect_args(engine.url)
    return {**arguments, **_TIMEOUTS}


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


def head() -> str:
    """Return the newest migration.

    It is read from the names of the files: Alembic itself takes longer to import than the rest of a start.
    """
    return max(path.stem.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def bring_up_to_date(engine: Engine, metadata: MetaData) -> None:
    """Make the schema what this program needs. Of several processes that start at once, one does it."""
    newest = head()
    try:
        if revision_of(engine) == newest:
            return
        with writing(engine) as connection:
            lock_schema(connection)
            if not inspect(connection).get_table_names():
                metadata.create_all(connection)
                connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
                connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": newest})
            else:
                migrate(connection, newest)
    except OperationalError as error:
        problem = "the disk is full" if _disk_is_full(engine) else _first_line(error)
        raise BadDatabase(say("the database cannot be opened: {problem}", problem=problem)) from None
    except DatabaseError:
        raise BadDatabase(
            say("the database is damaged; restore a backup, or save what can be read: malecon rescue")
        ) from None


def lock_schema(connection: Connection) -> None:
    """Wait until no other process changes the schema, and keep them waiting until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_LOCK})


def revision_of(engine: Engine) -> str | None:
    """Return the migration that a database is at; None if it is empty."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return None if revision is None else str(revision)


def migrate(connection: Connection, target: str) -> None:
    """Run the migrations up to one of them, inside the caller's transaction."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        command.upgrade(config, target)
    except CommandError:
        raise BadDatabase(say("this database comes from a newer version of the program; update the program")) from None


def _disk_is_full(engine: Engine) -> bool:
    """Return whether SQLite has no room: it calls that an I/O error if it happens at the start."""
    if is_postgres(engine) or not engine.url.database:
        return False
    return shutil.disk_usage(Path(engine.url.database).parent).free < LEAST_FREE_BYTES


def _first_line(error: OperationalError) -> str:
    return str(error.orig).strip().partition("\n")[0][:200]


def _make_durable(connection: Any, _record: object) -> None:
    """Set a connection so that what is committed survives a crash, and readers do not wait for the writer."""
    connection.isolation_level = None  # `_begin` begins transactions, also those that change the schema
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Begin a transaction, for writing if it will write: after a read it could not, if another wrote meanwhile."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
