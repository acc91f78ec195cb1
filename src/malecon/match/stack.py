"""A stack of moves with a position on top: what a match plays on. It checks every move that somebody sends.

How a move is made is in `steps`; what a match shows, tells and leaves behind is `match`.
"""

from __future__ import annotations

import operator
import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSnapshot, IllegalMove, NotAMove
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.positions import alone, copied
from malecon.kernel.randomness import check_seed, mix
from malecon.kernel.verbs import NOBODY, Moves, Position
from malecon.kernel.view import LegalMoves, Move, Turn, moves_of, parse_code
from malecon.match import snapshot, steps
from malecon.match.setup import check_names, check_players, check_setup
from malecon.match.steps import NO_DEALER, Stack

#: Room for so many moves at first, and for twice as many whenever it is full.
FIRST_ROOM = 64
NO_MOVES = np.zeros(0, np.int16)


@cache
def _made(seat: int, move: Move) -> Turn:
    """A turn; there are only so many different ones, and every look at a match asks for all of its own."""
    return Turn(seat, move)


def _new_stack(game: Game, position: Position) -> Stack:
    return Stack(
        cells=alone(position),
        before=np.frombuffer(bytearray(FIRST_ROOM * game.dtype.itemsize), game.dtype),
        codes=np.zeros(FIRST_ROOM, np.int16),
        actors=np.zeros(FIRST_ROOM, np.int8),
        dealt=np.zeros(FIRST_ROOM, np.uint64),
        dealer=np.zeros(1, np.uint64),
        listed=np.zeros(game.most_legal, np.int16),
        now=np.zeros(2, np.int64),
    )


def _longer(rows: npt.NDArray[Any], room: int) -> npt.NDArray[Any]:
    """The same rows with empty ones behind them, so many in all."""
    return np.frombuffer(bytearray(rows.tobytes()).ljust(room * rows.itemsize, b"\0"), rows.dtype)


