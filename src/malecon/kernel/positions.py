"""Copies of positions in plain arrays, whose type Numba recognises ten times as fast as that of a record."""

from __future__ import annotations

from typing import Any

import numpy as np

from malecon.kernel.verbs import Position


def copy_positions(cells: Any) -> Any:
    """Return a copy of an array of positions. NumPy's own copies field by field and takes twenty times as long."""
    return np.frombuffer(bytearray(cells.tobytes()), cells.dtype)


def as_array(position: Position) -> Any:
    """Return a copy of a position in an array of its own."""
    return np.frombuffer(bytearray(position.tobytes()), position.dtype)
