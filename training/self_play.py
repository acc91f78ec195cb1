"""Whole games of a policy against itself and against greedy bots, on the vectorised tables. Nothing is learned here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from malecon.arena.policy_bot import Floats, Policy
from malecon.bots.simple import GREEDY, choose
from malecon.envs.advantages import NOT_ASKED, advantages
from malecon.envs.vector import Tables
from malecon.kernel.randomness import streams

Whole = npt.NDArray[np.int64]
#: What is learned for: every point ahead, and the win. All of a game together is then about the size of 1.
POINT, WIN = 0.05, 0.5


@dataclass(frozen=True)
class Lessons:
    """What a round of self-play teaches: one row for every decision in which there was a choice."""

    observations: Floats
    masks: npt.NDArray[np.int8]
    moves: Whole
    chances: Floats  # logarithms, of the moves that were made
    advantages: Floats
    returns: Floats


def merits(tables: Tables) -> Floats:
    """(tables, seats): what the last step was good for: points less the others' mean; at the end, the place too."""
    points, others = tables.rewards, tables.players - 1
    result = POINT * (points - (points.sum(axis=1, keepdims=True) - points) / others)
    places = tables.places[tables.ended]
    beaten = (places[:, :, None] < places[:, None, :]).sum(axis=2)
    beaten_by = (places[:, :, None] > places[:, None, :]).sum(axis=2)
    result[tables.ended] += WIN * (beaten - beaten_by) / others
    return result


def draw(appeal: Floats, random: np.random.Generator) -> tuple[Whole, Floats]:
    """A move for every row, as likely as it appeals, and the logarithm of its chance."""
    logs = appeal - appeal.max(axis=1, keepdims=True)
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    heaps = np.exp(logs).cumsum(axis=1)
    # Just under the whole heap, so that rounding never picks a move behind the last legal one.
    marks = random.random((len(heaps), 1)) * (heaps[:, -1:] * (1 - 1e-6))
    moves = (heaps <= marks).sum(axis=1)
    return moves, logs[np.arange(len(moves)), moves]


def play_round(policy: Policy, tables: Tables, seed: int, trust: float) -> Lessons:
    """One game at every table, all seats played by the policy. The tables wait at the end and reward by points."""
    random = np.random.default_rng(seed)
    tables.reset(seed)
    steps, deciders, rewards, values = [], [], [], []
    while (tables.seats >= 0).any():
        playing = tables.seats >= 0
        actions = tables.masks.argmax(axis=1)  # all there is to do where a move is forced
        asked = np.flatnonzero(tables.masks.sum(axis=1, dtype=np.int32) > 1)
        decided, expected = np.full(tables.count, NOT_ASKED), np.zeros(tables.count, np.float32)
        if len(asked):
            observations, masks = tables.scaled()[asked], tables.masks[asked]
            appeal, expected[asked] = policy.evaluate(observations, masks)
            actions[asked], chances = draw(appeal, random)
            decided[asked] = tables.seats[asked]
            steps.append((observations, masks, actions[asked], chances))
        tables.step(actions)
        deciders.append(decided)
        rewards.append(merits(tables) * playing[:, None])  # a table that waits still shows how its game ended
        values.append(expected)
    chosen, value = np.array(deciders), np.array(values)
    advantage = advantages(chosen, np.array(rewards), value, trust)[chosen != NOT_ASKED]
    observations, masks, moves, chances = (np.concatenate(column) for column in zip(*steps, strict=True))
    return Lessons(observations, masks, moves, chances, advantage, advantage + value[chosen != NOT_ASKED])


@dataclass(frozen=True)
class Score:
    """How a policy did against greedy bots in all other seats; shared wins count in equal parts."""

    games: int
    wins: float
    points: float  # on average
    points_of_greedy: float


def against_greedy(policy: Policy, players: int, games: int, seed: int) -> Score:
    """Games in which the policy sits in each seat equally often, on the same setups. It plays what appeals most."""
    setups = -(-games // players)
    wins, points = 0.0, np.zeros(2)
    for own in range(players):
        tables = Tables(policy.game, players, setups, seed=seed, restart=False)
        randoms = streams(seed, 2 * setups, setups)  # beyond those of the tables themselves
        moves = np.empty(tables.game.most_legal, np.int16)
        view, trial = np.zeros((2, 1), tables.game.dtype).view(np.recarray)
        while (tables.seats >= 0).any():
            actions = tables.masks.argmax(axis=1)
            asked = tables.masks.sum(axis=1, dtype=np.int32) > 1
            mine = np.flatnonzero(asked & (tables.seats == own))
            if len(mine):
                actions[mine] = policy.evaluate(tables.scaled()[mine], tables.masks[mine])[0].argmax(axis=1)
            for table in np.flatnonzero(asked & (tables.seats != own)).tolist():
                random = randoms[table : table + 1]
                actions[table] = choose(GREEDY, tables.position(table), view, moves, trial, random)
            tables.step(actions)
        won = tables.places == 1
        wins += float((won[:, own] / won.sum(axis=1)).sum())
        ended = tables.points
        points += ended[:, own].sum(), np.delete(ended, own, axis=1).sum() / (players - 1)
    return Score(setups * players, wins, *(points / (setups * players)).tolist())
