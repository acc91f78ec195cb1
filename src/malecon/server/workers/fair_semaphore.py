"""A semaphore that is fair to owners: one person's hundred tables do not hold up another's single one."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

#: After this many grants that background work was passed over for, it has its turn.
MOST_PASSED_OVER = 8

_Waiting = OrderedDict[str, deque[asyncio.Future[None]]]


class FairSemaphore:
    """A semaphore whose waiting owners are served in turn, one piece of work each.

    Background work comes after the rest, but not never, and leaves one slot free for the rest if there are several.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._acquired = {False: 0, True: 0}  # by whether it is for background work
        self._waiting: dict[bool, _Waiting] = {False: OrderedDict(), True: OrderedDict()}
        self._passed_over = 0

    async def acquire(self, owner: str, background: bool = False) -> None:
        """Wait for a slot; the caller must `release` it."""
        slot: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[background].setdefault(owner, deque()).append(slot)
        self._grant()
        try:
            await slot
        except asyncio.CancelledError:
            if slot.done() and not slot.cancelled():  # it was granted just before
                self.release(background)
            raise

    def release(self, background: bool = False) -> None:
        """Give a slot back, to the next owner."""
        self._acquired[background] -= 1
        self._grant()

    def set_capacity(self, capacity: int) -> None:
        """Change the number of slots; those that are acquired stay so."""
        self._capacity = capacity
        self._grant()

    def _grant(self) -> None:
        while sum(self._acquired.values()) < self._capacity:
            may_be_background = bool(self._waiting[True]) and self._acquired[True] < max(1, self._capacity - 1)
            if not self._waiting[False] and not may_be_background:
                return
            background = not self._waiting[False] or (may_be_background and self._passed_over >= MOST_PASSED_OVER)
            owner, slots = self._waiting[background].popitem(last=False)
            slot = slots.popleft()
            if slots:
                self._waiting[background][owner] = slots  # at the end of the queue
            if not slot.done():  # its caller still waits
                self._acquired[background] += 1
                self._passed_over = self._passed_over + 1 if may_be_background and not background else 0
                slot.set_result(None)
