"""The vectorised environment in Gymnasium's words."""

from __future__ import annotations

import numpy as np
import pytest

from malecon import games

gymnasium = pytest.importorskip("gymnasium")

from malecon.envs.gymnasium import VectorEnv  # noqa: E402


@pytest.mark.parametrize("name", games.NAMES)
@pytest.mark.parametrize("by_piece", [False, True])
def test_it_speaks_gymnasium(name: str, by_piece: bool) -> None:
    env = VectorEnv(name, 3, 6, by_piece=by_piece, threads=2)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    observation, info = env.reset(seed=3)
    assert info == {}
    finished = 0
    for _ in range(400):
        assert env.observation_space.contains(observation)
        for table in range(6):
            mask = observation["action_mask"][table]
            assert env.single_action_space.sample(mask) in env.single_action_space
        movers = observation["seat"].copy()
        actions = env.tables.sample()
        assert env.action_space.contains(actions)
        observation, rewards, terminated, truncated, info = env.step(actions)
        assert rewards.shape == terminated.shape == truncated.shape == (6,)
        assert (rewards == info["rewards"][np.arange(6), movers]).all()
        assert not truncated.any()
        finished += int(terminated.sum())
    assert finished > 3
    assert (info["places"].min(axis=1) == 1).all()
    env.close()


def test_the_same_seed_gives_the_same_games() -> None:
    env = VectorEnv("santiago", 2, 4)
    first, _ = env.reset(seed=1)
    seen = first["observation"].copy()
    again, _ = env.reset(seed=1)
    assert (again["observation"] == seen).all()
    other, _ = env.reset(seed=2)
    assert (other["observation"] != seen).any()
    with pytest.raises(TypeError, match="share one seed"):
        env.reset(seed=[1, 2, 3, 4])
