"""The memory budget of a process for its caches: trees of bots, idle tables, pages. The least recently used goes first.

Nothing is lost: a tree grows again, a table is on disk, a page is rendered again.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path

#: The kinds of things in the budget.
TREES = "trees"
TABLES = "tables"
ANALYSES = "analyses"
TOURNAMENTS = "tournaments"
REPLAYS = "replays"
#: Between two times that free memory is returned to the system.
RETURN_INTERVAL_SECONDS = 60.0
#: The numbers of options of glibc's mallopt.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
#: Free memory that is kept for the next page; `return_freed` returns it.
KEPT_BYTES = 16 << 20


#: The budget unless it is set, in megabytes; it is smaller if there is less memory than this and the program need.
DEFAULT_MEGABYTES = 800
LEAST_MEGABYTES = 100
#: What the program takes, and a reserve.
PROGRAM_MEGABYTES = 500
#: Where a container or a service reads the limit of its memory: with the second version of cgroups, and the first.
CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def default_budget(available: int | None = None) -> int:
    """Return the megabytes for caches on this machine, or in this container, if none are set."""
    spare = (memory_limit() if available is None else available) // 1_000_000 - PROGRAM_MEGABYTES
    return max(LEAST_MEGABYTES, min(DEFAULT_MEGABYTES, spare))


def memory_limit() -> int:
    """Return the bytes of memory that this process may use: its cgroup's limit, else all that the machine has."""
    try:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):  # a system that does not tell
        most = 1 << 40
    for file in (*_own_cgroup(), *CGROUP_LIMITS):
        with suppress(OSError, ValueError):
            most = min(most, int(file.read_text()))
    return most


def _own_cgroup() -> list[Path]:
    """Return the files with the limits of the cgroup of this process, as systemd sets them."""
    with suppress(OSError, IndexError):
        group = Path("/proc/self/cgroup").read_text().split("::", 1)[1].split("\n")[0]
        return [Path(f"/sys/fs/cgroup{group}") / "memory.max"]
    return []


def return_large_pieces() -> None:
    """Make the C library return large pieces of memory, such as trees of bots, to the system as soon as they are free.

    It would keep them once it has seen a few. With the size of large pieces fixed, it would return the little that one
    page takes, too, and ask for it again with the next page. With another C library nothing happens.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, 1 << 20)
        library.mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)


def return_freed() -> None:
    """Return free memory in small pieces to the system, which the C library would keep.

    With another C library nothing happens.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class Memory:
    """A budget of `most` bytes, or without a limit if that is 0. Sizes are estimates on the safe side."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[tuple[str, Hashable], tuple[int, Callable[[], object]]] = OrderedDict()
        self.used: Counter[str] = Counter()  # bytes, by kind
        self.given_back: Counter[str] = Counter()  # how often
        self._returned = time.monotonic()

    async def tick(self) -> None:
        """Return free memory once a minute, in a thread: it takes milliseconds, and no move waits for it."""
        if time.monotonic() - self._returned >= RETURN_INTERVAL_SECONDS:
            self._returned = time.monotonic()
            await asyncio.to_thread(return_freed)

    def use(self, kind: str, name: Hashable, size: int, drop: Callable[[], object]) -> None:
        """Record that something of that size is used now; `drop` is called if it must go."""
        self.forget(kind, name)
        self._held[kind, name] = size, drop
        self.used[kind] += size
        while self._most and self.used.total() > self._most and len(self._held) > 1:
            (oldest, _), (less, drop) = self._held.popitem(last=False)
            self.used[oldest] -= less
            self.given_back[oldest] += 1
            drop()

    def touch(self, kind: str, name: Hashable) -> None:
        """Record that something is used again: what was used longest ago goes first."""
        if (kind, name) in self._held:
            self._held.move_to_end((kind, name))

    def forget(self, kind: str, name: Hashable) -> None:
        """Record that something has gone."""
        held = self._held.pop((kind, name), None)
        if held is not None:
            self.used[kind] -= held[0]
