"""A stack of moves with a position on top: what a match plays on. It checks every move that somebody sends.

What a match shows, tells and leaves behind is `match`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Self

import numpy as np

from malecon import games
from malecon.kernel import verbs
from malecon.kernel.errors import BadSnapshot, IllegalMove, NotAMove
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.randomness import Randomness, below, randomness
from malecon.kernel.verbs import CHANCE, NOBODY, Position
from malecon.match import snapshot
from malecon.match.setup import check_names, check_setup
from malecon.view import LegalMoves, Move, Turn, parse_code, turn_of


@cache
def _made(game: str, seat: int, text: str) -> Turn:
    """A turn; there are only so many different ones, and every look at a match asks for all of its own."""
    return Turn(seat, Move(game, text))


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
        self.game = game if isinstance(game, Game) else games.get(game)
        self.options = MappingProxyType(check_setup(self.game, players, options))
        self.players = players
        self.names = check_names(self.game, players, names)
        self._position: Position = self.game.new_position(players, **self.options)
        self._codes: list[int] = []
        self._actors: list[int] = []
        self._before: list[bytes] = []  # the position each move was made in
        self._asked: tuple[bytes, int | None] = (b"", None)  # a position, and whose turn it was there
        self._turns: list[Turn] = []  # the history, as far as anybody has asked for it
        self._shown = 0  # so many moves lie open to everybody, and will: for a view these need no second look
        self._dealer: Randomness | None = None if seed is None else randomness(seed)
        self._dealt: list[int | None] = []  # the dealer's state before each move, None where there was no dealer yet
        self._deal()

    # --- where the game stands

    @property
    def position(self) -> Position:
        """A copy of the position."""
        return self._restore(self._position.tobytes())

    @property
    def turn(self) -> int | None:
        """The seat that decides now, CHANCE (-1), or None when the game is over."""
        data = self._position.tobytes()
        if data != self._asked[0]:  # everything asks for this, and a question to the engine costs more than a look
            self._asked = data, turn_of(self._position)
        return self._asked[1]

    @property
    def phase(self) -> str:
        """What the game waits for."""
        return self.game.phases[int(self._position.phase)]

    @property
    def legal_moves(self) -> LegalMoves:
        """Every move the rules allow now. The object keeps to the position it was taken from."""
        return LegalMoves(self.game, self.position)

    @property
    def history(self) -> tuple[Turn, ...]:
        """Every move so far, chance's included."""
        self._turns += map(self._turn_at, range(len(self._turns), len(self._codes)))
        return tuple(self._turns)

    @property
    def is_over(self) -> bool:
        return self.turn is None

    def __len__(self) -> int:
        return len(self._codes)

    def code_at(self, index: int) -> int:
        """The code of the move of that number, counted from 0."""
        return self._codes[index]

    def position_after(self, moves: int) -> Position:
        """A copy of the position after so many moves, with nothing hidden."""
        self._ensure_past()
        return self.position if moves == len(self) else self._restore(self._before[moves])

    # --- playing

    def push(self, move: Move | str, *, seat: int | None = None) -> Move:
        """Make a move; `seat`, where given, must be whose turn it is. Chance's moves that follow are drawn."""
        if isinstance(move, Move) and move.game != self.game.name:
            raise NotAMove(say("{text} is a move of another game", text=repr(move.text)))
        code = parse_code(self.game, str(move))
        if self.turn is None:
            raise IllegalMove(say("the game is over"))
        if seat is not None and seat != self.turn:
            raise IllegalMove(say("it is {who}’s turn", who=self._name(self.turn)))
        if code not in LegalMoves(self.game, self._position).codes:
            raise IllegalMove(self.game.why_illegal(self._position, code, self.names))
        self._make(code)
        self._deal()
        return Move(self.game.name, self.game.notation.name(code))

    def pop(self) -> Move:
        """Take back the last move, with what chance drew after it; pushing it again draws the same."""
        while True:
            if not self._codes or (self._dealer is not None and not any(seat >= 0 for seat in self._actors)):
                raise IndexError("no move to take back")
            self._ensure_past()
            self._shown = 0  # what was turned up may be face down again
            code, seat = self._codes.pop(), self._actors.pop()
            del self._turns[len(self._codes) :]
            self._position = self._restore(self._before.pop())
            dealt = self._dealt.pop()
            if self._dealer is not None and dealt is not None:
                self._dealer[0] = dealt
            if self._dealer is None or seat >= 0:
                return Move(self.game.name, self.game.notation.name(code))

    def peek(self) -> Turn | None:
        """The last move made, or None."""
        return self._turn_at(len(self) - 1) if self._codes else None

    def fork(self, moves: int) -> Self:
        """A new match with only the first so many moves of this one; its future is its own."""
        if not 0 <= moves <= len(self):
            raise IndexError(f"this match has {len(self)} moves")
        other = type(self)(self.game, self.players, options=self.options, names=self._given_names())
        for code in self._codes[:moves]:
            other._make(code)
        if self._dealer is not None:
            other.draw_chance()
        return other

    def draw_chance(self, seed: int | None = None) -> None:
        """From now on chance's moves are drawn, from the seed if you give one."""
        self._dealer = randomness(secrets.randbits(64) if seed is None else seed)
        self._deal()

    def copy(self) -> Self:
        """The same match again; the two go on independently."""
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        other._position = self.position
        other._codes, other._actors = self._codes.copy(), self._actors.copy()
        other._before, other._dealt = self._before.copy(), self._dealt.copy()
        other._turns = self._turns.copy()
        other._dealer = None if self._dealer is None else self._dealer.copy()
        return other

    def make_all(self, codes: Sequence[int]) -> None:
        """Make moves that are known to be legal, by their codes: a log of the engine, not what a person sent."""
        for code in codes:
            self._make(code)

    # --- snapshots

    def to_bytes(self) -> bytes:
        """The whole match, its history and its dealer included: for its owner, never for a player."""
        head = {
            "game": self.game.name,
            "rules": self.game.rules_version,
            "players": self.players,
            "options": dict(self.options),
            "names": self._given_names(),
            "dealer": None if self._dealer is None else int(self._dealer[0]),
            "dealt": self._dealt,
            "moves": self._codes,
            "actors": self._actors,
        }
        return snapshot.pack(head, self._position.tobytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The match of a snapshot; BadSnapshot where the bytes are damaged or of another version of the rules."""
        head, position = snapshot.unpack(data)
        try:
            game = games.get(head["game"])
            if head["rules"] != game.rules_version or len(position) != game.dtype.itemsize:
                raise BadSnapshot(say("this snapshot is of another version of the rules"))
            match = cls(game, head["players"], options=head["options"], names=head["names"])
            match._codes, match._actors, match._dealt = head["moves"], head["actors"], head["dealt"]
            match._position = match._restore(position)
            if head["dealer"] is not None:
                match._dealer = np.array([head["dealer"]], np.uint64)
        except BadSnapshot:
            raise
        except (KeyError, TypeError, ValueError):
            raise BadSnapshot(say("these bytes are no snapshot of a match")) from None
        return match

    # --- inside

    def _make(self, code: int) -> None:
        """Make a move known to be legal."""
        turn = self.turn
        self._before.append(self._position.tobytes())
        self._codes.append(code)
        self._actors.append(NOBODY if turn is None else turn)
        self._dealt.append(None if self._dealer is None else int(self._dealer[0]))
        verbs.play(self._position, code)

    def _deal(self) -> None:
        """Draw chance's moves up to the next decision."""
        while self._dealer is not None and self.turn == CHANCE:
            codes = LegalMoves(self.game, self._position).codes
            before = int(self._dealer[0])
            code = codes[below(self._dealer, len(codes))]
            self._make(code)
            self._dealt[-1] = before

    def _restore(self, data: bytes) -> Position:
        position: Position = np.frombuffer(bytearray(data), self.game.dtype).view(np.recarray)[0]
        return position

    def _ensure_past(self) -> None:
        """After loading a snapshot, the earlier positions are played out when first needed."""
        if len(self._before) < len(self._codes):
            position = self.game.new_position(self.players, **self.options)
            self._before = []
            for code in self._codes:
                self._before.append(position.tobytes())
                verbs.play(position, code)

    def _turn_at(self, index: int) -> Turn:
        return _made(self.game.name, self._actors[index], self.game.notation.name(self._codes[index]))

    def _given_names(self) -> list[str | None]:
        return [name if isinstance(name, str) else None for name in self.names]

    def _name(self, seat: int) -> Name:
        return self.names[seat] if seat >= 0 else Phrase("chance")
