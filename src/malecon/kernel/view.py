"""Views of a game in progress: what a seat may know, the moves it may make, and how a game ended.

Bots, text and drawings get views and nothing more. `match` plays and checks a whole game.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from malecon.kernel import registry
from malecon.kernel.compile import kernel
from malecon.kernel.errors import IllegalMove, NotAMove
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.notation import Notation
from malecon.kernel.phrases import say
from malecon.kernel.positions import as_array, copy_positions
from malecon.kernel.randomness import check_seed, randomness
from malecon.kernel.readable import LAYOUT, observation, readable
from malecon.kernel.verbs import NOBODY, Moves, Position, actor, guess, hide, legal

#: In place of a seat: a viewer who sees only what is open to everybody.
SPECTATOR = -1
#: In place of a seat: nothing is hidden.
EVERYTHING = -2
#: In place of the code of a move: it lies face down for the viewer.
FACE_DOWN = -1
#: How many positions can be guessed in one call.
MOST_GUESSES = 100_000
_NOTHING_LISTED = np.zeros(0, np.int16)


@dataclass(frozen=True)
class Move:
    """A move of a game, in notation: `Move("santiago", "drive 3")`."""

    game: str
    text: str

    @classmethod
    def parse(cls, game: Game, text: str) -> Move:
        """Return the move in a text, however it is spaced or capitalised; raise NotAMove if there is none."""
        return cls(game.name, game.notation.name(parse_code(game, text)))

    @property
    def code(self) -> int:
        return parse_code(registry.get(self.game), self.text)

    def __str__(self) -> str:
        return self.text


def parse_code(game: Game, text: str) -> int:
    """Return the code of a move in notation; raise NotAMove, with the nearest moves there are, if the text is none."""
    code = game.notation.code(text)
    if code is not None:
        return code
    shown = repr(text if len(text) <= 60 else text[:57] + "…")
    near = difflib.get_close_matches(text[:60].lower(), game.notation.names(), n=3)
    if near:
        raise NotAMove(say("{text} is not a move; did you mean {near}?", text=shown, near=", ".join(near)))
    raise NotAMove(say("{text} is not a move", text=shown))


@cache
def _moves_of(name: str, notation: Notation) -> tuple[Move, ...]:
    return tuple(Move(name, text) for text in notation.names())


def moves_of(game: Game) -> tuple[Move, ...]:
    """Return all moves of a game, in the order of their codes. Moves never change, so each object is made once."""
    return _moves_of(game.name, game.notation)


# --- questions to the engine about one position


@kernel
def look(cells: Any, seat: int, listed: Moves, now: npt.NDArray[np.int64]) -> None:
    """Hide what a seat may not know, unless EVERYTHING is to be seen; tell who acts, and how many moves are listed.

    Nothing is listed where there is no room for it.
    """
    if seat != EVERYTHING:
        hide(cells[0], seat)
    now[0] = actor(cells[0])
    now[1] = legal(cells[0], listed) if len(listed) else 0


def hidden(cells: Any, seat: int) -> Position:
    """Return a copy of the position in `cells[0]`, without what the seat may not know."""
    cells = copy_positions(cells)
    look(cells, seat, _NOTHING_LISTED, np.zeros(2, np.int64))
    return cells[0]


def turn_of(position: Position) -> int | None:
    """Return the seat that decides in a position, CHANCE, or None when the game is over."""
    now = np.zeros(2, np.int64)
    look(as_array(position), EVERYTHING, _NOTHING_LISTED, now)
    return None if now[0] == NOBODY else int(now[0])


def legal_codes(game: Game, position: Position) -> list[int]:
    """Return the codes of all legal moves in a position, in the engine's order."""
    listed, now = np.empty(game.most_legal, np.int16), np.zeros(2, np.int64)
    look(as_array(position), EVERYTHING, listed, now)
    codes: list[int] = listed[: now[1]].tolist()
    return codes


