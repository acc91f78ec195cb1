"""How a table comes into the database: its row, its seats and the beginning of its log, in somebody's transaction."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import Connection, insert

from malecon.server.storage.ledger import Entry, extended
from malecon.server.storage.rows import TableRow, columns_of
from malecon.server.storage.schema import MOVES, SEATS, TABLES


def insert_table(connection: Connection, table: TableRow, entries: Sequence[Entry]) -> None:
    """Put a new table there."""
    connection.execute(insert(TABLES), columns_of(table) | {"digest": extended(None, entries)})
    seats = [{"table": table.id, "seat": number} | vars(seat) for number, seat in enumerate(table.seats)]
    connection.execute(insert(SEATS), seats)
    append(connection, table.id, entries)


def append(connection: Connection, table: str, entries: Sequence[Entry]) -> None:
    """Add entries to the log of a table."""
    made = time.time()
    if entries:
        connection.execute(insert(MOVES), [{"table": table, "made": made} | vars(entry) for entry in entries])
