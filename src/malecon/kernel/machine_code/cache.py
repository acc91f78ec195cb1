"""Machine code of kernels, kept on disk under a digest of every source it was made of. No rules live here.

Numba's own cache looks only at the file a function stands in, so a change in a file it calls would leave stale machine
code in use; and its index can mix up two processes that write at the same time. Here every piece of code is one file.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
import platformdirs
from numba.core import types as numba_types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature

from malecon.kernel.machine_code import sources
from malecon.kernel.machine_code.sources import SourceFile

types: Any = numba_types  # Numba's own hints do not know half of it

#: Cache folders of other versions are removed by `prune` after this long without use.
KEEP_DAYS = 30
_FOLDER_NAME = re.compile("[0-9a-f]{20}")
_CHECKSUM_BYTES = 32


_instead: Path | None = None


def cache_folder() -> Path:
    """Where compiled kernels are kept: `MALECON_CACHE_DIR`, else the user's cache folder."""
    if _instead is not None:
        return _instead
    chosen = os.environ.get("MALECON_CACHE_DIR")
    return Path(chosen) if chosen else platformdirs.user_cache_path("malecon") / "kernels"


def check_folder() -> None:
    """Raise OSError if the cache folder cannot be made or written to, or the disk is full."""
    cache_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=cache_folder()) as trial:
        trial.write(bytes(1 << 16))
        trial.flush()


def ensure_folder() -> Path:
    """The cache folder if it can be written; else another one, for as long as this process lives."""
    global _instead
    try:
        check_folder()
    except OSError:
        _instead = Path(tempfile.mkdtemp(prefix="malecon-"))
        atexit.register(shutil.rmtree, _instead, ignore_errors=True)
    return cache_folder()


def compiler() -> str:
    """What turns sources into machine code, here: any other part or version may need other code."""
    python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}{sys.abiflags}"
    return f"{python}, numba {numba.__version__}, llvmlite {llvmlite.__version__}"


def stamp(*origins: SourceFile, tied: str = "") -> str:
    """The name of the cache folder for code made of these sources and all they import."""
    return hashlib.sha256(f"{compiler()} {sources.digest(*origins)} {tied}".encode()).hexdigest()[:20]


def source_of(function: Callable[..., Any]) -> SourceFile | None:
    """The file a function stands in; None where there is no such file, as in a notebook."""
    file = Path(function.__code__.co_filename)
    return SourceFile(function.__module__, file.resolve()) if file.suffix == ".py" and file.is_file() else None


# --- what code reaches without importing it

_tied: dict[Any, Mapping[str, Callable[..., Any]]] = {}


def tie(record: Any, functions: Mapping[str, Callable[..., Any]]) -> None:
    """Code compiled for this type of record calls these functions, which nothing it imports would tell."""
    _tied[record] = dict(functions)
    _tied_to.cache_clear()


@functools.cache
def _tied_to(record: Any) -> tuple[str, tuple[SourceFile, ...]] | None:
    """The names of the functions tied to a record, and their sources; None where one has no file."""
    functions = {name: getattr(answer, "py_func", answer) for name, answer in _tied.get(record, {}).items()}
    origins = {source_of(function) for function in functions.values()}
    if None in origins:
        return None
    names = ", ".join(f"{name}={answer.__module__}.{answer.__qualname__}" for name, answer in sorted(functions.items()))
    return names, tuple(sorted(source for source in origins if source))


def _records(kind: Any) -> Iterator[Any]:
    """Every type of record that a type is made of."""
    if isinstance(kind, types.Record):
        yield kind
    for part in (getattr(kind, "dtype", None), getattr(kind, "type", None), *getattr(kind, "types", ())):
        if isinstance(part, types.Type) and part is not kind:
            yield from _records(part)


