"""Games and tables put together for tests, in memory and in storage."""

from __future__ import annotations

import random
from dataclasses import replace

from malecon.match import Match
from malecon.server.accounts.profiles import first_moves
from malecon.server.accounts.ratings import Ratings
from malecon.server.accounts.visitors import Choices, Visitor
from malecon.server.storage import snapshots
from malecon.server.storage.game_log import MOVE, UNDO, LogEntry, extended
from malecon.server.storage.rows import PERSON, Append, SeatRow, TableRow
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable, new_table
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from malecon.teaching.analysis import Analysis


def long_game(game: str, entries: int) -> tuple[TableRow, list[LogEntry]]:
    """A whole game whose players take back and think again so often that its log is as long as wanted."""
    match, dice = Match(game, 4, seed=1), random.Random(1)
    while match.turn is not None:
        match.push(dice.choice(list(match.legal_moves)))
    turns, log = match.history, []
    back_and_forth = max(0, (entries - len(turns)) // 2)
    at = next(index for index, turn in enumerate(turns) if turn.seat >= 0)
    for index, turn in enumerate(turns):
        if index == at:
            for _ in range(back_and_forth):
                log.append(LogEntry(len(log), MOVE, turn.seat, str(turn.move)))
                log.append(LogEntry(len(log), UNDO, turn.seat))
        log.append(LogEntry(len(log), MOVE, turn.seat, str(turn.move)))
    seats = tuple(SeatRow(PERSON, person="me", name=f"seat {seat}") for seat in range(4))
    row = TableRow("long", game, 1, 4, "me", seats, options=dict(match.options))
    return row, log


def large_analysis(game: str, moves: int) -> str:
    """The document of an analysis with that many moves: games from the same start, each of them a variation."""
    tree, dice = Analysis.of(Match(game, 3, seed=5)), random.Random(4)
    while len(tree) < moves:
        node = 0
        while tree.turn(node) is not None and len(tree) < moves:
            node = tree.add(node, str(dice.choice(list(tree.legal_moves(node)))))
    return tree.to_json()


def write_log(storage: Storage, row: TableRow, log: list[LogEntry], first: int = 0) -> TableRow:
    """Write a log as a server does, snapshots included."""
    if not first:
        storage.create(row, [])
    table = Table(row, log[:first])
    for number in range(first, len(log), 50):
        entries = log[number : number + 50]
        table.apply(entries)
        snapshot = (
            snapshots.take(table.match, table.game_log) if (number + 50) % snapshots.INTERVAL_ENTRIES == 0 else None
        )
        storage.append(Append(table.row, entries, over=table.match.is_over, needs_autoplay=False, snapshot=snapshot))
        table.row = replace(table.row, revision=table.revision + 1, over=table.match.is_over)
    return table.row


def table_of(match: Match) -> Table:
    seats = tuple(SeatRow(PERSON, person=f"person {seat}") for seat in range(match.players))
    row = TableRow("t", match.game.name, 1, match.players, "person 0", seats, options=dict(match.options), guide=True)
    return Table(row, [LogEntry(i, MOVE, turn.seat, str(turn.move)) for i, turn in enumerate(match.history)])


def store_finished_game(storage: Storage, match: Match, *seats: SeatRow, public: bool = False) -> TableRow:
    """A finished game of these, counted."""
    new = NewTable("santiago", (NewSeat("me"), NewSeat("open")), public=public)
    row, entries = new_table(new, "")
    from dataclasses import replace

    row = replace(row, seats=seats, over=True)
    storage.create(row, entries)
    assert Ratings(storage).settle(row, match.outcome, openings=first_moves(match))
    return row


async def long_and_short(tables: LiveTables, storage: Storage, entries: int) -> list[tuple[Table, str]]:
    """Two tables that stand alike, with a move to make: one with about 50 entries in its log, one with `entries`."""
    new = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False, options={"open_screens": True})
    tables_and_moves = []
    for most in (50, entries):
        table = await tables.open(new, "me")
        while table.version < 40 or table.may_undo((0, 1)) is None:
            await tables.move(table, "me", str(table.match.legal_moves[-1]))
        move = str(table.match.history[-1].move)
        await tables.undo(table, "me")
        log = storage.load(table.id, with_snapshot=False)
        assert log is not None
        more, seat = list(log.entries), log.entries[-1].seat
        while len(more) < most:
            more += [LogEntry(len(more), MOVE, seat, move), LogEntry(len(more) + 1, UNDO, seat)]
        added = more[len(log.entries) :]
        if added:
            digest = extended(table.row.digest, added)
            storage.append(Append(table.row, added, over=False, needs_autoplay=False, digest=digest))
            await tables.refresh(table)
        tables_and_moves.append((table, move))
    return tables_and_moves


VISITOR = Visitor("me", Choices(), "en", "wide")
