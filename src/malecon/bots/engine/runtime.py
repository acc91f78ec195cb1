"""The engine module in Python, through wasmtime: ready at once, at three quarters of the speed of machine code."""

from __future__ import annotations

import atexit
import functools
import hashlib
import threading
import time
import weakref
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np

from malecon.bots.engine.block import block_for, block_of
from malecon.bots.engine.kernels import NO_ERROR
from malecon.bots.engine.module import is_fresh, load
from malecon.bots.engine.state import (
    AROUND,
    CONSTANT,
    DEPTH,
    EXPLORE,
    FIXED,
    GROWING,
    LEAST_NODES,
    MARGIN,
    OWN_WEIGHTS,
    PLAYOUT,
    POLICY,
    PRIOR,
    ROOT,
    VALUE,
    State,
    assemble,
    constants_of,
    layout_of,
    own_net,
)
from malecon.bots.network import Net
from malecon.bots.searcher import Clock, Searcher, SearchPlan, SearchThread
from malecon.bots.solver import read_verdict
from malecon.bots.specs import WASM, Spec
from malecon.bots.value import LEARNED, SearchSettings
from malecon.bots.verdicts import Verdict
from malecon.kernel import registry
from malecon.kernel.compile import runs_plain
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game
from malecon.kernel.machine_code import cache
from malecon.kernel.phrases import say
from malecon.kernel.randomness import Randomness, randomness
from malecon.kernel.verbs import Position
from malecon.kernel.view import View

if TYPE_CHECKING:
    import wasmtime

_loading = threading.Lock()


# What is still there when Python ends must be closed before: later, wasmtime has nothing left to free it with.


@functools.cache
def _engine() -> wasmtime.Engine:
    import wasmtime

    engine = wasmtime.Engine()
    atexit.register(engine.close)
    return engine


@functools.cache
def _compiled(name: str) -> wasmtime.Module:
    """Return the module of a game as machine code, from the cache if it was compiled before."""
    module = _load_or_compile(name)
    atexit.register(module.close)
    return module


def _load_or_compile(name: str) -> wasmtime.Module:
    import wasmtime

    wasm = load(name).wasm
    key = hashlib.sha256(wasm + f"wasmtime {metadata.version('wasmtime')}".encode()).hexdigest()
    file = f"{key[:20]}/{name}.engine"
    code = cache.read_code(file)
    if code is not None:
        try:
            return wasmtime.Module.deserialize(_engine(), code)
        except wasmtime.WasmtimeError:  # made on another machine
            pass
    module = wasmtime.Module(_engine(), wasm)
    cache.write_code(file, bytes(module.serialize()))
    return module


class WasmEngine:
    """One instance of a game's module, with a memory of its own. For one thread at a time."""

    def __init__(self, game: Game, nodes: int, seed: int = 0) -> None:
        """Raise BadSetup if there is no module for the game, or a stale one; MemoryError if the tree is too large."""
        import wasmtime

        self.game = game
        self._layout = layout_of(game)
        with _loading:
            module = _compiled(game.name)
        self._store = wasmtime.Store(_engine())
        weakref.finalize(self, self._store.close)
        self._exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
        self.nodes = self.call("start", nodes, _signed(seed))
        if not self.nodes:
            raise MemoryError(f"there is no memory for a tree of {nodes} nodes")

    def call(self, name: str, *arguments: int) -> int:
        """Call an export."""
        answer: int = self._exports[name](self._store, *arguments)
        return answer

    def state(self, players: int) -> State:
        """Return the module's memory as arrays, for that many players. They are valid as long as the engine is."""
        memory = self._exports["memory"]
        data = np.frombuffer(memory.get_buffer_ptr(self._store), np.uint8)
        begins = {FIXED: self._global("state"), GROWING: self._global("__heap_base")}
        constants = constants_of(self.game)._asdict()
        arrays: dict[str, Any] = {}
        for field in self._layout.fields:
            if field.section == CONSTANT:  # the module's own are not for others
                arrays[field.name] = constants[field.name.partition(".")[2]]
                continue
            shape = tuple(size.at(players, self.nodes) for size in field.shape)
            offset = begins[field.section] + field.offset.at(players, self.nodes)
            arrays[field.name] = np.ndarray(shape, field.dtype, data, offset, field.strides)
        return assemble(arrays)

    def _global(self, name: str) -> int:
        value: int = self._exports[name].value(self._store)
        return value

    def set_block(self, block: bytes) -> None:
        """Set the position by what a seat knows, see `block`; raise BadSetup if the block cannot be."""
        memory, offset = self._exports["memory"], self._global("state")
        if len(block) > self._layout.field("root").offset.fixed:
            raise BadSetup(say("this is not a position of {game}", game=self.game.title))
        memory.write(self._store, block, offset)
        if self.call("set_position") != NO_ERROR:
            raise BadSetup(say("this is not a position of {game}", game=self.game.title))


def _signed(number: int) -> int:
    """Return the lowest 32 bits of a number as the signed integer that WebAssembly takes."""
    return (number & 0xFFFF_FFFF ^ 0x8000_0000) - 0x8000_0000


