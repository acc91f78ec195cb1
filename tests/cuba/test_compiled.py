"""Compiled and plain Python are the same game: same positions, same lists of moves, same journals."""

import os
import subprocess
import sys

import numba
import pytest

from cuba import same_games

GAMES_EACH = 3  # for 2, 3, 4 and 5 players: some 4,000 positions


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="this run is uncompiled itself")
def test_the_rules_do_the_same_without_the_compiler():
    plain = subprocess.run(
        [sys.executable, "-W", "error", same_games.__file__, str(GAMES_EACH)],  # an overflow would be a warning
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.splitlines() == same_games.digests(GAMES_EACH)


def test_the_digest_tells_games_apart():
    assert len({line.split()[2] for line in same_games.digests(2)}) == 8
