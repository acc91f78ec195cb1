"""The block of bytes that the module's `set_position` reads: what a seat may know, and nothing else.

It holds the number of players, the seat, the view's position and, if every move was made in the open, the position
before the first move and the moves: from those the engine works out what a perfect memory knows, as the bots do.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from malecon.bots.engine.state import NO_HISTORY, layout_of
from malecon.kernel.game import Game
from malecon.kernel.verbs import Position
from malecon.kernel.view import SPECTATOR, View


def block_for(view: View) -> bytes:
    """Return the block for a view."""
    seat = SPECTATOR if view.seat is None else view.seat
    players = len(view.names)
    if not view.history.is_open:
        return block_of(view.game, players, view.position, seat)
    start = view.game.new_position(players, **view.options)
    return block_of(view.game, players, view.position, seat, start, view.history.codes)


def block_of(
    game: Game,
    players: int,
    position: Position,
    seat: int,
    start: Position | None = None,
    history: npt.NDArray[np.int16] | None = None,
) -> bytes:
    """Return the block for a position as the seat sees it, with the start and the moves if the seat knows them all."""
    layout = layout_of(game)
    length = NO_HISTORY if history is None else len(history)
    parts = {
        "header": np.array([players, seat, length], np.int32).tobytes(),
        "seen": position.tobytes(),
        "start": b"" if start is None else start.tobytes(),
        "history": b"" if history is None else history.astype(np.int16).tobytes(),
    }
    block = b""
    for name, data in parts.items():
        block = block.ljust(layout.field(name).offset.fixed, b"\0") + data
    return block
