"""The built files of a game's engine: the module and its description. Those that do not fit the sources are refused."""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import platform
import sys
import threading
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from malecon.bots.engine.digest import INTERFACE, digest_of
from malecon.bots.engine.kernels import EXPORTS
from malecon.bots.engine.state import FIXED, FLOATS, HEADER, INTEGERS, LINES, LONGEST_LINE, layout_of
from malecon.bots.solver import SolverMemory
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game
from malecon.kernel.phrases import say

log = logging.getLogger("malecon")
_loading = threading.Lock()
#: The files, in a game's folder.
MODULE_FILE, DESCRIPTION_FILE = "engine.wasm", "engine.json"
#: What makes the module: other versions may give other bytes for the same engine.
TOOLCHAIN = ("llvmlite", "numba", "numpy", "ziglang")


class EngineModule(NamedTuple):
    """A built module, and what other languages need in order to use it."""

    wasm: bytes
    description: dict[str, Any]


def files(game: Game) -> tuple[Path, Path] | None:
    """Return the paths of a game's module and description, there or not; None if the game is a single module."""
    module, description = registry.data_file(game.name, MODULE_FILE), registry.data_file(game.name, DESCRIPTION_FILE)
    return None if module is None or description is None else (module, description)


def is_built(name: str) -> bool:
    """Return whether a game has an engine module. Whether it fits, `load` tells."""
    paths = files(registry.get(name))
    return paths is not None and all(path.is_file() for path in paths)


def toolchain() -> dict[str, str]:
    """Return the versions of what makes modules here."""
    versions = {"machine": platform.machine(), "python": ".".join(map(str, sys.version_info[:2]))}
    for package in TOOLCHAIN:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = ""
    return versions


def describe(game: Game, wasm: bytes) -> dict[str, Any]:
    """Return the description of a module that was built just now."""
    layout = layout_of(game)
    own = {f"solver.{name}" for name in SolverMemory._fields if name != "verdict"}  # nobody reads these from outside
    fields = {
        field.name: {
            "type": field.dtype.name if field.dtype.names is None else "bytes",
            "offset": field.offset.fixed,
            "shape": [size.at(game.most_players, 0) for size in field.shape]
            if field.dtype.names is None
            else [field.shape[0].fixed, field.dtype.itemsize],
        }
        for field in layout.fields
        if field.section == FIXED and not field.name.startswith("workspace.") and field.name not in own
    }
    return {
        "game": game.name,
        "interface": INTERFACE,
        "digest": digest_of(game),
        "sha256": hashlib.sha256(wasm).hexdigest(),
        "toolchain": toolchain(),
        "players": [game.fewest_players, game.most_players],
        "exports": {"start": ["nodes", "seed"]} | {name: list(arguments) for name, (_, arguments) in EXPORTS.items()},
        "header": list(HEADER),
        "integers": list(INTEGERS),
        "floats": list(FLOATS),
        "lines": [LINES, LONGEST_LINE],
        "fields": fields,
        "decisions": game.decisions,
        "moves": list(game.notation.names()),
    }


def load(name: str) -> EngineModule:
    """Return the module of a game; raise BadSetup if it has none, or one of other rules or weights."""
    with _loading:  # a page asks for two files at the same time
        return _load(name)


@functools.cache
def _load(name: str) -> EngineModule:
    game = registry.get(name)
    paths = files(game)
    if paths is None or not is_built(name):
        raise BadSetup(say("{game} has no engine module; build it: malecon engine build", game=game.title))
    module = EngineModule(paths[0].read_bytes(), json.loads(paths[1].read_text(encoding="utf-8")))
    check(game, module)
    return module


@functools.cache
def is_fresh(name: str) -> bool:
    """Return whether a game has a module that fits its rules and weights. A stale one is reported in the log, once."""
    if not is_built(name):
        return False
    try:
        load(name)
    except BadSetup as error:
        log.warning("%s", error)
        return False
    return True


def check(game: Game, module: EngineModule) -> None:
    """Raise BadSetup if a module was made of other rules or weights than these, or is damaged."""
    description = module.description
    whole = hashlib.sha256(module.wasm).hexdigest()
    if description.get("sha256") != whole or description.get("digest") != digest_of(game):
        raise BadSetup(
            say("the engine module of {game} is out of date; build it again: malecon engine build", game=game.title)
        )
