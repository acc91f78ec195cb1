"""Which lessons people have played, guests included."""

from __future__ import annotations

import time

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from malecon.server.storage.schema import LESSONS_DONE
from malecon.server.storage.store import Storage


class LessonProgress:
    """Remembers lessons whose goal was reached."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def done(self, person: str, game: str) -> set[str]:
        """The keys of the lessons of a game that somebody has played to their goal."""
        wanted = select(LESSONS_DONE.c.lesson).where(LESSONS_DONE.c.person == person)
        found = self._storage.read(lambda connection: list(connection.execute(wanted).scalars()))
        return {key for where, _, key in (lesson.partition(":") for lesson in found) if where == game}

    def note(self, person: str, game: str, key: str) -> None:
        """Somebody has reached the goal of a lesson."""
        dialect = postgresql if self._storage.is_shared else sqlite

        def work(connection: Connection, again: bool) -> None:
            new = dialect.insert(LESSONS_DONE).values(person=person, lesson=f"{game}:{key}", made=time.time())
            connection.execute(new.on_conflict_do_nothing())

        self._storage.write(work)
