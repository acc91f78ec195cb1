"""Measure the chances that the review's bot gives, in games against itself, and fit their calibration.

    python training/calibration.py santiago --games 1000 --jobs 2
    python training/calibration.py santiago --games 2000 --jobs 2 --fit

With `--fit`, every second game is used to fit the curves of `bots/calibration.py`, the others to measure the result.
Give one number of players with `--players`, or play with each.
"""

from __future__ import annotations

import argparse
import json
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from malecon import games
from malecon.bots import calibration
from malecon.bots.calibration import FARTHEST, IDENTITY, IDENTITY_CURVE, CalibrationCurves, Curve
from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher
from malecon.bots.specs import parse
from malecon.kernel import readiness, registry
from malecon.kernel.randomness import mix
from malecon.match import Match
from malecon.server.tables.reviews import REVIEWER
from malecon.simulation.workers import spread

#: Steps of Newton's method, far more than it needs.
STEPS = 20
Numbers = npt.NDArray[np.float64]


class CalibrationTask(NamedTuple):
    """One game to be played."""

    game: str
    players: int
    bot: str
    seed: int


class Expectations(NamedTuple):
    """What the search expected at every decision, and how the game ended."""

    mover: Numbers  # after the best move
    won: Numbers  # the mover's share of the win
    seats: Numbers  # (decisions, players)
    wins: Numbers  # (decisions, players)


def play(task: CalibrationTask) -> Expectations:
    readiness.wait(task.game)
    match = Match(task.game, task.players, seed=task.seed)
    searcher = Searcher(match.game, task.players, parse(task.bot).plan, task.seed)
    searcher.calibration = IDENTITY
    movers, seats, expected = [], [], []
    while (seat := match.turn) is not None:
        if len(match.legal_moves) == 1:
            match.push(next(iter(match.legal_moves)))
            continue
        result = searcher.search(position_from_history(match.view(seat)))
        movers.append(seat)
        expected.append(result.chances[0])
        seats.append(result.seats)
        match.push(match.game.notation.name(result.best))
    assert match.outcome is not None
    winners = match.outcome.winners
    wins = np.array([(seat in winners) / len(winners) for seat in range(task.players)])
    return Expectations(np.array(expected), wins[movers], np.array(seats), np.tile(wins, (len(movers), 1)))


def join(parts: list[Expectations]) -> Expectations:
    return Expectations(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def fit(measured: Expectations) -> CalibrationCurves:
    """Return the curves that make chances fit results best."""
    return CalibrationCurves(
        fit_curve(measured.mover, measured.won), fit_curve(measured.seats.ravel(), measured.wins.ravel())
    )


def fit_curve(expected: Numbers, won: Numbers) -> Curve:
    """Fit a curve by logistic regression."""
    kept = np.clip(expected, 1e-9, 1 - 1e-9)
    odds = np.clip(np.log(kept / (1 - kept)), -FARTHEST, FARTHEST)
    inputs = np.stack([odds**power for power in range(4)], axis=1)
    weights = np.array(IDENTITY_CURVE)
    for _ in range(STEPS):
        given = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (won - given)
        weights += np.linalg.solve((inputs * (given * (1 - given))[:, None]).T @ inputs, slope)
    constant, slope, square, cube = (round(float(weight), 4) + 0.0 for weight in weights)
    steps = np.linspace(-FARTHEST, FARTHEST, 200)
    if (slope + 2 * square * steps + 3 * cube * steps**2 <= 0).any():
        raise SystemExit("a better move would get a lower chance: play more games")
    return constant, slope, square, cube


def corrected(curves: CalibrationCurves, measured: Expectations) -> list[tuple[str, Numbers, Numbers]]:
    """Return the corrected chances beside the results, of the mover and of all seats."""
    mover = np.array([curves.chance(expected) for expected in measured.mover.tolist()])
    seats = np.array([curves.shares(row) for row in measured.seats.tolist()])
    return [("the mover's best move", mover, measured.won), ("every seat", seats.ravel(), measured.wins.ravel())]


def report(what: str, given: Numbers, won: Numbers) -> None:
    compared = calibration.compare(given, won)
    print(f"\n| {what} | chances | mean chance | won |\n| --- | ---: | ---: | ---: |")
    for group in compared.classes:
        low, high = (100 * number // calibration.CLASSES for number in (group.number, group.number + 1))
        print(f"| {low}–{high} % | {group.size:,} | {group.given:.1%} | {group.won:.1%} |")
    print(f"\nexpected calibration error {compared.error:.3f}; ", end="")
    print(f"the worst class with 1 % of the chances is off by {compared.worst:.1%}")


def save(name: str, players: int, curves: CalibrationCurves) -> None:
    file = registry.data_file(name, calibration.FILE)
    assert file is not None
    measured = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    measured[str(players)] = curves._asdict()
    lines = ",\n".join(f'  "{number}": {json.dumps(measured[number])}' for number in sorted(measured))
    file.write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--players", type=int, help="all numbers of players, if not given")
    parser.add_argument("--games", type=int, default=100, help="for each number of players")
    parser.add_argument("--bot", default=REVIEWER)
    parser.add_argument("--fit", action="store_true", help="fit the curves again")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    game = games.get(chosen.game)
    for players in [chosen.players] if chosen.players else range(game.fewest_players, game.most_players + 1):
        tasks = [
            CalibrationTask(game.name, players, chosen.bot, mix(chosen.seed, number)) for number in range(chosen.games)
        ]
        parts = list(spread(play, tasks, jobs=chosen.jobs, in_order=True))
        curves = calibration.curves_for(game.name, players)
        if chosen.fit:
            curves, parts = fit(join(parts[::2])), parts[1::2]
            save(game.name, players, curves)
        print(f"\n{game.title}, {players} players, {len(parts)} games: {curves}", flush=True)
        for what, given, won in corrected(curves, join(parts)):
            report(what, given, won)


if __name__ == "__main__":
    main()
