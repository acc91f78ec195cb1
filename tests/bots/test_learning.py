"""The learned value: self-play can be repeated, the kernel computes what was fitted, and a fit learns what there is."""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path

import numpy as np
import play_games
import pytest

from malecon import games
from malecon.arena.plan import ArenaPlan
from malecon.arena.tournament import run
from malecon.bots import make, self_play, training_data
from malecon.bots.network import Net, count_features, load_file, load_net, read_net
from malecon.bots.searcher import Searcher, SearchPlan, new_workspace
from malecon.bots.value import judge_seats, move_score, read_position
from malecon.kernel.errors import BadSetup
from malecon.match import Match

TASK = self_play.SelfPlayTask(
    "santiago", 2, (), count=4, seed=7, plan=SearchPlan(sims=1, value="worth"), quick=2, deep=6
)


def random_net(inputs: int, codes: int, units: int = 6, judges: int = 5) -> Net:
    random = np.random.default_rng(1)
    shapes = ((inputs, units), units, (units, judges), (units, judges), judges, (judges, 2), 2, (codes, units), codes)
    return Net(*(random.standard_normal(shape).astype(np.float32) for shape in shapes))


def positions(name: str, players: int) -> np.ndarray:
    """A game of the greedy bot, a position a decision."""
    match, bot = Match(name, players, seed=2), make("greedy", 2)
    reached = [match.position]
    while match.turn is not None:
        match.push(bot.choose(match.view(match.turn)))
        reached.append(match.position)
    return np.array(reached, games.get(name).dtype).view(np.recarray)


@pytest.mark.parametrize("name", games.names())
def test_features_are_numbers_of_moderate_size_that_differ(name: str) -> None:
    game = games.get(name)
    for players in (2, game.most_players):
        seen = positions(name, players)
        described = np.zeros((len(seen) * players, count_features(game)), np.float32)
        training_data.describe_all(seen, np.arange(len(seen)), described, players)
        assert np.isfinite(described).all()
        assert np.abs(described).max() < 8
        assert (described.std(axis=0) > 0).mean() > 0.5


@pytest.mark.parametrize("players", [2, 4])
def test_the_kernel_judges_as_the_network_that_was_fitted(players: int) -> None:
    game = games.get("santiago")
    net = random_net(count_features(game), game.decisions)
    workspace = new_workspace(game, players, net)
    position = positions("santiago", players)[40]
    described = np.zeros((players, count_features(game)), np.float32)
    training_data.describe_all(np.array([position], game.dtype).view(np.recarray), np.arange(1), described, players)
    units = np.maximum(described @ net.hidden + net.hidden_bias, 0)
    others = (units.sum(axis=0) - units) / (players - 1)
    output = np.maximum(units @ net.own + others @ net.others + net.judge_bias, 0) @ net.out + net.out_bias
    shares = np.exp(output[:, 0] - output[:, 0].max())
    expected = 0.8 * shares / shares.sum() + 0.2 / (1 + np.exp(-output[:, 1]))
    read_position(position, net, workspace)
    judge_seats(0.2, net, workspace)
    assert workspace.rewards == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert move_score(1, 3, net, workspace) == pytest.approx(units[1] @ net.moves[3] + net.moves_bias[3], rel=1e-3)


def test_self_play_can_be_repeated_and_says_how_games_ended(tmp_path: Path) -> None:
    _, arrays = self_play.work(TASK)
    _, again = self_play.work(TASK)
    assert {name: array.tobytes() for name, array in arrays.items()} == {n: a.tobytes() for n, a in again.items()}
    assert set(arrays) == set(self_play.ARRAY_NAMES)
    np.savez(tmp_path / "2-0.npz", **arrays)  # type: ignore[arg-type]
    (sample,) = training_data.samples(games.get("santiago"), [tmp_path])
    assert len(sample) == arrays["notes"].sum() > 40
    assert sample.wins.sum(axis=1) == pytest.approx(1)
    assert sample.opinions.sum(axis=1) == pytest.approx(1)
    assert np.add.reduceat(sample.shares, sample.first[:-1]) == pytest.approx(1)
    assert ((sample.margins > 0.5).sum(axis=1) <= 1).all()
    some, everything = sample.features(np.array([7, 3])), sample.features(np.arange(len(sample)))
    assert (some == everything[[7, 3]]).all()
    assert everything.shape == (len(sample), 2, count_features(games.get("santiago")))


def test_a_card_describes_the_games_and_their_moves_lead_to_their_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play_games, "GAMES_A_FILE", 2)
    arguments = f"santiago --games 4 --quick 2 --deep 3 --data {tmp_path} --jobs 1"
    monkeypatch.setattr(sys, "argv", ["play_games.py", *arguments.split()])
    play_games.main()
    folder = tmp_path / "santiago" / "1"
    card = (folder / "CARD.md").read_text()
    assert str(folder / "CARD.md") in capsys.readouterr().out
    assert card.startswith("# Searched games of Santiago de Cuba\n\n4 games")
    assert f"`malecon train play_games {arguments}`" in card
    for path in folder.glob("*.npz"):
        with np.load(path) as arrays:
            ends = arrays["lengths"].cumsum()
            for number, codes in enumerate(np.split(arrays["moves"], ends[:-1])):
                match = Match("santiago", arrays["points"].shape[1])
                match.make_all(codes.tolist())
                assert match.outcome is not None
                assert list(match.outcome.points) == arrays["points"][number].tolist()


