"""Who is there, by a cookie or a bearer token, and what that person has chosen.

A guest is whoever has a random secret of ours. Only a digest of it is stored, so whoever reads the database cannot sit
down on anybody's seat. Somebody with an account has a signed session as well, which comes first.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.accounts.accounts import Account, Accounts
from malecon.server.accounts.guests import Guests, person_of
from malecon.server.accounts.sessions import LASTS, RENEWED, Sessions
from malecon.server.errors import BadToken
from malecon.server.storage.store import Storage
from malecon.server.tables.timing import PACES
from malecon.text import LANGUAGES, best_language

COOKIE = "malecon"
SESSION_COOKIE = "malecon-session"
LAYOUT_COOKIE = "layout"  # set by the page: what fits its window
A_YEAR = 365 * 24 * 3600
THEMES = ("auto", "light", "dark")
LOG_IN = "/api/session"
LAYOUTS = ("wide", "tall")


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
    sounds: bool = False
    notify: bool = False
    here: bool = True  # whether others see that one is here
    talk: bool = True  # whether conversations at tables are shown
    page: bool = True  # what others see of somebody with an account: the page, a place on leader boards, recent games
    board: bool = True
    games: bool = True
    push_turn: bool = True  # of what their devices are told: their turn, a free seat, a wish to play again
    push_seat: bool = False
    push_rematch: bool = True

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Choices:
        """Those of a database that may be older or newer than this program."""
        known = {field.name: type(field.default) for field in fields(cls)}
        fits: dict[str, Any] = {key: value for key, value in stored.items() if type(value) is known.get(key)}
        return cls(**fits)

    def changed(self, **new: Any) -> Choices:
        """With some of them changed; BadSetup where one cannot be so."""
        chosen = replace(self, **new)
        allowed = {"language": ("", *LANGUAGES), "theme": THEMES, "pace": tuple(PACES)}
        for name, values in allowed.items():
            value = getattr(chosen, name)
            if value not in values:
                known = ", ".join(filter(None, values))
                raise BadSetup(
                    say(
                        "{name} cannot be {value}; choose from: {known}", name=name, value=repr(value)[:40], known=known
                    )
                )
        return chosen


@dataclass(frozen=True)
class Visitor:
    """The sender of a request, and the language and layout of the answer."""

    person: str
    choices: Choices
    language: str
    layout: str
    new_secret: str | None = None  # to be set as a cookie: this browser was never here
    account: Account | None = None
    session: str | None = None  # to be set as a cookie, in place of one that gets old
    guest: str = ""  # who this browser is without the account
    signed: str = field(default="", repr=False)  # the session by which the account is known

    @property
    def is_new(self) -> bool:
        """Whether nobody has ever seen them: they have no games."""
        return self.new_secret is not None and self.account is None


async def recognise(
    connection: HTTPConnection, storage: Storage, accounts: Accounts, sessions: Sessions, guests: Guests
) -> Visitor:
    """The sender of a request. Somebody unknown gets a secret, which `remember` hands over."""
    scheme, _, bearer = connection.headers.get("authorization", "").partition(" ")
    token = bearer.strip() if scheme.lower() == "bearer" else None
    cookies = connection.cookies
    secret, signed = (token, token) if token is not None else (cookies.get(COOKIE, ""), cookies.get(SESSION_COOKIE, ""))
    known = await asyncio.to_thread(_account_of, signed, accounts, sessions) if "." in signed else None
    ours = await guests.know(secret)
    if token is not None and known is None and not ours:
        if connection.scope["path"] != LOG_IN:  # whoever logs in again may still send the old one
            raise BadToken
        token, secret = None, ""
    new_secret = None
    if not ours and (known is None or token is None):
        secret = new_secret = await guests.new_secret()
    guest = person_of(secret)
    if known is not None:
        account, stored, renewed = known
        session = renewed if token is None else None
    else:
        account, session = None, None
        chosen = {} if new_secret else storage.known_choices(guest)
        stored = await asyncio.to_thread(storage.choices, guest) if chosen is None else chosen
    choices = Choices.of(stored)
    person = guest if account is None else account.person
    layout = connection.query_params.get("layout") or connection.cookies.get(LAYOUT_COOKIE, "")
    return Visitor(
        person=person,
        choices=choices,
        language=language_of(connection, choices),
        layout=layout if layout in LAYOUTS else LAYOUTS[0],
        new_secret=new_secret,
        account=account,
        session=session,
        guest=guest,
        signed="" if account is None else signed,
    )


def session_holds(visitor: Visitor, accounts: Accounts, sessions: Sessions) -> bool:
    """Whether the session somebody came with is still one: it may have been ended, or the account deleted."""
    return _account_of(visitor.signed, accounts, sessions) is not None


def _account_of(
    signed: str, accounts: Accounts, sessions: Sessions
) -> tuple[Account, dict[str, Any], str | None] | None:
    """Whose session it is, what they have chosen, and a new session where this one gets old."""
    session = sessions.read(signed[:400])
    found = None if session is None else accounts.find(session.person)
    if session is None or found is None or found[0].epoch != session.epoch:
        return None
    renewed = sessions.begin(session.person, session.epoch) if session.age > RENEWED else None
    return *found, renewed


def language_of(connection: HTTPConnection, choices: Choices) -> str:
    if choices.language in LANGUAGES:
        return choices.language
    return best_language(connection.headers.get("accept-language", "")[:200])


def remember(visitor: Visitor, response: Response, secure: bool) -> None:
    if visitor.new_secret is not None:
        response.set_cookie(
            COOKIE, visitor.new_secret, max_age=A_YEAR, path="/", httponly=True, samesite="lax", secure=secure
        )
    if visitor.session is not None:
        set_session(response, visitor.session, secure)


def set_session(response: Response, session: str, secure: bool) -> None:
    response.set_cookie(SESSION_COOKIE, session, max_age=LASTS, path="/", httponly=True, samesite="lax", secure=secure)


def end_session(response: Response, secure: bool) -> None:
    response.delete_cookie(SESSION_COOKIE, path="/", httponly=True, samesite="lax", secure=secure)


def as_stored(choices: Choices) -> dict[str, Any]:
    return asdict(choices)
