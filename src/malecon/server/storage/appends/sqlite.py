"""Appends to the logs of many tables in one transaction of SQLite: every move waits for it.

It uses the driver itself, by a connection that is kept for it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Insert, Update, bindparam, func, insert, select, update
from sqlalchemy.dialects import sqlite

from malecon.server.errors import Stale
from malecon.server.storage.rows import Append
from malecon.server.storage.schema import MOVES, TABLES

#: What is appended to many tables goes to SQLite as one list. Row by row, the thread that writes would have to wait for
#: the interpreter's lock after every row, each time behind the rest of the server.
_NEW = func.json_each(bindparam("new")).table_valued("value")


def _new(column: int) -> ColumnElement[Any]:
    return func.json_extract(_NEW.c.value, f"$[{column}]")


_UPDATE_TABLES_STATEMENT = (
    update(TABLES)
    .where((TABLES.c.id == _new(0)) & (TABLES.c.revision == _new(1)))
    .values(
        revision=TABLES.c.revision + 1,
        changed=_new(2),
        over=_new(3),
        needs_autoplay=_new(4),
        deadline=_new(5),
        digest=_new(6),
    )
)
_INSERT_MOVES_STATEMENT = insert(MOVES).from_select(
    ["table", "made", "number", "kind", "seat", "move", "automatic"], select(*(_new(column) for column in range(7)))
)


class _Prepared:
    """A statement for SQLite that is compiled once, and takes a list as its one value."""

    def __init__(self, statement: Update | Insert) -> None:
        compiled = statement.compile(dialect=sqlite.dialect())
        names: list[str] = compiled.positiontup or []
        self._text = str(compiled)
        self._values = [compiled.params[name] for name in names]
        self._place = names.index("new")

    def run(self, connection: sqlite3.Connection, new: Sequence[object]) -> int:
        """Return how many rows it has changed."""
        values = self._values.copy()
        values[self._place] = msgspec.json.encode(new).decode()
        return connection.execute(self._text, values).rowcount


_UPDATE_TABLES = _Prepared(_UPDATE_TABLES_STATEMENT)
_INSERT_MOVES = _Prepared(_INSERT_MOVES_STATEMENT)


def append_all(connection: sqlite3.Connection, appends: Sequence[Append]) -> None:
    """Append to several logs, in as few statements as possible; raise Stale if one of the tables has changed."""
    now = time.time()
    moved = [
        [new.row.id, new.row.revision, now, new.over, new.needs_autoplay, new.deadline, new.digest] for new in appends
    ]
    logged = [[new.row.id, now, *vars(entry).values()] for new in appends for entry in new.entries]
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _UPDATE_TABLES.run(connection, moved) != len(appends):
            raise Stale
        _INSERT_MOVES.run(connection, logged)
        for new in appends:
            if new.snapshot is not None:
                kept = (new.row.id, new.snapshot.number, new.snapshot.data)
                connection.execute('INSERT OR REPLACE INTO snapshots ("table", number, data) VALUES (?, ?, ?)', kept)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
