"""Progress of learners: lessons that were played, guests included, and Elo ratings of people and puzzles."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from malecon.server.storage.schema import LESSONS_DONE, PUZZLE_RATINGS, PUZZLE_TRIES
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import insert_missing, reads, writes
from malecon.teaching.puzzles import Puzzle

#: The rating of a person without tries.
FIRST_RATING = 1200.0
#: Elo's K factor for a person's first tries.
NEW_K = 48.0
#: The number of tries with that factor.
NEW_TRIES = 20
#: Elo's K factor for later tries.
K = 24.0
#: Elo's K factor for a puzzle.
PUZZLE_K = 8.0


@dataclass(frozen=True)
class PuzzleRating:
    """The rating of a person or puzzle, and the number of tries."""

    rating: float
    tries: int


class PuzzleRatings:
    """Rates people with an account and puzzles by first tries."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    @reads
    def of(self, connection: Connection, person: str) -> PuzzleRating:
        return _rating(connection, person, FIRST_RATING)

    @reads
    def of_puzzle(self, connection: Connection, puzzle: Puzzle) -> PuzzleRating:
        return _rating(connection, _name(puzzle), float(puzzle.rating))

    @writes
    def count(self, connection: Connection, person: str, puzzle: Puzzle, solved: bool) -> bool:
        """Count a try; return whether it was the first."""
        tried = {"person": person, "puzzle": _name(puzzle), "solved": solved, "made": time.time()}
        if not insert_missing(connection, PUZZLE_TRIES, tried):
            return False
        starts = {person: FIRST_RATING, _name(puzzle): float(puzzle.rating)}
        for who in sorted(starts):  # always in the same order, or two could wait for each other
            insert_missing(connection, PUZZLE_RATINGS, {"who": who, "rating": starts[who], "tries": 0})
        own, puzzle_rating = (
            _rating(connection, person, FIRST_RATING),
            _rating(connection, _name(puzzle), float(puzzle.rating)),
        )
        surprise = float(solved) - 1 / (1 + 10 ** ((puzzle_rating.rating - own.rating) / 400))
        factor = NEW_K if own.tries < NEW_TRIES else K
        for who, change in ((person, factor * surprise), (_name(puzzle), -PUZZLE_K * surprise)):
            there = update(PUZZLE_RATINGS).where(PUZZLE_RATINGS.c.who == who)
            changed = there.values(rating=PUZZLE_RATINGS.c.rating + change, tries=PUZZLE_RATINGS.c.tries + 1)
            connection.execute(changed)
        return True


def _name(puzzle: Puzzle) -> str:
    return f"puzzle:{puzzle.game}:{puzzle.key}"


def _rating(connection: Connection, who: str, first: float) -> PuzzleRating:
    row = connection.execute(select(PUZZLE_RATINGS).where(PUZZLE_RATINGS.c.who == who)).first()
    return PuzzleRating(first, 0) if row is None else PuzzleRating(row.rating, row.tries)


class LessonProgress:
    """Stores the lessons whose goal was reached."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def done(self, person: str, game: str) -> set[str]:
        """Return the keys of the lessons of a game whose goal a person has reached."""
        query = select(LESSONS_DONE.c.lesson).where(LESSONS_DONE.c.person == person)
        lessons = self._storage.scalars(query)
        return {key for lesson_game, _, key in (lesson.partition(":") for lesson in lessons) if lesson_game == game}

    @writes
    def note(self, connection: Connection, person: str, game: str, key: str) -> None:
        """Store that a person has reached the goal of a lesson."""
        insert_missing(connection, LESSONS_DONE, {"person": person, "lesson": f"{game}:{key}", "made": time.time()})
