"""Every game as a PettingZoo environment: `env("cuba", players=4)`. One game, dressed; needs the extra `pettingzoo`."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.envs.observation import mask_space, observation_space
from malecon.envs.vector import Tables
from malecon.kernel.extras import require
from malecon.kernel.game import OptionValue
from malecon.match import View, check_names

gymnasium = require("gymnasium", "Gymnasium", "pettingzoo")
pettingzoo = require("pettingzoo", "PettingZoo", "pettingzoo")
wrappers = require("pettingzoo.utils.wrappers", "PettingZoo", "pettingzoo")

AGENT = "player_"
#: What an illegal move is worth to whoever makes it, in `env`.
ILLEGAL_REWARD = -1.0
TEXT_WIDTH = 120


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
        "render_modes": ["human", "ansi", "rgb_array"],
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
        self.render_mode = render_mode
        self._by_piece = by_piece
        self._max_cycles = max_cycles
        self.possible_agents = [f"{AGENT}{seat}" for seat in range(players)]
        self.agents: list[str] = []
        seen = observation_space(self.game, np.dtype(np.float32), by_piece)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": seen, "action_mask": mask_space(self.game)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.game.decisions) for agent in self.possible_agents}

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
        self._table.step(np.array([action], np.int64))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self._table.rewards[0].tolist(), strict=True))
        self._decided[agent] += 1
        if self._table.ended[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._max_cycles is not None and self._decided[agent] >= self._max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._turn_to_next()
        self._accumulate_rewards()
        if self.terminations[agent] or self.truncations[agent]:
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _turn_to_next(self) -> None:
        """Select who decides now, if anybody, and tell every agent its mask."""
        seat = int(self._table.seats[0])
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> npt.NDArray[np.int8]:
        """A copy: the next step writes into the table's own."""
        if self.possible_agents.index(agent) == self._table.seats[0]:
            return np.array(self._table.masks[0])
        return np.zeros(self.game.decisions, np.int8)

    def observe(self, agent: str) -> dict[str, Any]:
        flat = self._table.observe(self.possible_agents.index(agent))[0].astype(np.float32)
        seen = self.game.pieces.split(flat) if self._by_piece else flat
        return {"observation": seen, "action_mask": self._mask(agent)}

    # --- looking at it

    def _view(self) -> View:
        players = len(self.possible_agents)
        names = check_names(self.game, players, None)
        return View(self.game, None, self._table.position(0), (), names, self._table.options)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The whole table with nothing hidden: text for "ansi", printed for "human", pixels for "rgb_array"."""
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            from malecon.envs.picture import pixels

            return pixels(self._view())
        from rich.console import Console

        from malecon.terminal.boards import board

        page = io.StringIO()
        human = self.render_mode == "human"
        Console(file=None if human else page, width=TEXT_WIDTH, highlight=False).print(board(self._view(), "en"))
        return None if human else page.getvalue()

    def close(self) -> None:
        self._table.close()
