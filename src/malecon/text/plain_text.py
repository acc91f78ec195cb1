"""Blocks and columns of plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

#: Columns of a screen.
WIDTH = 100
#: What a viewer may not know.
UNKNOWN = "?"


def block(title: str, rows: Sequence[str]) -> list[str]:
    """Return rows under a title that stands in front of the first; long rows are wrapped."""
    lines: list[str] = [f"{title}:"]
    for row in rows:
        lines += (
            textwrap.wrap(row, WIDTH, initial_indent="  ", subsequent_indent="    ")
            if len(row) > WIDTH
            else [f"  {row}"]
        )
    return lines


def columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table: the first column to the left, the others to the right."""
    cells = [list(row) for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    return [
        "  ".join(
            text.rjust(width) if at else text.ljust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    ]


def known(number: int) -> str:
    """Return a number of a position, or `?` if the viewer does not know it."""
    return UNKNOWN if number < 0 else str(number)
