"""Learning libraries as they are: sb3-contrib's MaskablePPO and Tianshou's deep Q-learning play and learn our games.

They come from `.venv/learners`, which `make soak` fills, and need PyTorch. Their requirements do not go with ours, so
each runs in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.paths import ROOT

LEARNERS = ROOT / ".venv" / "learners"

MASKABLE_PPO = """
import gymnasium, numpy as np, malecon.envs.gymnasium
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_checker import check_env

env = gymnasium.make("malecon/Santiago-v0", opponents=["random"])
check_env(env.unwrapped, warn=False)
model = MaskablePPO("MlpPolicy", env, n_steps=256, seed=1)
model.learn(512)
mean, _ = evaluate_policy(model, env, n_eval_episodes=4, warn=False)
assert -1 <= mean <= 1, mean
print("learned", model.num_timesteps)
"""

TIANSHOU = """
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from malecon.envs import pettingzoo

torch.manual_seed(1)
make = lambda: PettingZooEnv(pettingzoo.env("santiago", players=2))
env = make()
seen = env.observation_space["observation"]
net = Net(state_shape=seen.shape, action_shape=env.action_space.n, hidden_sizes=[64])
policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.2)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=100)
both = MultiAgentOffPolicyAlgorithm(
    algorithms=[learner, MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)], env=env
)
tables = DummyVectorEnv([make for _ in range(2)])
collector = Collector(both, tables, VectorReplayBuffer(4000, 2), exploration_noise=True)
collector.reset()
found = collector.collect(n_episode=2)
assert found.n_collected_episodes == 2
before = [weights.clone() for weights in net.parameters()]
from tianshou.utils.torch_utils import policy_within_training_step
with policy_within_training_step(both.policy):
    both.update(buffer=collector.buffer, sample_size=64)
assert any((old != new).any() for old, new in zip(before, net.parameters()))
print("learned", found.n_collected_steps)
"""


@pytest.mark.slow
@pytest.mark.parametrize("program", [MASKABLE_PPO, TIANSHOU], ids=["sb3-contrib", "Tianshou"])
def test_they_learn_our_games(program: str) -> None:
    pytest.importorskip("torch")
    if not LEARNERS.is_dir():
        pytest.skip("`make .venv/learners` installs them")
    path = os.pathsep.join([str(LEARNERS), *map(os.path.abspath, sys.path)])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        timeout=900,
        env=os.environ | {"PYTHONPATH": path, "MALECON_COMPILE": "now"},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "learned" in done.stdout
