"""A search at work: its budget, threads, weights, and its memory between moves. How it searches is in `search`."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from malecon.bots import search
from malecon.bots import tree as trees
from malecon.bots.calibration import IDENTITY, curves_for
from malecon.bots.value import (
    FIRST,
    LEARNED,
    LONGEST_PLAYOUT,
    PLAY_GREEDY,
    PLAY_NOTHING,
    PLAY_RANDOM,
    WORTH,
    Net,
    SearchSettings,
    Workspace,
)
from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game
from malecon.kernel.phrases import say
from malecon.kernel.randomness import randomness
from malecon.kernel.verbs import Position

PLAYOUTS = {"random": PLAY_RANDOM, "greedy": PLAY_GREEDY, "none": PLAY_NOTHING}
#: Tells seconds: those of the wall, or those that the calling thread itself has worked.
Clock = Callable[[], float]
VALUES = {"learned": LEARNED, "worth": WORTH, "first": FIRST}
POLICIES = {"learned": True, "worth": False}
#: How long a kernel runs before the clock and the stop flag are looked at.
CHUNK_SECONDS = 0.005
#: The largest tree: about 70 MB a thread, reached by the longest thinks only. A full tree is searched on, not extended.
MOST_NODES = 1 << 18
#: Nodes that a millisecond of thought can fill at most.
NODES_PER_MS = 400
#: A description of a seat is never longer.
MOST_FEATURES = 1024


@dataclass(frozen=True)
class SearchPlan:
    """What a search is asked to do. Exactly one of `sims` and `ms` is its budget for a move."""

    sims: int = 0
    ms: int = 0
    rollout: str = "none"
    depth: int = LONGEST_PLAYOUT
    value: str = "learned"
    policy: str = "learned"
    c: float = 0.3
    prior: float = 1.0
    margin: float = 0.1
    threads: int = 1

    @property
    def nodes(self) -> int:
        """Room for what the budget can find, twice over, so that the tree can be kept between moves."""
        wanted = 2 * self.sims // self.threads if self.sims else self.ms * NODES_PER_MS
        return max(256, min(wanted, MOST_NODES))


@dataclass(frozen=True)
class SearchResult:
    """What a search found out about the moves, best first, and the chance of every seat."""

    codes: tuple[int, ...]
    visits: tuple[int, ...]
    chances: tuple[float, ...]  # of the mover, after each move; with a margin, mixed with how far ahead it ends
    seats: tuple[float, ...]  # of every seat, on average over the simulations
    simulations: int
    seconds: float

    @property
    def best(self) -> int:
        return self.codes[0]


def weights_path(name: str, value: str = "learned") -> Path:
    """Return where weights of a game are, if it has any: today's or the first."""
    number = "1" if value == "first" else ""
    return registry.data_file(name, f"weights{number}.npz") or Path()


def read_net(path: Path) -> Net:
    """The weights in a file; what the first net does not have is empty."""
    with np.load(path) as arrays:
        found = {field: np.ascontiguousarray(arrays[field], np.float32) for field in arrays.files}
    return blank_net()._replace(**found)


@functools.cache
def load_net(name: str, value: str = "learned") -> Net | None:
    """The learned weights of a game, today's or the first ones; None where there are none."""
    path = weights_path(name, value)
    return read_net(path) if path.is_file() else None


@functools.cache
def _count_features(name: str) -> int:
    game = registry.get(name)
    return int(verbs.features(game.new_position(game.fewest_players), 0, np.zeros(MOST_FEATURES, np.float32)))


def count_features(game: Game) -> int:
    """How many numbers a game describes a seat's prospects with; 0 where it has no learned value."""
    return _count_features(game.name)


def blank_net() -> Net:
    """Stands in where no weights are needed: a kernel wants its arguments."""
    return Net(*(np.zeros((1,) * dimensions, np.float32) for dimensions in (2, 1, 2, 2, 1, 2, 1, 2, 1)))


