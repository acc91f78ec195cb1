"""Are the chances honest? The review's bot plays itself: what it expected at every decision, and who won.

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
from malecon.kernel.randomness import mix
from malecon.match import Match
from malecon.server.tables.reviews import REVIEWER
from malecon.simulation.workers import spread

#: Steps of Newton's method, far more than it needs.
STEPS = 20
Numbers = npt.NDArray[np.float64]


class Task(NamedTuple):
    game: str
    players: int
    bot: str
    seed: int


class Found(NamedTuple):
    """For every decision what the search expected, and how the game ended."""

    mover: Numbers  # after the best move
    won: Numbers  # the mover's share of the win
    seats: Numbers  # (decisions, players)
    wins: Numbers  # (decisions, players)


def play(task: Task) -> Found:
    match = Match(task.game, task.players, seed=task.seed)
    mind = Searcher(match.game, task.players, parse(task.bot).plan, task.seed)
    mind.calibration = IDENTITY
    movers, seats, expected = [], [], []
    while (seat := match.turn) is not None:
        if len(match.legal_moves) == 1:
            match.push(next(iter(match.legal_moves)))
            continue
        thoughts = mind.search(position_from_history(match.view(seat)))
        movers.append(seat)
        expected.append(thoughts.chances[0])
        seats.append(thoughts.seats)
        match.push(match.game.notation.name(thoughts.best))
    assert match.outcome is not None
    winners = match.outcome.winners
    wins = np.array([(seat in winners) / len(winners) for seat in range(task.players)])
    return Found(np.array(expected), wins[movers], np.array(seats), np.tile(wins, (len(movers), 1)))


def join(parts: list[Found]) -> Found:
    return Found(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def fit(found: Found) -> CalibrationCurves:
    """The curves that make chances fit results best."""
    return CalibrationCurves(fit_curve(found.mover, found.won), fit_curve(found.seats.ravel(), found.wins.ravel()))


def fit_curve(expected: Numbers, won: Numbers) -> Curve:
    """Logistic regression: the least logarithmic loss."""
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


def told(honesty: CalibrationCurves, found: Found) -> list[tuple[str, Numbers, Numbers]]:
    """What is shown, beside what happened: the mover's chances and those of all seats."""
    mover = np.array([honesty.chance(one) for one in found.mover.tolist()])
    seats = np.array([honesty.shares(row) for row in found.seats.tolist()])
    return [("the mover's best move", mover, found.won), ("every seat", seats.ravel(), found.wins.ravel())]


def report(what: str, given: Numbers, won: Numbers) -> None:
    found = calibration.compare(given, won)
    print(f"\n| {what} | chances | mean chance | won |\n| --- | ---: | ---: | ---: |")
    for one in found.classes:
        low, high = (100 * number // calibration.CLASSES for number in (one.number, one.number + 1))
        print(f"| {low}–{high} % | {one.size:,} | {one.given:.1%} | {one.won:.1%} |")
    print(f"\nexpected calibration error {found.error:.3f}; ", end="")
    print(f"the worst class with 1 % of the chances is off by {found.worst:.1%}")


def save(name: str, players: int, honesty: CalibrationCurves) -> None:
    known = json.loads(calibration.FILE.read_text(encoding="utf-8")) if calibration.FILE.exists() else {}
    known.setdefault(name, {})[str(players)] = honesty._asdict()
    lines = [
        f'  "{game}": {{\n' + ",\n".join(f'    "{n}": {json.dumps(found[n])}' for n in sorted(found)) + "\n  }"
        for game, found in sorted(known.items())
    ]
    calibration.FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--players", type=int, help="all numbers of players, if not given")
    parser.add_argument("--games", type=int, default=100, help="for each number of players")
    parser.add_argument("--bot", default=REVIEWER)
    parser.add_argument("--fit", action="store_true", help="measure anew how expectations become chances")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    game = games.get(chosen.game)
    for players in [chosen.players] if chosen.players else range(game.fewest_players, game.most_players + 1):
        tasks = [Task(game.name, players, chosen.bot, mix(chosen.seed, number)) for number in range(chosen.games)]
        parts = list(spread(play, tasks, jobs=chosen.jobs, in_order=True))
        honesty = calibration.curves_for(game.name, players)
        if chosen.fit:
            honesty, parts = fit(join(parts[::2])), parts[1::2]
            save(game.name, players, honesty)
        print(f"\n{game.title}, {players} players, {len(parts)} games: {honesty}", flush=True)
        for what, given, won in told(honesty, join(parts)):
            report(what, given, won)


if __name__ == "__main__":
    main()
