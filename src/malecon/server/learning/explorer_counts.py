"""Choices in this server's finished games, counted once each when their results are stored. No person is named.

Each question is a row, so that a page reads a handful of rows, however many games there are.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from sqlalchemy import ColumnElement, Connection, bindparam, select, update

from malecon.kernel import registry
from malecon.match import Match
from malecon.server.storage.rows import TableRow
from malecon.server.storage.schema import EXPLORER_COUNTS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import insert_missing
from malecon.teaching.explorer import OPENING
from malecon.teaching.explorer.books import Book
from malecon.teaching.explorer.choices import is_counted, read_match

log = logging.getLogger("malecon.server")
#: Writes within a transaction that the caller has begun.
CountWriter = Callable[[Connection], None]


class ExplorerCounts:
    """Stores the explorer's counts of this server."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def writer(self, row: TableRow, match: Match, is_record: bool) -> CountWriter | None:
        """Return a function that counts a finished game; None if it is not counted.

        Games that were loaded, or went on from a position of another, would be counted twice. What a page chose for
        bots cannot be trusted.
        """
        if row.casual or match.outcome is None or is_record or row.dice is None or row.dice.first:
            return None
        if not is_counted(match.game, match.options):
            return None
        book = Book(match.players)
        try:
            book.count(read_match(match), match.outcome.places)
        except Exception:  # the result is stored even if its choices cannot be read
            log.exception("table %s cannot be explored", row.id)
            return None
        return lambda connection: self._add(connection, match.game.name, match.game.rules_version, book)

    def _add(self, connection: Connection, game: str, rules: int, new: Book) -> None:
        where = {"game": game, "rules": rules, "players": new.players}
        questions = sorted(new.questions)  # always in the same order, or two games could wait for each other
        for question in questions:
            insert_missing(connection, EXPLORER_COUNTS, {**where, "question": question, "counts": {}})
        condition = _book_rows(game, rules, new.players) & EXPLORER_COUNTS.c.question.in_(questions)
        query = select(EXPLORER_COUNTS).where(condition).order_by(EXPLORER_COUNTS.c.question).with_for_update()
        counts = {row.question: row.counts for row in connection.execute(query)}
        book = Book.of_dict(new.players, {"games": 0, "questions": counts})
        book.add(new)
        change = update(EXPLORER_COUNTS).where(
            _book_rows(game, rules, new.players) & (EXPLORER_COUNTS.c.question == bindparam("which"))
        )
        changed = book.as_dict()["questions"]
        connection.execute(change, [{"which": question, "counts": changed[question]} for question in questions])

    def book(self, game: str, players: int, questions: Sequence[str]) -> Book:
        """Return the counts for these questions. Every game has one opening choice, which gives the number of games."""
        condition = _book_rows(game, registry.get(game).rules_version, players)
        query = select(EXPLORER_COUNTS).where(condition & EXPLORER_COUNTS.c.question.in_({OPENING, *questions}))
        rows = self._storage.rows(query)
        book = Book.of_dict(players, {"games": 0, "questions": {row.question: row.counts for row in rows}})
        book.games = book.choices_at(OPENING)
        return book


def _book_rows(game: str, rules: int, players: int) -> ColumnElement[bool]:
    return (
        (EXPLORER_COUNTS.c.game == game) & (EXPLORER_COUNTS.c.rules == rules) & (EXPLORER_COUNTS.c.players == players)
    )
