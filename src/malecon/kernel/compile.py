"""The `@kernel` decorator and the disk cache of compiled kernels. No rules live here.

Numba's own cache looks only at the file a function stands in, so a change in a file it calls would leave stale machine
code in use. Ours is keyed by a digest of every source file a kernel can reach.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar, overload

import numba
import platformdirs
from numba.core import types as numba_types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import CPUDispatcher

types: Any = numba_types  # Numba's own hints do not know half of it
Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
#: The rooms that may hold kernels. A game's kernels reach `kernel/` and their own folder; those of the last four reach
#: these two, every game, and what their file imports from such rooms.
ROOMS = ("kernel", "games", "bots", "arena", "envs", "study")
#: Cache folders of other versions are removed by `prune` when nobody has used them for this long.
KEEP_DAYS = 30


def cache_folder() -> Path:
    """Where compiled kernels are kept: `MALECON_CACHE_DIR`, else the user's cache folder."""
    chosen = os.environ.get("MALECON_CACHE_DIR")
    return Path(chosen) if chosen else platformdirs.user_cache_path("malecon") / "kernels"


@functools.cache
def digest(places: tuple[str, ...]) -> str:
    """A digest of the Python sources in these folders of the package, or of these files, and of what compiles them."""
    total = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for place in places:
        path = PACKAGE / place
        for source in [path] if path.suffix else sorted(path.rglob("*.py")):
            total.update(source.relative_to(PACKAGE).as_posix().encode())
            total.update(hashlib.sha256(source.read_bytes()).digest())
    return total.hexdigest()[:20]


@functools.cache
def _reach(source: Path) -> tuple[str, ...]:
    room, *rest = source.relative_to(PACKAGE).parts
    if room not in ROOMS:
        raise ValueError(f"{source.name}: kernels live in {', '.join(ROOMS)}, so that the cache sees every change")
    if room == "games" and len(rest) > 1:
        return ("kernel", f"games/{rest[0]}")
    return ("kernel",) if room == "kernel" else ("kernel", "games", *_imported(source))


def _imported(source: Path) -> list[str]:
    """A file, and the files of the rooms beside `kernel` and `games` that it imports, directly or through others."""
    found, waiting = set(), [source]
    while waiting:
        file = waiting.pop()
        name = file.relative_to(PACKAGE).as_posix()
        if name in found or not file.exists():
            continue
        found.add(name)
        for imported in _imports(file):
            room, *rest = imported.split(".")[1:] or [""]
            if room in ROOMS[2:]:
                inside = [PACKAGE.joinpath(room, *rest[:depth]) for depth in range(len(rest) + 1)]
                waiting += [path for part in inside for path in (part.with_suffix(".py"), part / "__init__.py")]
    return sorted(found)


@functools.cache
def _imports(file: Path) -> list[str]:
    """The names a file imports, wherever in it: modules, and what is taken out of them, which may be modules too."""
    names = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError(f"{file.name}: say the whole name of what is imported, so that the cache sees it")
            names += [f"{node.module}.{one.name}" for one in node.names]
    return [name for name in names if name.startswith("malecon.")]


class _KernelLocator(_CacheLocator):  # type: ignore[misc]
    def __init__(self, py_func: Callable[..., Any], source: Path) -> None:
        self._stamp = digest(_reach(source))
        self._name = hashlib.sha256(source.relative_to(PACKAGE).as_posix().encode()).hexdigest()[:8]
        self._line = py_func.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(cache_folder() / self._stamp)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return f"{self._name}-{self._line}"  # two games may have a function of the same name on the same line

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _KernelLocator | None:
        locator = cls(py_func, Path(py_file).resolve())
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _KernelCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar = [_KernelLocator]


class _KernelCache(FunctionCache):  # type: ignore[misc]
    _impl_class = _KernelCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a file cut short, by a crash or a full disk, fails in as many ways as pickles do
            self.flush()
            return None


def _widen(kind: Any) -> Any:
    """The type a kernel is compiled for when another kernel calls it with this one."""
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """Numba compiles a function anew for every constant and width of integer it is called with; rules need just one."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(tuple(map(_widen, args)), {name: _widen(kws[name]) for name in kws})

    def enable_caching(self) -> None:
        _reach(Path(self.py_func.__code__.co_filename).resolve())  # refuses a kernel the digest would not see
        with contextlib.suppress(RuntimeError):  # no folder to write to: compile in every process
            self._cache = _KernelCache(self.py_func)


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(*, inline: bool) -> Callable[[Function], Function]: ...
def kernel(function: Any = None, *, inline: bool = False) -> Any:
    """Compile a function with Numba on its first call, and keep the machine code on disk.

    `inline=True` is for small helpers on the hot path. With `NUMBA_DISABLE_JIT=1` the function stays plain Python.
    """
    if function is None:
        return functools.partial(kernel, inline=inline)
    if numba.config.DISABLE_JIT:
        return function
    compiled = _Kernel(
        function, targetoptions={"nopython": True, "nogil": True, "error_model": "numpy", "forceinline": inline}
    )
    if Path(function.__code__.co_filename).resolve().is_relative_to(PACKAGE):
        compiled.enable_caching()
    return compiled


def prune() -> None:
    """Remove cache folders that no process has used for a month; nothing else that may stand beside them."""
    oldest = time.time() - KEEP_DAYS * 86_400
    folder = cache_folder()
    for old in folder.iterdir() if folder.is_dir() else ():
        if not old.is_dir() or not re.fullmatch("[0-9a-f]{20}", old.name):
            continue
        used = max((f.stat().st_atime for f in old.glob("*.nbi")), default=old.stat().st_mtime)
        if used < oldest:
            shutil.rmtree(old, ignore_errors=True)
