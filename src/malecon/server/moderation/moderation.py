"""Moderation: who may open public tables, forbidden words, invitations, sanctions and reports.

Moderators are accounts that the host, or another moderator, has made so; they change the rules and handle reports.
"""

from __future__ import annotations

import re
import secrets
import time
import unicodedata
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, delete, select, update

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import Forbidden
from malecon.server.names import skeleton
from malecon.server.storage.notices import CHAT_REMOVED
from malecon.server.storage.schema import (
    ACCOUNTS,
    ACTS,
    ANALYSES,
    CODES,
    DEVICES,
    ENTRANTS,
    LESSONS_DONE,
    MESSAGES,
    PEOPLE,
    PUZZLE_RATINGS,
    PUZZLE_TRIES,
    RATINGS,
    RELATIONS,
    REPORTS,
    RESULTS,
    SANCTIONS,
    SEATS,
    SESSIONS,
    SETTINGS,
    TABLES,
    TOURNAMENTS,
    WAITING,
    WAITING_SEATS,
)
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import reads, upsert, writes

#: Who may open public tables and look for games.
EVERYBODY = "everybody"
ACCOUNT_HOLDERS = "accounts"
MODERATORS = "moderators"
WHO_MAY_OPEN = (EVERYBODY, ACCOUNT_HOLDERS, MODERATORS)
#: Sanctions.
MUTED = "muted"
BANNED = "banned"
#: The rules are read again after this time: another process may have changed them.
CACHE_SECONDS = 3.0
#: Reports that are listed.
MOST_REPORTS = 100
#: Characters of all forbidden words together.
LONGEST_WORDS = 4_000
_RULES = "rules"
#: Categories of characters that are accents or invisible, and letters that are drawn as nothing.
_UNSEEN = ("Mn", "Me", "Cf", "Cc", "Cs", "Co", "Cn")
_FILLERS = "\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{BRAILLE PATTERN BLANK}"


@dataclass(frozen=True)
class ServerRules:
    """The rules of this server, set by its moderators."""

    public: str = EVERYBODY
    invited: bool = False  # registering needs the invitation, and guests only play where they were invited
    code: str = ""  # the invitation
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """A message that was reported, and how many times."""

    table: str
    number: int
    person: str
    name: str
    text: str
    phrase: str | None
    times: int
    made: float


