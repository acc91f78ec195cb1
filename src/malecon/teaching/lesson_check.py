"""Checks lessons by long searches: what a lesson teaches is the best move, and what it calls wrong is worse.

`python -m malecon.teaching.lesson_check` prints the verdict on every step of every lesson.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from malecon.bots.history import known_to
from malecon.bots.searcher import Searcher
from malecon.bots.specs import parse
from malecon.kernel import readiness, registry
from malecon.teaching.lessons import SEAT, Lesson, LessonRun, lessons

#: Simulations of a search, and the seeds of the searches whose mean counts.
SIMS = 60_000
SEEDS = (1, 2, 3)
#: The part of the simulations that each move gets at least.
SHARE = 0.1
#: By how much of a chance the solution may be behind the best move.
MOST_BEHIND = 0.03
#: By how much of a chance every wrong turn must be behind the best move.
LEAST_LEAD = 0.05


@dataclass(frozen=True)
class StepVerdict:
    """What the searches say about one decision of the learner: the mean chance after each legal move."""

    moves: tuple[str, ...]  # of the learner, before the decision
    solution: str | None  # None where the example of a wrong turn has left the solution
    wrong: tuple[str, ...]  # legal moves after which the lesson speaks of a wrong turn
    chances: dict[str, float]

    @property
    def best(self) -> str:
        return max(self.chances, key=self.chances.__getitem__)

    @property
    def behind(self) -> float:
        """How far the solution is behind the best move."""
        return 0.0 if self.solution is None else self.chances[self.best] - self.chances[self.solution]

    @property
    def nearest(self) -> str | None:
        """The best of the wrong turns; None if there is none."""
        return max(self.wrong, key=self.chances.__getitem__, default=None)

    @property
    def lead(self) -> float:
        """How far the best of the wrong turns is behind the best move."""
        return 1.0 if self.nearest is None else self.chances[self.best] - self.chances[self.nearest]

    @property
    def holds(self) -> bool:
        return self.behind <= MOST_BEHIND and self.lead >= LEAST_LEAD


def check(lesson: Lesson, sims: int = SIMS, seeds: Sequence[int] = SEEDS) -> list[StepVerdict]:
    """Return a verdict on every decision of the solution, and on wrong turns whose examples leave the solution."""
    readiness.wait(lesson.game)
    verdicts = []
    for count, move in enumerate(lesson.solution):
        run = lesson.play(lesson.solution[:count])
        names = [run.game.notation.name(code) for code in run.legal]
        wrong = tuple(name for name in names if name != move and is_wrong(lesson, (*run.moves, name)))
        if len(names) > 1:
            verdicts.append(StepVerdict(tuple(run.moves), move, wrong, chances(run, sims, seeds)))
    for turn in lesson.wrong:
        *before, last = turn.example
        if tuple(before) != lesson.solution[: len(before)]:
            run = lesson.play(before)
            verdicts.append(StepVerdict(tuple(before), None, (last,), chances(run, sims, seeds)))
    return verdicts


def is_wrong(lesson: Lesson, moves: Sequence[str]) -> bool:
    """Whether the lesson says after these moves that the last one was a wrong turn."""
    hint = lesson.play(moves).hint
    return any(hint == turn.words for turn in lesson.wrong)


def chances(run: LessonRun, sims: int, seeds: Sequence[int]) -> dict[str, float]:
    """Return the learner's mean chance to win after each legal move, with all known that was ever in the open."""
    plan = parse(f"search:sims={sims},margin=0").plan
    position, total = known_to(run.game, run.position, SEAT), dict.fromkeys(run.legal, 0.0)
    for seed in seeds:
        searcher = Searcher(run.game, run.lesson.players, plan, seed)
        searcher.search(position)
        for code in total:
            total[code] += searcher.evaluate(code, int(sims * SHARE)) / len(seeds)
    return {run.game.notation.name(code): chance for code, chance in total.items()}


def rows(lesson: Lesson, sims: int = SIMS, seeds: Sequence[int] = SEEDS) -> list[str]:
    """Return the verdicts on a lesson as lines of text."""
    lines = []
    for verdict in check(lesson, sims, seeds):
        best, nearest, chance = verdict.best, verdict.nearest, verdict.chances
        taught = f"{verdict.solution} {chance[verdict.solution]:.0%}" if verdict.solution else "–"
        wrong = f"{nearest} {chance[nearest]:.0%}" if nearest else "–"
        mark = "ok  " if verdict.holds else "FAIL"
        after = ", ".join(verdict.moves) or "start"
        lines.append(
            f"{mark} {lesson.game} {lesson.key} | {after} | {taught} | best {best} {chance[best]:.0%} | {wrong}"
        )
    return lines


if __name__ == "__main__":  # for maintainers: python -m malecon.teaching.lesson_check [GAME [KEY …]]
    import sys

    game, *keys = sys.argv[1:] or [""]
    for name in registry.names():
        for lesson in lessons(name):
            if game in ("", name) and (not keys or lesson.key in keys):
                print(*rows(lesson), sep="\n", flush=True)
