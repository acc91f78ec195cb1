"""A game's observation as other libraries and people read it: Gymnasium's spaces, and the table in the docs."""

from __future__ import annotations

from typing import Any

import numpy as np

from malecon.kernel.extras import require
from malecon.kernel.game import Game
from malecon.kernel.pieces import MANY, Piece

MOST_NAMED = 6


def observation_space(game: Game, dtype: np.dtype[Any], by_piece: bool) -> Any:
    """The Gymnasium space of an observation: flat, or a dictionary of its pieces."""
    spaces = require("gymnasium", "Gymnasium", "gymnasium").spaces
    if not by_piece:
        low, high = game.pieces.each("low").astype(dtype), game.pieces.each("high").astype(dtype)
        return spaces.Box(low, high, dtype=dtype.type)
    return spaces.Dict(
        {piece.name: spaces.Box(piece.low, piece.high, piece.shape, dtype=dtype.type) for piece in game.pieces}
    )


def mask_space(game: Game) -> Any:
    spaces = require("gymnasium", "Gymnasium", "gymnasium").spaces
    return spaces.Box(0, 1, (game.decisions,), dtype=np.int8)


def describe(game: Game) -> str:
    """All pieces as a table in Markdown."""
    rows = ["| piece | from | shape | range | meaning |", "| --- | ---: | --- | --- | --- |"]
    for piece in game.pieces:
        high = "…" if piece.high == MANY else piece.high
        rows.append(
            f"| `{piece.name}` | {piece.start} | {' × '.join(map(str, piece.shape))} | {piece.low} to {high} "
            f"| {piece.meaning}{_entries(piece)} |"
        )
    return "\n".join(rows)


def _entries(piece: Piece) -> str:
    """What the entries of every dimension are called, as far as they are few."""
    if piece.axes == ((piece.name,),):
        return ""
    named = (", ".join(axis) if len(axis) <= MOST_NAMED else f"{axis[0]} … {axis[-1]}" for axis in piece.axes)
    return f" ({'; '.join(named)})"
