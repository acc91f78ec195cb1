"""The `@kernel` decorator: functions that Numba compiles and plain Python runs just as well. No rules live here.

While a game's machine code is not ready, its kernels can run as plain Python; then they are switched in mid-game.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
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

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """What to call for arguments of a new kind."""
        if _have_run_plain and _is_plain(sys._getframe(1)):
            return self.py_func  # what began as plain Python ends so: for this kernel there may be no code on its own
        return super()._compile_for_args(*args, **kws)


class _Choosing(_Kernel):
    """A kernel while a game's machine code is not ready: plain Python unless its position is of another game."""

    def __call__(self, *args: Any) -> Any:
        return CPUDispatcher.__call__(self, *args) if _are_ready(args) else self.py_func(*args)


# --- machine code or plain Python

_kernels: list[_Kernel] = []
_codes: set[CodeType] = set()  # of all kernels
_plain: set[np.dtype[Any]] = set()  # positions of these types are played in plain Python
_have_run_plain = False
_switching = threading.Lock()


def run_plain(position: np.dtype[Any]) -> None:
    """From now on kernels that are called with such positions run as plain Python, until `run_compiled`."""
    global _have_run_plain
    with _switching:
        _have_run_plain = True
        _plain.add(position)
        for dispatcher in _kernels:
            dispatcher.__class__ = _Choosing


def run_compiled(position: np.dtype[Any]) -> None:
    """From now on kernels run as machine code for such positions. What is running goes on as it began."""
    with _switching:
        _plain.discard(position)
        if not _plain:
            for dispatcher in _kernels:
                dispatcher.__class__ = _Kernel


def runs_plain(position: np.dtype[Any]) -> bool:
    """Whether positions of this type are played in plain Python for now."""
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


def _is_plain(frame: FrameType | None) -> bool:
    """Whether this is called by a kernel that runs as plain Python."""
    while frame is not None:
        if frame.f_code in _codes:
            return True
        frame = frame.f_back
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
        _codes.add(function.__code__)
        if _plain:
            compiled.__class__ = _Choosing
    return compiled
