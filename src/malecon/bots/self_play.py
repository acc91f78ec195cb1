"""Self-play: whole games of the search against itself in one kernel, with notes to train a network. Not used in play.

Most moves are chosen by a quick search; at a few decisions, drawn at random, the search is deep and is noted: the
position, how often every move was tried, what each seat was expected to get, and how the game ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.bots import tree as trees
from malecon.bots.network import Net
from malecon.bots.search import root_node, simulate
from malecon.bots.searcher import SearchPlan, equip, new_workspace
from malecon.bots.tree import NO_NODE, Tree, clear
from malecon.bots.value import SearchSettings, Workspace
from malecon.kernel import registry, verbs
from malecon.kernel.compile import kernel
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.playing import LONGEST_GAME, make_move
from malecon.kernel.randomness import Randomness, below, randomness
from malecon.kernel.verbs import CHANCE, NOBODY, actor, hide, legal

#: One decision in this many is noted.
NOTED_OF = 4
#: One decision in this many is drawn in proportion to the visits, so that no two games are alike.
DRAWN_OF = 10
#: Half of the games begin with up to this many decisions of which some are random: a search also looks at bad moves,
#: and must know what comes of them. These decisions are not noted, so that all noted endings follow good play.
MOST_MIXED = 120
#: One of the mixed decisions in this many is random.
RANDOM_OF = 7
#: Moves that fit into the notes of a game, for each note.
MOVES_PER_NOTE = 30


class SelfPlayNotes(NamedTuple):
    """The notes of one game, as the kernel writes them."""

    positions: Any
    opinions: npt.NDArray[np.float32]  # (notes, seats): what the search expected
    widths: npt.NDArray[np.int16]
    codes: npt.NDArray[np.int16]  # the moves of all notes, one after the other
    visits: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]  # what each of them brought to the mover on average; -1 where it was not tried
    log: npt.NDArray[np.int16]  # all moves of the game, chance's included


@kernel
def pick(tree: Tree, node: int, drawn: bool, random: Randomness) -> int:
    """Return the edge most tried at a node, or one drawn in proportion to how often each was tried."""
    first, count = tree.first[node], tree.width[node]
    best, total = first, 0
    for edge in range(first, first + count):
        total += tree.tried[edge]
        if tree.tried[edge] > tree.tried[best]:
            best = edge
    if drawn and total > 0:
        at = below(random, total)
        for edge in range(first, first + count):
            at -= tree.tried[edge]
            if at < 0:
                return edge
    return best


@kernel
def play_game(
    cells: Any,
    root: Any,
    hides: bool,
    tree: Tree,
    settings: SearchSettings,
    net: Net,
    workspace: Workspace,
    random: Randomness,
    quick: int,
    deep: int,
    notes: SelfPlayNotes,
) -> tuple[int, int]:
    """Play on in `cells[0]` to the end; return the number of notes and of moves, or -1 and 0 if the notes are full."""
    truth = cells[0]
    clear(tree)
    mixed = below(random, MOST_MIXED) if below(random, 2) else 0
    noted, filled, decisions, made = 0, 0, 0, 0
    while actor(truth) != NOBODY:
        count = legal(truth, workspace.moves)
        if actor(truth) == CHANCE or count == 1:
            notes.log[made] = workspace.moves[below(random, count)]
            made = make_move(truth, notes.log[made], made)
            continue
        decisions += 1
        if decisions < mixed and below(random, RANDOM_OF) == 0:
            notes.log[made] = workspace.moves[below(random, count)]
            made = make_move(truth, notes.log[made], made)
            continue
        root[0] = truth
        if hides:
            hide(root[0], actor(truth))
        deeply = decisions >= mixed and below(random, NOTED_OF) == 0
        if 2 * tree.used[0] > len(tree.key) or 2 * tree.used[1] > len(tree.move):
            clear(tree)
        node = root_node(root, tree, settings, net, workspace, random)
        if node == NO_NODE:
            return -1, 0
        workspace.sums[:] = 0
        sims = deep if deeply else quick
        simulate(root, node, -1, tree, settings, net, workspace, random, sims)
        first, width = tree.first[node], tree.width[node]
        if deeply:
            if noted == len(notes.widths) or filled + width > len(notes.codes):
                return -1, 0
            notes.positions[noted] = truth
            notes.widths[noted] = width
            for seat in range(len(workspace.sums)):
                notes.opinions[noted, seat] = workspace.sums[seat] / sims
            for i in range(width):
                notes.codes[filled + i] = tree.move[first + i]
                tried = tree.tried[first + i]
                notes.visits[filled + i] = tried
                notes.values[filled + i] = tree.won[first + i] / tried if tried else -1.0
            noted += 1
            filled += width
        edge = pick(tree, node, below(random, DRAWN_OF) == 0, random)
        notes.log[made] = tree.move[edge]
        made = make_move(truth, notes.log[made], made)
    return noted, made


@dataclass(frozen=True)
class SelfPlayTask:
    """Games at one kind of table, for one worker; `net` is None if the plan's own network is used."""

    game: str
    players: int
    options: tuple[tuple[str, OptionValue], ...]
    count: int
    seed: int
    plan: SearchPlan
    quick: int
    deep: int
    net: Net | None = None


