"""Reads the choices of a finished game, move by move. A game's module `teaching.explorer` says which choices count.

`GameExplorer` describes such a module.
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
from malecon.match import Match, check_setup
from malecon.teaching.explorer.books import ChoiceMade, OptionStatistics, shipped

#: The question of the first choice in a game; `after` names those that follow it.
OPENING = "opening"
#: The number of choices that are an opening.
DEPTH = 8


@dataclass(frozen=True)
class ChoiceTable:
    """A table of choices: its title, and the names of its questions, in order."""

    title: Phrase
    questions: Mapping[str, Phrase]


class GameExplorer(Protocol):
    """What a game's module `teaching.explorer` provides."""

    TABLES: Sequence[ChoiceTable]  # in the order in which they are shown

    def key(self, position: Position, code: int) -> str | None:
        """Return the option of the opening that a move is, or None if it does not count."""

    def table(self, position: Position, seat: int, before: Counter[tuple[int, str]]) -> str | None:
        """Return the question of a table that this decision answers, or None."""

    def read_table(self, position: Position, codes: Sequence[int], code: int) -> tuple[frozenset[str], tuple[str, ...]]:
        """Return the options of that question, by the legal moves, and those that a move chooses."""

    def name(self, option: str) -> Phrase:
        """Return what an option is called."""


def game_explorer(game: str) -> GameExplorer | None:
    """Return what a game provides for the explorer, or None."""
    return cast("GameExplorer | None", registry.component(game, "teaching.explorer"))


def tables(game: str) -> Sequence[ChoiceTable]:
    """Return the tables of a game, in the order in which they are shown."""
    own = game_explorer(game)
    return () if own is None else own.TABLES


def name_of(game: str, option: str) -> Phrase:
    """Return what an option is called."""
    own = game_explorer(game)
    return say("{text}", text=option) if own is None else own.name(option)


def after(path: Sequence[str]) -> str:
    """Return the question that follows these choices of an opening."""
    return "/".join((OPENING, *path))


def explore(game: str, players: int, path: Sequence[str] = ()) -> list[OptionStatistics]:
    """Return what followed the first choices of a game in the shipped games: `explore("cuba", 3, ["worker"])`."""
    check_setup(registry.get(game), players, {})
    return shipped(game, players).rows(after(path))


def is_counted(game: Game, options: Mapping[str, object]) -> bool:
    """Whether games with these options are counted: only those with the default options are alike enough."""
    usual = {name: option.default for name, option in game.options.items()}
    return game_explorer(game.name) is not None and {**usual, **options} == usual


def read_match(match: Match) -> list[ChoiceMade]:
    """Return the choices of a finished game."""
    if not match.is_over:
        raise BadSetup(say("the game is not over yet"))
    codes = match.history.codes.tolist()
    return read(match.game, match.players, codes)


def read(game: Game, players: int, codes: Sequence[int]) -> list[ChoiceMade]:
    """Return the choices in the moves of a game with the default options; the moves include chance's."""
    own = game_explorer(game.name)
    if own is None:
        return []
    position = game.new_position(players)
    moves = np.empty(game.most_legal, np.int16)
    choices: list[ChoiceMade] = []
    path: list[str] = []
    before: Counter[tuple[int, str]] = Counter()
    for made, code in enumerate(codes):
        seat = int(verbs.actor(position))
        if seat >= 0:
            key = own.key(position, code) if len(path) < DEPTH else None
            table = own.table(position, seat, before)
            if key is not None or table is not None:
                legal = moves[: verbs.legal(position, moves)].tolist()
                if key is not None:
                    options = frozenset(filter(None, (own.key(position, other) for other in legal)))
                    choices.append(ChoiceMade(after(path), seat, options, (key,)))
                    path.append(key)
                if table is not None:
                    open_to, chosen = own.read_table(position, legal, code)
                    if chosen:
                        choices.append(ChoiceMade(table, seat, open_to, chosen))
                        before[seat, table.partition(" ")[0]] += 1
        make_move(position, code, made)
    return choices
