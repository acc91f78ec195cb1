"""Work beside the requests: background tasks, and ticks once a second.

Each service that has background tasks keeps a `Background` of its own, to be ended in its own way.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from malecon.kernel.errors import MaleconError

Result = TypeVar("Result")
log = logging.getLogger("malecon.server")
#: Between two ticks.
TICK_SECONDS = 1.0
#: Between two lines of the log about the same failure.
LOG_INTERVAL_SECONDS = 60.0


class Background:
    """Tasks that run beside their callers, kept until they end."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, work: Coroutine[Any, Any, Result], is_awaited: bool = False) -> asyncio.Task[Result]:
        """Start a task. If it fails unexpectedly, that is logged, unless its caller awaits it and hears of it so."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(partial(self._ended, is_awaited=is_awaited))
        return task

    def _ended(self, task: asyncio.Task[Any], is_awaited: bool) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not is_awaited and not isinstance(error, MaleconError):
            log.error("a background task failed", exc_info=error)

    async def finish(self) -> None:
        """Wait for all tasks, and for those that begin meanwhile."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def cancel(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def run_ticks(*ticks: Callable[[], Awaitable[None]]) -> None:
    """Call these functions every second, for ever. One that fails is logged, and called again at the next tick."""

    logged: dict[str, float] = {}  # when each tick that failed was last logged, by its name and error

    def is_new(name: str) -> bool:
        if time.monotonic() - logged.get(name, -LOG_INTERVAL_SECONDS) < LOG_INTERVAL_SECONDS:
            return False
        logged[name] = time.monotonic()
        return True

    async def run(tick: Callable[[], Awaitable[None]]) -> None:
        try:
            await tick()
        except MaleconError as error:  # mostly one cause for all of them, such as a database that is gone
            if is_new(str(error)):
                log.warning("%s was skipped: %s", tick.__qualname__, error)
        except Exception:
            if is_new(tick.__qualname__):
                log.exception("%s failed", tick.__qualname__)

    while True:
        await asyncio.gather(*map(run, ticks))
        await asyncio.sleep(TICK_SECONDS)
