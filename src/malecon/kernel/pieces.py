"""Observations as data: named pieces of numbers, one after the other. What they are read from is a game's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

#: The highest number an observation of small integers can hold.
MANY = 32_767


@dataclass(frozen=True)
class Piece:
    """A piece of an observation: what stands where, in which range, and what it means."""

    name: str
    axes: tuple[tuple[str, ...], ...]  # for each dimension, what its entries are called
    meaning: str
    low: int
    high: int
    typical: int  # divided by this, its numbers are about the size of 1
    start: int
    values: tuple[str, ...] = ()  # what its numbers are called, from `low` on, if they are numbers of things

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis) for axis in self.axes)

    @property
    def size(self) -> int:
        return prod(self.shape)


class Pieces:
    """The pieces of a game's observation, in their order.

    >>> pieces = Pieces()
    >>> pieces.add("ship", "the ship in the port", high=7)
    0
    >>> pieces.add("goods", "units held", ("own", "next"), ("rum", "wood"), high=8)
    1
    >>> {name: part.tolist() for name, part in pieces.split(np.arange(5)).items()}
    {'ship': [0], 'goods': [[1, 2], [3, 4]]}
    """

    def __init__(self) -> None:
        self._pieces: dict[str, Piece] = {}

    def add(
        self,
        name: str,
        meaning: str,
        *axes: tuple[str, ...],
        low: int = 0,
        high: int = 1,
        typical: int = 1,
        values: tuple[str, ...] = (),
    ) -> int:
        """Add a piece with a dimension for each of the axes, or of a single number; where it begins is returned."""
        if name in self._pieces:
            raise ValueError(f"two pieces are called {name!r}")
        start = self.size
        self._pieces[name] = Piece(name, axes or ((name,),), meaning, low, high, typical, start, values)
        return start

    def __iter__(self) -> Iterator[Piece]:
        return iter(self._pieces.values())

    def __getitem__(self, name: str) -> Piece:
        return self._pieces[name]

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def size(self) -> int:
        """How many numbers there are in all."""
        return sum(piece.size for piece in self)

    def split(self, flat: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """Observations by the names of their pieces: views of the same numbers, whatever dimensions go before them."""
        return {
            piece.name: flat[..., piece.start : piece.start + piece.size].reshape(*flat.shape[:-1], *piece.shape)
            for piece in self
        }

    def each(self, field: str) -> npt.NDArray[np.float32]:
        """`low`, `high` or `typical` for every number of the flat observation."""
        return np.concatenate([np.full(piece.size, getattr(piece, field), np.float32) for piece in self])