class Moderation:
    """Stores rules, sanctions and reports, and checks what a visitor may do."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._rules = ServerRules()
        self._sanctions: dict[str, str] = {}
        self._looked_up = -CACHE_SECONDS

    def is_moderator(self, visitor: Visitor) -> bool:
        return visitor.account is not None and visitor.account.is_moderator

    def check_moderator(self, visitor: Visitor) -> None:
        if not self.is_moderator(visitor):
            raise Forbidden(say("only the moderators of this server can do this"))

    # --- what may be done

    def rules(self) -> ServerRules:
        self._refresh()
        return self._rules

    def check_play(self, visitor: Visitor) -> None:
        """Raise Forbidden if a visitor may not open a table on this server."""
        self._refresh()
        if self._sanctions.get(visitor.person) == BANNED:
            raise Forbidden(say("the host has banned you from playing on this server"))
        if self._rules.invited and visitor.account is None:
            raise Forbidden(say("this server is for those who were invited: register with your invitation, or log in"))

    def check_public(self, visitor: Visitor) -> None:
        """Raise Forbidden if a visitor may not open a public table or look for a game."""
        self.check_play(visitor)
        if self.is_moderator(visitor) or self._rules.public == EVERYBODY:
            return
        if self._rules.public == ACCOUNT_HOLDERS and visitor.account is not None:
            return
        if self._rules.public == ACCOUNT_HOLDERS:
            raise Forbidden(say("you need an account for this: register or log in first"))
        raise Forbidden(say("only the moderators of this server can do this"))

    def check_talk(self, visitor: Visitor, *texts: str) -> None:
        """Raise Forbidden if a visitor may not chat; BadSetup if one of the texts has a forbidden word."""
        self._refresh()
        if visitor.person in self._sanctions:
            raise Forbidden(say("the host has muted you on this server"))
        self.check_words(*texts)

    def check_words(self, *texts: str) -> None:
        """Raise BadSetup if one of these texts, which others will see, has a forbidden word."""
        for text in map(_folded, texts):
            if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in self.rules().words):
                raise BadSetup(say("this contains a word that is not allowed on this server"))

    def check_invitation(self, code: str) -> None:
        """Raise Forbidden if registering needs an invitation and the code is not valid."""
        rules = self.rules()
        if rules.invited and not secrets.compare_digest(code.strip().encode(), rules.code.encode()):
            raise Forbidden(say("this server is for those who were invited, and this invitation is not valid"))

    def _refresh(self) -> None:
        if time.monotonic() < self._looked_up + CACHE_SECONDS:
            return
        stored = self._storage.scalar(select(SETTINGS.c.value).where(SETTINGS.c.name == _RULES))
        sanctions = self._storage.rows(select(SANCTIONS.c.person, SANCTIONS.c.kind))
        self._sanctions = {row.person: row.kind for row in sanctions}
        if stored is not None:
            fields = {name: stored[name] for name in ServerRules.__dataclass_fields__ if name in stored}
            self._rules = ServerRules(**fields | {"words": tuple(stored.get("words", ()))})
        self._looked_up = time.monotonic()

    def reload(self) -> None:
        """Read the sanctions again when they are next needed: those of a person have changed."""
        self._looked_up = -CACHE_SECONDS

    # --- what moderators do

    def set_rules(self, public: str, invited: bool, words: str, new_code: bool) -> None:
        if public not in WHO_MAY_OPEN:
            raise BadSetup(say("invalid request"))
        forbidden = tuple(
            dict.fromkeys(filter(None, (_folded(word) for word in re.split(r"[,\n]", words[:LONGEST_WORDS]))))
        )
        code = secrets.token_urlsafe(9) if new_code or not self.rules().code else self.rules().code
        rules = replace(self.rules(), public=public, invited=invited, words=forbidden, code=code)
        self._store_rules(vars(rules) | {"words": list(forbidden)})
        self.reload()

    @writes
    def _store_rules(self, connection: Connection, value: dict[str, Any]) -> None:
        upsert(connection, SETTINGS, {"name": _RULES, "value": value})

    def sanction(self, person: str, kind: str | None, name: str | None = None) -> None:
        """Mute or ban a person; with None, lift the sanction."""
        self._sanction(person, kind, name)
        self.reload()

    @writes
    def _sanction(self, connection: Connection, person: str, kind: str | None, name: str | None) -> None:
        if kind is None:
            connection.execute(delete(SANCTIONS).where(SANCTIONS.c.person == person))
        else:
            upsert(connection, SANCTIONS, {"person": person, "kind": kind, "name": name, "made": time.time()})

    def sanctions(self) -> list[tuple[str, str, str | None]]:
        query = select(SANCTIONS.c.person, SANCTIONS.c.kind, SANCTIONS.c.name).order_by(SANCTIONS.c.made.desc())
        return [(row.person, row.kind, row.name) for row in self._storage.rows(query.limit(500))]

    def reports(self) -> list[Report]:
        """Return the open reports, one for each message, the latest first."""
        joined = REPORTS.join(MESSAGES, (MESSAGES.c.table == REPORTS.c.table) & (MESSAGES.c.number == REPORTS.c.number))
        columns = [MESSAGES.c[name] for name in ("table", "number", "person", "name", "text", "phrase")]
        query = select(*columns, REPORTS.c.made).select_from(joined).where(REPORTS.c.closed.is_(False))
        reports: dict[tuple[str, int], Report] = {}
        for row in self._storage.rows(query.order_by(REPORTS.c.made.desc()).limit(10 * MOST_REPORTS)):
            key = row.table, row.number
            earlier = reports.get(key)
            times = 1 if earlier is None else earlier.times + 1
            reports[key] = Report(*key, row.person, row.name or "", row.text, row.phrase, times, row.made)
        return list(reports.values())[:MOST_REPORTS]

    @writes
    def close_report(self, connection: Connection, table: str, number: int, hide: bool) -> None:
        """Close the reports of a message; with `hide`, hide the message from everybody."""
        its_reports = (REPORTS.c.table == table) & (REPORTS.c.number == number)
        its_message = (MESSAGES.c.table == table) & (MESSAGES.c.number == number)
        connection.execute(update(REPORTS).where(its_reports).values(closed=True))
        if hide:
            connection.execute(update(MESSAGES).where(its_message).values(hidden=True))
            self._storage.notify(connection, CHAT_REMOVED, table)

    @reads
    def export(self, connection: Connection, person: str) -> dict[str, list[dict[str, Any]]]:
        """Return all stored data of a person, apart from their credentials."""
        queries = {
            "account": select(
                *(
                    ACCOUNTS.c[name]
                    for name in ("name", "created", "hook", "moderator", "identity", "mail", "summary_days")
                )
            ).where(ACCOUNTS.c.person == person),
            "codes": select(CODES.c.kind, CODES.c.made, CODES.c.expires, CODES.c.mail).where(CODES.c.person == person),
            "acts": select(ACTS.c.made, ACTS.c.what, ACTS.c.detail).where(ACTS.c.person == person),
            "acts_of_moderators": select(ACTS.c.made, ACTS.c.what).where(ACTS.c.about == person),
            "choices": select(PEOPLE.c.choices).where(PEOPLE.c.id == person),
            "tables": select(TABLES.c.id, TABLES.c.game, TABLES.c.created).where(TABLES.c.owner == person),
            "seats": select(SEATS.c.table, SEATS.c.seat, SEATS.c.name).where(SEATS.c.person == person),
            "results": select(RESULTS).where(RESULTS.c.who == person),
            "ratings": select(RATINGS).where(RATINGS.c.who == person),
            "messages": select(MESSAGES.c.table, MESSAGES.c.text, MESSAGES.c.phrase, MESSAGES.c.said).where(
                MESSAGES.c.person == person
            ),
            "devices": select(DEVICES.c.language, DEVICES.c.added).where(DEVICES.c.person == person),
            "sessions": select(SESSIONS.c.began, SESSIONS.c.seen, SESSIONS.c.device).where(SESSIONS.c.person == person),
            "tournaments": select(ENTRANTS.c.tournament, ENTRANTS.c.joined, ENTRANTS.c.withdrawn).where(
                ENTRANTS.c.person == person
            ),
            "own_tournaments": select(TOURNAMENTS.c.id, TOURNAMENTS.c.name, TOURNAMENTS.c.opened).where(
                TOURNAMENTS.c.owner == person
            ),
            "waiting": select(WAITING_SEATS.c.waiting, WAITING_SEATS.c.seat, WAITING_SEATS.c.name).where(
                WAITING_SEATS.c.person == person
            ),
            "own_waiting": select(WAITING.c.id, WAITING.c.game, WAITING.c.opened).where(WAITING.c.owner == person),
            "sanctions": select(SANCTIONS.c.kind, SANCTIONS.c.name, SANCTIONS.c.made).where(
                SANCTIONS.c.person == person
            ),
            "reports": select(REPORTS.c.table, REPORTS.c.number, REPORTS.c.made).where(REPORTS.c.by == person),
            "puzzles": select(PUZZLE_TRIES.c.puzzle, PUZZLE_TRIES.c.solved, PUZZLE_TRIES.c.made).where(
                PUZZLE_TRIES.c.person == person
            ),
            "puzzle_rating": select(PUZZLE_RATINGS.c.rating, PUZZLE_RATINGS.c.tries).where(
                PUZZLE_RATINGS.c.who == person
            ),
            "relations": select(RELATIONS.c.kind).where(RELATIONS.c.person == person),
            "lessons": select(LESSONS_DONE.c.lesson, LESSONS_DONE.c.made).where(LESSONS_DONE.c.person == person),
            "analyses": select(ANALYSES.c.id, ANALYSES.c.document).where(ANALYSES.c.owner == person),
        }
        return {name: [dict(row) for row in connection.execute(query).mappings()] for name, query in queries.items()}


def _folded(text: str) -> str:
    """Return a text in the form in which words are compared: without accents and all that is invisible; letters that
    look alike are the same.
    """
    visible = (
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if letter.isspace() or (unicodedata.category(letter) not in _UNSEEN and letter not in _FILLERS)
    )
    return skeleton("".join(visible).casefold()).strip()
