"""What can be said: one message as plain values, ready phrases, and plain text without tricks."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import Phrase, say

#: Where something is said: by those who play, or by those who look on.
SEATED, GALLERY = "seated", "gallery"
LONGEST = 300
#: Marks above and below one letter; more of them are a trick.
MOST_MARKS = 3
#: Joins letters and pictures in some scripts: no trick, though nobody sees it.
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
    """Something that was said at a table."""

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
    """Text without anything that is not seen or turns other text round; BadSetup where nothing or too much is left."""
    found, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if letter.isspace():
            found.append(" ")
        elif marks <= MOST_MARKS and (letter.isprintable() or letter in _JOINERS):
            found.append(letter)
    kept = " ".join("".join(found).split())
    if not kept.strip(_JOINERS + " "):
        raise BadSetup(say("say something first"))
    if len(kept) > LONGEST:
        raise BadSetup(say("a message has at most {most} characters", most=LONGEST))
    return kept


def check_ready(key: str) -> str:
    if key not in READY:
        raise BadSetup(say("there is no such phrase"))
    return key
