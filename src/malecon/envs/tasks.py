"""Tasks with names: what is to be learned, with which budget, and how it is measured. docs/tasks.md has the promise.

Within a version nothing that a result depends on changes: rules, moves, observations, rewards, opponents. `fingerprint`
is a digest of all of it, which a test compares with the one written down here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from malecon.bots import make
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.match import Match

#: The opponents of every task: none of them depends on the speed of the machine.
OPPONENTS = ("random", "greedy", "search:sims=20")
DECISIONS_COMPARED = 30


@dataclass(frozen=True)
class Task:
    """A game with a number of players, a budget for learning, and the games in which the agent is measured."""

    name: str
    game: str
    players: int
    fingerprint: str
    core_minutes: float = 20.0  # of processor time for each seed
    games: int = 1_000  # against each opponent, which has all other seats; the agent's seat rotates
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    opponents: tuple[str, ...] = OPPONENTS

    def evaluation_seed(self, seed: int) -> int:
        """Return the seed of the setups and the luck in which the agent of a seed is measured."""
        return 10_000 + seed


TASKS: Mapping[str, Task] = {
    task.name: task
    for task in (
        Task("santiago-2p-v0", "santiago", 2, "521291a69ea77c2f"),
        Task("santiago-4p-v0", "santiago", 4, "521291a69ea77c2f"),
        Task("cuba-2p-v0", "cuba", 2, "99900318f8317d57"),
        Task("cuba-4p-v0", "cuba", 4, "99900318f8317d57"),
    )
}

#: By game: the digest of how its opponents play, see `opponents_play`.
PLAY = {"santiago": "8a961ae072f2dc61", "cuba": "26e311ed3d054698"}


def task(name: str) -> Task:
    """Return the task of that name; raise BadSetup if there is none."""
    if name not in TASKS:
        text = say("there is no task {name}; choose from: {known}")
        raise BadSetup(text.fill(name=repr(name)[:40], known=", ".join(TASKS)))
    return TASKS[name]


def fingerprint(game: str) -> str:
    """Return a digest of what results in a game depend on: rules, moves, observations, the weights of the search."""
    known = registry.get(game)
    weights = registry.data_file(game, "weights.npz")
    calibration = registry.data_file(game, "calibration.json")
    facts = {
        "rules": known.rules_version,
        "options": {name: str(option.default) for name, option in known.options.items()},
        "moves": list(known.notation.names()),
        "decisions": known.decisions,
        "pieces": [
            (piece.name, piece.axes, piece.low, piece.high, piece.typical, piece.start) for piece in known.pieces
        ],
        "weights": [
            hashlib.sha256(file.read_bytes()).hexdigest()
            for file in (weights, calibration)
            if file is not None and file.exists()
        ],
    }
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def opponents_play(game: str) -> str:
    """Return a digest of the first moves that the opponents make against each other; a version keeps it."""
    moves = []
    for first, second in (("greedy", "search:sims=20"), ("search:sims=20", "random")):
        match, seats = Match(game, 2, seed=1), [make(first, 1), make(second, 2)]
        for _ in range(DECISIONS_COMPARED):
            if match.turn is None:
                break
            match.push(seats[match.turn].choose(match.view(match.turn)))
        moves += [str(turn.move) for turn in match.history]
    return hashlib.sha256("\n".join(moves).encode()).hexdigest()[:16]
