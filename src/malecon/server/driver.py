"""What moves by itself: bots, and people who have nothing to choose. One task per table, at a pace people can follow.

Bots think in a small pool of threads; their kernels release the interpreter's lock, so other tables do not wait.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from concurrent.futures import ThreadPoolExecutor

from malecon import bots
from malecon.kernel.errors import MaleconError
from malecon.match import View
from malecon.server.tables import PACES, Table, Tables

log = logging.getLogger("malecon.server")
#: Threads that think at the same time.
THINKERS = 2


class Driver:
    """Starts a task for a table whenever something there can move by itself."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._pool = ThreadPoolExecutor(THINKERS, thread_name_prefix="bot")
        self._tasks: set[asyncio.Task[None]] = set()
        tables.on_change = self.look_at

    async def close(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def think(self, work: object, *arguments: object) -> object:
        """Run something long in the pool of the bots."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)  # type: ignore[arg-type]

    def look_at(self, table: Table) -> None:
        if not table.thinking and table.moves_by_itself:
            table.thinking = True
            task = asyncio.get_running_loop().create_task(self._drive(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _drive(self, table: Table) -> None:
        try:
            while table.moves_by_itself:
                await self._one_move(table)
        except MaleconError as error:
            log.error("table %s: %s", table.id, error)
        finally:
            table.thinking = False

    async def _one_move(self, table: Table) -> None:
        began, version, seat = time.monotonic(), table.version, table.match.turn
        assert seat is not None
        view, spec = table.match.view(seat), table.bot_at(seat)
        if spec is None or len(view.legal_moves) == 1:
            move = str(view.legal_moves[0])
        else:
            bot = table.bots.get((seat, spec))
            if bot is None:
                bot = table.bots[seat, spec] = bots.make(spec, secrets.randbits(63))
            move = str(await self._chosen(bot, view))
        await asyncio.sleep(max(0.0, PACES[table.row.pace] - (time.monotonic() - began)))
        if table.bot_at(seat) == spec:  # nobody has come back to the seat meanwhile
            await self._tables.bot_move(table, move, seat, version, automatic=spec is None)

    async def _chosen(self, bot: bots.Bot, view: View) -> object:
        """A bot's move. If the bot breaks, the game goes on all the same."""
        try:
            return await self.think(bot.choose, view)
        except Exception:
            log.exception("the bot %s broke; a random move takes its place", bot.name)
            return bots.make("random", secrets.randbits(63)).choose(view)
