"""The five levels of play, from the weakest to the strongest. Each is a specification with a name and a description."""

from __future__ import annotations

from dataclasses import dataclass

from malecon.kernel.phrases import Phrase, say


@dataclass(frozen=True)
class Level:
    """A level: its key for the command line, its name and description, and the specification of its bot."""

    key: str
    name: Phrase
    description: Phrase
    spec: str


LEVELS = (
    Level(
        "turista",
        Phrase("Turista", context="level"),
        say("New in town: grabs what glitters, overlooks half of what is on offer and never looks ahead."),
        "greedy:miss=0.5",
    ),
    Level(
        "aprendiz",
        Phrase("Aprendiz", context="level"),
        say("Knows the rules by heart and takes whatever looks best right now, without a thought for the next turn."),
        "greedy",
    ),
    Level(
        "comerciante",
        Phrase("Comerciante", context="level"),
        say("Remembers what it has seen and looks a little ahead."),
        "search:sims=20,policy=worth,c=1,miss=0.05",
    ),
    Level(
        "capitan",
        Phrase("Capitán", context="level"),
        say("Thinks no longer than the Comerciante, but has learned from a hundred thousand games."),
        "search:sims=6",
    ),
    Level(
        "patron",
        Phrase("El Patrón", context="level"),
        say("Our strongest: thinks about every move for up to a second and a half."),
        "search:ms=1500",
    ),
)
BY_KEY = {level.key: level for level in LEVELS}
