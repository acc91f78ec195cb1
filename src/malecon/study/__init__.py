"""Studies: statistics of millions of games, with intervals: what starting, buildings, people and laws are worth.

`malecon.teaching.review` judges a single game.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from malecon.kernel import readiness
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.study.design import StudyDesign, design_of
from malecon.study.playing import GameSample, Trial, play_fast, play_slow

__all__ = ["Study", "study"]

#: Opens a progress bar with a title; it is told how many games of how many are done.
Bar = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]


@dataclass(frozen=True)
class Study:
    """What was played and counted. Only `seconds` and `jobs` differ when the same study is made again."""

    design: StudyDesign
    games: int
    seed: int
    jobs: int
    samples: tuple[GameSample, ...]
    trials: tuple[Trial, ...]
    seconds: float

    def sample(self, level: str, players: int) -> GameSample | None:
        """Return the games of a level with that number of players, or None."""
        return next((sample for sample in self.samples if (sample.level, sample.players) == (level, players)), None)

    @property
    def played(self) -> int:
        """All games, experiments included."""
        return sum(sample.games for sample in self.samples) + sum(trial.games for trial in self.trials)


def study(
    name: str,
    games: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    bar: Bar = lambda title: nullcontext(lambda done, total: None),
) -> Study:
    """Play and count a study: `games` random games for each number of players, and fewer of slower levels."""
    design = design_of(name)
    if games < 1 or jobs < 1:
        raise BadSetup(say("at least one game and one process are needed"))
    readiness.wait(name, part=readiness.RESEARCH)
    began = time.perf_counter()
    with bar("Playing") as progress:
        samples, trials = play_fast(design, games, seed, jobs, progress)
    with bar("Thinking") as progress:
        samples += play_slow(design, games, seed, jobs, progress)
    return Study(design, games, seed, jobs, tuple(samples), tuple(trials), time.perf_counter() - began)
