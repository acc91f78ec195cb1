"""Thinkers elsewhere, as a server sees them: who is there, and what they are asked. Without any it thinks itself."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

from malecon.server.storage.database import driver_arguments
from malecon.server.storage.store import Storage
from malecon.server.workers import jobs
from malecon.server.workers.fair_semaphore import Turns
from malecon.server.workers.jobs import Job, Thinker, Thought
from malecon.simulation.workers import version

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("malecon.server")
#: Seconds after which a thinker that says nothing is gone, between two looks, and after which we think ourselves.
SILENCE, LOOK, PATIENCE = 5.0, 1.0, 30.0
#: Jobs that wait for each thread of a thinker, so that it never waits for us.
AHEAD = 2


class NobodyThinks(Exception):
    """No thinker is there, or none has answered in time."""


class Elsewhere:
    """The thinkers on the same PostgreSQL. With SQLite there are none."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._known: dict[str, tuple[int, float]] = {}  # threads, and when they were heard of
        self._turns = Turns(0)
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[Thought]] = {}
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._one = asyncio.Lock()

    @cached_property
    def _version(self) -> str:
        return version()

    @property
    def threads(self) -> int:
        """In how many threads somebody thinks elsewhere."""
        now = time.monotonic()
        return sum(threads for threads, heard in self._known.values() if now - heard < SILENCE)

    def hear(self, text: str) -> None:
        """News of thinkers."""
        news = jobs.unpack(text)
        if isinstance(news, Thinker) and news.version == self._version:
            if news.name not in self._known:
                log.info("a thinker with %d threads is there", news.threads)
            self._known[news.name] = news.threads, time.monotonic()
            if not news.threads:
                del self._known[news.name]
            self._turns.set_places(AHEAD * self.threads)
        elif isinstance(news, Thought) and news.asker == self._storage.sender:
            waiting = self._waiting.get(news.number)
            if waiting is not None and not waiting.done():
                waiting.set_result(news)

    async def think(self, owner: str, job: Job) -> Thought:
        """The answer of a thinker, once it is this owner's turn; NobodyThinks where there is none."""
        if not self.threads:
            raise NobodyThinks
        await self._turns.take(owner)
        try:
            return await self._asked(job)
        finally:
            self._turns.leave()

    async def _asked(self, job: Job) -> Thought:
        number, end = next(self._numbers), time.monotonic() + PATIENCE
        answer: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            await self._run(*jobs.asking(self._storage.sender, number, self._version, job))
            while not answer.done():
                if not self.threads or time.monotonic() > end:
                    raise NobodyThinks
                await asyncio.wait((answer,), timeout=LOOK)
        except BaseException:
            await asyncio.shield(self._drop(number))
            raise
        finally:
            del self._waiting[number]
        if answer.result().move is None:
            raise NobodyThinks
        return answer.result()

    async def _drop(self, number: int) -> None:
        try:
            await self._run(*jobs.dropping(self._storage.sender, number))
        except NobodyThinks:
            log.warning("a thought that nobody waits for stays in the database")

    async def _run(self, query: Any, values: tuple[object, ...]) -> None:
        import psycopg

        async with self._one:
            try:
                if self._connection is None or self._connection.closed:
                    arguments = driver_arguments(self._storage.engine)
                    self._connection = await psycopg.AsyncConnection.connect(autocommit=True, **arguments)
                    await self._connection.execute(jobs.MAKE)
                await self._connection.execute(query, values)
            except psycopg.Error:
                if self._connection is not None:
                    await self._connection.close()
                raise NobodyThinks from None

    async def close(self) -> None:
        async with self._one:
            if self._connection is not None:
                await self._connection.close()
