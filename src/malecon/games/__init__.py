"""The games by name. A game's folder is imported when it is first asked for."""

from __future__ import annotations

import functools
import importlib

from malecon.kernel.errors import UnknownGame
from malecon.kernel.game import Game

NAMES = ("santiago", "cuba")


@functools.cache
def get(name: str) -> Game:
    """The game of that name, or UnknownGame."""
    if name not in NAMES:
        raise UnknownGame(name, NAMES)
    game: Game = importlib.import_module(f"malecon.games.{name}").GAME
    return game
