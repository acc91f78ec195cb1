"""Search with a network of one's own: what the judge is shown, what comes of its answers, the example that learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import example_alphazero
import numpy as np
import pytest

from malecon import games
from malecon.arena import tournament
from malecon.arena.plan import ArenaPlan
from malecon.envs.guided import GuidedSearch, Judge
from malecon.envs.vector import Tables
from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.match import Match


def indifferent(players: int) -> Judge:
    return lambda seen, masks: (np.zeros(masks.shape), np.zeros((len(seen), players)))


def by_points(name: str, players: int) -> Judge:
    """Values a position by the points that everybody has in it."""
    piece = next(piece for piece in games.get(name).pieces if piece.name == "points")

    def judge(seen: Any, masks: Any) -> Any:
        points = seen[:, piece.start : piece.start + players]
        return np.zeros(masks.shape), np.tanh(2 * (points - points.mean(axis=1, keepdims=True)))

    return judge


@pytest.mark.parametrize("name", games.names())
def test_the_judge_is_asked_about_all_tables_at_once_and_sees_what_they_show(name: str) -> None:
    tables, asked = Tables(name, 3, 5, seed=2), []

    def judge(seen: Any, masks: Any) -> Any:
        asked.append((seen, masks))
        return indifferent(3)(seen, masks)

    search = GuidedSearch(name, 3, judge, sims=6, seed=1)
    result = search.search(tables)
    assert (asked[0][0] == tables.scaled()).all()
    assert (asked[0][1] == tables.masks).all()
    assert len(asked) <= 7
    assert max(len(seen) for seen, _ in asked[1:]) >= 4
    assert all(seen.dtype == np.float32 and masks.any(axis=1).all() for seen, masks in asked)
    assert (result.visits.sum(axis=1) == 6).all()
    assert not (result.visits * (1 - tables.masks)).any()
    assert result.values.shape == (5, 3)


def test_the_same_seed_gives_the_same_search_and_noise_another() -> None:
    tables = Tables("santiago", 2, 4, seed=3)
    first, same, noisy = (
        GuidedSearch("santiago", 2, by_points("santiago", 2), sims=20, seed=7, noise=noise).search(tables)
        for noise in (0, 0, 0.9)
    )
    assert (first.visits == same.visits).all()
    assert (first.visits != noisy.visits).any()


def test_appeal_and_value_guide_the_search() -> None:
    tables = Tables("santiago", 2, 8, seed=4)
    favourite = np.array([np.flatnonzero(mask)[-1] for mask in tables.masks])

    def keen(seen: Any, masks: Any) -> Any:
        last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return 9.0 * np.eye(masks.shape[1])[last], np.zeros((len(seen), 2))

    assert (GuidedSearch("santiago", 2, keen, sims=12).search(tables).visits.argmax(axis=1) == favourite).all()

    def sure(seen: Any, masks: Any) -> Any:  # the player to move is sure to win
        return np.zeros(masks.shape), np.tile([1.0, -1.0], (len(seen), 1))

    result = GuidedSearch("santiago", 2, sure, sims=12).search(tables)
    assert np.abs(result.values.sum(axis=1)).max() < 1e-5
    assert np.abs(result.values).max() <= 1


@pytest.mark.parametrize("name", games.names())
def test_who_searches_with_a_sense_of_points_beats_chance(name: str) -> None:
    wins = 0
    for seed in range(4):
        match = Match(name, 2, seed=seed)
        search, dice = GuidedSearch(name, 2, by_points(name, 2), sims=24, seed=seed), np.random.default_rng(seed)
        while match.turn is not None:
            legal = match.legal_moves
            own = match.turn == seed % 2
            match.push(search.choose(match.view(match.turn)) if own else legal[int(dice.integers(len(legal)))])
        assert match.outcome is not None
        wins += match.outcome.winners == (seed % 2,)
    assert wins >= 3


def test_what_is_face_down_is_not_known_to_the_search() -> None:
    tables = Tables("cuba", 3, 40, seed=1)
    hidden = 0
    for _ in range(120):
        known, seats = tables.known(), tables.seats
        for table in range(40):
            truth = tables.position(table)
            others = [seat for seat in range(3) if seat != seats[table]]
            if truth.face_down and known[table]["phase"] == games.get("cuba").phases.index("bid"):
                hidden += int((truth.bid[others] >= 0).any())
                assert (known[table]["bid"][others] == -1).all()
        tables.step(tables.sample())
    assert hidden > 3


def test_finished_tables_need_no_thought() -> None:
    tables = Tables("santiago", 2, 3, seed=1, restart=False, longest=5)
    for _ in range(5):
        tables.step(tables.sample())
    assert (tables.seats == -2).all()
    result = GuidedSearch("santiago", 2, lambda seen, masks: pytest.fail("nobody decides"), sims=3).search(tables)
    assert not result.visits.any()
    assert not result.values.any()


def test_what_does_not_fit_is_refused() -> None:
    tables = Tables("santiago", 2, 2, seed=1)
    for wrong in (
        lambda seen, masks: None,
        lambda seen, masks: (np.zeros(masks.shape), np.zeros(2)),
        lambda seen, masks: (np.zeros((1, 2)), np.zeros((len(seen), 2))),
        lambda seen, masks: (np.zeros(masks.shape), np.full((len(seen), 2), np.nan)),
        lambda seen, masks: (np.full(masks.shape, np.nan), np.zeros((len(seen), 2))),
        lambda seen, masks: ("a", "b"),
    ):
        with pytest.raises(ValueError, match="the judge must return two arrays of finite numbers"):
            GuidedSearch("santiago", 2, wrong, sims=2).search(tables)
    search = GuidedSearch("santiago", 3, indifferent(3), sims=2)
    for other in (tables, None, Tables("cuba", 3, 1)):
        with pytest.raises(BadSetup, match="this search is for Santiago de Cuba with 3 players"):
            search.search(other)  # type: ignore[arg-type]
    match = Match("santiago", 2, seed=1)
    with pytest.raises(BadSetup, match="this search is for"):
        search.choose(match.view(match.turn))
    with pytest.raises(IllegalMove, match="not this seat"):
        GuidedSearch("santiago", 2, indifferent(2), sims=2).choose(match.view(1 - (match.turn or 0)))
    for settings, reason in (
        ({"sims": 0}, "sims must be a whole number"),
        ({"noise": 2}, "noise must be a number from 0 to 1"),
        ({"explore": "much"}, "explore must be a number"),
        ({"rewards": "points"}, "rewards cannot be 'points'"),
        ({"judge": 3}, "judge must be a function"),
    ):
        with pytest.raises(BadSetup, match=reason):
            GuidedSearch("santiago", 2, **({"judge": indifferent(2)} | settings))


# --- the examples of docs/research.md


def test_the_example_trains_and_plays_in_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "alphazero.npz"
    network = example_alphazero.train("santiago", 2, file, rounds=1, count=3, sims=4)
    assert "round 1: 3 games" in capsys.readouterr().out
    assert np.abs(network.weights[1]).max() > 0  # it began with zeros
    monkeypatch.chdir(tmp_path)
    plan = ArenaPlan("santiago", ("example_alphazero:Bot,sims=3", "random"), 2, 2)
    assert {bot.games for bot in tournament.run(plan).bots} == {2}


@pytest.mark.parametrize("kind", ["NumPy", "PyTorch"])
def test_a_network_of_the_examples_learns_what_it_is_shown(kind: str) -> None:
    if kind == "NumPy":
        network = example_alphazero.Network(20, 6, 2)
    else:
        pytest.importorskip("torch")
        import example_torch_network

        network = example_torch_network.TorchNetwork(20, 6, 2)
    random = np.random.default_rng(1)
    seen = random.normal(size=(256, 20)).astype(np.float32)
    masks = np.ones((256, 6), np.int8)
    masks[:, 0] = 0
    best = np.where(seen[:, 0] > 0, 2, 4)
    results = np.where(seen[:, 1] > 0, 1.0, -1.0)[:, None] * [1.0, -1.0]
    for _ in range(150):
        network.learn(seen, masks, np.eye(6)[best], results)
    appeals, values = network.judge(seen, masks)
    assert (appeals.argmax(axis=1) == best).mean() > 0.95
    assert (np.sign(values) == results).mean() > 0.95
    assert [layer.shape for layer in network.weights] == [(20, 128), (128, 8)]


def test_a_judge_that_returns_what_numpy_cannot_read_is_told_so() -> None:
    class NeedsGradients:
        def __array__(self, *args: object, **settings: object) -> None:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    search = GuidedSearch("santiago", 2, lambda seen, masks: (NeedsGradients(), NeedsGradients()), sims=2, seed=1)  # type: ignore[arg-type, return-value]
    with pytest.raises(ValueError, match=r"the judge must return two arrays .* requires grad"):
        search.search(Tables("santiago", 2, 2, seed=1))
