"""Backups: everything a server stores in one file that fits either kind of database, checked before it is trusted.

The file is a ZIP archive: for each table of the database its rows, a line of JSON each, and a manifest with their
numbers and digests. Snapshots are left out: they are made again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, Table, insert, inspect, select, text
from sqlalchemy.exc import OperationalError

from malecon import __version__
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.storage.appends import shadow_log
from malecon.server.storage.database import (
    BadDatabase,
    head,
    is_postgres,
    lock_schema,
    migrate,
    open_engine,
    revision_of,
    writing,
)
from malecon.server.storage.schema import HEARTBEATS, metadata

FORMAT = 1
MANIFEST = "malecon-backup.json"
#: Tables that are left out: a cache, and what the manifest says itself.
LEFT_OUT = ("snapshots", "alembic_version")
#: All tables of any version.
OWN = frozenset(metadata.tables) | {"alembic_version"}
_BATCH = 1_000


class BadBackup(MaleconError, ValueError):
    """A file that is no backup, a damaged one, or one that cannot be restored there."""


@dataclass(frozen=True)
class Backup:
    """What a backup holds: the migration of its schema, and the number of rows of each table."""

    revision: str
    rows: dict[str, int]


def back_up(address: str, target: Path) -> Backup:
    """Write everything in a database, as it is at this moment, to a file; a server may run meanwhile."""
    engine = open_engine(address)
    handle, name = tempfile.mkstemp(
        dir=target.parent, prefix=target.name
    )  # readable by its owner only: it holds secrets
    try:
        with open(handle, "wb") as file:
            _write(engine, file)
            file.flush()
            os.fsync(file.fileno())
        backup = check(Path(name))
        os.replace(name, target)
        return backup
    except BaseException:
        os.unlink(name)
        raise
    finally:
        engine.dispose()


def _write(engine: Engine, file: Any) -> None:
    try:
        revision = revision_of(engine)
        tables = _own_tables(engine)
    except OperationalError as error:
        raise BadDatabase(say("the database cannot be opened: {problem}", problem=str(error.orig)[:200])) from None
    if revision is None or "tables" not in tables.tables:
        raise BadBackup(say("there is nothing to back up yet: this database is empty"))
    parts: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, engine.connect() as connection:
        if is_postgres(engine):
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        for table in tables.sorted_tables:
            if table.name not in LEFT_OUT:
                parts[table.name] = _write_part(archive, connection, table)
        manifest = {
            "malecon-backup": FORMAT,
            "revision": revision,
            "program": __version__,
            "made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "parts": parts,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))


def _write_part(archive: zipfile.ZipFile, connection: Connection, table: Table) -> dict[str, Any]:
    rows, digest = 0, hashlib.sha256()
    query = select(table).order_by(*table.primary_key.columns)
    with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as part:
        for row in connection.execution_options(yield_per=_BATCH).execute(query).mappings():
            line = json.dumps(dict(row), ensure_ascii=False, default=_plain).encode() + b"\n"
            part.write(line)
            digest.update(line)
            rows += 1
    return {"rows": rows, "sha256": digest.hexdigest()}


def _plain(value: object) -> dict[str, str]:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    raise TypeError(f"{type(value).__name__} in a database")


def _rich(value: dict[str, Any]) -> Any:
    return base64.b64decode(value["base64"]) if set(value) == {"base64"} else value


def check(source: Path) -> Backup:
    """Read a backup to its end; raise BadBackup if something is missing or changed, or a log has a gap."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            if manifest.get("malecon-backup") != FORMAT:
                raise BadBackup(say("this backup comes from another version of the program"))
            for name, part in manifest["parts"].items():
                _check_part(archive, name, part)
            _check_logs(archive, set(manifest["parts"]))
            rows = {name: part["rows"] for name, part in manifest["parts"].items()}
            return Backup(str(manifest["revision"]), rows)
    except (zipfile.BadZipFile, zlib.error, KeyError, TypeError, AttributeError, EOFError, ValueError) as error:
        if isinstance(error, BadBackup):
            raise
        raise BadBackup(say("this file is not a backup, or it is damaged")) from None


def _check_part(archive: zipfile.ZipFile, name: str, part: dict[str, Any]) -> None:
    rows, digest = 0, hashlib.sha256()
    with archive.open(f"{name}.jsonl") as lines:
        for line in lines:
            rows += 1
            digest.update(line)
    if (rows, digest.hexdigest()) != (part["rows"], part["sha256"]):
        raise BadBackup(say("this file is not a backup, or it is damaged"))


def _check_logs(archive: zipfile.ZipFile, parts: set[str]) -> None:
    if not {"tables", "moves"} <= parts:
        raise BadBackup(say("this file is not a backup, or it is damaged"))
    tables = {row["id"] for row in _rows(archive, "tables")}
    numbers: dict[str, set[int]] = {}
    for move in _rows(archive, "moves"):
        numbers.setdefault(move["table"], set()).add(move["number"])
    for table, entries in numbers.items():
        if table not in tables or entries != set(range(len(entries))):
            raise BadBackup(say("in this backup the log of a table has a gap"))


def _rows(archive: zipfile.ZipFile, name: str) -> Iterator[dict[str, Any]]:
    with archive.open(f"{name}.jsonl") as lines:
        for line in lines:
            yield json.loads(line, object_hook=_rich)


def restore(source: Path, address: str) -> Backup:
    """Restore a backup into an empty database, all of it or nothing, and migrate it."""
    backup = check(source)
    if backup.revision > head():
        raise BadBackup(say("this backup comes from a newer version of the program; update the program"))
    engine = open_engine(address)
    try:
        with zipfile.ZipFile(source) as archive, writing(engine) as connection:
            lock_schema(connection)
            _clear(connection)
            migrate(connection, backup.revision)
            for table in _own_tables(connection).sorted_tables:
                if table.name in backup.rows:
                    _insert(connection, table, archive)
            migrate(connection, head())
        if not is_postgres(engine) and engine.url.database:
            shadow_log.delete(Path(engine.url.database))  # it is of another database
    except OperationalError as error:
        raise BadDatabase(say("the database cannot be opened: {problem}", problem=str(error.orig)[:200])) from None
    finally:
        engine.dispose()
    return backup


def _clear(connection: Connection) -> None:
    """Drop our own tables; raise BadBackup if something is in them. Other programs may have theirs here."""
    tables = _own_tables(connection)
    for table in tables.sorted_tables:
        if table.name in (*LEFT_OUT, HEARTBEATS.name):
            continue
        if connection.execute(select(text("1")).select_from(table).limit(1)).first():
            raise BadBackup(say("this database is not empty; restore a backup into a new one"))
    tables.drop_all(connection)


def _own_tables(where: Engine | Connection) -> MetaData:
    """Return our own tables as they are there, of any version."""
    tables, names = MetaData(), inspect(where).get_table_names()
    if "tables" in names:  # else a table with a name of ours belongs to another program
        tables.reflect(where, only=[name for name in names if name in OWN])
    return tables


def _insert(connection: Connection, table: Table, archive: zipfile.ZipFile) -> None:
    batch: list[dict[str, Any]] = []
    for row in _rows(archive, table.name):
        batch.append(row)
        if len(batch) == _BATCH:
            connection.execute(insert(table), batch)
            batch = []
    if batch:
        connection.execute(insert(table), batch)
