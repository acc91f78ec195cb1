"""Which program this is: the commit it was built from, for health checks, metrics and pages."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

import malecon

#: Written into the package when an image or a wheel is built.
FILE = Path(malecon.__file__).parent / "commit.txt"
LENGTH = 10


@cache
def commit() -> str:
    """Return the commit this program was built from, or that is checked out; empty if nobody has written it down."""
    with suppress(OSError):
        return FILE.read_text().strip()[:LENGTH]
    with suppress(OSError, IndexError):
        return _checked_out(Path(malecon.__file__).parents[2] / ".git")[:LENGTH]
    return ""


def _checked_out(git: Path) -> str:
    """Return the commit that a repository's HEAD is at."""
    if git.is_file():  # a work tree
        git = Path(git.read_text().split(": ", 1)[1].strip())
    head = (git / "HEAD").read_text().strip()
    if not head.startswith("ref: "):
        return head
    name = head.removeprefix("ref: ")
    shared = git / (git / "commondir").read_text().strip() if (git / "commondir").exists() else git
    with suppress(OSError):
        return (shared / name).read_text().strip()
    packed = (shared / "packed-refs").read_text().splitlines()
    return next((line.split()[0] for line in packed if line.endswith(f" {name}")), "")