def test_half_of_all_tables_have_the_usual_options() -> None:
    game = games.get("cuba")
    kinds = self_play.tables(game)
    usual = tuple((name, option.default) for name, option in game.options.items())
    assert sum(options == usual for _, options in kinds) == len(kinds) / 2
    assert len({options for _, options in kinds}) == 8
    assert {players for players, _ in kinds} == {2, 3, 4, 5}


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no games"):
        training_data.samples(games.get("santiago"), [tmp_path])


def test_a_fit_learns_and_can_be_repeated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    import fit_net

    game = games.get("santiago")
    arrays = self_play.work(dataclasses.replace(TASK, count=20))[1]
    sample = training_data.sample_of(game, 2, arrays)
    nets = [fit_net.fit([sample], game.decisions, units=8, judges=4, epochs=3, seed=1) for _ in range(2)]
    assert all((a == b).all() for a, b in zip(*nets, strict=True))
    losses = [line.rpartition(": ")[2].split() for line in capsys.readouterr().out.splitlines()[:3]]
    assert float(losses[-1][1]) < float(losses[0][1])  # it learns which moves the search prefers
    fit_net.save(tmp_path / "net.npz", nets[0])
    net = read_net(tmp_path / "net.npz")
    position = positions("santiago", 2)[30]
    assert Searcher(game, 2, SearchPlan(sims=20), net=net).search(position).simulations == 20


@pytest.mark.parametrize("game", games.names())
def test_shipped_weights_fit_the_features(game: str) -> None:
    net = load_net(game)
    assert net is not None
    assert len(net.hidden) == count_features(games.get(game))
    assert len(net.hidden_bias) == net.hidden.shape[1] == len(net.own) == net.moves.shape[1]
    assert len(net.moves) == len(net.moves_bias) == games.get(game).decisions
    assert net.fits(count_features(games.get(game)), games.get(game).decisions)


def test_weights_for_other_features_are_refused() -> None:
    with pytest.raises(BadSetup, match="train them again"):
        Searcher(games.get("santiago"), 2, SearchPlan(sims=1), net=random_net(9, 5))


def test_training_can_begin_beside_weights_that_no_longer_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("malecon.bots.searcher.load_net", lambda name: random_net(9, 5))
    assert self_play.work(dataclasses.replace(TASK, count=1))[1]
    with pytest.raises(BadSetup, match="train them again"):
        Searcher(games.get("santiago"), 2, SearchPlan(sims=1))


def test_a_fit_can_begin_with_a_network_that_knows_fewer_features() -> None:
    pytest.importorskip("torch")
    import fit_net

    start = random_net(9, 5)
    judge = fit_net.Judge(11, 5, units=6, judges=5)
    judge.begin_with(start)
    copied = judge.net()
    assert (copied.hidden[:9] == start.hidden).all()
    assert (copied.hidden[9:] == 0).all()
    for own, original in zip(copied[1:], start[1:], strict=True):
        assert (own == original).all()


# --- weights by path


def save(path: Path, net: Net) -> Path:
    np.savez(path, **net._asdict())  # type: ignore[arg-type]
    return path


def test_a_search_plays_by_a_file_of_weights(tmp_path: Path) -> None:
    game = games.get("santiago")
    match = Match("santiago", 2, seed=2)
    view = match.view(match.turn)
    shipped = load_net("santiago")
    assert shipped is not None
    same = make(f"search:sims=60,net={save(tmp_path / 'same.npz', shipped)}", seed=1)
    assert same.evaluate(view).chances == make("search:sims=60", seed=1).evaluate(view).chances  # type: ignore[attr-defined]
    path = save(tmp_path / "other.npz", random_net(count_features(game), game.decisions))
    other = make(f"search:sims=60,net={path}", seed=1)
    assert other.evaluate(view).chances != same.evaluate(view).chances  # type: ignore[attr-defined]
    assert other.choose(view) in match.legal_moves
    levelled = make(f"capitan:net={path}", seed=1)
    assert levelled.plan.net == str(path)  # type: ignore[attr-defined]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = save(tmp_path / "net.npz", random_net(9, 5))
    assert load_file(str(path)) is load_file(str(path))
    save(path, random_net(8, 5))
    os.utime(path, ns=(1, 1))
    assert len(load_file(str(path)).hidden) == 8


def test_what_is_no_file_of_weights_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.npz"
    text.write_text("no weights")
    array = tmp_path / "array.npy"
    np.save(array, np.zeros(3))
    others = tmp_path / "others.npz"
    np.savez(others, hidden=np.zeros((2, 2)))
    for path in (text, array, others, tmp_path / "missing.npz", tmp_path):
        with pytest.raises(BadSetup, match=r"net cannot be .*; choose from: files of weights"):
            make(f"search:net={path}")


def test_weights_of_another_game_are_refused_before_a_game_is_played(tmp_path: Path) -> None:
    path = save(tmp_path / "cuba.npz", load_net("cuba"))  # type: ignore[arg-type]
    bot = make(f"search:sims=2,net={path}")
    match = Match("santiago", 2, seed=2)
    with pytest.raises(BadSetup, match="do not fit"):
        bot.choose(match.view(match.turn))
    with pytest.raises(BadSetup, match="do not fit"):
        run(ArenaPlan("santiago", ("greedy", f"search:sims=2,net={path}"), players=2, games=2))
