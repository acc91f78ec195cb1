"""Names that people give themselves: how they are tidied and compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from malecon.match import check_name


def tidy_name(name: str | None) -> str | None:
    """Return a name without surrounding and repeated blanks; None if nothing is left."""
    name = " ".join((name or "").split())
    return name or None


def person_name(name: str | None) -> str | None:
    """Return a name that a person has typed, tidy; None if it is empty. Raise BadSetup if it is not allowed.

    Every name passes through here before it is stored or shown to others.
    """
    tidy = tidy_name(name)
    if tidy is not None:
        check_name(tidy)
    return tidy


def visible_name(name: str | None) -> str | None:
    """Return a tidy name without invisible and direction characters; None if nothing is left."""
    return tidy_name("".join(letter for letter in name or "" if letter.isprintable() or letter.isspace()))


#: Letters of other alphabets that look like Latin ones, in small.
_CYRILLIC, _GREEK = ("аеорсухіјѕԁԛԝһӏк", "aeopcyxijsdqwhlk"), ("ανορτυικχ", "avoptuikx")
_LOOKALIKES = str.maketrans(_CYRILLIC[0] + _GREEK[0], _CYRILLIC[1] + _GREEK[1])
#: The other way round, for each of those alphabets.
_OTHERS = tuple(str.maketrans(latin, letters) for letters, latin in (_CYRILLIC, _GREEK))
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")


def alphabets(name: str) -> set[str]:
    """Return the alphabets with letters that look alike in which a name is written."""
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in name if letter.isalpha()}
    return scripts & set(_ALPHABETS)


def looks_like(name: str) -> str:
    """Return the key of the Latin name that a name looks like; its own key if it looks like none."""
    return name_key(name).translate(_LOOKALIKES)


def lookalikes(name: str) -> set[str]:
    """Return the keys of all names that look like this one, each written in one alphabet."""
    latin = looks_like(name)
    return {name_key(name), latin, *(latin.translate(alphabet) for alphabet in _OTHERS)}


def name_key(name: str) -> str:
    """Return the key by which names are compared: the same for all that look the same."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def distinct_names(names: Sequence[str | None]) -> list[str | None]:
    """Return the names with None in place of one that looks like an earlier one; that seat is called by its colour."""
    keys: set[str] = set()
    distinct: list[str | None] = []
    for name in names:
        key = None if name is None else looks_like(name)
        distinct.append(None if key in keys else name)
        if key is not None:
            keys.add(key)
    return distinct
