"""Bots: they are handed a view of the match, never the truth, and answer with a move.

A bot is named by a short specification: `random`, `greedy`, or a name with settings, `search:sims=500`.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from malecon.bots.simple import GREEDY, RANDOM, choose_greedy, choose_random
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.kernel.randomness import randomness
from malecon.match import Move, View

#: The bots that play whole games inside one kernel, by name.
SIMPLE = {"random": RANDOM, "greedy": GREEDY}


class Bot(Protocol):
    """Whoever can choose a move from a view."""

    name: str

    def choose(self, view: View) -> Move:
        """One of the view's legal moves; it must be the view's own seat that is to move."""
        ...


class SimpleBot:
    """A bot without foresight: `random` or `greedy`. The same seed plays the same moves."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self._random = randomness(seed)

    def __repr__(self) -> str:
        return f"<SimpleBot {self.name}>"

    def choose(self, view: View) -> Move:
        moves = np.empty(view.game.most_legal, np.int16)
        if self.name == "random":
            code = choose_random(view.position, moves, self._random)
        else:
            trial = np.zeros(1, view.game.dtype).view(np.recarray)
            code = choose_greedy(view.position, moves, trial, self._random)
        return Move(view.game.name, view.game.notation.name(int(code)))


def make(spec: str, seed: int = 0) -> Bot:
    """The bot of a specification; BadSetup where there is none."""
    if spec not in SIMPLE:
        raise BadSetup(
            say("there is no bot called {name}; there is: {known}", name=repr(spec)[:40], known=", ".join(SIMPLE))
        )
    return SimpleBot(spec, seed)
