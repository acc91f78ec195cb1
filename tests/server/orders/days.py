"""Tables of people who answer early and give orders, and a player who decides at random."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from malecon.kernel.questions import questions_of
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table

PEOPLE = ("ana", "bea", "carl", "dora")


async def open_for(tables: LiveTables, game: str, players: int, **options: Any) -> Table:
    """Open a table at which as many people sit."""
    seats = (NewSeat("me"), *(NewSeat("open") for _ in range(players - 1)))
    table = await tables.open(NewTable(game, seats, automatic=False, **options), PEOPLE[0])
    for seat in range(1, players):
        token = table.row.seats[seat].token
        assert token is not None
        await tables.join(token, PEOPLE[seat], None, automatic=False)
    return table


async def play_until(tables: LiveTables, table: Table, stop: Callable[[Table], object], seed: int = 1) -> None:
    """Make random moves until something holds."""
    dice = random.Random(seed)
    for _ in range(3_000):
        if stop(table):
            return
        turn = table.match.turn
        assert turn is not None, "the game is over"
        await tables.move(table, PEOPLE[turn], str(dice.choice(list(table.match.legal_moves))))
    raise AssertionError("it never came")


async def table_where(
    tables: LiveTables, game: str, players: int, fits: Callable[[Table], object], **options: Any
) -> Table:
    """Return a table where something holds, in the first of several random games in which it does."""
    for seed in range(1, 40):
        table = await open_for(tables, game, players, **options)
        await play_until(tables, table, lambda table: table.match.is_over or fits(table), seed)
        if not table.match.is_over:
            return table
    raise AssertionError("it never came")


async def play_planned(tables: LiveTables, table: Table) -> int:
    """Make the moves that plans decide, as autoplay does; return how many there were."""
    made = 0
    while table.is_automatic:
        assert table.match.turn is not None
        await tables.automatic_move(table, table.match.turn, table.version)
        made += 1
    return made


def phase_of(table: Table, key: str) -> bool:
    """Return whether the question with that key is asked now."""
    return any(
        question.key == key and question.phase == int(table.match.position.phase)
        for question in questions_of(table.match.game)
    )


def run(work: Callable[[LiveTables], Any], storage: Storage) -> Any:
    """Run something with all tables of a database, and close it."""

    async def running() -> Any:
        tables = LiveTables(storage)
        try:
            return await work(tables)
        finally:
            await tables.finish()

    try:
        return asyncio.run(running())
    finally:
        storage.close()
