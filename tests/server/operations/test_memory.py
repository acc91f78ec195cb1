"""The budget of a process: strong bots at very many tables stay within it, and what they took is given back."""

from __future__ import annotations

import asyncio
import gc
import time
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from malecon import bots
from malecon.match import Match
from malecon.server.operations.limits import Limiter, Settings
from malecon.server.operations.memory import TREES, Memory, return_freed, return_large_pieces
from malecon.server.operations.metrics import Metrics
from malecon.server.storage.database import address_of
from malecon.server.storage.rows import BOT, SeatRow
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable, new_table
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from malecon.server.web.services import Services
from malecon.server.workers.bot_cache import BotShelf
from tests.server.faults import SHOWN
from tests.server.processes import resident

BUDGET = Settings().memory * 1_000_000


@pytest.mark.slow
def test_two_thousand_tables_with_el_patron_stay_within_the_budget() -> None:
    """Each grows a tree as large as El Patrón's ever are; its second and a half passes in no time."""
    memory = Memory(BUDGET)
    shelf = BotShelf(memory)
    match = Match("santiago", 2, seed=1)
    seat = match.turn
    assert seat is not None
    view, largest = match.view(seat), 0
    ticks = count()
    for number in range(2_000):
        taken = shelf.take(str(number), seat, "patron")
        assert getattr(taken, "memory", 0) == 0
        bot = bots.make("patron", number, clock=lambda: float(next(ticks)))
        assert bot.choose(view) in view.legal_moves
        assert isinstance(bot, bots.SearchBot)
        largest = max(largest, bot.memory)
        shelf.put_back(str(number), seat, "patron", bot)
        assert memory.used[TREES] <= BUDGET
    assert largest > 20_000_000  # what makes the budget necessary
    assert len(shelf) == BUDGET // largest
    assert memory.given_back[TREES] == 2_000 - len(shelf)
    for number in range(2_000):
        shelf.clear(str(number))
    assert (memory.used[TREES], len(shelf)) == (0, 0)


@pytest.mark.slow
def test_forty_tables_of_five_strong_bots_and_then_none(tmp_path: Path) -> None:
    """Whole games of five searching bots at forty tables, whose trees would need several times the budget."""
    budget = 150
    return_large_pieces()

    async def play() -> tuple[float, list[int]]:
        storage = Storage(address_of(tmp_path))
        settings = Settings(memory=budget, thought=0, address_thought=0)
        services = Services(storage, Metrics(), Limiter(settings))
        wanted = NewTable("cuba", tuple(NewSeat("bot:patron") for _ in range(5)), pace="instant")

        async def open_tables(number: int) -> list[Table]:
            rows = []
            for _ in range(number):
                row, entries = new_table(wanted, "ana")
                quick = tuple(SeatRow(BOT, bot="search:ms=15") for _ in row.seats)  # so that the games end today
                storage.create(replace(row, seats=quick), entries)
                rows.append(row)
            return [await services.tables.get(row.id) for row in rows]

        async def finish(tables: list[Table]) -> None:
            while not all(table.match.is_over for table in tables):
                await asyncio.sleep(0.2)
                sizes.append(resident(_own()))
                assert services.memory.used.total() <= budget * 1_000_000
                assert time.monotonic() - began < 1_800

        began = time.monotonic()
        sizes: list[int] = []
        first = await open_tables(1)
        services.open()
        await finish(first)  # what is loaded once, machine code above all, stays
        sizes = [resident(_own())]
        began, tables = time.monotonic(), await open_tables(40)
        for table in tables:
            services.autoplay.look_at(table)
        await finish(tables)
        took = time.monotonic() - began
        assert services.memory.given_back[TREES] > 0  # it was needed
        assert services.memory.used[TREES] == 0
        del tables, first
        await services.close()
        gc.collect()
        return_freed()
        sizes.append(resident(_own()))
        return took, sizes

    took, sizes = asyncio.run(play())
    first, most, last = sizes[0], max(sizes), sizes[-1]
    SHOWN.append(
        f"40 tables of five searching bots, {took:.0f} s to the end of all games, budget {budget} MB: "
        f"{first / 1e6:.0f} MB before, {most / 1e6:.0f} at most, {last / 1e6:.0f} afterwards"
    )
    assert most - first < 2.5 * budget * 1_000_000
    assert last - first < budget * 1_000_000


def _own() -> int:
    import os

    return os.getpid()
