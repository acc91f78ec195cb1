"""What `malecon warm` compiles is all that a table needs: nobody waits for the compiler in the middle of a game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numba
import pytest

from malecon import games
from tests.paths import ROOT

#: After the steps of `malecon warm`, a table is opened and played at. Every kernel that it still has to get is printed.
TABLE = """
import sys
from pathlib import Path
from malecon import warm
from malecon.kernel.machine_code.cache import KernelCache
from tests.server.people import Player, serving

game, folder = sys.argv[1:]
for step in warm.steps(game):
    step()
load = KernelCache.load_overload

def loaded(self, signature, context):
    print(self._function.__qualname__, file=sys.stderr)
    return load(self, signature, context)

KernelCache.load_overload = loaded
with serving(Path(folder)) as client:
    me = Player(client)
    table = me.open("me", "bot:comerciante", "bot:capitan", game=game)["id"]
    for number in range(6):
        state = me.my_turn(table, 60)
        move = state["legal"][number % len(state["legal"])]["move"]
        assert me.get(f"/tables/{table}").status_code == 200
        assert me.move(table, move).status_code == 200
"""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled in this run")
@pytest.mark.parametrize("game", games.names())
def test_a_table_needs_no_kernel_that_was_not_compiled_ahead(game: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", TABLE, game, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
