"""A match, which is one game being played with its history, and its record, the JSON document that describes it.

Each of the two makes the other, so they are in one module. How moves are made, in one kernel, is in `steps`. A game is
exactly its list of moves, chance's included, so a record needs no random state and replays anywhere.
"""

from __future__ import annotations

import json
import operator
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from malecon.kernel import readiness, registry, verbs
from malecon.kernel.errors import BadRecord, BadSetup, BadSnapshot, IllegalMove, MaleconError, NotAMove
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.journal import Event, events, new_journal
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.playing import LONGEST_GAME, make_logged_move
from malecon.kernel.positions import as_array, copy_positions
from malecon.kernel.randomness import check_seed, mix
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, Position
from malecon.kernel.view import (
    FACE_DOWN,
    SPECTATOR,
    History,
    LegalMoves,
    Move,
    Outcome,
    Turn,
    View,
    hidden,
    legal_codes,
    moves_of,
    parse_code,
)
from malecon.match import dice as fair
from malecon.match import snapshot, steps
from malecon.match.dice import Dice
from malecon.match.setup import check_names, check_players, check_seat, check_setup
from malecon.match.steps import NO_DEALER, Stack

if TYPE_CHECKING:
    from malecon.bots.reasons import Explanation
    from malecon.bots.verdicts import Proof

#: Rows of the arrays of moves at first; they double whenever they are full.
FIRST_ROWS = 64
NO_MOVES = np.zeros(0, np.int16)
#: The version of the format of records.
FORMAT = 1
#: Bytes of a file, and characters of a text, that are read at most.
LARGEST_FILE = 4_000_000
CHANCE_NAME = "chance"
_FIELDS = ("malecon", "game", "rules", "players", "options", "names", "moves", "result")
_OPTIONAL_FIELDS = ("dice",)

Checked = TypeVar("Checked")


@dataclass(frozen=True)
class Hint:
    """A move worth considering: the mover's chance to win with it, and its share of the search's simulations."""

    move: Move
    chance: float
    thought: float
    proof: Proof | None = None  # if the chance is certain


@dataclass(frozen=True)
class Score:
    """A seat's points and where each of them came from."""

    seat: int
    points: int
    breakdown: Mapping[str, int]


