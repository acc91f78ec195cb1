"""Books of choices: how often each was open to somebody, how often it was made, and what share of the win it brought.

Whole numbers only, so that books add up in any order. What the questions are is each game's own affair.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.simulation.intervals import wilson

#: A win is so many parts, since up to five may share it.
WIN = 60
#: The format of the files.
FORMAT = 1


@dataclass(frozen=True)
class Choice:
    """One decision of a seat: the question that it answers, what was possible, and what was chosen of it.

    Names of options are notation, with what a move leads to in place of what it is called, such as `drive pedro`.
    """

    question: str
    seat: int
    options: frozenset[str]
    chosen: tuple[str, ...]


@dataclass
class Count:
    """Of one option: how often somebody could choose it, how often somebody did, and their parts of the win."""

    offered: int = 0
    chosen: int = 0
    wins: int = 0

    def add(self, other: Count) -> None:
        self.offered += other.offered
        self.chosen += other.chosen
        self.wins += other.wins


@dataclass(frozen=True)
class Row:
    """One option as it is shown. Intervals are Wilson's, for 95 %; a shared win counts in equal parts."""

    option: str
    offered: int
    chosen: int
    share: float  # of those who could choose it
    share_interval: tuple[float, float]
    win_rate: float  # of those who did
    interval: tuple[float, float]


@dataclass
class Book:
    """All choices of the games with one number of players."""

    players: int
    games: int = 0
    questions: dict[str, dict[str, Count]] = field(default_factory=dict)

    @property
    def fair_share(self) -> float:
        """How often equals win."""
        return 1 / self.players

    def count(self, choices: Iterable[Choice], places: Sequence[int]) -> None:
        """Add a finished game: what was chosen in it, and the places of all seats, 1 for every winner."""
        if len(places) != self.players:
            raise BadSetup(say("games with different numbers of players cannot be counted together"))
        if 1 not in places:
            raise BadSetup(say("the game is not over yet"))
        self.games += 1
        part = WIN // list(places).count(1)
        for choice in choices:
            counts = self.questions.setdefault(choice.question, {})
            for option in sorted(choice.options):
                counts.setdefault(option, Count()).offered += 1
            for option in choice.chosen:
                counts[option].chosen += 1
                counts[option].wins += part if places[choice.seat] == 1 else 0

    def add(self, other: Book) -> None:
        """The games of another book, too."""
        if other.players != self.players:
            raise BadSetup(say("games with different numbers of players cannot be counted together"))
        self.games += other.games
        for question, counts in other.questions.items():
            mine = self.questions.setdefault(question, {})
            for option, count in counts.items():
                mine.setdefault(option, Count()).add(count)

    def asked(self, question: str) -> int:
        """How often something was chosen there."""
        return sum(count.chosen for count in self.questions.get(question, {}).values())

    def rows(self, question: str) -> list[Row]:
        """What was chosen there, the most frequent first; nothing where nobody ever was asked."""
        found = self.questions.get(question, {}).items()
        return sorted((_row(option, count) for option, count in found), key=lambda row: (-row.chosen, row.option))

    # --- files

    def as_dict(self, fewest: int = 1) -> dict[str, Any]:
        """For a file; questions that were asked less often are left out."""
        kept = sorted(question for question in self.questions if self.asked(question) >= fewest)
        return {
            "games": self.games,
            "questions": {
                question: {
                    option: [count.offered, count.chosen, count.wins]
                    for option, count in sorted(self.questions[question].items())
                }
                for question in kept
            },
        }

    @classmethod
    def of_dict(cls, players: int, data: Mapping[str, Any]) -> Book:
        questions = {
            question: {option: Count(*numbers) for option, numbers in counts.items()}
            for question, counts in data["questions"].items()
        }
        return cls(players, data["games"], questions)


def _row(option: str, count: Count) -> Row:
    won = count.wins / WIN
    return Row(
        option=option,
        offered=count.offered,
        chosen=count.chosen,
        share=count.chosen / count.offered if count.offered else math.nan,
        share_interval=wilson(count.chosen, count.offered),
        win_rate=won / count.chosen if count.chosen else math.nan,
        interval=wilson(won, count.chosen),
    )


def shipped_file(game: str) -> Path | None:
    """Return where the books of a game are; None if the game is a single module."""
    return registry.data_file(game, "teaching/explorer.json")


@functools.cache
def _file(game: str) -> dict[str, Any]:
    path = shipped_file(game)
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path is not None and path.exists() else {}
    known = found.get("format") == FORMAT and found.get("rules") == registry.get(game).rules_version
    return found if known else {}


@functools.cache
def shipped(game: str, players: int) -> Book:
    """The games of self-play that come with Malecón; an empty book where there are none, or only by other rules."""
    data = _file(registry.get(game).name).get("books", {}).get(str(players))
    return Book(players) if data is None else Book.of_dict(players, data)


def bot_of(game: str) -> str:
    """Who played the shipped games; nothing where there are none."""
    return str(_file(registry.get(game).name).get("bot", ""))


def write(game: str, bot: str, seed: int, books: Iterable[Book], file: Path, fewest: int) -> None:
    """Write a file that can be shipped."""
    data = {
        "format": FORMAT,
        "game": game,
        "rules": registry.get(game).rules_version,
        "bot": bot,
        "seed": seed,
        "books": {str(book.players): book.as_dict(fewest) for book in books},
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    file.write_text(text.replace('},"', '},\n"') + "\n", "utf-8")
