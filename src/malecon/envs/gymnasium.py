"""The games for Gymnasium: many at once as a `VectorEnv`, and registered, one agent against our bots.

Both only dress what lives elsewhere, `Tables` and `against_bots`. Needs the extra `gymnasium`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.envs.observation import mask_space, observation_space
from malecon.envs.vector import Tables, check_choice
from malecon.kernel import registry
from malecon.kernel.extras import require
from malecon.kernel.game import OptionValue
from malecon.kernel.randomness import check_seed

gymnasium = require("gymnasium", "Gymnasium", "gymnasium")
vector = require("gymnasium.vector", "Gymnasium", "gymnasium")


class VectorEnv(vector.VectorEnv):  # type: ignore[misc, name-defined]
    """Many games; in each, an action is for the seat that decides there, named by the observation's `seat`.

    A reward is for the seat that made the move; `info["rewards"]` has those of all seats. A game that has ended is
    followed by a new one in the same step: `info["final_obs"]` is what the seat that moved last saw at the end, with
    nothing left to do; `info["points"]` and `info["places"]` tell how it ended. With `autoreset_mode` NEXT_STEP the new
    game begins in the step that follows, whatever the action; with DISABLED it waits for
    `reset(options={"reset_mask": …})`. With `flat` the observation is only the array (or its pieces), and `info` has
    `action_mask` and `seat`, for learners that want it so. Games are truncated only if `longest` says after how many
    decisions. Arrays are yours to keep; with `copy=False` the next step overwrites them.
    """

    metadata: dict[str, Any] = {"autoreset_mode": vector.AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        players: int,
        num_envs: int,
        *,
        threads: int = 1,
        rewards: str = "rank",
        memory: bool = True,
        by_piece: bool = False,
        flat: bool = False,
        copy: bool = True,
        longest: int | None = None,
        autoreset_mode: Any = vector.AutoresetMode.SAME_STEP,
        **options: OptionValue,
    ) -> None:
        if not isinstance(autoreset_mode, vector.AutoresetMode):
            check_choice("autoreset_mode", autoreset_mode, {mode.value: 0 for mode in vector.AutoresetMode})
        self._mode = vector.AutoresetMode(autoreset_mode)
        self.tables = Tables(
            game, players, num_envs, threads=threads, rewards=rewards, memory=memory,
            restart=self._mode is vector.AutoresetMode.SAME_STEP, longest=longest, options=options,
        )  # fmt: skip
        self.autoreset_mode = self._mode  # as Gymnasium's own vector environments have it
        self.metadata = self.metadata | {"autoreset_mode": self._mode}
        self.num_envs = num_envs = len(self.tables)
        self._rows = np.arange(num_envs)
        self._by_piece, self._flat, self._copy = bool(by_piece), bool(flat), bool(copy)
        spaces = gymnasium.spaces
        seen = observation_space(self.tables.game, np.dtype(np.int16), self._by_piece)
        self.single_observation_space = (
            seen
            if self._flat
            else spaces.Dict(
                {
                    "observation": seen,
                    "action_mask": mask_space(self.tables.game),
                    "seat": spaces.Box(0, self.tables.players - 1, (), dtype=np.int8),
                }
            )
        )
        self.single_action_space = spaces.Discrete(self.tables.game.decisions)
        self.observation_space = vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = vector.utils.batch_space(self.single_action_space, num_envs)

    def _observation(self) -> Any:
        own = self._own
        seen = self._pieces(own(self.tables.observations))
        return seen if self._flat else {"observation": seen, **self._choice()}

    def _pieces(self, flat: npt.NDArray[np.int16]) -> Any:
        return self.tables.game.pieces.split(flat) if self._by_piece else flat

    def _choice(self) -> dict[str, Any]:
        """Who decides, and between which moves."""
        return {"action_mask": self._own(self.tables.masks), "seat": np.maximum(self.tables.seats, 0)}

    def _own(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copy else array

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """New games everywhere, or where `options["reset_mask"]` is true; one seed for all, or a list of them."""
        first_seed = None if seed is None or isinstance(seed, Sequence | np.ndarray) else check_seed(seed)
        super().reset(seed=first_seed, options=options)
        self.tables.reset(seed, (options or {}).get("reset_mask"))
        return self._observation(), self._choice() if self._flat else {}

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        tables = self.tables
        waiting = tables.seats < 0 if self._mode is vector.AutoresetMode.NEXT_STEP else None
        tables.step(actions)
        if waiting is not None and waiting.any():
            tables.reset(chosen=waiting)
        own = tables.rewards[self._rows, tables.movers]
        info: dict[str, Any] = {name: self._own(getattr(tables, name)) for name in ("rewards", "points", "places")}
        if self._flat:
            info |= self._choice()
        if self._mode is vector.AutoresetMode.SAME_STEP:
            self._tell_last(info)
        return self._observation(), own, self._own(tables.ended), self._own(tables.truncated), info

    def _tell_last(self, info: dict[str, Any]) -> None:
        """What the seats that moved last saw at the end of their games, in the way Gymnasium tells it."""
        tables = self.tables
        if np.count_nonzero(tables.ended) or np.count_nonzero(tables.truncated):
            over = tables.ended | tables.truncated
            info["final_obs"], info["_final_obs"] = np.full(self.num_envs, None, object), over
            info["final_info"] = {name: info[name] for name in ("rewards", "points", "places")}
            info["final_info"] |= {f"_{name}": over for name in ("rewards", "points", "places")}
            info["_final_info"] = over
            for table in np.flatnonzero(over).tolist():
                seen = self._pieces(tables.finals[table].copy())
                info["final_obs"][table] = (
                    seen
                    if self._flat
                    else {
                        "observation": seen,
                        "action_mask": np.zeros(tables.game.decisions, np.int8),
                        "seat": np.array(tables.movers[table]),
                    }
                )

    def close_extras(self, **kwargs: Any) -> None:
        self.tables.close()


for _name in registry.names():
    gymnasium.register(
        id=f"malecon/{_name.capitalize()}-v0",
        entry_point="malecon.envs.against_bots:AgainstBots",
        kwargs={"game": _name},
    )
    gymnasium.register(  # all seats are the agents', in many games: for `gymnasium.make_vec`
        id=f"malecon/{_name.capitalize()}Tables-v0",
        vector_entry_point="malecon.envs.gymnasium:VectorEnv",
        kwargs={"game": _name, "players": registry.get(_name).fewest_players},
    )
