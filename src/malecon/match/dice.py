"""Dice that can be checked: a secret, its hash shown before the game, and the formula every chance move follows from.

The formula is described in docs/records.md; each draw can be computed again from a record with its secret.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

_HEX = re.compile(r"[0-9a-f]{64}")
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Dice:
    """The dice of one game: the hash of their secret, the first move they decide, and the secret once it is public."""

    commitment: str
    first: int = 0
    secret: str | None = field(default=None, repr=False)  # of a running game: never shown, never logged

    @classmethod
    def new(cls, first: int = 0) -> Dice:
        """Return new dice; moves before `first` were made with others, or with none that can be checked."""
        secret = secrets.token_hex(32)
        return cls(commitment_of(secret), first, secret)

    def covered(self) -> Dice:
        """Return the dice without the secret: all that may be known before the game is over."""
        return replace(self, secret=None)

    def as_dict(self) -> dict[str, Any]:
        return {"commitment": self.commitment, "from": self.first, "secret": self.secret}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Dice | None:
        """Return the dice in a record, or None if its fields are not valid."""
        if set(data) != {"commitment", "from", "secret"}:
            return None
        commitment, first, secret = data["commitment"], data["from"], data["secret"]
        fits = (
            _is_hex(commitment)
            and (secret is None or _is_hex(secret))
            and isinstance(first, int)
            and not isinstance(first, bool)
            and 0 <= first < 1 << 31
        )
        return cls(commitment, first, secret) if fits else None


def commitment_of(secret: str) -> str:
    """Return the SHA-256 hash of the secret's 32 bytes, in hexadecimal digits as the secret itself."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def draw(secret: str, number: int, count: int) -> int:
    """Return the outcome, from 0 to count - 1, of the chance move with that number; all are equally likely.

    The first 64 bits of HMAC-SHA256(secret, "number:try") are used if they are below the greatest multiple of `count`;
    otherwise the next try decides.
    """
    most = (1 << 64) // count * count
    attempt = 0
    while True:
        digest = hmac.digest(bytes.fromhex(secret), f"{number}:{attempt}".encode(), "sha256")
        value = int.from_bytes(digest[:8], "big")
        if value < most:
            return value % count
        attempt += 1


def choose(secret: str, number: int, outcomes: Iterable[Outcome], notation: Callable[[Outcome], str] = str) -> Outcome:
    """Return the outcome of the dice; outcomes are sorted by their notation, by code points."""
    ordered = sorted(outcomes, key=notation)
    return ordered[draw(secret, number, len(ordered))]


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None
