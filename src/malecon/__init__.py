"""Malecón: Santiago de Cuba and Cuba, to play, study and research. This module is the public interface of the library.

Nothing heavy is imported before it is used: `malecon --help` does not load the engine.

CONTRIBUTING.md has a map of all packages. Some places on it:

- the rules of Cuba: `games.cuba.rules`, with a module for each part, such as `games.cuba.rules.merchant`
- everything that people read: `text`, and `text` in a game's package; a fifth language would go into `text/catalogs`
- the text of an error: `kernel.errors`, `server.errors`; why a move is illegal: `games.cuba.rules.refusals`
- a move at a table of the server: committed in `server.tables.live_tables`, written by `server.storage.log_writer`
- how a bot chooses: `bots.search`; how a board is drawn: `drawing`; a command: `cli`
"""

from __future__ import annotations

import importlib
import secrets
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from malecon.kernel.errors import (
        BadRecord,
        BadSetup,
        BadSnapshot,
        IllegalMove,
        MaleconError,
        NotAMove,
        UnknownGame,
    )
    from malecon.kernel.game import OptionValue
    from malecon.kernel.registry import register
    from malecon.kernel.verbs import CHANCE
    from malecon.kernel.view import Move, Outcome, View
    from malecon.match import Match, Record, Score

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "BadRecord",
    "BadSetup",
    "BadSnapshot",
    "IllegalMove",
    "MaleconError",
    "Match",
    "Move",
    "NotAMove",
    "Outcome",
    "Record",
    "Score",
    "UnknownGame",
    "View",
    "__version__",
    "load",
    "new",
    "register",
]

_HOMES = {
    "CHANCE": "malecon.kernel.verbs",
    "Match": "malecon.match",
    "Move": "malecon.kernel.view",
    "Outcome": "malecon.kernel.view",
    "Score": "malecon.match",
    "register": "malecon.games",
    "View": "malecon.kernel.view",
    "Record": "malecon.match",
}


def new(
    game: str,
    players: int,
    *,
    seed: int | None = None,
    names: Sequence[str | None] | None = None,
    **options: OptionValue,
) -> Match:
    """A new match. Chance's moves are drawn for you: from the seed if you give one, so that games can be repeated."""
    from malecon.match import Match

    return Match(game, players, seed=secrets.randbits(64) if seed is None else seed, names=names, options=options)


def load(path: str | PathLike[str]) -> Match:
    """The match of a record on disk, every move checked; BadRecord says which line does not replay."""
    from malecon.match import Record

    return Record.read(path).replay()


if not TYPE_CHECKING:  # a type checker knows the names above, and that there are no others

    def __getattr__(name: str) -> Any:
        if name in __all__:
            return getattr(importlib.import_module(_HOMES.get(name, "malecon.kernel.errors")), name)
        raise AttributeError(f"module 'malecon' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
