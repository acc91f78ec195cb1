"""A PostgreSQL of the tests' own: the Debian package's programs, a folder in /tmp, 127.0.0.1, gone afterwards."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection, event

from malecon.server.storage.store import Storage

#: Root may not run a database server: it is started as Debian's own user for it.
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []


def programs() -> Path:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    assert installed, "PostgreSQL is missing: make test installs it"
    return installed[-1].parent


class Postgres:
    """A running server with as many databases as tests ask for."""

    def __init__(self) -> None:
        self._programs = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="malecon-postgres-"))
        if AS_POSTGRES:
            shutil.chown(self.folder, "postgres", "postgres")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._run(
            "initdb", "--pgdata", self._data, "--username=malecon", "--auth=trust", "--no-sync", "--encoding=UTF8"
        )
        self.start()

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def start(self) -> None:
        options = f"-h 127.0.0.1 -p {self.port} -k {self.folder}"
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-l", str(self.folder / "log"), "-o", options)

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "stop", "-w", "-D", self._data, "-m", mode)

    def close(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self.folder)

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"malecon_{secrets.token_hex(6)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def address(self, name: str) -> str:
        return f"postgresql://malecon@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*AS_POSTGRES, str(self._programs / program), *arguments]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", check=False)
        assert done.returncode == 0, f"{program} ended with {done.returncode}; look at {self.folder / 'log'}"


def lose_connection(storage: Storage) -> None:
    """The connection is lost before the next statement."""

    def lose(connection: Connection, *_: object) -> None:
        connection.connection.dbapi_connection.close()  # type: ignore[union-attr]

    event.listen(storage.engine, "before_cursor_execute", lose, once=True)


def lose_acknowledgement(storage: Storage) -> None:
    """The connection is lost right after the next commit."""
    dialect = storage.engine.dialect
    commit = dialect.do_commit

    def lose(connection: Any) -> None:
        dialect.do_commit = commit  # type: ignore[method-assign]
        commit(connection)
        connection.dbapi_connection.close()
        raise psycopg.OperationalError("the server closed the connection unexpectedly")

    dialect.do_commit = lose  # type: ignore[method-assign]


def until_somebody_waits(connection: psycopg.Connection[Any]) -> None:
    """Return when a transaction of this database waits for a lock of another one."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    end = time.monotonic() + 20
    while not connection.execute(query).fetchone()[0]:  # type: ignore[index]
        assert time.monotonic() < end
        time.sleep(0.01)
