"""Packages of others that only an extra installs: they are asked for here, where they are used and not before."""

from __future__ import annotations

import importlib
from types import ModuleType

from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say


class MissingExtra(MaleconError, ImportError):
    """A package that is needed here is not installed; the message has the command that installs it."""


def require(module: str, title: str, extra: str) -> ModuleType:
    """A module of somebody else's package, or MissingExtra."""
    try:
        return importlib.import_module(module)
    except ImportError:
        command = f'pip install "malecon[{extra}]"'
        raise MissingExtra(say("{what} is not installed; try: {command}", what=title, command=command)) from None