class LegalMoves:
    """The legal moves of a position: iterate, count, or ask with `in`."""

    __slots__ = ("_codes", "_game", "_position")

    def __init__(self, game: Game, position: Position) -> None:
        self._game = game
        self._position = position
        self._codes: list[int] | None = None

    @classmethod
    def of(cls, game: Game, codes: list[int]) -> LegalMoves:
        """Those with these codes, which are known to be the legal ones."""
        moves = cls(game, None)
        moves._codes = codes
        return moves

    @property
    def codes(self) -> list[int]:
        """Their codes, in the engine's order."""
        if self._codes is None:
            self._codes = legal_codes(self._game, self._position)
        return self._codes

    def __iter__(self) -> Iterator[Move]:
        moves = moves_of(self._game)
        return (moves[code] for code in self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Move) and move.game != self._game.name:
            return False
        return isinstance(move, Move | str) and self._game.notation.code(str(move)) in self.codes

    @overload
    def __getitem__(self, index: SupportsIndex) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> LegalMoves: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Move | LegalMoves:
        if isinstance(index, slice):
            return LegalMoves.of(self._game, self.codes[index])
        return moves_of(self._game)[int(self.codes[index])]

    def __repr__(self) -> str:
        return f"<LegalMoves {', '.join(map(str, self))}>"


@dataclass(frozen=True)
class Turn:
    """A move as it was made: by which seat (CHANCE is -1), and which. A move still face down has none."""

    seat: int
    move: Move | None


@cache
def _turns_of(name: str, notation: Notation, seat: int) -> tuple[Turn, ...]:
    """The turns of a seat by the code of the move; the last one, which FACE_DOWN leads to, has no move."""
    return (*(Turn(seat, move) for move in _moves_of(name, notation)), Turn(seat, None))


