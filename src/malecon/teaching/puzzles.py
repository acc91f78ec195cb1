"""Puzzles: positions in which one move is clearly best, with their themes and how hard they are; and the shipped ones.

`puzzle_generation` makes them.
"""

from __future__ import annotations

import functools
import hashlib
import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.view import View
from malecon.match import Match, Move

#: The data file with the puzzles of a game.
FILE = "teaching/puzzles.jsonl.xz"
#: The first rating of a puzzle, by `Puzzle.thought`.
RATINGS = (900, 1100, 1300, 1500, 1700, 1900)


@dataclass(frozen=True)
class Puzzle:
    """A position and its one good move. The moves lead to it from the setup, chance's included."""

    game: str
    players: int
    moves: tuple[str, ...]
    solution: str
    tempting: str  # the second best move
    chance: float  # to win, with the solution
    lead: float  # how far every other move stays behind
    thought: int  # how many of the budgets in `puzzle_generation` are too small to solve it
    themes: tuple[str, ...]
    proof: str = ""  # what is proven about the solution, see `bots.verdicts`; no other move is proven to be as good

    @functools.cached_property
    def match(self) -> Match:
        """The game up to the position. The solver may only see the view of the seat that is to move."""
        match = Match(self.game, self.players)
        code = match.game.notation.code
        match.make_all([_check_code(code(move)) for move in self.moves])
        return match

    @functools.cached_property
    def key(self) -> str:
        """A key that identifies the puzzle in any file."""
        text = "|".join((self.game, str(self.players), *self.moves, self.solution))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def seat(self) -> int:
        """The seat that is to move."""
        turn = self.match.turn
        assert turn is not None
        return turn

    @property
    def view(self) -> View:
        """What the solver may know."""
        return self.match.view(self.seat)

    @property
    def rating(self) -> int:
        """Its rating before the first try."""
        return RATINGS[self.thought]


def _check_code(code: int | None) -> int:
    if code is None:
        raise BadSetup(say("these puzzles were made with another version of the rules"))
    return code


@dataclass(frozen=True)
class PuzzleGame:
    """A game with the puzzles in it, one line of a file; its moves go up to the last puzzle."""

    game: str
    rules: int
    players: int
    seed: int
    moves: tuple[str, ...]
    entries: tuple[dict[str, Any], ...]  # of the puzzles; `moves` is the number of moves before each

    @classmethod
    def from_json(cls, line: str) -> PuzzleGame:
        """Return the game in a line of a file."""
        data = json.loads(line)
        return cls(
            data["game"], data["rules"], data["players"], data["seed"], tuple(data["moves"]), tuple(data["found"])
        )

    def to_json(self) -> str:
        """Return the game as a line of a file."""
        data = {
            "game": self.game,
            "rules": self.rules,
            "players": self.players,
            "seed": self.seed,
            "moves": self.moves,
            "found": self.entries,
        }
        return json.dumps(data, separators=(",", ":"))

    def puzzles(self) -> Iterator[Puzzle]:
        """Yield the puzzles of the game."""
        for entry in self.entries:
            fields = {key: value for key, value in entry.items() if key not in ("moves", "themes")}
            moves, themes = self.moves[: entry["moves"]], tuple(entry["themes"])
            yield Puzzle(self.game, self.players, moves, themes=themes, **fields)


def read(file: Path) -> list[PuzzleGame]:
    """Return the games in a file of puzzles, compressed or not."""
    raw = file.read_bytes()
    text = (lzma.decompress(raw) if file.suffix == ".xz" else raw).decode("utf-8")
    return [PuzzleGame.from_json(line) for line in text.splitlines()]


@functools.cache
def shipped(game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles in a game's folder, without those of older rules."""
    file = registry.data_file(game, FILE)
    return puzzles_in(file, game) if file is not None and file.exists() else ()


def puzzles_in(file: Path, game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles in a file that belong to a game and its present rules."""
    current = (game, registry.get(game).rules_version)
    games = [played for played in read(file) if (played.game, played.rules) == current]
    return tuple(puzzle for played in games for puzzle in played.puzzles())


def colourless_key(puzzle: Puzzle) -> bytes:
    """Return a key that is equal for puzzles that differ only in their colours: seats count from the one to move.

    Fields that hold a seat are left out, so the keys of puzzles that differ only in these are equal too.
    """
    game, position, seat = puzzle.match.game, puzzle.view.position, puzzle.seat
    seat_fields: frozenset[str] = getattr(registry.component(game.name, "teaching.themes"), "SEAT_FIELDS", frozenset())
    parts = [puzzle.players.to_bytes(1, "little")]
    for field in game.dtype.names or ():
        value = position[field]
        if field in seat_fields:
            continue
        if value.shape and value.shape[0] == game.most_players:
            rotated = [value[(seat + n) % puzzle.players] for n in range(puzzle.players)]
            parts += [part.tobytes() for part in rotated]
        else:
            parts.append(value.tobytes())
    return b"|".join(parts)


def theme_name(game: str, theme: str) -> Phrase:
    """Return what a theme is called."""
    names: Mapping[str, Phrase] = getattr(registry.component(game, "teaching.themes"), "THEMES", {})
    return names.get(theme) or say("{text}", text=theme)


def themes_of(match: Match, move: Move) -> Sequence[str]:
    """Return the themes of a decision, as the game's module `teaching.themes` names them."""
    component = registry.component(match.game.name, "teaching.themes")
    return () if component is None else cast("Sequence[str]", component.themes(match.position, move.code))


def allows_two_moves(match: Match, move: Move) -> bool:
    """Whether a choice between only two moves is worth a puzzle, by its theme."""
    allowed = getattr(registry.component(match.game.name, "teaching.themes"), "TWO_MOVE_THEMES", ())
    return any(theme in allowed for theme in themes_of(match, move))
