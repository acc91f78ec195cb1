"""The budget of a process for what can be given back: trees of bots, tables at rest, pages. The oldest goes first.

Nothing is lost with it: a tree grows again, a table is on disk, a page is rendered anew.
"""

from __future__ import annotations

import asyncio
import ctypes
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress

#: What the budget knows apart.
TREES, TABLES = "trees", "tables"
#: Seconds between two times that free memory goes back to the system.
EVERY = 60.0
#: The number of an option of glibc's mallopt.
M_MMAP_THRESHOLD = -3


def return_large_pieces() -> None:
    """Have large pieces of memory, as the trees of bots are, returned to the system as soon as they are free.

    The C library would keep them once it has seen a few; where there is no such library, nothing is lost.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 1 << 20)


def return_freed() -> None:
    """Hand small pieces of memory that are free back to the system, which the C library would keep for later.

    Where there is no such library, nothing is lost.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class Memory:
    """So many bytes; 0 takes the limit away. Sizes are estimates on the safe side."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[tuple[str, Hashable], tuple[int, Callable[[], object]]] = OrderedDict()
        self.used: Counter[str] = Counter()  # bytes, by kind
        self.given_back: Counter[str] = Counter()  # how often
        self._returned = time.monotonic()

    async def round(self) -> None:
        """Once a minute, in a thread: it takes milliseconds, and no move waits for it."""
        if time.monotonic() - self._returned >= EVERY:
            self._returned = time.monotonic()
            await asyncio.to_thread(return_freed)

    def use(self, kind: str, name: Hashable, size: int, let_go: Callable[[], object]) -> None:
        """Something of that size is used now; `let_go` is called when its turn comes to leave."""
        self.forget(kind, name)
        self._held[kind, name] = size, let_go
        self.used[kind] += size
        while self._most and self.used.total() > self._most and len(self._held) > 1:
            (oldest, _), (less, let_go) = self._held.popitem(last=False)
            self.used[oldest] -= less
            self.given_back[oldest] += 1
            let_go()

    def forget(self, kind: str, name: Hashable) -> None:
        """It has left by itself."""
        held = self._held.pop((kind, name), None)
        if held is not None:
            self.used[kind] -= held[0]
