"""AlphaZero in fifty lines: a search guided by a network plays against itself, and the network learns from the games.

    python docs/example_alphazero.py santiago 2 alphazero.npz

The network is plain NumPy; `example_torch_network.py` has one in PyTorch, for the same loop. `Bot` plays what was
learned: `malecon arena santiago --bots example_alphazero:Bot,greedy`, started in this folder.
"""

import sys
from pathlib import Path

import numpy as np

from malecon.envs.guided import GuidedSearch
from malecon.envs.vector import Tables


class Network:
    """One hidden layer; its outputs are the appeal of every move and what every seat will get."""

    def __init__(self, size, moves, players, units=128, seed=0):
        random = np.random.default_rng(seed)
        self.moves = moves
        self.weights = [random.normal(0, (2 / size) ** 0.5, (size, units)), np.zeros((units, moves + players))]
        self.means = [np.zeros_like(layer) for layer in self.weights]
        self.squares = [np.zeros_like(layer) for layer in self.weights]

    def judge(self, seen, masks):
        found = np.maximum(seen @ self.weights[0], 0) @ self.weights[1]
        return np.where(masks, found[:, : self.moves], -np.inf), np.tanh(found[:, self.moves :])

    def learn(self, seen, masks, shares, results, rate=0.002):
        """One step of Adam: towards the moves that the search tried most, and towards how the games ended."""
        hidden = np.maximum(seen @ self.weights[0], 0)
        appeals, values = self.judge(seen, masks)
        chances = np.exp(appeals - appeals.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slopes = np.hstack([chances - shares, (values - results) * (1 - values**2)]) / len(seen)
        inner = (slopes @ self.weights[1].T) * (hidden > 0)
        for layer, slope in enumerate((seen.T @ inner, hidden.T @ slopes)):
            self.means[layer] += 0.1 * (slope - self.means[layer])
            self.squares[layer] += 0.01 * (slope**2 - self.squares[layer])
            self.weights[layer] -= rate * self.means[layer] / (np.sqrt(self.squares[layer]) + 1e-6)


def play(network, game, players, count, sims, random):
    """Games against itself; for every decision what was seen, what was legal, what the search tried, how it ended."""
    tables = Tables(game, players, count, rewards="win", restart=False, seed=int(random.integers(1 << 62)))
    search = GuidedSearch(game, players, network.judge, sims=sims, noise=0.25, seed=int(random.integers(1 << 62)))
    lessons, owners, results = [], [], np.zeros((count, players))
    while (on := np.flatnonzero(tables.seats >= 0)).size:
        visits = search.search(tables).visits[on]
        shares = visits / visits.sum(axis=1, keepdims=True)
        lessons.append((tables.scaled()[on], tables.masks[on], shares))
        owners.append((on, tables.seats[on]))
        actions = np.zeros(count, np.int64)
        actions[on] = [random.choice(len(row), p=row) for row in shares]
        tables.step(actions)
        results += tables.rewards
    table, seat = map(np.concatenate, zip(*owners))
    turned = (seat[:, None] + np.arange(players)) % players  # the seat that decides first, then in turn
    return *map(np.concatenate, zip(*lessons)), np.take_along_axis(results[table], turned, axis=1)


def train(game, players, file, rounds=20, count=64, sims=50, kind=Network, seed=1):
    random, tables = np.random.default_rng(seed), Tables(game, players, 1)
    network = kind(tables.game.pieces.size, tables.game.decisions, players)
    for number in range(rounds):
        lessons = play(network, game, players, count, sims, random)
        for _ in range(2 * len(lessons[0]) // 256 + 1):
            rows = random.integers(len(lessons[0]), size=256)
            network.learn(*(part[rows] for part in lessons))
        np.savez(file, *network.weights)
        print(f"round {number + 1}: {count} games, {len(lessons[0])} decisions", flush=True)
    return network


class Bot:
    """The trained network with a search, for the arena."""

    def __init__(self, seed=0, weights="alphazero.npz", sims="50"):
        self.seed, self.weights, self.sims, self.search = seed, weights, int(sims), None

    def choose(self, view):
        if self.search is None:
            game, players = view.game, len(view.names)
            network = Network(game.pieces.size, game.decisions, players)
            network.weights = list(np.load(Path(self.weights)).values())
            self.search = GuidedSearch(game.name, players, network.judge, sims=self.sims, seed=self.seed)
        return self.search.choose(view)


if __name__ == "__main__":
    train(sys.argv[1], int(sys.argv[2]), sys.argv[3])
