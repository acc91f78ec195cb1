"""The moves of bots at tables: computed in worker processes if there are any, else in the pool of threads."""

from __future__ import annotations

import logging
import secrets
import time
from contextlib import suppress

from malecon import bots
from malecon.kernel.view import View
from malecon.server.operations.limits import Limiter
from malecon.server.operations.memory import Memory
from malecon.server.storage.store import Storage
from malecon.server.workers.bot_cache import BotCache, CachedBot
from malecon.server.workers.jobs import Job
from malecon.server.workers.remote import NoWorkerAvailable, RemoteWorkers
from malecon.server.workers.worker_pool import WorkerPool, WorkKind

log = logging.getLogger("malecon.server")


class BotMoves:
    """Chooses moves for bots, whose trees it keeps. Bots that answer at once are never sent to another process."""

    def __init__(self, pool: WorkerPool, storage: Storage, limiter: Limiter, memory: Memory) -> None:
        self._pool = pool
        self._limiter = limiter
        self._cache = BotCache(memory)
        self.remote_workers = RemoteWorkers(storage)

    async def choose(self, table: str, spec: str, view: View, owner: str, background: bool) -> int:
        """Return the code of a bot's move. If the bot fails, return a random one, so that the game goes on."""
        try:
            return await self._choose(table, spec, view, owner, background)
        except Exception:
            log.exception("the bot %s broke; a random move takes its place", spec)
            return bots.make("random", secrets.randbits(63)).choose_code(view)

    async def _choose(self, table: str, spec: str, view: View, owner: str, background: bool) -> int:
        assert view.seat is not None
        seat, instant = view.seat, bots.is_instant(spec)
        kind = WorkKind(f"bot:{spec}", instant, background)
        if self.remote_workers.threads and not instant:
            with suppress(NoWorkerAvailable):
                return await self._choose_remotely(kind, Job.of(table, spec, view), owner)

        def choose() -> tuple[CachedBot, int]:
            bot = self._cache.get(table, seat, spec)  # here, not while waiting for a thread
            return bot, bot.choose_code(view)

        bot, code = await self._pool.run(kind, owner, choose)
        self._cache.put(table, seat, spec, bot)
        return code

    async def _choose_remotely(self, kind: WorkKind, job: Job, owner: str) -> int:
        asked = time.monotonic()
        with self._pool.queued(kind):
            code, seconds = await self.remote_workers.run(self._limiter.quota_key(owner), job, kind.background)
        self._pool.record(kind, owner, max(0.0, time.monotonic() - asked - seconds), seconds)
        return code

    def clear(self, table: str) -> None:
        """Drop the trees of a table."""
        self._cache.clear(table)

    async def close(self) -> None:
        await self.remote_workers.close()
