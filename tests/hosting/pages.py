"""The blocks of the pages for hosts. Each is marked `<!-- tested: NAME -->` or `<!-- example: why it cannot be -->`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.paths import ROOT

PAGES = ("hosting.md", "operations.md")
_BLOCK = re.compile(r"(?:<!-- (tested|example): (.+?) -->\n)?```(\w+)\n(.*?)```", re.S)


@dataclass(frozen=True)
class Block:
    """A block of a page: what the mark above it says, its language and its text."""

    page: str
    mark: str | None
    name: str
    language: str
    text: str

    @property
    def commands(self) -> list[str]:
        return [line.split("   #")[0].strip() for line in self.text.splitlines() if line.strip()]


def blocks() -> list[Block]:
    return [
        Block(page, *match)
        for page in PAGES
        for match in _BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))
    ]


def block(name: str) -> Block:
    """The tested block of this name."""
    (only,) = (block for block in blocks() if block.mark == "tested" and block.name == name)
    return only
