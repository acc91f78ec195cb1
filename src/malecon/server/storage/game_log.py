"""The log of a table: moves and undos in the order they happened, and the moves that count after them.

Entries are only ever appended. An undo is an entry of its own, so every number happens exactly once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from malecon.kernel.verbs import CHANCE

MOVE = "move"
UNDO = "undo"


class DamagedLog(Exception):
    """A log that does not replay: its table cannot be loaded, while all others can."""

    def __init__(self, table: str, reason: str) -> None:
        super().__init__(f"the log of table {table} is damaged: {reason}")


@dataclass(frozen=True)
class LogEntry:
    """One move or undo. `automatic`: the move was the only one, and was made without asking."""

    number: int
    kind: str
    seat: int
    move: str = ""
    automatic: bool = False


def extended(digest: str | None, entries: Iterable[LogEntry]) -> str:
    """Return the running digest of a log with more entries; None is the digest of an empty log."""
    value = digest or ""
    for entry in entries:
        line = f"{value} {entry.number} {entry.kind} {entry.seat} {entry.move} {entry.automatic:d}"
        value = hashlib.blake2b(line.encode(), digest_size=12).hexdigest()
    return value


@dataclass
class GameLog:
    """The moves that count now, and those undone that could be redone, the next one last."""

    moves: list[LogEntry] = field(default_factory=list)
    undone: list[LogEntry] = field(default_factory=list)
    version: int = 0  # the number of entries, which is the number of the next one
    last: LogEntry | None = None  # of the log, undos included

    @classmethod
    def of(cls, entries: Iterable[LogEntry]) -> GameLog:
        game_log = cls()
        for entry in entries:
            game_log.add(entry)
        return game_log

    def copy(self) -> GameLog:
        return GameLog(self.moves.copy(), self.undone.copy(), self.version, self.last)

    def add(self, entry: LogEntry) -> None:
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
        """Return how many moves an undo takes back: the last chosen one and its seat's automatic ones since; or 0."""
        for back, entry in enumerate(reversed(self.moves)):
            if entry.seat == CHANCE or entry.seat != self.moves[-1].seat:
                return 0
            if not entry.automatic:
                return back + 1
        return 0

    def may_undo(self, seats: Collection[int]) -> int | None:
        """Return the one of these seats that may undo: no other seat, nor chance, has acted since its last move."""
        if self.reach_of_undo() and self.moves[-1].seat in seats:
            return self.moves[-1].seat
        return None

    def may_redo(self, seats: Collection[int]) -> LogEntry | None:
        """Return the move that one of these seats took back last and could make again."""
        return self.undone[-1] if self.undone and self.undone[-1].seat in seats else None
