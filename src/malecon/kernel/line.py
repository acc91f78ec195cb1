"""A line of play: a position, the moves made from there, the positions they lead to, and what each move did.

Lessons, analyses and explanations play on lines. A `Match` is a game with its setup, its players and its dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from malecon.kernel import verbs
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.journal import Event, events, new_journal
from malecon.kernel.playing import make_logged_move, make_move
from malecon.kernel.positions import as_array
from malecon.kernel.verbs import Position
from malecon.kernel.view import History, LegalMoves, Turn, View, hidden, moves_of, turn_of


class Step(NamedTuple):
    """A move that was made: by which seat (CHANCE is -1), the positions before and after it, and what happened."""

    before: Position
    seat: int
    code: int
    events: tuple[Event, ...]
    after: Position
    is_too_long: bool = False  # the limit on the length of a game ends it with this move, not the rules


def make_step(before: Position, code: int, made: int) -> Step:
    """Make a legal move in a copy of a position that `made` moves have led to, and write down what happens."""
    after, journal = as_array(before)[0], new_journal()
    is_too_long = make_logged_move(after, code, made, journal)
    return Step(before, int(verbs.actor(before)), code, tuple(events(journal)), after, bool(is_too_long))


class Line:
    """A position and the moves made from there, chance's included. Every position on the way is kept."""

    def __init__(
        self,
        game: Game,
        start: Position,
        moves: Iterable[int] = (),
        *,
        names: Iterable[Name] = (),
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        self.game = game
        self.names = tuple(names)
        self.options = dict(options or {})
        self._positions: list[Position] = [as_array(start)[0]]
        self._moves: list[int] = []
        self._steps: dict[int, Step] = {}  # those that somebody has asked for, by their index
        self.extend(moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __repr__(self) -> str:
        return f"<Line {self.game.name}: {', '.join(map(self.game.notation.name, self._moves))}>"

    @property
    def moves(self) -> tuple[int, ...]:
        """The codes of all moves."""
        return tuple(self._moves)

    @property
    def start(self) -> Position:
        """A copy of the position before the first move."""
        return self.position_after(0)

    @property
    def position(self) -> Position:
        """A copy of the position after the last move."""
        return self.position_after(len(self))

    def position_after(self, moves: int) -> Position:
        """Return a copy of the position after that many moves, with nothing hidden."""
        return as_array(self._positions[moves])[0]

    @property
    def first_seat(self) -> int:
        """The seat that decides before the first move; CHANCE is -1."""
        return int(verbs.actor(self._positions[0]))

    @property
    def turn(self) -> int | None:
        """The seat that decides after the last move, CHANCE, or None when the game is over."""
        return turn_of(self._positions[-1])

    @property
    def legal_moves(self) -> LegalMoves:
        """Every move the rules allow after the last one."""
        return LegalMoves(self.game, self.position)

    @property
    def history(self) -> tuple[Turn, ...]:
        """Every move, and the seat that made it."""
        moves = moves_of(self.game)
        return tuple(
            Turn(int(verbs.actor(before)), moves[code])
            for before, code in zip(self._positions, self._moves, strict=False)
        )

    def push(self, code: int) -> None:
        """Make a move by its code. The caller has checked that it is legal."""
        cells = as_array(self._positions[-1])
        make_move(cells[0], code, len(self))
        self._moves.append(code)
        self._positions.append(cells[0])

    def extend(self, moves: Iterable[int]) -> None:
        """Make several moves by their codes, which must be legal."""
        for code in moves:
            self.push(code)

    def branch(self, keep: int, moves: Iterable[int] = ()) -> Line:
        """Return a new line with the first `keep` moves of this one, and then others."""
        other = Line(self.game, self._positions[0], names=self.names, options=self.options)
        other._positions = self._positions[: keep + 1]
        other._moves = self._moves[:keep]
        other._steps = {index: step for index, step in list(self._steps.items()) if index < keep}
        other.extend(moves)
        return other

    def step(self, index: int) -> Step:
        """Return what the move with this index did; the first is 0, and the last also -1."""
        index = range(len(self))[index]
        if index not in self._steps:
            self._steps[index] = make_step(self._positions[index], self._moves[index], index)
        return self._steps[index]

    @property
    def steps(self) -> tuple[Step, ...]:
        """What every move did."""
        return tuple(self.step(index) for index in range(len(self)))

    def view(self, seat: int, moves: int | None = None) -> View:
        """Return what a seat sees after that many moves, or after all; it remembers no moves."""
        cells = as_array(self._positions[len(self) if moves is None else moves])
        return View(self.game, seat, hidden(cells, seat), History(self.game), self.names, self.options)
