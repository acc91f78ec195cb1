"""The files of the games' engine modules, as they are served: under an address that changes with them, compressed."""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache
from typing import NamedTuple

from malecon.bots.engine import module
from malecon.kernel.errors import BadSetup

#: Characters of the digest in an address.
VERSION_LENGTH = 16
MEDIA_TYPES = {module.MODULE_FILE: "application/wasm", module.DESCRIPTION_FILE: "application/json"}


class EngineFile(NamedTuple):
    """A file, plain and compressed."""

    media_type: str
    plain: bytes
    packed: bytes


class EngineFiles(NamedTuple):
    """What a browser needs to run the engine of a game, by file name; `version` stands for the bytes of all."""

    version: str
    by_name: dict[str, EngineFile]


@cache
def engine_files(game: str) -> EngineFiles | None:
    """Return the files of a game's engine; None if it has none, or one that does not fit its rules and weights."""
    try:
        built = module.load(game)
    except BadSetup:
        return None
    description = json.dumps(built.description, separators=(",", ":")).encode()
    contents = {module.MODULE_FILE: built.wasm, module.DESCRIPTION_FILE: description}
    files = {
        name: EngineFile(MEDIA_TYPES[name], content, gzip.compress(content, 9, mtime=0))
        for name, content in contents.items()
    }
    version = hashlib.sha256(b"".join(contents.values())).hexdigest()[:VERSION_LENGTH]
    return EngineFiles(version, files)


def engine_address(game: str) -> str | None:
    """Return the address of the folder that a page loads a game's engine from, see static/engine/engine.js."""
    files = engine_files(game)
    return None if files is None else f"/engine/{game}/{files.version}/"


def engine_digest(game: str) -> str | None:
    """Return what stands for the engine that pages load for a game now; None if there is none."""
    files = engine_files(game)
    return None if files is None else files.version
