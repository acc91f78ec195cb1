"""Names that people give themselves: how they are tidied and compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def tidy_name(name: str | None) -> str | None:
    """A name without blanks around it; None where nothing is left."""
    name = " ".join((name or "").split())
    return name or None


def visible_name(name: str | None) -> str | None:
    """The same without what cannot be seen or turns the text round, where nobody is asked for a better one."""
    return tidy_name("".join(letter for letter in name or "" if letter.isprintable() or letter.isspace()))


#: Letters of other alphabets that look like Latin ones, in small.
_CYRILLIC, _GREEK = ("аеорсухіјѕԁԛԝһӏк", "aeopcyxijsdqwhlk"), ("ανορτυικχ", "avoptuikx")
_LOOKALIKES = str.maketrans(_CYRILLIC[0] + _GREEK[0], _CYRILLIC[1] + _GREEK[1])
#: The other way round, for each of those alphabets.
_OTHERS = tuple(str.maketrans(latin, letters) for letters, latin in (_CYRILLIC, _GREEK))
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")


def alphabets(name: str) -> set[str]:
    """Which of the alphabets with letters that look alike a name is written in."""
    found = {unicodedata.name(letter, "").partition(" ")[0] for letter in name if letter.isalpha()}
    return found & set(_ALPHABETS)


def looks_like(name: str) -> str:
    """The key of the Latin name that a name looks like; its own where it looks like none."""
    return name_key(name).translate(_LOOKALIKES)


def lookalikes(name: str) -> set[str]:
    """The keys of all names that look like this one, each written in one alphabet."""
    latin = looks_like(name)
    return {name_key(name), latin, *(latin.translate(alphabet) for alphabet in _OTHERS)}


def name_key(name: str) -> str:
    """The same for all names that look the same."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def told_apart(names: Sequence[str | None]) -> list[str | None]:
    """Names for a table where nobody is asked again: of two that look the same, the later one goes by its colour."""
    known: set[str] = set()
    found: list[str | None] = []
    for name in names:
        key = None if name is None else looks_like(name)
        found.append(None if key in known else name)
        if key is not None:
            known.add(key)
    return found
