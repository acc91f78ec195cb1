"""The tables in memory: how they are found, kept up with the database, and changed one change at a time.

All of this runs on the event loop; the database does not. What may be done at a table stands in `actions`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from weakref import WeakValueDictionary

from malecon.kernel.errors import BadSnapshot
from malecon.match.dice import Dice
from malecon.server.background import Background
from malecon.server.errors import NoSuchTable, Stale
from malecon.server.operations.memory import TABLES, Memory
from malecon.server.operations.metrics import Metrics
from malecon.server.storage.log_writer import LogWriter
from malecon.server.storage.notices import Notice
from malecon.server.storage.rows import Loaded
from malecon.server.storage.store import Storage
from malecon.server.tables.table import Table

log = logging.getLogger("malecon.server")
#: How often a change is tried again after others were faster.
TRIES = 5


class LiveTables:
    """All tables, those in memory and those on disk. Two who ask for the same table get the same object."""

    def __init__(
        self,
        storage: Storage,
        metrics: Metrics | None = None,
        memory: Memory | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._storage = storage
        self._clock = clock
        self._log_writer = LogWriter(storage)
        self._metrics = metrics or Metrics()
        # A table that is still in use is shared by all its users; this class holds those that were asked for last.
        self._live: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: dict[str, Table] = {}
        self._memory = memory or Memory(0)
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._changes = Background()
        self.on_change: Callable[[Table], None] = lambda table: None
        self.on_turn: Callable[[Table], None] = lambda table: None  # in the process that made it somebody's, or over
        self.on_rematch: Callable[[Table, str], None] = lambda table, person: None  # somebody wants to play again

    # --- finding

    async def get(self, table_id: str) -> Table:
        """The table of that address; NoSuchTable where there is none."""
        table = self._live.get(table_id)
        if table is not None:
            self._keep(table)
            return table
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = self._changes.begin(self._load(table_id))
            loading.add_done_callback(lambda _: self._loading.pop(table_id))
        table = await asyncio.shield(loading)  # the others who wait for it do not suffer if we hang up
        if self._storage.is_shared:  # what came while it was being loaded was told to nobody here
            await self.catch_up(table)
        self.on_change(table)  # a bot whose turn it was when the server stopped goes on
        return table

    async def _load(self, table_id: str) -> Table:
        loaded = await asyncio.to_thread(self._storage.load, table_id)
        try:
            table = None if loaded is None else Table.of(loaded)
        except BadSnapshot:
            loaded = await asyncio.to_thread(self._storage.load, table_id, False)
            table = None if loaded is None else Table.of(loaded)
        if table is None:
            raise NoSuchTable
        if table.row.dice is None and not table.row.over and not table.is_record:  # from before dice could be checked
            dice = await asyncio.to_thread(self._storage.give_dice, table_id, Dice.new(len(table.match)))
            table.row = replace(table.row, dice=dice)
        self._keep(table)
        return table

    @property
    def count(self) -> int:
        """How many are in memory."""
        return len(self._live)

    @property
    def thinking(self) -> int:
        """At how many of them something moves by itself."""
        return sum(table.thinking for table in self._live.values())

    def alive(self, table_id: str) -> Table | None:
        """The table of that address if it is in memory."""
        return self._live.get(table_id)

    def _keep(self, table: Table) -> None:
        self._live[table.id] = self._recent[table.id] = table
        self._memory.use(TABLES, table.id, table.size, partial(self._recent.pop, table.id, None))

    def _forget(self, table: Table) -> None:
        self._live.pop(table.id, None)
        self._recent.pop(table.id, None)
        self._memory.forget(TABLES, table.id)

    # --- keeping up with other processes

    async def catch_up(self, table: Table) -> None:
        """Take in what other processes have written."""
        async with table.lock:
            await self._catch_up(table)

    def hear(self, notice: Notice) -> None:
        """Another process has changed a table: take it in if the table is in memory and does not show it yet."""
        table = self._live.get(notice.name)
        if table is not None and (notice.revision is None or table.revision < notice.revision):
            self._changes.begin(self._take_in(table, notice))

    async def _take_in(self, table: Table, notice: Notice) -> None:
        try:
            async with table.lock:
                moved = notice.moved
                if moved is None or notice.revision != table.revision + 1:
                    if notice.revision is None or table.revision < notice.revision:
                        await self._catch_up(table)
                    return
                row = replace(
                    table.row,
                    revision=notice.revision,
                    over=moved.over,
                    due=moved.due,
                    deadline=moved.deadline,
                    digest=moved.digest,
                )
                self._follow(table, Loaded(row, moved.new_entries()))
        except Exception:  # one that cannot be read keeps nobody else from the news
            log.exception("table %s cannot be followed", table.id)

    async def catch_up_all(self) -> None:
        """The same for all tables in memory, after some news may have been missed."""
        last = await asyncio.to_thread(self._storage.revisions, tuple(self._live))
        for table in tuple(self._live.values()):
            if last.get(table.id) != table.revision:
                try:
                    await self.catch_up(table)
                except Exception:  # one that cannot be read keeps nobody else from the news
                    log.exception("table %s cannot be followed", table.id)

    async def _catch_up(self, table: Table) -> bool:
        """Whether there was anything new."""
        loaded = await asyncio.to_thread(self._storage.news, table.id, table.revision, table.version)
        if loaded is None:
            return False
        self._follow(table, loaded)
        return True

    def _follow(self, table: Table, news: Loaded) -> None:
        try:
            table.follow(news.entries)
            table.take(news.row)
        except BaseException:  # half of it was taken in: the next one who asks gets it afresh from disk
            self._forget(table)
            raise
        self._tell(table)

    # --- changing

    async def _change(self, table: Table, change: Callable[[], Awaitable[None]]) -> None:
        """Change a table as it stands. If another process was faster, try again on what it left.

        A caller who hangs up meanwhile does not stop it half-way.
        """

        async def trying() -> None:
            async with table.lock:
                for _ in range(TRIES):
                    try:
                        return await change()
                    except Stale:
                        if not await self._catch_up(table):
                            raise
                raise Stale

        await asyncio.shield(self._changes.begin(trying()))  # who asked for it hears how it ends, unless they hang up

    async def finish(self) -> None:
        """Wait for all changes that have begun."""
        await self._changes.finish()
        await self._log_writer.close()

    def _tell(self, table: Table) -> None:
        table.changed()
        self.on_change(table)
