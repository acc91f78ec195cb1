"""The PettingZoo environment: PettingZoo's own tests, as they are, for both games and all numbers of players."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from malecon import games
from malecon.kernel.errors import BadSetup, IllegalMove, NotAMove

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, render_test, seed_test

from malecon.envs import pettingzoo as ours

SETUPS = [(name, players) for name in games.names() for players in range(2, games.get(name).most_players + 1)]

# Its API test says this of every observation with a mask that is not on a list of PettingZoo's own environments, and
# of seats that are asked for their mask while another decides.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_its_api_test_passes(name: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(ours.env(name, players=players), num_cycles=1000)
    api_test(ours.raw_env(name, players=players, rewards="points"), num_cycles=300)
    assert capsys.readouterr().out.count("Passed API test") == 2


@pytest.mark.parametrize("name", games.names())
def test_its_api_test_passes_with_named_pieces(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(ours.env(name, players=2, by_piece=True, memory=False), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_its_seed_test_passes(name: str, players: int) -> None:
    seed_test(functools.partial(ours.env, name, players=players), num_cycles=200)


@pytest.mark.parametrize("name", games.names())
def test_its_render_test_passes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("resvg_py")
    render_test(functools.partial(ours.env, name, players=3))
    assert capsys.readouterr().out  # what a human sees


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_a_game_is_cut_short_when_a_seat_has_decided_often_enough(name: str, players: int) -> None:
    env = ours.env(name, players=players, max_cycles=4)
    env.reset(seed=1)
    counts = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        assert not terminated
        counts[agent] += not truncated
        env.step(None if truncated else env.action_space(agent).sample(observation["action_mask"]))
    assert max(counts.values()) == 4


def play(env: Any, seed: int) -> dict[str, float]:
    """A random game; what every agent was rewarded with."""
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, info = env.last()
        total[agent] += reward
        assert (observation["action_mask"] == info["action_mask"]).all()
        assert terminated or observation["action_mask"].any()
        env.step(None if terminated else int(random.choice(observation["action_mask"].nonzero()[0])))
    return total


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_everybody_hears_how_the_game_ended(name: str, players: int) -> None:
    by_rank = play(ours.env(name, players=players), 3)
    by_points = play(ours.env(name, players=players, rewards="points"), 3)
    assert sum(by_rank.values()) == pytest.approx(0, abs=1e-6)
    assert max(by_rank.values()) > 0
    first, last = max(by_rank, key=by_rank.__getitem__), min(by_rank, key=by_rank.__getitem__)
    assert by_points[first] == max(by_points.values())
    assert by_points[last] == min(by_points.values())
    assert by_points[first] > 5


def test_an_illegal_move_loses_or_says_why() -> None:
    guarded, raw = ours.env("santiago", players=2), ours.raw_env("santiago", players=2)
    guarded.reset(seed=1)
    wrong = int((guarded.last()[0]["action_mask"] == 0).nonzero()[0][0])
    agent = guarded.agent_selection
    guarded.step(wrong)
    assert guarded.unwrapped.terminations == dict.fromkeys(guarded.possible_agents, True)
    assert guarded.unwrapped._cumulative_rewards[agent] == ours.ILLEGAL_REWARD
    raw.reset(seed=1)
    with pytest.raises(IllegalMove):
        raw.step(wrong)


def test_a_picture_shows_the_table() -> None:
    pytest.importorskip("resvg_py")
    from malecon import drawing
    from malecon.drawing.raster import plain_style

    style = plain_style(drawing.STYLE)
    assert "var(" not in style
    assert "@" not in style
    env = ours.raw_env("santiago", players=2, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape[1] == 960
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50  # colours, so the style was understood
    text = ours.raw_env("santiago", players=2, render_mode="ansi")
    text.reset(seed=1)
    assert "Bank" in text.render()
    silent = ours.raw_env("santiago", players=2)
    silent.reset(seed=1)
    assert silent.render() is None


def test_bad_settings_are_refused() -> None:
    with pytest.raises(BadSetup, match="2 to 5 players"):
        ours.env("cuba", players=6)
    with pytest.raises(BadSetup, match="rewards cannot be 'fame'"):
        ours.env("cuba", players=3, rewards="fame")
    with pytest.raises(BadSetup, match="render_mode cannot be 'vr'"):
        ours.env("cuba", players=3, render_mode="vr")
    for cycles in (-1, 0, 2.5, "9"):
        with pytest.raises(BadSetup, match="max_cycles must be a whole number from 1 on"):
            ours.env("cuba", players=3, max_cycles=cycles)
    raw = ours.raw_env("santiago", players=2)
    raw.reset(seed=1)
    for action in (None, "drive 1", 1.5, 1 << 80):
        with pytest.raises(NotAMove, match="is not a move"):
            raw.step(action)


@pytest.mark.parametrize("name", games.names())
def test_the_state_hides_nothing_and_fits_its_space(name: str) -> None:
    env = ours.raw_env(name, players=3)
    env.reset(seed=2)
    for _ in range(60):
        assert env.state_space.contains(env.state())
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    if env.game.conceals is None:  # then the first seat could know it all
        assert (env.state() == env._table.observe(0)[0]).all()
