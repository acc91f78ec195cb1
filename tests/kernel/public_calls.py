"""Every public call that runs kernels, after `warm`: what is asked for beyond what that compiled is printed.

`python -m tests.kernel.public_calls santiago`
"""

from __future__ import annotations

import copy
import pickle
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import malecon
from malecon import bots, games, text, warm
from malecon.envs import data
from malecon.envs.against_bots import AgainstBots
from malecon.envs.guided import GuidedSearch
from malecon.envs.gymnasium import VectorEnv
from malecon.envs.openspiel import pyspiel
from malecon.envs.pettingzoo import env as pettingzoo_env
from malecon.envs.vector import Tables
from malecon.kernel import compile
from malecon.simulation.statistics import simulate


def signatures() -> set[tuple[str, str]]:
    """The code that Python has asked for so far, compiled or from the cache: kernels and what they were called with."""
    return {
        (f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}", str(signature))
        for kernel in compile._kernels
        for signature in kernel.overloads
    }


def _judge(players: int) -> Any:
    return lambda seen, masks: (masks * 0.0, np.zeros((len(seen), players)))


def call_everything(name: str) -> None:
    """Make every public call that runs kernels, in ways that `warm` might have forgotten."""

    most = games.get(name).most_players
    for players in (2, np.int8(most)):
        match = malecon.new(name, players=players, seed=np.int64(3))
        for spec in ("random", "greedy", "search:sims=20", "search:sims=5,rollout=greedy,value=worth", "turista"):
            match.push(bots.make(spec, seed=1).choose(match.view(np.int8(match.turn))))
        for view in (match.view(match.turn), match.view(None), match.everything(np.int16(4))):
            text.summary(view), text.sections(view), text.prompt(view, view.seat), repr(view)
        match.hint(bot="search:sims=20"), match.explain(bot="search:sims=50,margin=0")
        match.pop(), match.push_code(np.int16(match.legal_moves.codes[0]))
        match.fork(), match.fork(np.int8(3), seed=np.uint8(1)), match.copy(), pickle.loads(pickle.dumps(match))
        match.record().replay(), match.scores, match.events(np.int8(2)), match.draw_chance(np.int8(1))
        malecon.Match(name, players).make_all(match.history.codes)
        for rewards, restart, illegal in (("win", True, "raise"), ("points", False, "lose"), ("rank", True, "random")):
            tables = Tables(
                name, players, np.int16(3), seed=np.int8(1), rewards=rewards, restart=restart, illegal=illegal,
                longest=np.int8(5), memory=restart, threads=1 + restart,
            )  # fmt: skip
            for _ in range(7):
                tables.step(tables.sample().astype(np.int16))
            if illegal != "raise":
                tables.step(np.full(3, -1, np.int8))
            tables.reset(seed=[1, 2, None]), tables.reset(chosen=np.array([True, False, True]))
            tables.observe(np.int8(1)), tables.observe([0, 1, 0], tables.observations.copy()), tables.states()
            tables.known(), tables.scaled(), copy.copy(tables).close(), tables.close()
        env = VectorEnv(name, players, 2, autoreset_mode="NextStep")
        env.reset(seed=1), env.step(env.tables.sample())
        agent = AgainstBots(name, ["greedy"] * (int(players) - 1), seat=np.int8(1), rewards="points")
        _, info = agent.reset(seed=1)
        agent.step(np.int8(0) if info["action_mask"][0] else np.int64(info["action_mask"].argmax()))
        guarded = pettingzoo_env(name, players)
        (
            guarded.reset(seed=1),
            guarded.state(),
            guarded.step(int(guarded.infos[guarded.agent_selection]["action_mask"].argmax())),
        )
        guided = GuidedSearch(name, players, _judge(int(players)), sims=3)
        guided.search(Tables(name, players, 3, seed=1)), guided.choose(match.view(match.turn))
        state = pyspiel.load_game(f"python_malecon_{name}", {"players": int(players)}).new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[-1])
        state.information_state_tensor(1), state.observation_tensor(0), state.information_state_string(0)
        simulate(name, int(players), 2, bots=["greedy"] * int(players), jobs=2)
        with tempfile.TemporaryDirectory() as folder:
            data.export(name, Path(folder) / "games", 2, bots=["greedy"] * int(players))


def main(name: str) -> None:
    for part in ("play", "research"):
        for step in warm.steps(name, part):
            step()
    before = signatures()
    call_everything(name)
    for kernel, signature in sorted(signatures() - before):
        print(kernel, signature)


if __name__ == "__main__":
    main(sys.argv[1])
