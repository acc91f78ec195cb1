"""Learn to play from nothing but the rules: a policy plays against itself on the vectorised tables (PPO, PyTorch).

    python training/learn_policy.py santiago

It knows no other player: the games against the greedy bot only measure it, and make the curve. `docs/learning.md` tells
how it works and how well.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a step of self-play is too small to be shared

import argparse
import itertools
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from self_play import Lessons, Score, against_greedy, play_round

from malecon import games
from malecon.arena.policy_bot import Policy
from malecon.drawing import charts
from malecon.drawing.palette import CHART
from malecon.envs.vector import Tables
from malecon.kernel.errors import MaleconError
from malecon.kernel.extras import require
from malecon.kernel.game import Game
from malecon.kernel.randomness import mix
from malecon.match import check_players
from malecon.simulation.intervals import wilson

GAMES_A_ROUND = 128
EPOCHS = 3
BATCH = 2048
RATE, LAST_RATE = 1e-3, 5e-5
#: How much of an advantage is what came of it, rather than the next value (GAE's lambda).
TRUST = 0.95
#: A move's chance counts as changed by at most this much in one round (PPO's clip).
CLIP = 0.2
VALUE_WEIGHT, CURIOSITY = 0.5, 0.01
STEEPEST = 0.5
#: The number of points of the curve after its first.
MEASUREMENTS = 20
GAMES_A_MEASUREMENT = 400
GAMES_AT_THE_END = 2_000


class Learner:
    """The network as PyTorch sees it, and how it learns from a round."""

    def __init__(self, game: Game, units: int, seed: int) -> None:
        torch = self._torch = require("torch", "PyTorch", "learning")
        torch.set_num_threads(
            1
        )  # two gain little with so small a network, and one adds up in the same order everywhere
        torch.manual_seed(seed)
        self._game = game
        sizes = (game.pieces.size, units, units, game.decisions + 1)
        self._layers = [torch.nn.Linear(*pair) for pair in itertools.pairwise(sizes)]
        for layer in self._layers:
            last = layer is self._layers[-1]  # begins with all moves equally likely, and expects nothing
            torch.nn.init.orthogonal_(layer.weight, 0.01 if last else 2**0.5)
            torch.nn.init.zeros_(layer.bias)
        parts = [part for layer in self._layers for part in (torch.nn.ReLU(), layer)]
        self._network = torch.nn.Sequential(*parts[1:])
        self._optimiser = torch.optim.Adam(self._network.parameters(), lr=RATE, eps=1e-5)

    @property
    def policy(self) -> Policy:
        """What it has learned so far; a copy."""
        layers = [(layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()) for layer in self._layers]
        return Policy(self._game.name, tuple(layers))

    def learn(self, lessons: Lessons, rate: float) -> float:
        """A few passes over a round, in mixed order. How undecided the policy still is, in nats, is returned."""
        torch = self._torch
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        count = len(lessons.moves)
        scaled = (lessons.advantages - lessons.advantages.mean()) / (lessons.advantages.std() + 1e-8)
        columns = (
            lessons.observations, lessons.masks, lessons.moves, lessons.chances, scaled, lessons.returns
        )  # fmt: skip
        tensors = [torch.from_numpy(column) for column in columns]
        undecided = 0.0
        for _ in range(EPOCHS):
            for rows in torch.randperm(count).tensor_split(max(1, count // BATCH)):
                undecided += self._step(*(tensor[rows] for tensor in tensors)) * len(rows)
        return undecided / (EPOCHS * count)

    def _step(self, observations: Any, masks: Any, moves: Any, before: Any, advantages: Any, returns: Any) -> float:
        """One step down the slope of PPO's loss."""
        torch = self._torch
        outputs = self._network(observations)
        logs = outputs[:, :-1].masked_fill(masks == 0, -1e9).log_softmax(dim=1)
        ratios = (logs.gather(1, moves[:, None])[:, 0] - before).exp()
        gains = torch.minimum(ratios * advantages, ratios.clamp(1 - CLIP, 1 + CLIP) * advantages)
        entropy = -(logs.exp() * logs).sum(dim=1).mean()
        surprise = (outputs[:, -1] - returns).square().mean()
        self._optimiser.zero_grad()
        (VALUE_WEIGHT * surprise - gains.mean() - CURIOSITY * entropy).backward()
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), STEEPEST)
        self._optimiser.step()
        return float(entropy.detach())


@dataclass(frozen=True)
class Measured:
    """A point of the curve: how strong the policy was after some minutes and games."""

    minutes: float
    games: int
    score: Score

    @property
    def share(self) -> float:
        return self.score.wins / self.score.games

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.score.wins, self.score.games)

    def __str__(self) -> str:
        (low, high), score = self.interval, self.score
        return (
            f"{self.minutes:5.1f} min, {self.games:6} games of self-play: {self.share:6.1%} of {score.games} won "
            f"against greedy ({low:.1%} to {high:.1%}), points {score.points:.1f} to {score.points_of_greedy:.1f}"
        )


