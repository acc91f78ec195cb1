"""Puzzles: positions in which one move is clearly best, with their themes and how hard they are; and the shipped ones.

How they are made is in `making`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.kernel.view import View
from malecon.match import Match, Move

#: The data file of a game.
FILE = "teaching/puzzles.jsonl.xz"
#: What a puzzle is rated before anybody has tried it, by how much thought it needs.
RATINGS = (900, 1100, 1300, 1500, 1700, 1900)


@dataclass(frozen=True)
class Puzzle:
    """A position and its one good move. The moves lead to it from the setup on, chance's included."""

    game: str
    players: int
    moves: tuple[str, ...]
    solution: str
    tempting: str  # the move that looks best beside it
    chance: float  # to win, with the solution
    lead: float  # how far every other move stays behind
    thought: int  # how many of the budgets of a search are too small for it
    themes: tuple[str, ...]

    @functools.cached_property
    def match(self) -> Match:
        """The game up to the position; nothing of it is for the solver but the view of the seat that is to move."""
        match = Match(self.game, self.players)
        code = match.game.notation.code
        match.make_all([_known(code(move)) for move in self.moves])
        return match

    @functools.cached_property
    def key(self) -> str:
        """What the puzzle is known by, wherever it stands in a file."""
        told = "|".join((self.game, str(self.players), *self.moves, self.solution))
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    @property
    def seat(self) -> int:
        """Who is to move."""
        turn = self.match.turn
        assert turn is not None
        return turn

    @property
    def view(self) -> View:
        """All that the solver may know."""
        return self.match.view(self.seat)

    @property
    def rating(self) -> int:
        """How hard it is, before anybody has tried it."""
        return RATINGS[self.thought]


def _known(code: int | None) -> int:
    if code is None:
        raise BadSetup(say("these puzzles were made with another version of the rules"))
    return code


@dataclass(frozen=True)
class Source:
    """A game with the puzzles found in it, as one line of a file: the moves up to the last of them."""

    game: str
    rules: int
    players: int
    seed: int
    moves: tuple[str, ...]
    found: tuple[dict[str, Any], ...]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Source:
        return cls(**{**data, "moves": tuple(data["moves"]), "found": tuple(data["found"])})

    def puzzles(self) -> Iterator[Puzzle]:
        for one in self.found:
            fields = {key: value for key, value in one.items() if key not in ("moves", "themes")}
            yield Puzzle(self.game, self.players, self.moves[: one["moves"]], themes=tuple(one["themes"]), **fields)


def read(file: Path) -> list[Source]:
    """The games of a file of puzzles, packed or not."""
    raw = file.read_bytes()
    text = (lzma.decompress(raw) if file.suffix == ".xz" else raw).decode("utf-8")
    return [Source.read(json.loads(line)) for line in text.splitlines()]


@functools.cache
def shipped(game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles in a game's folder; those of older rules are left out."""
    file = registry.data_file(game, FILE)
    return puzzles_in(file, game) if file is not None and file.exists() else ()


def puzzles_in(file: Path, game: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file that are of a game and by its rules of today."""
    wanted = (game, registry.get(game).rules_version)
    sources = [source for source in read(file) if (source.game, source.rules) == wanted]
    return tuple(puzzle for source in sources for puzzle in source.puzzles())


def likeness(puzzle: Puzzle) -> bytes:
    """Equal for puzzles that are the same but for the colours: seats are counted from the one to move.

    Fields that name a seat are left out, so it may also be equal for puzzles that differ in them alone.
    """
    game, position, seat = puzzle.match.game, puzzle.view.position, puzzle.seat
    parts = [puzzle.players.to_bytes(1, "little")]
    for field in game.dtype.names or ():
        value = position[field]
        if _is_of_seats(game, field, position):
            rotated = [value[(seat + n) % puzzle.players] for n in range(puzzle.players)]
            parts += [part.tobytes() for part in rotated]
        elif field not in SEAT_FIELDS:
            parts.append(value.tobytes())
    return b"|".join(parts)


#: Fields of positions that hold a seat, or a bit for each.
SEAT_FIELDS = {"actor", "active", "starter", "owner", "passed", "town_hall", "bidders", "tax_paid"}


def _is_of_seats(game: Game, field: str, position: Position) -> bool:
    shape = position[field].shape
    return bool(shape) and shape[0] == game.most_players and field not in SEAT_FIELDS


def theme_name(game: str, theme: str) -> Phrase:
    """What a theme is called."""
    part = registry.component(game, "teaching.themes")
    known: Mapping[str, Phrase] = {} if part is None else part.THEMES
    return known.get(theme) or say("{text}", text=theme)


def themes_of(match: Match, move: Move) -> Sequence[str]:
    """What a puzzle is about; the game's own words for it are in its module of the teacher."""
    part = registry.component(match.game.name, "teaching.themes")
    if part is None:
        return ()
    themes: Sequence[str] = part.themes(match.position, move.code)
    return themes


def is_of_two(match: Match, move: Move) -> bool:
    """Whether a choice between two moves is worth a puzzle, by its theme."""
    wanted = getattr(registry.component(match.game.name, "teaching.themes"), "OF_TWO", ())
    return any(theme in wanted for theme in themes_of(match, move))
