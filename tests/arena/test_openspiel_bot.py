"""OpenSpiel's bot as a rival at our tables."""

from __future__ import annotations

import sys

import pytest

from malecon import games
from malecon.arena.bots import make_bot
from malecon.kernel.extras import MissingExtra
from malecon.match import Match


def test_without_openspiel_there_is_a_clear_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r'OpenSpiel is not installed; try: pip install "open.spiel>='):
        make_bot("openspiel:sims=10")


@pytest.mark.parametrize("game", games.names())
def test_its_bot_plays_at_our_table(game: str) -> None:
    pytest.importorskip("pyspiel")
    match = Match(game, 2, seed=2)
    bot = make_bot("openspiel:sims=2", seed=1)
    for _ in range(6):
        match.push(bot.choose(match.view(match.turn)), seat=match.turn)
    timed = make_bot("openspiel:ms=20", seed=1)
    match.push(timed.choose(match.view(match.turn)), seat=match.turn)
