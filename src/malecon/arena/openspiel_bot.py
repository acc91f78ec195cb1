"""Somebody else's search at our tables: OpenSpiel's MCTS bot (C++), playing our games as `envs.openspiel` tells them.

OpenSpiel is imported when a bot called `openspiel` is asked for, and not before.
"""

from __future__ import annotations

import time
from typing import Any

from malecon.bots.history import position_from_history
from malecon.bots.specs import parse
from malecon.kernel import verbs
from malecon.kernel.extras import require
from malecon.kernel.randomness import below, randomness
from malecon.match import Move, View

MEMORY_MB = 1_000
#: OpenSpiel's own examples explore with 2.
EXPLORE = 2.0


class OpenSpielBot:
    """OpenSpiel's MCTS with random playouts. It gets the same view as our bots, and the same memory."""

    def __init__(self, name: str, sims: int, ms: int, c: float = EXPLORE, seed: int = 0) -> None:
        self._pyspiel = require("pyspiel", "OpenSpiel", "openspiel")
        self.name = name
        self._sims, self._ms, self._c = sims, ms, c
        self._random = randomness(seed)
        self._speed = 0.1  # simulations a millisecond, until measured

    def __repr__(self) -> str:
        return f"<OpenSpielBot {self.name}>"

    def choose(self, view: View) -> Move:
        codes = view.legal_moves.codes
        if len(codes) == 1:
            return Move(view.game.name, view.game.notation.name(codes[0]))
        from malecon.envs.openspiel import load

        game = load(view.game.name, len(view.names), **view.options)
        state = game.new_initial_state()
        position = position_from_history(view)
        verbs.guess(position, view.turn or 0, self._random)
        state.played = state.played.placed(position)
        sims = self._sims or max(len(codes), int(self._speed * self._ms))
        bot = self._new_bot(game, sims)
        began = time.thread_time()
        _, code = bot.step_with_policy(state)  # from 1.6.13 on, `step` crashes on any game written in Python
        spent = max(1000 * (time.thread_time() - began), 1e-3)
        self._speed = 0.7 * self._speed + 0.3 * sims / spent
        return Move(view.game.name, view.game.notation.name(code))

    def _new_bot(self, game: Any, sims: int) -> Any:
        """One for this move. It knows no clock: a time budget becomes the simulations the last moves had time for."""
        pyspiel = self._pyspiel
        seed = below(self._random, 2**31)
        return pyspiel.MCTSBot(
            game=game,
            evaluator=pyspiel.RandomRolloutEvaluator(1, seed),
            uct_c=self._c,
            max_simulations=sims,
            max_memory_mb=MEMORY_MB,
            solve=False,
            seed=seed,
            verbose=False,
        )


def parse_openspiel(spec: str, seed: int = 0) -> OpenSpielBot:
    """The bot written as `openspiel:sims=100` or `openspiel:ms=200`, with `c` if wanted."""
    plan = parse("search" + spec.removeprefix("openspiel")).plan
    written = spec.partition(":")[2]
    return OpenSpielBot(spec, plan.sims, plan.ms, plan.c if "c=" in written else EXPLORE, seed)
