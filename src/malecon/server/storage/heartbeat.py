"""The heartbeat of a database: when a server was last at work there, and what time it was.

If a heartbeat is missing, or the clock has jumped, the deadlines of all players are moved along: nobody loses a turn
because a server was down or a clock was wrong. Servers on several machines tell the time by the clock of PostgreSQL,
since their own may differ.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import Connection, func, select, update

from malecon.server.storage.schema import HEARTBEATS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import upsert, writes

#: Between two heartbeats.
INTERVAL_SECONDS = 10.0
#: Without a heartbeat for longer than this, no server was at work.
MOST_MISSING_SECONDS = 60.0
#: If the clock shows an earlier time than the last heartbeat by more than this, it was set back.
MOST_BACK_SECONDS = 5.0
_CLOCK = "clock"


class DatabaseClock:
    """Seconds since 1970, the same in all processes on a database: this machine's clock, corrected at each heartbeat.

    With SQLite there is one machine, and its clock is right by definition.
    """

    def __init__(self, storage: Storage, clock: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._clock = clock
        self._ahead_seconds = 0.0

    def __call__(self) -> float:
        return self._clock() + self._ahead_seconds

    def read(self, connection: Connection) -> float:
        """Return the time that the database itself tells."""
        if not self._storage.is_shared:
            return self._clock()
        return float(connection.execute(select(func.extract("epoch", func.clock_timestamp()))).scalar_one())

    def correct(self, now: float) -> None:
        """Set the clock to what was read."""
        self._ahead_seconds = now - self._clock() if self._storage.is_shared else 0.0


def record(storage: Storage, clock: DatabaseClock) -> float:
    """Record that a server is at work, and correct the clock.

    Return by how many seconds all deadlines were moved, mostly 0.
    """
    now, moved = _record(storage, clock)
    clock.correct(now)
    return moved


@writes
def _record(storage: Storage, connection: Connection, clock: DatabaseClock) -> tuple[float, float]:
    """Return the time, and by how many seconds all deadlines were moved."""
    # locked, so that one of several processes moves the deadlines
    query = select(HEARTBEATS.c.wall).where(HEARTBEATS.c.name == _CLOCK).with_for_update()
    last = connection.execute(query).scalar()
    now = clock.read(connection)
    upsert(connection, HEARTBEATS, {"name": _CLOCK, "wall": now})
    missing = 0.0 if last is None else now - float(last)
    if -MOST_BACK_SECONDS <= missing <= MOST_MISSING_SECONDS:
        return now, 0.0
    running = TABLES.c.deadline.is_not(None) & TABLES.c.over.is_(False)
    tables = list(connection.execute(select(TABLES.c.id).where(running).order_by(TABLES.c.id)).scalars())
    storage.touch(connection, tables)
    connection.execute(update(TABLES).where(TABLES.c.id.in_(tables)).values(deadline=TABLES.c.deadline + missing))
    return now, missing
