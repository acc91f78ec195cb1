"""Plays the games of a study and tallies them.

Every game has its own random stream, and all sums are integers, so nothing depends on the number of jobs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from malecon.bots import SIMPLE, make
from malecon.kernel.game import Game
from malecon.kernel.randomness import Randomness, mix, streams
from malecon.kernel.verbs import Moves
from malecon.match import Match
from malecon.simulation.whole_games import play_many
from malecon.simulation.workers import spread
from malecon.study.counting import Numbers, count
from malecon.study.design import Experiment, StartPosition, StudyDesign
from malecon.study.tallies import Tally, add, tally

#: Games played and counted at a time.
CHUNK = 1_000
#: The length of a log of moves at first; if a game is longer, its chunk is played again with longer logs.
LOG_LENGTH = 1_500
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class StudyLevel:
    """A level of play: the same bot at every seat."""

    key: str
    bot: str


#: El Patrón is not among them: its moves depend on the clock, so no seed could reproduce its games.
LEVELS = (
    StudyLevel("random", "random"),
    StudyLevel("turista", "turista"),
    StudyLevel("aprendiz", "greedy"),
    StudyLevel("comerciante", "comerciante"),
    StudyLevel("capitan", "capitan"),
)
#: The level that plays the experiments.
EXPERIMENTER = LEVELS[2]
EXPERIMENT = "experiment"


@dataclass(frozen=True)
class GameSample:
    """The games of one level with one number of players."""

    level: str
    players: int
    games: int
    tally: Tally


@dataclass(frozen=True)
class Trial:
    """The games of one experiment, by the seat that was favoured; None if none was."""

    kind: str
    thing: int
    games: int
    tallies: dict[int | None, Tally]


def usual_start(game: Game, players: int) -> StartPosition:
    """Return the position a game begins with."""
    position = np.zeros(1, game.dtype).view(np.recarray)
    position[0] = game.new_position(players)
    return StartPosition(position)


# --- simple bots, whole games in a kernel


def play_simple(game: Game, players: int, start: StartPosition, bot: str, seeds: Randomness) -> tuple[Moves, Numbers]:
    """Play a game for each seed; return the moves of each, and their lengths."""
    logs, lengths = _play(game, players, start, bot, seeds, LOG_LENGTH)
    longest = int(lengths.max())
    if longest > LOG_LENGTH:
        logs, lengths = _play(game, players, start, bot, seeds, longest)
    return logs, lengths


def _play(
    game: Game, players: int, start: StartPosition, bot: str, seeds: Randomness, log_length: int
) -> tuple[Moves, Numbers]:
    bots = np.full(players, SIMPLE[bot], np.int64)
    logs = np.zeros((len(seeds), log_length), np.int16)
    lengths = np.zeros((len(seeds), 2), np.int64)
    results = np.zeros((len(seeds), players, 2), np.int64)
    cells = np.zeros(3, game.dtype).view(np.recarray)
    moves = np.empty(game.most_legal, np.int16)
    play_many(start.position, cells, bots, seeds.copy(), moves, logs, lengths, results)
    return logs, lengths[:, 0].copy()


@dataclass(frozen=True)
class _Task:
    """Games of one start that are played and counted together."""

    key: tuple[Any, ...]  # of the sum that these games belong to
    players: int
    start: StartPosition
    bot: str
    seed: int
    first: int
    games: int


def _tasks_of_sample(design: StudyDesign, level: StudyLevel, players: int, games: int, seed: int) -> Iterator[_Task]:
    start = usual_start(design.game, players)
    for first in range(0, games, CHUNK):
        yield _Task((level.key, players), players, start, level.bot, seed, first, min(CHUNK, games - first))


def _tasks_of_experiment(experiment: Experiment, players: int, games: int, seed: int) -> Iterator[_Task]:
    """Yield the tasks of an experiment, its games spread evenly over its positions."""
    starts = len(experiment.starts)
    ends = [games * (i + 1) // starts for i in range(starts)]
    for start, first, end in zip(experiment.starts, [0, *ends], ends, strict=False):
        for at in range(first, end, CHUNK):
            key = (experiment.kind, experiment.thing, start.seat)
            yield _Task(key, players, start, EXPERIMENTER.bot, seed, at, min(CHUNK, end - at))


def _run(design: StudyDesign, tasks: Sequence[_Task], jobs: int, progress: Progress) -> dict[tuple[Any, ...], Tally]:
    """Play all tasks in threads; return the sums by the keys of the tasks."""
    total, done, counting = sum(task.games for task in tasks), 0, threading.Lock()

    def run(task: _Task) -> Tally:
        seeds = streams(task.seed, task.first, task.games)
        logs, lengths = play_simple(design.game, task.players, task.start, task.bot, seeds)
        sums = tally(count(design.schema, task.players, task.start.position, logs, lengths), design)
        with counting:
            nonlocal done
            done += task.games
            progress(done, total)
        return sums

    sums_of: dict[tuple[Any, ...], Tally] = {}
    pool = ThreadPoolExecutor(jobs)
    try:
        for task, part in zip(tasks, pool.map(run, tasks), strict=True):
            sums_of[task.key] = add([sums_of[task.key], part]) if task.key in sums_of else part
    finally:
        pool.shutdown(cancel_futures=True)  # stops without waiting for games that have not begun
    return sums_of


def play_fast(
    design: StudyDesign, games: int, seed: int, jobs: int, progress: Progress
) -> tuple[list[GameSample], list[Trial]]:
    """Play all games of simple bots: `games` random ones for each number of players, and fewer of slower levels."""
    game = design.game
    numbers = range(game.fewest_players, game.most_players + 1)
    tasks: list[_Task] = []
    for at, level in enumerate(LEVELS):
        if level.bot in SIMPLE:
            for players in numbers:
                tasks += _tasks_of_sample(
                    design, level, players, games // design.costs[level.key], mix(seed, at, players)
                )
    experiments = design.experiments()
    for at, experiment in enumerate(experiments):
        own, each = mix(seed, len(LEVELS), at), games // design.costs[EXPERIMENT]
        tasks += _tasks_of_experiment(experiment, design.experiment_players, each, own)
    sums_of = _run(design, tasks, jobs, progress)
    samples, trials = [], []
    for level in LEVELS:
        for players in numbers:
            if (level.key, players) in sums_of:
                summed = sums_of[level.key, players]
                samples.append(GameSample(level.key, players, int(summed["games"][0]), summed))
    for experiment in experiments:
        seats = dict.fromkeys(start.seat for start in experiment.starts)
        parts = {seat: sums_of[key] for seat in seats if (key := (experiment.kind, experiment.thing, seat)) in sums_of}
        if parts:
            total = sum(int(part["games"][0]) for part in parts.values())
            trials.append(Trial(experiment.kind, experiment.thing, total, parts))
    return samples, trials


# --- all other bots, move by move


def play_match(task: tuple[str, str, int, int, int]) -> list[int]:
    """Play a game and return its moves; the task and the result can be pickled."""
    name, bot, players, seed, number = task
    match = Match(name, players, seed=mix(seed, number))
    bots = [make(bot, mix(seed, number, seat)) for seat in range(players)]
    while match.turn is not None:
        match.push(bots[match.turn].choose(match.view(match.turn)), seat=match.turn)
    codes: list[int] = match.history.codes.tolist()
    return codes


def play_slow(design: StudyDesign, games: int, seed: int, jobs: int, progress: Progress) -> list[GameSample]:
    """Play the games of bots that search, in other processes."""
    game = design.game
    kinds = [
        (level, players, mix(seed, at, players))
        for at, level in enumerate(LEVELS)
        if level.bot not in SIMPLE
        for players in range(game.fewest_players, game.most_players + 1)
    ]
    tasks = [
        (game.name, level.bot, players, own, number)
        for level, players, own in reversed(kinds)  # the longest first, so that no job waits long at the end
        for number in range(games // design.costs[level.key])
    ]
    played: dict[tuple[str, int], list[list[int]]] = {}
    with closing(spread(play_match, tasks, jobs=jobs, in_order=True)) as every:
        for done, (task, moves) in enumerate(zip(tasks, every, strict=True), 1):
            played.setdefault((task[1], task[2]), []).append(moves)
            progress(done, len(tasks))
    samples = []
    for level, players, _ in kinds:
        logs = played.get((level.bot, players))
        if logs:
            summed = add([_count_lists(design, players, logs[i : i + CHUNK]) for i in range(0, len(logs), CHUNK)])
            samples.append(GameSample(level.key, players, len(logs), summed))
    return samples


def _count_lists(design: StudyDesign, players: int, lists: Sequence[Sequence[int]]) -> Tally:
    lengths = np.array([len(moves) for moves in lists], np.int64)
    logs = np.zeros((len(lists), int(lengths.max())), np.int16)
    for log, moves in zip(logs, lists, strict=True):
        log[: len(moves)] = moves
    start = usual_start(design.game, players)
    return tally(count(design.schema, players, start.position, logs, lengths), design)
