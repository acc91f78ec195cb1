"""How the learned value is made: games of the search against itself, and a small network fitted to how they ended.

Nothing here is needed to play. `training/train_value.py` is the command.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon import games
from malecon.bots.thinking import Mind, Plan, count_features
from malecon.bots.value import MARGIN, Floats, Net
from malecon.kernel import verbs
from malecon.kernel.compile import kernel
from malecon.kernel.game import Game
from malecon.kernel.randomness import below, randomness
from malecon.kernel.verbs import CHANCE, NOBODY, features

#: Chances that a move of self-play is a random one; each game draws its own, so that the data knows bad positions too.
CARELESSNESS = (0.0, 0.03, 0.1, 0.25)
#: How much of the target is the search's own opinion, the rest being how the game ended.
TRUST = 0.5
#: How fast weights shrink that nothing needs: positions of one game share their ending, which is soon learnt by heart.
DECAY = 1.0


@dataclass
class Sample:
    """Positions of self-play, all with the same number of players, and what became of every seat."""

    players: int
    positions: Any  # a recarray
    wins: npt.NDArray[np.float32]  # (positions, players): the share of the win, mixed with the search's opinion
    margins: npt.NDArray[np.float32]  # (positions, players): points ahead of the best other at the end, squashed


def play_itself(game: Game, players: int, count: int, plan: Plan, seed: int, net: Net | None) -> Sample:
    """So many games of the search against itself; every position where there was something to decide."""
    positions, wins, margins = [], [], []
    for number in range(count):
        random = randomness(seed, players, number)
        mind = Mind(game, players, plan, int(random[0]) >> 1, net)
        seen, opinions, end = _play_one(game, players, mind, random)
        standings = [int(verbs.standing(end, seat)) for seat in range(players)]
        points = [int(verbs.points(end, seat)) for seat in range(players)]
        won = np.array([s == max(standings) for s in standings], np.float32)
        won /= won.sum()
        ahead = np.array([points[s] - max(points[:s] + points[s + 1 :]) for s in range(players)], np.float32)
        for position, opinion in zip(seen, opinions, strict=True):
            positions.append(position)
            wins.append(TRUST * opinion / opinion.sum() + (1 - TRUST) * won)
            margins.append(1 / (1 + np.exp(-ahead / MARGIN)))
    cells = np.frombuffer(b"".join(positions), game.dtype).view(np.recarray)
    return Sample(players, cells, np.array(wins, np.float32), np.array(margins, np.float32))


def _play_one(
    game: Game, players: int, mind: Mind, random: npt.NDArray[np.uint64]
) -> tuple[list[bytes], list[Any], Any]:
    position = game.new_position(players)
    careless = 1000 * CARELESSNESS[below(random, len(CARELESSNESS))]
    moves = np.zeros(game.most_legal, np.int16)
    seen, opinions = [], []
    while (seat := verbs.actor(position)) != NOBODY:
        count = verbs.legal(position, moves)
        code = int(moves[below(random, count)])
        if seat != CHANCE and count > 1:
            view = position.copy()
            if game.conceals is not None:  # elsewhere memory knows all
                verbs.hide(view, seat)
            thoughts = mind.think(view)
            seen.append(position.tobytes())
            opinions.append(np.array(thoughts.seats, np.float32))
            if below(random, 1000) >= careless:
                code = thoughts.best
        verbs.play(position, code)
    return seen, opinions, position


@kernel
def describe_all(positions: Any, out: Floats, players: int) -> None:
    """The features of every seat in every position, into `out[position * players + seat]`."""
    for i in range(len(positions)):
        for seat in range(players):
            features(positions[i], seat, out[i * players + seat])


def describe(game: Game, sample: Sample) -> Floats:
    out = np.zeros((len(sample.positions) * sample.players, count_features(game)), np.float32)
    describe_all(sample.positions.copy(), out, sample.players)
    return out


def fit(
    game: Game,
    samples: Sequence[Sample],
    *,
    units: int = 32,
    epochs: int = 5,
    seed: int = 0,
    start: Net | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> Net:
    """A network for these samples, by Adam on the cross-entropy of the win and of the margin.

    A tenth is held back; the weights of the epoch that judged it best are kept.
    """
    random = np.random.default_rng(seed)
    data = [(sample, describe(game, sample)) for sample in samples]
    weights = _start(count_features(game), units, random) if start is None else [w.copy() for w in start]
    moments = [(np.zeros_like(w), np.zeros_like(w)) for w in weights]
    batches: list[tuple[int, npt.NDArray[np.int64]]] = []
    held: list[tuple[int, npt.NDArray[np.int64]]] = []
    for which, (sample, _) in enumerate(data):
        cut = len(sample.positions) * 9 // 10  # games stand in order, so what is held back is of other games
        held.append((which, np.arange(cut, len(sample.positions))))
        for part in np.array_split(random.permutation(cut), max(1, cut // 256)):
            batches.append((which, part))
    step = 0
    best, best_loss = weights, np.inf
    for epoch in range(epochs):
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 2e-5
        losses = []
        for at in random.permutation(len(batches)):
            which, rows = batches[at]
            step += 1
            sample, inputs = data[which]
            loss, gradients = _learn(sample, inputs, rows, weights)
            losses.append(loss)
            for weight, gradient, (first, second) in zip(weights, gradients, moments, strict=True):
                first += 0.1 * (gradient - first)
                second += 0.001 * (gradient * gradient - second)
                fix = np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
                weight -= rate * (fix * first / (np.sqrt(second) + 1e-8) + DECAY * weight)
        tested = [_learn(data[which][0], data[which][1], rows, weights)[0] for which, rows in held if len(rows)]
        report(f"epoch {epoch + 1}: {np.mean(losses):.4f}, held back {', '.join(f'{t:.4f}' for t in tested)}")
        if np.mean(tested or losses) < best_loss:
            best, best_loss = [w.copy() for w in weights], float(np.mean(tested or losses))
    return Net(*best)


def _start(inputs: int, units: int, random: np.random.Generator) -> list[Floats]:
    return [
        (random.standard_normal((inputs, units)) / np.sqrt(inputs / 2)).astype(np.float32),
        np.zeros(units, np.float32),
        (random.standard_normal((units, 2)) * 0.1).astype(np.float32),
        np.zeros(2, np.float32),
    ]


def _learn(
    sample: Sample, inputs: Floats, rows: npt.NDArray[np.int64], weights: Sequence[Floats]
) -> tuple[float, list[Floats]]:
    """The win's loss on some positions, and the gradients of the win's and the margin's together."""
    players = sample.players
    x = inputs.reshape(-1, players, inputs.shape[1])[rows].reshape(len(rows) * players, -1)
    hidden, hidden_bias, out, out_bias = weights
    units = np.maximum(x @ hidden + hidden_bias, 0)
    found = (units @ out + out_bias).reshape(len(rows), players, 2)
    strength = found[:, :, 0] - found[:, :, 0].max(axis=1, keepdims=True)
    share = np.exp(strength)
    share /= share.sum(axis=1, keepdims=True)
    ahead = 1 / (1 + np.exp(-np.clip(found[:, :, 1], -30, 30)))
    wins, margins = sample.wins[rows], sample.margins[rows]
    loss = float(-(wins * np.log(share + 1e-9)).sum(axis=1).mean())
    error = np.stack([share - wins, 0.5 * (ahead - margins)], axis=2).reshape(-1, 2) / len(rows)
    back = (error @ out.T) * (units > 0)
    return loss, [x.T @ back, back.sum(axis=0), units.T @ error, error.sum(axis=0)]


def self_play_task(task: tuple[str, int, int, Plan, int, Net | None]) -> tuple[int, bytes, Any, Any]:
    """`play_itself` for another process: everything in and out can be pickled."""
    name, players, count, plan, seed, net = task
    sample = play_itself(games.get(name), players, count, plan, seed, net)
    return sample.players, sample.positions.tobytes(), sample.wins, sample.margins
