"""The journal: what a move changed for whom, noted by the rules while they run. Words are made of it elsewhere.

Rules call `note` unconditionally. Without a journal (`None`), Numba drops the call at compile time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.kernel.compile import kernel

#: Row 0 holds the number of notes; each further row is one event.
Journal = npt.NDArray[np.int32]
LONGEST = 200


class Event(NamedTuple):
    """One thing that happened. What `amount`, `thing` and `other` mean depends on the kind."""

    kind: int
    seat: int
    amount: int = 0
    thing: int = -1
    other: int = -1


def new_journal() -> Journal:
    return np.zeros((LONGEST + 1, 5), np.int32)


def events(journal: Journal) -> list[Event]:
    """The events noted so far."""
    return [Event(*row) for row in journal[1 : journal[0, 0] + 1].tolist()]


@kernel(inline=True)
def note(journal: Journal | None, kind: int, seat: int, amount: int, thing: int, other: int) -> None:
    """Write one event down, if a journal is kept."""
    if journal is not None:
        row = journal[0, 0] + 1
        if row < len(journal):  # more than a move can bring; never past the end
            journal[0, 0] = row
            journal[row, 0] = kind
            journal[row, 1] = seat
            journal[row, 2] = amount
            journal[row, 3] = thing
            journal[row, 4] = other
