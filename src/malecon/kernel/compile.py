"""The `@kernel` decorator: functions that Numba compiles and plain Python runs just as well. No rules live here.

A game without machine code runs as plain Python, see `readiness`.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar, overload

import numba
import numpy as np
from numba.core.registry import CPUDispatcher

from malecon.kernel.machine_code import sources
from malecon.kernel.machine_code.cache import KernelCache, source_of
from malecon.kernel.machine_code.linking import EntryPoint

Function = TypeVar("Function", bound=Callable[..., Any])


class _Kernel(EntryPoint):
    """A kernel with its cache, as Python calls it: the machine code."""

    def enable_caching(self) -> None:
        sources.note_package(self.py_func.__module__)
        source = source_of(self.py_func)
        if source is not None:
            self._cache = KernelCache(self.py_func, source)


class _Choosing(_Kernel):
    """A kernel in a process where a game has no machine code: plain Python unless its position is of another game."""

    def __call__(self, *args: Any) -> Any:
        return CPUDispatcher.__call__(self, *args) if _are_ready(args) else self.py_func(*args)


# --- machine code or plain Python

_kernels: list[_Kernel] = []
_plain: set[np.dtype[Any]] = set()  # positions of these types are played in plain Python
_switching = threading.Lock()


def run_plain(position: np.dtype[Any]) -> None:
    """From now on kernels that are called with such positions run as plain Python, until `run_compiled`."""
    with _switching:
        _plain.add(position)
        for dispatcher in _kernels:
            dispatcher.__class__ = _Choosing


def run_compiled(position: np.dtype[Any]) -> None:
    """From now on kernels run as machine code for such positions."""
    with _switching:
        _plain.discard(position)
        if not _plain:
            for dispatcher in _kernels:
                dispatcher.__class__ = _Kernel


def runs_plain(position: np.dtype[Any]) -> bool:
    """Whether positions of this type are played in plain Python."""
    return position in _plain


def _are_ready(args: tuple[Any, ...]) -> bool:
    """Whether there is a position among the arguments, and code for it; of other kernels there may be none."""
    for value in args:
        if isinstance(value, np.void | np.ndarray):
            if value.dtype.names is not None:
                return value.dtype not in _plain
        elif isinstance(value, tuple) and _are_ready(value):
            return True
    return False


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(*, inline: bool) -> Callable[[Function], Function]: ...
def kernel(function: Any = None, *, inline: bool = False) -> Any:
    """Compile a function with Numba on its first call, and keep the machine code on disk.

    `inline=True` is for small helpers on the hot path. With `NUMBA_DISABLE_JIT=1` the function stays plain Python.
    A kernel makes no arrays: it works in those it is handed. So their references need not be counted (`_nrt`), which
    took more than a quarter of a random game: an atomic addition and a subtraction for every array in every call.
    """
    if function is None:
        return functools.partial(kernel, inline=inline)
    if numba.config.DISABLE_JIT:
        return function
    compiled = _Kernel(
        function,
        targetoptions={"nopython": True, "nogil": True, "error_model": "numpy", "forceinline": inline, "_nrt": False},
    )
    compiled.enable_caching()
    with _switching:
        _kernels.append(compiled)
        if _plain:
            compiled.__class__ = _Choosing
    return compiled
