"""Taking turns for a few places, so that one person's hundred tables do not hold up another's single one."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque


class Turns:
    """So many places; those who wait are served in turn, one piece of work of each owner after another."""

    def __init__(self, places: int) -> None:
        self._places, self._taken = places, 0
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def take(self, owner: str) -> None:
        """Wait for a place; `leave` must follow."""
        if self._taken < self._places:
            self._taken += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it had just come
                self.leave()
            raise

    def leave(self) -> None:
        """A place is free: the next owner's turn."""
        self._taken -= 1
        self._call()

    def set_places(self, places: int) -> None:
        """From now on there are so many; with fewer of them, nobody is sent away."""
        self._places = places
        self._call()

    def _call(self) -> None:
        while self._waiting and self._taken < self._places:
            owner, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[owner] = turns  # at the end of the row
            if not turn.done():
                self._taken += 1
                turn.set_result(None)
