"""Reads the choices of a finished game, move by move. What is worth asking, each game says in a module of its own.

Such a module has `key(position, code)`, the name of an option that belongs to an opening, or None; `table(position,
seat, before)`, the question of a table that this decision answers, or None; `read_table`, its options; `name(option)`;
and `CHAPTERS`, the tables in the order in which they are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np

from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.playing import make_move
from malecon.kernel.verbs import Position
from malecon.match import Match, Move, check_setup
from malecon.teaching.explorer.books import Choice, Row, shipped

#: The question of the first choice in a game; `after` names those that follow it.
OPENING = "opening"
#: So many choices are an opening.
DEPTH = 8


@dataclass(frozen=True)
class Chapter:
    """A table of choices: its title, and what its questions are called, in order."""

    title: Phrase
    questions: Mapping[str, Phrase]


class Part(Protocol):
    """What a game brings."""

    CHAPTERS: Sequence[Chapter]

    def key(self, position: Position, code: int) -> str | None: ...
    def table(self, position: Position, seat: int, before: Counter[tuple[int, str]]) -> str | None: ...
    def read_table(self, position: Position, codes: Sequence[int], code: int) -> tuple[frozenset[str], tuple[str, ...]]: ...  # fmt: skip # noqa: E501
    def name(self, option: str) -> Phrase: ...


def part_of(game: str) -> Part | None:
    """What a game brings for the explorer; None for a game that brings nothing."""
    return cast("Part | None", registry.component(game, "teaching.explorer"))


def chapters(game: str) -> Sequence[Chapter]:
    found = part_of(game)
    return () if found is None else found.CHAPTERS


def name_of(game: str, option: str) -> Phrase:
    """What an option is called."""
    found = part_of(game)
    return say("{text}", text=option) if found is None else found.name(option)


def after(path: Sequence[str]) -> str:
    """The question that follows these choices of an opening."""
    return "/".join((OPENING, *path))


def explore(game: str, players: int, path: Sequence[str] = ()) -> list[Row]:
    """What was chosen after the first choices of a game, in the shipped games: `explore("cuba", 3, ["worker"])`."""
    check_setup(registry.get(game), players, {})
    return shipped(game, players).rows(after(path))


def is_counted(game: Game, options: Mapping[str, object]) -> bool:
    """Only tables with the usual options are alike enough to be counted together."""
    usual = {name: option.default for name, option in game.options.items()}
    return part_of(game.name) is not None and {**usual, **options} == usual


def read_match(match: Match) -> list[Choice]:
    """The choices of a finished game; one that is still being played has none to tell."""
    if not match.is_over:
        raise BadSetup(say("the game is not over yet"))
    codes = [turn.move.code for turn in match.history if isinstance(turn.move, Move)]
    return read(match.game, match.players, codes)


def read(game: Game, players: int, codes: Sequence[int]) -> list[Choice]:
    """The choices in the moves of a game with the usual options, chance's moves included."""
    part = part_of(game.name)
    if part is None:
        return []
    position = game.new_position(players)
    moves = np.empty(game.most_legal, np.int16)
    found: list[Choice] = []
    path: list[str] = []
    before: Counter[tuple[int, str]] = Counter()
    for made, code in enumerate(codes):
        seat = int(verbs.actor(position))
        if seat >= 0:
            key = part.key(position, code) if len(path) < DEPTH else None
            table = part.table(position, seat, before)
            if key is not None or table is not None:
                legal = moves[: verbs.legal(position, moves)].tolist()
                if key is not None:
                    options = frozenset(filter(None, (part.key(position, other) for other in legal)))
                    found.append(Choice(after(path), seat, options, (key,)))
                    path.append(key)
                if table is not None:
                    open_to, chosen = part.read_table(position, legal, code)
                    if chosen:
                        found.append(Choice(table, seat, open_to, chosen))
                        before[seat, table.partition(" ")[0]] += 1
        make_move(position, code, made)
    return found
