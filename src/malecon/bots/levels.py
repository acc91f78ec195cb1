"""The five levels of play, from a visitor's first day to the strongest we have. Each is a specification with a name."""

from __future__ import annotations

from dataclasses import dataclass

from malecon.kernel.phrases import Phrase


@dataclass(frozen=True)
class Level:
    """A level: its key for the command line, its name and honest description, and the bot behind it."""

    key: str
    name: Phrase
    description: Phrase
    spec: str


def _level(key: str, name: str, description: str, spec: str) -> Level:
    return Level(key, Phrase(name, context="level"), Phrase(description), spec)


LEVELS = (
    _level(
        "turista",
        "Turista",
        "New in town: takes what glitters, overlooks half of what is on offer and never looks ahead.",
        "greedy:miss=0.5",
    ),
    _level(
        "aprendiz",
        "Aprendiz",
        "Knows the rules by heart and takes what looks best at once, but does not think about the next turn.",
        "greedy",
    ),
    _level(
        "comerciante",
        "Comerciante",
        "Remembers what was seen and looks a little ahead.",
        "search:sims=20",
    ),
    _level(
        "capitan",
        "Capitán",
        "Forgets nothing that was seen and thinks ten times as hard as the Comerciante.",
        "search:sims=200",
    ),
    _level(
        "patron",
        "El Patrón",
        "The strongest we have: thinks for up to a second and a half about every move.",
        "search:ms=1500",
    ),
)
BY_KEY = {level.key: level for level in LEVELS}
