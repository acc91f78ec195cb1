"""Phrases: sentences as data, in English until `text` translates them. No game's phrases are defined here.

Babel finds them in the sources, so what is handed to `say`, `counted` or `Phrase` is written out: never put together,
never chosen inside the call. A phrase that is chosen first is filled afterwards.

>>> turn = say("{who} waits") if False else say("{who} drives")
>>> str(turn.fill(who="Ana"))
'Ana drives'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

#: The folders with the translations of the games that have been loaded: `de.po` and so on.
catalog_folders: list[Path] = []


@dataclass(frozen=True)
class Phrase:
    """An English template with named gaps, filled with numbers, names and other phrases. A float is rounded already.

    `context` tells apart equal English texts that other languages say differently; a plural phrase counts its gap `n`.
    `symbol` is the key of the picture that a page shows behind the text; catalogs do not know it.

    >>> str(Phrase("{who} takes {what}", {"who": "Ana", "what": counted("{n} peso", "{n} pesos", 2)}))
    'Ana takes 2 pesos'
    """

    text: str
    gaps: Mapping[str, Phrase | str | int | float] = field(default_factory=dict)
    context: str = ""
    plural: str = ""
    symbol: str = ""

    def __str__(self) -> str:
        text = self.plural if self.plural and self.gaps["n"] != 1 else self.text
        return text.format(**self.gaps)

    def fill(self, **gaps: Phrase | str | int | float) -> Phrase:
        """Return the same phrase with these gaps filled."""
        return Phrase(self.text, {**self.gaps, **gaps}, self.context, self.plural, self.symbol)

    def with_symbol(self, symbol: str) -> Phrase:
        """Return the same phrase with a symbol, given by its key in `malecon.drawing.SYMBOLS`."""
        return Phrase(self.text, self.gaps, self.context, self.plural, symbol)

    def __hash__(self) -> int:
        return hash((self.text, self.context, self.plural, tuple(self.gaps.items())))


def counted(singular: str, plural: str, n: int, context: str = "") -> Phrase:
    """A phrase that depends on a number, like `{n} peso` and `{n} pesos`."""
    return Phrase(singular, {"n": n}, context, plural)


def say(text: str, /, **gaps: Phrase | str | int | float) -> Phrase:
    """A phrase without a context, its gaps as keywords."""
    return Phrase(text, gaps)
