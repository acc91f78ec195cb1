"""The games by name: our own, those that installed packages bring, and those registered here. A game is imported when
it is first asked for; no room of the house has a list of games, or imports one by its name.

What the rooms need of a game (`words`, `drawing`, `terminal`, `study`) is a module of the game's package, and may be
missing; see docs/adding-a-game.md. Our own games have those modules in the rooms themselves.
"""

from __future__ import annotations

import copyreg
import functools
import importlib
import importlib.util
import re
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from malecon.kernel.errors import UnknownGame
from malecon.kernel.game import Game

#: The games that come with Malecón.
NAMES = ("santiago", "cuba")
#: The entry points by which a package brings a game: its name, and the module that has `GAME`.
GROUP = "malecon.games"
#: What seats can be told apart by: drawings and pages know these.
COLOURS = {"red", "blue", "yellow", "green", "purple"}
_NAME = re.compile("[a-z][a-z0-9_]*")  # it becomes part of addresses, classes and file names

Plain = TypeVar("Plain")

_packages = {name: f"malecon.games.{name}" for name in NAMES}


def register(name: str, package: str) -> None:
    """Make a game known by its name: the `GAME` of a package, imported when somebody asks for it."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"a game's name is of small letters, digits and _, not {name!r}")
    if _packages.setdefault(name, package) != package:
        raise ValueError(f"{_packages[name]} and {package} both bring a game called {name!r}")


@functools.cache
def _find_installed() -> None:
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        register(point.name, point.value)


def names() -> tuple[str, ...]:
    """Every game there is: our own, then those of installed packages and those registered."""
    _find_installed()
    return tuple(_packages)


def registered() -> Mapping[str, str]:
    """The games that are not our own, and their packages: what another process must be told."""
    return {name: package for name, package in _packages.items() if name not in NAMES}


def register_all(packages: Mapping[str, str]) -> None:
    """Register what another process told."""
    for name, package in packages.items():
        register(name, package)


@functools.cache
def get(name: str) -> Game:
    """The game of that name, or UnknownGame."""
    if name not in _packages and name not in names():
        raise UnknownGame(name, names())
    game = getattr(importlib.import_module(_packages[name]), "GAME", None)
    if not isinstance(game, Game) or game.name != name:
        raise TypeError(f"{_packages[name]} must have a GAME, a malecon.kernel.game.Game whose name is {name!r}")
    if len(game.colours) < game.most_players or not set(game.colours) <= COLOURS:
        raise TypeError(f"{name!r} must have a colour for each seat, of {', '.join(sorted(COLOURS))}")
    return game


@functools.cache
def part(name: str, room: str) -> ModuleType | None:
    """What a game brings for a room of the house, such as `words` or `drawing`; None where it brings nothing."""
    get(name)
    module = f"malecon.{room}.{name}" if name in NAMES else f"{_packages[name]}.{room}"
    try:
        found = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # the game is a single module, and has no others
        found = None
    return None if found is None else importlib.import_module(module)


def dressed(plain: Plain, own: ModuleType | None) -> Plain:
    """What is plain, with everything replaced that the game's own module has under the same name."""
    for key in dir(plain):
        if not key.startswith("_") and hasattr(own, key):
            setattr(plain, key, getattr(own, key))
    return plain


def folder(name: str) -> Path | None:
    """The folder of a game's package, for files that lie there; None where the game is a single module."""
    get(name)
    folders = getattr(importlib.import_module(_packages[name]), "__path__", None)
    return Path(folders[0]) if folders else None


def _by_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    return get, (game.name,)


copyreg.pickle(Game, _by_name)
