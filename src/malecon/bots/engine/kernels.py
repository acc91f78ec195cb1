"""What the engine module exports, as kernels: Python can call them with a state of its own, and gets the same numbers.

The order of calls is `start`, `set_position`, `begin`, then `think` as often as one likes, and `read`. A tree is kept
between positions, as the searcher does. `legal`, `play`, `hide`, `guess` and `greedy` are about the position in
`State.root`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from malecon.bots import search, solver
from malecon.bots.calibration import IDENTITY_CURVE, apply
from malecon.bots.engine.state import (
    AROUND,
    CONCEALS,
    DEPTH,
    EXPLORE,
    IS_JUDGED,
    IS_LOADED,
    LINES,
    LONGEST_LINE,
    MARGIN,
    OWN_WEIGHTS,
    PLAYERS,
    PLAYOUT,
    POLICY,
    PRIOR,
    ROOT,
    SECRETS,
    SIMULATIONS,
    VALUE,
    Results,
    State,
)
from malecon.bots.network import Floats
from malecon.bots.search import TRIAL, VIEW, WORLD, key_of
from malecon.bots.simple import choose_greedy_among
from malecon.bots.tree import NO_NODE, clear, find, trust
from malecon.bots.value import LEARNED, LONGEST_PLAYOUT, PLAY_NOTHING, SearchSettings
from malecon.bots.value import MARGIN as POINTS_A_UNIT
from malecon.kernel import verbs
from malecon.kernel.compile import kernel
from malecon.kernel.numerics import power_of_2
from malecon.kernel.playing import make_move
from malecon.kernel.randomness import seeded
from malecon.kernel.verbs import CHANCE, NOBODY

#: What is wrong with the block that `set_position` reads.
NO_ERROR = 0
BAD_HEADER = -1
BAD_HISTORY = -2
#: The settings that a search has unless the host writes others: those of `SearchPlan`.
USUAL_EXPLORE, USUAL_MARGIN, USUAL_PRIOR = 0.3, 0.1, 1.0
USUAL_AROUND = 4
#: By what is proven about a move: its place in the order of moves, and the mover's chance. The solver numbers proofs.
PROOF_RANKS = (1, 3, 2, 0)
PROVEN_CHANCES = (-1.0, 1.0, 0.5, 0.0)
#: Where the guesses of `lines` begin: not those of the search, which goes on as if nobody had looked.
_LINE_SEED = np.uint64(0x9E3779B97F4A7C15)


# --- beginning


@kernel
def half(bits: int) -> float:
    """Return the number that these bits mean in half precision; not for infinity and the like."""
    fraction, exponent = bits & 1023, bits >> 10 & 31
    value = (fraction + 1024) * power_of_2(exponent - 25) if exponent else fraction * power_of_2(-24)
    return -value if bits >> 15 else value


@kernel
def unpack_matrix(packed: npt.NDArray[np.uint16], at: int, out: Floats) -> int:
    """Write the next weights into a matrix; return where those after them begin."""
    rows, columns = out.shape
    for i in range(rows):
        for j in range(columns):
            out[i, j] = half(int(packed[at]))
            at += 1
    return at


@kernel
def unpack_vector(packed: npt.NDArray[np.uint16], at: int, out: Floats) -> int:
    """Write the next weights into a vector; return where those after them begin."""
    for i in range(len(out)):
        out[i] = half(int(packed[at]))
        at += 1
    return at


@kernel
def load_weights(state: State) -> None:
    packed, net = state.constants.packed, state.net
    at = unpack_matrix(packed, 0, net.hidden)
    at = unpack_vector(packed, at, net.hidden_bias)
    at = unpack_matrix(packed, at, net.own)
    at = unpack_matrix(packed, at, net.others)
    at = unpack_vector(packed, at, net.judge_bias)
    at = unpack_matrix(packed, at, net.out)
    at = unpack_vector(packed, at, net.out_bias)
    at = unpack_matrix(packed, at, net.moves)
    unpack_vector(packed, at, net.moves_bias)


@kernel
def start(state: State, seed: int, conceals: int) -> int:
    """Clear the tree, begin a sequence of random numbers and set the usual settings; return the number of nodes."""
    integers, floats = state.integers, state.floats
    if not integers[IS_LOADED]:
        load_weights(state)
        integers[IS_LOADED] = 1
    clear(state.tree)
    state.random[0] = seeded(seed)
    floats[EXPLORE], floats[MARGIN], floats[PRIOR] = USUAL_EXPLORE, USUAL_MARGIN, USUAL_PRIOR
    integers[POLICY], integers[PLAYOUT], integers[DEPTH], integers[VALUE] = 1, PLAY_NOTHING, LONGEST_PLAYOUT, LEARNED
    integers[AROUND], integers[IS_JUDGED] = USUAL_AROUND, 0
    integers[ROOT], integers[SIMULATIONS], integers[CONCEALS] = NO_NODE, 0, conceals
    solver.forget(state.solver)
    return len(state.tree.key)


@kernel
def is_legal(state: State, cell: int, code: int) -> bool:
    """Return whether a move is legal in a cell of the workspace."""
    moves = state.workspace.moves
    for i in range(verbs.legal(state.workspace.cells[cell], moves)):
        if moves[i] == code:
            return True
    return False


@kernel
def are_equal(state: State, cell: int, other: int) -> bool:
    """Return whether two cells of the workspace hold the same position."""
    words, rest = state.workspace.words, state.workspace.rest
    for i in range(words.shape[1]):
        if words[cell, i] != words[other, i]:
            return False
    for i in range(rest.shape[1]):
        if rest[cell, i] != rest[other, i]:
            return False
    return True


@kernel
def set_position(state: State) -> int:
    """Take the position from the block; return 0, or what is wrong and leave everything as it was.

    If the history explains the view, it is what a perfect memory knows, see `bots.history`; otherwise the view itself.
    """
    players, seat, count = int(state.header[0]), int(state.header[1]), int(state.header[2])
    if not 1 <= players <= len(state.results.seats) or not -1 <= seat < players or count > len(state.history):
        return BAD_HEADER
    cells = state.workspace.cells
    if count >= 0:
        cells[WORLD] = state.start[0]
        for made in range(count):
            if not is_legal(state, WORLD, int(state.history[made])):
                return BAD_HISTORY
            make_move(cells[WORLD], int(state.history[made]), made)
        cells[VIEW] = cells[WORLD]
        verbs.hide(cells[VIEW], seat)
        cells[TRIAL] = state.seen[0]
        if not are_equal(state, VIEW, TRIAL):
            cells[WORLD] = cells[TRIAL]
    else:
        cells[WORLD] = state.seen[0]
    state.root[0] = cells[WORLD]
    state.integers[ROOT], state.integers[IS_JUDGED] = NO_NODE, 0
    if state.integers[PLAYERS] != players:
        state.integers[PLAYERS] = players
        clear(state.tree)
        solver.forget(state.solver)
    return NO_ERROR


# --- thinking


@kernel
def settings_of(state: State) -> SearchSettings:
    integers, floats = state.integers, state.floats
    return SearchSettings(
        floats[EXPLORE],
        int(integers[AROUND]),
        floats[MARGIN],
        floats[PRIOR],
        integers[POLICY] != 0,
        int(integers[PLAYOUT]),
        int(integers[DEPTH]),
        int(integers[VALUE]),
        integers[SECRETS] != 0,
    )


@kernel
def has_secrets(state: State) -> bool:
    """Return whether the game has moves made face down, or a guess would change this position."""
    if state.integers[CONCEALS]:
        return True
    cells = state.workspace.cells
    cells[WORLD] = state.root[0]
    cells[TRIAL] = state.root[0]
    state.line_random[0] = _LINE_SEED
    verbs.guess(cells[WORLD], verbs.actor(state.root[0]), state.line_random)
    return not are_equal(state, WORLD, TRIAL)


@kernel
def begin(state: State) -> int:
    """Begin to search the position; return how many moves there are, or 0 if no seat decides."""
    integers = state.integers
    integers[ROOT], integers[SIMULATIONS] = NO_NODE, 0
    if not integers[PLAYERS] or verbs.actor(state.root[0]) < 0:
        return 0
    integers[SECRETS] = has_secrets(state)
    settings = settings_of(state)
    node = search.begin(state.root, state.tree, settings, state.net, state.workspace, state.random)
    integers[ROOT] = node
    return state.tree.width[node]


@kernel
def think(state: State, count: int) -> int:
    """Do `count` more simulations; return how many there were since `begin`."""
    integers = state.integers
    if integers[ROOT] != NO_NODE and count > 0:
        root, settings = int(integers[ROOT]), settings_of(state)
        search.simulate(state.root, root, -1, state.tree, settings, state.net, state.workspace, state.random, count)
        integers[SIMULATIONS] += count
    return int(integers[SIMULATIONS])


@kernel
def solve(state: State, budget: int) -> int:
    """Prove what can be proven about the position by looking at `budget` positions; return the verdict.

    It is in `State.solver`; `read` takes it into account. Asked once more, it goes on with what it has found out.
    """
    players = int(state.integers[PLAYERS])
    if not players:
        return solver.UNPROVEN
    state.solver.cells[solver.ROOT] = state.root[0]
    state.integers[IS_JUDGED] = 1
    return solver.judge(state.solver, players, state.integers[CONCEALS] != 0, budget)


@kernel
def look_at(state: State, code: int, count: int) -> int:
    """Do simulations that begin with a move, until it has `count`; return how often it was tried, -1 if it is none."""
    root = int(state.integers[ROOT])
    if root == NO_NODE:
        return -1
    tree = state.tree
    for edge in range(tree.first[root], tree.first[root] + tree.width[root]):
        if tree.move[edge] == code:
            more = count - tree.tried[edge]
            if more > 0:
                settings = settings_of(state)
                search.simulate(state.root, root, edge, tree, settings, state.net, state.workspace, state.random, more)
            return int(tree.tried[edge])
    return -1


# --- results


@kernel
def calibrated(state: State, expected: float, which: int) -> float:
    """Return the chance for an expectation. Only the module's own weights were measured, and without the margin."""
    integers = state.integers
    if state.floats[MARGIN] != 0 or integers[VALUE] != LEARNED or integers[OWN_WEIGHTS]:
        return apply(expected, IDENTITY_CURVE)
    curve = state.constants.curves[int(integers[PLAYERS]), which]
    return apply(expected, (curve[0], curve[1], curve[2], curve[3]))


