"""A game that is watched: where its turns and parts begin, the log beside a position, all steps in one piece."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from malecon.match import View
from malecon.server.pages import table_view
from malecon.server.pages.table_view import LogLine
from malecon.server.tables.table import Table
from malecon.text import chapters

#: The lines of the log before and after the one that is shown.
LINES_BEFORE, LINES_AFTER = 60, 60
#: Where a page is cut: what lies between two such tags often stays as it was.
_PIECES = re.compile(r"(?=<(?:g|section|article|li|div|svg|symbol)\b)")


@dataclass(frozen=True)
class Jumps:
    """Where a replay leads from a position: the turn, or the part of the game, before and after."""

    turn_back: int
    turn_on: int
    part_back: int
    part_on: int


def jumps(table: Table, moves: int) -> Jumps:
    """Where the keys for turns and parts of the game lead from here."""
    total = len(table.match)
    turns, parts = table.once("turns", lambda: _turns(table)), table.once("parts", lambda: chapters(table.match))
    turn_back, turn_on = _around(turns, moves, total)
    part_back, part_on = _around(parts, moves, total)
    return Jumps(turn_back, turn_on, part_back, part_on)


def log(table: Table, now: View, language: str, moves: int) -> list[LogLine]:
    """The log around a position, of all that the viewer may know by now."""
    found = table_view.log(table, now, language, max(0, moves - LINES_BEFORE))
    return [line for line in found if line.number < moves + LINES_AFTER]


class ReplayBundle:
    """All steps of a game, to be kept by a browser. A step hardly differs from the last, so pieces are kept once."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._steps: list[list[int]] = []

    def add(self, html: str) -> None:
        known = self._known
        self._steps.append([known.setdefault(piece, len(known)) for piece in _PIECES.split(html)])

    def told(self) -> dict[str, Any]:
        """As JSON can have it: each step is the pieces of these numbers, one after the other."""
        return {"pieces": list(self._known), "steps": self._steps}


def _turns(table: Table) -> list[int]:
    """After how many moves somebody else is to decide."""
    found, last = [], None
    for number, turn in enumerate(table.match.history):
        if turn.seat >= 0 and turn.seat != last:
            found.append(number)
            last = turn.seat
    return found


def _around(begins: Sequence[int], moves: int, total: int) -> tuple[int, int]:
    before, after = bisect_left(begins, moves) - 1, bisect_right(begins, moves)
    return begins[before] if before >= 0 else 0, begins[after] if after < len(begins) else total
