"""Every game as a PettingZoo environment: `env("cuba", players=4)`. One game, dressed; needs the extra `pettingzoo`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.envs.observation import mask_space, observation_space
from malecon.envs.picture import RENDER_MODES, check_render_mode, render
from malecon.envs.vector import Tables
from malecon.kernel import registry, verbs
from malecon.kernel.errors import NotAMove
from malecon.kernel.extras import require
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.positions import as_array
from malecon.kernel.view import EVERYTHING, SPECTATOR, hidden
from malecon.match import History, View, check_names, check_whole

gymnasium = require("gymnasium", "Gymnasium", "pettingzoo")
pettingzoo = require("pettingzoo", "PettingZoo", "pettingzoo")
wrappers = require("pettingzoo.utils.wrappers", "PettingZoo", "pettingzoo")

AGENT = "player_"
#: The reward of an agent that makes an illegal move, in `env`.
ILLEGAL_REWARD = -1.0


def env(game: str = "santiago", players: int = 3, **settings: Any) -> Any:
    """The environment with PettingZoo's guards: an illegal move loses and ends the game. Settings as for raw_env."""
    guarded: Any = wrappers.TerminateIllegalWrapper(raw_env(game, players, **settings), illegal_reward=ILLEGAL_REWARD)
    guarded = wrappers.AssertOutOfBoundsWrapper(guarded)
    return wrappers.OrderEnforcingWrapper(guarded)


class raw_env(pettingzoo.AECEnv):  # type: ignore[misc, name-defined]  # noqa: N801
    """A game in which agents act one after the other. An illegal move raises IllegalMove with the rule that forbids it.

    `rewards`: "rank" (at the end, 1 for the first to -1 for the last), "win" or "points" (as they are made).
    `by_piece`: the observation as a dictionary of its named pieces rather than flat.
    `max_cycles`: the game is cut short when some seat has decided so often.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "malecon_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str = "santiago",
        players: int = 3,
        *,
        rewards: str = "rank",
        memory: bool = True,
        by_piece: bool = False,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        super().__init__()
        self._table = Tables(game, players, 1, rewards=rewards, memory=memory, restart=False, options=options)
        self.game = self._table.game
        self.metadata = {**type(self).metadata, "name": f"malecon_{game}_v0"}
        self.render_mode = check_render_mode(render_mode)
        self._by_piece = by_piece
        self._max_cycles = None if max_cycles is None else check_whole("max_cycles", max_cycles)
        self.possible_agents = [f"{AGENT}{seat}" for seat in range(self._table.players)]
        self.agents: list[str] = []
        seen = observation_space(self.game, np.dtype(np.float32), by_piece)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": seen, "action_mask": mask_space(self.game)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.game.decisions) for agent in self.possible_agents}
        self._seat = -1  # who decides, if anybody
        self._mask = np.zeros(self.game.decisions, np.int8)  # and what that seat may do
        self._action = self._table.sample()  # the array that a step reads
        self._no_moves = np.zeros(self.game.decisions, np.int8)
        self._no_moves.flags.writeable = False  # everybody who waits is shown this one
        self._by_points = rewards == "points"

        self.state_space = observation_space(self.game, np.dtype(np.float32), False)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def __str__(self) -> str:
        return str(self.metadata["name"])

    # --- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._table.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._decided = dict.fromkeys(self.agents, 0)
        self._turn_to_next()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            self._action[0] = operator.index(action)
        except (TypeError, OverflowError):
            raise NotAMove(say("{text} is not a move", text=repr(action)[:60])) from None
        self._table.step(self._action)
        self._cumulative_rewards[agent] = 0.0
        self._decided[agent] += 1
        over = self._turn_to_next()
        cut = not over and self._decided[agent] == self._max_cycles
        if over or self._by_points:
            self.rewards = dict(zip(self.agents, self._table.rewards[0].tolist(), strict=True))
            self._accumulate_rewards()
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
        if cut:
            self.truncations = dict.fromkeys(self.agents, True)
        if over or cut:
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _turn_to_next(self) -> bool:
        """Select who decides now and tell every agent its mask; whether the game is over and nobody does."""
        self._seat = seat = int(self._table.seats[0])
        self.infos = {agent: {"action_mask": self._no_moves} for agent in self.agents}
        if seat < 0:
            return True
        self.agent_selection = agent = self.possible_agents[seat]
        self._mask = self._table.masks[0].copy()  # the next step writes into the table's own
        self.infos[agent]["action_mask"] = self._mask
        return False

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        if seat == self._seat:  # the table has looked already
            flat, mask = self._table.observations[0].astype(np.float32), self._mask
        else:
            flat, mask = self._table.observe(seat)[0].astype(np.float32), self._no_moves.copy()
        return {"observation": self.game.pieces.split(flat) if self._by_piece else flat, "action_mask": mask}

    # --- looking at it

    def _view(self, seat: int) -> View:
        names = check_names(self.game, len(self.possible_agents), None)
        position = hidden(as_array(self._table.position(0)), seat)
        shown = seat if seat >= 0 else None
        return View(self.game, shown, position, History(self.game), names, self._table.options)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """What the agent to move sees, as text for "ansi", printed for "human"; the whole table for "rgb_array"."""
        if self.render_mode is None:
            return None
        seen = self._view(self._seat if self._seat >= 0 else SPECTATOR)
        shown: str | npt.NDArray[np.uint8] | None = render(seen, self.render_mode, lambda: self._view(EVERYTHING))
        return shown

    def state(self) -> npt.NDArray[np.float32]:
        """The whole table with nothing hidden, in the pieces of an observation by the first seat: for a critic."""
        seen = np.zeros(self.game.pieces.size, np.int16)
        verbs.observe(self._table.position(0), 0, seen)
        return seen.astype(np.float32)

    def close(self) -> None:
        self._table.close()


if hasattr(pettingzoo, "register"):  # from 1.27 on there is a registry, as Gymnasium has one
    for _name in registry.names():
        pettingzoo.register("aec", f"malecon/{_name}_v0", f"{__name__}:env", kwargs={"game": _name})
