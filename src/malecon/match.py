"""A match: one game being played, with its history. It checks everything that the kernels trust."""

from __future__ import annotations

import difflib
import json
import secrets
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from malecon import games
from malecon.kernel import verbs
from malecon.kernel.errors import BadSetup, BadSnapshot, IllegalMove, NotAMove
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.journal import Event, events, new_journal
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.randomness import Randomness, below, randomness
from malecon.kernel.verbs import CHANCE, NOBODY, Position

if TYPE_CHECKING:
    from malecon.record import Record


LONGEST_NAME = 40


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
class Hint:
    """A move worth considering: the mover's chance to win with it, and the share of thought the search gave it."""

    move: Move
    chance: float
    thought: float


@dataclass(frozen=True)
class Score:
    """A seat's points and where each of them came from."""

    seat: int
    points: int
    breakdown: Mapping[str, int]


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
        return _turn(self.position)

    @property
    def legal_moves(self) -> LegalMoves:
        """What this seat may do now; IllegalMove while it waits for others."""
        turn = self.turn
        if turn is None or turn != self.seat:
            raise IllegalMove(say("it is not this seat's turn"))
        return LegalMoves(self.game, self.position)

    def remembered(self) -> Position:
        """The position as a perfect memory of all that was seen knows it; a copy.

        Where every move was made in the open, counting along tells everything. Else it is the view's own position.
        """
        position: Position = self.position.copy()
        if all(turn.move is not None for turn in self.history):
            from malecon.bots.memory import replay  # a kernel, so that a long game is counted in no time

            code = self.game.notation.code
            cells = np.zeros(1, self.game.dtype).view(np.recarray)
            cells[0] = self.game.new_position(len(self.names), **self.options)
            replay(cells, np.array([code(turn.move.text) for turn in self.history if turn.move], np.int16))
            seen = cells[0].copy()
            verbs.hide(seen, -1 if self.seat is None else self.seat)
            if seen.tobytes() == position.tobytes():  # the history is the whole of it, from the setup on
                return cells[0]
        return position


@cache
def _made(game: str, seat: int, text: str) -> Turn:
    """A turn; there are only so many different ones, and every look at a match asks for all of its own."""
    return Turn(seat, Move(game, text))


def _turn(position: Position) -> int | None:
    seat = int(verbs.actor(position))
    return None if seat == NOBODY else seat


def check_setup(game: Game, players: int, options: Mapping[str, OptionValue] | None) -> dict[str, OptionValue]:
    """All options of the game with the chosen values; BadSetup where a number or an option does not fit."""
    if (
        isinstance(players, bool)
        or not isinstance(players, int)
        or not game.fewest_players <= players <= game.most_players
    ):
        raise BadSetup(
            say(
                "{game} is for {fewest} to {most} players, not {players}",
                game=game.title, fewest=game.fewest_players, most=game.most_players, players=repr(players)[:40],
            )
        )  # fmt: skip
    chosen = {name: option.default for name, option in game.options.items()}
    for name, value in (options or {}).items():
        if name not in game.options:
            known = ", ".join(game.options) or "-"
            raise BadSetup(say("there is no option {name}; there is: {known}", name=repr(name)[:40], known=known))
        choices = game.options[name].choices
        if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
            known = ", ".join(map(str, choices))
            raise BadSetup(
                say("{name} cannot be {value}; it can be: {known}", name=name, value=repr(value)[:40], known=known)
            )
        chosen[name] = value
    return chosen


def check_names(game: Game, players: int, names: Sequence[str | None] | None) -> tuple[Name, ...]:
    """A name for every seat, its colour where none is given; BadSetup where they do not fit."""
    names = [None] * players if names is None else names
    if len(names) != players:
        raise BadSetup(say("{players} players need as many names, not {names}", players=players, names=len(names)))
    for name in names:
        if name is not None and not (isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable()):
            raise BadSetup(
                say("a name has 1 to {most} printable characters, not {name}", most=LONGEST_NAME, name=repr(name)[:60])
            )
    return tuple(
        name or Phrase(colour.capitalize(), context="seat") for name, colour in zip(names, game.colours, strict=False)
    )


