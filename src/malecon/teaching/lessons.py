"""Lessons: the learner moves, the others do what the lesson says, and a goal is reached or missed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import cast

from malecon.kernel import registry
from malecon.kernel.errors import IllegalMove
from malecon.kernel.journal import Event
from malecon.kernel.line import Line
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.kernel.view import View, legal_codes, parse_code
from malecon.match.setup import check_names
from malecon.teaching.analysis.position_fields import Values, position_from_fields

#: The seat of the learner.
SEAT = 0
#: The most moves of the learner in a lesson.
MOST_MOVES = 20

MISSED = say("That was the last move of this lesson, and the goal is not reached. Take it back and try another.")


@dataclass(frozen=True)
class WrongTurn:
    """What is said after certain moves: patterns in notation, such as `visit *` or, in one phase only, `use: pass`.

    The example is a sequence of moves that leads there.
    """

    moves: tuple[str, ...]
    words: Phrase
    example: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Lesson:
    """A lesson as data. Fields that `table` does not name are as at the beginning of a game."""

    game: str
    key: str
    title: Phrase
    task: Phrase
    table: Values
    is_reached: Callable[[LessonRun], bool]
    solution: tuple[str, ...]
    wrong: tuple[WrongTurn, ...]
    why: Phrase
    players: int = 2
    others: tuple[str, ...] = ()  # what the others and chance do: the first that is legal; if none is, the lesson ends
    options: Mapping[str, bool | str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()  # of points that the lesson helps with

    @cached_property
    def start(self) -> Position:
        """The position at the beginning."""
        return position_from_fields(registry.get(self.game), self.players, self.table, self.options)

    def play(self, moves: Sequence[str]) -> LessonRun:
        """Return the lesson after these moves of the learner; raise IllegalMove or NotAMove if one cannot be made."""
        if len(moves) > MOST_MOVES:
            raise IllegalMove(say("no lesson has so many moves"))
        run = LessonRun(self)
        for move in moves:
            run.push(move)
        return run


class LessonRun:
    """A lesson being played."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.game = registry.get(lesson.game)
        names = check_names(self.game, lesson.players, None)
        self.line = Line(self.game, lesson.start, names=names, options=lesson.options)
        self.moves: list[str] = []  # the learner's
        self.reached = False

    def push(self, text: str) -> None:
        """Make a move for the learner; then the others move as the lesson says."""
        code = parse_code(self.game, text)
        if not self.is_on or code not in self.legal:
            raise IllegalMove(self.game.why_illegal(self.position, code, self.line.names))
        self.moves.append(self.game.notation.name(code))
        self._make(code)
        while not self.reached and self.line.turn not in (SEAT, None):
            answer = self._answer()
            if answer is None:
                break
            self._make(answer)

    def _answer(self) -> int | None:
        """Return the code of the move that the others or chance make now, or None if the lesson names no legal one."""
        legal = self.legal
        codes = (cast(int, self.game.notation.code(text)) for text in self.lesson.others)
        return next((code for code in codes if code in legal), None)

    def _make(self, code: int) -> None:
        self.line.push(code)
        self.reached = self.lesson.is_reached(self)

    @property
    def is_on(self) -> bool:
        """Whether the learner is to move and has not reached the goal."""
        return not self.reached and self.line.turn == SEAT and len(self.moves) < MOST_MOVES

    @property
    def position(self) -> Position:
        """The position after all moves so far."""
        return self.line.position

    @property
    def legal(self) -> list[int]:
        """The codes of the legal moves."""
        return legal_codes(self.game, self.position)

    @property
    def view(self) -> View:
        """What the learner sees."""
        return self.line.view(SEAT)

    @property
    def hint(self) -> Phrase | None:
        """What to say about the last move if it was a wrong turn, or if the lesson is over and its goal missed."""
        if self.reached or tuple(self.moves) == self.lesson.solution[: len(self.moves)]:
            return None
        last = next(step for step in reversed(self.line.steps) if step.seat == SEAT)
        in_phase = f"{self.game.phases[int(last.before.phase)]}: {self.moves[-1]}"
        for turn in self.lesson.wrong:
            for pattern in turn.moves:
                if fnmatchcase(in_phase if ":" in pattern else self.moves[-1], pattern):
                    return turn.words
        return None if self.is_on else MISSED

    # --- what goals ask

    def events(self, kind: int) -> list[Event]:
        """Return every event of a kind so far."""
        return [event for step in self.line.steps for event in step.events if event.kind == kind]

    def gained(self, name: str) -> int:
        """Return how many pesos or points the learner has gained since the beginning."""
        return int(self.position[name][SEAT]) - int(self.lesson.start[name][SEAT])

    def made(self, *patterns: str) -> bool:
        """Whether the learner has made a move that fits each of these patterns."""
        return all(any(fnmatchcase(move, pattern) for move in self.moves) for pattern in patterns)


@cache
def lessons(game: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game, in order; none if the game has none."""
    component = registry.component(game, "teaching.lessons")
    return () if component is None else cast("tuple[Lesson, ...]", component.LESSONS)


def find(game: str, key: str) -> Lesson | None:
    """Return the lesson with this key, or None."""
    return next((lesson for lesson in lessons(registry.get(game).name) if lesson.key == key), None)


def suggested(game: str, sources: Sequence[str], most: int = 3) -> tuple[Lesson, ...]:
    """Return the lessons to try next after few points from these sources, in this order; then the first lessons."""
    every = lessons(game)
    fitting = [lesson for source in sources for lesson in every if source in lesson.sources]
    return tuple(dict.fromkeys([*fitting, *every[:most]]))[:most]
