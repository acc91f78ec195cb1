"""Passwords: which are accepted, and how they are hashed.

Most passwords that are tried first when somebody guesses are made by a few rules: a common word, a row of keys or a
date, with some digits around it and letters replaced by signs. `is_common` undoes these rules and looks at what is
left, so a short list of words stands for many thousands of passwords.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.names import name_key

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 200
#: Characters that must be left of a password beside digits and signs at its ends, common words and sequences.
FEWEST_OWN = 4
#: Signs that stand for letters.
_SIGNS = str.maketrans("@4301!$57+", "aaeoiisstt")
# fmt: off
_WORDS = (
    "password", "passwort", "passwd", "contrasena", "clave", "parola", "secret", "geheim", "secreto", "segreto",
    "letmein", "welcome", "willkommen", "bienvenido", "benvenuto", "admin", "administrator", "root", "master",
    "login", "user", "guest", "gast", "test", "hallo", "hello", "hola", "ciao", "iloveyou", "ichliebedich", "teamo",
    "tiamo", "dragon", "monkey", "shadow", "sunshine", "princess", "football", "futbol", "fussball", "calcio",
    "baseball", "superman", "batman", "pokemon", "starwars", "computer", "internet", "freedom", "whatever",
    "trustno", "schatz", "amore", "amor", "tesoro", "summer", "sommer", "verano", "winter", "spring", "autumn",
    "monday", "januar", "january", "changeme", "default", "nothing", "qwerty", "azerty", "qwertz", "malecon",
    "santiago", "cuba", "habana", "havana", "cubalibre", "zigarre", "cigar", "boardgame", "brettspiel",
)
# fmt: on
_ROWS = (
    *("1234567890", "qwertzuiop", "qwertyuiop", "azertyuiop", "asdfghjkl", "yxcvbnm", "zxcvbnm"),
    *("abcdefghijklmnopqrstuvwxyz", "1q2w3e4r5t6z7u8i9o0p", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5"),
)
#: Keys that stand below each other.
_COLUMNS = ("1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6zhn", "6yhn", "7ujm", "qay", "wsx", "edc")
#: How much of a row counts as one.
_SHORTEST_RUN = 4


def check_password(name: str, password: str) -> str:
    """Return a password for the account of this name; raise BadSetup if it is too short, too long or easy to guess."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise BadSetup(
            say("a password has {fewest} to {most} characters", fewest=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
        )
    if len(set(password)) < 4 or is_common(password, name):
        raise BadSetup(say("this password is too easy to guess"))
    return password


def is_common(password: str, name: str = "") -> bool:
    """Return whether a password is one of those that are tried first: without common parts little is left of it."""
    text = _plain(password)
    for form in {text, text.translate(_SIGNS)}:
        rest = _strip(_without_runs(form))
        for word in sorted((*_WORDS, *_name_parts(name)), key=len, reverse=True):
            rest = rest.replace(word, " ")
        parts = [part for part in re.split(r"[^a-z]+", rest) if part]
        if sum(map(len, parts)) < FEWEST_OWN or _is_repetition(form):
            return True
    return False


def _plain(text: str) -> str:
    """Return a text in small letters without accents. Letters of other scripts stay: no list of ours has them."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in folded if not unicodedata.combining(character))


def _strip(text: str) -> str:
    """Return a text without digits and signs at its ends; letters of other scripts count as letters."""
    stripped = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", text)
    return re.sub(r"[^\x00-\x7f]", "x", stripped)


def _name_parts(name: str) -> list[str]:
    parts = [_plain(part) for part in re.split(r"\W+", name_key(name)) if len(part) > 2]
    return [*parts, "".join(parts)] if parts else []


def _without_runs(text: str) -> str:
    """Return a text without pieces of rows of keys, of the alphabet, forwards or backwards."""
    rows = [*_ROWS, *(row[::-1] for row in _ROWS)]
    for length in range(12, _SHORTEST_RUN - 1, -1):
        for row in rows:
            for start in range(len(row) - length + 1):
                text = text.replace(row[start : start + length], " ")
    for column in _COLUMNS:
        text = text.replace(column, " ")
    return text


def _is_repetition(text: str) -> bool:
    """Return whether a text is one short piece again and again."""
    return any(text == (text[:size] * len(text))[: len(text)] for size in range(1, min(4, len(text) // 2) + 1))


def _hasher() -> Any:
    from argon2 import PasswordHasher  # loaded with the first account: a server without any starts faster

    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


def hash_password(password: str) -> str:
    return str(_hasher().hash(unicodedata.normalize("NFC", password)))


def needs_rehash(hashed: str) -> bool:
    """Return whether a hash was made with other parameters than hashes are now."""
    return bool(_hasher().check_needs_rehash(hashed))


#: Verified if there is no account of that name, so that the time it takes reveals nothing.
_NO_ACCOUNT_HASH = "$argon2id$v=19$m=19456,t=2,p=1$wmE8jby9lrQH9mGK64qqZw$YuI/YsaCO11j61SJDDvCwHveqoGqCXEwYIPRHmyJ5HE"


def is_right(hashed: str | None, password: str) -> bool:
    """Return whether a password is that of a hash; without a hash it takes as long, and is not."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        _hasher().verify(hashed or _NO_ACCOUNT_HASH, unicodedata.normalize("NFC", password[:LONGEST_PASSWORD]))
    except (VerificationError, InvalidHashError):
        return False
    return bool(hashed)