@kernel
def rank(state: State, node: int) -> None:
    """Write the moves of a node with visits and expectations, best first; among equals, as the rules list them."""
    tree, results = state.tree, state.results
    first = tree.first[node]
    for i in range(tree.width[node]):
        edge = first + i
        tried = tree.tried[edge]
        chance = tree.won[edge] / tried if tried else 0.0
        value = trust(tree.won[edge], tried, tree.visits[node], int(state.integers[AROUND]))
        proof = proof_of(state, int(tree.move[edge]))
        place = i
        while place > 0 and is_before(results, place - 1, proof, value, chance):
            results.codes[place] = results.codes[place - 1]
            results.visits[place] = results.visits[place - 1]
            results.chances[place] = results.chances[place - 1]
            results.trusts[place] = results.trusts[place - 1]
            results.proofs[place] = results.proofs[place - 1]
            place -= 1
        results.codes[place], results.visits[place], results.chances[place] = tree.move[edge], tried, chance
        results.trusts[place], results.proofs[place] = value, proof


@kernel
def is_before(results: Results, place: int, proof: int, value: float, chance: float) -> bool:
    """Return whether a move belongs before the one at a place."""
    rank, other = PROOF_RANKS[proof], PROOF_RANKS[results.proofs[place]]
    if rank != other:
        return rank > other
    if value != results.trusts[place]:
        return value > results.trusts[place]
    return chance > results.chances[place]


