"""How a table is opened: a new one, in the middle of another game, or from an old record.

Nothing is written here: the result is a row and the first entries of a log.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

from malecon.kernel import registry
from malecon.match import Match, Record
from malecon.match.dice import Dice
from malecon.server.storage.game_log import MOVE, GameLog, LogEntry
from malecon.server.storage.rows import RECORD, SeatRow, TableRow
from malecon.server.storage.table_options import TableOptions
from malecon.server.tables import timing
from malecon.server.tables.page_bots import can_leave_to_page
from malecon.server.tables.seats import NewSeat, check_distinct
from malecon.server.tables.table import deadline, draw_chance, is_automatic


@dataclass(frozen=True)
class NewTable(TableOptions):
    """A table to open. `automatic`: forced moves are made for the person who opens it.

    `page_thinks`: where one person plays alone, that person's page thinks for bots, and the game counts nowhere.
    """

    game: str
    seats: tuple[NewSeat, ...]
    automatic: bool = True
    page_thinks: bool = False


def new_table(
    new: NewTable, person: str, begun: Match | None = None, now: float | None = None
) -> tuple[TableRow, list[LogEntry]]:
    """Return the row and the first entries of a new table; with `begun`, it goes on from the moves of that game."""
    now = time.time() if now is None else now
    timing.check_pace(new.pace)
    timing.check_clock(new.clock, new.time_up)
    seats = tuple(seat.row(person, new.automatic and not new.guide) for seat in new.seats)
    names = [seat.name for seat in seats]
    check_distinct(names)
    options = new.options if begun is not None else timing.options_for(registry.get(new.game), new.clock, new.options)
    match = Match(new.game, len(seats), options=options, names=names)
    entries = [] if begun is None else _log_of(begun)
    match.make_all([begun.code_at(index) for index in range(len(begun))] if begun is not None else [])
    dice = Dice.new(len(entries))
    entries += draw_chance(match, dice, len(entries))
    automatic = is_automatic(match, seats, GameLog.of(entries))
    casual = new.page_thinks and can_leave_to_page(seats)
    row = TableRow(
        **new.table_options() | _columns_of(match),
        owner=person,
        seats=seats,
        needs_autoplay=automatic,
        dice=dice,
        deadline=deadline(match, seats, new.turn_seconds, now, is_automatic=automatic),
        casual=casual,
        page_thinks=casual,
    )
    return row, entries


def table_of_record(record: Record, person: str) -> tuple[TableRow, list[LogEntry]]:
    """Return the row and the log of an old game, checked move by move: to look at and to go on from."""
    match = record.replay()
    seats = tuple(SeatRow(RECORD, name=name) for name in record.names)
    row = TableRow(**_columns_of(match), owner=person, seats=seats, dice=record.dice)
    return row, _log_of(match)


def _columns_of(match: Match) -> dict[str, Any]:
    return {
        "id": secrets.token_urlsafe(12),
        "game": match.game.name,
        "rules": match.game.rules_version,
        "players": match.players,
        "options": dict(match.options),
        "over": match.is_over,
    }


def _log_of(match: Match) -> list[LogEntry]:
    return [LogEntry(number, MOVE, turn.seat, str(turn.move)) for number, turn in enumerate(match.history)]
