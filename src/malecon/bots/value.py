"""The value of a position at the edge of the search for every seat: the result, a playout, or an estimate.

Rewards lie between 0 and 1: the chance to win, blended with how far ahead a seat ends, so that a loser still plays on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.bots.network import Floats, Net
from malecon.bots.simple import choose_greedy
from malecon.kernel.compile import kernel
from malecon.kernel.numerics import exp
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


class SearchSettings(NamedTuple):
    """The settings of a search, as its kernels read them."""

    explore: float  # weight of exploration in the choice of the next move to try
    around: int  # at the root, one simulation in this many goes to a move that has been neglected; 0: none does
    margin: float  # part of the reward that is for the margin, not for the win
    prior: float  # how sharply `worth` tells promising moves from others, in points; 0: all are equal
    policy: bool  # the network tells promising moves from others, not `worth`
    playout: int
    depth: int  # decisions played out before the estimate
    value: int
    secrets: bool  # something may be hidden: every simulation guesses it, and every node is a view


class Workspace(NamedTuple):
    """Scratch space for one thread of a search: positions, lists and numbers."""

    cells: Any  # the world of this simulation, a view of it, a trial
    words: npt.NDArray[np.uint64]  # the same memory, eight bytes at a time, a row each
    rest: npt.NDArray[np.uint8]  # and the bytes that are left over
    moves: Moves
    path: npt.NDArray[np.int32]  # nodes and edges of this simulation
    rewards: Rewards  # by seat
    sums: Rewards  # of the rewards, over all simulations that chose their first move themselves
    leads: Rewards  # the sums of `ends`, over the same simulations
    counted: npt.NDArray[np.int64]  # how many they are
    inputs: Floats
    hidden: Floats  # (seats, units)
    judges: Floats  # (seats + 1, judges): the last row is what all seats share
    ends: Floats  # by seat: how far ahead of the best other it will end, in units of MARGIN points


@kernel
def judge(position: Position, margin: float, rewards: Rewards, ends: Floats) -> None:
    """Set the rewards of a finished game, and how far ahead each seat is: a shared win counts in equal parts."""
    players = len(rewards)
    best, winners = standing(position, 0), 1
    for seat in range(1, players):
        own = standing(position, seat)
        if own > best:
            best, winners = own, 1
        elif own == best:
            winners += 1
    for seat in range(players):
        rewards[seat] = (1.0 - margin) / winners if standing(position, seat) == best else 0.0
        rival = -1_000_000
        for other in range(players):
            if other != seat:
                rival = max(rival, points(position, other))
        ends[seat] = (points(position, seat) - rival) / MARGIN
        if margin > 0:
            rewards[seat] += margin / (1.0 + exp((rival - points(position, seat)) / MARGIN))


@kernel
def softmax(scores: Rewards) -> None:
    """Turn scores into shares of 1."""
    highest = scores[0]
    for i in range(1, len(scores)):
        highest = max(highest, scores[i])
    total = 0.0
    for i in range(len(scores)):
        scores[i] = exp(scores[i] - highest)
        total += scores[i]
    for i in range(len(scores)):
        scores[i] /= total


@kernel
def estimate_by_worth(position: Position, rewards: Rewards) -> None:
    for seat in range(len(rewards)):
        rewards[seat] = worth(position, seat) / WORTH_MARGIN
    softmax(rewards)


@kernel
def blend(margin: float, rewards: Rewards, ends: Floats) -> None:
    """Turn strengths into chances to win, blended with how far ahead each seat ends."""
    softmax(rewards)
    for seat in range(len(rewards)):
        rewards[seat] = (1.0 - margin) * rewards[seat] + margin / (1.0 + exp(-np.float64(ends[seat])))


@kernel
def read_position(position: Position, net: Net, workspace: Workspace) -> None:
    """Compute the first layer for every seat, into `workspace.hidden`."""
    hidden, inputs = workspace.hidden, workspace.inputs
    for seat in range(len(workspace.rewards)):
        inputs[:] = 0
        features(position, seat, inputs)
        for j in range(len(net.hidden_bias)):
            hidden[seat, j] = net.hidden_bias[j]
        for i in range(len(net.hidden)):
            x = inputs[i]
            if x != 0:
                for j in range(len(net.hidden_bias)):
                    hidden[seat, j] += x * net.hidden[i, j]
        for j in range(len(net.hidden_bias)):
            hidden[seat, j] = max(hidden[seat, j], np.float32(0))


@kernel
def judge_seats(margin: float, net: Net, workspace: Workspace) -> None:
    """Compute the rewards from the first layer, as `read_position` left it."""
    hidden, judges, rewards, ends = workspace.hidden, workspace.judges, workspace.rewards, workspace.ends
    players, size = len(rewards), len(net.judge_bias)
    share = np.float32(1.0 / (players - 1))
    for j in range(size):
        judges[players, j] = net.judge_bias[j]
    for i in range(len(net.own)):  # what the others bring, as if a seat were one of its own others
        total = np.float32(0)
        for seat in range(players):
            total += hidden[seat, i]
        if total != 0:
            total *= share
            for j in range(size):
                judges[players, j] += total * net.others[i, j]
    for seat in range(players):
        for j in range(size):
            judges[seat, j] = judges[players, j]
        for i in range(len(net.own)):
            x = hidden[seat, i]
            if x != 0:
                y = x * share  # and here it is taken out again
                for j in range(size):
                    judges[seat, j] += x * net.own[i, j] - y * net.others[i, j]
        strength, ahead = net.out_bias[0], net.out_bias[1]
        for j in range(size):
            if judges[seat, j] > 0:
                strength += judges[seat, j] * net.out[j, 0]
                ahead += judges[seat, j] * net.out[j, 1]
        rewards[seat] = strength
        ends[seat] = ahead
    blend(margin, rewards, ends)


@kernel
def move_score(seat: int, code: int, net: Net, workspace: Workspace) -> float:
    """Return how likely a move of the seat is, as a logarithm up to a constant, from the first layer."""
    total = net.moves_bias[code]
    for j in range(len(net.hidden_bias)):
        total += workspace.hidden[seat, j] * net.moves[code, j]
    return total


@kernel
def play_out(cells: Any, playout: int, depth: int, moves: Moves, random: Randomness) -> None:
    """Play on in `cells[0]` for `depth` decisions, or to the end; chance's moves do not count."""
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
def evaluate(settings: SearchSettings, net: Net, workspace: Workspace, random: Randomness, was_read: bool) -> None:
    """Set the rewards of the world in `workspace.cells[0]`, which may be played on for it.

    `was_read` says that the first layer was computed for this world already.
    """
    if settings.playout != PLAY_NOTHING:
        play_out(workspace.cells, settings.playout, settings.depth, workspace.moves, random)
        was_read = False
    position = workspace.cells[0]
    if actor(position) == NOBODY:
        judge(position, settings.margin, workspace.rewards, workspace.ends)
    elif settings.value == LEARNED:
        if not was_read:
            read_position(position, net, workspace)
        judge_seats(settings.margin, net, workspace)
    else:
        estimate_by_worth(position, workspace.rewards)
        workspace.ends[:] = np.float32(0)  # `worth` does not say how the game ends
