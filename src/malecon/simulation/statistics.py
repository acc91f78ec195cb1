"""Games between simple bots, as many as you like, and the statistics of them.

Each game has a random stream of its own, drawn from the seed and its number, so results do not depend on threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.bots import SIMPLE
from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.playing import LONGEST_GAME
from malecon.kernel.randomness import Randomness, streams
from malecon.match import Match, check_setup
from malecon.simulation.whole_games import play_many

#: Games played between two looks at the progress bar.
CHUNK = 2_000


@dataclass(frozen=True)
class Statistics:
    """What a simulation found. Lists have one entry a seat; a shared win counts in equal parts."""

    game: str
    players: int
    games: int
    seed: int
    bots: list[str]
    games_per_second: float
    decisions_per_second: float
    mean_scores: list[float]
    win_rates: list[float]
    score_percentiles: dict[str, list[float]]  # 5th, 25th, 50th, 75th, 95th, by seat
    mean_winning_score: float
    mean_last_score: float
    mean_decisions: float
    mean_moves: float
    shortest_game: int
    longest_game: int

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class _Chunk:
    lengths: npt.NDArray[np.int64]
    results: npt.NDArray[np.int64]
    logs: npt.NDArray[np.int16]


def _play_chunk(game: Game, start: Any, bots: npt.NDArray[np.int64], seeds: Randomness, log: int) -> _Chunk:
    count, players = len(seeds), len(bots)
    chunk = _Chunk(
        np.zeros((count, 2), np.int64), np.zeros((count, players, 2), np.int64), np.zeros((count, log), np.int16)
    )
    cells = np.zeros(3, game.dtype).view(np.recarray)
    moves = np.empty(game.most_legal, np.int16)
    play_many(start, cells, bots, seeds, moves, chunk.logs, chunk.lengths, chunk.results)
    return chunk


def check_bots(players: int, bots: Sequence[str] | None) -> list[str]:
    """A simple bot for every seat, random where none is given; BadSetup where they do not fit."""
    specs = ["random"] * players if bots is None else list(bots)
    if len(specs) != players:
        raise BadSetup(say("{players} players need {players} bots, not {bots}", players=players, bots=len(specs)))
    for spec in specs:
        if spec not in SIMPLE:
            text = say("there is no simple bot called {name}; choose from: {known}")
            raise BadSetup(text.fill(name=repr(spec)[:40], known=", ".join(SIMPLE)))
    return specs


def simulate(
    name: str,
    players: int,
    count: int,
    *,
    seed: int = 0,
    bots: Sequence[str] | None = None,
    jobs: int = 1,
    options: dict[str, OptionValue] | None = None,
    record_dir: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Statistics:
    """Play that many games between simple bots; `progress` hears how many games of how many are done."""
    game = registry.get(name)
    chosen = check_setup(game, players, options)
    specs = check_bots(players, bots)
    if count < 1 or jobs < 1:
        raise BadSetup(say("at least one game and one process are needed"))
    readiness.wait(name)
    codes = np.array([SIMPLE[spec] for spec in specs], np.int64)
    start = np.zeros(1, game.dtype).view(np.recarray)
    start[0] = game.new_position(players, **chosen)
    warm_up = streams(seed, 0, 1)
    _play_chunk(game, start, codes, warm_up, 0)  # compiling or loading is not playing
    log = LONGEST_GAME if record_dir else 0
    size = 50 if record_dir else CHUNK

    done, counting = 0, threading.Lock()

    def run(first: int) -> _Chunk:
        chunk = _play_chunk(game, start, codes, streams(seed, first, min(size, count - first)), log)
        if record_dir:
            _write_records(game, chosen, chunk, first, players, record_dir)
        with counting:
            nonlocal done
            done += len(chunk.lengths)
            progress(done, count)
        return chunk if not record_dir else _Chunk(chunk.lengths, chunk.results, chunk.logs[:0])

    began = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        chunks = list(pool.map(run, range(0, count, size)))
    seconds = time.perf_counter() - began
    lengths = np.concatenate([chunk.lengths for chunk in chunks])
    results = np.concatenate([chunk.results for chunk in chunks])
    return _statistics(game, players, seed, specs, seconds, lengths, results)


def _statistics(
    game: Game,
    players: int,
    seed: int,
    specs: list[str],
    seconds: float,
    lengths: npt.NDArray[np.int64],
    results: npt.NDArray[np.int64],
) -> Statistics:
    scores, standings = results[:, :, 0], results[:, :, 1]
    won = standings == standings.max(axis=1, keepdims=True)
    wins = (won / won.sum(axis=1, keepdims=True)).mean(axis=0)
    percentiles = np.percentile(scores, (5, 25, 50, 75, 95), axis=0)
    return Statistics(
        game=game.name,
        players=players,
        games=len(lengths),
        seed=seed,
        bots=specs,
        games_per_second=len(lengths) / seconds,
        decisions_per_second=float(lengths[:, 1].sum()) / seconds,
        mean_scores=scores.mean(axis=0).tolist(),
        win_rates=wins.tolist(),
        score_percentiles={str(p): row.tolist() for p, row in zip((5, 25, 50, 75, 95), percentiles, strict=True)},
        mean_winning_score=float(scores.max(axis=1).mean()),
        mean_last_score=float(scores.min(axis=1).mean()),
        mean_decisions=float(lengths[:, 1].mean()),
        mean_moves=float(lengths[:, 0].mean()),
        shortest_game=int(lengths[:, 1].min()),
        longest_game=int(lengths[:, 1].max()),
    )


def _write_records(
    game: Game, options: dict[str, OptionValue], chunk: _Chunk, first: int, players: int, folder: Path
) -> None:
    for number, (log, length) in enumerate(zip(chunk.logs, chunk.lengths[:, 0], strict=True), first):
        match = Match(game, players, options=options)
        match.make_all(log[:length].tolist())
        match.record().write(folder / f"{game.name}-{number:06}.json")
