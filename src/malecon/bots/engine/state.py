"""The memory of the engine module: every array it works in, with its place, described once as data.

The module, its description for other languages and the native twin that tests compare it with are made of these fields.
Arrays of a fixed size lie in one block. Those of the tree lie behind everything else, since they grow with it. What
comes with the module, weights and calibration curves, is constant.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.bots import search
from malecon.bots.calibration import IDENTITY, curves_for
from malecon.bots.network import Net, load_net, weights_path
from malecon.bots.solver import SolverMemory, new_memory
from malecon.bots.tree import EDGES_PER_NODE, Tree
from malecon.bots.value import Workspace
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game
from malecon.kernel.phrases import say
from malecon.kernel.playing import LONGEST_GAME
from malecon.kernel.randomness import Randomness
from malecon.kernel.verbs import Moves

# --- the numbers in `State.header`, which the host writes before `set_position`
HEADER = ("players", "seat", "moves")
#: In place of the number of moves: the view comes without a history that explains it.
NO_HISTORY = -1
# --- the numbers in `State.integers`: settings, which the host may write, and what the engine keeps for itself
INTEGERS = (
    "policy", "playout", "depth", "value", "own_weights",
    "players", "nodes", "root", "simulations", "secrets", "conceals", "is_loaded", "around", "is_judged",
)  # fmt: skip
POLICY, PLAYOUT, DEPTH, VALUE, OWN_WEIGHTS, PLAYERS, NODES, ROOT, SIMULATIONS, SECRETS, CONCEALS, IS_LOADED = range(12)
AROUND, IS_JUDGED = 12, 13
# --- the numbers in `State.floats`
FLOATS = ("explore", "margin", "prior")
EXPLORE, MARGIN, PRIOR = range(3)
#: How many of the best moves get a line, and how long it is at most.
LINES = 5
LONGEST_LINE = 24
#: The smallest tree.
LEAST_NODES = 16
#: Every array begins at a multiple of this.
ALIGNMENT = 16
#: Rows of `Constants.curves`.
CURVES = ("mover", "seats")


class Constants(NamedTuple):
    """What comes with the module."""

    packed: npt.NDArray[np.uint16]  # the weights as half-precision numbers, array after array
    curves: npt.NDArray[np.float64]  # (players, CURVES, 4): see `bots.calibration`


class Results(NamedTuple):
    """What `read` writes, best move first."""

    codes: Moves
    visits: npt.NDArray[np.int32]
    chances: npt.NDArray[np.float64]
    seats: npt.NDArray[np.float64]  # the chance of every seat
    leads: npt.NDArray[np.float64]  # the points by which every seat is expected to be ahead of the best other
    lines: Moves  # (LINES, LONGEST_LINE): what is expected after each of the best moves, itself included
    lengths: npt.NDArray[np.int32]  # of the lines
    trusts: npt.NDArray[np.float64]  # what the moves are ordered by, among those with the same proof
    proofs: npt.NDArray[np.int32]  # what is proven about each move, see `bots.solver`


class State(NamedTuple):
    """Everything the engine works in."""

    header: npt.NDArray[np.int32]  # this and the next three are the block that `set_position` reads
    seen: Any
    start: Any
    history: Moves
    root: Any
    before: Any  # a position to come back to
    integers: npt.NDArray[np.int32]
    floats: npt.NDArray[np.float64]
    random: Randomness
    line_random: Randomness
    results: Results
    workspace: Workspace
    net: Net
    tree: Tree
    solver: SolverMemory
    constants: Constants


class Size(NamedTuple):
    """A number that grows with the number of players or of nodes."""

    fixed: int = 0
    a_player: int = 0
    a_node: int = 0

    def at(self, players: int, nodes: int) -> int:
        return self.fixed + self.a_player * players + self.a_node * nodes


class Field(NamedTuple):
    """One array: its name (`tree.key`), where it lies in its section, and its shape and strides in bytes."""

    name: str
    section: str
    dtype: np.dtype[Any]
    offset: Size
    shape: tuple[Size, ...]
    strides: tuple[int, ...]


FIXED, GROWING, CONSTANT = "fixed", "tree", "constants"


class Layout(NamedTuple):
    """All fields of a game's engine, and the bytes of its block and of each node of a tree."""

    fields: tuple[Field, ...]
    fixed_bytes: int
    bytes_a_node: int

    def field(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)


