"""What was chosen in this server's own finished games, counted once each when their results are. Nobody is named.

A question is a row, so a page reads a handful of rows, however many games there are.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from sqlalchemy import ColumnElement, Connection, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from malecon.kernel import registry
from malecon.match import Match
from malecon.server.storage.rows import TableRow
from malecon.server.storage.schema import EXPLORED
from malecon.server.storage.store import Storage
from malecon.teaching.explorer import OPENING
from malecon.teaching.explorer.books import Book
from malecon.teaching.explorer.reading import is_counted, read_match

log = logging.getLogger("malecon.server")
#: Part of a transaction that somebody else has begun.
Entry = Callable[[Connection], None]


class ExplorerCounts:
    """Keeps the books of this server."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def entry(self, row: TableRow, match: Match, is_record: bool) -> Entry | None:
        """What writes a finished game into the books; None for one that does not belong there.

        Games that were loaded, or went on from a position of another, would be counted twice.
        """
        if match.outcome is None or is_record or row.dice is None or row.dice.first:
            return None
        if not is_counted(match.game, match.options):
            return None
        book = Book(match.players)
        try:
            book.count(read_match(match), match.outcome.places)
        except Exception:  # a result counts, even where nothing can be learnt from it
            log.exception("table %s cannot be explored", row.id)
            return None
        return lambda connection: self._add(connection, match.game.name, match.game.rules_version, book)

    def _add(self, connection: Connection, game: str, rules: int, new: Book) -> None:
        where = {"game": game, "rules": rules, "players": new.players}
        dialect = postgresql if self._storage.is_shared else sqlite
        questions = sorted(new.questions)  # always in the same order, or two games could wait for each other
        for question in questions:
            row = dialect.insert(EXPLORED).values(question=question, counts={}, **where)
            connection.execute(row.on_conflict_do_nothing())
        whose = _here(game, rules, new.players) & EXPLORED.c.question.in_(questions)
        wanted = select(EXPLORED).where(whose).order_by(EXPLORED.c.question).with_for_update()
        known = {row.question: row.counts for row in connection.execute(wanted)}
        book = Book.of_dict(new.players, {"games": 0, "questions": known})
        book.add(new)
        there = update(EXPLORED).where(_here(game, rules, new.players) & (EXPLORED.c.question == bindparam("which")))
        changed = book.as_dict()["questions"]
        connection.execute(there, [{"which": question, "counts": changed[question]} for question in questions])

    def book(self, game: str, players: int, questions: Sequence[str]) -> Book:
        """The answers to these questions. Every game has one first choice, so that says how many there were."""
        whose = _here(game, registry.get(game).rules_version, players)
        wanted = select(EXPLORED).where(whose & EXPLORED.c.question.in_({OPENING, *questions}))
        found = self._storage.read(lambda connection: connection.execute(wanted).all())
        book = Book.of_dict(players, {"games": 0, "questions": {row.question: row.counts for row in found}})
        book.games = book.asked(OPENING)
        return book


def _here(game: str, rules: int, players: int) -> ColumnElement[bool]:
    return (EXPLORED.c.game == game) & (EXPLORED.c.rules == rules) & (EXPLORED.c.players == players)