class Match:
    """A game in progress. Chance's moves are drawn when there is a seed, and yours to push when there is none."""

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
            self._asked = data, _turn(self._position)
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

    def __repr__(self) -> str:
        return f"<Match {self.game.name}, {self.players} players, {len(self)} moves, {self.phase}>"

    def _repr_svg_(self) -> str | None:
        """In a notebook: the drawn board, once it is laid out."""
        if self.turn == CHANCE and all(seat < 0 for seat in self._actors):
            return None
        from malecon import drawing

        return drawing.standalone(drawing.board(self.everything(), "en"))

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

    def fork(self, moves: int) -> Match:
        """A new match with only the first so many moves of this one; its future is its own."""
        if not 0 <= moves <= len(self):
            raise IndexError(f"this match has {len(self)} moves")
        other = Match(self.game, self.players, options=self.options, names=self._given_names())
        for code in self._codes[:moves]:
            other._make(code)
        if self._dealer is not None:
            other.draw_chance()
        return other

    def draw_chance(self, seed: int | None = None) -> None:
        """From now on chance's moves are drawn, from the seed if you give one."""
        self._dealer = randomness(secrets.randbits(64) if seed is None else seed)
        self._deal()

    def copy(self) -> Match:
        """The same match again; the two go on independently."""
        other = Match.__new__(Match)
        vars(other).update(vars(self))
        other._position = self.position
        other._codes, other._actors = self._codes.copy(), self._actors.copy()
        other._before, other._dealt = self._before.copy(), self._dealt.copy()
        other._turns = self._turns.copy()
        other._dealer = None if self._dealer is None else self._dealer.copy()
        return other

    # --- what happened, and how it ended

    def events(self, index: int) -> list[Event]:
        """What the move of that number changed, in order; moves are counted from 0."""
        self._ensure_past()
        position = self._restore(self._before[index])
        journal = new_journal()
        verbs.narrate(position, self._codes[index], journal)
        return events(journal)

    @property
    def scores(self) -> tuple[Score, ...]:
        """Every seat's points, with their sources."""
        found = [dict.fromkeys(self.game.sources, 0) for _ in range(self.players)]
        for index in range(len(self)):
            for event in self.events(index):
                source = self.game.points_source(event)
                if source is not None:
                    found[event.seat][source] += event.amount
        return tuple(
            Score(seat, int(verbs.points(self._position, seat)), {"start": self.game.starting_points} | sources)
            for seat, sources in enumerate(found)
        )

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game is on."""
        if not self.is_over:
            return None
        position, seats = self._position, range(self.players)
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

    def view(self, seat: int | None) -> View:
        """What a seat may know; None is a spectator."""
        if seat is not None and seat not in range(self.players):
            raise BadSetup(say("there is no seat {seat}", seat=repr(seat)[:40]))
        position = self.position
        verbs.hide(position, -1 if seat is None else seat)
        return View(self.game, seat, position, self._seen_by(seat), self.names, self.options)

    def everything(self, moves: int | None = None) -> View:
        """The table with nothing hidden, after that many moves or now: for replays, never for a player."""
        moves = len(self) if moves is None else moves
        if not 0 <= moves <= len(self):
            raise IndexError(f"this match has {len(self)} moves")
        return View(self.game, None, self.position_after(moves), self.history[:moves], self.names)

    def code_at(self, index: int) -> int:
        """The code of the move of that number, counted from 0."""
        return self._codes[index]

    def position_after(self, moves: int) -> Position:
        """A copy of the position after so many moves, with nothing hidden."""
        self._ensure_past()
        return self.position if moves == len(self) else self._restore(self._before[moves])

    def hint(self, seat: int | None = None, *, count: int = 3, bot: str = "search:ms=500") -> tuple[Hint, ...]:
        """The best few moves for the seat whose turn it is, best first, from its own view; `bot` says how it thinks."""
        from malecon.bots import SearchBot, make

        if self.turn is None or self.turn < 0 or (seat is not None and seat != self.turn):
            raise IllegalMove(say("it is not this seat's turn"))
        thinker = make(bot)
        if not isinstance(thinker, SearchBot):
            raise BadSetup(say("{name} does not look ahead; a hint needs a search", name=repr(bot)[:40]))
        thoughts = thinker.consider(self.view(self.turn))
        name = self.game.notation.name
        return tuple(
            Hint(Move(self.game.name, name(code)), chance, visits / max(1, sum(thoughts.visits)))
            for code, chance, visits in zip(
                thoughts.codes[:count], thoughts.chances[:count], thoughts.visits[:count], strict=True
            )
        )

    def record(self) -> Record:
        """The record of this match so far."""
        from malecon.record import Record

        return Record.of(self)

    # --- snapshots

    def to_bytes(self) -> bytes:
        """The whole match, its history and its dealer included: for its owner, never for a player."""
        head = json.dumps(
            {
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
        ).encode()
        body = struct.pack("<I", len(head)) + head + self._position.tobytes()
        return bytes(_MAGIC + struct.pack("<I", zlib.crc32(body)) + body)

    @classmethod
    def from_bytes(cls, data: bytes) -> Match:
        """The match of a snapshot; BadSnapshot where the bytes are damaged or of another version of the rules."""
        prefix = len(_MAGIC) + 4
        if not data.startswith(_MAGIC) or len(data) < prefix + 4:
            raise BadSnapshot(say("these bytes are no snapshot of a match"))
        body = data[prefix:]
        if struct.unpack_from("<I", data, len(_MAGIC))[0] != zlib.crc32(body):
            raise BadSnapshot(say("this snapshot is damaged"))
        try:
            return cls._from_body(body)
        except BadSnapshot:
            raise
        except (KeyError, TypeError, ValueError, struct.error):
            raise BadSnapshot(say("these bytes are no snapshot of a match")) from None

    @classmethod
    def _from_body(cls, body: bytes) -> Match:
        size = struct.unpack_from("<I", body)[0]
        head = json.loads(body[4 : 4 + size])
        game = games.get(head["game"])
        if head["rules"] != game.rules_version or len(body) - 4 - size != game.dtype.itemsize:
            raise BadSnapshot(say("this snapshot is of another version of the rules"))
        match = cls(game, head["players"], options=head["options"], names=head["names"])
        match._codes, match._actors, match._dealt = head["moves"], head["actors"], head["dealt"]
        match._position = match._restore(body[4 + size :])
        if head["dealer"] is not None:
            match._dealer = np.array([head["dealer"]], np.uint64)
        return match

    def make_all(self, codes: Sequence[int]) -> None:
        """Make moves that are known to be legal, by their codes: a log of the engine, not what a person sent."""
        for code in codes:
            self._make(code)

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

    def _seen_by(self, seat: int | None) -> tuple[Turn, ...]:
        if self.game.conceals is None:
            return self.history
        self._ensure_past()
        while self._shown < len(self) and not self._is_face_down(self._shown):
            self._shown += 1
        seen = list(self.history)
        for index in range(self._shown, len(self)):
            if seen[index].seat != seat and self._is_face_down(index):
                seen[index] = Turn(seen[index].seat, None)
        return tuple(seen)

    def _is_face_down(self, index: int) -> bool:
        then = self._restore(self._before[index])
        return self.game.conceals is not None and self.game.conceals(then, self._position, self._codes[index])

    def _given_names(self) -> list[str | None]:
        return [name if isinstance(name, str) else None for name in self.names]

    def _name(self, seat: int) -> Name:
        return self.names[seat] if seat >= 0 else Phrase("chance")


_MAGIC = b"malecon1"
