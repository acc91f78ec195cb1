"""A semaphore that is fair to owners: one person's hundred tables do not hold up another's single one."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque


class FairSemaphore:
    """A semaphore whose waiting owners are served in turn, one piece of work each."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._acquired = 0
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def acquire(self, owner: str) -> None:
        """Wait for a slot; the caller must `release` it."""
        if self._acquired < self._capacity:
            self._acquired += 1
            return
        slot: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(slot)
        try:
            await slot
        except asyncio.CancelledError:
            if slot.done() and not slot.cancelled():  # it was granted just before
                self.release()
            raise

    def release(self) -> None:
        """Give a slot back, to the next owner."""
        self._acquired -= 1
        self._grant()

    def set_capacity(self, capacity: int) -> None:
        """Change the number of slots; those that are acquired stay so."""
        self._capacity = capacity
        self._grant()

    def _grant(self) -> None:
        while self._waiting and self._acquired < self._capacity:
            owner, slots = self._waiting.popitem(last=False)
            slot = slots.popleft()
            if slots:
                self._waiting[owner] = slots  # at the end of the queue
            if not slot.done():
                self._acquired += 1
                slot.set_result(None)
