"""What a position at the edge of the search is worth to every seat: the result, a playout, or an estimate.

Rewards lie between 0 and 1: the chance to win, blended with how far ahead one ends, so that a loser still plays on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.bots.simple import choose_greedy
from malecon.kernel.compile import kernel
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, Position, actor, features, legal, play, points, standing, worth

# How the rest of a game is played out, and what estimates the position where that stops.
PLAY_RANDOM, PLAY_GREEDY, PLAY_NOTHING = range(3)
LEARNED, WORTH = range(2)
#: Points ahead at the end that are worth e : 1 in the margin's part of the reward.
MARGIN = 15.0
#: The same for `worth`, which is a guess at points.
WORTH_MARGIN = 4.0
#: A game that is played out for longer is estimated where it stands.
LONGEST_PLAYOUT = 20_000

Rewards = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]


class Net(NamedTuple):
    """A small network from `features` to two numbers a seat: its strength, and how far ahead it will end."""

    hidden: Floats  # (features, units)
    hidden_bias: Floats
    out: Floats  # (units, 2)
    out_bias: Floats


class Settings(NamedTuple):
    """How a search thinks."""

    explore: float  # weight of exploration in the choice of the next move to try
    margin: float  # part of the reward that is for the margin, not for the win
    prior: float  # how sharply `worth` tells promising moves from others, in points; 0: all are equal
    playout: int
    depth: int  # decisions played out before the estimate
    value: int
    secrets: bool  # somebody may hide something: every world is guessed, every node is a view


class Desk(NamedTuple):
    """Scratch space for one thread of a search: positions, lists and numbers to work with."""

    cells: Any  # the world of this simulation, a view of it, a trial
    words: npt.NDArray[Any]  # the same memory as whole numbers, a row each
    moves: Moves
    path: npt.NDArray[np.int32]  # nodes and edges of this simulation
    rewards: Rewards  # by seat
    sums: Rewards  # of the rewards, over all simulations
    inputs: Floats
    units: Floats


@kernel
def judge(position: Position, margin: float, rewards: Rewards) -> None:
    """The rewards of a finished game: a shared win counts in equal parts."""
    players = len(rewards)
    best, winners = standing(position, 0), 1
    for seat in range(1, players):
        found = standing(position, seat)
        if found > best:
            best, winners = found, 1
        elif found == best:
            winners += 1
    for seat in range(players):
        rewards[seat] = (1.0 - margin) / winners if standing(position, seat) == best else 0.0
        if margin > 0:
            rival = -1_000_000
            for other in range(players):
                if other != seat:
                    rival = max(rival, points(position, other))
            rewards[seat] += margin / (1.0 + np.exp((rival - points(position, seat)) / MARGIN))


@kernel
def softmax(scores: Rewards) -> None:
    """Scores become shares of 1."""
    highest = scores.max()
    total = 0.0
    for i in range(len(scores)):
        scores[i] = np.exp(scores[i] - highest)
        total += scores[i]
    for i in range(len(scores)):
        scores[i] /= total


@kernel
def estimate_by_worth(position: Position, rewards: Rewards) -> None:
    for seat in range(len(rewards)):
        rewards[seat] = worth(position, seat) / WORTH_MARGIN
    softmax(rewards)


@kernel
def run_net(net: Net, inputs: Floats, units: Floats) -> tuple[float, float]:
    """The network's two numbers. Inputs of 0, which most are, cost nothing."""
    size = len(units)
    for j in range(size):
        units[j] = net.hidden_bias[j]
    for i in range(len(inputs)):
        x = inputs[i]
        if x != 0:
            for j in range(size):
                units[j] += x * net.hidden[i, j]
    strength, ahead = net.out_bias[0], net.out_bias[1]
    for j in range(size):
        if units[j] > 0:
            strength += units[j] * net.out[j, 0]
            ahead += units[j] * net.out[j, 1]
    return strength, ahead


@kernel
def estimate_by_net(position: Position, margin: float, net: Net, desk: Desk) -> None:
    rewards = desk.rewards
    ends = desk.units[len(net.hidden_bias) :]  # behind the units there is room for a number a seat
    for seat in range(len(rewards)):
        desk.inputs[:] = 0
        features(position, seat, desk.inputs)
        strength, ahead = run_net(net, desk.inputs, desk.units[: len(net.hidden_bias)])
        rewards[seat] = strength
        ends[seat] = ahead
    softmax(rewards)
    for seat in range(len(rewards)):
        rewards[seat] = (1.0 - margin) * rewards[seat] + margin / (1.0 + np.exp(-ends[seat]))


@kernel
def play_out(cells: Any, playout: int, depth: int, moves: Moves, random: Randomness) -> None:
    """Play on in `cells[0]` for so many decisions, or to the end; chance's moves do not count."""
    position = cells[0]
    made = 0
    while made < depth:
        seat = actor(position)
        if seat == NOBODY:
            return
        if seat == CHANCE or playout == PLAY_RANDOM:
            move = moves[below(random, legal(position, moves))]
        else:
            move = choose_greedy(position, moves, cells[2:3], random)
        made += seat != CHANCE
        play(position, move)


@kernel
def evaluate(settings: Settings, net: Net, desk: Desk, random: Randomness) -> None:
    """Fill the rewards of the world in `desk.cells[0]`, which may be played on for it."""
    if settings.playout != PLAY_NOTHING:
        play_out(desk.cells, settings.playout, settings.depth, desk.moves, random)
    position = desk.cells[0]
    if actor(position) == NOBODY:
        judge(position, settings.margin, desk.rewards)
    elif settings.value == LEARNED:
        estimate_by_net(position, settings.margin, net, desk)
    else:
        estimate_by_worth(position, desk.rewards)
