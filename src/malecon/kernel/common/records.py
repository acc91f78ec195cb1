"""What the records of a game have in common: each has a key, and its number is its place in its table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import Formatter
from typing import Protocol

from malecon.kernel.phrases import Phrase


class Keyed(Protocol):
    """A thing of a game: a good, a building, a law. Its key is also its word in the notation and its picture's name."""

    @property
    def key(self) -> str: ...


def keys(records: Iterable[Keyed]) -> tuple[str, ...]:
    """Return the keys of a table, in the order of its records."""
    return tuple(record.key for record in records)


def index_of(records: Sequence[Keyed], key: str) -> int:
    """Return the number of the record with that key; raise ValueError if there is none."""
    return keys(records).index(key)


class Numbering:
    """Names that are numbered in the order in which they are declared, so that each name stands only once.

    >>> phases = Numbering()
    >>> DRIVE = phases.add("drive")
    >>> VISIT = phases.add("visit")
    >>> phases.names, VISIT
    (('drive', 'visit'), 1)
    """

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._names = list(first)

    def add(self, *names: str) -> int:
        """Number some names and return the number of the first."""
        number = len(self._names)
        self._names += names
        return number

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names)


def fill_gaps(template: Phrase, **gaps: Phrase | str | int) -> Phrase:
    """Return the phrase with its gaps filled; what it has no gap for is left out. Raise KeyError if one stays empty.

    >>> str(fill_gaps(Phrase("You get {gain}."), gain=2, cost=5))
    'You get 2.'
    """
    needed = [name for _, name, _, _ in Formatter().parse(template.text) if name]
    return template.fill(**{name: gaps[name] for name in needed})
