"""Search with a network of your own: `GuidedSearch` thinks at many tables at once and asks a function about the leaves.

The tree and the walk through it are those of our own search (`bots`); here, all leaves of a step are judged together.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt

from malecon.bots import tree as trees
from malecon.bots.history import position_from_history
from malecon.bots.search import DEEPEST, WORLD, back_up, descend, key_of, sees_all
from malecon.bots.searcher import SearchPlan, equip, new_workspace
from malecon.bots.tree import NO_NODE, Tree, add_node
from malecon.bots.value import SearchSettings, Workspace
from malecon.envs.batch import REWARDS, look, reward
from malecon.envs.vector import Tables, check_choice
from malecon.kernel import readiness, registry
from malecon.kernel.compile import kernel
from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.kernel.game import Game
from malecon.kernel.numerics import exp
from malecon.kernel.phrases import say
from malecon.kernel.positions import as_array
from malecon.kernel.randomness import Randomness, check_seed, mix, randomness, streams
from malecon.kernel.verbs import NOBODY, actor, guess, legal
from malecon.kernel.view import Move, View
from malecon.match import check_players, check_whole

Floats = npt.NDArray[np.float32]
#: From scaled observations (n, size) and masks (n, decisions) to the appeal of every move (n, decisions), on the scale
#: of logarithms, and what every seat will get (n, players), from -1 to 1: the seat that decides first, then in turn.
Judge = Callable[[Floats, npt.NDArray[np.int8]], tuple[Any, Any]]
#: Nodes beside those of the simulations: forced moves on the way have some, too.
SPARE_NODES = 64
#: Noise at the root is Dirichlet's; so much of it, shared among the moves.
NOISE = 10.0


class Grove(NamedTuple):
    """A tree a table, and all that waits there between two steps of the search."""

    trees: Tree  # its arrays have one more dimension: the table
    roots: Any  # what the seats that decide know
    nodes: npt.NDArray[np.int32]  # of the roots
    paths: npt.NDArray[np.int32]  # (tables, …): from the root to the leaf
    lengths: npt.NDArray[np.int32]
    leaves: npt.NDArray[np.int32]
    seats: npt.NDArray[np.int8]  # who decides at the leaf
    waits: npt.NDArray[np.bool_]  # for somebody to judge the leaf
    rewards: npt.NDArray[np.float64]  # (tables, players): of this simulation, from 0 to 1
    sums: npt.NDArray[np.float64]  # (tables, players): of all
    randoms: Randomness
    observations: npt.NDArray[np.int16]  # (tables, size): of the leaves
    masks: npt.NDArray[np.int8]  # (tables, decisions)


def _new_grove(game: Game, players: int, count: int, sims: int, randoms: Randomness) -> Grove:
    tree = trees.new_tree(sims + SPARE_NODES)
    return Grove(
        trees=Tree(*(np.zeros((count, *array.shape), array.dtype) for array in tree)),
        roots=np.zeros(count, game.dtype),
        nodes=np.zeros(count, np.int32),
        paths=np.zeros((count, 2 * DEEPEST), np.int32),
        lengths=np.zeros(count, np.int32),
        leaves=np.zeros(count, np.int32),
        seats=np.zeros(count, np.int8),
        waits=np.zeros(count, np.bool_),
        rewards=np.zeros((count, players)),
        sums=np.zeros((count, players)),
        randoms=randoms,
        observations=np.zeros((count, game.pieces.size), np.int16),
        masks=np.zeros((count, game.decisions), np.int8),
    )


@kernel(inline=True)
def tree_at(t: Tree, table: int) -> Tree:
    return Tree(
        t.slots[table], t.key[table], t.actor[table], t.sees_all[table], t.visits[table], t.total[table],
        t.first[table], t.width[table], t.move[table], t.prior[table], t.tried[table], t.won[table], t.child[table],
        t.used[table],
    )  # fmt: skip


@kernel(inline=True)
def workspace_at(d: Workspace, grove: Grove, table: int) -> Workspace:
    """Return the workspace with this table's own path and rewards."""
    return Workspace(
        d.cells, d.words, d.rest, d.moves, grove.paths[table], grove.rewards[table], grove.sums[table],
        d.leads, d.counted, d.inputs, d.hidden, d.judges, d.ends,
    )  # fmt: skip


@kernel
def show_leaf(grove: Grove, table: int, settings: SearchSettings, workspace: Workspace) -> None:
    """What the seat that decides at a leaf sees and may do."""
    seat = actor(workspace.cells[WORLD])
    grove.seats[table] = seat
    grove.waits[table] = True
    look(workspace.cells[WORLD], workspace.cells, 1, seat, not settings.secrets, table, grove.observations)
    for move in range(grove.masks.shape[1]):
        grove.masks[table, move] = 0
    for i in range(legal(workspace.cells[WORLD], workspace.moves)):
        grove.masks[table, np.uintp(workspace.moves[i])] = 1


