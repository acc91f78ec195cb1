"""Forty tables of five El Patrón, with all their time, for an hour: what a process needs, and what it gives back.

    python benchmarks/crowd.py --minutes 60

Afterwards quick bots take the seats, so that the games end. Memory is what the system says that the process has.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from malecon.server.operations.limits import Limiter
from malecon.server.operations.memory import TREES, return_freed, return_large_pieces
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.database import address_of
from malecon.server.storage.rows import BOT, SeatRow
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable, new_table
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from malecon.server.web.services import Services

TABLES, SEATS = 40, 5
MEGABYTE = 1_000_000
QUICK = tuple(SeatRow(BOT, bot="turista") for _ in range(SEATS))


def resident() -> float:
    """Megabytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


async def crowd(folder: Path, minutes: float) -> None:
    return_large_pieces()  # as `malecon serve` does
    settings = ServerSettings(thought=0, address_thought=0)  # only memory is to be the limit
    storage = Storage(address_of(folder))
    services = Services(storage, Metrics(), Limiter(settings))
    services.open()
    table_of_bots = NewTable("cuba", tuple(NewSeat("bot:patron") for _ in range(SEATS)), pace="instant")

    async def opened() -> Table:
        row, entries = new_table(table_of_bots, "crowd")
        storage.create(row, entries)
        table = await services.tables.get(row.id)
        services.autoplay.look_at(table)
        return table

    async def ended(tables: list[Table]) -> None:
        for table in tables:
            table.row = replace(table.row, seats=QUICK)
        while not all(table.match.is_over for table in tables):
            await asyncio.sleep(0.5)

    alone = await opened()
    await asyncio.sleep(20)
    await ended([alone])  # what is loaded once, machine code above all, stays
    return_freed()
    before, most, most_trees = resident(), 0.0, 0.0
    tables = [await opened() for _ in range(TABLES)]
    began = shown = time.monotonic()
    finished = moves = 0
    while (now := time.monotonic()) - began < 60 * minutes:
        await asyncio.sleep(1)
        most, most_trees = max(most, resident()), max(most_trees, services.memory.used[TREES] / MEGABYTE)
        for number, table in enumerate(tables):
            if table.match.is_over:
                finished, moves = finished + 1, moves + len(table.match.history)
                tables[number] = await opened()
        if now - shown > 60:
            shown = now
            print(f"{(now - began) / 60:.0f} min: {resident():.0f} MB, trees at most {most_trees:.0f} MB", flush=True)
    moves += sum(len(table.match.history) for table in tables)
    await ended(tables)
    left = services.memory.used[TREES]
    del tables, alone
    await services.close()
    gc.collect()
    return_freed()
    print(
        f"{TABLES} tables of {SEATS} El Patrón for {minutes:g} minutes, {finished} games to the end, {moves:,} moves: "
        f"{before:.0f} MB before, "
        f"{most:.0f} at most, {resident():.0f} afterwards; trees had {most_trees:.0f} MB at most "
        f"(budget {settings.memory}) and {left} bytes in the end"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(crowd(Path(folder), chosen.minutes))


if __name__ == "__main__":
    main()
