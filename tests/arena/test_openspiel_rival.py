"""Our games in OpenSpiel's clothes: its bot can play them, and a clone goes its own way."""

from __future__ import annotations

import sys

import pytest

from malecon import games
from malecon.arena.tournament import enter
from malecon.kernel.errors import BadSetup
from malecon.match import Match


def test_without_openspiel_there_is_a_clear_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadSetup, match="pip install open_spiel"):
        enter("openspiel:sims=10")


def test_a_random_game_ends_with_zero_sum_results() -> None:
    pytest.importorskip("pyspiel")
    from malecon.arena.openspiel_rival import spiel_game

    state = spiel_game("santiago", 3).new_initial_state()
    twin = state.clone()
    start = str(twin)
    for n in range(5000):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        if state.is_chance_node():
            assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
        state.apply_action(actions[n * 7 % len(actions)])
    assert state.is_terminal()
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.returns()) > 0
    assert str(twin) == start != str(state)


@pytest.mark.parametrize("game", games.NAMES)
def test_its_bot_plays_at_our_table(game: str) -> None:
    pytest.importorskip("pyspiel")
    match = Match(game, 2, seed=2)
    bot = enter("openspiel:sims=2", seed=1)
    for _ in range(6):
        match.push(bot.choose(match.view(match.turn)), seat=match.turn)
    timed = enter("openspiel:ms=20", seed=1)
    match.push(timed.choose(match.view(match.turn)), seat=match.turn)
