"""The vectorised environment in Gymnasium's words."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from malecon import games

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from malecon.envs.against_bots import AgainstBots  # noqa: E402
from malecon.envs.gymnasium import VectorEnv  # noqa: E402
from malecon.kernel.errors import BadSetup, NotAMove  # noqa: E402


@pytest.mark.parametrize("name", games.names())
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
    again, _ = env.reset(seed=np.int64(1))
    assert (again["observation"] == seen).all()


def test_a_list_of_seeds_gives_every_table_its_own_game() -> None:
    env = VectorEnv("santiago", 2, 3)
    many, _ = env.reset(seed=[5, 6, 5])
    assert (many["observation"][0] == many["observation"][2]).all()
    assert (many["observation"][0] != many["observation"][1]).any()
    single, _ = VectorEnv("santiago", 2, 1).reset(seed=6)
    assert (single["observation"][0] == many["observation"][1]).all()
    env.reset(seed=[None, 1, np.uint8(2)])
    with pytest.raises(ValueError, match="3 tables need as many seeds, not 2"):
        env.reset(seed=[1, 2])
    for wrong in (1.5, "1", [1, 2, "3"], True):
        with pytest.raises(BadSetup, match="a seed is a whole number"):
            env.reset(seed=wrong)  # type: ignore[arg-type]


def test_what_was_kept_does_not_change() -> None:
    env, shared = VectorEnv("santiago", 2, 4), VectorEnv("santiago", 2, 4, copy=False)
    first, _ = env.reset(seed=1)
    kept = {name: array.copy() for name, array in first.items()}
    second, *_, info = env.step(env.tables.sample())
    later = {name: array.copy() for name, array in second.items()}
    rewards = info["rewards"].copy()
    for _ in range(200):
        env.step(env.tables.sample())
    assert all((first[name] == kept[name]).all() and (second[name] == later[name]).all() for name in kept)
    assert (info["rewards"] == rewards).all()
    seen, _ = shared.reset(seed=1)
    assert seen["observation"] is shared.tables.observations


def test_finished_games_wait_and_are_reset_by_a_mask() -> None:
    env = VectorEnv("santiago", 2, 4, autoreset_mode="Disabled", longest=60)
    assert env.metadata["autoreset_mode"] is env.autoreset_mode is gymnasium.vector.AutoresetMode.DISABLED
    observation, _ = env.reset(seed=1)
    done = np.zeros(4, np.bool_)
    for _ in range(60):
        observation, _, terminated, truncated, _ = env.step(env.tables.sample())
        assert env.observation_space.contains(observation)
        done |= terminated | truncated
    assert done.all()
    assert not observation["action_mask"].any()
    mask = np.array([True, False, True, False])
    observation, _ = env.reset(options={"reset_mask": mask})
    assert (observation["action_mask"].any(axis=1) == mask).all()
    with pytest.raises(ValueError, match="an array of 4 truths"):
        env.reset(options={"reset_mask": np.array([1, 0, 1, 0])})


@pytest.mark.parametrize("by_piece", [False, True])
def test_the_last_observation_is_what_the_last_mover_saw_at_the_end(by_piece: bool) -> None:
    env = VectorEnv("santiago", 2, 4, by_piece=by_piece, longest=180)
    waiting = VectorEnv("santiago", 2, 4, by_piece=by_piece, longest=180, autoreset_mode="Disabled")
    seen, _ = env.reset(seed=1)
    waiting.reset(seed=1)
    finished = np.zeros(4, np.bool_)
    for _ in range(180):
        actions = env.tables.sample().copy()
        movers = seen["seat"]
        seen, _, terminated, truncated, info = env.step(actions)
        waiting.step(actions)
        over = terminated | truncated
        assert ("final_obs" in info) == over.any()
        for table in np.flatnonzero(over & ~finished).tolist():
            last = info["final_obs"][table]
            assert info["_final_obs"][table]
            assert env.single_observation_space.contains(last)
            assert last["seat"] == movers[table]
            assert not last["action_mask"].any()
            flat = waiting.tables.observe(movers)[table]  # there the same game still lies on the table
            shown = last["observation"]
            assert (
                (np.concatenate([shown[piece.name].ravel() for piece in env.tables.game.pieces]) == flat).all()
                if by_piece
                else (shown == flat).all()
            )
        finished |= over
        if finished.all():
            break
    assert finished.all()


def test_new_games_can_begin_in_the_next_step() -> None:
    env, same = VectorEnv("santiago", 2, 3, autoreset_mode="NextStep"), VectorEnv("santiago", 2, 3)
    assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP
    env.reset(seed=1)
    over = begun = np.zeros(3, np.bool_)
    for _ in range(500):
        seen, rewards, terminated, _, _ = env.step(env.tables.sample())
        assert not (terminated & over).any()
        assert not rewards[over].any()
        assert (seen["action_mask"].any(axis=1) == ~terminated).all()
        begun, over = begun | over, terminated
    assert begun.all()
    same.close()


@pytest.mark.parametrize("mode", list(gymnasium.vector.AutoresetMode))
def test_the_usual_wrappers_work(mode: object) -> None:
    from gymnasium.wrappers import vector

    def fresh() -> VectorEnv:
        return VectorEnv("santiago", 2, 3, autoreset_mode=mode)

    def play(env: object, steps: int = 200) -> None:
        seen, _ = env.reset(seed=1)  # type: ignore[attr-defined]
        for _ in range(steps):
            assert env.observation_space.contains(seen)  # type: ignore[attr-defined]
            seen, *_ = env.step(env.unwrapped.tables.sample())  # type: ignore[attr-defined]

    changing = (
        vector.FlattenObservation,
        lambda env: vector.TransformObservation(env, lambda seen: seen | {"seat": seen["seat"] * 0}),
        lambda env: vector.FilterObservation(env, ["observation"]),
        lambda env: vector.NormalizeObservation(vector.FlattenObservation(env)),
    )
    for wrap in (vector.RecordEpisodeStatistics, vector.NormalizeReward, vector.DictInfoToList):
        play(wrap(fresh()))
    modes = gymnasium.vector.AutoresetMode
    for wrap in changing:
        if mode is modes.SAME_STEP or (mode is modes.DISABLED and wrap is changing[-1]):  # Gymnasium's own condition
            with pytest.raises(ValueError, match=r"Expected .*autoreset_mode.* to be .*NEXT_STEP"):
                wrap(fresh())
        else:
            play(wrap(fresh()))


def test_the_usual_wrappers_work_for_one_agent() -> None:
    from gymnasium import wrappers

    def fresh() -> object:
        return gymnasium.make("malecon/Santiago-v0", opponents=["random"])

    for wrapped in (
        wrappers.NormalizeObservation(fresh()),
        wrappers.FlattenObservation(fresh()),
        wrappers.TransformObservation(fresh(), lambda seen: seen / 2, fresh().observation_space),
        wrappers.RecordEpisodeStatistics(fresh()),
        wrappers.TimeLimit(fresh(), 5),
        wrappers.Autoreset(fresh()),
        wrappers.NormalizeReward(fresh()),
    ):
        wrapped.reset(seed=1)
        for _ in range(5):
            (
                seen,
                *_,
            ) = wrapped.step(int(wrapped.unwrapped.action_masks().argmax()))
            assert np.isfinite(seen).all()


def test_gymnasium_finds_the_games_by_their_module() -> None:
    code = 'import gymnasium; print(gymnasium.make("malecon.envs.gymnasium:malecon/Cuba-v0").reset(seed=1)[0].shape)'
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.strip() == "(861,)"


# --- one agent against our bots


@pytest.mark.parametrize(
    ("name", "opponents"), [("Santiago", ["random"]), ("Santiago", ["greedy", "random"]), ("Cuba", ["greedy"] * 4)]
)
def test_its_checker_passes_for_one_agent_against_bots(name: str, opponents: list[str]) -> None:
    env = gymnasium.make(f"malecon/{name}-v0", opponents=opponents)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("rewards", ["win", "rank", "points"])
def test_one_agent_plays_whole_games_against_bots(rewards: str) -> None:
    env = gymnasium.make("malecon/Santiago-v0", opponents=["random", "greedy"], rewards=rewards)
    seats = set()
    for number in range(6):
        _, info = env.reset(seed=number)
        seats.add(info["seat"])
        random, total, over = np.random.default_rng(number), 0.0, False
        while not over:
            assert (env.unwrapped.action_masks() == info["action_mask"]).all()
            seen, reward, over, cut, info = env.step(int(random.choice(info["action_mask"].nonzero()[0])))
            assert env.observation_space.contains(seen)
            assert not cut
            total += float(reward)
        place, points = info["places"][info["seat"]], info["points"][info["seat"]]
        if rewards == "points":
            assert total == points - 2
        else:
            assert (total > 0) == (place == 1) or (rewards == "rank" and place == 2)
    assert len(seats) > 1


def test_an_illegal_move_of_the_agent_loses_and_says_why() -> None:
    env = gymnasium.make("malecon/Santiago-v0", opponents=["greedy"], seat=0).unwrapped
    _, info = env.reset(seed=1)
    _, reward, over, _, info = env.step(int(info["action_mask"].argmin()))
    assert (reward, over) == (-1, True)
    assert info["illegal"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    for wrong in (-1, 384, "drive 1", None, 1.5):
        with pytest.raises(NotAMove, match="is not a move"):
            env.step(wrong)


def test_bad_settings_of_the_agents_table_are_refused() -> None:
    for settings, reason in (
        ({"opponents": "greedy"}, "a list of bots"),
        ({"opponents": []}, "2 to 4 players"),
        ({"opponents": ["nobody"]}, "no bot called 'nobody'"),
        ({"seat": 2}, "there is no seat 2"),
        ({"seat": True}, "there is no seat True"),
        ({"rewards": "fame"}, "rewards cannot be 'fame'"),
        ({"render_mode": "vr"}, "render_mode cannot be 'vr'"),
        ({"colour": True}, "no option 'colour'"),
    ):
        with pytest.raises(BadSetup, match=reason):
            AgainstBots("santiago", **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
def test_a_flat_observation_has_its_mask_in_the_info(mode: str) -> None:
    env = VectorEnv("cuba", 3, 4, flat=True, autoreset_mode=mode, longest=9)
    usual = VectorEnv("cuba", 3, 4, autoreset_mode=mode, longest=9)
    observation, info = env.reset(seed=1)
    expected, _ = usual.reset(seed=1)
    for _ in range(12):
        assert env.observation_space.contains(observation)
        assert (observation == expected["observation"]).all()
        assert (info["action_mask"] == expected["action_mask"]).all()
        assert (info["seat"] == expected["seat"]).all()
        actions = info["action_mask"].argmax(axis=1)
        observation, _, terminated, truncated, info = env.step(actions)
        expected, *_, other = usual.step(actions)
        if "final_obs" in info:
            assert (info["final_obs"][0] == other["final_obs"][0]["observation"]).all()
        if mode == "Disabled" and (terminated | truncated).all():
            observation, info = env.reset(seed=2)
            expected, _ = usual.reset(seed=2)


def test_gymnasium_makes_many_tables_by_name() -> None:
    env = gymnasium.make_vec("malecon/CubaTables-v0", num_envs=3, players=4)
    observation, _ = env.reset(seed=1)
    assert observation["observation"].shape[0] == 3
    assert env.unwrapped.tables.players == 4
    env.close()


def test_a_seat_of_numpy_is_a_seat() -> None:
    env = AgainstBots("santiago", ["greedy"], seat=np.int8(1))  # type: ignore[arg-type]
    env.reset(seed=1)
    assert type(env.seat) is int
    for wrong in (True, 1.0, 2, "1"):
        with pytest.raises(BadSetup, match="there is no seat"):
            AgainstBots("santiago", ["greedy"], seat=wrong)  # type: ignore[arg-type]


def test_text_shows_the_agents_view_only() -> None:
    env = AgainstBots("santiago", ["greedy"], seat=0, render_mode="ansi")
    env.reset(seed=1)
    assert env.match is not None
    assert env.render() == env.match.view(0).text()
    assert env.render().count("?") == 8
