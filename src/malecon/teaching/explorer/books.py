"""Books of choices: how often each option was offered and chosen, and how often those who chose it won.

All counts are integers, so that books add up in any order. Each game has its own questions.
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

#: A win in parts that up to five winners can share evenly.
WIN = 60
#: The format of the files.
FORMAT = 1


@dataclass(frozen=True)
class ChoiceMade:
    """A decision of a seat: the question that it answers, the options, and those chosen.

    Options are named like moves, but by what the move leads to, such as `drive pedro`.
    """

    question: str
    seat: int
    options: frozenset[str]
    chosen: tuple[str, ...]


@dataclass
class OptionCount:
    """How often an option was offered and chosen, and the parts of a win of those who chose it."""

    offered: int = 0
    chosen: int = 0
    wins: int = 0

    def add(self, other: OptionCount) -> None:
        self.offered += other.offered
        self.chosen += other.chosen
        self.wins += other.wins


@dataclass(frozen=True)
class OptionStatistics:
    """The statistics of an option. Intervals are Wilson's, for 95 %; a shared win counts in equal parts."""

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
    questions: dict[str, dict[str, OptionCount]] = field(default_factory=dict)

    @property
    def fair_share(self) -> float:
        """The share of wins of equal players."""
        return 1 / self.players

    def count(self, choices: Iterable[ChoiceMade], places: Sequence[int]) -> None:
        """Add a finished game: the choices in it, and the places of all seats, 1 for every winner."""
        if len(places) != self.players:
            raise BadSetup(say("games with different numbers of players cannot be counted together"))
        if 1 not in places:
            raise BadSetup(say("the game is not over yet"))
        self.games += 1
        part = WIN // list(places).count(1)
        for choice in choices:
            counts = self.questions.setdefault(choice.question, {})
            for option in sorted(choice.options):
                counts.setdefault(option, OptionCount()).offered += 1
            for option in choice.chosen:
                counts[option].chosen += 1
                counts[option].wins += part if places[choice.seat] == 1 else 0

    def add(self, other: Book) -> None:
        """Add the games of another book."""
        if other.players != self.players:
            raise BadSetup(say("games with different numbers of players cannot be counted together"))
        self.games += other.games
        for question, counts in other.questions.items():
            own_counts = self.questions.setdefault(question, {})
            for option, count in counts.items():
                own_counts.setdefault(option, OptionCount()).add(count)

    def choices_at(self, question: str) -> int:
        """Return how many choices were made at a question."""
        return sum(count.chosen for count in self.questions.get(question, {}).values())

    def rows(self, question: str) -> list[OptionStatistics]:
        """Return the options at a question, the most frequent first; none if the question never came up."""
        counts = self.questions.get(question, {}).items()
        return sorted(
            (_statistics(option, count) for option, count in counts), key=lambda row: (-row.chosen, row.option)
        )

    # --- files

    def as_dict(self, fewest: int = 1) -> dict[str, Any]:
        """Return the book for a file, without questions at which fewer choices were made."""
        kept = sorted(question for question in self.questions if self.choices_at(question) >= fewest)
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
            question: {option: OptionCount(*numbers) for option, numbers in counts.items()}
            for question, counts in data["questions"].items()
        }
        return cls(players, data["games"], questions)


def _statistics(option: str, count: OptionCount) -> OptionStatistics:
    won = count.wins / WIN
    return OptionStatistics(
        option=option,
        offered=count.offered,
        chosen=count.chosen,
        share=count.chosen / count.offered if count.offered else math.nan,
        share_interval=wilson(count.chosen, count.offered),
        win_rate=won / count.chosen if count.chosen else math.nan,
        interval=wilson(won, count.chosen),
    )


def shipped_file(game: str) -> Path | None:
    """Return the file with the books of a game; None if the game is a single module."""
    return registry.data_file(game, "teaching/explorer.json")


@functools.cache
def _file(game: str) -> dict[str, Any]:
    path = shipped_file(game)
    content: dict[str, Any] = json.loads(path.read_text("utf-8")) if path is not None and path.exists() else {}
    is_current = content.get("format") == FORMAT and content.get("rules") == registry.get(game).rules_version
    return content if is_current else {}


@functools.cache
def shipped(game: str, players: int) -> Book:
    """Return the book of the shipped games; an empty one if there are none, or only of other rules."""
    data = _file(registry.get(game).name).get("books", {}).get(str(players))
    return Book(players) if data is None else Book.of_dict(players, data)


def bot_of(game: str) -> str:
    """Return the bot that played the shipped games; an empty text if there are none."""
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
