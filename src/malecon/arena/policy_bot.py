"""Policies learned by `training/learn_policy.py`: the network in plain NumPy, its file, and it as a bot of the arena.

A game's own policy, one for all numbers of players, is `policy.npz` in its folder. Nothing is learned here, and PyTorch
is not needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from malecon.bots.history import position_from_history
from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.match import Move, View

Floats = npt.NDArray[np.float32]
#: What an illegal move scores: no legal one comes near it, and its chance is 0.
NEVER = np.float32(-1e9)
#: The data file of a game that has a policy of its own.
FILE = "policy.npz"


@dataclass(frozen=True)
class Policy:
    """Layers of weights (out, in) and biases, with max(0, x) between them. The last gives every move and a value."""

    game: str
    layers: tuple[tuple[Floats, Floats], ...]

    def evaluate(self, observations: Floats, masks: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
        """For scaled observations: how much each move appeals, NEVER where it is illegal; and what is expected."""
        *hidden, (weights, biases) = self.layers
        for inner, offsets in hidden:
            observations = np.maximum(observations @ inner.T + offsets, 0)
        outputs = observations @ weights.T + biases
        return np.where(masks, outputs[:, :-1], NEVER), outputs[:, -1]

    def save(self, file: Path) -> None:
        arrays: dict[str, Any] = {"game": self.game}
        for number, (weights, biases) in enumerate(self.layers):
            # Half as many bits are enough to play by, and half the file.
            arrays |= {f"weights{number}": weights.astype(np.float16), f"biases{number}": biases.astype(np.float16)}
        np.savez_compressed(file, **arrays)


@lru_cache(maxsize=8)
def load(file: str) -> Policy:
    """The policy in a file; BadSetup where there is none."""
    try:
        with np.load(file) as arrays:
            count = sum(name.startswith("weights") for name in arrays.files)
            weights = {name: arrays[name].astype(np.float32) for name in arrays.files if name != "game"}
            layers = tuple((weights[f"weights{number}"], weights[f"biases{number}"]) for number in range(count))
            policy = Policy(str(arrays["game"]), layers)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        raise BadSetup(say("{file} contains no policy; malecon train learn_policy creates one", file=file)) from None
    game = registry.get(policy.game)
    sizes = [policy.layers[0][0].shape[1:], policy.layers[-1][0].shape[:1]] if policy.layers else []
    if sizes != [(game.pieces.size,), (game.decisions + 1,)]:
        raise BadSetup(say("{file} contains no policy; malecon train learn_policy creates one", file=file))
    return policy


class PolicyBot:
    """Plays the move that appeals most, without looking ahead. It gets the same view and memory as the other bots.

    Without a policy of its own it plays by ours.
    """

    def __init__(self, name: str, policy: Policy | None) -> None:
        self.name = name
        self._policy = policy

    def __repr__(self) -> str:
        return f"<PolicyBot {self.name}>"

    def choose(self, view: View) -> Move:
        game, codes = view.game, view.legal_moves.codes
        policy = shipped_policy(game.name) if self._policy is None else self._policy
        if game.name != policy.game:
            title = registry.get(policy.game).title
            raise BadSetup(say("{bot} has learned only {game}", bot=self.name, game=title))
        # Nobody can remember moves that are made face down; the tables it learned from were the same.
        position = view.position if game.conceals is not None else position_from_history(view)
        seen, mask = np.zeros(game.pieces.size, np.int16), np.zeros((1, game.decisions), np.int8)
        verbs.observe(position, view.turn or 0, seen)
        mask[0, codes] = 1
        scaled = np.divide(seen, game.pieces.each("typical"), dtype=np.float32)
        appeal, _ = policy.evaluate(scaled[None], mask)
        return Move(game.name, game.notation.name(int(appeal[0].argmax())))


def shipped_policy(game: str) -> Policy:
    """Return the policy in a game's folder; raise BadSetup if it has none."""
    file = registry.data_file(game, FILE)
    if file is None:
        raise BadSetup(say("{file} contains no policy; malecon train learn_policy creates one", file=FILE))
    return load(str(file))


def parse_policy(spec: str) -> PolicyBot:
    """The bot written as `policy:FILE`, or as `policy`: ours."""
    _, named, file = spec.partition(":")
    return PolicyBot(spec, load(file) if named else None)
