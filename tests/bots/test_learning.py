"""The learned value: the kernel computes what the fit computed, and a fit learns what there is to learn."""

from __future__ import annotations

import numpy as np
import pytest

from malecon import games
from malecon.bots import learning
from malecon.bots.thinking import Mind, Plan, count_features, load_net
from malecon.bots.value import Net, run_net
from malecon.kernel.errors import BadSetup


def sample(game: str, players: int = 2, count: int = 2) -> learning.Sample:
    return learning.play_itself(games.get(game), players, count, Plan(sims=2, value="worth"), 7, None)


@pytest.mark.parametrize("game", games.NAMES)
def test_features_are_numbers_of_moderate_size_that_differ(game: str) -> None:
    for players in (2, games.get(game).most_players):
        found = learning.describe(games.get(game), sample(game, players))
        assert np.isfinite(found).all()
        assert np.abs(found).max() < 8
        assert (found.std(axis=0) > 0).mean() > 0.6


def test_the_kernel_runs_the_network_that_was_fitted() -> None:
    random = np.random.default_rng(1)
    net = Net(*(random.standard_normal(shape).astype(np.float32) for shape in ((9, 5), 5, (5, 2), 2)))
    inputs = random.standard_normal(9).astype(np.float32)
    expected = np.maximum(inputs @ net.hidden + net.hidden_bias, 0) @ net.out + net.out_bias
    assert run_net(net, inputs, np.zeros(5, np.float32)) == pytest.approx(expected, rel=1e-4)


def test_self_play_and_fit_can_be_repeated_and_learn_who_is_ahead() -> None:
    game = games.get("santiago")
    first, second = sample("santiago", count=6), sample("santiago", count=6)
    assert first.positions.tobytes() == second.positions.tobytes()
    assert first.wins.sum(axis=1) == pytest.approx(1)
    lines: list[str] = []
    net = learning.fit(game, [first], epochs=4, report=lines.append)
    again = learning.fit(game, [second], epochs=4)
    assert all((a == b).all() for a, b in zip(net, again, strict=True))
    losses = [float(line.split()[2].rstrip(",")) for line in lines]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("game", games.NAMES)
def test_shipped_weights_fit_the_features(game: str) -> None:
    net = load_net(game)
    if net is None:
        pytest.skip("no weights are shipped for this game")
    assert len(net.hidden) == count_features(games.get(game))
    assert len(net.hidden_bias) == len(net.out) == net.hidden.shape[1]


def test_weights_for_other_features_are_refused() -> None:
    net = Net(*(np.zeros(shape, np.float32) for shape in ((9, 5), 5, (5, 2), 2)))
    with pytest.raises(BadSetup, match="train them anew"):
        Mind(games.get("santiago"), 2, Plan(sims=1), net=net)


def test_training_can_begin_beside_weights_that_no_longer_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    stale = Net(*(np.zeros(shape, np.float32) for shape in ((9, 5), 5, (5, 2), 2)))
    monkeypatch.setattr("malecon.bots.thinking.load_net", lambda name: stale)
    assert len(sample("santiago", count=1).positions) > 10
    with pytest.raises(BadSetup, match="train them anew"):
        Mind(games.get("santiago"), 2, Plan(sims=1))
