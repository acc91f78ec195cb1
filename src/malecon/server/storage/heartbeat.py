"""Beats: when a server was last at work on this database. If one is missing, or the machine's clock has jumped,
people's deadlines move along: nobody loses a turn because a server was down or a clock was wrong.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from malecon.server.storage.schema import BEATS, TABLES
from malecon.server.storage.store import Storage

#: Seconds between two beats; after how many without one, or how far back, something was wrong.
EVERY, LONGEST, BACK = 10.0, 60.0, 5.0
_CLOCK = "clock"


def beat(storage: Storage, now: float) -> float:
    """Say that a server is at work, by its clock. By how many seconds all deadlines have been moved; mostly 0."""

    def work(connection: Connection, again: bool) -> float:
        known = select(BEATS.c.wall).where(BEATS.c.name == _CLOCK).with_for_update()  # of several processes, one moves
        last = connection.execute(known).scalar()
        if last is None:
            connection.execute(insert(BEATS), {"name": _CLOCK, "wall": now})
            return 0.0
        connection.execute(update(BEATS).where(BEATS.c.name == _CLOCK).values(wall=now))
        missed = now - float(last)
        if -BACK <= missed <= LONGEST:
            return 0.0
        running = TABLES.c.deadline.is_not(None) & TABLES.c.over.is_(False)
        tables = list(connection.execute(select(TABLES.c.id).where(running).order_by(TABLES.c.id)).scalars())
        storage.touch(connection, tables)
        connection.execute(update(TABLES).where(TABLES.c.id.in_(tables)).values(deadline=TABLES.c.deadline + missed))
        return missed

    return storage.write(work)
