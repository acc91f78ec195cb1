"""Chat messages: one message as plain values, ready phrases, and the cleaning of text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import Phrase, say

#: Where a message is said: among the players, or among the spectators.
SEATED = "seated"
GALLERY = "gallery"
ROOMS = SEATED, GALLERY
#: Characters of a message.
LONGEST = 300
#: Marks above and below one letter; more of them cover other lines.
MOST_MARKS = 3
#: Invisible, but needed to join letters and emoji in some scripts.
_JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
#: Every reader sees these in their own language.
READY: dict[str, Phrase] = {
    "hello": say("Hello!"),
    "luck": say("Good luck, everybody!"),
    "moment": say("One moment, please."),
    "back": say("I am back."),
    "thinking": say("I am still thinking."),
    "nice": say("Nice move!"),
    "oops": say("Oops!"),
    "thanks": say("Thank you!"),
    "sorry": say("Sorry!"),
    "played": say("Well played!"),
    "again": say("Another game?"),
    "bye": say("I must go. Goodbye!"),
}


@dataclass(frozen=True)
class ChatMessage:
    """A message at a table."""

    number: int
    room: str
    person: str
    seat: int | None
    name: str | None
    account: bool
    text: str
    phrase: str | None
    said: float
    hidden: bool = False


def plain(text: str) -> str:
    """Return a text without invisible and direction characters; raise BadSetup if nothing or too much is left."""
    letters, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if letter.isspace():
            letters.append(" ")
        elif marks <= MOST_MARKS and (letter.isprintable() or letter in _JOINERS):
            letters.append(letter)
    cleaned = " ".join("".join(letters).split())
    if not cleaned.strip(_JOINERS + " "):
        raise BadSetup(say("say something first"))
    if len(cleaned) > LONGEST:
        raise BadSetup(say("a message has at most {most} characters", most=LONGEST))
    return cleaned


def check_ready(key: str) -> str:
    if key not in READY:
        raise BadSetup(say("there is no such phrase"))
    return key
