"""What happened to the seats of a table besides moves: whose time was up, who left, came back, or was removed.

A note names nobody but a seat: names change, and an account that is deleted leaves none behind.
"""

from __future__ import annotations

import hashlib

from malecon.server.storage.rows import Note

LATE, ASLEEP, OUT, GAVE_UP, LEFT, BACK, REMOVED, JOINED = (
    *("late", "asleep", "out", "gave-up", "left", "back", "removed", "joined"),
)
WANTS_STOP, STOPPED = "wants-stop", "stopped"
#: The last ones are kept.
MOST = 60


def with_note(notes: tuple[Note, ...], moves: int, kind: str, seat: int, whom: str = "") -> tuple[Note, ...]:
    """One more note, or none where there is no kind."""
    return (*notes, Note(moves, kind, seat, whom))[-MOST:] if kind else notes


def mark(table: str, person: str) -> str:
    """By what somebody who was removed is known at that table, and nowhere else."""
    return hashlib.blake2b(f"{table} {person}".encode(), digest_size=12).hexdigest()


def was_removed(notes: tuple[Note, ...], table: str, person: str | None) -> bool:
    return person is not None and any(note.kind == REMOVED and note.whom == mark(table, person) for note in notes)
