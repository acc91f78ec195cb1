"""The vectorised environment as Gymnasium's `VectorEnv`. It only dresses `Tables`; needs the extra `gymnasium`."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from malecon.envs.observation import mask_space, observation_space
from malecon.envs.vector import Tables
from malecon.kernel.extras import require
from malecon.kernel.game import OptionValue

gymnasium = require("gymnasium", "Gymnasium", "gymnasium")
vector = require("gymnasium.vector", "Gymnasium", "gymnasium")


class VectorEnv(vector.VectorEnv):  # type: ignore[misc, name-defined]
    """Many games; in each, an action is for the seat that decides there, named by the observation's `seat`.

    A reward is for the seat that made the move; `info["rewards"]` has those of all seats. A game that has ended is
    followed by a new one in the same step, as AutoresetMode.SAME_STEP says. There is no last observation, for nobody
    decides in a finished game: `info["points"]` and `info["places"]` tell how it ended. Nothing is ever truncated.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": vector.AutoresetMode.SAME_STEP, "render_modes": []}

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
        **options: OptionValue,
    ) -> None:
        self.tables = Tables(game, players, num_envs, threads=threads, rewards=rewards, memory=memory, options=options)
        self.num_envs = num_envs
        self._by_piece = by_piece
        spaces = gymnasium.spaces
        self.single_observation_space = spaces.Dict(
            {
                "observation": observation_space(self.tables.game, np.dtype(np.int16), by_piece),
                "action_mask": mask_space(self.tables.game),
                "seat": spaces.Box(0, players - 1, (), dtype=np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(self.tables.game.decisions)
        self.observation_space = vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = vector.utils.batch_space(self.single_action_space, num_envs)
        self._truncated = np.zeros(num_envs, np.bool_)

    def _observation(self) -> dict[str, Any]:
        tables = self.tables
        seen = tables.pieces if self._by_piece else tables.observations
        return {"observation": seen, "action_mask": tables.masks, "seat": tables.seats}

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        if seed is not None and not isinstance(seed, int):
            raise TypeError("the tables share one seed, from which each draws its own stream")
        super().reset(seed=seed, options=options)
        self.tables.reset(seed)
        return self._observation(), {}

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[dict[str, Any], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        tables = self.tables
        movers = tables.seats.astype(np.intp)
        tables.step(actions)
        own = tables.rewards[np.arange(self.num_envs), movers]
        info = {"rewards": tables.rewards, "points": tables.points, "places": tables.places}
        return self._observation(), own, tables.ended, self._truncated, info

    def close_extras(self, **kwargs: Any) -> None:
        self.tables.close()