@kernel
def lay_roots(grove: Grove, on: npt.NDArray[np.bool_], settings: SearchSettings, workspace: Workspace) -> None:
    """New trees where games are on; the roots are the first leaves."""
    for table in range(len(grove.roots)):
        tree = tree_at(grove.trees, table)
        trees.clear(tree)
        grove.waits[table] = False
        grove.lengths[table] = 0
        grove.nodes[table] = NO_NODE
        if not on[table]:
            continue
        workspace.cells[WORLD] = grove.roots[table]
        if settings.secrets:
            guess(workspace.cells[WORLD], actor(grove.roots[table]), grove.randoms[table : table + 1])
        count = legal(workspace.cells[WORLD], workspace.moves)
        key = key_of(settings, workspace)
        node = add_node(tree, key, actor(workspace.cells[WORLD]), sees_all(settings, workspace), workspace.moves, count)
        grove.nodes[table] = grove.leaves[table] = node
        show_leaf(grove, table, settings, workspace)


@kernel
def find_leaves(grove: Grove, settings: SearchSettings, workspace: Workspace, kind: int) -> None:
    """A simulation at every table, as far as it goes without the judge: to a new leaf, or to the end of the game."""
    players = grove.rewards.shape[1]
    for table in range(len(grove.roots)):
        grove.waits[table] = False
        node = grove.nodes[table]
        if node == NO_NODE:
            continue
        tree, own = tree_at(grove.trees, table), workspace_at(workspace, grove, table)
        if tree.width[node] < 2:  # a forced move needs no thought
            continue
        random = grove.randoms[table : table + 1]
        workspace.cells[WORLD] = grove.roots[table]
        if settings.secrets:
            guess(workspace.cells[WORLD], tree.actor[node], random)
        length, leaf = descend(tree, node, -1, settings, own, random)
        grove.lengths[table] = length
        grove.leaves[table] = leaf
        if actor(workspace.cells[WORLD]) == NOBODY:
            for seat in range(players):
                own.rewards[seat] = 0.5 + 0.5 * reward(workspace.cells[WORLD], seat, players, kind)
            back_up(tree, own, length, True)
        else:
            show_leaf(grove, table, settings, workspace)


@kernel
def take_judgements(grove: Grove, workspace: Workspace, appeals: Floats, values: Floats) -> None:
    """What was said about the leaves that wait, a row each: priors for the new nodes, rewards for the way there."""
    players = grove.rewards.shape[1]
    row = 0
    for table in range(len(grove.roots)):
        if not grove.waits[table]:
            continue
        tree, own = tree_at(grove.trees, table), workspace_at(workspace, grove, table)
        leaf = grove.leaves[table]
        if leaf != NO_NODE:
            first, last = tree.first[leaf], tree.first[leaf] + tree.width[leaf]
            highest = -1e300
            for edge in range(first, last):
                highest = max(highest, appeals[row, tree.move[edge]])
            total = 0.0
            for edge in range(first, last):
                total += exp(appeals[row, tree.move[edge]] - highest)
            for edge in range(first, last):
                tree.prior[edge] = exp(appeals[row, tree.move[edge]] - highest) / total
        for other in range(players):
            own.rewards[(grove.seats[table] + other) % players] = 0.5 + 0.5 * values[row, other]
        back_up(tree, own, grove.lengths[table], True)
        row += 1


class Searched(NamedTuple):
    """What a search found out at every table."""

    visits: npt.NDArray[np.int32]  # (tables, decisions): how often each move was tried; all 0 where nobody decides
    values: Floats  # (tables, players): what every seat will get, from -1 to 1


