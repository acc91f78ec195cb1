"""Writing a legal move down, or only counting it: one loop then lists the moves and tells whether there is any."""

from __future__ import annotations

from malecon.kernel.compile import kernel
from malecon.kernel.verbs import Moves


@kernel(inline=True)
def put(out: Moves | None, count: int, move: int) -> int:
    """Write a move behind the first `count`, or only count it if there is no list; return the new count."""
    if out is not None:
        out[count] = move
    return count + 1
