"""The visitor of a request, recognised by a cookie or a bearer token, and their stored choices.

A guest has a random secret. Only a digest of it is stored, so that nobody can take over a seat by reading the database.
A person with an account also has a signed session, which comes first.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.accounts.accounts import Account, Accounts, SessionOwner
from malecon.server.accounts.guests import Guests, person_of
from malecon.server.accounts.sessions import (
    RENEWAL_AGE_SECONDS,
    SEEN_INTERVAL_SECONDS,
    SESSION_SECONDS,
    Session,
    Sessions,
)
from malecon.server.errors import BadToken, Unavailable
from malecon.server.names import person_name
from malecon.server.storage.store import Storage
from malecon.server.tables.timing import PACES
from malecon.text import LANGUAGES, best_language

#: Behind https, the names of both cookies get a prefix by which browsers accept them from this very host only.
SECURE_PREFIX = "__Host-"
COOKIE = "malecon"
SESSION_COOKIE = "malecon-session"
LAYOUT_COOKIE = "layout"  # set by the page: what fits its window
#: What a browser deletes after a log-out: pages in its cache, and the service worker with all that it has stored.
CLEARED = '"cache", "storage"'
GUEST_COOKIE_SECONDS = 365 * 24 * 3600
THEMES = ("auto", "light", "dark")
#: Where the bots of a person who plays alone think: in that person's browser, and the game counts nowhere,
BROWSER = "browser"
#: or on the server;
SERVER = "server"
#: or, if the person has not chosen, on the server for an account only, whose games are rated there.
AUTO = "auto"
LOG_IN = "/api/session"
LAYOUTS = ("wide", "tall")


@dataclass(frozen=True)
class Choices:
    """The settings of a person; an empty language means the browser's own."""

    name: str = ""
    language: str = ""
    theme: str = "auto"
    pace: str = "normal"
    thinking: str = AUTO
    confirm: bool = True
    automatic: bool = True
    sound: bool = False
    sounds: bool = False
    notify: bool = False
    here: bool = True  # whether others see that this person is online
    talk: bool = True  # whether conversations at tables are shown
    page: bool = True  # what others see of an account: its page, its place on leader boards, its recent games
    board: bool = True
    games: bool = True
    push_turn: bool = True  # what their devices are notified of: their turn, a free seat, a rematch
    push_seat: bool = False
    push_rematch: bool = True

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Choices:
        """Return stored choices, without those that this version of the program does not know."""
        types = {field.name: type(field.default) for field in fields(cls)}
        valid: dict[str, Any] = {key: value for key, value in stored.items() if type(value) is types.get(key)}
        return cls(**valid)

    def changed(self, **new: Any) -> Choices:
        """Return a copy with some changed; raise BadSetup if a value is not allowed."""
        chosen = replace(self, **new)
        chosen = replace(chosen, name=person_name(chosen.name) or "")
        allowed = {
            "language": ("", *LANGUAGES),
            "theme": THEMES,
            "pace": tuple(PACES),
            "thinking": (AUTO, BROWSER, SERVER),
        }
        for name, values in allowed.items():
            value = getattr(chosen, name)
            if value not in values:
                allowed_values = ", ".join(filter(None, values))
                raise BadSetup(
                    say(
                        "{name} cannot be {value}; choose from: {known}",
                        name=name,
                        value=repr(value)[:40],
                        known=allowed_values,
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
    new_secret: str | None = None  # to be set as a cookie: this browser has none yet
    account: Account | None = None
    session: str | None = None  # to be set as a cookie, in place of an old one
    guest: str = ""  # who this browser is without the account
    session_id: str = field(default="", repr=False)  # the session by which the account is known
    signed: str = field(default="", repr=False)  # its text
    was_logged_out: bool = False  # the browser still has the cookie of a session that has ended

    @property
    def is_new(self) -> bool:
        """Whether this is a first visit: they have no games."""
        return self.new_secret is not None and self.account is None

    @property
    def bots_think(self) -> str:
        """Where bots think at a table that this visitor opens, unless another place is chosen there."""
        if self.choices.thinking != AUTO:
            return self.choices.thinking
        return BROWSER if self.account is None else SERVER


def check_where(where: str) -> str:
    """Return where bots are to think; raise BadSetup if it is neither in the browser nor on the server."""
    if where not in (BROWSER, SERVER):
        raise BadSetup(say("bots cannot think there: {name}", name=repr(where)[:40]))
    return where


async def recognise(
    connection: HTTPConnection, storage: Storage, accounts: Accounts, sessions: Sessions, guests: Guests
) -> Visitor:
    """Return the sender of a request. A new visitor gets a secret, which `remember` sets as a cookie."""
    scheme, _, bearer = connection.headers.get("authorization", "").partition(" ")
    token = bearer.strip() if scheme.lower() == "bearer" else None
    cookies, prefix = connection.cookies, _prefix(connection.scope["scheme"] in ("https", "wss"))
    secret, signed = (
        (token, token)
        if token is not None
        else (cookies.get(prefix + COOKIE, ""), cookies.get(prefix + SESSION_COOKIE, ""))
    )
    known = await asyncio.to_thread(_recognise_session, signed, accounts, sessions) if "." in signed else None
    is_guest = await guests.is_valid(secret)
    if token is not None and known is None and not is_guest:
        if connection.scope["path"] != LOG_IN:  # a log-in may still carry the old token
            raise BadToken
        token, secret = None, ""
    new_secret = None
    if not is_guest and (known is None or token is None):
        secret = new_secret = await guests.new_secret()
    guest = person_of(secret)
    account, session, session_id = None, None, ""
    if known is not None:
        owner, read = known
        account, stored, session_id = owner.account, owner.choices, read.id
        if token is None and read.age > RENEWAL_AGE_SECONDS:
            session = await asyncio.to_thread(sessions.sign, session_id)
    else:
        cached = {} if new_secret else storage.cached_choices(guest)
        stored = await asyncio.to_thread(storage.choices, guest) if cached is None else cached
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
        session_id=session_id,
        signed="" if account is None else signed,
        was_logged_out=token is None and signed != "" and account is None,
    )


def session_is_valid(visitor: Visitor, accounts: Accounts, sessions: Sessions) -> bool:
    """Return whether the session of a visitor is still valid; it may have ended, or the account may be deleted."""
    return _owner_of(visitor.signed, accounts, sessions) is not None


def _owner_of(signed: str, accounts: Accounts, sessions: Sessions) -> tuple[SessionOwner, Session] | None:
    session = sessions.read(signed[:400])
    owner = None if session is None else accounts.find_by_session(session.id)
    return None if session is None or owner is None else (owner, session)


def _recognise_session(signed: str, accounts: Accounts, sessions: Sessions) -> tuple[SessionOwner, Session] | None:
    """Return the owner of a session, and note that it is in use; None if it is not valid."""
    known = _owner_of(signed, accounts, sessions)
    if known is not None and known[0].seen < time.time() - SEEN_INTERVAL_SECONDS:
        with suppress(Unavailable):  # a full disk does not keep anybody from reading
            sessions.mark_seen(known[1].id)
    return known


def language_of(connection: HTTPConnection, choices: Choices) -> str:
    if choices.language in LANGUAGES:
        return choices.language
    return best_language(connection.headers.get("accept-language", "")[:200])


def remember(visitor: Visitor, response: Response, secure: bool) -> None:
    """Set the cookies that identify a visitor. A browser that was logged out elsewhere forgets what it has stored."""
    if visitor.new_secret is not None:
        response.set_cookie(
            _prefix(secure) + COOKIE,
            visitor.new_secret,
            max_age=GUEST_COOKIE_SECONDS,
            path="/",
            httponly=True,
            samesite="lax",
            secure=secure,
        )
    if visitor.session is not None:
        set_session(response, visitor.session, secure)
    elif visitor.was_logged_out:
        end_session(response, secure)


def set_session(response: Response, session: str, secure: bool) -> None:
    response.set_cookie(
        _prefix(secure) + SESSION_COOKIE,
        session,
        max_age=SESSION_SECONDS,
        path="/",
        httponly=True,
        samesite="lax",
        secure=secure,
    )


def end_session(response: Response, secure: bool) -> None:
    """Let a browser forget a session, and all that its service worker has stored."""
    name = _prefix(secure) + SESSION_COOKIE
    response.delete_cookie(name, path="/", httponly=True, samesite="lax", secure=secure)
    response.headers["clear-site-data"] = CLEARED


def forget_guest(response: Response, secure: bool) -> None:
    """Let a browser forget who its guest was."""
    response.delete_cookie(_prefix(secure) + COOKIE, path="/", httponly=True, samesite="lax", secure=secure)


def _prefix(secure: bool) -> str:
    return SECURE_PREFIX if secure else ""


def as_stored(choices: Choices) -> dict[str, Any]:
    return asdict(choices)
