"""Bot workers in other processes, as a server sees them: how many threads they have, and the jobs it has queued."""

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
from malecon.server.workers.fair_semaphore import FairSemaphore
from malecon.server.workers.jobs import Job, JobResult, WorkerHeartbeat
from malecon.simulation.workers import version

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("malecon.server")
#: A worker without a heartbeat for so long is gone.
WORKER_TIMEOUT_SECONDS = 5.0
#: How often a server that waits for a result checks whether any worker is left.
CHECK_SECONDS = 1.0
#: After this a job is given up, and the server computes the move itself.
JOB_TIMEOUT_SECONDS = 30.0
#: Jobs queued for each thread of a worker, so that no worker waits for a server.
JOBS_PER_THREAD = 2


class NoWorkerAvailable(Exception):
    """There is no worker, or none has answered in time."""


class RemoteWorkers:
    """The bot workers on the same PostgreSQL. With SQLite there are none."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._workers: dict[str, tuple[int, float]] = {}  # threads, and when the last heartbeat came
        self._semaphore = FairSemaphore(1)
        self._numbers = count()
        self._results: dict[int, asyncio.Future[JobResult]] = {}
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._connection_lock = asyncio.Lock()

    @cached_property
    def _version(self) -> str:
        return version()

    @property
    def threads(self) -> int:
        """The threads of all workers together."""
        now = time.monotonic()
        return sum(threads for threads, last in self._workers.values() if now - last < WORKER_TIMEOUT_SECONDS)

    def on_message(self, text: str) -> None:
        """Handle a notification from a worker."""
        message = jobs.unpack(text)
        if isinstance(message, WorkerHeartbeat) and message.version == self._version:
            if message.name not in self._workers:
                log.info("a thinker with %d threads is there", message.threads)
            self._workers[message.name] = message.threads, time.monotonic()
            if not message.threads:
                del self._workers[message.name]
            self._semaphore.set_capacity(max(1, JOBS_PER_THREAD * self.threads))  # those that wait must get a refusal
        elif isinstance(message, JobResult) and message.asker == self._storage.sender:
            result = self._results.get(message.number)
            if result is not None and not result.done():
                result.set_result(message)

    async def run(self, owner: str, job: Job, background: bool = False) -> tuple[int, float]:
        """Return the code of a move and the seconds it took, once it is this owner's turn.

        Raise NoWorkerAvailable if there is no worker, or it could not do the job.
        """
        await self._semaphore.acquire(owner, background)
        try:
            if not self.threads:  # the last worker has left meanwhile
                raise NoWorkerAvailable
            result = await self._queue(job)
        finally:
            self._semaphore.release(background)
        if result.code is None:
            raise NoWorkerAvailable
        return result.code, result.seconds

    async def _queue(self, job: Job) -> JobResult:
        number, end = next(self._numbers), time.monotonic() + JOB_TIMEOUT_SECONDS
        result: asyncio.Future[JobResult] = asyncio.get_running_loop().create_future()
        self._results[number] = result
        try:
            await self._execute(*jobs.queue_statement(self._storage.sender, number, self._version, job))
            while not result.done():
                if not self.threads or time.monotonic() > end:
                    raise NoWorkerAvailable
                await asyncio.wait((result,), timeout=CHECK_SECONDS)
        except BaseException:
            await asyncio.shield(self._drop(number))
            raise
        finally:
            del self._results[number]
        return result.result()

    async def _drop(self, number: int) -> None:
        try:
            await self._execute(*jobs.drop_statement(self._storage.sender, number))
        except NoWorkerAvailable:
            log.warning("a job that no server waits for stays in the database")

    async def _execute(self, query: Any, values: tuple[object, ...]) -> None:
        import psycopg

        async with self._connection_lock:
            try:
                if self._connection is None or self._connection.closed:
                    arguments = driver_arguments(self._storage.engine)
                    self._connection = await psycopg.AsyncConnection.connect(autocommit=True, **arguments)
                    await self._connection.execute(jobs.CREATE_TABLE)
                await self._connection.execute(query, values)
            except psycopg.Error:
                if self._connection is not None:
                    await self._connection.close()
                raise NoWorkerAvailable from None

    async def close(self) -> None:
        async with self._connection_lock:
            if self._connection is not None:
                await self._connection.close()
