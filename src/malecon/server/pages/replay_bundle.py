"""Replays: where turns and chapters begin, the log beside a position, and all steps in one bundle."""

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

#: Lines of the log before and after the current one.
LINES_BEFORE = 60
LINES_AFTER = 60
#: Where a page is split: what lies between two such tags often stays the same.
_PIECES = re.compile(r"(?=<(?:g|section|article|li|div|svg|symbol)\b)")


@dataclass(frozen=True)
class Jumps:
    """The positions to jump to: the turn, and the part of the game, before and after."""

    turn_back: int
    turn_on: int
    part_back: int
    part_on: int


def jumps(table: Table, moves: int) -> Jumps:
    """Return where the keys for turns and parts of the game lead from here."""
    total = len(table.match)
    turns, parts = table.cached("turns", lambda: _turns(table)), table.cached("parts", lambda: chapters(table.match))
    turn_back, turn_on = _around(turns, moves, total)
    part_back, part_on = _around(parts, moves, total)
    return Jumps(turn_back, turn_on, part_back, part_on)


def log(table: Table, now: View, language: str, moves: int) -> list[LogLine]:
    """Return the log around a position, with all that the viewer may know by now."""
    lines = table_view.log(table, now, language, max(0, moves - LINES_BEFORE))
    return [line for line in lines if line.number < moves + LINES_AFTER]


class ReplayBundle:
    """All steps of a game for a browser's cache. A step hardly differs from the last, so each piece is stored once."""

    def __init__(self) -> None:
        self._pieces: dict[str, int] = {}
        self._steps: list[list[int]] = []

    def add(self, html: str) -> None:
        pieces = self._pieces
        self._steps.append([pieces.setdefault(piece, len(pieces)) for piece in _PIECES.split(html)])

    def as_dict(self) -> dict[str, Any]:
        """Return the bundle for JSON: each step is a list of numbers of pieces, in order."""
        return {"pieces": list(self._pieces), "steps": self._steps}


def _turns(table: Table) -> list[int]:
    """Return the numbers of moves after which another player is to decide."""
    starts, last = [], None
    for number, turn in enumerate(table.match.history):
        if turn.seat >= 0 and turn.seat != last:
            starts.append(number)
            last = turn.seat
    return starts


def _around(begins: Sequence[int], moves: int, total: int) -> tuple[int, int]:
    before, after = bisect_left(begins, moves) - 1, bisect_right(begins, moves)
    return begins[before] if before >= 0 else 0, begins[after] if after < len(begins) else total