PLAYER = Size(a_player=1)


def _fixed_arrays(game: Game, net: Net) -> Iterator[tuple[str, Any, tuple[int | Size, ...]]]:
    most, record = game.most_players, game.dtype
    units, judges = len(net.hidden_bias), len(net.judge_bias)
    yield "header", np.int32, (len(HEADER),)
    yield "seen", record, (1,)
    yield "start", record, (1,)
    yield "history", np.int16, (LONGEST_GAME,)
    yield "root", record, (1,)
    yield "before", record, (1,)
    yield "integers", np.int32, (len(INTEGERS),)
    yield "floats", np.float64, (len(FLOATS),)
    yield "random", np.uint64, (1,)
    yield "line_random", np.uint64, (1,)
    yield "results.codes", np.int16, (game.most_legal,)
    yield "results.visits", np.int32, (game.most_legal,)
    yield "results.chances", np.float64, (game.most_legal,)
    yield "results.seats", np.float64, (most,)
    yield "results.leads", np.float64, (most,)
    yield "results.lines", np.int16, (LINES, LONGEST_LINE)
    yield "results.lengths", np.int32, (LINES,)
    yield "results.trusts", np.float64, (game.most_legal,)
    yield "results.proofs", np.int32, (game.most_legal,)
    yield "workspace.cells", record, (3,)
    yield "workspace.moves", np.int16, (game.most_legal,)
    yield "workspace.path", np.int32, (2 * search.DEEPEST,)
    yield "workspace.rewards", np.float64, (PLAYER,)
    yield "workspace.sums", np.float64, (PLAYER,)
    yield "workspace.leads", np.float64, (PLAYER,)
    yield "workspace.counted", np.int64, (1,)
    yield "workspace.inputs", np.float32, (len(net.hidden),)
    yield "workspace.hidden", np.float32, (PLAYER, units)
    yield "workspace.judges", np.float32, (Size(fixed=1, a_player=1), judges)
    yield "workspace.ends", np.float32, (PLAYER,)
    for name, array in net._asdict().items():
        yield f"net.{name}", np.float32, array.shape
    yield "tree.used", np.int64, (2,)
    for name, array in new_memory(game)._asdict().items():
        if name not in ("words", "rest"):
            yield f"solver.{name}", array.dtype, array.shape


#: What a node takes in each array of the tree: items of a type.
_TREE_ARRAYS: tuple[tuple[str, Any, int], ...] = (
    ("key", np.uint64, 1), ("total", np.float64, 1), ("won", np.float64, EDGES_PER_NODE),
    ("slots", np.int32, 2), ("visits", np.int32, 1), ("first", np.int32, 1), ("width", np.int32, 1),
    ("prior", np.float32, EDGES_PER_NODE), ("tried", np.int32, EDGES_PER_NODE), ("child", np.int32, EDGES_PER_NODE),
    ("move", np.int16, EDGES_PER_NODE), ("actor", np.int8, 1), ("sees_all", np.bool_, 1),
)  # fmt: skip


def own_net(game: Game) -> Net:
    """Return the weights of a game; raise BadSetup if it has none."""
    net = load_net(game.name)
    if net is None:
        raise BadSetup(say("{game} has no learned weights", game=game.title))
    return net


def layout_of(game: Game) -> Layout:
    """Return where everything lies in the memory of a game's engine."""
    return _layout_of(game.name)


