"""Move codes and their notation: families of short words, numbered densely. What a move does is not known here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

#: What can be said in a gap of a pattern. A number stands for itself, a word for its place among the others, unless a
#: mapping says what each stands for.
Words = Mapping[str, int] | Iterable[str] | Iterable[int]
#: The same, or a function of what stands in the gaps before.
Choices = Words | Callable[..., Words]


class Reading(NamedTuple):
    """What a move says: its family, known by the code of the first move in it, and what stands in the gaps.

    Made for `match`: `case moves.SWAP, (given, taken):`.
    """

    family: int
    parts: tuple[int, ...]


class Notation:
    """Numbers the moves of a game in the order in which their families are added.

    >>> notation = Notation()
    >>> DRIVE, PASS = notation.family("drive {}", range(1, 41)), notation.family("pass")
    >>> DELIVER = notation.family("deliver {} {}", (1, 2), ("rum", "citrus"))
    >>> notation.name(44), notation.code("deliver 2 citrus"), notation.read(44) == (DELIVER, (2, 1))
    ('deliver 2 citrus', 44, True)
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._codes: dict[str, int] = {}
        self._readings: list[Reading] = []
        self._families: dict[int, range] = {}
        self._decisions: int | None = None

    def family(self, pattern: str, *choices: Choices, chance: bool = False) -> int:
        """Add every combination of the choices, the last varying fastest; the first one's code is returned.

        The moves of seats are added before those of chance.
        """
        first = len(self._names)
        if chance and self._decisions is None:
            self._decisions = first
        elif not chance and self._decisions is not None:
            raise ValueError(f"the moves of seats come before those of chance: {pattern!r} comes too late")
        for words, parts in _combinations(choices):
            name = pattern.format(*words)
            if name in self._codes:
                raise ValueError(f"two moves are called {name!r}")
            self._codes[name] = len(self._names)
            self._names.append(name)
            self._readings.append(Reading(first, parts))
        if len(self._names) == first:
            raise ValueError(f"there is no move in the family {pattern!r}")
        self._families[first] = range(first, len(self._names))
        return first

    def __len__(self) -> int:
        return len(self._names)

    @property
    def decisions(self) -> int:
        """How many of the moves are the seats' to make: those with a lower code. The others are chance's."""
        return len(self._names) if self._decisions is None else self._decisions

    def name(self, code: int) -> str:
        """The notation of a move code."""
        return self._names[code]

    def code(self, name: str) -> int | None:
        """The code of a move in notation, or None where no move is written so."""
        code = self._codes.get(name)
        return self._codes.get(" ".join(name.lower().split())) if code is None else code

    def read(self, code: int) -> Reading:
        """The family of a move code and its parts."""
        return self._readings[code]

    def names(self) -> tuple[str, ...]:
        """All moves of the game, in the order of their codes."""
        return tuple(self._names)

    def codes(self, *families: int) -> list[int]:
        """The codes of all moves in some families."""
        return [code for family in families for code in self._families[family]]

    def families(self) -> npt.NDArray[np.int16]:
        """The family of every code, for kernels."""
        return np.array([reading.family for reading in self._readings], np.int16)

    def parts(self) -> npt.NDArray[np.int16]:
        """A row of parts for every code, -1 after the last, for kernels."""
        most = max(len(reading.parts) for reading in self._readings)
        return np.array([(*parts, *[-1] * (most - len(parts))) for _, parts in self._readings], np.int16)


def _combinations(
    choices: tuple[Choices, ...], words: tuple[str, ...] = (), parts: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Every way to fill the gaps, after those that are filled: the words, and what they stand for."""
    if len(parts) == len(choices):
        yield words, parts
        return
    choice = choices[len(parts)]
    for word, part in _numbered(choice(*parts) if callable(choice) else choice):
        yield from _combinations(choices, (*words, word), (*parts, part))


def _numbered(words: Words) -> Iterable[tuple[str, int]]:
    if isinstance(words, Mapping):
        return words.items()
    return [(str(word), word if isinstance(word, int) else place) for place, word in enumerate(words)]