# --- the searcher


class WasmThread(SearchThread):
    """A thread of a search that thinks with the module. Its tree and workspace lie in the module's memory."""

    def __init__(self, game: Game, players: int, plan: SearchPlan, seed: int, number: int, clock: Clock) -> None:
        self._engine = WasmEngine(game, plan.nodes)
        self._engine.set_block(block_of(game, players, game.new_position(players), 0))
        self._state = self._engine.state(players)
        super().__init__(self._state.tree, self._state.workspace, self._state.random, clock)
        self.random[:] = randomness(seed, number)

    def begin(self, root: Any, settings: SearchSettings, net: Net) -> int:
        integers, floats = self._state.integers, self._state.floats
        self._state.root[0] = root[0]
        floats[EXPLORE], floats[MARGIN], floats[PRIOR] = settings.explore, settings.margin, settings.prior
        integers[POLICY], integers[PLAYOUT] = settings.policy, settings.playout
        integers[DEPTH], integers[VALUE] = settings.depth, settings.value
        integers[AROUND] = settings.around
        self._engine.call("begin")
        return int(integers[ROOT])

    def simulate(self, root: Any, settings: SearchSettings, net: Net, forced: int, count: int) -> None:
        if forced < 0:
            self._engine.call("think", count)
        else:
            self._engine.call("look_at", int(self.tree.move[forced]), int(self.tree.tried[forced]) + count)

    def prove(self, position: Position, budget: int) -> Verdict:
        """Return what the module proves about a position."""
        self._state.root[0] = position
        self._engine.call("solve", budget)
        return read_verdict(self._state.solver, len(self.workspace.sums))

    def set_weights(self, net: Net) -> None:
        """Use other weights than the module's own, of the same shapes."""
        for own, given in zip(self._state.net, net, strict=True):
            own[...] = given
        self._state.integers[OWN_WEIGHTS] = 1


class WasmSearcher(Searcher):
    """A searcher that thinks with the module: the same moves for the same seed and simulations, nothing compiled."""

    def _new_thread(self, players: int, seed: int, number: int, clock: Clock) -> SearchThread:
        thread = WasmThread(self.game, players, self.plan, seed, number, clock)
        if self._settings.value == LEARNED and self._net is not own_net(self.game):
            if [array.shape for array in self._net] != [array.shape for array in own_net(self.game)]:
                raise BadSetup(say("the weights must have the same size as those of the game"))
            thread.set_weights(self._net)
        return thread

    def prove(self, position: Position) -> Verdict:
        budget, thread = self.plan.proof_positions, self._threads[0]
        assert isinstance(thread, WasmThread)
        return thread.prove(position, budget) if budget else Verdict()

    def to_native(self) -> Searcher:
        """Return a searcher that thinks on as machine code, where this one is: with its trees and random numbers."""
        native = Searcher(self.game, self._players, self.plan, clock=self._threads[0].clock)
        for own, new in zip(self._threads, native._threads, strict=True):
            new.take_over(own)
        return native


def new_searcher(spec: Spec, game: Game, players: int, seed: int = 0, clock: Clock = time.perf_counter) -> Searcher:
    """Return the searcher of a specification: machine code, or the module, also while there is no machine code yet."""
    kind = WasmSearcher if spec.kind == WASM or (module_stands_in(game) and not spec.plan.net) else Searcher
    return kind(game, players, spec.plan, seed, clock=clock)


def current_searcher(searcher: Searcher, spec: Spec) -> Searcher:
    """Return the searcher, or one that thinks on where it is as machine code, if that has become ready meanwhile."""
    if isinstance(searcher, WasmSearcher) and spec.kind != WASM and not runs_plain(searcher.game.dtype):
        return searcher.to_native()
    return searcher


def module_stands_in(game: Game) -> bool:
    """Return whether the module computes what machine code would: there is none, but a module that fits."""
    return runs_plain(game.dtype) and is_fresh(game.name)


# --- the rules


class _SharedEngine:
    """An instance that threads share for short computations: plain Python would take a hundred times as long."""

    def __init__(self, game: Game) -> None:
        self.lock = threading.Lock()
        self.engine = WasmEngine(game, LEAST_NODES)
        self.state = self.engine.state(game.most_players)


@functools.cache
def _shared_engine(name: str) -> _SharedEngine:
    return _SharedEngine(registry.get(name))


def choose_greedily(view: View, codes: list[int], random: Randomness) -> int:
    """Return the code that `choose_greedy_among` returns for these codes."""
    shared = _shared_engine(view.game.name)
    with shared.lock:
        state = shared.state
        state.root[0] = view.position
        state.results.codes[: len(codes)] = codes
        state.random[:] = random
        code = shared.engine.call("greedy", len(codes))
        random[:] = state.random
    return code


def remember(view: View) -> Position:
    """Return the position that `position_from_history` returns for a view with an open history."""
    shared = _shared_engine(view.game.name)
    with shared.lock:
        shared.engine.set_block(block_for(view))
        return shared.state.root[0].copy()
