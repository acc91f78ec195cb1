"""The games of a study: who plays how many, from which seed, and how they are played. How they are read is elsewhere.

Every game has its own random stream, and sums are of whole numbers, so nothing depends on the number of jobs.
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
from malecon.match import Match, Move
from malecon.simulation.whole_games import play_many
from malecon.simulation.workers import spread
from malecon.study.counting import Numbers, count
from malecon.study.subject import Experiment, Start, Subject
from malecon.study.tallies import Tally, add, tally

#: Games played and counted at a time.
CHUNK = 1_000
#: Moves that a log has room for at first; longer games are played again with more.
ROOM = 1_500
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Level:
    """Who plays: the same bot at every seat."""

    key: str
    bot: str


#: El Patrón is not among them: what it plays depends on the clock, so no seed could bring its games back.
LEVELS = (
    Level("random", "random"),
    Level("turista", "turista"),
    Level("aprendiz", "greedy"),
    Level("comerciante", "comerciante"),
    Level("capitan", "capitan"),
)
#: Who plays the experiments.
EXPERIMENTER = LEVELS[2]
EXPERIMENT = "experiment"


@dataclass(frozen=True)
class Cell:
    """The games of one level with one number of players."""

    level: str
    players: int
    games: int
    tally: Tally


@dataclass(frozen=True)
class Trial:
    """The games of one experiment, by the seat that was favoured; None where none was."""

    kind: str
    thing: int
    games: int
    tallies: dict[int | None, Tally]


def usual_start(game: Game, players: int) -> Start:
    position = np.zeros(1, game.dtype).view(np.recarray)
    position[0] = game.new_position(players)
    return Start(position)


# --- simple bots, whole games in a kernel


def play_simple(game: Game, players: int, start: Start, bot: str, seeds: Randomness) -> tuple[Moves, Numbers]:
    """A game for each seed: the lists of moves and their lengths."""
    logs, lengths = _play(game, players, start, bot, seeds, ROOM)
    longest = int(lengths.max())
    if longest > ROOM:
        logs, lengths = _play(game, players, start, bot, seeds, longest)
    return logs, lengths


def _play(game: Game, players: int, start: Start, bot: str, seeds: Randomness, room: int) -> tuple[Moves, Numbers]:
    bots = np.full(players, SIMPLE[bot], np.int64)
    logs = np.zeros((len(seeds), room), np.int16)
    lengths = np.zeros((len(seeds), 2), np.int64)
    results = np.zeros((len(seeds), players, 2), np.int64)
    cells = np.zeros(3, game.dtype).view(np.recarray)
    moves = np.empty(game.most_legal, np.int16)
    play_many(start.position, cells, bots, seeds.copy(), moves, logs, lengths, results)
    return logs, lengths[:, 0].copy()


@dataclass(frozen=True)
class _Task:
    """Games of one start that are played and counted together."""

    where: tuple[Any, ...]
    players: int
    start: Start
    bot: str
    seed: int
    first: int
    games: int


def _tasks_of_cell(subject: Subject, level: Level, players: int, games: int, seed: int) -> Iterator[_Task]:
    start = usual_start(subject.game, players)
    for first in range(0, games, CHUNK):
        yield _Task((level.key, players), players, start, level.bot, seed, first, min(CHUNK, games - first))


def _tasks_of_experiment(experiment: Experiment, players: int, games: int, seed: int) -> Iterator[_Task]:
    """The games are spread over the starts as evenly as can be."""
    starts = len(experiment.starts)
    ends = [games * (i + 1) // starts for i in range(starts)]
    for start, first, end in zip(experiment.starts, [0, *ends], ends, strict=False):
        for at in range(first, end, CHUNK):
            where = (experiment.kind, experiment.thing, start.seat)
            yield _Task(where, players, start, EXPERIMENTER.bot, seed, at, min(CHUNK, end - at))


def _run(subject: Subject, tasks: Sequence[_Task], jobs: int, progress: Progress) -> dict[tuple[Any, ...], list[Tally]]:
    total, done, counting = sum(task.games for task in tasks), 0, threading.Lock()

    def run(task: _Task) -> Tally:
        seeds = streams(task.seed, task.first, task.games)
        logs, lengths = play_simple(subject.game, task.players, task.start, task.bot, seeds)
        found = tally(count(subject.ledger, task.players, task.start.position, logs, lengths), subject)
        with counting:
            nonlocal done
            done += task.games
            progress(done, total)
        return found

    found: dict[tuple[Any, ...], list[Tally]] = {}
    pool = ThreadPoolExecutor(jobs)
    try:
        for task, part in zip(tasks, pool.map(run, tasks), strict=True):
            kept = found.setdefault(task.where, [])
            kept[:] = [add([*kept, part])]  # one sum each, however many games
    finally:
        pool.shutdown(cancel_futures=True)  # stops without waiting for games that have not begun
    return found


def play_fast(subject: Subject, games: int, seed: int, jobs: int, progress: Progress) -> tuple[list[Cell], list[Trial]]:
    """All games of simple bots: so many for each number of players at random, fewer of the slower ones."""
    game = subject.game
    numbers = range(game.fewest_players, game.most_players + 1)
    tasks: list[_Task] = []
    for at, level in enumerate(LEVELS):
        if level.bot in SIMPLE:
            for players in numbers:
                tasks += _tasks_of_cell(
                    subject, level, players, games // subject.costs[level.key], mix(seed, at, players)
                )
    experiments = subject.experiments()
    for at, experiment in enumerate(experiments):
        own, each = mix(seed, len(LEVELS), at), games // subject.costs[EXPERIMENT]
        tasks += _tasks_of_experiment(experiment, subject.experiment_players, each, own)
    found = _run(subject, tasks, jobs, progress)
    cells, trials = [], []
    for level in LEVELS:
        for players in numbers:
            if (level.key, players) in found:
                summed = found[level.key, players][0]
                cells.append(Cell(level.key, players, int(summed["games"][0]), summed))
    for experiment in experiments:
        seats = dict.fromkeys(start.seat for start in experiment.starts)
        parts = {
            seat: found[where][0] for seat in seats if (where := (experiment.kind, experiment.thing, seat)) in found
        }
        if parts:
            total = sum(int(part["games"][0]) for part in parts.values())
            trials.append(Trial(experiment.kind, experiment.thing, total, parts))
    return cells, trials


# --- all other bots, move by move


def play_match(task: tuple[str, str, int, int, int]) -> list[int]:
    """One game as the moves made in it; everything in and out can be pickled."""
    name, bot, players, seed, number = task
    match = Match(name, players, seed=mix(seed, number))
    bots = [make(bot, mix(seed, number, seat)) for seat in range(players)]
    while match.turn is not None:
        match.push(bots[match.turn].choose(match.view(match.turn)), seat=match.turn)
    return [turn.move.code for turn in match.history if isinstance(turn.move, Move)]


def play_slow(subject: Subject, games: int, seed: int, jobs: int, progress: Progress) -> list[Cell]:
    """The games of bots that think, in processes of their own."""
    game = subject.game
    cells = [
        (level, players, mix(seed, at, players))
        for at, level in enumerate(LEVELS)
        if level.bot not in SIMPLE
        for players in range(game.fewest_players, game.most_players + 1)
    ]
    tasks = [
        (game.name, level.bot, players, own, number)
        for level, players, own in reversed(cells)  # the longest first, so that no job waits long at the end
        for number in range(games // subject.costs[level.key])
    ]
    played: dict[tuple[str, int], list[list[int]]] = {}
    with closing(spread(play_match, tasks, jobs=jobs, in_order=True)) as every:
        for done, (task, moves) in enumerate(zip(tasks, every, strict=True), 1):
            played.setdefault((task[1], task[2]), []).append(moves)
            progress(done, len(tasks))
    found = []
    for level, players, _ in cells:
        logs = played.get((level.bot, players))
        if logs:
            summed = add([_count_lists(subject, players, logs[i : i + CHUNK]) for i in range(0, len(logs), CHUNK)])
            found.append(Cell(level.key, players, len(logs), summed))
    return found


def _count_lists(subject: Subject, players: int, lists: Sequence[Sequence[int]]) -> Tally:
    lengths = np.array([len(moves) for moves in lists], np.int64)
    logs = np.zeros((len(lists), int(lengths.max())), np.int16)
    for log, moves in zip(logs, lists, strict=True):
        log[: len(moves)] = moves
    start = usual_start(subject.game, players)
    return tally(count(subject.ledger, players, start.position, logs, lengths), subject)
