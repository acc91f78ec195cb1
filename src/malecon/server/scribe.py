"""Writes the logs of many tables down. Those that wait at the same time share a transaction, and a wait for the disk.

A disk that takes ten milliseconds to make something durable can do so a hundred times a second, however little it is.
Nobody is told that a move is made before the transaction it is in has been committed.
"""

from __future__ import annotations

import asyncio

from malecon.server.storage import Append, Storage

#: Appends in one transaction: more would make the first of them wait for the last.
MOST_TOGETHER = 100


class Scribe:
    """Takes what is to be appended, in the order it comes; of one table only one thing at a time."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._waiting: list[tuple[Append, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def append(self, new: Append) -> None:
        """Append to a table's log; committed when this returns. Stale where the table has changed since."""
        if self._storage.is_shared:  # PostgreSQL does this itself; and rows locked together can lock each other out
            await asyncio.to_thread(self._storage.append, new)
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((new, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
            outcomes: list[Exception | None]
            try:
                outcomes = await asyncio.to_thread(self._storage.append_all, [new for new, _ in batch])
            except Exception as error:
                outcomes = [error] * len(batch)
            for (_, done), outcome in zip(batch, outcomes, strict=True):
                if done.done():
                    continue
                if outcome is None:
                    done.set_result(None)
                else:
                    done.set_exception(outcome)
        self._writing = None