@kernel
def proof_of(state: State, code: int) -> int:
    """Return what is proven about a move of the position."""
    if state.integers[IS_JUDGED]:
        for i in range(verbs.legal(state.root[0], state.solver.codes)):
            if state.solver.codes[i] == code:
                return int(state.solver.verdicts[i])
    return solver.UNPROVEN


@kernel
def make_certain(state: State) -> None:
    """Replace chances by what is proven: a seat that has lost has none."""
    results, players = state.results, len(state.workspace.sums)
    if not state.integers[IS_JUDGED]:
        return
    verdict, seat = state.solver.verdict[solver.VERDICT], state.solver.verdict[solver.SEAT]
    can_win = int(state.solver.verdict[solver.CAN_WIN])
    total = 0.0
    for other in range(players):
        if can_win >> other & 1:
            total += results.seats[other]
    for other in range(players):
        if verdict == solver.FORCED:
            results.seats[other] = 1.0 if other == seat else 0.0
        elif verdict == solver.DRAWN:
            results.seats[other] = 0.5
        elif can_win != (1 << players) - 1 and total:
            results.seats[other] = results.seats[other] / total if can_win >> other & 1 else 0.0


@kernel
def read(state: State) -> int:
    """Write the results; return the number of moves, 0 if nothing was begun."""
    integers, results, workspace = state.integers, state.results, state.workspace
    node = int(integers[ROOT])
    if node == NO_NODE:
        return 0
    rank(state, node)
    count = int(state.tree.width[node])
    for i in range(count):
        results.chances[i] = calibrated(state, results.chances[i], 0)
        if results.proofs[i] != solver.UNPROVEN:
            results.chances[i] = PROVEN_CHANCES[results.proofs[i]]
    done = max(int(workspace.counted[0]), 1)
    total = 0.0
    for seat in range(len(workspace.sums)):
        results.seats[seat] = calibrated(state, workspace.sums[seat] / done, 1)
        results.leads[seat] = POINTS_A_UNIT * workspace.leads[seat] / done
        total += results.seats[seat]
    for seat in range(len(workspace.sums)):
        results.seats[seat] /= total if total else 1.0
    make_certain(state)
    for row in range(LINES):
        results.lengths[row] = write_line(state, row) if row < count else 0
    return count