class Match:
    """A game in progress. Chance's moves are drawn when there is a seed, and yours to push when there is none.

    One thread at a time may use the same match.
    """

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
        self._from_setup = True  # and not from a position that somebody gave
        self._begin(self.game.new_position(self.players, **self.options), seed)

    def _begin(self, start: Position, seed: int | None) -> None:
        """Set the match up in a position, with no moves made."""
        self._start = start  # never changed
        self._stack = _new_stack(self.game, start)
        self._length = 0
        self._past_known = True  # whether the stack has the positions in which the moves were made
        self._moves = moves_of(self.game)
        self._order = np.zeros(1, np.int16)  # the move to make next
        self._open = 0  # this many moves are known to lie open for everybody, and stay so
        if seed is not None:
            self._stack.dealer[0] = mix(check_seed(seed))
        self._advance(NO_MOVES, survey=True)

    @classmethod
    def from_position(
        cls,
        game: Game | str,
        position: Position,
        players: int,
        *,
        options: Mapping[str, OptionValue] | None = None,
        names: Sequence[str | None] | None = None,
        seed: int | None = None,
    ) -> Self:
        """Return a match that begins in a position of a match or a `Tables`, with nothing hidden and no moves made yet.

        The options must be those of the position. Such a match has no record, for a record begins with the setup.
        """
        match = cls(game, players, options=options, names=names)
        if not isinstance(position, np.void) or position.dtype != match.game.dtype:
            raise BadSetup(
                say("this is not a position of {game}: {value}", game=match.game.title, value=repr(position)[:40])
            )
        match._from_setup = False
        match._begin(as_array(position)[0], seed)
        return match

    @classmethod
    def from_view(cls, view: View, *, seed: int | None = None) -> Self:
        """Return a match that the view may show: what its seat cannot know is guessed, from the seed if there is one.

        The seat remembers all moves of the view's history. A search guesses again and again, and tries moves out in
        each of these matches; chance is drawn independently of the true one.
        """
        chosen = secrets.randbits(64) if seed is None else check_seed(seed)
        position = view.guesses(1, chosen)[0]
        names = [name if isinstance(name, str) else None for name in view.names]
        options = view.options or None
        return cls.from_position(
            view.game, position, len(view.names), options=options, names=names, seed=mix(chosen, 1)
        )

    def __repr__(self) -> str:
        return f"<Match {self.game.name}, {self.players} players, {len(self)} moves, {self.phase}>"

    def _repr_svg_(self) -> str | None:
        """Return the drawn table for a notebook; None while chance still sets the game up."""
        if self.turn == CHANCE and not (self._stack.actors[: len(self)] >= 0).any():
            return None
        from malecon import drawing

        return drawing.standalone(drawing.table(self.everything(), "en"))

    # --- the state of the game

    @property
    def position(self) -> Position:
        """A copy of the position."""
        return copy_positions(self._stack.cells)[0]

    @property
    def turn(self) -> int | None:
        """The seat that decides now, CHANCE (-1), or None when the game is over."""
        return self._turn

    @property
    def phase(self) -> str:
        """What the game waits for."""
        return self.game.phases[int(self._stack.cells["phase"][0])]

    @property
    def legal_moves(self) -> LegalMoves:
        """Every move the rules allow now. The object keeps to the position it was taken from."""
        return LegalMoves.of(self.game, self._stack.listed[: self._legal].tolist())

    @property
    def history(self) -> History:
        """Every move so far, chance's included."""
        return self._first_moves(self._length)

    @property
    def is_over(self) -> bool:
        return self.turn is None

    def __len__(self) -> int:
        return self._length

    def code_at(self, index: int) -> int:
        """Return the code of the move with that number, counted from 0."""
        return int(self._stack.codes[self._number(index)])

    def position_after(self, moves: int) -> Position:
        """Return a copy of the position after that many moves, with nothing hidden."""
        return self.position if moves == self._length else self._position_before(moves)

    def _moves_up_to(self, moves: int) -> int:
        """Return a number of moves that this match has, which may be NumPy's; raise IndexError if it has fewer."""
        try:
            number = operator.index(moves)
        except TypeError:
            number = -1
        if not 0 <= number <= self._length:
            raise IndexError(f"this match has {self._length} moves, not {moves!r:.40}")
        return number

    # --- playing

    def push(self, move: Move | str, *, seat: int | None = None) -> Move:
        """Make a move, and draw the moves of chance that follow. A `seat`, if given, must be the one whose turn it is.

        Raise NotAMove if the text is no move of this game, and IllegalMove if the rules forbid it now.
        """
        if not isinstance(move, Move | str):
            raise NotAMove(say("{text} is not a move", text=repr(move)[:60]))
        if isinstance(move, Move) and move.game != self.game.name:
            raise NotAMove(say("{text} is a move in another game", text=repr(move.text)))
        return self.push_code(parse_code(self.game, str(move)), seat=seat)

    def push_code(self, code: int, *, seat: int | None = None) -> Move:
        """Make a move by its code, as `push` does."""
        self._check_code(code)
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
        if stack.dealer[0] != NO_DEALER:  # moves that were drawn are taken back with the move before them
            seats = np.flatnonzero(stack.actors[:length] >= 0)
            left = int(seats[-1]) if len(seats) else -1
        if left < 0:
            raise IndexError("no move to take back")
        if stack.dealer[0] != NO_DEALER:
            states = [state for state in stack.dealt[left:length].tolist() if state != NO_DEALER]
            stack.dealer[0] = states[0] if states else stack.dealer[0]
        self._return_to(left)
        return self._moves[int(stack.codes[left])]

    def peek(self) -> Turn | None:
        """Return the last move made, or None."""
        if not self._length:
            return None
        return Turn(int(self._stack.actors[self._length - 1]), self._moves[self.code_at(-1)])

    def fork(self, moves: int | None = None, *, seed: int | None = None) -> Self:
        """Return a new match with that many moves of this one, or all of them, and with a future of its own.

        Chance's further moves are drawn independently of this match: from the seed, if one is given. A search must use
        this and not `copy`, whose dice are those that this match is going to have.
        """
        moves = self._moves_up_to(self._length if moves is None else moves)
        if moves == self._length:
            other = self.copy()
            other._stack.dealer[0] = NO_DEALER
            other._stack.dealt[:moves] = NO_DEALER  # else a move taken back would bring this match's dice back
        else:
            other = self._begin_again()
            other.make_all(self._stack.codes[:moves].tolist())
        if self._stack.dealer[0] != NO_DEALER or seed is not None:
            other.draw_chance(seed)
        return other

    def _begin_again(self) -> Self:
        """Return a match with the same setup and no moves; chance is not drawn."""
        other = type(self)(self.game, self.players, options=self.options, names=self._given_names())
        other._from_setup = self._from_setup
        other._begin(self._start, None)
        return other

    def draw_chance(self, seed: int | None = None) -> None:
        """Draw chance's moves from now on, from the seed if one is given."""
        self._stack.dealer[0] = mix(secrets.randbits(64) if seed is None else check_seed(seed))
        self._advance(NO_MOVES)

    def copy(self) -> Self:
        """Return an independent copy of the match, with the same future: chance will draw the same for both.

        Use `fork` to try moves out; a search over copies would know the dice.
        """
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        other._stack = Stack._make(map(copy_positions, self._stack))
        other._order = self._order.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def make_all(self, codes: Sequence[int]) -> None:
        """Make moves by their codes, chance's included; raise IllegalMove, and change nothing, if one is not legal."""
        length = self._length
        for code in codes:
            self._check_code(code)
        if not self._advance(np.array(codes, np.int16), draw=False):
            refusal = self._refusal(codes[self._length - length])
            self._return_to(length)
            raise refusal

    # --- views, events, results

    def view(self, seat: int | None) -> View:
        """Return what a seat may know; None is a spectator."""
        seat = None if seat is None else check_seat(self.players, seat)
        position = hidden(self._stack.cells, SPECTATOR if seat is None else seat)
        return View(self.game, seat, position, self._history_for(seat), self.names, self.options)

    def everything(self, moves: int | None = None) -> View:
        """Return the table with nothing hidden, after that many moves or now: for replays, never for a player."""
        moves = self._moves_up_to(len(self) if moves is None else moves)
        return View(self.game, None, self.position_after(moves), self._first_moves(moves), self.names, self.options)

    def events(self, index: int) -> list[Event]:
        """Return what the move with that number changed, in order; moves are counted from 0."""
        position, journal = self._position_before(index), new_journal()
        make_logged_move(position, self.code_at(index), self._number(index), journal)
        return events(journal)

    @property
    def scores(self) -> tuple[Score, ...]:
        """Every seat's points, with their sources."""
        position = self._stack.cells[0]
        breakdowns = [dict.fromkeys(self.game.sources, 0) for _ in range(self.players)]
        for index in range(len(self)):
            for event in self.events(index):
                source = self.game.points_source(event)
                if source is not None:
                    breakdowns[event.seat][source] += event.amount
        return tuple(
            Score(seat, int(verbs.points(position, seat)), {"start": self.game.starting_points} | sources)
            for seat, sources in enumerate(breakdowns)
        )

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game is on."""
        if not self.is_over:
            return None
        position, seats = self._stack.cells[0], range(self.players)
        standings = [int(verbs.standing(position, seat)) for seat in seats]
        places = tuple(1 + sum(other > own for other in standings) for own in standings)
        winners = tuple(seat for seat in seats if places[seat] == 1)
        reason = "shared"
        if len(winners) == 1:
            tied = list(seats)
            for criterion, value in self.game.criteria.items():
                reason = criterion
                best = max(value(position, seat) for seat in tied)
                tied = [seat for seat in tied if value(position, seat) == best]
                if len(tied) == 1:
                    break
        return Outcome(winners, places, tuple(int(verbs.points(position, seat)) for seat in seats), reason)

    def hint(self, seat: int | None = None, *, count: int = 3, bot: str = "search:ms=500,margin=0") -> tuple[Hint, ...]:
        """Return the best moves for the seat whose turn it is, as the search `bot` ranks them from that seat's view."""
        from malecon.bots import SearchBot, make

        if self.turn is None or self.turn < 0 or (seat is not None and seat != self.turn):
            raise IllegalMove(say("it is not this seat’s turn"))
        searcher = make(bot)
        if not isinstance(searcher, SearchBot):
            raise BadSetup(say("{name} does not look ahead; a hint needs a search", name=repr(bot)[:40]))
        result = searcher.evaluate(self.view(self.turn))
        total = max(1, sum(result.visits))
        best = zip(result.codes[:count], result.chances[:count], result.visits[:count], strict=True)
        proofs = result.verdict.moves
        return tuple(Hint(self._moves[code], chance, visits / total, proofs.get(code)) for code, chance, visits in best)

    def explain(
        self, move: Move | str | None = None, *, bot: str = "search:ms=500,margin=0", seed: int = 0
    ) -> Explanation:
        """Explain why a move is worse than the best one; of the best move, or of None, why it is better than the next.

        The explanation is made from the view of the seat whose turn it is; `bot` is the search.
        """
        from malecon.bots import reasons

        if self.turn is None or self.turn < 0:
            raise IllegalMove(say("it is not this seat’s turn"))
        view = self.view(self.turn)
        if move is None:
            return reasons.explain_best(view, bot=bot, seed=seed)
        return reasons.explain_move(view, move, bot=bot, seed=seed)

    def record(self) -> Record:
        """Return the record of this match so far; raise BadSetup if it did not begin with the setup of the game."""
        if not self._from_setup:
            raise BadSetup(say("a match that begins in a position has no record"))
        return Record.of(self)

    # --- snapshots

    def to_bytes(self) -> bytes:
        """Return the whole match as bytes, with history and dealer: for its owner, never for a player."""
        stack, length = self._stack, self._length
        head = {
            "game": self.game.name,
            "rules": self.game.rules_version,
            "players": self.players,
            "options": dict(self.options),
            "names": self._given_names(),
            "dealer": _dealer_state(int(stack.dealer[0])),
            "dealt": [_dealer_state(state) for state in stack.dealt[:length].tolist()],
            "moves": stack.codes[:length].tolist(),
            "actors": stack.actors[:length].tolist(),
        }
        if not self._from_setup:
            head["start"] = self._start.tobytes().hex()
        return snapshot.pack(head, stack.cells.tobytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the match of a snapshot; raise BadSnapshot if it is damaged or of another version of the rules."""
        head, position = snapshot.unpack(data)
        try:
            game = registry.get(head["game"])
            if head["rules"] != game.rules_version or len(position) != game.dtype.itemsize:
                raise BadSnapshot(say("this snapshot belongs to another version of the rules"))
            match = cls(game, head["players"], options=head["options"], names=head["names"])
            if "start" in head:
                start = np.frombuffer(bytearray.fromhex(head["start"]), game.dtype)
                match._from_setup = False
                match._begin(start[0], None)
            match._reserve(len(head["moves"]))
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

    def _check_code(self, code: object) -> None:
        if not isinstance(code, int | np.integer) or not 0 <= code < len(self._moves):
            raise NotAMove(say("{text} is not a move", text=repr(code)[:60]))

    def _first_moves(self, moves: int) -> History:
        return History(self.game, self._stack.actors[:moves], self._stack.codes[:moves])

    def _history_for(self, seat: int | None) -> History:
        """The history as a seat sees it: what others made face down has no move."""
        if self.game.conceals is None:
            return self.history
        while self._open < len(self) and not self._is_face_down(self._open):
            self._open += 1
        actors, codes = self._stack.actors[: self._length], self._stack.codes[: self._length].copy()
        for index in range(self._open, len(self)):
            if actors[index] != seat and self._is_face_down(index):
                codes[index] = FACE_DOWN
        return History(self.game, actors, codes)

    def _is_face_down(self, index: int) -> bool:
        then, now = self._position_before(index), self._stack.cells[0]
        return self.game.conceals is not None and self.game.conceals(then, now, self.code_at(index))

    def _advance(self, moves: Moves, draw: bool = True, survey: bool = False) -> bool:
        """Make moves, and draw what chance adds to them; return whether all were legal."""
        target = self._length + len(moves)
        self._reserve(target)
        self._length = steps.advance(self._stack, self._length, moves, draw, survey)
        while draw and self._length == len(self._stack.codes):  # chance may have more to draw
            self._reserve(self._length + 1)
            self._length = steps.advance(self._stack, self._length, NO_MOVES, draw, False)
        self._read_now()
        return self._length >= target

    def _look(self) -> None:
        """List what is legal in a position that was not reached by a move."""
        steps.advance(self._stack, self._length, NO_MOVES, False, True)
        self._read_now()

    def _read_now(self) -> None:
        seat, self._legal = self._stack.now.tolist()
        self._turn = None if seat == NOBODY else seat

    def _return_to(self, length: int) -> None:
        """Go back to the position after that many moves."""
        if length < self._length:
            self._stack.cells[0] = self._stack.before[length]
            self._length = length
            self._open = 0  # what was turned up may be face down again
        self._look()

    def _reserve(self, moves: int) -> None:
        """Grow the arrays if that many moves do not fit."""
        rows = len(self._stack.codes)
        if moves > rows:
            rows = max(moves, 2 * rows)
            grown = {name: _longer(getattr(self._stack, name), rows) for name in ("before", "codes", "actors", "dealt")}
            self._stack = self._stack._replace(**grown)

    def _position_before(self, index: int) -> Position:
        """Return a copy of the position in which the move with that number was made."""
        self._ensure_past()
        number = self._number(index)
        return copy_positions(self._stack.before[number : number + 1])[0]

    def _number(self, index: int) -> int:
        """Return the number of a move that was made; a negative index counts from the end, as in a list."""
        try:
            return range(self._length)[operator.index(index)]
        except (IndexError, TypeError):
            raise IndexError(f"the match has {self._length} moves; there is no number {index!r:.40}") from None

    def _ensure_past(self) -> None:
        """Compute the earlier positions of a match that was loaded from a snapshot, when they are first needed."""
        if self._past_known:
            return
        stack, length = self._stack, self._length
        again = _new_stack(self.game, self._start)
        again = again._replace(
            before=stack.before,
            codes=np.zeros_like(stack.codes),
            actors=np.zeros_like(stack.actors),
            dealt=np.zeros_like(stack.dealt),
        )
        if steps.advance(again, 0, stack.codes[:length].copy(), False, True) < length:
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


@dataclass(frozen=True)
class Record:
    """A match as a document. `moves` are lines like `red: drive 3`; `lines` tells where each stood in the file."""

    game: str
    rules: int
    players: int
    options: Mapping[str, OptionValue]
    names: tuple[str | None, ...]
    moves: tuple[str, ...]
    result: Mapping[str, Any] | None
    dice: Dice | None = None  # if the game was played with dice that can be checked
    lines: Mapping[str | int, int] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, match: Match, dice: Dice | None = None) -> Self:
        """Return the record of a match; until the match is over, it has only the hash of the dice."""
        return cls(
            game=match.game.name,
            rules=match.game.rules_version,
            players=match.players,
            options=dict(match.options),
            names=tuple(name if isinstance(name, str) else None for name in match.names),
            moves=tuple(f"{_actor_name(match, turn.seat)}: {turn.move}" for turn in match.history),
            result=_result(match.outcome),
            dice=dice if dice is None or match.is_over else dice.covered(),
        )

    def to_json(self) -> str:
        """Return the document, with one move on a line."""
        head: dict[str, Any] = {
            "malecon": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "players": self.players,
            "options": dict(self.options),
            "names": list(self.names),
        }
        if self.dice is not None:
            head["dice"] = self.dice.as_dict()
        lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
        moves = ",\n".join("    " + json.dumps(move) for move in self.moves)
        lines.append('  "moves": [\n' + moves + "\n  ]," if self.moves else '  "moves": [],')
        lines.append(f'  "result": {json.dumps(self.result)}')
        return "{\n" + "\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the record in a document; raise BadRecord if it is none. Only `replay` checks the moves."""
        if not isinstance(text, str):
            raise BadRecord(say("this is not a Malecón record"))
        if len(text) > LARGEST_FILE:
            raise BadRecord(say("this file is too large for a record"))
        try:
            data = json.loads(text, object_pairs_hook=_without_duplicates)
        except json.JSONDecodeError as error:
            raise BadRecord(say("this is not a JSON document: {problem}", problem=error.msg), error.lineno) from None
        except (RecursionError, ValueError):
            raise BadRecord(say("this is not a JSON document: {problem}", problem="unreadable")) from None
        lines = _lines(text)
        if not isinstance(data, dict) or "malecon" not in data:
            raise BadRecord(say("this is not a Malecón record"), 1)
        if data["malecon"] != FORMAT or not _is_int(data["malecon"]):
            problem = say("this record has format {theirs}; this program reads format {ours}")
            raise BadRecord(problem.fill(theirs=repr(data["malecon"])[:20], ours=FORMAT), lines.get("malecon"))
        for name in _FIELDS:
            if name not in data:
                raise BadRecord(say("the field {name} is missing", name=name))
        for name in data:
            if name not in _FIELDS + _OPTIONAL_FIELDS:
                raise BadRecord(say("a record has no field {name}", name=repr(name)[:40]), lines.get(name))
        for name, fits in _SHAPES.items():
            if not fits(data[name]):
                raise BadRecord(say("the field {name} is not valid", name=name), lines.get(name))
        dice = None
        if "dice" in data:
            dice = Dice.of(data["dice"]) if isinstance(data["dice"], dict) else None
            if dice is None:
                raise BadRecord(say("the field {name} is not valid", name="dice"), lines.get("dice"))
        return cls(
            game=data["game"],
            rules=data["rules"],
            players=data["players"],
            options=data["options"],
            names=tuple(data["names"]),
            moves=tuple(data["moves"]),
            result=data["result"],
            dice=dice,
            lines=lines,
        )

    def write(self, path: str | PathLike[str]) -> None:
        """Write the document to a file; an existing file is replaced as a whole or not at all."""
        target = Path(path)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=target.name)
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(self.to_json())
            os.chmod(temporary, 0o644)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Self:
        """Return the record in a file; raise BadRecord if it holds none, OSError if it cannot be opened."""
        with open(os.fspath(path), "rb") as file:  # a number would be an open file
            data = file.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise BadRecord(say("this file is too large for a record"))
        try:
            return cls.from_json(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise BadRecord(say("this is not UTF-8 text"), line) from None

    def bad(self, place: str | int, reason: Phrase) -> BadRecord:
        """Return the error for what is wrong with a field or, by its number, with a move."""
        return BadRecord(reason, self.lines.get(place))

    def replay(self, seed: int | None = None) -> Match:
        """Play the whole record and check every move and the result; raise BadRecord with the first line that is wrong.

        With a seed, chance's further moves are drawn from it.
        """
        match = self._new_match()
        for number, line in enumerate(self.moves):
            who, colon, text = line.partition(": ")
            expected = None if match.turn is None else _actor_name(match, match.turn)
            if not colon or (expected is not None and who != expected):
                raise self.bad(
                    number, say("this move belongs to {who}, not {found}", who=expected or "-", found=repr(who)[:40])
                )
            try:
                match.push(text)
            except MaleconError as error:
                raise self.bad(number, error.phrase) from None
        if _result(match.outcome) != self.result:
            raise self.bad("result", say("these moves lead to a different result"))
        if seed is not None:
            match.draw_chance(seed)
        return match

    def prove_dice(self) -> tuple[int, int]:
        """Replay the record and compute its chance moves from the secret: return how many of how many follow from it.

        Moves made before these dice were in use do not count. Raise BadRecord for the first move that does not follow.
        """
        if self.dice is None:
            raise self.bad("dice", say("this record says nothing about its dice"))
        if self.dice.secret is None:
            raise self.bad("dice", say("the secret of these dice stays hidden until the game is over"))
        if fair.commitment_of(self.dice.secret) != self.dice.commitment:
            raise self.bad("dice", say("this secret does not match the hash shown before the game"))
        match = self.replay()
        name, history = match.game.notation.name, match.history
        drawn = np.flatnonzero(history.seats == CHANCE).tolist()
        covered = [number for number in drawn if number >= self.dice.first]
        for number in covered:
            outcomes = legal_codes(match.game, match.position_after(number))
            expected, code = fair.choose(self.dice.secret, number, outcomes, name), int(history.codes[number])
            if code != expected:
                text = say("move {number}: the secret gives {expected}, not {found}")
                raise self.bad(number, text.fill(number=number, expected=name(expected), found=name(code)))
        return len(covered), len(drawn)

    def _new_match(self) -> Match:
        """Return the match before its first move; fields are checked one by one, so that errors name the right line."""
        game = self._checked("game", lambda: registry.get(self.game))
        if self.rules != game.rules_version:
            text = say("this record was made with version {theirs} of the rules; this program knows version {ours}")
            raise self.bad("rules", text.fill(theirs=repr(self.rules)[:20], ours=game.rules_version))
        self._checked("players", lambda: check_setup(game, self.players, None))
        self._checked("options", lambda: check_setup(game, self.players, self.options))
        self._checked("names", lambda: check_names(game, self.players, self.names))
        return Match(game, self.players, options=self.options, names=self.names)

    def _checked(self, place: str, check: Callable[[], Checked]) -> Checked:
        try:
            return check()
        except MaleconError as error:
            raise self.bad(place, error.phrase) from None


def _new_stack(game: Game, position: Position) -> Stack:
    return Stack(
        cells=as_array(position),
        before=np.frombuffer(bytearray(FIRST_ROWS * game.dtype.itemsize), game.dtype),
        codes=np.zeros(FIRST_ROWS, np.int16),
        actors=np.zeros(FIRST_ROWS, np.int8),
        dealt=np.zeros(FIRST_ROWS, np.uint64),
        dealer=np.zeros(1, np.uint64),
        listed=np.zeros(game.most_legal, np.int16),
        now=np.zeros(2, np.int64),
    )


def _longer(array: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    """Return the same rows in a longer array, with zeros behind them."""
    return np.frombuffer(bytearray(array.tobytes()).ljust(rows * array.itemsize, b"\0"), array.dtype)


def _dealer_state(state: int) -> int | None:
    """A dealer's state as a snapshot has it."""
    return None if state == NO_DEALER else state


def _actor_name(match: Match, seat: int) -> str:
    return match.game.colours[seat] if seat >= 0 else CHANCE_NAME


def _result(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winners": list(outcome.winners),
        "places": list(outcome.places),
        "points": list(outcome.points),
        "reason": outcome.reason,
    }


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise ValueError if a field is there twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field stands twice")
    return fields


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_SHAPES: Mapping[str, Callable[[Any], bool]] = {
    "game": lambda value: isinstance(value, str),
    "rules": _is_int,
    "players": _is_int,
    "options": lambda value: isinstance(value, dict),
    "names": lambda value: isinstance(value, list) and all(name is None or isinstance(name, str) for name in value),
    "moves": lambda value: (
        isinstance(value, list) and len(value) <= LONGEST_GAME and all(isinstance(move, str) for move in value)
    ),
    "result": lambda value: value is None or isinstance(value, dict),
}


def _lines(text: str) -> dict[str | int, int]:
    """Return the line of each field and, by its number, of each move. The text is valid JSON."""
    lines: dict[str | int, int] = {}
    for name in _FIELDS + _OPTIONAL_FIELDS:
        place = re.search(rf'"{name}"\s*:', text)
        if place:
            lines[name] = text.count("\n", 0, place.start()) + 1
    start = re.search(r'"moves"\s*:\s*\[', text)
    if start:
        at, line, number = start.end(), text.count("\n", 0, start.end()) + 1, 0
        while (quote := re.compile(r"[\s,]*").match(text, at)) and text[quote.end() : quote.end() + 1] == '"':
            line += text.count("\n", at, quote.end())
            lines[number] = line
            number += 1
            at = json.JSONDecoder().raw_decode(text, quote.end())[1]
    return lines
