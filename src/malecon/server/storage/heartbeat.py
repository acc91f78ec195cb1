"""The heartbeat of a database: when a server was last at work there.

If a heartbeat is missing, or the machine's clock has jumped, the deadlines of all players are moved along: nobody loses
a turn because a server was down or a clock was wrong.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from malecon.server.storage.schema import HEARTBEATS, TABLES
from malecon.server.storage.store import Storage

#: Between two heartbeats.
INTERVAL_SECONDS = 10.0
#: Without a heartbeat for longer than this, no server was at work.
MOST_MISSING_SECONDS = 60.0
#: If the clock shows an earlier time than the last heartbeat by more than this, it was set back.
MOST_BACK_SECONDS = 5.0
_CLOCK = "clock"


def record(storage: Storage, now: float) -> float:
    """Record that a server is at work at that time. Return by how many seconds all deadlines were moved, mostly 0."""

    def work(connection: Connection, again: bool) -> float:
        # locked, so that one of several processes moves the deadlines
        query = select(HEARTBEATS.c.wall).where(HEARTBEATS.c.name == _CLOCK).with_for_update()
        last = connection.execute(query).scalar()
        if last is None:
            connection.execute(insert(HEARTBEATS), {"name": _CLOCK, "wall": now})
            return 0.0
        connection.execute(update(HEARTBEATS).where(HEARTBEATS.c.name == _CLOCK).values(wall=now))
        missing = now - float(last)
        if -MOST_BACK_SECONDS <= missing <= MOST_MISSING_SECONDS:
            return 0.0
        running = TABLES.c.deadline.is_not(None) & TABLES.c.over.is_(False)
        tables = list(connection.execute(select(TABLES.c.id).where(running).order_by(TABLES.c.id)).scalars())
        storage.touch(connection, tables)
        connection.execute(update(TABLES).where(TABLES.c.id.in_(tables)).values(deadline=TABLES.c.deadline + missing))
        return missing

    return storage.write(work)
