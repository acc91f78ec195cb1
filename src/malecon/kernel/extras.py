"""Third-party packages that only an extra installs: they are imported when they are used, and not before."""

from __future__ import annotations

import importlib
import re
from importlib import metadata
from types import ModuleType

from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say

_REQUIREMENT = re.compile(r"""([^;]+);.*\bextra\s*==\s*['"]([\w-]+)['"]""")


class MissingExtra(MaleconError, ImportError):
    """A package that is needed here is not installed; the message has the command that installs it."""


class BrokenExtra(MaleconError, ImportError):
    """A package that is needed here is installed, but cannot be imported; the message has its own words for it."""


def require(module: str, title: str, extra: str) -> ModuleType:
    """Import a third-party module; raise MissingExtra if it is not installed, BrokenExtra if it cannot be imported."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == package:
            text = say("{what} is not installed; try: {command}", what=title, command=install_command(extra))
            raise MissingExtra(text) from None
        problem = f"{type(error).__name__}: {error}"
        raise BrokenExtra(
            say("{what} is installed, but cannot be imported: {problem}", what=title, problem=problem)
        ) from error


def install_command(extra: str) -> str:
    """Return the command that installs what an extra needs, in a checkout and beside a wheel."""
    try:
        declared = metadata.requires("malecon") or []
    except metadata.PackageNotFoundError:
        declared = []
    matches = [_REQUIREMENT.fullmatch(text) for text in declared]
    requirements = [match[1].strip() for match in matches if match and match[2] == extra]
    return " ".join(["pip install", *(f'"{requirement}"' for requirement in requirements or [f".[{extra}]"])])
