"""A match and its record: one game being played, with its history, and the document that is left of it.

Each of the two makes the other, so they stand in one module. How moves are checked and made is `stack`; how a record
is written down, `document`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadSetup, IllegalMove, MaleconError
from malecon.kernel.journal import Event, events, new_journal
from malecon.kernel.phrases import say
from malecon.kernel.playing import tell_move
from malecon.kernel.verbs import CHANCE
from malecon.kernel.view import SPECTATOR, LegalMoves, Move, Outcome, Turn, View, hidden
from malecon.match import dice as fair
from malecon.match.dice import Dice
from malecon.match.document import Document
from malecon.match.setup import check_names, check_setup
from malecon.match.stack import MoveStack

if TYPE_CHECKING:
    from malecon.bots.reasons import Explanation

Checked = TypeVar("Checked")

CHANCE_NAME = "chance"


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


class Match(MoveStack):
    """A game in progress. Chance's moves are drawn when there is a seed, and yours to push when there is none."""

    def __repr__(self) -> str:
        return f"<Match {self.game.name}, {self.players} players, {len(self)} moves, {self.phase}>"

    def _repr_svg_(self) -> str | None:
        """In a notebook: the drawn table, once it is laid out."""
        if self.turn == CHANCE and not (self._stack.actors[: len(self)] >= 0).any():
            return None
        from malecon import drawing

        return drawing.standalone(drawing.table(self.everything(), "en"))

    def view(self, seat: int | None) -> View:
        """What a seat may know; None is a spectator."""
        if seat is not None and seat not in range(self.players):
            raise BadSetup(say("there is no seat {seat}", seat=repr(seat)[:40]))
        position = hidden(self._stack.cells, SPECTATOR if seat is None else seat)
        return View(self.game, seat, position, self._seen_by(seat), self.names, self.options)

    def everything(self, moves: int | None = None) -> View:
        """The table with nothing hidden, after that many moves or now: for replays, never for a player."""
        moves = len(self) if moves is None else moves
        if not 0 <= moves <= len(self):
            raise IndexError(f"this match has {len(self)} moves")
        return View(self.game, None, self.position_after(moves), self.history[:moves], self.names)

    def _seen_by(self, seat: int | None) -> tuple[Turn, ...]:
        if self.game.conceals is None:
            return self.history
        while self._shown < len(self) and not self._is_face_down(self._shown):
            self._shown += 1
        seen = list(self.history)
        for index in range(self._shown, len(self)):
            if seen[index].seat != seat and self._is_face_down(index):
                seen[index] = Turn(seen[index].seat, None)
        return tuple(seen)

    def _is_face_down(self, index: int) -> bool:
        then, now = self._position_before(index), self._stack.cells[0]
        return self.game.conceals is not None and self.game.conceals(then, now, self.code_at(index))

    def events(self, index: int) -> list[Event]:
        """What the move of that number changed, in order; moves are counted from 0."""
        position, journal = self._position_before(index), new_journal()
        tell_move(position, self.code_at(index), self._number(index), journal)
        return events(journal)

    @property
    def scores(self) -> tuple[Score, ...]:
        """Every seat's points, with their sources."""
        position = self._stack.cells[0]
        found = [dict.fromkeys(self.game.sources, 0) for _ in range(self.players)]
        for index in range(len(self)):
            for event in self.events(index):
                source = self.game.points_source(event)
                if source is not None:
                    found[event.seat][source] += event.amount
        return tuple(
            Score(seat, int(verbs.points(position, seat)), {"start": self.game.starting_points} | sources)
            for seat, sources in enumerate(found)
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
        """The best few moves for the seat whose turn it is, best first, from its own view; `bot` says how it thinks."""
        from malecon.bots import SearchBot, make

        if self.turn is None or self.turn < 0 or (seat is not None and seat != self.turn):
            raise IllegalMove(say("it is not this seat’s turn"))
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

    def explain(
        self, move: Move | str | None = None, *, bot: str = "search:ms=500,margin=0", seed: int = 0
    ) -> Explanation:
        """Why a move is worse than the best one now; of the best one, or of none, why it is better than the next.

        All is seen from the view of the seat whose turn it is; `bot` says how it thinks.
        """
        from malecon.bots import reasons

        if self.turn is None or self.turn < 0:
            raise IllegalMove(say("it is not this seat’s turn"))
        view = self.view(self.turn)
        if move is None:
            return reasons.explain_best(view, bot=bot, seed=seed)
        return reasons.explain_move(view, move, bot=bot, seed=seed)

    def record(self) -> Record:
        """The record of this match so far."""
        return Record.of(self)


class Record(Document):
    """A match as a document: kept on disk, replayed, verified."""

    @classmethod
    def of(cls, match: Match, dice: Dice | None = None) -> Record:
        """The record of a match, finished or not; of its dice only the hash before it is over."""
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

    def replay(self, seed: int | None = None) -> Match:
        """Play the whole record, checking every move and the result; BadRecord names the first line that is wrong.

        With a seed the match can go on: chance's further moves are drawn from it.
        """
        match = self._lay_out()
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
        """Replay the record and compute its chance moves again from the secret: how many of how many follow from it.

        Moves made before these dice came to the table prove nothing. BadRecord names the first that is not as it must.
        """
        if self.dice is None:
            raise self.bad("dice", say("this record says nothing about its dice"))
        if self.dice.secret is None:
            raise self.bad("dice", say("the secret of these dice stays hidden until the game is over"))
        if fair.commitment_of(self.dice.secret) != self.dice.commitment:
            raise self.bad("dice", say("this secret does not match the hash shown before the game"))
        match = self.replay()
        drawn = [(number, str(turn.move)) for number, turn in enumerate(match.history) if turn.seat == CHANCE]
        theirs = [(number, move) for number, move in drawn if number >= self.dice.first]
        for number, move in theirs:
            outcomes = LegalMoves(match.game, match.everything(number).position)
            expected = fair.choose(self.dice.secret, number, map(str, outcomes))
            if move != expected:
                text = say("move {number}: the secret gives {expected}, not {found}")
                raise self.bad(number, text.fill(number=number, expected=expected, found=move))
        return len(theirs), len(drawn)

    def _lay_out(self) -> Match:
        """The match before its first move; each field is checked by itself, so that the right line is blamed."""
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
