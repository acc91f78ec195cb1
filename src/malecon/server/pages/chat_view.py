"""The conversation at a table as one reader sees it: players read what spectators say only after the game."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from malecon.kernel.game import Name
from malecon.kernel.phrases import counted, say
from malecon.server.accounts.presence import Presence, PresentPerson
from malecon.server.accounts.visitors import Visitor
from malecon.server.chat.conversations import BLOCKED, MUTED, Conversation, Conversations
from malecon.server.chat.messages import GALLERY, READY, ChatMessage
from malecon.server.names import seat_names
from malecon.server.pages import rendering
from malecon.server.pages.drawings import initials
from malecon.server.storage.rows import PERSON
from malecon.server.tables.table import Table
from malecon.text import translate
from malecon.text.lists import commas

#: Spectators that are listed by name.
MOST_WATCHERS = 12


def has_chat(table: Table) -> bool:
    """Return whether a table has a chat: not if one person plays against bots and the table is not public."""
    return (table.row.is_shared or table.row.public) and not table.is_record


def may_read(table: Table, person: str, message: ChatMessage, muted: Collection[str]) -> bool:
    """Return whether a person may read a message: nothing of muted people and, while they play, of spectators."""
    if message.person in muted:
        return False
    playing = bool(table.seats_of(person)) and not table.is_over
    return message.room != GALLERY or not playing or message.person == person


@dataclass
class ChatFollower:
    """One connection to a conversation: what it has been sent, and what is new for it."""

    table: Table
    conversation: Conversation
    person: str
    language: str
    wants_messages: bool  # whether they take part in conversations
    muted: Collection[str]
    _sent: set[int] | None = None
    _surroundings: tuple[str, str] = field(default=("", ""))

    def message(self, present: Sequence[PresentPerson]) -> str | None:
        """Return what is new for this reader as JSON; None if nothing is."""
        delta: dict[str, Any] = {}
        if self._sent is None:
            delta["all"] = True
        sent, readable = self._sent or set(), self.readable()
        new = [message for message in readable if message.number not in sent]
        if new or self._sent is None:
            delta["lines"] = [str(line(self.table, message, self.person, self.language)) for message in new]
            delta["unread"] = sum(message.person != self.person for message in new)
        self._sent = {message.number for message in readable}
        if sent - self._sent:  # hidden, deleted, no longer for this reader, or too old to be listed
            delta["gone"] = sorted(sent - self._sent)
        surroundings = here(self.table, present, self.language), stop(self.table, self.person, self.language)
        if surroundings != self._surroundings:
            self._surroundings = surroundings
            delta |= {"here": surroundings[0], "stop": surroundings[1]}
        return msgspec.json.encode(delta).decode() if delta else None

    def readable(self) -> list[ChatMessage]:
        if not self.wants_messages:
            return []
        return [
            message for message in self.conversation.messages if may_read(self.table, self.person, message, self.muted)
        ]


def line(table: Table, message: ChatMessage, person: str, language: str) -> Markup:
    """Return the HTML of a message in the list."""
    colour = None if message.seat is None else table.match.game.colours[message.seat]
    if message.seat is not None:
        name = translate(message.name or seat_names(table.match.game)[message.seat], language)
    elif message.account and message.name:
        name = message.name
    else:
        name = translate(say("{name} (guest)", name=message.name) if message.name else say("Guest"), language)
    letter = name[:1].upper() if message.seat is None else initials(table.match.names, language)[message.seat]
    return _line(table.id, message, name, letter, colour, message.person == person, language)


@lru_cache(maxsize=5_000)
def _line(
    table: str, message: ChatMessage, name: str, letter: str, colour: str | None, is_own: bool, language: str
) -> Markup:
    text = translate(READY[message.phrase], language) if message.phrase in READY else message.text
    return Markup(
        rendering.fragment(
            "chat_message.html",
            language,
            letter=letter,
            table_id=table,
            message=message,
            name=name,
            text=text,
            colour=colour,
            mine=is_own,
            is_gallery=message.room == GALLERY,
        )
    )


def here(table: Table, present: Sequence[PresentPerson], language: str) -> str:
    """Return the HTML that names the spectators and the players who are away."""
    online = {person.person for person in present}
    seated = {seat.person for seat in table.row.seats if seat.kind == PERSON}
    watching = [person for person in present if person.person not in seated]
    named = sorted({person.person: person.name for person in watching if person.name}.values(), key=str.casefold)
    guests = len({person.person for person in watching}) - len(named) + len(named[MOST_WATCHERS:])
    names: list[Name] = [*named[:MOST_WATCHERS]]
    if guests:
        names.append(counted("{n} guest", "{n} guests", guests))
    away: list[Name] = []
    if not table.is_over:
        away = [
            table.match.names[number]
            for number, seat in enumerate(table.row.seats)
            if seat.kind == PERSON and seat.person not in online
        ]
    sentences = []
    if names:
        sentences.append(translate(say("Watching: {names}.", names=commas(names)), language))
    if away:
        sentences.append(translate(say("Away: {names}.", names=commas(away)), language))
    return rendering.fragment("chat_presence.html", language, sentences=sentences)


def stop(table: Table, person: str, language: str) -> str:
    """Return the HTML of the agreement to stop, for players: who proposes it, who has still to agree."""
    own = table.seats_of(person)
    if not own or table.is_over or not table.row.is_shared:
        return ""
    seats = [(number, seat) for number, seat in enumerate(table.row.seats) if seat.kind == PERSON and not seat.resigned]
    agreed: list[Name] = [table.match.names[number] for number, seat in seats if seat.stop]
    missing: list[Name] = [table.match.names[number] for number, seat in seats if not seat.stop]
    return rendering.fragment(
        "chat_stop.html",
        language,
        table_id=table.id,
        wants=all(table.row.seats[seat].stop for seat in own),
        agreed=translate(say("For stopping: {names}.", names=commas(agreed)), language) if agreed else "",
        missing=translate(say("Still to agree: {names}.", names=commas(missing)), language)
        if agreed and missing
        else "",
    )


async def muted_people(conversations: Conversations, visitor: Visitor) -> frozenset[str]:
    """Return the people whose messages a visitor does not want to read."""
    if visitor.is_new:
        return frozenset()
    relations = await asyncio.to_thread(conversations.relations, visitor.person)
    return frozenset(other for other, kind in relations.items() if kind in (MUTED, BLOCKED))


async def chat_panel(
    conversations: Conversations, presence: Presence, table: Table, visitor: Visitor
) -> dict[str, Any] | None:
    """Return what the page of a table shows of its conversation before it is connected; None if it has no chat."""
    if not has_chat(table):
        return None
    muted = await muted_people(conversations, visitor)
    conversation = await conversations.of(table.id)
    follower = ChatFollower(table, conversation, visitor.person, visitor.language, visitor.choices.talk, muted)
    plays = bool(table.seats_of(visitor.person))
    return {
        "lines": [line(table, message, visitor.person, visitor.language) for message in follower.readable()],
        "here": Markup(here(table, presence.at(table.id), visitor.language)),
        "stop": Markup(stop(table, visitor.person, visitor.language)),
        "ready": READY,
        "hint": say("Players and spectators read this. You will see what spectators say when the game is over.")
        if plays
        else say("You are a spectator: the players will see what you say when the game is over."),
    }
