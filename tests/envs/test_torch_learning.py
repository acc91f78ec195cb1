"""Learning by self-play: advantages seat by seat, whole games, a policy in a file and as a bot; learning."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import learn_policy
import numpy as np
import pytest
from self_play import POINT, WIN, Lessons, against_greedy, draw, play_round

from malecon import games
from malecon.arena import tournament
from malecon.arena.plan import ArenaPlan
from malecon.arena.policy_bot import NEVER, Policy, PolicyBot, load, shipped_policy
from malecon.envs.advantages import NOT_ASKED, advantages
from malecon.envs.vector import Tables
from malecon.kernel import verbs
from malecon.kernel.errors import BadSetup
from malecon.match import History, View


def any_policy(name: str, units: int = 8, seed: int = 1) -> Policy:
    game, random = games.get(name), np.random.default_rng(seed)
    sizes = (game.pieces.size, units, game.decisions + 1)
    layers = [
        (random.normal(0, 0.1, (after, before)).astype(np.float32), random.normal(0, 0.1, after).astype(np.float32))
        for before, after in itertools.pairwise(sizes)
    ]
    return Policy(name, tuple(layers))


# --- advantages


def test_advantages_follow_each_seat_to_its_own_next_decision() -> None:
    # The first table: seat 0 decides twice, seat 1, nobody (a forced move), seat 1, seat 0; then the game is over.
    # The second: seat 1 decides, and the game is over at once.
    deciders = np.array([[0, 1], [0, -1], [1, -1], [-1, -1], [1, -1], [0, -1]])
    values = np.array([[1, 4], [2, 0], [3, 0], [0, 0], [4, 0], [5, 0]], np.float32)
    for_seat_0 = np.array([[0.5, -1], [1, 0], [-2, 0], [0.25, 0], [0, 0], [3, 0]], np.float32)
    rewards = np.stack([for_seat_0, -for_seat_0], axis=2)
    computed = advantages(deciders, rewards, values, trust=0.5)
    # Seat 0, from the end: 3 - 5 = -2. Between its second and third decision 1 - 2 + 0.25 + 0 = -0.75 came in:
    # -0.75 + 5 - 2 + half of -2 = 1.25. Before that: 0.5 + 2 - 1 + half of 1.25 = 2.125.
    assert computed[[0, 1, 5], 0].tolist() == [2.125, 1.25, -2]
    # Seat 1: 0 - 3 - 4 = -7; before that 2 - 0.25 + 4 - 3 + half of -7 = -0.75.
    assert computed[[2, 4], 0].tolist() == [-0.75, -7]
    assert computed[:, 1].tolist() == [1 - 4, 0, 0, 0, 0, 0]
    assert computed[3, 0] == 0


@pytest.mark.parametrize("wrong", ["shape", "seat", "type"])
def test_advantages_say_what_does_not_fit(wrong: str) -> None:
    deciders = np.zeros((3, 2), float if wrong == "type" else int)
    deciders[0, 0] = 7 if wrong == "seat" else 0
    with pytest.raises(ValueError, match="must"):
        advantages(deciders, np.zeros((3, 2, 2)), np.zeros((2, 3) if wrong == "shape" else (3, 2)))


def test_with_full_trust_an_advantage_is_what_came_in_less_what_was_expected() -> None:
    random = np.random.default_rng(1)
    steps, tables, seats = 40, 6, 3
    deciders = random.integers(NOT_ASKED, seats, (steps, tables))
    rewards, values = random.normal(size=(steps, tables, seats)), random.normal(size=(steps, tables))
    computed = advantages(deciders, rewards.astype(np.float32), values.astype(np.float32), trust=1.0)
    for step, table in np.argwhere(deciders != NOT_ASKED).tolist():
        came = rewards[step:, table, deciders[step, table]].sum()
        assert computed[step, table] == pytest.approx(came - values[step, table], abs=1e-4)


# --- playing


def test_moves_are_drawn_as_often_as_they_appeal() -> None:
    appeal = np.tile(np.array([[np.log(3), NEVER, np.log(1), NEVER]], np.float32), (20_000, 1))
    moves, logs = draw(appeal, np.random.default_rng(1))
    assert set(moves.tolist()) == {0, 2}
    assert (moves == 0).mean() == pytest.approx(0.75, abs=0.02)
    assert np.exp(logs) == pytest.approx(np.where(moves == 0, 0.75, 0.25), abs=1e-5)


@pytest.mark.parametrize("name", games.names())
def test_a_round_holds_every_choice_and_ends_with_the_result(name: str) -> None:
    policy = any_policy(name)
    tables = Tables(name, 2, 1, rewards="points", restart=False)
    lessons = play_round(policy, tables, seed=3, trust=1.0)
    count = len(lessons.moves)
    assert count > 20
    assert lessons.masks[np.arange(count), lessons.moves].all()
    assert (lessons.masks.sum(axis=1) > 1).all()
    appeal, values = policy.evaluate(lessons.observations, lessons.masks)
    chances = np.exp(appeal - appeal.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    assert np.exp(lessons.chances) == pytest.approx(chances[np.arange(count), lessons.moves], abs=1e-4)
    assert lessons.returns - lessons.advantages == pytest.approx(values, rel=1e-3, abs=1e-3)
    # Nobody has points at the first choice, so all of the result is still to come for whoever makes it.
    ahead = abs(int(tables.points[0, 0]) - int(tables.points[0, 1]))
    assert abs(lessons.returns[0]) == pytest.approx(POINT * ahead + WIN * (tables.places[0].max() > 1), abs=1e-3)


def test_games_against_greedy_are_the_same_again() -> None:
    policy = any_policy("santiago")
    score = against_greedy(policy, 2, 6, seed=1)
    assert score == against_greedy(policy, 2, 6, seed=1)
    assert score.games == 6
    assert score.wins <= 3  # who plays any move loses
    assert score.points < score.points_of_greedy


# --- the policy in the arena


@pytest.mark.parametrize("name", games.names())
def test_the_bot_sees_what_the_tables_show(name: str) -> None:
    game, policy = games.get(name), any_policy(name)
    tables = Tables(name, 2, 16, seed=2, memory=False)
    for _ in range(60):
        tables.step(tables.sample())
    best = policy.evaluate(tables.scaled(), tables.masks)[0].argmax(axis=1)
    for table, seat in enumerate(tables.seats.tolist()):
        position = tables.position(table)
        verbs.hide(position, seat)
        view = View(game, seat, position, History(game), ("a", "b"))
        assert PolicyBot("policy", policy).choose(view).text == game.notation.name(int(best[table]))


def test_a_policy_plays_in_the_arena_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "any.npz"
    any_policy("santiago").save(file)
    plan = ArenaPlan("santiago", (f"policy:{file}", "greedy"), 2, 2)
    assert {bot.name: bot.games for bot in tournament.run(plan).bots} == {f"policy:{file}": 2, "greedy": 2}
    with pytest.raises(BadSetup, match="has learned only Santiago de Cuba"):
        tournament.run(ArenaPlan("cuba", (f"policy:{file}", "greedy"), 2, 2))


@pytest.mark.parametrize("name", games.names())
def test_our_own_policy_plays_with_every_number_of_players(name: str) -> None:
    game = games.get(name)
    for players in range(game.fewest_players, game.most_players + 1):
        tables = Tables(name, players, 40, seed=players, restart=False)
        policy = shipped_policy(name)
        while (tables.seats >= 0).any():
            best = policy.evaluate(tables.scaled(), tables.masks)[0].argmax(axis=1)
            tables.step(np.where(tables.seats == 0, best, tables.sample()))
        assert (tables.places[:, 0] == 1).mean() > 1.5 / players  # against random ones
    plan = ArenaPlan(name, ("policy", "random"), 2, 2)
    assert {bot.name: bot.wins for bot in tournament.run(plan).bots} == {"policy": 2, "random": 0}


def test_a_file_that_holds_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("no policy")
    np.savez(tmp_path / "other.npz", weights0=np.zeros(3))
    policy = any_policy("santiago")
    Policy("cuba", policy.layers).save(tmp_path / "mixed.npz")
    for name in ("none.npz", "text.npz", "other.npz", "mixed.npz"):
        with pytest.raises(BadSetup, match="contains no policy"):
            load(str(tmp_path / name))


# --- learning


def test_without_pytorch_the_script_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(sys, "argv", ["learn_policy.py", "santiago"])
    with pytest.raises(SystemExit) as caught:
        learn_policy.main()
    assert caught.value.code == 'learn_policy.py: PyTorch is not installed; try: pip install "torch==2.13.0"'


@pytest.fixture
def torch() -> ModuleType:
    module: ModuleType = pytest.importorskip("torch", reason='PyTorch is not installed: pip install "torch==2.13.0"')
    return module


def test_what_turned_out_well_becomes_likelier_and_expected(torch: ModuleType) -> None:
    learner = learn_policy.Learner(games.get("santiago"), units=16, seed=1)
    before = learner.policy
    tables = Tables("santiago", 2, 4, rewards="points", restart=False)
    played = play_round(before, tables, seed=1, trust=0.95)
    well = np.arange(len(played.moves)) % 2 == 0
    merit = np.where(well, 1, -1).astype(np.float32)
    lessons = Lessons(played.observations, played.masks, played.moves, played.chances, merit, np.full_like(merit, 0.7))
    for _ in range(10):
        learner.learn(lessons, 1e-3)
    rows = np.arange(len(well))
    change = np.zeros(len(well))
    for policy, sign in ((learner.policy, 1), (before, -1)):
        appeal, _ = policy.evaluate(lessons.observations, lessons.masks)
        change += sign * (appeal - np.logaddexp.reduce(appeal, axis=1, keepdims=True))[rows, lessons.moves]
    assert change[well].mean() > change[~well].mean()
    expected = [policy.evaluate(lessons.observations, lessons.masks)[1].mean() for policy in (before, learner.policy)]
    assert abs(expected[1] - 0.7) < abs(expected[0] - 0.7)


def test_the_script_learns_saves_and_draws(
    torch: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("GAMES_A_ROUND", "GAMES_A_MEASUREMENT", "GAMES_AT_THE_END"):
        monkeypatch.setattr(learn_policy, name, 4)
    outcomes = []
    for run in ("one", "two"):
        file, curve = tmp_path / f"{run}.npz", tmp_path / f"{run}.svg"
        arguments = f"santiago --rounds 2 --units 16 --seed 5 --out {file} --curve {curve}"
        monkeypatch.setattr(sys, "argv", ["learn_policy.py", *arguments.split()])
        learn_policy.main()
        outcomes.append(load(str(file)))
        circles = ElementTree.fromstring(curve.read_text()).findall(".//{*}circle")
        assert len(circles) == 3  # before the first round, and after both
    assert capsys.readouterr().out.count("against greedy") == 6
    begun = learn_policy.Learner(games.get("santiago"), units=16, seed=5).policy
    for first, second, start in zip(outcomes[0].layers, outcomes[1].layers, begun.layers, strict=True):
        assert (first[0] == second[0]).all()  # the same seed learns the same
        assert (first[0] != start[0]).any()
