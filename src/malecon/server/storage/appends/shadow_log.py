"""The shadow log: a second, plain list of what was acknowledged lately, beside a SQLite database.

A write-ahead log that is damaged takes its moves along, and SQLite opens what is left as if nothing had happened. The
shadow log is no part of the database, so it shows what is missing, and holds it. It covers at least what is in the
write-ahead log: before it is started again, everything has been written into the database itself. Digests of the logs
show, with either database, whether something in them was altered.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from sqlalchemy import Connection, Engine, select

from malecon.server.storage.game_log import LogEntry, extended
from malecon.server.storage.rows import Append
from malecon.server.storage.schema import MOVES, TABLES

#: After this a new file is started; the one before is kept.
MOST_BYTES = 8_000_000
#: Bytes until it is tried again, if not everything could be written into the database itself.
RETRY_BYTES = 1_000_000
_BATCH = 500
_Line = tuple[str, int, str | None, list[tuple[int, str, int, str, bool]]]  # table, revision, digest, entries
_decode = msgspec.json.Decoder(_Line).decode


class ShadowLog:
    """Appends to the list, after the commit and before the acknowledgement: so it never has more than the database.

    What could not be appended is committed all the same. It is missing here until `checkpoint` returns that everything
    committed so far is in the database itself, where no damage to the write-ahead log can reach it.
    """

    def __init__(self, database: Path, checkpoint: Callable[[], bool]) -> None:
        self.path = path_of(database)
        self.is_incomplete = False
        self._checkpoint = checkpoint
        self._file: int | None = None
        self._size = 0
        self._rotate_at = MOST_BYTES

    def append_all(self, appends: Sequence[Append]) -> None:
        """Append what has been committed; raise OSError, and be incomplete, if it cannot be written."""
        try:
            self._write(b"".join(map(_line, appends)))
        except OSError:
            self.is_incomplete = True
            self.close()  # the next attempt begins a line of its own
            raise
        if self.is_incomplete:
            self.is_incomplete = not self._checkpoint()
        elif self._size > self._rotate_at:
            if self._checkpoint():
                self.close()
                os.replace(self.path, older(self.path))
            else:  # a reader is in the way, such as a backup
                self._rotate_at = self._size + RETRY_BYTES

    def _write(self, lines: bytes) -> None:
        if self._file is None:
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            self._size, self._rotate_at = os.fstat(self._file).st_size, MOST_BYTES
            lines = b"\n" + lines  # the last line may have been cut off
        while lines:
            written = os.write(self._file, lines)
            self._size += written
            lines = lines[written:]

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _line(new: Append) -> bytes:
    entries = [(entry.number, entry.kind, entry.seat, entry.move, entry.automatic) for entry in new.entries]
    return msgspec.json.encode((new.row.id, new.row.revision + 1, new.digest, entries)) + b"\n"


def path_of(database: Path) -> Path:
    return database.with_name(database.name + "-shadow")


def older(path: Path) -> Path:
    return path.with_name(path.name + "-old")


def delete(database: Path) -> None:
    """Delete the shadow log, because the database is replaced by another one."""
    for path in (path_of(database), older(path_of(database))):
        path.unlink(missing_ok=True)


def read_shadow_log(database: Path) -> Iterator[tuple[str, int, str | None, list[LogEntry]]]:
    """Yield what was appended, oldest first: the table, its revision and digest then, and the entries.

    A line that a crash has cut off, or that is damaged, is left out.
    """
    for path in (older(path_of(database)), path_of(database)):
        if not path.exists():
            continue
        with path.open("rb") as lines:
            for line in lines:
                try:
                    table, revision, digest, entries = _decode(line)
                except msgspec.MsgspecError:
                    continue
                yield table, revision, digest, [LogEntry(*fields) for fields in entries]


# --- whether everything is there


def altered_logs(engine: Engine, most: int = 1_000) -> list[str]:
    """Return those of the tables that changed last whose log does not match its digest."""
    query = select(TABLES.c.id, TABLES.c.digest).order_by(TABLES.c.changed.desc()).limit(most)
    with engine.connect() as connection:
        rows = connection.execute(query).all()
        return [table for table, digest in rows if digest is not None and not _matches(connection, table, digest)]


def _matches(connection: Connection, table: str, digest: str) -> bool:
    columns = MOVES.c.number, MOVES.c.kind, MOVES.c.seat, MOVES.c.move, MOVES.c.automatic
    query = select(*columns).where(MOVES.c.table == table).order_by(MOVES.c.number)
    return extended(None, (LogEntry(*row) for row in connection.execute(query))) == digest


def lost_tables(engine: Engine, database: Path) -> list[str]:
    """Return the tables of which the shadow log has more than the database."""
    shadowed: dict[str, int] = {}
    for table, revision, _, _ in read_shadow_log(database):
        shadowed[table] = max(revision, shadowed.get(table, 0))
    stored: dict[str, int] = {}
    with engine.connect() as connection:
        for names in _batches(list(shadowed)):
            query = select(TABLES.c.id, TABLES.c.revision).where(TABLES.c.id.in_(names))
            stored |= {row.id: row.revision for row in connection.execute(query)}
    return sorted(table for table, revision in shadowed.items() if stored.get(table, -1) < revision)


def _batches(names: list[str]) -> Iterable[list[str]]:
    return (names[first : first + _BATCH] for first in range(0, len(names), _BATCH))