@kernel
def write_line(state: State, row: int) -> int:
    """Write what is expected after one of the best moves; return how long the line is.

    Where chance decides, the line takes the outcome that was searched most. It ends where nothing was searched.
    """
    tree, workspace, line = state.tree, state.workspace, state.results.lines
    world = workspace.cells[WORLD]
    settings = settings_of(state)
    workspace.cells[WORLD] = state.root[0]
    state.line_random[0] = _LINE_SEED
    if settings.secrets:
        verbs.guess(world, verbs.actor(state.root[0]), state.line_random)
    move = int(state.results.codes[row])
    length = 0
    while length < LONGEST_LINE:
        line[row, length] = move
        length += 1
        verbs.play(world, move)
        seat = verbs.actor(world)
        if seat == CHANCE:
            move = likeliest_outcome(state, settings)
        elif seat < 0:
            return length
        else:
            move = most_tried(state, find(tree, key_of(settings, workspace)))
        if move < 0:
            return length
    return length


@kernel
def most_tried(state: State, node: int) -> int:
    """Return the move of a node that was tried most, the first of them; -1 if none was."""
    if node == NO_NODE:
        return -1
    tree = state.tree
    best, tried = -1, 0
    for edge in range(tree.first[node], tree.first[node] + tree.width[node]):
        if tree.tried[edge] > tried:
            best, tried = int(tree.move[edge]), int(tree.tried[edge])
    return best


@kernel
def likeliest_outcome(state: State, settings: SearchSettings) -> int:
    """Return that move of chance in the world after which most was searched; -1 if nothing was."""
    tree, workspace = state.tree, state.workspace
    state.before[0] = workspace.cells[WORLD]
    best, visits = -1, 0
    for i in range(verbs.legal(state.before[0], workspace.moves)):
        verbs.play(workspace.cells[WORLD], workspace.moves[i])
        if verbs.actor(workspace.cells[WORLD]) >= 0:
            node = find(tree, key_of(settings, workspace))
            if node != NO_NODE and tree.visits[node] > visits:
                best, visits = int(workspace.moves[i]), int(tree.visits[node])
        workspace.cells[WORLD] = state.before[0]
    return best


# --- the rules


@kernel
def actor(state: State) -> int:
    """Return the seat that decides in the position, CHANCE, or NOBODY when the game is over."""
    return int(verbs.actor(state.root[0]))


@kernel
def legal(state: State) -> int:
    """Write the legal moves of the position into `Results.codes`; return their number."""
    return int(verbs.legal(state.root[0], state.results.codes)) if verbs.actor(state.root[0]) != NOBODY else 0


@kernel
def play(state: State, code: int) -> int:
    """Make a move in the position; return 1, or 0 if it is not legal."""
    state.workspace.cells[WORLD] = state.root[0]
    if verbs.actor(state.root[0]) == NOBODY or not is_legal(state, WORLD, code):
        return 0
    verbs.play(state.root[0], code)
    state.integers[ROOT], state.integers[IS_JUDGED] = NO_NODE, 0
    return 1


@kernel
def hide(state: State, seat: int) -> int:
    """Take out of the position what a seat may not know; return 1, or 0 if there is no such seat."""
    if not -1 <= seat < state.integers[PLAYERS]:
        return 0
    verbs.hide(state.root[0], seat)
    state.integers[ROOT], state.integers[IS_JUDGED] = NO_NODE, 0
    return 1


@kernel
def guess(state: State, seat: int) -> int:
    """Fill in at random what a seat cannot know of the position; return 1, or 0 if there is no such seat."""
    if not 0 <= seat < state.integers[PLAYERS]:
        return 0
    verbs.guess(state.root[0], seat, state.random)
    state.integers[ROOT], state.integers[IS_JUDGED] = NO_NODE, 0
    return 1


@kernel
def greedy(state: State, count: int) -> int:
    """Return that of the first `count` moves in `Results.codes` after which the position is worth most to the mover."""
    if not 0 < count <= len(state.results.codes) or verbs.actor(state.root[0]) < 0:
        return -1
    return int(choose_greedy_among(state.root[0], state.results.codes, count, state.before, state.random))


#: Every export: its kernel, and its arguments beside the state.
EXPORTS = {
    "set_position": (set_position, ()),
    "begin": (begin, ()),
    "think": (think, ("count",)),
    "solve": (solve, ("budget",)),
    "look_at": (look_at, ("code", "count")),
    "read": (read, ()),
    "actor": (actor, ()),
    "legal": (legal, ()),
    "play": (play, ("code",)),
    "hide": (hide, ("seat",)),
    "guess": (guess, ("seat",)),
    "greedy": (greedy, ("count",)),
}
