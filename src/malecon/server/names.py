"""Names that people give themselves: how they are tidied and compared."""

from __future__ import annotations

import unicodedata


def tidy_name(name: str | None) -> str | None:
    """A name without blanks around it; None where nothing is left."""
    name = " ".join((name or "").split())
    return name or None


def name_key(name: str) -> str:
    """The same for all names that look the same."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
