"""The `@kernel` decorator: functions that Numba compiles and plain Python runs just as well. No rules live here."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, overload

import numba

from malecon.kernel import sources
from malecon.kernel.cache import KernelCache, source_of
from malecon.kernel.linking import EntryPoint

Function = TypeVar("Function", bound=Callable[..., Any])


class _Kernel(EntryPoint):
    """An entry point with a cache."""

    def enable_caching(self) -> None:
        sources.note_package(self.py_func.__module__)
        source = source_of(self.py_func)
        if source is not None:
            self._cache = KernelCache(self.py_func, source)


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
    compiled.enable_caching()
    return compiled
