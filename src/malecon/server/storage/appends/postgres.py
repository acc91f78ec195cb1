"""Appends to the logs of many tables in one statement of PostgreSQL, and one round trip: every move waits for it.

The statement checks each table's revision, updates the table, writes its log and notifies the other processes. Tables
are locked in the order of their names, so that two processes never wait for each other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from malecon.server.storage.notices import CHANNEL, TABLE, MovedDetails, Notice, pack
from malecon.server.storage.rows import Append

if TYPE_CHECKING:
    import psycopg

#: For the connection that does nothing else: rows are looked up by their keys, however few there were when the
#: statement was planned; and a database that is too slow for people is given up, so that their requests are answered.
OPTIONS = (
    "-c plan_cache_mode=force_generic_plan -c jit=off"
    " -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c statement_timeout=10000"
)
_MOVED = """
WITH new AS MATERIALIZED (
  SELECT value->>0 AS id, (value->>1)::int AS revision, (value->>2)::bool AS over, (value->>3)::bool AS needs_autoplay,
         (value->>4)::float8 AS deadline, value->>5 AS digest, value->>6 AS notice
  FROM json_array_elements(%(moved)s::json)
), known AS MATERIALIZED (
  SELECT tables.id FROM new JOIN tables ON tables.id = new.id AND tables.revision = new.revision
  ORDER BY tables.id FOR UPDATE OF tables
), moved AS (
  UPDATE tables SET revision = new.revision + 1, changed = %(now)s, over = new.over,
         needs_autoplay = new.needs_autoplay, deadline = new.deadline, digest = new.digest
  FROM new JOIN known USING (id) WHERE tables.id = new.id RETURNING tables.id, new.notice
), logged AS (
  INSERT INTO moves ("table", number, kind, seat, move, automatic, made)
  SELECT moved.id, (value->>1)::int, value->>2, (value->>3)::int, value->>4, (value->>5)::bool, %(now)s
  FROM json_array_elements(%(logged)s::json) JOIN moved ON moved.id = value->>0
)"""
_KEPT = """, kept AS (
  INSERT INTO snapshots ("table", number, data)
  SELECT moved.id, taken.number, taken.data
  FROM unnest(%(tables)s::text[], %(numbers)s::int[], %(data)s::bytea[]) AS taken(id, number, data)
  JOIN moved USING (id)
  ON CONFLICT ("table") DO UPDATE SET number = excluded.number, data = excluded.data
)"""
_TOLD = f" SELECT id, pg_notify('{CHANNEL}', notice) FROM moved"
_PLAIN, _WITH_SNAPSHOTS = (_MOVED + _TOLD).encode(), (_MOVED + _KEPT + _TOLD).encode()


def append_all(connection: psycopg.Connection[Any], appends: Sequence[Append], sender: str) -> set[str]:
    """Append to several logs; return the tables where that was done. The others have changed meanwhile."""
    moved, logged = [], []
    for new in appends:
        row, details = new.row, MovedDetails.of(new)
        notice = pack(Notice(sender, TABLE, row.id, row.revision + 1, details))
        moved.append((row.id, row.revision, new.over, new.needs_autoplay, new.deadline, new.digest, notice))
        logged += [(row.id, *fields) for fields in details.entries]
    values: dict[str, Any] = {"now": time.time(), "moved": _json(moved), "logged": _json(logged)}
    kept = [(new.row.id, new.snapshot) for new in appends if new.snapshot is not None]
    if kept:
        values |= {
            "tables": [table for table, _ in kept],
            "numbers": [snapshot.number for _, snapshot in kept],
            "data": [snapshot.data for _, snapshot in kept],
        }
    rows = connection.execute(_WITH_SNAPSHOTS if kept else _PLAIN, values, prepare=True)
    return {row[0] for row in rows}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
