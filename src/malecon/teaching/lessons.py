"""How a lesson goes: the learner moves, the others do what the lesson says, and a tester knows whether it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import cast

from malecon.kernel import registry, verbs
from malecon.kernel.errors import IllegalMove
from malecon.kernel.game import Game, Name
from malecon.kernel.journal import Event, events, new_journal
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.positions import as_array
from malecon.kernel.verbs import NOBODY, Position
from malecon.kernel.view import View, hidden, legal_codes, parse_code
from malecon.match.setup import check_names
from malecon.teaching.analysis.layout import Values, lay_out

#: The seat of the learner.
SEAT = 0
#: No lesson asks for more moves.
MOST_MOVES = 20

MISSED = say("That was the last move of this lesson, and the goal is not reached. Take it back and try another.")


@dataclass(frozen=True)
class WrongTurn:
    """What is said after moves of this kind: patterns in notation, such as `visit *` or, in one phase, `use: pass`.

    The example are moves that lead there.
    """

    moves: tuple[str, ...]
    words: Phrase
    example: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Step:
    """A move of a lesson, the learner's or another's: what it was, what happened, and the table around it."""

    before: Position
    after: Position
    seat: int
    code: int
    events: tuple[Event, ...]


@dataclass(frozen=True, eq=False)
class Lesson:
    """A lesson as data. What is not named in `table` lies as it does when a game begins."""

    game: str
    key: str
    title: Phrase
    task: Phrase
    table: Values
    reached: Callable[[Course], bool]
    solution: tuple[str, ...]
    wrong: tuple[WrongTurn, ...]
    why: Phrase
    players: int = 2
    others: tuple[str, ...] = ()  # what the others and chance do, the first that is possible; else the lesson ends
    options: Mapping[str, bool | str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()  # of points that it helps with

    @cached_property
    def start(self) -> Position:
        """The table at the beginning."""
        return lay_out(registry.get(self.game), self.players, self.table, self.options)

    def play(self, moves: Sequence[str]) -> Course:
        """The lesson after these moves of the learner; IllegalMove or NotAMove where one cannot be made."""
        if len(moves) > MOST_MOVES:
            raise IllegalMove(say("no lesson has so many moves"))
        course = Course(self)
        for move in moves:
            course.push(move)
        return course


class Course:
    """A lesson being played."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.game: Game = registry.get(lesson.game)
        self.start = lesson.start
        self.now: Position = as_array(lesson.start)[0]
        self.names: tuple[Name, ...] = check_names(self.game, lesson.players, None)
        self.steps: list[Step] = []
        self.moves: list[str] = []  # the learner's
        self.reached = False

    def push(self, text: str) -> None:
        """Make a move for the learner; then the others move as the lesson says."""
        code = parse_code(self.game, text)
        if not self.is_on or code not in self.legal:
            raise IllegalMove(self.game.why_illegal(self.now, code, self.names))
        self.moves.append(self.game.notation.name(code))
        self._make(code)
        self.reached = self.lesson.reached(self)
        while not self.reached and verbs.actor(self.now) not in (SEAT, NOBODY):
            answer = self._answer()
            if answer is None:
                break
            self._make(answer)
            self.reached = self.lesson.reached(self)

    def _answer(self) -> int | None:
        legal = legal_codes(self.game, self.now)
        code = self.game.notation.code
        return next((found for text in self.lesson.others if (found := cast(int, code(text))) in legal), None)

    def _make(self, code: int) -> None:
        before, journal, seat = as_array(self.now)[0], new_journal(), int(verbs.actor(self.now))
        verbs.play_logged(self.now, code, journal)
        self.steps.append(Step(before, as_array(self.now)[0], seat, code, tuple(events(journal))))

    @property
    def is_on(self) -> bool:
        """Whether the learner is to move, and the goal is still ahead."""
        return not self.reached and verbs.actor(self.now) == SEAT and len(self.moves) < MOST_MOVES

    @property
    def legal(self) -> list[int]:
        """The codes of what the learner may do."""
        return legal_codes(self.game, self.now)

    @property
    def view(self) -> View:
        """What the learner sees."""
        return View(self.game, SEAT, hidden(as_array(self.now), SEAT), (), self.names, self.lesson.options)

    @property
    def hint(self) -> Phrase | None:
        """What is to be said about the last move, if it was a wrong turn or the lesson is over without its goal."""
        if self.reached or tuple(self.moves) == self.lesson.solution[: len(self.moves)]:
            return None
        last = next(step for step in reversed(self.steps) if step.seat == SEAT)
        told = f"{self.game.phases[int(last.before.phase)]}: {self.moves[-1]}"
        for turn in self.lesson.wrong:
            for pattern in turn.moves:
                if fnmatchcase(told if ":" in pattern else self.moves[-1], pattern):
                    return turn.words
        return None if self.is_on else MISSED

    # --- what goals ask

    def events(self, kind: int) -> list[Event]:
        """All that happened so far of a kind."""
        return [event for step in self.steps for event in step.events if event.kind == kind]

    def gained(self, name: str) -> int:
        """How many pesos or points more the learner has than at the beginning."""
        return int(self.now[name][SEAT]) - int(self.start[name][SEAT])

    def made(self, *patterns: str) -> bool:
        """Whether the learner has made a move of each kind."""
        return all(any(fnmatchcase(move, pattern) for move in self.moves) for pattern in patterns)


@cache
def lessons(game: str) -> tuple[Lesson, ...]:
    """The lessons of a game, in order; none for a game of others that brings none."""
    part = registry.component(game, "teaching.lessons")
    found: tuple[Lesson, ...] = () if part is None else part.LESSONS
    return found


def find(game: str, key: str) -> Lesson | None:
    """The lesson with this key."""
    return next((lesson for lesson in lessons(registry.get(game).name) if lesson.key == key), None)


def suggested(game: str, sources: Sequence[str], most: int = 3) -> tuple[Lesson, ...]:
    """What to try next for somebody who had few points from these sources, in this order; else the first lessons."""
    known = lessons(game)
    fitting = [lesson for source in sources for lesson in known if source in lesson.sources]
    return tuple(dict.fromkeys([*fitting, *known[:most]]))[:most]
