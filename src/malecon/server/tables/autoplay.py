"""Moves that no person makes: those of bots, and forced ones. One task per table, at a pace people can follow.

This is a scheduler: what a bot plays is computed in `workers`, or by the page of a person who plays alone. Of several
server processes only the one that has claimed a table moves there. Every second tables are looked for that should have
moved: those of a process that died, or all of them after a start.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace

from malecon.kernel.errors import MaleconError
from malecon.server.background import Background
from malecon.server.errors import Stale, Unavailable
from malecon.server.operations.limits import Limiter
from malecon.server.operations.metrics import Metrics
from malecon.server.storage.cluster import Cluster
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.page_bots import PageBots
from malecon.server.tables.table import Table, has_secrets
from malecon.server.tables.timing import PACES
from malecon.server.workers.bot_moves import BotMoves

log = logging.getLogger("malecon.server")
#: How long nothing must have happened at a table before it is woken.
WAKE_AFTER_SECONDS = 3.0
#: Tables woken in one tick.
MOST_WOKEN = 200
#: Before a move is tried again after the database did not answer.
RETRY_SECONDS = 1.0
#: The page that is to think for the bots of a new table has this long to announce its engine.
FIRST_PAGE_SECONDS = 3.0
#: A process without the page that may think for a table's bots waits so long: the one with the page comes first.
PAGE_ELSEWHERE_SECONDS = 0.3
#: A forced move of a bot waits as long as the bot has thought last, at most this long.
LONGEST_PAUSE_SECONDS = 5.0


class Autoplay:
    """Starts a task for a table when a move there can be made without a person."""

    def __init__(
        self,
        tables: LiveTables,
        storage: Storage,
        cluster: Cluster,
        limiter: Limiter,
        bot_moves: BotMoves,
        page_bots: PageBots,
        metrics: Metrics,
    ) -> None:
        self._tables = tables
        self._storage = storage
        self._cluster = cluster
        self._limiter = limiter
        self._bot_moves = bot_moves
        self._page_bots = page_bots
        self._metrics = metrics
        self._background = Background()
        self._wake_after = 0.0  # the first tick wakes all that wait
        self._closing = False
        self._last_think_seconds: dict[str, float] = {}  # by bot

    async def close(self) -> None:
        self._closing = True
        await self._background.cancel()

    def look_at(self, table: Table) -> None:
        """Start a task for the table if it needs one."""
        if table.match.is_over:
            self._bot_moves.clear(table.id)
        if not self._closing and not table.thinking and table.is_automatic:
            table.thinking = True
            self._background.begin(self._play(table))

    async def tick(self) -> None:
        """Wake the tables that wait for a bot."""
        since, self._wake_after = time.time() - self._wake_after, WAKE_AFTER_SECONDS
        for name in await asyncio.to_thread(self._storage.tables_to_autoplay, since, MOST_WOKEN):
            try:
                await self._wake(name)
            except Exception:  # the others must not wait for one that cannot be loaded
                log.exception("table %s cannot be woken", name)

    async def _wake(self, name: str) -> None:
        """Look at a table whose row says that it needs autoplay; correct the row if it does not."""
        table = await self._tables.get(name)
        if not table.thinking and not table.is_automatic:
            await self._tables.refresh(table)
            if not table.is_automatic and table.row.needs_autoplay:
                await asyncio.to_thread(self._storage.clear_needs_autoplay, table.row)
                table.row = replace(table.row, needs_autoplay=False)
        self.look_at(table)

    async def _play(self, table: Table) -> None:
        claimed = False
        try:
            await self._wait_for_page(table)
            claimed = await self._cluster.claim(table.id)
            while claimed and table.is_automatic:
                try:
                    await self._make_move(table)
                except Unavailable:
                    await asyncio.sleep(RETRY_SECONDS)
                except Stale:  # the table has changed meanwhile: choose again
                    continue
        except MaleconError as error:
            log.error("table %s: %s", table.id, error)
        except Exception:  # the next tick tries again
            log.exception("table %s stands still", table.id)
        finally:
            table.thinking = False
            if claimed:
                await self._cluster.release(table.id)

    async def _wait_for_page(self, table: Table) -> None:
        """Let a page that will think come first: after a table was opened, and if another process has the page."""
        seconds = table.row.created + FIRST_PAGE_SECONDS - time.time()
        if self._storage.is_shared:
            seconds = max(seconds, PAGE_ELSEWHERE_SECONDS)
        if seconds > 0:
            await self._page_bots.wait_for_page(table, seconds)

    async def _make_move(self, table: Table) -> None:
        began, version, seat = time.monotonic(), table.version, table.match.turn
        assert seat is not None
        view, spec = table.match.view(seat), table.bot_at(seat)
        pause, where = PACES[table.row.pace], "server"
        if spec is None or len(view.legal_moves) == 1:
            code = view.legal_moves.codes[0]
            pause = max(pause, self._pause_before_forced(table, seat))
        else:
            page_code = await self._page_bots.choose(table, view, spec)
            if page_code is not None:
                code, where = page_code, "page"
            else:
                await asyncio.sleep(self._limiter.think_wait(table.row.owner))  # others first if the owner had too much
                began = time.monotonic()
                background = not table.is_attended
                code = await self._bot_moves.choose(table.id, spec, view, table.row.owner, background)
            self._last_think_seconds[spec] = time.monotonic() - began
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))
        if table.bot_at(seat) == spec:  # the person has not come back to the seat meanwhile
            await self._tables.bot_move(table, code, seat, version, automatic=spec is None)
            if spec is not None:
                self._metrics.bot_moves.labels(where).inc()

    def _pause_before_forced(self, table: Table, seat: int) -> float:
        """Return how long a bot with secrets seems to think where it has no choice: an answer at once would tell."""
        spec = table.bot_at(seat)
        if spec is None or not has_secrets(table.match, seat):
            return 0.0
        return min(self._last_think_seconds.get(spec, 0.0), LONGEST_PAUSE_SECONDS)
