"""The budget of a process for what can be given back: trees of bots, tables at rest, pages. The oldest goes first.

Nothing is lost with it: a tree grows again, a table is on disk, a page is rendered anew.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable

#: What the budget knows apart.
TREES, TABLES = "trees", "tables"


class Memory:
    """So many bytes; 0 takes the limit away. Sizes are estimates on the safe side."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[tuple[str, Hashable], tuple[int, Callable[[], object]]] = OrderedDict()
        self.used: Counter[str] = Counter()  # bytes, by kind
        self.given_back: Counter[str] = Counter()  # how often

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
