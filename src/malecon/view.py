"""What is known of a game in progress: the view of a seat, the moves it may make, how a game ended.

Bots, words and drawings are handed this and nothing more. Who plays, checks and remembers a whole game is `match`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from malecon import games
from malecon.kernel import verbs
from malecon.kernel.errors import IllegalMove, NotAMove
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.verbs import NOBODY, Position


@dataclass(frozen=True)
class Move:
    """A move of a game, in notation: `Move("santiago", "drive 3")`."""

    game: str
    text: str

    @classmethod
    def parse(cls, game: Game, text: str) -> Move:
        """The move written so, however it is spaced or capitalised; NotAMove where there is none."""
        return cls(game.name, game.notation.name(parse_code(game, text)))

    @property
    def code(self) -> int:
        return parse_code(games.get(self.game), self.text)

    def __str__(self) -> str:
        return self.text


def parse_code(game: Game, text: str) -> int:
    """The code of a move in notation; NotAMove, with the nearest moves there are, where the text is none."""
    code = game.notation.code(text)
    if code is not None:
        return code
    shown = repr(text if len(text) <= 60 else text[:57] + "…")
    near = difflib.get_close_matches(text[:60].lower(), game.notation.names(), n=3)
    if near:
        raise NotAMove(say("{text} is no move; did you mean {near}?", text=shown, near=", ".join(near)))
    raise NotAMove(say("{text} is no move", text=shown))


class LegalMoves:
    """The legal moves of a position: iterate, count, or ask with `in`. Nothing is listed before you do."""

    def __init__(self, game: Game, position: Position) -> None:
        self._game = game
        self._position = position

    @cached_property
    def codes(self) -> list[int]:
        """Their codes, in the engine's order."""
        out = np.empty(self._game.most_legal, np.int16)
        found: list[int] = out[: verbs.legal(self._position, out)].tolist()
        return found

    def __iter__(self) -> Iterator[Move]:
        return (Move(self._game.name, self._game.notation.name(code)) for code in self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Move) and move.game != self._game.name:
            return False
        return isinstance(move, Move | str) and self._game.notation.code(str(move)) in self.codes

    def __getitem__(self, index: int) -> Move:
        return Move(self._game.name, self._game.notation.name(self.codes[index]))

    def __repr__(self) -> str:
        return f"<LegalMoves {', '.join(map(str, self))}>"


@dataclass(frozen=True)
class Turn:
    """A move as it was made: by which seat (CHANCE is -1), and which. A move still face down has none."""

    seat: int
    move: Move | None


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winners, every seat's place (1 is first; equal places are shared), and what decided."""

    winners: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    reason: str  # the criterion that set the winner apart, or "shared"


@dataclass(frozen=True)
class View:
    """What one seat may know (None: a spectator): the position with secrets taken out, and the moves it has seen."""

    game: Game
    seat: int | None
    position: Position
    history: tuple[Turn, ...]
    names: tuple[Name, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    @property
    def turn(self) -> int | None:
        """The seat that decides now, CHANCE, or None when the game is over."""
        return turn_of(self.position)

    @property
    def legal_moves(self) -> LegalMoves:
        """What this seat may do now; IllegalMove while it waits for others."""
        turn = self.turn
        if turn is None or turn != self.seat:
            raise IllegalMove(say("it is not this seat's turn"))
        return LegalMoves(self.game, self.position)


def turn_of(position: Position) -> int | None:
    """The seat that decides in a position, CHANCE, or None when the game is over."""
    seat = int(verbs.actor(position))
    return None if seat == NOBODY else seat