class MoveStack:
    """The moves made so far, chance's included, and the position they lead to."""

    def __init__(
        self,
        game: Game | str,
        players: int,
        *,
        options: Mapping[str, OptionValue] | None = None,
        names: Sequence[str | None] | None = None,
        seed: int | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else registry.get(game)
        readiness.begin(self.game)
        self.players = check_players(self.game, players)
        self.options = MappingProxyType(check_setup(self.game, players, options))
        self.names = check_names(self.game, self.players, names)
        self._stack = _new_stack(self.game, self.game.new_position(self.players, **self.options))
        self._length = 0
        self._past_known = True  # whether the stack has the positions before the moves
        self._laid_out = False  # somebody holds the position itself and may change it
        self._moves = moves_of(self.game)
        self._order = np.zeros(1, np.int16)  # the move to make next
        self._turns: list[Turn] = []  # the history, as far as anybody has asked for it
        self._shown = 0  # so many moves lie open to everybody, and will: for a view these need no second look
        if seed is not None:
            self._stack.dealer[0] = mix(check_seed(seed))
        self._advance(NO_MOVES)

    # --- where the game stands

    @property
    def position(self) -> Position:
        """A copy of the position."""
        return copied(self._stack.cells)[0]

    @property
    def turn(self) -> int | None:
        """The seat that decides now, CHANCE (-1), or None when the game is over."""
        if self._laid_out:
            self._look()
        return self._turn

    @property
    def phase(self) -> str:
        """What the game waits for."""
        return self.game.phases[int(self._stack.cells["phase"][0])]

    @property
    def legal_moves(self) -> LegalMoves:
        """Every move the rules allow now. The object keeps to the position it was taken from."""
        if self._laid_out:
            self._look()
        return LegalMoves.of(self.game, self._stack.listed[: self._legal].tolist())

    @property
    def history(self) -> tuple[Turn, ...]:
        """Every move so far, chance's included."""
        known = len(self._turns)
        if known < self._length:
            seats, codes = (rows[known : self._length].tolist() for rows in (self._stack.actors, self._stack.codes))
            self._turns += [_made(seat, self._moves[code]) for seat, code in zip(seats, codes, strict=True)]
        return tuple(self._turns)

    @property
    def is_over(self) -> bool:
        return self.turn is None

    def __len__(self) -> int:
        return self._length

    def code_at(self, index: int) -> int:
        """The code of the move of that number, counted from 0."""
        return int(self._stack.codes[self._number(index)])

    def position_after(self, moves: int) -> Position:
        """A copy of the position after so many moves, with nothing hidden."""
        return self.position if moves == self._length else self._position_before(moves)

    # --- playing

    def push(self, move: Move | str, *, seat: int | None = None) -> Move:
        """Make a move; `seat`, where given, must be whose turn it is. Chance's moves that follow are drawn."""
        if not isinstance(move, Move | str):
            raise NotAMove(say("{text} is not a move", text=repr(move)[:60]))
        if isinstance(move, Move) and move.game != self.game.name:
            raise NotAMove(say("{text} is a move in another game", text=repr(move.text)))
        code = parse_code(self.game, str(move))
        if seat is not None and seat != self.turn and self.turn is not None:
            raise IllegalMove(say("it is {who}’s turn", who=self._name(self.turn)))
        self._order[0] = code
        if not self._advance(self._order):
            raise self._refusal(code)
        return self._moves[code]

    def pop(self) -> Move:
        """Take back the last move, with what chance drew after it; pushing it again draws the same."""
        self._ensure_past()
        stack, length = self._stack, self._length
        left = length - 1
        if stack.dealer[0] != NO_DEALER:  # what it drew is not ours to take back alone
            seats = np.flatnonzero(stack.actors[:length] >= 0)
            left = int(seats[-1]) if len(seats) else -1
        if left < 0:
            raise IndexError("no move to take back")
        if stack.dealer[0] != NO_DEALER:
            known = [state for state in stack.dealt[left:length].tolist() if state != NO_DEALER]
            stack.dealer[0] = known[0] if known else stack.dealer[0]
        self._return_to(left)
        return self._moves[int(stack.codes[left])]

    def peek(self) -> Turn | None:
        """The last move made, or None."""
        if not self._length:
            return None
        return _made(int(self._stack.actors[self._length - 1]), self._moves[self.code_at(-1)])

    def fork(self, moves: int) -> Self:
        """A new match with only the first so many moves of this one; its future is its own."""
        if not 0 <= moves <= self._length:
            raise IndexError(f"this match has {self._length} moves")
        other = type(self)(self.game, self.players, options=self.options, names=self._given_names())
        other.make_all(self._stack.codes[:moves].tolist())
        if self._stack.dealer[0] != NO_DEALER:
            other.draw_chance()
        return other

    def draw_chance(self, seed: int | None = None) -> None:
        """From now on chance's moves are drawn, from the seed if you give one."""
        self._stack.dealer[0] = mix(secrets.randbits(64) if seed is None else check_seed(seed))
        self._advance(NO_MOVES)

    def copy(self) -> Self:
        """The same match again; the two go on independently."""
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        other._stack = Stack._make(map(copied, self._stack))
        other._order, other._turns = self._order.copy(), self._turns.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def make_all(self, codes: Sequence[int]) -> None:
        """Make moves by their codes, chance's included; IllegalMove, and nothing changed, where one is not legal."""
        length = self._length
        for code in codes:
            if not isinstance(code, int | np.integer) or not 0 <= code < len(self._moves):
                raise NotAMove(say("{text} is not a move", text=repr(code)[:60]))
        if not self._advance(np.array(codes, np.int16), draw=False):
            refusal = self._refusal(codes[self._length - length])
            self._return_to(length)
            raise refusal

    # --- snapshots

    def to_bytes(self) -> bytes:
        """The whole match, its history and its dealer included: for its owner, never for a player."""
        stack, length = self._stack, self._length
        head = {
            "game": self.game.name,
            "rules": self.game.rules_version,
            "players": self.players,
            "options": dict(self.options),
            "names": self._given_names(),
            "dealer": _known_state(int(stack.dealer[0])),
            "dealt": [_known_state(state) for state in stack.dealt[:length].tolist()],
            "moves": stack.codes[:length].tolist(),
            "actors": stack.actors[:length].tolist(),
        }
        return snapshot.pack(head, stack.cells.tobytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The match of a snapshot; BadSnapshot where the bytes are damaged or of another version of the rules."""
        head, position = snapshot.unpack(data)
        try:
            game = registry.get(head["game"])
            if head["rules"] != game.rules_version or len(position) != game.dtype.itemsize:
                raise BadSnapshot(say("this snapshot belongs to another version of the rules"))
            match = cls(game, head["players"], options=head["options"], names=head["names"])
            match._make_room(len(head["moves"]))
            stack, length = match._stack, len(head["moves"])
            stack.codes[:length], stack.actors[:length] = head["moves"], head["actors"]
            stack.dealt[:length] = [state or NO_DEALER for state in head["dealt"]]
            if ((stack.codes[:length] < 0) | (stack.codes[:length] >= len(match._moves))).any():
                raise ValueError("there is no such move")
            stack.cells[0] = np.frombuffer(position, game.dtype)[0]
            stack.dealer[0] = head["dealer"] or NO_DEALER
        except BadSnapshot:
            raise
        except (KeyError, TypeError, ValueError, OverflowError):
            raise BadSnapshot(say("these bytes are not a snapshot of a match")) from None
        match._length, match._past_known = length, length == 0
        match._look()
        return match

    # --- inside

    @property
    def _position(self) -> Position:
        """The position itself, to lay out a table by hand: from now on every question is asked anew."""
        self._laid_out = True
        return self._stack.cells[0]

    def _advance(self, moves: Moves, draw: bool = True) -> bool:
        """Make moves, and draw what chance adds to them; whether all were legal."""
        wanted = self._length + len(moves)
        self._make_room(wanted)
        self._length = steps.advance(self._stack, self._length, moves, draw)
        while draw and self._length == len(self._stack.codes):  # chance may have more to draw
            self._make_room(self._length + 1)
            self._length = steps.advance(self._stack, self._length, NO_MOVES, draw)
        self._read_now()
        return self._length >= wanted

    def _look(self) -> None:
        """Ask who acts in the position as it is, and what is legal."""
        steps.advance(self._stack, self._length, NO_MOVES, False)
        self._read_now()

    def _read_now(self) -> None:
        seat, self._legal = self._stack.now.tolist()
        self._turn = None if seat == NOBODY else seat

    def _return_to(self, length: int) -> None:
        """Back to when so many moves were made."""
        if length < self._length:
            self._stack.cells[0] = self._stack.before[length]
            self._length = length
            self._shown = 0  # what was turned up may be face down again
            del self._turns[length:]
        self._look()

    def _make_room(self, moves: int) -> None:
        """Room for so many moves in all."""
        room = len(self._stack.codes)
        if moves > room:
            room = max(moves, 2 * room)
            grown = {name: _longer(getattr(self._stack, name), room) for name in ("before", "codes", "actors", "dealt")}
            self._stack = self._stack._replace(**grown)

    def _position_before(self, index: int) -> Position:
        """A copy of the position in which the move of that number was made."""
        self._ensure_past()
        number = self._number(index)
        return copied(self._stack.before[number : number + 1])[0]

    def _number(self, index: int) -> int:
        """The number of a move that was made, which may be counted from the end, as in a list."""
        try:
            return range(self._length)[operator.index(index)]
        except (IndexError, TypeError):
            raise IndexError(f"the match has {self._length} moves; there is no number {index!r:.40}") from None

    def _ensure_past(self) -> None:
        """After loading a snapshot, the earlier positions are played out when first needed."""
        if self._past_known:
            return
        stack, length = self._stack, self._length
        again = _new_stack(self.game, self.game.new_position(self.players, **self.options))
        again = again._replace(
            before=stack.before,
            codes=np.zeros_like(stack.codes),
            actors=np.zeros_like(stack.actors),
            dealt=np.zeros_like(stack.dealt),
        )
        if steps.advance(again, 0, stack.codes[:length].copy(), False) < length:
            raise BadSnapshot(say("these bytes are not a snapshot of a match"))
        self._past_known = True

    def _refusal(self, code: int) -> IllegalMove:
        if self._turn is None:
            return IllegalMove(say("the game is over"))
        return IllegalMove(self.game.why_illegal(self._stack.cells[0], code, self.names))

    def _given_names(self) -> list[str | None]:
        return [name if isinstance(name, str) else None for name in self.names]

    def _name(self, seat: int) -> Name:
        return self.names[seat] if seat >= 0 else Phrase("chance")


def _known_state(state: int) -> int | None:
    """A dealer's state as a snapshot tells it."""
    return None if state == NO_DEALER else state
