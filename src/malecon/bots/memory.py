"""Counting along: a position played up to from the moves that were seen, in one call of a kernel."""

from __future__ import annotations

from typing import Any

from malecon.kernel.compile import kernel
from malecon.kernel.verbs import Moves, play


@kernel
def replay(cells: Any, moves: Moves) -> None:
    """Make all these moves in `cells[0]`. One call for a whole game: a call from Python costs more than a move."""
    for i in range(len(moves)):
        play(cells[0], moves[i])
