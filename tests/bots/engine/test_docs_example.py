"""The example for Node in docs/engine.md runs as it stands, and finds what the native search finds."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import malecon
from malecon.bots.engine import kernels, module
from malecon.bots.engine.block import block_for
from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher, SearchPlan
from malecon.bots.tree import new_tree
from tests.bots.engine.recorded import NODE
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")


@pytest.mark.skipif(NODE is None, reason="there is no Node here")
@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_the_example_for_node_prints_what_the_native_search_finds(game: str, tmp_path: Path) -> None:
    assert NODE is not None
    example = re.search(r"```js\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    script, block = tmp_path / "example.mjs", tmp_path / "position.block"
    match = malecon.new(game, players=3, seed=1)
    assert match.turn is not None
    view = match.view(match.turn)
    script.write_text(example[1], encoding="utf-8")
    block.write_bytes(block_for(view))
    files = module.files(match.game)
    assert files is not None
    printed = subprocess.run([NODE, script, *files, block], capture_output=True, text=True, check=True).stdout
    plan = SearchPlan(sims=5000, margin=0.0)
    assert len(new_tree(plan.nodes).key) == 1 << 14  # the example has the same tree
    result = Searcher(match.game, 3, plan, seed=7).search(position_from_history(view))
    best = zip(result.codes[:3], result.visits, result.chances, strict=False)
    lines = [f"{match.game.notation.name(code)} {visits} {chance:.3f}" for code, visits, chance in best]
    assert printed.splitlines() == [*lines, " ".join(f"{chance:.3f}" for chance in result.seats)]


def test_every_export_and_field_is_in_the_page() -> None:
    missing = [name for name in ("start", *kernels.EXPORTS) if f"`{name}(" not in PAGE]
    assert missing == []
    fields = module.load("santiago").description["fields"]
    parts = {name.rpartition(".")[2] for name in fields if not name.startswith(("net.", "tree."))}
    unexplained = {"before", "line_random"}  # scratch
    assert [name for name in sorted(parts - unexplained) if f"{name}`" not in PAGE] == []