#: The arrays of a file of games, by name.
GameArrays = dict[str, npt.NDArray[Any]]


def work(task: SelfPlayTask) -> tuple[SelfPlayTask, GameArrays]:
    """Play the games of a task. The same task gives the same games."""
    game = registry.get(task.game)
    settings, net = equip(game, task.plan, task.net)
    hides = game.conceals is not None  # otherwise the history gives the whole position
    settings = settings._replace(secrets=hides, around=0)  # visits are what the network learns
    tree = trees.new_tree(max(4096, 16 * task.deep))
    workspace = new_workspace(game, task.players, net)
    cells, root = (np.zeros(1, game.dtype).view(np.recarray) for _ in range(2))
    notes = SelfPlayNotes(
        np.zeros(LONGEST_GAME, game.dtype).view(np.recarray),
        np.zeros((LONGEST_GAME, task.players), np.float32),
        np.zeros(LONGEST_GAME, np.int16),
        np.zeros(LONGEST_GAME * MOVES_PER_NOTE, np.int16),
        np.zeros(LONGEST_GAME * MOVES_PER_NOTE, np.int32),
        np.zeros(LONGEST_GAME * MOVES_PER_NOTE, np.float32),
        np.zeros(LONGEST_GAME, np.int16),
    )
    parts: dict[str, list[Any]] = {name: [] for name in ARRAY_NAMES}
    for number in range(task.count):
        cells[0] = game.new_position(task.players, **dict(task.options))
        random = randomness(task.seed, task.players, number)
        with np.errstate(over="ignore"):
            noted, made = play_game(
                cells, root, hides, tree, settings, net, workspace, random, task.quick, task.deep, notes
            )
        if noted < 0:
            continue
        filled = int(notes.widths[:noted].sum())
        standings = np.array([verbs.standing(cells[0], seat) for seat in range(task.players)])
        won = standings == standings.max()
        parts["positions"].append(np.frombuffer(notes.positions[:noted].tobytes(), np.uint8).reshape(noted, -1))
        parts["opinions"].append(notes.opinions[:noted].astype(np.float16))
        parts["widths"].append(notes.widths[:noted].copy())
        parts["codes"].append(notes.codes[:filled].copy())
        parts["visits"].append(np.minimum(notes.visits[:filled], 65_535).astype(np.uint16))
        parts["values"].append(notes.values[:filled].astype(np.float16))
        parts["notes"].append(np.array([noted], np.int32))
        parts["lengths"].append(np.array([made], np.int32))
        parts["moves"].append(notes.log[:made].copy())
        parts["points"].append(np.array([[verbs.points(cells[0], seat) for seat in range(task.players)]], np.int16))
        parts["wins"].append((won / won.sum()).astype(np.float32)[None])
    return task, {name: np.concatenate(part) for name, part in parts.items() if part}


#: The arrays: for every note its position, the search's opinion of every seat, and its moves with their visits
#: and values; for every game the number of its notes and of its moves, these moves, and the final points and shares of
#: the win of all seats.
ARRAY_NAMES = (
    "positions", "opinions", "widths", "codes", "visits", "values", "notes", "lengths", "moves", "points", "wins"
)  # fmt: skip


def tables(game: Game) -> list[tuple[int, tuple[tuple[str, OptionValue], ...]]]:
    """Return every number of players with every choice of table options; half of all tables have the usual ones."""
    usual = tuple((name, option.default) for name, option in game.options.items())
    choices: list[tuple[tuple[str, OptionValue], ...]] = [()]
    for name, option in game.options.items():
        choices = [(*chosen, (name, choice)) for chosen in choices for choice in option.choices]
    others = [chosen for chosen in choices if chosen != usual]
    kinds = [kind for other in others for kind in (usual, other)] or [usual]
    return [(players, kind) for kind in kinds for players in range(game.fewest_players, game.most_players + 1)]
