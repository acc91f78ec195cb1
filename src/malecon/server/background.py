"""Work that goes on beside the requests: where its tasks are kept, and the one round that is made every second.

What the work is, others say; each of them keeps a `Background` of its own, to be ended in its own way.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from malecon.kernel.errors import MaleconError

Found = TypeVar("Found")
log = logging.getLogger("malecon.server")
#: Seconds between two rounds.
ROUND = 1.0


class Background:
    """Tasks that nobody awaits, kept until they end. Those who need to know how one ended look for themselves."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, work: Coroutine[Any, Any, Found]) -> asyncio.Task[Found]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # asked for, so that asyncio does not complain that nobody has

    async def finish(self) -> None:
        """Wait for all that has begun, and for what begins meanwhile."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def cancel(self) -> None:
        """Stop all that has begun."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def make_rounds(*looks: Callable[[], Awaitable[None]]) -> None:
    """Look after something every second, for ever. What fails is logged, and tried again in the next round."""

    async def look_once(look: Callable[[], Awaitable[None]]) -> None:
        try:
            await look()
        except MaleconError as error:
            log.warning("a round was left out: %s", error)
        except Exception:
            log.exception("a round broke")

    while True:
        await asyncio.gather(*map(look_once, looks))
        await asyncio.sleep(ROUND)
