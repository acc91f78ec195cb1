"""The searcher: its plan, threads and network, and its trees, kept between moves. The search itself is in `search`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from malecon.bots import search
from malecon.bots import tree as trees
from malecon.bots.calibration import IDENTITY, curves_for
from malecon.bots.network import Net, blank_net, check_net, count_features, load_file, load_net
from malecon.bots.solver import Solver
from malecon.bots.value import (
    LEARNED,
    LONGEST_PLAYOUT,
    PLAY_GREEDY,
    PLAY_NOTHING,
    PLAY_RANDOM,
    WORTH,
    SearchSettings,
    Workspace,
)
from malecon.bots.verdicts import CERTAIN, Proof, Verdict
from malecon.kernel import verbs
from malecon.kernel.compile import runs_plain
from malecon.kernel.game import Game
from malecon.kernel.randomness import randomness
from malecon.kernel.verbs import Position

PLAYOUTS = {"random": PLAY_RANDOM, "greedy": PLAY_GREEDY, "none": PLAY_NOTHING}
VALUES = {"learned": LEARNED, "worth": WORTH}
POLICIES = {"learned": True, "worth": False}
#: Returns seconds: of the wall clock, or of the calling thread's processor time.
Clock = Callable[[], float]
#: How long a kernel runs before the clock and the stop flag are checked.
CHUNK_SECONDS = 0.005
#: The largest tree: about 70 MB a thread, reached by the longest searches only. A full tree is searched on, not grown.
MOST_NODES = 1 << 18
#: Nodes that a millisecond of search can fill at most.
NODES_PER_MS = 400
#: Positions that the solver looks at in an ending, for each simulation, or each millisecond, of the search: about a
#: fifth of its time.
POSITIONS_PER_SIMULATION = 5
POSITIONS_PER_MS = 500
#: About half a second.
MOST_POSITIONS = 1_000_000


@dataclass(frozen=True)
class SearchPlan:
    """How a search works. Exactly one of `sims` and `ms` is its budget for a move."""

    sims: int = 0
    ms: int = 0
    rollout: str = "none"
    depth: int = LONGEST_PLAYOUT
    value: str = "learned"
    policy: str = "learned"
    c: float = 0.3
    around: int = 4
    prior: float = 1.0
    margin: float = 0.1
    threads: int = 1
    net: str = ""  # a file of weights, if not those of the game
    proof: int | None = None  # positions that the solver looks at, if not as many as fit the budget

    @property
    def nodes(self) -> int:
        """The size of a tree: twice what the budget can fill, so that the tree can be kept between moves."""
        nodes = 2 * self.sims // self.threads if self.sims else self.ms * NODES_PER_MS
        return max(256, min(nodes, MOST_NODES))

    @property
    def proof_positions(self) -> int:
        """How many positions the solver looks at: what takes a fifth of the time, and none if the search is short."""
        if self.proof is not None:
            return self.proof
        if self.sims and self.sims < trees.LEAST_VISITS:
            return 0
        return min(POSITIONS_PER_SIMULATION * self.sims + POSITIONS_PER_MS * self.ms, MOST_POSITIONS)


@dataclass(frozen=True)
class SearchResult:
    """What a search found out about the moves, best first, and the chance of every seat.

    Where the verdict proves a result, that is the chance.
    """

    codes: tuple[int, ...]
    visits: tuple[int, ...]
    chances: tuple[float, ...]  # of the mover, after each move; with a margin, mixed with how far ahead it ends
    seats: tuple[float, ...]  # of every seat, on average over the simulations
    simulations: int
    seconds: float
    verdict: Verdict = field(default_factory=Verdict)

    @property
    def best(self) -> int:
        return self.codes[0]


def equip(game: Game, plan: SearchPlan, net: Net | None = None) -> tuple[SearchSettings, Net]:
    """Return the settings of a plan and its network: that of the plan or the game, unless another is given.

    Raise BadSetup if the network does not fit the game.
    """
    if plan.value == "worth":  # a network is not even looked at: training begins without, after features have changed
        net = None
    elif net is None:
        net = load_file(plan.net) if plan.net else load_net(game.name)
    if net is not None:
        check_net(game, net)
    settings = SearchSettings(
        explore=float(plan.c),
        around=plan.around,
        margin=float(plan.margin),
        prior=float(plan.prior),
        policy=net is not None and POLICIES[plan.policy],
        playout=PLAYOUTS[plan.rollout],
        depth=min(plan.depth, LONGEST_PLAYOUT),
        value=WORTH if net is None else LEARNED,
        secrets=False,
    )
    return settings, net or blank_net()


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
        leads=np.zeros(players),
        counted=np.zeros(1, np.int64),
        inputs=np.zeros(max(1, count_features(game)), np.float32),
        hidden=np.zeros((players, len(net.hidden_bias)), np.float32),
        judges=np.zeros((players + 1, len(net.judge_bias)), np.float32),
        ends=np.zeros(players, np.float32),
    )


class Searcher:
    """Searches the positions of one game, move after move, and keeps its trees. It does one search at a time."""

    def __init__(
        self,
        game: Game,
        players: int,
        plan: SearchPlan,
        seed: int = 0,
        net: Net | None = None,
        clock: Clock = time.perf_counter,
    ) -> None:
        self.game, self.plan, self._players = game, plan, players
        self._settings, self._net = equip(game, plan, net)
        # Only the shipped weights were measured, and without the margin.
        is_measured = net is None and not plan.net and plan.value == "learned" and not plan.margin
        self.calibration = curves_for(game.name, players) if is_measured else IDENTITY
        self._threads = [self._new_thread(players, seed, number, clock) for number in range(plan.threads)]
        self._root = np.zeros(1, game.dtype).view(np.recarray)
        self._players, self._clock = players, clock
        self._solver: Solver | None = None
        self._verdict = Verdict()

    def _new_thread(self, players: int, seed: int, number: int, clock: Clock) -> SearchThread:
        tree, workspace = trees.new_tree(self.plan.nodes), new_workspace(self.game, players, self._net)
        return SearchThread(tree, workspace, randomness(seed, number), clock)

    @property
    def memory(self) -> int:
        """The bytes that its trees take."""
        solver = 0 if self._solver is None else self._solver.memory_bytes
        return solver + sum(trees.memory(thread.tree) for thread in self._threads)

    def prove(self, position: Position) -> Verdict:
        """Return what is proven about a position, within the plan's budget; nothing before the game is compiled."""
        budget = self.plan.proof_positions
        if not budget or runs_plain(self.game.dtype):
            return Verdict()
        if self._solver is None:
            self._solver = Solver(self.game, self._players)
        return self._solver.judge(position, budget)

    def search(self, position: Position, stop: threading.Event | None = None) -> SearchResult:
        """Search for the actor's best move. Every simulation makes its own guess of what the position hides."""
        began, began_clock = time.perf_counter(), self._clock()
        self._root[0] = position
        self._verdict = verdict = self.prove(position)
        seconds = max(self.plan.ms / 1000 - (self._clock() - began_clock), 0.001)
        settings = self._settings._replace(secrets=self._has_secrets(position))
        shares = [self.plan.sims // len(self._threads)] * len(self._threads)
        shares[0] += self.plan.sims - sum(shares)

        def work(thread: SearchThread, share: int) -> int:
            return thread.search(self._root, settings, self._net, share, seconds, stop)

        with np.errstate(over="ignore"):  # fingerprints overflow on purpose; only uncompiled kernels say so
            if len(self._threads) == 1:
                done = work(self._threads[0], shares[0])
            else:
                with ThreadPoolExecutor(len(self._threads)) as pool:
                    done = sum(pool.map(work, self._threads, shares))
        return self._merge(done, time.perf_counter() - began, verdict)

    def evaluate(self, code: int, sims: int) -> float:
        """Return the mover's chance after a move in the position searched last, from at least `sims` simulations.

        What was proven about the move needs none.
        """
        if (proof := self._verdict.moves.get(code)) is not None:
            return CERTAIN[proof]
        thread = self._threads[0]
        settings = self._settings._replace(secrets=self._has_secrets(self._root[0]))
        with np.errstate(over="ignore"):
            return self.calibration.chance(thread.look_at(code, self._root, settings, self._net, sims))

    def _has_secrets(self, position: Position) -> bool:
        """Return whether the game has moves made face down, or a guess would change this position."""
        if self.game.conceals is not None:
            return True
        guessed = position.copy()
        verbs.guess(guessed, verbs.actor(position), randomness(1))
        return bool(guessed.tobytes() != position.tobytes())

    def _merge(self, done: int, seconds: float, verdict: Verdict) -> SearchResult:
        codes, _, _ = self._threads[0].root_moves()
        visits, won = np.zeros(len(codes), np.int64), np.zeros(len(codes))
        seats = np.zeros(len(self._threads[0].workspace.sums))
        counted = 0
        for thread in self._threads:
            _, more_visits, more_won = thread.root_moves()
            visits += more_visits
            won += more_won
            seats += thread.workspace.sums
            counted += int(thread.workspace.counted[0])
        chances = np.where(visits > 0, won / np.maximum(visits, 1), 0.0)
        trusts = trusts_of(won, visits, self.plan.around)
        proofs = [verdict.moves.get(code) for code in codes.tolist()]
        ranks = np.array([_RANKS[proof] for proof in proofs])
        order = np.lexsort((np.arange(len(codes)), -chances, -trusts, -ranks))
        return SearchResult(
            codes=tuple(codes[order].tolist()),
            visits=tuple(visits[order].tolist()),
            chances=tuple(
                self.calibration.chance(float(chances[at])) if (proof := proofs[at]) is None else CERTAIN[proof]
                for at in order.tolist()
            ),
            seats=_certain(verdict, self.calibration.shares((seats / max(counted, 1)).tolist())),
            simulations=done,
            seconds=seconds,
            verdict=verdict,
        )


def trusts_of(
    won: np.typing.NDArray[np.float64], visits: np.typing.NDArray[np.integer[Any]], around: int
) -> np.typing.NDArray[np.float64]:
    """Return what the moves at the root are chosen by."""
    in_all = int(visits.sum())
    return np.array([trees.trust(*move, in_all, around) for move in zip(won.tolist(), visits.tolist(), strict=True)])


#: The order of moves by what is proven about them.
_RANKS = {Proof.WON: 3, Proof.DRAWN: 2, None: 1, Proof.LOST: 0}


def _certain(verdict: Verdict, shares: tuple[float, ...]) -> tuple[float, ...]:
    """Return the chances of all seats as a verdict leaves them: those that have lost have none."""
    if verdict.winner is not None:
        return tuple(float(seat == verdict.winner) for seat in range(len(shares)))
    if verdict.is_drawn:
        return (0.5,) * len(shares)
    if len(verdict.can_win) in (0, len(shares)):
        return shares
    left = [share if seat in verdict.can_win else 0.0 for seat, share in enumerate(shares)]
    total = 0.0
    for share in left:
        total += share
    return tuple(share / total for share in left) if total else shares


class SearchThread:
    """One thread of a search, with its tree and workspace."""

    def __init__(
        self, tree: trees.Tree, workspace: Workspace, random: np.typing.NDArray[np.uint64], clock: Clock
    ) -> None:
        self.tree, self.workspace, self.random, self.clock = tree, workspace, random, clock
        self.root = trees.NO_NODE
        self.speed = 2_000.0  # simulations a second, until measured

    def take_over(self, other: SearchThread) -> None:
        """Go on where another thread is: with its tree, its random numbers and its speed."""
        for name in trees.Tree._fields:
            getattr(self.tree, name)[...] = getattr(other.tree, name)
        self.random[:] = other.random
        self.speed = other.speed

    def search(
        self,
        root: Any,
        settings: SearchSettings,
        net: Net,
        sims: int,
        seconds: float,
        stop: threading.Event | None,
    ) -> int:
        """Do `sims` simulations, or as many as there is time for; return how many there were."""
        end = self.clock() + seconds
        self.root = self.begin(root, settings, net)
        done = 0
        while not (stop and stop.is_set()):
            left = sims - done if sims else int((end - self.clock()) * self.speed) + 1
            if left <= 0 or (not sims and (self.clock() >= end or self._is_decided(left, settings.around))):
                break
            chunk = max(1, min(left, int(self.speed * CHUNK_SECONDS)))
            began = self.clock()
            self.simulate(root, settings, net, -1, chunk)
            self.speed = 0.5 * self.speed + 0.5 * chunk / max(self.clock() - began, 1e-7)
            done += chunk
        return done

    def begin(self, root: Any, settings: SearchSettings, net: Net) -> int:
        """Begin a search and return the node of its root."""
        return search.begin(root, self.tree, settings, net, self.workspace, self.random)

    def simulate(self, root: Any, settings: SearchSettings, net: Net, forced: int, count: int) -> None:
        """Do simulations from the root, each beginning with the forced edge, if any."""
        search.simulate(root, self.root, forced, self.tree, settings, net, self.workspace, self.random, count)

    def look_at(self, code: int, root: Any, settings: SearchSettings, net: Net, sims: int) -> float:
        """Return what a move brought on average, after adding simulations until it has `sims`."""
        codes, visits, won = self.root_moves()
        at = codes.tolist().index(code)
        more = sims - int(visits[at])
        if more > 0:
            edge = int(self.tree.first[self.root]) + at
            self.simulate(root, settings, net, edge, more)
        return float(won[at] / visits[at])

    def _is_decided(self, left: int, around: int) -> bool:
        """Return whether the move trusted most was also tried most, and none can overtake it in what is left."""
        _, visits, won = self.root_moves()
        if len(visits) == 1:
            return True
        ordered = np.sort(visits)
        if ordered[-1] - ordered[-2] <= 1.5 * left + 50:
            return False
        trusts = trusts_of(won, visits, around)
        return bool(visits[np.argmax(trusts)] == ordered[-1])

    def root_moves(
        self,
    ) -> tuple[np.typing.NDArray[np.int16], np.typing.NDArray[np.int32], np.typing.NDArray[np.float64]]:
        """Return the moves at the root, how often each was tried, and what it brought in total."""
        first = self.tree.first[self.root]
        edges = slice(first, first + self.tree.width[self.root])
        return self.tree.move[edges], self.tree.tried[edges], self.tree.won[edges]