def stamp_for(dtype: np.dtype[Any], *modules: str) -> str | None:
    """The name of the cache folder for what these modules make of such records; None if not all sources are there."""
    tied = _tied_to(numba.from_dtype(dtype))
    located = [sources.locate(module) for module in modules]
    if tied is None or None in located:
        return None
    return stamp(*(source for source in located if source), *tied[1], tied=tied[0])


# --- the files


class KernelCache(_Cache):  # type: ignore[misc]
    """The machine code of one function on disk: a file for each signature. Nothing that fails here stops a game."""

    def __init__(self, function: Callable[..., Any], source: SourceFile) -> None:
        self._function = function
        self._source = source
        sources.reach(source)  # read now, while the files are what was loaded
        self._enabled = True
        self._used: set[Path] = set()

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Do nothing: a file is replaced when its code is compiled again."""

    def file(self, signature: Any, magic: tuple[str, str, str]) -> str | None:
        """Where the code for a signature is kept; None if nowhere, for not all of its sources can be read."""
        arguments, _ = normalize_signature(signature)
        tied = [_tied_to(record) for kind in arguments for record in _records(kind)]
        described = str(arguments)
        if not self._enabled or None in tied or " at 0x" in described:  # what has an address is another thing next time
            return None
        names = " ".join(sorted({tie[0] for tie in tied if tie}))
        origins = {source for tie in tied if tie for source in tie[1]} | {self._source}
        function = self._function
        closure = tuple(cell.cell_contents for cell in function.__closure__ or ())
        key = (
            f"{function.__module__} {function.__qualname__} {function.__code__.co_firstlineno} {described} {magic}"
        ).encode() + (dumps(closure) if closure else b"")
        name = re.sub(r"[^\w.]", "", function.__qualname__)[-60:]
        return f"{stamp(*origins, tied=names)}/{name}-{hashlib.sha256(key).hexdigest()[:20]}.code"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        magic = target_context.codegen().magic_tuple()
        name = self.file(sig, magic)
        code = None if name is None else self._from_disk(name)
        return None if code is None else CompileResult._rebuild(target_context, *pickle.loads(code))

    def _from_disk(self, name: str) -> bytes | None:
        folder = (cache_folder() / name).parent
        code = read_code(name, note_use=folder not in self._used)
        if code is not None:
            self._used.add(folder)
        return code

    def save_overload(self, sig: Any, data: Any) -> None:
        name = self.file(sig, data.codegen.magic_tuple())
        if name is None or data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        write_code(name, dumps(data._reduce()))


def read_code(name: str, note_use: bool = True) -> bytes | None:
    """Return the code in a file of the cache; None if it is not there, or a crash or the disk has damaged it."""
    file = cache_folder() / name
    try:
        code = _whole(file.read_bytes())
    except OSError:
        return None
    if note_use:
        with contextlib.suppress(OSError):
            os.utime(file.parent)
    return code


def write_code(name: str, code: bytes) -> None:
    """Keep code in a file of the cache. On a full disk, or without a folder, the next process compiles again."""
    with contextlib.suppress(OSError):
        write(cache_folder() / name, hashlib.sha256(code).digest() + code)


def _whole(data: bytes) -> bytes | None:
    """The code in a file's content; None where a crash or the disk has damaged it."""
    if hashlib.sha256(data[_CHECKSUM_BYTES:]).digest() != data[:_CHECKSUM_BYTES]:
        return None
    return data[_CHECKSUM_BYTES:]


def write(file: Path, data: bytes) -> None:
    """Write a file whole or not at all, even if other processes write it at the same time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{uuid.uuid4().hex[:12]}.part")
    try:
        part.write_bytes(data)
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def prune() -> None:
    """Remove cache folders that no process has used for a month; nothing else that may stand beside them."""
    oldest = time.time() - KEEP_DAYS * 86_400
    folder = cache_folder()
    for old in folder.iterdir() if folder.is_dir() else ():
        if old.is_dir() and _FOLDER_NAME.fullmatch(old.name) and old.stat().st_mtime < oldest:
            shutil.rmtree(old, ignore_errors=True)