def equip(game: Game, plan: SearchPlan, net: Net | None = None) -> tuple[SearchSettings, Net]:
    """The settings of a plan and its weights: the shipped ones, unless others are given."""
    # Weights that are not asked for are not looked at: training begins without them, after features have changed.
    learned, value = net, VALUES[plan.value]
    if learned is None and value == LEARNED:
        learned = load_net(game.name)
    if learned is None and value != WORTH:  # a game with no better weights than the first ones plays with those
        learned, value = load_net(game.name, "first"), FIRST
    if learned is not None:
        count = count_features(game)  # later ones have been added behind those that the first net knows
        if len(learned.hidden) > count or (value == LEARNED and len(learned.hidden) != count):
            raise BadSetup(
                say("the learned weights of {game} do not fit this version; train them again", game=game.title)
            )
    settings = SearchSettings(
        explore=float(plan.c),
        margin=float(plan.margin),
        prior=float(plan.prior),
        policy=value == LEARNED and POLICIES[plan.policy],
        playout=PLAYOUTS[plan.rollout],
        depth=min(plan.depth, LONGEST_PLAYOUT),
        value=WORTH if learned is None else value,
        secrets=False,
    )
    return settings, learned or blank_net()


def new_workspace(game: Game, players: int, net: Net) -> Workspace:
    cells = np.zeros(3, game.dtype).view(np.recarray)
    size = game.dtype.itemsize
    taken = size - size % 8
    data = cells.view(np.ndarray).view(np.uint8).reshape(3, size)
    return Workspace(
        cells=cells,
        words=np.ndarray((3, taken // 8), np.uint64, data.data, strides=(size, 8)),
        rest=data[:, taken:],
        moves=np.zeros(game.most_legal, np.int16),
        path=np.zeros(2 * search.DEEPEST, np.int32),
        rewards=np.zeros(players),
        sums=np.zeros(players),
        inputs=np.zeros(max(1, count_features(game)), np.float32),
        units=np.zeros(len(net.hidden_bias) + players, np.float32),
        hidden=np.zeros((players, len(net.hidden_bias)), np.float32),
        judges=np.zeros((players + 1, len(net.judge_bias)), np.float32),
    )


class Searcher:
    """Thinks about one game, move after move, and remembers its tree. One mind thinks one thought at a time."""

    def __init__(
        self,
        game: Game,
        players: int,
        plan: SearchPlan,
        seed: int = 0,
        net: Net | None = None,
        clock: Clock = time.perf_counter,
    ) -> None:
        self.game, self.plan = game, plan
        self._settings, self._net = equip(game, plan, net)
        #: How expectations become chances. Shipped weights alone were measured, and without the margin.
        is_measured = net is None and plan.value == "learned" and not plan.margin
        self.calibration = curves_for(game.name, players) if is_measured else IDENTITY
        self._helpers = [
            SearchThread(
                trees.new_tree(plan.nodes), new_workspace(game, players, self._net), randomness(seed, thread), clock
            )
            for thread in range(plan.threads)
        ]
        self._root = np.zeros(1, game.dtype).view(np.recarray)

    @property
    def memory(self) -> int:
        """The bytes its trees take."""
        return sum(trees.memory(helper.tree) for helper in self._helpers)

    def search(self, position: Position, stop: threading.Event | None = None) -> SearchResult:
        """Search for the actor's best move. What the position hides is guessed anew in every simulation."""
        began = time.perf_counter()
        self._root[0] = position
        settings = self._settings._replace(secrets=self._has_secrets(position))
        shares = [self.plan.sims // len(self._helpers)] * len(self._helpers)
        shares[0] += self.plan.sims - sum(shares)

        def work(helper: SearchThread, share: int) -> int:
            return helper.search(self._root, settings, self._net, share, self.plan.ms / 1000, stop)

        with np.errstate(over="ignore"):  # fingerprints overflow on purpose; only uncompiled kernels say so
            if len(self._helpers) == 1:
                done = work(self._helpers[0], shares[0])
            else:
                with ThreadPoolExecutor(len(self._helpers)) as pool:
                    done = sum(pool.map(work, self._helpers, shares))
        return self._merge(done, time.perf_counter() - began)

    def evaluate(self, code: int, sims: int) -> float:
        """The mover's chance after one move of the position thought about last, looked at so many times at least."""
        helper = self._helpers[0]
        settings = self._settings._replace(secrets=self._has_secrets(self._root[0]))
        with np.errstate(over="ignore"):
            return self.calibration.chance(helper.look_at(code, self._root, settings, self._net, sims))

    def _has_secrets(self, position: Position) -> bool:
        """Whether the game has moves made face down, or a guess would change what is not known of this position."""
        if self.game.conceals is not None:
            return True
        guessed = position.copy()
        verbs.guess(guessed, verbs.actor(position), randomness(1))
        return bool(guessed.tobytes() != position.tobytes())

    def _merge(self, done: int, seconds: float) -> SearchResult:
        codes, _, _ = self._helpers[0].found()
        visits, won = np.zeros(len(codes), np.int64), np.zeros(len(codes))
        seats = np.zeros(len(self._helpers[0].workspace.sums))
        for helper in self._helpers:
            _, more_visits, more_won = helper.found()
            visits += more_visits
            won += more_won
            seats += helper.workspace.sums
        chances = np.where(visits > 0, won / np.maximum(visits, 1), 0.0)
        order = np.lexsort((np.arange(len(codes)), -chances, -visits))
        return SearchResult(
            codes=tuple(codes[order].tolist()),
            visits=tuple(visits[order].tolist()),
            chances=tuple(map(self.calibration.chance, chances[order].tolist())),
            seats=self.calibration.shares((seats / max(done, 1)).tolist()),
            simulations=done,
            seconds=seconds,
        )


class SearchThread:
    """One thread's tree and workspace."""

    def __init__(
        self, tree: trees.Tree, workspace: Workspace, random: np.typing.NDArray[np.uint64], clock: Clock
    ) -> None:
        self.tree, self.workspace, self.random, self.clock = tree, workspace, random, clock
        self.root = trees.NO_NODE
        self.speed = 2_000.0  # simulations a second, until measured

    def search(
        self,
        root: Any,
        settings: SearchSettings,
        net: Net,
        sims: int,
        seconds: float,
        stop: threading.Event | None,
    ) -> int:
        """So many simulations, or for so long; how many there were."""
        end = self.clock() + seconds
        if not trees.has_room(self.tree):
            trees.clear(self.tree)
        self.root = search.root_node(root, self.tree, settings, net, self.workspace, self.random)
        self.workspace.sums[:] = 0
        done = 0
        while not (stop and stop.is_set()):
            left = sims - done if sims else int((end - self.clock()) * self.speed) + 1
            if left <= 0 or (not sims and (self.clock() >= end or self._is_decided(left))):
                break
            chunk = max(1, min(left, int(self.speed * CHUNK_SECONDS)))
            began = self.clock()
            search.simulate(root, self.root, -1, self.tree, settings, net, self.workspace, self.random, chunk)
            self.speed = 0.5 * self.speed + 0.5 * chunk / max(self.clock() - began, 1e-7)
            done += chunk
        return done

    def look_at(self, code: int, root: Any, settings: SearchSettings, net: Net, sims: int) -> float:
        codes, visits, won = self.found()
        at = codes.tolist().index(code)
        more = sims - int(visits[at])
        if more > 0:
            edge = int(self.tree.first[self.root]) + at
            search.simulate(root, self.root, edge, self.tree, settings, net, self.workspace, self.random, more)
        return float(won[at] / visits[at])

    def _is_decided(self, left: int) -> bool:
        """No other move could overtake the most tried one in the time that is left."""
        _, visits, _ = self.found()
        ordered = np.sort(visits)
        return len(ordered) == 1 or bool(ordered[-1] - ordered[-2] > 1.5 * left + 50)

    def found(self) -> tuple[np.typing.NDArray[np.int16], np.typing.NDArray[np.int32], np.typing.NDArray[np.float64]]:
        """The moves at the root, how often each was tried, and what it brought."""
        first = self.tree.first[self.root]
        edges = slice(first, first + self.tree.width[self.root])
        return self.tree.move[edges], self.tree.tried[edges], self.tree.won[edges]
