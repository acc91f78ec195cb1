"""Both games in OpenSpiel: its own simulation test, playthroughs and search bots, and what players may know."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from malecon import games
from malecon.envs.variants import variants
from malecon.kernel.errors import BadSetup, IllegalMove, NotAMove
from malecon.kernel.positions import as_array

pyspiel = pytest.importorskip("pyspiel")

import malecon.envs.openspiel as ours  # noqa: E402

SETUPS = [(name, players) for name in games.names() for players in range(2, games.get(name).most_players + 1)]


def load(name: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"python_malecon_{name}", parameters)


def walk(game: Any, seed: int, most: int = 100_000) -> list[Any]:
    """The states of a random game, at most this number."""
    state, choose = game.new_initial_state(), random.Random(seed)
    states = [state.clone()]
    while not state.is_terminal() and len(states) < most:
        state.apply_action(choose.choice(state.legal_actions()))
        states.append(state.clone())
    return states


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_its_random_simulation_passes(name: str, players: int) -> None:
    pyspiel.random_sim_test(load(name, players=players), num_sims=1, serialize=players == 2, verbose=False)


def test_options_and_rewards_are_parameters() -> None:
    game = load("cuba", players=3, envoys=True, plantations="common", rewards="rank")
    assert str(game) == (
        "python_malecon_cuba(count_warehouse=True,envoys=True,plantations=common,players=3,rewards=rank)"
    )
    state = walk(game, 2)[-1]
    assert sorted(state.returns()) == [-1, 0, 1]
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    with pytest.raises(BadSetup, match="rewards cannot be 'fame'"):
        load("cuba", rewards="fame")
    with pytest.raises(BadSetup, match="2 to 4 players"):
        load("santiago", players=5)
    with pytest.raises(pyspiel.SpielError, match="open_screens"):
        load("cuba", open_screens=True)


@pytest.mark.parametrize("name", games.names())
def test_its_playthrough_generator_tells_a_game_and_replays_it(name: str, tmp_path: Path) -> None:
    generator = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    pytest.importorskip("absl.flags").FLAGS.mark_as_parsed()  # its replay reads a command line's flags
    file = tmp_path / "playthrough.txt"
    file.write_text(generator.playthrough(f"python_malecon_{name}(players=2)", None, seed=1))
    text, again = generator.replay(str(file))
    assert text == again
    assert f"InformationStateTensorSize() = {games.get(name).pieces.size}" in text
    assert "ObservationTensor(1).points" in text
    assert "IsTerminal() = True" in text


@pytest.mark.parametrize("name", games.names())
def test_its_search_bots_play(name: str) -> None:
    """The C++ search, and the Python search of information sets: the C++ one cannot ask a Python game to resample."""
    ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = load(name, players=2)
    states = [state for state in walk(game, 3, 70) if state.current_player() >= 0 and len(state.legal_actions()) > 1]
    plain = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 5, 100, False, 1, False)
    chance = np.random.RandomState(1)
    careful = ismcts.ISMCTSBot(
        game=game, evaluator=mcts.RandomRolloutEvaluator(1, chance), uct_c=2.0, max_simulations=4, random_state=chance
    )
    for state in states[-2:]:
        before = str(state)
        assert plain.step_with_policy(state)[1] in state.legal_actions()
        assert careful.step(state) in state.legal_actions()
        assert str(state) == before


def bidding(seed: int) -> list[Any]:
    """States of Cuba in which somebody else has laid a bid face down."""
    phase = games.get("cuba").phases.index("bid")
    return [
        state
        for state in walk(load("cuba", players=3), seed)
        if state.played.laid and state.played.cells[0].phase == phase and state.current_player() >= 0
    ]


def test_what_lies_face_down_is_not_in_what_others_know() -> None:
    states = bidding(1)
    assert len(states) > 3
    for state in states:
        player = state.current_player()
        bidder = next(seat for seat in range(3) if state.played.cells[0].bid[seat] >= 0)
        other = state.clone()
        position = as_array(other.played.cells[0])[0]
        position.bid[bidder] += 1
        other.played = other.played.changed(position)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.information_state_string(bidder) != state.information_state_string(bidder)
        assert other.information_state_tensor(bidder) != state.information_state_tensor(bidder)


def test_resampling_changes_only_what_the_player_cannot_know() -> None:
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    changed = 0
    for state in bidding(2):
        player = state.current_player()
        for _ in range(5):
            twin = state.resample_from_infostate(player, sampler)
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.legal_actions() == state.legal_actions()
            changed += str(twin) != str(state)
            while not twin.is_terminal():
                twin.apply_action(twin.legal_actions()[0])
    assert changed > 3


@pytest.mark.parametrize("name", games.names())
def test_information_states_remember_and_observations_do_not(name: str) -> None:
    states = walk(load(name, players=2), 5)
    seen = [state.information_state_string(0) for state in states]
    assert len(set(seen)) == len(seen)
    observed = [state.observation_string(0) for state in states]
    assert len(set(observed)) <= len(observed)
    if name == "santiago":
        middle = states[len(states) // 2]
        assert "points own" in middle.observation_string(0)
        shown = games.get(name).pieces.split(np.array(middle.observation_tensor(0)))["points"]
        known = games.get(name).pieces.split(np.array(middle.information_state_tensor(0)))["points"]
        assert shown[1] == -1  # behind a screen
        assert known[1] >= 0  # but every point was counted


def test_a_clone_goes_its_own_way_and_a_pickled_one_too() -> None:
    game = load("cuba", players=3)
    state = bidding(3)[0]
    twin = state.clone()
    written = pyspiel.serialize_game_and_state(game, state)
    before = str(state), state.information_state_string(0)
    twin.apply_action(twin.legal_actions()[-1])
    assert (str(state), state.information_state_string(0)) == before
    _, again = pyspiel.deserialize_game_and_state(written)
    assert (str(again), again.information_state_string(0)) == before
    again.apply_action(again.legal_actions()[-1])
    assert again.information_state_string(1) == twin.information_state_string(1)


def test_games_can_be_pickled() -> None:
    game = load("cuba", players=3, rewards="rank")
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    assert str(again.new_initial_state()) == str(game.new_initial_state())


def test_observers_take_no_parameters() -> None:
    with pytest.raises(BadSetup, match="no option 'colour'"):
        ours.load("santiago", 2).make_py_observer(None, {"colour": 1})


@pytest.mark.parametrize("name", games.names())
def test_an_illegal_action_is_refused_and_changes_nothing(name: str) -> None:
    for state in walk(load(name, players=2), 7)[::25]:
        before = str(state), state.history()
        wrong = [action for action in (-7, 0, 5, 99, 10_000) if action not in state.legal_actions()]
        for action in wrong:
            with pytest.raises((IllegalMove, NotAMove)):
                state.apply_action(action)
            with pytest.raises(pyspiel.SpielError):
                state.apply_action_with_legality_check(action)
        assert (str(state), state.history()) == before


@pytest.mark.parametrize("name", games.names())
def test_tensors_are_those_of_its_observers(name: str) -> None:
    game = load(name, players=3)
    kinds = {recall: pyspiel.IIGObservationType(perfect_recall=recall) for recall in (False, True)}
    observers = {recall: game.make_py_observer(kind) for recall, kind in kinds.items()}
    for state in walk(game, 8)[::20]:
        for player in range(3):
            for recall, expected in (
                (False, state.observation_tensor(player)),
                (True, state.information_state_tensor(player)),
            ):
                observers[recall].set_from(state, player)
                assert expected == observers[recall].tensor.tolist()
        for nobody in (-1, 3):
            with pytest.raises(pyspiel.SpielError, match="there is no player"):
                state.observation_tensor(nobody)


def test_a_loop_over_all_games_finds_ours_with_every_option_and_number_of_players() -> None:
    kinds = [kind for kind in pyspiel.registered_games() if kind.short_name.startswith("python_malecon_")]
    assert {kind.short_name.removeprefix("python_malecon_") for kind in kinds} >= set(games.names())
    small = {ours.PREFIX + name.replace("-", "_") for name in variants()}
    assert {kind.short_name for kind in kinds} >= small | {f"python_malecon_{name}_v0" for name in games.names()}
    for kind in kinds:
        if kind.short_name in small:
            continue
        game = games.get(kind.short_name.removeprefix("python_malecon_").removesuffix("_v0"))
        assert pyspiel.load_game(kind.short_name).num_players() == game.fewest_players
        for players in range(kind.min_num_players, kind.max_num_players + 1):
            for name, option in game.options.items():
                for choice in option.choices:
                    loaded = pyspiel.load_game(kind.short_name, {"players": players, name: choice})
                    assert loaded.num_players() == players
                    assert loaded.new_initial_state().is_chance_node()
