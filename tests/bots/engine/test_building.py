"""The modules in the package are what their sources give: byte by byte with the same tools, by behaviour elsewhere."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from malecon.bots.engine import digest, module, runtime
from malecon.bots.engine.runtime import WasmSearcher
from malecon.bots.searcher import Searcher, SearchPlan
from malecon.cli.engine import HASH_SEED
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.match import Match

BUILD = """
import sys
from pathlib import Path
from malecon.bots.engine.building import build
from malecon.kernel import registry
Path(sys.argv[2]).write_bytes(build(registry.get(sys.argv[1])))
"""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled in this run")
@pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None,
    reason="the linker is not here: pip install -r requirements-engine.txt",
)
@pytest.mark.parametrize("name", ["santiago", "cuba"])
def test_building_again_gives_the_module_in_the_package(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built, file = module.load(name), tmp_path / "engine.wasm"
    own = {"PYTHONHASHSEED": HASH_SEED, "MALECON_COMPILE": "now"}
    subprocess.run([sys.executable, "-c", BUILD, name, str(file)], check=True, env=os.environ | own, timeout=500)
    again = file.read_bytes()
    if module.toolchain() == built.description["toolchain"]:
        assert again == built.wasm
    monkeypatch.setattr(runtime, "load", lambda name: built._replace(wasm=again))
    runtime._compiled.cache_clear()
    try:
        for players in (2, 3):
            match, plan = Match(name, players, seed=players), SearchPlan(sims=300)
            native, wasm = Searcher(match.game, players, plan, seed=4), WasmSearcher(match.game, players, plan, seed=4)
            for _ in range(15):
                assert match.turn is not None
                position = match.view(match.turn).position
                expected, result = native.search(position), wasm.search(position)
                assert (result.visits, result.chances) == (expected.visits, expected.chances)
                match.push(match.legal_moves[-1])
    finally:
        runtime._compiled.cache_clear()


@pytest.mark.parametrize("name", ["santiago", "cuba"])
def test_a_module_of_other_rules_or_weights_is_refused_and_the_error_says_what_to_do(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, built = registry.get(name), module.load(name)
    with monkeypatch.context() as patch:  # another weight
        constants = digest.constants_of(game)
        other = constants._replace(packed=constants.packed + (1 << 3))
        patch.setattr(digest, "constants_of", lambda game: other)
        with pytest.raises(BadSetup, match="out of date; build it again: malecon engine build"):
            module.check(game, built)
    with monkeypatch.context() as patch:  # another rule
        texts = digest._texts
        patch.setattr(digest, "_texts", lambda game: (text.replace("+ 1", "+ 2") for text in texts(game)))
        with pytest.raises(BadSetup, match="out of date; build it again: malecon engine build"):
            module.check(game, built)
    module.check(game, built)


def test_the_digest_reads_statements_and_numbers_but_no_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def statement(body: str) -> str:
        file = tmp_path / f"rule{len(list(tmp_path.iterdir()))}.py"
        file.write_text(body)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        return digest.ast.unparse(digest._statement(loaded.price))

    plain = statement("def price(n: int) -> int:\n    return n + 3\n")
    assert statement('def price(n: int) -> int:\n    """Dear."""\n    # very\n    return n + 3\n') == plain
    assert statement("def price(n: int) -> int:\n    return n + 4\n") != plain
