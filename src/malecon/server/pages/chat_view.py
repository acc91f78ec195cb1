"""The conversation at a table as one listener hears it: nothing of the gallery reaches those who still play."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from malecon.kernel.game import Name
from malecon.server import community_texts as company
from malecon.server import texts
from malecon.server.accounts.presence import Present
from malecon.server.chat.conversations import Conversation
from malecon.server.chat.messages import GALLERY, READY, ChatMessage
from malecon.server.pages import rendering
from malecon.server.pages.drawings import initials
from malecon.server.storage.rows import PERSON
from malecon.server.tables.table import Table
from malecon.text import translate
from malecon.text.lists import commas

#: Names of those who look on that are shown.
MOST_WATCHERS = 12


def has_chat(table: Table) -> bool:
    """Whether there is anybody to talk to: not where one plays bots and told nobody."""
    return (table.row.is_shared or table.row.public) and not table.is_record


def may_read(table: Table, person: str, message: ChatMessage, unheard: Collection[str]) -> bool:
    """Whether somebody hears a message: not those they have muted, and while they play, nothing of the gallery."""
    if message.person in unheard:
        return False
    playing = bool(table.seats_of(person)) and not table.is_over
    return message.room != GALLERY or not playing or message.person == person


@dataclass
class ChatFollower:
    """One connection to a conversation: what it has heard, and how it is told the rest."""

    table: Table
    conversation: Conversation
    person: str
    language: str
    listens: bool  # whether they want to hear what is said
    unheard: Collection[str]
    _heard: set[int] | None = None
    _around: tuple[str, str] = field(default=("", ""))

    def message(self, present: Sequence[Present]) -> str | None:
        """What is new for this listener; None where nothing is."""
        told: dict[str, Any] = {}
        if self._heard is None:
            told["all"] = True
        heard = self._heard or set()
        news = [one for one in self.audible() if one.number not in heard]
        if news or self._heard is None:
            told["lines"] = [str(line(self.table, one, self.person, self.language)) for one in news]
            told["unread"] = sum(one.person != self.person for one in news)
        self._heard = heard | {one.number for one in news}
        around = here(self.table, present, self.language), stop(self.table, self.person, self.language)
        if around != self._around:
            self._around = around
            told |= {"here": around[0], "stop": around[1]}
        return msgspec.json.encode(told).decode() if told else None

    def audible(self) -> list[ChatMessage]:
        if not self.listens:
            return []
        return [one for one in self.conversation.messages if may_read(self.table, self.person, one, self.unheard)]


def line(table: Table, message: ChatMessage, person: str, language: str) -> Markup:
    """One message as it stands in the list."""
    colour = None if message.seat is None else table.match.game.colours[message.seat]
    if message.seat is not None:
        name = translate(message.name or texts.seat_names(table.match.game)[message.seat], language)
    elif message.account and message.name:
        name = message.name
    else:
        name = translate(company.guest_named(message.name) if message.name else company.GUEST, language)
    letter = name[:1].upper() if message.seat is None else initials(table.match.names, language)[message.seat]
    return _line(table.id, message, name, letter, colour, message.person == person, language)


@lru_cache(maxsize=5_000)
def _line(
    table: str, message: ChatMessage, name: str, letter: str, colour: str | None, mine: bool, language: str
) -> Markup:
    text = translate(READY[message.phrase], language) if message.phrase in READY else message.text
    return Markup(
        rendering.fragment(
            "said.html",
            language,
            letter=letter,
            table_id=table,
            message=message,
            name=name,
            text=text,
            colour=colour,
            mine=mine,
            is_gallery=message.room == GALLERY,
        )
    )


def here(table: Table, present: Sequence[Present], language: str) -> str:
    """Who looks on, and who of the players is away."""
    at = {one.person for one in present}
    seated = {seat.person for seat in table.row.seats if seat.kind == PERSON}
    watching = [one for one in present if one.person not in seated]
    named = sorted({one.person: one.name for one in watching if one.name}.values(), key=str.casefold)
    guests = len({one.person for one in watching}) - len(named) + len(named[MOST_WATCHERS:])
    names: list[Name] = [*named[:MOST_WATCHERS]]
    if guests:
        names.append(company.guests_here(guests))
    away: list[Name] = []
    if not table.is_over:
        away = [
            table.match.names[number]
            for number, seat in enumerate(table.row.seats)
            if seat.kind == PERSON and seat.person not in at
        ]
    told = []
    if names:
        told.append(translate(company.watching(commas(names)), language))
    if away:
        told.append(translate(company.away(commas(away)), language))
    return rendering.fragment("talk_here.html", language, told=told)


def stop(table: Table, person: str, language: str) -> str:
    """The agreement to stop, for those who play: who proposes it, who is still to agree."""
    mine = table.seats_of(person)
    if not mine or table.is_over or not table.row.is_shared:
        return ""
    seats = [(number, seat) for number, seat in enumerate(table.row.seats) if seat.kind == PERSON and not seat.resigned]
    agreed: list[Name] = [table.match.names[number] for number, seat in seats if seat.stop]
    missing: list[Name] = [table.match.names[number] for number, seat in seats if not seat.stop]
    return rendering.fragment(
        "talk_stop.html",
        language,
        table_id=table.id,
        wants=all(table.row.seats[seat].stop for seat in mine),
        agreed=translate(company.want_to_stop(commas(agreed)), language) if agreed else "",
        missing=translate(company.must_agree(commas(missing)), language) if agreed and missing else "",
    )
