"""Compiled and plain Python are the same game: same positions, same lists of moves, same journals."""

import os
import subprocess
import sys

import numba
import pytest

from malecon import games
from tests.games import same_games

GAMES_EACH = {"santiago": 4, "cuba": 2}  # for every number of players: some 3,500 positions, and some 2,700


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="this run is uncompiled itself")
@pytest.mark.parametrize("game", GAMES_EACH)
def test_the_rules_do_the_same_without_the_compiler(game):
    plain = subprocess.run(  # an overflow would be a warning
        [sys.executable, "-W", "error", same_games.__file__, game, str(GAMES_EACH[game])],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.splitlines() == same_games.digests(game, GAMES_EACH[game])


@pytest.mark.parametrize("game", GAMES_EACH)
def test_the_digest_tells_games_apart(game):
    kind = games.get(game)
    played = 2 * (1 + kind.most_players - kind.fewest_players)
    assert len({line.split()[2] for line in same_games.digests(game, 2)}) == played
