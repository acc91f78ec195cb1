"""Move codes and their notation: families of short words, numbered densely. What a move does is not known here."""

from __future__ import annotations

import itertools
from collections.abc import Iterable


class Notation:
    """Numbers the moves of a game in the order in which their families are added.

    >>> notation = Notation()
    >>> notation.family("drive {}", range(1, 41)), notation.family("deliver {} {}", (1, 2), ("rum", "citrus"))
    (0, 40)
    >>> notation.name(42), notation.code("deliver 2 rum")
    ('deliver 2 rum', 42)
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._codes: dict[str, int] = {}

    def family(self, pattern: str, *choices: Iterable[object]) -> int:
        """Add every combination of the choices, the last varying fastest; the first one's code is returned."""
        first = len(self._names)
        for chosen in itertools.product(*choices):
            name = pattern.format(*chosen)
            if name in self._codes:
                raise ValueError(f"two moves are called {name!r}")
            self._codes[name] = len(self._names)
            self._names.append(name)
        return first

    def __len__(self) -> int:
        return len(self._names)

    def name(self, code: int) -> str:
        """The notation of a move code."""
        return self._names[code]

    def code(self, name: str) -> int | None:
        """The code of a move in notation, or None where no move is written so."""
        return self._codes.get(" ".join(name.lower().split()))

    def names(self) -> tuple[str, ...]:
        """All moves of the game, in the order of their codes."""
        return tuple(self._names)
