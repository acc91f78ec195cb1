"""The threads of this process in which bots think, used in turn by all people who need them."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from malecon.server.operations.limits import Limiter
from malecon.server.workers.fair_semaphore import FairSemaphore

Result = TypeVar("Result")
#: Added to the nice value of the threads, so that the thread that serves requests comes first.
NICENESS = 5


class ThinkPool:
    """A few threads for long computations. Their kernels release the interpreter's lock, so the server goes on."""

    def __init__(self, threads: int, limiter: Limiter) -> None:
        self._limiter = limiter
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="bot", initializer=_lower_priority)
        self._semaphore = FairSemaphore(threads)

    async def run(self, person: str, work: Callable[..., Result], *arguments: object) -> Result:
        """Run work for a person, who takes turns with others and is charged for the time."""

        def timed() -> tuple[Result, float]:
            began = time.monotonic()
            return work(*arguments), time.monotonic() - began

        result, seconds = await self.run_unmetered(self._limiter.quota_key(person), timed)
        self._limiter.charge_think_time(person, seconds)
        return result

    async def run_unmetered(self, owner: str, work: Callable[[], Result]) -> Result:
        """Run work that has been paid for; the owners take turns."""
        loop = asyncio.get_running_loop()
        await self._semaphore.acquire(owner)
        try:
            running = self._threads.submit(work)
        except BaseException:
            self._semaphore.release()
            raise

        def release(_: Future[Result]) -> None:  # also if the caller was cancelled, which does not stop the thread
            with suppress(RuntimeError):  # the loop has stopped with the server
                loop.call_soon_threadsafe(self._semaphore.release)

        running.add_done_callback(release)
        return await asyncio.wrap_future(running)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _lower_priority() -> None:
    """Lower the priority of this thread, on systems that number threads."""
    with suppress(OSError, AttributeError):
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
