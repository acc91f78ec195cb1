"""How strong people are at puzzles, and how hard puzzles are: Elo, by the first try of everybody with an account."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from malecon.server.storage.schema import PUZZLE_RATINGS, PUZZLE_TRIES
from malecon.server.storage.store import Storage
from malecon.teaching.puzzles import Puzzle

#: What somebody has who has tried none.
FIRST = 1200.0
#: How much a try can change: for somebody new, later, and for a puzzle.
NEW_STEP, STEP, PUZZLE_STEP = 48.0, 24.0, 8.0
NEW_FOR = 20


@dataclass(frozen=True)
class PuzzleRating:
    """How strong, after how many tries."""

    rating: float
    tries: int


class PuzzleRatings:
    """Counts first tries."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def of(self, person: str) -> PuzzleRating:
        return self._storage.read(lambda connection: _known(connection, person, FIRST))

    def of_puzzle(self, puzzle: Puzzle) -> PuzzleRating:
        return self._storage.read(lambda connection: _known(connection, _name(puzzle), float(puzzle.rating)))

    def count(self, person: str, puzzle: Puzzle, solved: bool) -> bool:
        """Count a try; whether it was the first."""
        dialect = postgresql if self._storage.is_shared else sqlite

        def work(connection: Connection, again: bool) -> bool:
            tried = dialect.insert(PUZZLE_TRIES).values(
                person=person, puzzle=_name(puzzle), solved=solved, made=time.time()
            )
            if not connection.execute(tried.on_conflict_do_nothing()).rowcount:
                return False
            starts = {person: FIRST, _name(puzzle): float(puzzle.rating)}
            for who in sorted(starts):  # always in the same order, or two could wait for each other
                new = dialect.insert(PUZZLE_RATINGS).values(who=who, rating=starts[who], tries=0)
                connection.execute(new.on_conflict_do_nothing())
            mine, its = _known(connection, person, FIRST), _known(connection, _name(puzzle), float(puzzle.rating))
            surprise = float(solved) - 1 / (1 + 10 ** ((its.rating - mine.rating) / 400))
            step = NEW_STEP if mine.tries < NEW_FOR else STEP
            for who, change in ((person, step * surprise), (_name(puzzle), -PUZZLE_STEP * surprise)):
                there = update(PUZZLE_RATINGS).where(PUZZLE_RATINGS.c.who == who)
                changed = there.values(rating=PUZZLE_RATINGS.c.rating + change, tries=PUZZLE_RATINGS.c.tries + 1)
                connection.execute(changed)
            return True

        return self._storage.write(work)


def _name(puzzle: Puzzle) -> str:
    return f"puzzle:{puzzle.game}:{puzzle.key}"


def _known(connection: Connection, who: str, first: float) -> PuzzleRating:
    row = connection.execute(select(PUZZLE_RATINGS).where(PUZZLE_RATINGS.c.who == who)).first()
    return PuzzleRating(first, 0) if row is None else PuzzleRating(row.rating, row.tries)
