"""A table's log as the truth: moves and undos in the order they happened, and the game that follows from them.

Nothing in a log is ever changed. Taking back a move is an entry of its own, so every number happens exactly once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from malecon.kernel.verbs import CHANCE

MOVE, UNDO = "move", "undo"


@dataclass(frozen=True)
class Entry:
    """One line of the log. `automatic`: nobody chose it, since there was nothing to choose."""

    number: int
    kind: str
    seat: int
    move: str = ""
    automatic: bool = False


def extended(digest: str | None, entries: Iterable[Entry], first: int = 0) -> str:
    """The running digest of a log with more entries. It tells where it began: `FIRST:DIGEST`; tables from before there
    were digests begin in their middle.
    """
    start, _, value = (digest or f"{first}:").partition(":")
    for entry in entries:
        told = f"{value} {entry.number} {entry.kind} {entry.seat} {entry.move} {entry.automatic:d}"
        value = hashlib.blake2b(told.encode(), digest_size=12).hexdigest()
    return f"{start}:{value}"


@dataclass
class Ledger:
    """The moves that count now, and those taken back that could be repeated, the next one last."""

    moves: list[Entry] = field(default_factory=list)
    undone: list[Entry] = field(default_factory=list)
    version: int = 0  # how many entries there are: the number of the next one
    last: Entry | None = None  # of the log, undos included

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Ledger:
        ledger = cls()
        for entry in entries:
            ledger.add(entry)
        return ledger

    def copy(self) -> Ledger:
        return Ledger(self.moves.copy(), self.undone.copy(), self.version, self.last)

    def add(self, entry: Entry) -> None:
        if entry.number != self.version:
            raise ValueError(f"entry {entry.number} in place of {self.version}")
        self.version += 1
        self.last = entry
        if entry.kind == UNDO:
            for _ in range(self.reach_of_undo()):
                self.undone.append(self.moves.pop())
            return
        if self.undone and (self.undone[-1].seat, self.undone[-1].move) == (entry.seat, entry.move):
            self.undone.pop()
        else:
            self.undone.clear()
        self.moves.append(entry)

    def reach_of_undo(self) -> int:
        """How many moves an undo takes back: the last chosen one and all automatic ones of that seat since; or 0."""
        for back, entry in enumerate(reversed(self.moves)):
            if entry.seat == CHANCE or entry.seat != self.moves[-1].seat:
                return 0
            if not entry.automatic:
                return back + 1
        return 0

    def may_undo(self, seats: Collection[int]) -> int | None:
        """The one of these seats that may take back its last move: nobody else and no chance has acted since."""
        if self.reach_of_undo() and self.moves[-1].seat in seats:
            return self.moves[-1].seat
        return None

    def may_redo(self, seats: Collection[int]) -> Entry | None:
        """The move that one of these seats took back last and could make again."""
        return self.undone[-1] if self.undone and self.undone[-1].seat in seats else None
