"""The engine module thinks exactly as the native search does, and a stale one is refused."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from malecon.bots.engine import module
from malecon.bots.engine.block import block_for, block_of
from malecon.bots.engine.runtime import WasmEngine, WasmSearcher
from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher, SearchPlan
from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadSetup
from malecon.match import Match
from tests.bots.endings import endings

TABLES = [(name, players) for name, most in (("santiago", 4), ("cuba", 5)) for players in range(2, most + 1)]
#: Decisions compared at each table, in turn with what a perfect memory knows and with the bare view.
POSITIONS = 32


@pytest.mark.parametrize(("name", "players"), TABLES)
@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_visits_and_chances_are_identical_to_native(name: str, players: int, margin: float) -> None:
    game = registry.get(name)
    plan = SearchPlan(sims=150, margin=margin)
    native, wasm = Searcher(game, players, plan, seed=5), WasmSearcher(game, players, plan, seed=5)
    chooser, compared, seed = random.Random(players), 0, 0
    while compared < POSITIONS:
        match = Match(name, players, seed=seed)
        seed += 1
        while match.turn is not None and compared < POSITIONS:
            legal = list(match.legal_moves)
            if len(legal) > 1 and chooser.random() < 0.2:
                view = match.view(match.turn)
                position = position_from_history(view) if compared % 2 else view.position
                expected, result = native.search(position), wasm.search(position)
                assert result.codes == expected.codes
                assert result.visits == expected.visits
                assert result.chances == expected.chances
                assert result.seats == expected.seats
                assert result.verdict == expected.verdict
                compared += 1
            match.push(chooser.choice(legal))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_proofs_are_identical_to_native(name: str, players: int) -> None:
    game = registry.get(name)
    plan = SearchPlan(sims=100, margin=0.0, proof=30_000)
    native, wasm = Searcher(game, players, plan, seed=5), WasmSearcher(game, players, plan, seed=5)
    engine = WasmEngine(game, plan.nodes, seed=5)
    proven = 0
    for position in endings(name, players)[:40]:
        expected, result = native.search(position), wasm.search(position)
        assert replace(result, seconds=0) == replace(expected, seconds=0)
        proven += expected.verdict.is_proven
        engine.set_block(block_of(game, players, position, verbs.actor(position)))
        state = engine.state(players)
        state.floats[1] = 0.0
        engine.call("begin")
        engine.call("think", 100)
        engine.call("solve", 30_000)
        count = engine.call("read")
        assert tuple(state.results.codes[:count].tolist()) == expected.codes
        assert tuple(state.results.chances[:count].tolist()) == expected.chances
        assert tuple(state.results.seats[:players].tolist()) == expected.seats
    assert proven >= 5


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_exports_read_what_the_searcher_returns(name: str, players: int) -> None:
    game = registry.get(name)
    plan = SearchPlan(sims=400, margin=0.0)
    match = Match(name, players, seed=2)
    while len(match.history) < 60 or len(match.legal_moves) < 4:
        match.push(match.legal_moves[0])
    assert match.turn is not None
    view = match.view(match.turn)
    expected = Searcher(game, players, plan, seed=7).search(position_from_history(view))
    engine = WasmEngine(game, plan.nodes, seed=7)
    engine.set_block(block_for(view))
    state = engine.state(players)
    assert state.root[0].tobytes() == position_from_history(view).tobytes()
    state.floats[1] = 0.0
    assert engine.call("begin") == len(match.legal_moves)
    for _ in range(8):  # in slices
        engine.call("think", 50)
    count = engine.call("read")
    assert tuple(state.results.codes[:count].tolist()) == expected.codes
    assert tuple(state.results.visits[:count].tolist()) == expected.visits
    assert tuple(state.results.chances[:count].tolist()) == expected.chances
    assert tuple(state.results.seats[:players].tolist()) == expected.seats
    assert state.results.lines[0, 0] == expected.best
    assert state.results.lengths[0] >= 2


@pytest.mark.parametrize("name", ["santiago", "cuba"])
def test_the_files_in_the_package_are_fresh_and_others_are_refused(name: str) -> None:
    game, built = registry.get(name), module.load(name)
    module.check(game, built)
    for changed in (
        built._replace(wasm=built.wasm + b"\0"),
        built._replace(description=built.description | {"digest": ""}),
    ):
        with pytest.raises(BadSetup, match="engine build"):
            module.check(game, changed)


def test_a_block_that_cannot_be_changes_nothing() -> None:
    match = Match("santiago", 3, seed=1)
    assert match.turn is not None
    engine = WasmEngine(match.game, 256)
    block = block_for(match.view(match.turn))
    engine.set_block(block)
    before = engine.state(3).root[0].tobytes()
    illegal = block[:-2] + b"\xff\x7f"
    too_many = (99).to_bytes(4, "little") + block[4:]
    for bad in (illegal, too_many, bytes(1 << 20)):
        with pytest.raises(BadSetup):
            engine.set_block(bad)
        assert engine.state(3).root[0].tobytes() == before