def learn(
    game: Game, players: Sequence[int], rounds: int, minutes: float, units: int, seed: int
) -> tuple[Policy, list[Measured]]:
    """Rounds of self-play, as many as asked for or as there is time for; the last point of the curve has most games.

    Given several numbers of players, the rounds take turns; the curve is of the first of them.
    """
    learner = Learner(game, units, seed)
    rooms = [Tables(game.name, many, GAMES_A_ROUND, rewards="points", restart=False) for many in players]
    against_greedy(learner.policy, players[0], players[0], seed)  # compiling or loading is not learning
    began, began_by_clock = time.process_time(), time.perf_counter()
    curve: list[Measured] = []
    for number in range(rounds + 1):
        spent = (time.process_time() - began) / 60  # on a busy machine, the clock would count what others do
        over = number == rounds or spent >= minutes
        if over or number * MEASUREMENTS >= len(curve) * rounds:
            many = GAMES_AT_THE_END if over else GAMES_A_MEASUREMENT
            score = against_greedy(learner.policy, players[0], many, mix(seed, 1, len(curve)))
            curve.append(Measured(spent, number * GAMES_A_ROUND, score))
            print(curve[-1], f"[{(time.perf_counter() - began_by_clock) / 60:.1f} min by the clock]", flush=True)
        if over:
            break
        lessons = play_round(learner.policy, rooms[number % len(rooms)], mix(seed, 0, number), TRUST)
        learner.learn(lessons, RATE + (LAST_RATE - RATE) * number / rounds)
    return learner.policy, curve


def chart(curve: list[Measured], title: str, fair: float) -> str:
    """The curve as an SVG, with its intervals as a band."""
    last = max(curve[-1].minutes, 1e-9)
    up, across = charts.up, charts.Scale(0, last, charts.LEFT, charts.WIDTH - charts.RIGHT)
    middle, right, low = charts.across(0.5), charts.across(1), charts.HEIGHT - 8
    parts = [
        f'<text x="{middle}" y="{charts.ABOVE / 2}" text-anchor="middle" fill="{CHART["text"]}">{title}</text>',
        f'<text x="{middle}" y="{low}" text-anchor="middle" fill="{CHART["label"]}">minutes of processor time</text>',
    ]
    apart = next((wide for wide in (0.1, 0.2, 0.5, 1, 2, 5) if last <= 12 * wide), 10)
    for tick in range(int(last / apart) + 1):
        x, y = across(tick * apart), up(0) + 18
        parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="{CHART["label"]}">{tick * apart:.3g}</text>'
        )
    parts.append(
        f'<path d="M{charts.LEFT} {up(fair):.1f}H{right:.1f}" stroke="{CHART["label"]}" stroke-dasharray="8 4"/>'
    )
    parts.append(
        f'<text x="{right}" y="{up(fair) - 6:.1f}" text-anchor="end" fill="{CHART["label"]}">as good as greedy</text>'
    )
    lows = [f"{across(m.minutes):.1f},{up(m.interval[0]):.1f}" for m in curve]
    highs = [f"{across(m.minutes):.1f},{up(m.interval[1]):.1f}" for m in curve]
    parts.append(f'<polygon points="{" ".join(lows + highs[::-1])}" fill="{CHART["interval"]}"/>')
    line = " ".join(f"{across(m.minutes):.1f},{up(m.share):.1f}" for m in curve)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{CHART["curve"]}" stroke-width="2"/>')
    for m in curve:
        tip = f"{m.share:.1%} of {m.score.games} games after {m.minutes:.1f} minutes, {m.games} games of self-play"
        parts.append(f'<circle cx="{across(m.minutes):.1f}" cy="{up(m.share):.1f}" r="4" fill="{CHART["curve"]}">')
        parts.append(f"<title>{tip}</title></circle>")
    return charts.percents(title, parts)


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument(
        "--players", type=numbers, default=[2], help="how many play; with 2,3,4 one policy learns all of them"
    )
    parser.add_argument("--rounds", type=int, default=120, help=f"of {GAMES_A_ROUND} games")
    parser.add_argument("--minutes", type=float, default=60, help="stop earlier if the processor has worked that long")
    parser.add_argument("--units", type=int, default=256, help="in each of the two hidden layers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the policy, for `malecon arena … --bots policy:FILE,greedy`")
    parser.add_argument("--curve", type=Path, help="its curve, as an SVG; beside the policy unless given")
    chosen = parser.parse_args()
    try:
        game = games.get(chosen.game)
        players = [check_players(game, many) for many in chosen.players]
        policy, curve = learn(game, players, chosen.rounds, chosen.minutes, chosen.units, chosen.seed)
    except MaleconError as error:
        sys.exit(f"{Path(__file__).name}: {error}")
    policy_file = chosen.out or Path(f"{game.name}-policy.npz")
    policy.save(policy_file)
    for many in players[1:]:
        score = against_greedy(policy, many, GAMES_AT_THE_END, mix(chosen.seed, 2, many))
        print(f"{many} players:", Measured(curve[-1].minutes, curve[-1].games, score), flush=True)
    title = f"{game.title}, {players[0]} players: wins against greedy while learning by self-play"
    out = chosen.curve or policy_file.with_name(f"{game.name}-learning.svg")
    out.write_text(chart(curve, title, 1 / players[0]), encoding="utf-8")


if __name__ == "__main__":
    main()
