"""The games by name: those that come with Malecón, those of installed packages, and those registered at run time.

A game is a package that defines `GAME`. It is imported when it is first asked for, and nothing else in Malecón imports
a game. What a game offers beyond its rules (`text`, `drawing`, `teaching`, `study`, `terminal`, …) is found in its
package by name, and may be missing: see docs/adding-a-game.md. All games are found the same way.
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
from malecon.kernel.phrases import catalog_folders

#: The entry points by which a package provides a game: its name, and the module that has `GAME`.
GROUP = "malecon.games"
#: The folder of a game's translations.
CATALOGS = "catalogs"
#: The colours that seats can have: drawings and pages know these.
COLOURS = {"red", "blue", "yellow", "green", "purple"}
_NAME = re.compile("[a-z][a-z0-9_]*")  # it becomes part of addresses, classes and file names

Default = TypeVar("Default")

#: The package of every known game. These two are there without being installed, as in a checkout.
_packages = {"santiago": "malecon.games.santiago", "cuba": "malecon.games.cuba"}


def register(name: str, package: str) -> None:
    """Register the game of a package, which defines `GAME`; it is imported when the game is first asked for."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"a game's name consists of small letters, digits and _, not {name!r}")
    if _packages.setdefault(name, package) != package:
        raise ValueError(f"{_packages[name]} and {package} both provide a game called {name!r}")


@functools.cache
def _register_installed() -> None:
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        register(point.name, point.value)


def names() -> tuple[str, ...]:
    """Return the names of all games, in the order in which they were registered."""
    _register_installed()
    return tuple(_packages)


def packages() -> Mapping[str, str]:
    """Return the package of every game: what another process needs in order to know the same games."""
    names()
    return dict(_packages)


def register_all(packages: Mapping[str, str]) -> None:
    """Register the games that another process knows."""
    for name, package in packages.items():
        register(name, package)


def get(name: str) -> Game:
    """Return the game of that name, or raise UnknownGame."""
    if not isinstance(name, str):
        raise UnknownGame(repr(name)[:40], names())
    return _get(name)


@functools.cache
def _get(name: str) -> Game:
    if name not in _packages and name not in names():
        raise UnknownGame(name, names())
    game = getattr(importlib.import_module(_packages[name]), "GAME", None)
    if not isinstance(game, Game) or game.name != name:
        raise TypeError(f"{_packages[name]} must have a GAME, a malecon.kernel.game.Game whose name is {name!r}")
    if len(game.colours) < game.most_players or not set(game.colours) <= COLOURS:
        raise TypeError(f"{name!r} must have a colour for each seat, of {', '.join(sorted(COLOURS))}")
    folder = _data_file(name, CATALOGS)
    if folder is not None and folder.is_dir():
        catalog_folders.append(folder)
    return game


@functools.cache
def component(name: str, path: str) -> ModuleType | None:
    """Return a module of a game's package, such as `text` or `teaching.lessons`; None if the game does not have it."""
    get(name)
    module = _packages[name]
    for part in path.split("."):
        module = f"{module}.{part}"
        try:
            spec = importlib.util.find_spec(module)
        except ModuleNotFoundError:  # the game is a single module, and has no others
            return None
        if spec is None:
            return None
    return importlib.import_module(module)


def with_overrides(defaults: Default, own: ModuleType | None) -> Default:
    """Replace in `defaults` every public attribute that a game's own module has under the same name."""
    for key in dir(defaults):
        if not key.startswith("_") and hasattr(own, key):
            setattr(defaults, key, getattr(own, key))
    return defaults


def data_file(name: str, path: str) -> Path | None:
    """Return the path of a data file of a game's package, there or not; None if the game is a single module."""
    get(name)
    return _data_file(name, path)


def _data_file(name: str, path: str) -> Path | None:
    folders = getattr(importlib.import_module(_packages[name]), "__path__", None)
    return Path(folders[0]) / path if folders else None


def _by_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    return get, (game.name,)


copyreg.pickle(Game, _by_name)
