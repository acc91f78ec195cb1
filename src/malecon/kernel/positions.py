"""Positions: their type, and copies in plain arrays, which Numba recognises ten times as fast as a record."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from malecon.kernel.verbs import Position


class PositionRecord(np.record):  # type: ignore[misc]  # it is not final at run time
    """A record whose fields are read as attributes, as those of `np.record` are, in a fifth of the time.

    Texts and drawings read hundreds of fields for a page. NumPy's own looks each of them up in Python; here a field is
    a property (see `position_type`). Without it, as in a pickle of a game that is not loaded, the fields are there too.
    """

    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]  # no field has fields itself

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(name) from None


def position_type(fields: Sequence[tuple[Any, ...]]) -> np.dtype[np.void]:
    """Return the dtype of a game's positions, given as NumPy describes the fields of a record."""
    for name, *_ in fields:
        if not hasattr(np.record, name):
            setattr(PositionRecord, name, property(itemgetter(name)))
    return np.dtype((PositionRecord, list(fields)))


def copy_positions(cells: Any) -> Any:
    """Return a copy of an array of positions. NumPy's own copies field by field and takes twenty times as long."""
    return np.frombuffer(bytearray(cells.tobytes()), cells.dtype)


def as_array(position: Position) -> Any:
    """Return a copy of a position in an array of its own."""
    return np.frombuffer(bytearray(position.tobytes()), position.dtype)