@functools.cache
def _layout_of(name: str) -> Layout:
    game = registry.get(name)
    fields: list[Field] = []
    end = 0
    for name, kind, dimensions in _fixed_arrays(game, own_net(game)):
        shape = tuple(size if isinstance(size, Size) else Size(fixed=size) for size in dimensions)
        dtype = np.dtype(kind)
        fields.append(Field(name, FIXED, dtype, Size(fixed=end), shape, _strides(dtype, shape)))
        bytes_needed = dtype.itemsize * int(np.prod([size.at(game.most_players, 0) for size in shape]))
        end = -(-(end + bytes_needed) // ALIGNMENT) * ALIGNMENT
    for part in ("workspace", "solver"):
        fields += _words(game, part, next(field for field in fields if field.name == f"{part}.cells"))
    a_node = 0
    for name, kind, items in _TREE_ARRAYS:
        dtype = np.dtype(kind)
        shape = (Size(a_node=items),)
        fields.append(Field(f"tree.{name}", GROWING, dtype, Size(a_node=a_node), shape, (dtype.itemsize,)))
        a_node += items * dtype.itemsize
    for name, array in constants_of(game)._asdict().items():
        shape = tuple(Size(fixed=size) for size in array.shape)
        fields.append(Field(f"constants.{name}", CONSTANT, array.dtype, Size(), shape, _strides(array.dtype, shape)))
    return Layout(tuple(fields), end, a_node)


def _strides(dtype: np.dtype[Any], shape: tuple[Size, ...]) -> tuple[int, ...]:
    """Return the strides of a contiguous array. Only its first dimension grows."""
    strides = [dtype.itemsize]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size.fixed)
    return tuple(strides)


def _words(game: Game, part: str, cells: Field) -> list[Field]:
    """Return the same memory as `cells`, eight bytes at a time, and the bytes that are left over."""
    size = game.dtype.itemsize
    taken = size - size % 8
    rows, rest = cells.shape[0], Size(fixed=cells.offset.fixed + taken)
    return [
        Field(f"{part}.words", FIXED, np.dtype(np.uint64), cells.offset, (rows, Size(fixed=taken // 8)), (size, 8)),
        Field(f"{part}.rest", FIXED, np.dtype(np.uint8), rest, (rows, Size(fixed=size - taken)), (size, 1)),
    ]


def constants_of(game: Game) -> Constants:
    """Return what comes with the module of a game."""
    return _constants_of(game.name)


@functools.cache
def _constants_of(name: str) -> Constants:
    game = registry.get(name)
    with np.load(weights_path(game.name)) as arrays:
        halves = [np.asarray(arrays[name], np.float16) for name in Net._fields]
        if any((half != arrays[name]).any() for half, name in zip(halves, Net._fields, strict=True)):
            raise ValueError(
                f"the weights of {game.name} are not half-precision numbers: training/fit_net.py makes some"
            )
    packed = np.concatenate([half.ravel() for half in halves]).view(np.uint16)
    curves = np.array(
        [
            [getattr(curves_for(game.name, players) if players else IDENTITY, which) for which in CURVES]
            for players in range(game.most_players + 1)
        ]
    )
    return Constants(packed, curves)


def assemble(arrays: Mapping[str, Any]) -> State:
    """Return the state that consists of these arrays, by the names of their fields."""

    def part(kind: Any, prefix: str) -> Any:
        return kind(*(arrays[f"{prefix}.{name}"] for name in kind._fields))

    parts = {
        "results": Results,
        "workspace": Workspace,
        "net": Net,
        "tree": Tree,
        "solver": SolverMemory,
        "constants": Constants,
    }
    return State(*(part(parts[name], name) if name in parts else arrays[name] for name in State._fields))


def new_state(game: Game, players: int, nodes: int) -> State:
    """Return a state in memory of our own, for the same kernels in Python. The number of nodes is a power of two."""
    layout = layout_of(game)
    sections = {
        FIXED: np.zeros(layout.fixed_bytes, np.uint8),
        GROWING: np.zeros(layout.bytes_a_node * nodes, np.uint8),
    }
    constants = {f"constants.{name}": array for name, array in constants_of(game)._asdict().items()}
    arrays: dict[str, Any] = {}
    for field in layout.fields:
        if field.section == CONSTANT:
            arrays[field.name] = constants[field.name]
            continue
        shape = tuple(size.at(players, nodes) for size in field.shape)
        offset = field.offset.at(players, nodes)
        arrays[field.name] = np.ndarray(shape, field.dtype, sections[field.section].data, offset, field.strides)
    state = assemble(arrays)
    state.integers[PLAYERS], state.integers[NODES] = players, nodes
    return state
