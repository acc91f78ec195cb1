"""Studies: from millions of games, what starting, buildings, people and laws are worth, with intervals, as one page.

The study of a single game is its `review`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from malecon.kernel import readiness
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.study.playing import Cell, Trial, play_fast, play_slow
from malecon.study.subject import Subject, subject

__all__ = ["Study", "study"]

#: Something that shows how many games of how many are done, under a title.
Bar = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]


@dataclass(frozen=True)
class Study:
    """What was played and counted. Only `seconds` and `jobs` differ when the same study is made again."""

    subject: Subject
    games: int
    seed: int
    jobs: int
    cells: tuple[Cell, ...]
    trials: tuple[Trial, ...]
    seconds: float

    def cell(self, level: str, players: int) -> Cell | None:
        return next((cell for cell in self.cells if (cell.level, cell.players) == (level, players)), None)

    @property
    def played(self) -> int:
        """All games, experiments included."""
        return sum(cell.games for cell in self.cells) + sum(trial.games for trial in self.trials)


def study(
    name: str,
    games: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    bar: Bar = lambda title: nullcontext(lambda done, total: None),
) -> Study:
    """Play and count a study of a game: so many games at random for each number of players, fewer of slower levels."""
    studied = subject(name)
    if games < 1 or jobs < 1:
        raise BadSetup(say("at least one game and one process are needed"))
    readiness.wait(name)
    readiness.wait(name, part=readiness.RESEARCH)
    began = time.perf_counter()
    with bar("Playing") as progress:
        cells, trials = play_fast(studied, games, seed, jobs, progress)
    with bar("Thinking") as progress:
        cells += play_slow(studied, games, seed, jobs, progress)
    return Study(studied, games, seed, jobs, tuple(cells), tuple(trials), time.perf_counter() - began)
