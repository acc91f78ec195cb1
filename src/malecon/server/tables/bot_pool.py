"""The threads that bots think in. People who need them take turns, so one person's hundred tables do not hold up
another's single one. What is thought there, and who pays for it, is elsewhere.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

Found = TypeVar("Found")


class BotPool:
    """A few threads; who waits for one is served in turns, one piece of work of each owner after another."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._free = threads
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def run(self, owner: str, work: Callable[..., Found], *arguments: object) -> Found:
        """Run something long for an owner, once it is their turn."""
        loop = asyncio.get_running_loop()
        await self._turn(owner, loop)
        try:
            running = self._pool.submit(work, *arguments)
        except BaseException:
            self._leave()
            raise

        def ended(_: Future[Found]) -> None:  # whoever hung up meanwhile has not stopped the thread
            with suppress(RuntimeError):  # nobody waits any more: the server has stopped
                loop.call_soon_threadsafe(self._leave)

        running.add_done_callback(ended)
        return await asyncio.wrap_future(running)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _turn(self, owner: str, loop: asyncio.AbstractEventLoop) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it had just come
                self._leave()
            raise

    def _leave(self) -> None:
        """A thread is free: the next owner's turn."""
        while self._waiting:
            owner, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[owner] = turns  # at the end of the row
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
