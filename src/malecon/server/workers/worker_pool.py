"""The pool of threads in which everything that takes long is computed: moves of bots, hints, reviews, explanations.

It has two lanes with threads of their own, so that bots that answer at once never wait behind a search. In each lane
the owners of the work take turns, and what nobody waits for comes last.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

from malecon.server.operations.limits import Limiter
from malecon.server.operations.metrics import Metrics
from malecon.server.workers.fair_semaphore import FairSemaphore

Result = TypeVar("Result")
#: Threads for work that takes milliseconds.
INSTANT_THREADS = 1
#: Added to the nice value of the threads that search, so that the thread that serves requests comes first.
NICENESS = 5


@dataclass(frozen=True)
class WorkKind:
    """What a piece of work is: its name in the metrics, whether it takes only milliseconds, and whether anybody waits.

    Work in the background comes after the rest.
    """

    name: str
    instant: bool = False
    background: bool = False


HINT = WorkKind("hint")
PUZZLE = WorkKind("puzzle")
QUESTION = WorkKind("question")
ANALYSIS = WorkKind("analysis")
REVIEW = WorkKind("review", background=True)


class WorkerPool:
    """A few threads for long computations. Their kernels release the interpreter's lock, so the server goes on."""

    def __init__(self, threads: int, limiter: Limiter, metrics: Metrics) -> None:
        self._limiter = limiter
        self._metrics = metrics
        self._search_lane = _Lane("search", threads, _lower_priority)
        self._instant_lane = _Lane("instant", INSTANT_THREADS)

    async def run(self, kind: WorkKind, person: str, work: Callable[..., Result], *arguments: object) -> Result:
        """Run work for a person, who takes turns with others and is charged for the time."""
        loop, lane = asyncio.get_running_loop(), self._instant_lane if kind.instant else self._search_lane
        asked = time.monotonic()
        with self.queued(kind):
            await lane.slots.acquire(self._limiter.quota_key(person), kind.background)
        waited = time.monotonic() - asked

        def end(seconds: float) -> None:
            lane.slots.release(kind.background)
            self.record(kind, person, waited, seconds)

        def timed() -> Result:
            began = time.monotonic()
            try:
                return work(*arguments)
            finally:  # also if the caller was cancelled, which does not stop the thread
                with suppress(RuntimeError):  # the loop has stopped with the server
                    loop.call_soon_threadsafe(end, time.monotonic() - began)

        try:
            running = lane.threads.submit(timed)
        except BaseException:
            lane.slots.release(kind.background)
            raise
        return await asyncio.wrap_future(running)

    @contextmanager
    def queued(self, kind: WorkKind) -> Iterator[None]:
        """Count a piece of work as waiting in the context."""
        queue = self._metrics.think_queue.labels(kind.name)
        queue.inc()
        try:
            yield
        finally:
            queue.dec()

    def record(self, kind: WorkKind, person: str, waited: float, seconds: float) -> None:
        """Record how long work waited and took, and charge the person for it."""
        self._metrics.think_wait_seconds.labels(kind.name).observe(waited)
        self._metrics.think_seconds.labels(kind.name).observe(seconds)
        self._limiter.charge_think_time(person, seconds)

    def close(self) -> None:
        for lane in (self._search_lane, self._instant_lane):
            lane.threads.shutdown(wait=False, cancel_futures=True)


class _Lane:
    """Threads, and the slots that owners take turns for: one for each thread."""

    def __init__(self, name: str, threads: int, initializer: Callable[[], None] | None = None) -> None:
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix=name, initializer=initializer)
        self.slots = FairSemaphore(threads)


def _lower_priority() -> None:
    """Lower the priority of this thread, on systems that number threads."""
    with suppress(OSError, AttributeError):
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
