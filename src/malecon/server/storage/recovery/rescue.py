"""Copies what can be read of a damaged SQLite database into a new one, with what only the shadow log has.

Logs are kept up to the first gap: what follows one cannot be replayed. The damaged file is only read.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Boolean, Connection, Table, func, insert, select, update

from malecon.kernel.phrases import say
from malecon.server.storage.appends.shadow_log import read_shadow_log
from malecon.server.storage.database import FILE, BadDatabase, address_of, bring_up_to_date, open_engine, writing
from malecon.server.storage.game_log import LogEntry, extended
from malecon.server.storage.schema import MOVES, SEATS, TABLES, metadata

#: Rows that are read at once.
_BATCH = 500
#: After that many numbers without a row the table is at its end.
_MOST_MISSES = 20_000
_LEFT_OUT = ("snapshots",)
#: The number of a row may be 0, as that of the key that marks guests, and SQLite allows even less.
_FIRST_NUMBER = 0
_BEFORE_THE_FIRST = -(2**63)


@dataclass
class Rescued:
    """How many rows of each table were saved, how many moves from the shadow log, and which games are incomplete.

    `damaged` names the tables of the database of which not everything could be read.
    """

    rows: dict[str, int] = field(default_factory=dict)
    damaged: list[str] = field(default_factory=list)
    from_shadow_log: int = 0
    cut: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def rescue(source: Path, target: Path) -> Rescued:
    """Read the database in the folder `source` as far as it can be read, into the new folder `target`."""
    database = source / FILE
    if not database.exists():
        raise BadDatabase(say("there is no database in {folder}", folder=str(source)))
    if (target / FILE).exists():
        raise BadDatabase(say("there is a database in {folder} already; choose an empty folder", folder=str(target)))
    if not _has_tables(database):
        raise BadDatabase(
            say("nothing can be read of {file}, not even what its tables are; restore a backup", file=str(database))
        )
    rescued = Rescued()
    engine = open_engine(address_of(target))
    try:
        bring_up_to_date(engine, metadata)
        with writing(engine) as connection:
            for table in metadata.sorted_tables:
                if table.name not in _LEFT_OUT:
                    rescued.rows[table.name] = _copy(database, table, connection, rescued.damaged)
            rescued.from_shadow_log, digests = _add_from_shadow_log(database, connection)
            _repair(connection, rescued, digests)
    finally:
        engine.dispose()
    return rescued


def _has_tables(database: Path) -> bool:
    """Return whether at least the list of tables can be read: without it nothing is found."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError:
        return False
    return TABLES.name in names


def _copy(database: Path, table: Table, target: Connection, damaged: list[str]) -> int:
    names, count = [column.name for column in table.columns], 0
    for row in _rows(database, table.name, names, damaged):
        if any(row[column.name] is None and not column.nullable for column in table.columns):
            if table.name not in damaged:
                damaged.append(table.name)
            continue  # the rest of a damaged row
        target.execute(insert(table).prefix_with("OR IGNORE"), _typed(table, row))
        count += 1
    return count


def _typed(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    typed = dict(row)
    for column in table.columns:
        value = typed[column.name]
        if isinstance(column.type, JSON) and isinstance(value, str):
            typed[column.name] = json.loads(value)
        elif isinstance(column.type, Boolean) and value is not None:
            typed[column.name] = bool(value)
    return typed


def _rows(database: Path, table: str, names: list[str], damaged: list[str]) -> Iterator[dict[str, Any]]:
    """Yield every row that can be read; columns that an older schema did not have are None."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        last = _BEFORE_THE_FIRST
        while True:
            query = f'SELECT rowid AS "_row", * FROM "{table}" WHERE rowid > ? ORDER BY rowid LIMIT {_BATCH}'
            try:
                rows = connection.execute(query, (last,)).fetchall()
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    return
                rows = None
            except sqlite3.DatabaseError:
                rows = None
            if rows is None:
                if table not in damaged:
                    damaged.append(table)
                rows = list(_one_by_one(connection, table, last))
                if not rows:
                    return
            if not rows:
                return
            for row in rows:
                columns = row.keys()
                yield {name: row[name] if name in columns else None for name in names}
            last = rows[-1]["_row"]


def _one_by_one(connection: sqlite3.Connection, table: str, last: int) -> Iterator[sqlite3.Row]:
    """Yield up to a batch of rows after the damage, one by one, by their number."""
    misses = count = 0
    number = max(last, _FIRST_NUMBER - 1)
    while misses < _MOST_MISSES and count < _BATCH:
        number += 1
        try:
            row = connection.execute(f'SELECT rowid AS "_row", * FROM "{table}" WHERE rowid = ?', (number,)).fetchone()
        except sqlite3.DatabaseError:
            row = None
        if row is None:
            misses += 1
        else:
            misses, count = 0, count + 1
            yield row


def _add_from_shadow_log(database: Path, target: Connection) -> tuple[int, dict[str, str | None]]:
    """Add the moves that only the shadow log has; return their number, and the last digest of each table there."""
    added, digests = 0, dict[str, str | None]()
    tables = set(target.execute(select(TABLES.c.id)).scalars())
    for table, _, digest, entries in read_shadow_log(database):
        if table not in tables:
            continue
        digests[table] = digest
        for entry in entries:
            row = {"table": table, "made": 0.0} | vars(entry)
            added += target.execute(insert(MOVES).prefix_with("OR IGNORE"), row).rowcount
    return added, digests


def _repair(connection: Connection, rescued: Rescued, digests: dict[str, str | None]) -> None:
    """Cut logs at their first gap, and make every table's row agree with its log."""
    logs: defaultdict[str, list[LogEntry]] = defaultdict(list)
    columns = MOVES.c.table, MOVES.c.number, MOVES.c.kind, MOVES.c.seat, MOVES.c.move, MOVES.c.automatic
    for table, *fields in connection.execute(select(*columns).order_by(MOVES.c.table, MOVES.c.number)):
        logs[table].append(LogEntry(*fields))
    counted = connection.execute(select(SEATS.c.table, func.count()).group_by(SEATS.c.table))
    players: dict[str, int] = {row[0]: row[1] for row in counted}
    rows = connection.execute(select(TABLES.c.id, TABLES.c.players, TABLES.c.digest)).all()
    for name in sorted(set(logs) - {row.id for row in rows}):
        rescued.lost.append(name)  # moves of a table whose row is lost
        connection.execute(MOVES.delete().where(MOVES.c.table == name))
    for row in rows:
        log = logs[row.id]
        kept = next((index for index, entry in enumerate(log) if entry.number != index), len(log))
        if players.get(row.id, 0) != row.players:
            rescued.lost.append(row.id)
            for table, column in ((MOVES, MOVES.c.table), (SEATS, SEATS.c.table), (TABLES, TABLES.c.id)):
                connection.execute(table.delete().where(column == row.id))
            continue
        if kept < len(log):
            connection.execute(MOVES.delete().where((MOVES.c.table == row.id) & (MOVES.c.number >= kept)))
        digest = extended(None, log[:kept])
        if digest != row.digest:
            if row.digest is not None and digest != digests.get(row.id):
                rescued.cut.append(row.id)
            # autoplay looks at the table at the next start, and corrects `needs_autoplay`
            values = {"revision": TABLES.c.revision + 1, "over": False, "needs_autoplay": True, "deadline": None}
            connection.execute(update(TABLES).where(TABLES.c.id == row.id).values(digest=digest, **values))
