"""The threads that bots think in; those who need them take turns. What is thought there, and who pays, is elsewhere."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from malecon.server.workers.fair_semaphore import Turns

Found = TypeVar("Found")
#: How much threads that think give way to others.
NICE = 5


class BotPool:
    """A few threads. Their kernels release the interpreter's lock, so the server goes on meanwhile."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot", initializer=_give_way)
        self._turns = Turns(threads)

    async def run(self, owner: str, work: Callable[..., Found], *arguments: object) -> Found:
        """Run something long for an owner, once it is their turn."""
        loop = asyncio.get_running_loop()
        await self._turns.take(owner)
        try:
            running = self._pool.submit(work, *arguments)
        except BaseException:
            self._turns.leave()
            raise

        def ended(_: Future[Found]) -> None:  # whoever hung up meanwhile has not stopped the thread
            with suppress(RuntimeError):  # nobody waits any more: the server has stopped
                loop.call_soon_threadsafe(self._turns.leave)

        running.add_done_callback(ended)
        return await asyncio.wrap_future(running)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _give_way() -> None:
    """Let the thread that serves people come first, where the system knows threads by numbers of their own."""
    with suppress(OSError, AttributeError):
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