class GuidedSearch:
    """Monte Carlo tree search (PUCT) guided by your judge, at all tables of a `Tables` at once.

    What a seat cannot know is guessed anew in every simulation, and the judge is shown only what the seat that decides
    at a leaf sees. `noise` is the part of the root's priors that is random, for self-play; `rewards` are the judge's:
    "win" or "rank". The same seed, tables and judge give the same search.
    """

    def __init__(
        self,
        game: str,
        players: SupportsIndex,
        judge: Judge,
        *,
        sims: SupportsIndex = 100,
        explore: float = 0.6,
        noise: float = 0.0,
        rewards: str = "win",
        seed: SupportsIndex | None = None,
    ) -> None:
        self.game = registry.get(game)
        self.players, self._sims = check_players(self.game, players), check_whole("sims", sims)
        self._kind = check_choice("rewards", rewards, {name: REWARDS[name] for name in ("win", "rank")})
        if not callable(judge):
            raise BadSetup(say("{name} must be a function, not {value}", name="judge", value=repr(judge)[:40]))
        for name, value, most in (("explore", explore, math.inf), ("noise", noise, 1.0)):
            if isinstance(value, bool) or not isinstance(value, float | int) or not 0 <= value <= most:
                text = say("{name} must be a number from {least} to {most}, not {value}")
                raise BadSetup(text.fill(name=name, least=0, most=most, value=repr(value)[:40]))
        self._judge, self._noise = judge, float(noise)
        self._seed = secrets.randbits(64) if seed is None else check_seed(seed)
        self._dice = np.random.default_rng(mix(self._seed, 1))
        readiness.wait(game, part=readiness.RESEARCH)
        self._settings, net = equip(self.game, SearchPlan(sims=self._sims, value="worth", c=explore))
        self._workspace = new_workspace(self.game, self.players, net)
        self._scale = np.reciprocal(self.game.pieces.each("typical"))
        self._grove: Grove | None = None

    def __repr__(self) -> str:
        return f"<GuidedSearch {self.game.name}, {self.players} players, {self._sims} simulations>"

    def search(self, tables: Tables) -> Searched:
        """Search for the move of the seat that decides at every table."""
        if not isinstance(tables, Tables) or (tables.game, tables.players) != (self.game, self.players):
            raise BadSetup(
                say("this search is for {game} with {players} players", game=self.game.title, players=self.players)
            )
        return self._search(tables.known(), tables.seats >= 0)

    def choose(self, view: View) -> Move:
        """The move tried most: this search as a bot, for the arena or a match."""
        if not isinstance(view, View) or view.game is not self.game or len(view.names) != self.players:
            raise BadSetup(
                say("this search is for {game} with {players} players", game=self.game.title, players=self.players)
            )
        if view.turn is None or view.turn != view.seat:
            raise IllegalMove(say("it is not this seat’s turn"))
        result = self._search(as_array(position_from_history(view)), np.ones(1, np.bool_))
        return Move(self.game.name, self.game.notation.name(int(result.visits[0].argmax())))

    def _search(self, positions: npt.NDArray[Any], on: npt.NDArray[np.bool_]) -> Searched:
        count = len(positions)
        if self._grove is None or len(self._grove.roots) != count:
            self._grove = _new_grove(self.game, self.players, count, self._sims, streams(self._seed, 0, count))
        grove, workspace = self._grove, self._workspace
        grove.roots[:] = positions
        settings = self._settings._replace(secrets=self._has_secrets(positions, on))
        with np.errstate(over="ignore"):  # fingerprints overflow on purpose; only uncompiled kernels say so
            grove.sums[:] = 0
            lay_roots(grove, on, settings, workspace)
            self._ask(grove)
            opinions = grove.sums.copy()
            if self._noise:
                self._add_noise(grove)
            grove.sums[:] = 0
            for _ in range(self._sims):
                find_leaves(grove, settings, workspace, self._kind)
                self._ask(grove)
        return self._found(grove, opinions)

    def _ask(self, grove: Grove) -> None:
        """Have the leaves judged that wait for it."""
        waiting = np.flatnonzero(grove.waits)
        if not len(waiting):
            return
        masks = grove.masks[waiting]
        answer = self._judge(np.multiply(grove.observations[waiting], self._scale, dtype=np.float32), masks)
        expected = masks.shape, (len(waiting), self.players)
        try:
            appeals, values = (np.ascontiguousarray(part, np.float32) for part in answer)
            fits = (appeals.shape, values.shape) == expected and bool(np.isfinite(values).all())
            fits = fits and bool((appeals < np.inf).all())  # minus infinity is a usual way to say never
        except (TypeError, ValueError, RuntimeError) as error:  # PyTorch's: tensors that need gradients, or on a GPU
            fits, problem = False, f": {error}"
        else:
            problem = ""
        if not fits:
            shapes = " and ".join(map(str, expected))
            raise ValueError(f"the judge must return two arrays of finite numbers, with the shapes {shapes}{problem}")
        take_judgements(grove, self._workspace, np.maximum(appeals, np.float32(-1e9)), np.clip(values, -1, 1))

    def _add_noise(self, grove: Grove) -> None:
        for table in np.flatnonzero(grove.nodes != NO_NODE).tolist():
            node, tree = grove.nodes[table], grove.trees
            first, width = int(tree.first[table, node]), int(tree.width[table, node])
            if width > 1:
                priors, noise = tree.prior[table, first : first + width], self._dice.dirichlet([NOISE / width] * width)
                priors += (self._noise * (noise - priors)).astype(np.float32)

    def _has_secrets(self, positions: npt.NDArray[Any], on: npt.NDArray[np.bool_]) -> bool:
        """Whether moves are made face down in this game, or a guess would change what is not known of a position."""
        if self.game.conceals is not None:
            return True
        guessed, random = positions.copy().view(np.recarray), randomness(1)
        for table in np.flatnonzero(on).tolist():
            guess(guessed[table], actor(guessed[table]), random)
        return guessed.tobytes() != positions.tobytes()

    def _found(self, grove: Grove, opinions: npt.NDArray[np.float64]) -> Searched:
        tree, values = grove.trees, 2 * grove.sums / self._sims - 1
        visits = np.zeros(grove.masks.shape, np.int32)
        for table, node in enumerate(grove.nodes.tolist()):
            if node == NO_NODE:
                values[table] = 0
                continue
            first, width = int(tree.first[table, node]), int(tree.width[table, node])
            edges = slice(first, first + width)
            visits[table, tree.move[table, edges]] = tree.tried[table, edges] if width > 1 else self._sims
            if width == 1:
                values[table] = 2 * opinions[table] - 1
        return Searched(visits, values.astype(np.float32))
