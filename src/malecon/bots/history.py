"""Positions from the history of a view: what a player with a perfect memory of all moves knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from malecon.kernel import verbs
from malecon.kernel.compile import kernel
from malecon.kernel.game import Game
from malecon.kernel.playing import make_move
from malecon.kernel.verbs import Moves, Position
from malecon.kernel.view import View


def position_from_history(view: View) -> Position:
    """Return the position as a perfect memory of the view's history knows it; a copy.

    If every move was made in the open, replaying them gives the whole position. Otherwise it is the view's own.
    """
    from malecon.bots.engine.runtime import module_stands_in, remember  # here, for no code is made of it

    position: Position = view.position.copy()
    if view.history.is_open:
        if module_stands_in(view.game):
            return remember(view)
        cells = np.zeros(1, view.game.dtype).view(np.recarray)
        cells[0] = view.game.new_position(len(view.names), **view.options)
        replay(cells, view.history.codes.copy())  # a read-only array would be compiled for once more
        seen = cells[0].copy()
        verbs.hide(seen, -1 if view.seat is None else view.seat)
        if seen.tobytes() == position.tobytes():  # the history is the whole of it, from the setup on
            return cells[0]
    return position


@kernel
def replay(cells: Any, moves: Moves) -> None:
    """Make moves in `cells[0]`, all in one call, since a call from Python costs more than a move."""
    for i in range(len(moves)):
        make_move(cells[0], moves[i], i)


def known_to(game: Game, position: Position, seat: int) -> Position:
    """Return what a seat with a perfect memory knows of a position: everything that was done in the open."""
    known: Position = position.copy()
    if game.conceals is not None:
        verbs.hide(known, seat)
    return known
