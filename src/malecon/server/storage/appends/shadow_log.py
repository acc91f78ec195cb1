"""The witness: a second, plain list of what was acknowledged lately, beside a database of SQLite.

A write-ahead log that is damaged takes the moves in it along, and SQLite opens what is left as if nothing had happened.
The witness is no part of the database, so it tells what is missing, and holds it. It covers at least what is in the
write-ahead log: before it begins anew, everything has been written into the database itself. Digests of the logs tell,
with either database, whether something in them was altered.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from sqlalchemy import Connection, Engine, select

from malecon.server.storage.ledger import Entry, extended
from malecon.server.storage.rows import Append
from malecon.server.storage.schema import MOVES, TABLES

#: Bytes after which it begins anew; the one before is kept.
LARGEST = 8_000_000
_BATCH = 500
_Line = tuple[str, int, str | None, list[tuple[int, str, int, str, bool]]]  # table, revision, digest, entries
_read = msgspec.json.Decoder(_Line).decode


class Witness:
    """Appends to the list. It is written after the commit and before the acknowledgement: it never knows too much."""

    def __init__(self, database: Path, checkpoint: Callable[[], None]) -> None:
        self.path = path_of(database)
        self._checkpoint = checkpoint
        self._file: int | None = None
        self._size = 0

    def note(self, appends: Sequence[Append]) -> None:
        if self._file is None:
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            self._size = os.fstat(self._file).st_size
        lines = [
            msgspec.json.encode(
                (
                    new.row.id,
                    new.row.revision + 1,
                    new.digest,
                    [(entry.number, entry.kind, entry.seat, entry.move, entry.automatic) for entry in new.entries],
                )
            )
            for new in appends
        ]
        self._size += os.write(self._file, b"\n".join(lines) + b"\n")
        if self._size > LARGEST:
            self._checkpoint()
            self.close()
            os.replace(self.path, older(self.path))

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def path_of(database: Path) -> Path:
    return database.with_name(database.name + "-witness")


def older(path: Path) -> Path:
    return path.with_name(path.name + "-old")


def forget(database: Path) -> None:
    """Begin anew: the database is another one from now on."""
    for path in (path_of(database), older(path_of(database))):
        path.unlink(missing_ok=True)


def testimony(database: Path) -> Iterator[tuple[str, int, str | None, list[Entry]]]:
    """What it has seen, oldest first: the table, its revision and digest then, and what was appended.

    A line that a crash has cut off, or that is damaged, is left out.
    """
    for path in (older(path_of(database)), path_of(database)):
        if not path.exists():
            continue
        with path.open("rb") as lines:
            for line in lines:
                try:
                    table, revision, digest, entries = _read(line)
                except msgspec.MsgspecError:
                    continue
                yield table, revision, digest, [Entry(*fields) for fields in entries]


# --- whether everything is there


def altered_logs(engine: Engine, most: int = 1_000) -> list[str]:
    """Of the tables that changed last, those whose log is not what its digest says."""
    wanted = select(TABLES.c.id, TABLES.c.digest).order_by(TABLES.c.changed.desc()).limit(most)
    with engine.connect() as connection:
        rows = connection.execute(wanted).all()
        return [table for table, digest in rows if digest is not None and not _fits(connection, table, digest)]


def _fits(connection: Connection, table: str, digest: str) -> bool:
    first = int(digest.partition(":")[0])
    columns = MOVES.c.number, MOVES.c.kind, MOVES.c.seat, MOVES.c.move, MOVES.c.automatic
    wanted = select(*columns).where((MOVES.c.table == table) & (MOVES.c.number >= first)).order_by(MOVES.c.number)
    return extended(None, (Entry(*row) for row in connection.execute(wanted)), first) == digest


def lost_tables(engine: Engine, database: Path) -> list[str]:
    """Tables of which the witness has seen more than the database of this file holds."""
    seen: dict[str, int] = {}
    for table, revision, _, _ in testimony(database):
        seen[table] = max(revision, seen.get(table, 0))
    known: dict[str, int] = {}
    with engine.connect() as connection:
        for names in _batches(list(seen)):
            wanted = select(TABLES.c.id, TABLES.c.revision).where(TABLES.c.id.in_(names))
            known |= {row.id: row.revision for row in connection.execute(wanted)}
    return sorted(table for table, revision in seen.items() if known.get(table, -1) < revision)


def _batches(names: list[str]) -> Iterable[list[str]]:
    return (names[first : first + _BATCH] for first in range(0, len(names), _BATCH))
