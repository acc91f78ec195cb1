"""Names that people give themselves: how they are tidied and compared."""

from __future__ import annotations

import unicodedata


def tidy_name(name: str | None) -> str | None:
    """A name without blanks around it; None where nothing is left."""
    name = " ".join((name or "").split())
    return name or None


#: Letters of other alphabets that look like Latin ones, in small.
_LOOKALIKES = str.maketrans("аеорсухіјѕԁԛԝһӏк" + "ανορτυικχ", "aeopcyxijsdqwhlk" + "avoptuikx")
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")


def alphabets(name: str) -> set[str]:
    """Which of the alphabets with letters that look alike a name is written in."""
    found = {unicodedata.name(letter, "").partition(" ")[0] for letter in name if letter.isalpha()}
    return found & set(_ALPHABETS)


def looks_like(name: str) -> str:
    """The key of the Latin name that a name looks like; its own where it looks like none."""
    return name_key(name).translate(_LOOKALIKES)


def name_key(name: str) -> str:
    """The same for all names that look the same."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
