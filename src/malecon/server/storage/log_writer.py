"""Writes the logs of all tables. Appends that wait at the same time share a transaction, and a wait for the disk.

A disk that takes ten milliseconds to make something durable can do so a hundred times a second, however little it is.
A move is acknowledged when the transaction it is in has been committed.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue

from malecon.server.storage.rows import Append
from malecon.server.storage.store import Storage

#: Appends in one transaction: with more, the first of them would wait for the last.
MOST_IN_BATCH = 100
_Waiting = tuple[Append, asyncio.Future[None]]


class LogWriter:
    """A queue of appends and a thread that writes them in order; of one table only one append at a time.

    It is always the same thread: to wake one costs more than to write, and while much is to be written it stays awake.
    """

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    async def append(self, new: Append) -> None:
        """Append to a table's log; committed when this returns. Raise Stale if the table has changed since."""
        loop = asyncio.get_running_loop()
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, args=(loop,), name="log-writer", daemon=True)
            self._thread.start()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.put((new, done))
        await done

    async def close(self) -> None:
        """Write what is in the queue, and stop."""
        if self._thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    def _write(self, loop: asyncio.AbstractEventLoop) -> None:
        while (first := self._queue.get()) is not None:
            batch, last = [first], False
            with suppress(Empty):
                while len(batch) < MOST_IN_BATCH and not last:
                    more = self._queue.get_nowait()
                    if more is None:
                        last = True
                    else:
                        batch.append(more)
            outcomes: list[Exception | None]
            try:
                outcomes = self._storage.append_all([new for new, _ in batch])
            except Exception as error:
                outcomes = [error] * len(batch)
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(_resolve, batch, outcomes)
            if last:
                return


def _resolve(batch: list[_Waiting], outcomes: list[Exception | None]) -> None:
    for (_, done), outcome in zip(batch, outcomes, strict=True):
        if done.done():
            continue
        if outcome is None:
            done.set_result(None)
        else:
            done.set_exception(outcome)