class History(Sequence[Turn]):
    """The moves of a match as a viewer knows them, in order: a sequence of turns, equal to a tuple of the same turns.

    It consists of seats and move codes, read-only arrays; turns are looked up when they are asked for.
    """

    __slots__ = ("_game", "codes", "seats")

    def __init__(self, game: Game, seats: npt.ArrayLike = (), codes: npt.ArrayLike = ()) -> None:
        self._game = game
        self.seats: npt.NDArray[np.int8] = np.array(seats, np.int8)
        self.codes: npt.NDArray[np.int16] = np.array(codes, np.int16)  # FACE_DOWN for what the viewer may not know
        self.seats.flags.writeable = self.codes.flags.writeable = False

    @classmethod
    def of(cls, game: Game, turns: Iterable[Turn]) -> History:
        """Return the history that consists of these turns."""
        pairs = [(turn.seat, FACE_DOWN if turn.move is None else turn.move.code) for turn in turns]
        return cls(game, [seat for seat, _ in pairs], [code for _, code in pairs])

    @property
    def is_open(self) -> bool:
        """Whether the viewer knows every move."""
        return not (self.codes == FACE_DOWN).any()

    def _turns(self, seat: int) -> tuple[Turn, ...]:
        return _turns_of(self._game.name, self._game.notation, seat)

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> Turn: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Turn, ...]: ...
    def __getitem__(self, index: int | slice) -> Turn | tuple[Turn, ...]:
        if isinstance(index, slice):
            seats: list[int] = self.seats[index].tolist()
            turns = {seat: self._turns(seat) for seat in set(seats)}
            return tuple(turns[seat][code] for seat, code in zip(seats, self.codes[index].tolist(), strict=True))
        return self._turns(int(self.seats[index]))[int(self.codes[index])]

    def __iter__(self) -> Iterator[Turn]:
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        return self[:] == tuple(other) if isinstance(other, History | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self[:])

    def __repr__(self) -> str:
        return repr(self[:])

    def __reduce__(self) -> tuple[Any, ...]:
        return History, (self._game, self.seats, self.codes)


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winners, every seat's place (1 is first; equal places are shared), and what decided."""

    winners: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    reason: str  # the criterion that set the winner apart, or "shared"


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """What one seat may know (None: a spectator): the position with secrets taken out, and the moves it has seen."""

    game: Game
    seat: int | None
    position: Position
    history: History
    names: tuple[Name, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        phase = self.game.phases[int(self.position.phase)]
        return f"<View {self.game.name}, {who} of {len(self.names)}, {len(self.history)} moves, {phase}>"

    def _known(self) -> tuple[Any, ...]:
        """All that two equal views have in common."""
        options = tuple(sorted(self.options.items()))
        return self.game.name, self.seat, self.position.tobytes(), self.history, self.names, options

    def __eq__(self, other: object) -> bool:
        return self._known() == other._known() if isinstance(other, View) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._known())

    def __reduce__(self) -> tuple[Any, ...]:
        return _view_again, (
            self.game,
            self.seat,
            self.position.tobytes(),
            self.history,
            self.names,
            dict(self.options),
        )

    @property
    def turn(self) -> int | None:
        """The seat that decides now, CHANCE, or None when the game is over."""
        return turn_of(self.position)

    @property
    def legal_moves(self) -> LegalMoves:
        """What this seat may do now; IllegalMove while it waits for others."""
        turn = self.turn
        if turn is None or turn != self.seat:
            raise IllegalMove(say("it is not this seat’s turn"))
        return LegalMoves(self.game, self.position)

    # --- for programs and language models

    def mask(self) -> npt.NDArray[np.int8]:
        """Return 1 for every move that this seat may make now and 0 for the others, by their codes; all 0 if it waits.

        It equals a row of `Tables.masks`.
        """
        mask = np.zeros(self.game.decisions, np.int8)
        if self._decides:
            mask[self.legal_moves.codes] = 1
        return mask

    def observation(self, *, memory: bool = True) -> npt.NDArray[np.int16]:
        """Return what this seat sees as numbers, laid out as `game.pieces` say: a row of `Tables.observations`.

        With `memory`, everything that the seat could have counted along is known; without, what is on the table now.
        """
        return observation(self.game, self.remembered() if memory else self.position, self.seat or 0)

    def remembered(self) -> Position:
        """Return the position as a perfect memory of the history knows it; a copy. What lay face down stays hidden."""
        known: Position = _above("malecon.bots.history").position_from_history(self)
        return known

    def guesses(self, count: int = 1, seed: int = 0) -> list[Position]:
        """Return positions that this view may show: what is not remembered is guessed, each time independently.

        Raise ValueError if the count is not between 0 and MOST_GUESSES.
        """
        if not 0 <= count <= MOST_GUESSES:
            raise ValueError(f"count must be between 0 and {MOST_GUESSES:,}")
        known = self.remembered()
        guessed = [as_array(known)[0] for _ in range(count)]
        for number, position in enumerate(guessed):
            if self.seat is not None:
                guess(position, self.seat, randomness(check_seed(seed), number))
        return guessed

    def as_dict(self) -> dict[str, Any]:
        """Return everything that this view shows, in words and numbers, ready for `json.dumps`.

        `malecon.kernel.readable.schema(game)` is its JSON Schema. What the viewer may not know is None.
        """
        colours, turn = self.game.colours, self.turn

        def who(seat: int) -> str:
            return colours[seat] if seat >= 0 else "chance"

        players = len(self.names)
        return {
            "layout": LAYOUT,
            "game": self.game.name,
            "rules": self.game.rules_version,
            "players": list(colours[:players]),
            "options": dict(self.options),
            "you": None if self.seat is None else colours[self.seat],
            "turn": None if turn is None else who(turn),
            "legal": list(map(str, self.legal_moves)) if self._decides else [],
            "history": [
                {"who": who(turn.seat), "move": None if turn.move is None else turn.move.text} for turn in self.history
            ],
            "position": readable(self.game, self.position, self.seat or 0, players),
        }

    def text(self, language: str = "en") -> str:
        """Return one screen of plain text: the table as this viewer sees it, and the moves it may make.

        What the viewer may not know is `?`.
        """
        shown: str = _above("malecon.text").screen(self, language)
        return shown

    @property
    def _decides(self) -> bool:
        turn = self.turn
        return turn is not None and turn == self.seat


def _above(module: str) -> Any:
    """Return a module of a package that builds on this one; it is found by its name, as those of games are."""
    return importlib.import_module(module)


def _view_again(
    game: Game,
    seat: int | None,
    position: bytes,
    history: History,
    names: tuple[Name, ...],
    options: Mapping[str, OptionValue],
) -> View:
    """A view that was copied or pickled."""
    return View(game, seat, np.frombuffer(bytearray(position), game.dtype)[0], history, names, options)
