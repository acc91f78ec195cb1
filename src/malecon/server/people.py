"""Who is there: a random secret in a cookie, or as a bearer token, and what that person has chosen. No accounts.

Only a digest of the secret is stored, so whoever reads the database cannot sit down on anybody's seat.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from malecon import words
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.storage import Storage
from malecon.server.tables import PACES

COOKIE = "malecon"
LAYOUT_COOKIE = "layout"  # set by the page: what fits its window
A_YEAR = 365 * 24 * 3600
THEMES = ("auto", "light", "dark")
LAYOUTS = ("wide", "tall")
_SECRET = re.compile(r"[A-Za-z0-9_-]{20,100}")


@dataclass(frozen=True)
class Choices:
    """What somebody has chosen; an empty language is the browser's own."""

    name: str = ""
    language: str = ""
    theme: str = "auto"
    pace: str = "normal"
    confirm: bool = True
    automatic: bool = True
    sound: bool = False
    notify: bool = False

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Choices:
        """Those of a database that may be older or newer than this program."""
        known = {field.name: type(field.default) for field in fields(cls)}
        fits: dict[str, Any] = {key: value for key, value in stored.items() if type(value) is known.get(key)}
        return cls(**fits)

    def changed(self, **new: Any) -> Choices:
        """With some of them changed; BadSetup where one cannot be so."""
        chosen = replace(self, **new)
        allowed = {"language": ("", *words.LANGUAGES), "theme": THEMES, "pace": tuple(PACES)}
        for name, values in allowed.items():
            value = getattr(chosen, name)
            if value not in values:
                known = ", ".join(filter(None, values))
                raise BadSetup(
                    say("{name} cannot be {value}; it can be: {known}", name=name, value=repr(value)[:40], known=known)
                )
        return chosen


@dataclass(frozen=True)
class Visitor:
    """Whoever sends a request, and in which language and layout to answer."""

    person: str
    choices: Choices
    language: str
    layout: str
    new_secret: str | None = None  # to be set as a cookie: this browser was never here

    @property
    def is_new(self) -> bool:
        return self.new_secret is not None


async def recognise(connection: HTTPConnection, storage: Storage) -> Visitor:
    """The sender of a request. Somebody unknown gets a secret, which `remember` hands over."""
    scheme, _, bearer = connection.headers.get("authorization", "").partition(" ")
    secret = bearer.strip() if scheme.lower() == "bearer" else connection.cookies.get(COOKIE, "")
    new_secret = None
    if not _SECRET.fullmatch(secret):
        secret = new_secret = new_identity()
    person = person_of(secret)
    stored = {} if new_secret else await asyncio.to_thread(storage.choices, person)
    choices = Choices.of(stored)
    layout = connection.query_params.get("layout") or connection.cookies.get(LAYOUT_COOKIE, "")
    return Visitor(
        person=person,
        choices=choices,
        language=language_of(connection, choices),
        layout=layout if layout in LAYOUTS else LAYOUTS[0],
        new_secret=new_secret,
    )


def language_of(connection: HTTPConnection, choices: Choices) -> str:
    if choices.language in words.LANGUAGES:
        return choices.language
    return words.best_language(connection.headers.get("accept-language", "")[:200])


def new_identity() -> str:
    return secrets.token_urlsafe(24)


def person_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()[:40]


def remember(visitor: Visitor, response: Response, secure: bool) -> None:
    if visitor.new_secret is not None:
        response.set_cookie(
            COOKIE, visitor.new_secret, max_age=A_YEAR, path="/", httponly=True, samesite="lax", secure=secure
        )


def as_stored(choices: Choices) -> dict[str, Any]:
    return asdict(choices)
