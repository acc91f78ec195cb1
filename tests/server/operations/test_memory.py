"""The memory budget of a process: search trees and idle tables are evicted, oldest first, and memory is returned."""

from __future__ import annotations

import asyncio
import gc
import time
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from malecon import bots
from malecon.match import Match
from malecon.server.operations.limits import Limiter
from malecon.server.operations.memory import DEFAULT_MEGABYTES, TABLES, TREES, Memory, return_freed, return_large_pieces
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.database import address_of
from malecon.server.storage.rows import BOT, SeatRow
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable, new_table
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from malecon.server.web.services import Services
from malecon.server.workers.bot_cache import BotCache
from tests.server.faults import SHOWN
from tests.server.people import Player
from tests.server.processes import resident

BUDGET = DEFAULT_MEGABYTES * 1_000_000


@pytest.mark.slow
def test_two_thousand_tables_with_el_patron_stay_within_the_budget() -> None:
    """Each grows a tree as large as El Patrón's ever are; its second and a half passes in no time."""
    memory = Memory(BUDGET)
    bot_cache = BotCache(memory)
    match = Match("santiago", 2, seed=1)
    seat = match.turn
    assert seat is not None
    view, largest = match.view(seat), 0
    ticks = count()
    for number in range(2_000):
        taken = bot_cache.get(str(number), seat, "patron")
        assert getattr(taken, "memory", 0) == 0
        bot = bots.make("patron", number, clock=lambda: float(next(ticks)))
        assert bot.choose(view) in view.legal_moves
        assert isinstance(bot, bots.SearchBot)
        largest = max(largest, bot.memory)
        bot_cache.put(str(number), seat, "patron", bot)
        assert memory.used[TREES] <= BUDGET
    assert largest > 20_000_000  # what makes the budget necessary
    assert len(bot_cache) == BUDGET // largest
    assert memory.given_back[TREES] == 2_000 - len(bot_cache)
    for number in range(2_000):
        bot_cache.clear(str(number))
    assert (memory.used[TREES], len(bot_cache)) == (0, 0)


@pytest.mark.slow
def test_forty_tables_of_five_strong_bots_and_then_none(tmp_path: Path) -> None:
    """Whole games of five searching bots at forty tables, whose trees would need several times the budget."""
    budget = 150
    return_large_pieces()

    async def play() -> tuple[float, list[int]]:
        storage = Storage(address_of(tmp_path))
        settings = ServerSettings(memory=budget, thought=0, address_thought=0)
        services = Services(storage, Metrics(), Limiter(settings))
        new = NewTable("cuba", tuple(NewSeat("bot:patron") for _ in range(5)), pace="instant")

        async def open_tables(number: int) -> list[Table]:
            rows = []
            for _ in range(number):
                row, entries = new_table(new, "ana")
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


def test_a_finished_game_keeps_no_search_trees(client: TestClient) -> None:
    player = Player(client)
    table = player.open("bot:comerciante", "bot:capitan")["id"]
    services = client.app.state.services  # type: ignore[attr-defined]
    end, most = time.monotonic() + 60, 0
    while player.state(table)["turn"] is not None and time.monotonic() < end:
        most = max(most, services.memory.used[TREES])
        time.sleep(0.02)
    assert player.state(table)["turn"] is None
    assert most > 0
    assert services.memory.used[TREES] == 0
    assert len(services.bot_moves._cache) == 0
    assert 'malecon_memory_bytes{kind="trees"} 0' in client.get("/metrics").text


def test_the_oldest_search_trees_are_evicted_first() -> None:
    view = Match("santiago", 2, seed=1)
    seat = view.turn
    assert seat is not None
    size = _bot_with_tree(view, seat).memory
    memory = Memory(5 * size)
    bot_cache = BotCache(memory)
    for number in range(30):
        bot = bot_cache.get(f"table {number}", seat, "search:sims=300")
        bot.choose(view.view(seat))
        bot_cache.put(f"table {number}", seat, "search:sims=300", bot)
        assert memory.used[TREES] <= 5 * size
    assert len(bot_cache) == 5
    assert memory.given_back[TREES] == 25
    kept = bot_cache.get("table 29", seat, "search:sims=300")
    assert getattr(kept, "memory", 0) == size
    assert getattr(bot_cache.get("table 0", seat, "search:sims=300"), "memory", 0) == 0
    bot_cache.clear("table 29")
    assert memory.used[TREES] == 4 * size


def _bot_with_tree(match: Match, seat: int) -> bots.SearchBot:
    bot = bots.make("search:sims=300")
    assert isinstance(bot, bots.SearchBot)
    bot.choose(match.view(seat))
    return bot


def test_tables_are_evicted_and_loaded_again(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))

    async def many() -> None:
        memory = Memory(600_000)
        tables = LiveTables(storage, memory=memory)
        new = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)
        names = [(await tables.open(new, "me")).id for _ in range(30)]
        assert tables.count < 10
        assert memory.used[TABLES] <= 600_000
        assert (await tables.get(names[0])).id == names[0]

    asyncio.run(many())
    storage.close()
