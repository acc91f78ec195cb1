"""A game without an end is ended at the table, too, and the page says why."""

from __future__ import annotations

import pytest

from malecon.kernel.playing import LONGEST_GAME
from malecon.match import Match
from malecon.server.pages import live
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.game_log import MOVE, LogEntry
from malecon.server.storage.rows import PERSON, SeatRow, TableRow
from malecon.server.tables.table import Table
from malecon.text import LANGUAGES, too_long, translate


@pytest.fixture(scope="module")
def table() -> Table:
    match = Match("santiago", 2, seed=1)
    while match.turn is not None:
        legal = [str(move) for move in match.legal_moves]
        preferred = ("flag left", "visit harbormaster", "drive 1", "pass")
        match.push(next((text for text in preferred if text in legal), legal[0]))
    seats = tuple(SeatRow(PERSON, person=f"person {seat}") for seat in range(2))
    row = TableRow("t", "santiago", 1, 2, "person 0", seats, options=dict(match.options), guide=True)
    return Table(row, [LogEntry(i, MOVE, turn.seat, str(turn.move)) for i, turn in enumerate(match.history)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_says_that_the_game_was_too_long(table: Table, language: str) -> None:
    assert len(table.match) == LONGEST_GAME
    reason = too_long(table.match)
    assert reason is not None
    page = live.render_table(table, Viewer("person 0", language))
    assert page.count(translate(reason, language)) == 2  # in the log, and above the result
