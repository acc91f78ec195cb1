"""Which source files a kernel can reach: its own and all that it imports, wherever they are. Nothing is imported here.

Compiled code is kept under a digest of these files, so that no change in any of them goes unnoticed.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import re
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_IMPORT = re.compile(
    r"^(?P<indent>[ \t]*)(?:from[ \t]+(?P<origin>[.\w]+)[ \t]+import[ \t]*(?P<taken>\([^)]*\)|[^\n]+)"
    r"|import[ \t]+(?P<modules>[^\n]+))|^(?P<block>[^\s)\]}][^\n]*)",
    re.MULTILINE,
)
_STANDARD = Path(sysconfig.get_path("stdlib")).resolve()
_INSTALLED = ("site-packages", "dist-packages")
#: Top-level packages in which a kernel was declared: these are followed even where they are installed.
_packages = {__name__.partition(".")[0]}


class SourceFile(NamedTuple):
    """A module and its file."""

    module: str
    file: Path


def note_package(module: str) -> None:
    """Say that a module has kernels: what is imported from its package may become part of compiled code."""
    _packages.add(module.partition(".")[0])


def digest(*origins: SourceFile) -> str:
    """A digest of these files and of every file they import, directly or through others."""
    return digest_of(frozenset().union(*map(reach, origins)))


def digest_of(sources: Iterable[SourceFile]) -> str:
    """A digest of just these files: their modules' names and contents, but not where they stand."""
    total = hashlib.sha256()
    for source in sorted(sources):
        total.update(f"{source.module}\n".encode())
        total.update(hashlib.sha256(_content(source.file)).digest())
    return total.hexdigest()


@functools.cache
def reach(origin: SourceFile) -> frozenset[SourceFile]:
    """A source, and all that it imports when it is loaded, directly or through others.

    Left out are the standard library and installed packages that have no kernels: versions tell those apart.
    """
    closure: set[SourceFile] = set()
    waiting = [origin]
    while waiting:
        source = waiting.pop()
        if source not in closure:
            closure.add(source)
            waiting += [imported for name in _imports(source) if (imported := locate(name)) and _is_followed(imported)]
    return frozenset(closure)


def _is_followed(source: SourceFile) -> bool:
    if source.module.partition(".")[0] in _packages:
        return True
    if any(part in _INSTALLED for part in source.file.parts):
        return False
    return not source.file.is_relative_to(_STANDARD)


@functools.cache
def locate(module: str) -> SourceFile | None:
    """A module's source, found without importing it or its package; None where there is none to read."""
    top, *rest = module.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):  # a script has none
        spec = None
    if spec is None:
        return None
    file, folders = Path(spec.origin or ""), [Path(folder) for folder in spec.submodule_search_locations or ()]
    for name in rest:
        folders = [folder / name for folder in folders]
        files = [file for folder in folders for file in (folder / "__init__.py", folder.with_name(f"{name}.py"))]
        file = next((file for file in files if file.is_file()), Path())
    return SourceFile(module, file.resolve()) if file.suffix == ".py" else None


@functools.cache
def _imports(source: SourceFile) -> tuple[str, ...]:
    """The modules a file imports when it is loaded: not those of a function's body, or for a type checker alone."""
    package = source.module if source.file.name == "__init__.py" else source.module.rpartition(".")[0]
    text = _content(source.file).decode("utf-8", "replace")
    plain = re.sub(r"#[^\n]*", "", text).replace("\\\n", " ").replace(";", "\n")
    return tuple(_imported(plain, package))


def _imported(text: str, package: str) -> Iterator[str]:
    block = ""  # the last line that is not indented
    for match in _IMPORT.finditer(text):
        if match["block"]:
            block = match["block"]
        elif match["indent"] and re.match(r"@|(async|def|class|if (typing\.)?TYPE_CHECKING)\b", block):
            pass
        elif match["modules"]:
            for name in _names(match["modules"]):
                parts = name.split(".")
                yield from (".".join(parts[: depth + 1]) for depth in range(len(parts)))
        else:
            origin = match["origin"]
            if origin.startswith("."):
                try:
                    origin = importlib.util.resolve_name(origin, package)
                except ImportError:
                    continue
            for name in _names(match["taken"]):  # a module inside a package, or something inside a module
                yield f"{origin}.{name}" if name != "*" and locate(f"{origin}.{name}") else origin


def _names(text: str) -> list[str]:
    """`(one, two as three)` names one and two."""
    return [part.split()[0] for part in text.strip("() \n").split(",") if part.split()]


@functools.cache
def _content(file: Path) -> bytes:
    return file.read_bytes()
