"""The search: Monte Carlo tree search over information sets, for every game, 2 to 5 players, chance and secrets.

Each simulation guesses what the seat cannot know, walks down the tree, adds one node, evaluates it and adds to every
decision on the way what its seat got. It calls nothing but the verbs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from malecon.bots.network import Net
from malecon.bots.tree import (
    LEAST_VISITS,
    NO_NODE,
    Tree,
    add_node,
    clear,
    find,
    fingerprint,
    has_room,
    neglected,
    select,
)
from malecon.bots.value import SearchSettings, Workspace, evaluate, move_score, read_position
from malecon.kernel.compile import kernel
from malecon.kernel.numerics import exp
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import CHANCE, NOBODY, actor, guess, hide, legal, play, worth

WORLD, VIEW, TRIAL = range(3)  # in `Workspace.cells`
#: Decisions a simulation goes down at most: positions can repeat.
DEEPEST = 250
#: The part of the prior that all moves share equally.
UNIFORM_SHARE = 0.25


@kernel
def key_of(settings: SearchSettings, workspace: Workspace) -> np.uint64:
    """Return the fingerprint of what the actor of this world sees."""
    if settings.secrets:
        workspace.cells[VIEW] = workspace.cells[WORLD]
        hide(workspace.cells[VIEW], actor(workspace.cells[WORLD]))
        return fingerprint(workspace.words[VIEW], workspace.rest[VIEW])
    return fingerprint(workspace.words[WORLD], workspace.rest[WORLD])


@kernel
def sees_all(settings: SearchSettings, workspace: Workspace) -> bool:
    """Return whether nothing is hidden from the actor of this world, whose key was computed last."""
    if settings.secrets:
        for i in range(workspace.words.shape[1]):
            if workspace.words[VIEW, i] != workspace.words[WORLD, i]:
                return False
        for i in range(workspace.rest.shape[1]):
            if workspace.rest[VIEW, i] != workspace.rest[WORLD, i]:
                return False
    return True


@kernel
def set_priors(tree: Tree, node: int, settings: SearchSettings, net: Net, workspace: Workspace) -> None:
    """Set which moves are tried first: those the network expects, or after which the position is worth more."""
    seat, first, count = tree.actor[node], tree.first[node], tree.width[node]
    scale = 1.0 if settings.policy else settings.prior
    highest = -1e300
    for edge in range(first, first + count):
        if settings.policy:
            score = move_score(seat, tree.move[edge], net, workspace)
        else:
            workspace.cells[TRIAL] = workspace.cells[WORLD]
            play(workspace.cells[TRIAL], tree.move[edge])
            score = worth(workspace.cells[TRIAL], seat)
        tree.won[edge] = score  # kept here until the priors are computed
        highest = max(highest, score)
    total = 0.0
    for edge in range(first, first + count):
        tree.won[edge] = exp((tree.won[edge] - highest) / scale)
        total += tree.won[edge]
    for edge in range(first, first + count):
        tree.prior[edge] = UNIFORM_SHARE / count + (1.0 - UNIFORM_SHARE) * tree.won[edge] / total
        tree.won[edge] = 0.0


@kernel
def prepare_node(tree: Tree, node: int, settings: SearchSettings, net: Net, workspace: Workspace) -> None:
    """Set the priors of a new node. If the network gives them, its first layer is computed for this world then."""
    if settings.policy:
        read_position(workspace.cells[WORLD], net, workspace)
    if settings.policy or settings.prior > 0:
        set_priors(tree, node, settings, net, workspace)


@kernel
def root_node(
    root: Any, tree: Tree, settings: SearchSettings, net: Net, workspace: Workspace, random: Randomness
) -> int:
    """Return the node of the decision to be made, from the tree or new; NO_NODE if the tree is full."""
    workspace.cells[WORLD] = root[0]
    if settings.secrets:
        guess(workspace.cells[WORLD], actor(root[0]), random)
    key = key_of(settings, workspace)
    node = find(tree, key)
    if node == NO_NODE:
        known = sees_all(settings, workspace)
        node = add_node(
            tree, key, actor(root[0]), known, workspace.moves, legal(workspace.cells[WORLD], workspace.moves)
        )
        if node != NO_NODE and tree.width[node] > 1:
            prepare_node(tree, node, settings, net, workspace)
    return node


@kernel
def begin(root: Any, tree: Tree, settings: SearchSettings, net: Net, workspace: Workspace, random: Randomness) -> int:
    """Begin a search of the position in `root[0]` and return its node. A tree that is half full is cleared."""
    if not has_room(tree):
        clear(tree)
    workspace.sums[:] = 0.0
    workspace.leads[:] = 0.0
    workspace.counted[0] = 0
    return root_node(root, tree, settings, net, workspace, random)


@kernel(inline=True)
def descend(
    tree: Tree, node: int, forced: int, settings: SearchSettings, workspace: Workspace, random: Randomness
) -> tuple[int, int]:
    """Go from the root down to a new node; return the number of decisions on the way, and the node.

    It is NO_NODE if the tree is full, the way too long or the game over. A forced edge, if any, comes first.
    """
    world = workspace.cells[WORLD]
    length = 0
    while True:
        edge = select(tree, node, settings.explore) if length or forced < 0 else forced
        workspace.path[2 * length] = node
        workspace.path[2 * length + 1] = edge
        length += 1
        play(world, tree.move[edge])
        same = tree.sees_all[node]  # whether this edge always leads to the same node
        while actor(world) == CHANCE:
            same = False
            play(world, workspace.moves[below(random, legal(world, workspace.moves))])
        node = tree.child[edge] if same else NO_NODE
        if node == NO_NODE:
            if actor(world) == NOBODY or length == DEEPEST:
                return length, NO_NODE
            key = key_of(settings, workspace)
            node = find(tree, key)
            is_new = node == NO_NODE
            if is_new:
                known = sees_all(settings, workspace)
                node = add_node(tree, key, actor(world), known, workspace.moves, legal(world, workspace.moves))
            if same:
                tree.child[edge] = node
            if is_new and (node == NO_NODE or tree.width[node] > 1):  # a forced move is walked through
                return length, node
        elif length == DEEPEST:
            return length, NO_NODE


@kernel
def walk(
    tree: Tree, node: int, forced: int, settings: SearchSettings, net: Net, workspace: Workspace, random: Randomness
) -> int:
    """Walk from the root down to a new node and set its rewards; return the number of decisions on the way."""
    length, leaf = descend(tree, node, forced, settings, workspace, random)
    if leaf != NO_NODE:
        prepare_node(tree, leaf, settings, net, workspace)
    evaluate(settings, net, workspace, random, settings.policy and leaf != NO_NODE)
    return length


@kernel
def back_up(tree: Tree, workspace: Workspace, length: int, counts: bool) -> None:
    """Add what the seats got to every decision on the way, and to the sums if the simulation counts for them."""
    for step in range(length):
        node, edge = workspace.path[2 * step], workspace.path[2 * step + 1]
        reward = workspace.rewards[tree.actor[node]]
        tree.visits[node] += 1
        tree.total[node] += reward
        tree.tried[edge] += 1
        tree.won[edge] += reward
    if counts:
        workspace.counted[0] += 1
        for seat in range(len(workspace.rewards)):
            workspace.sums[seat] += workspace.rewards[seat]
            workspace.leads[seat] += workspace.ends[seat]


@kernel
def simulate(
    root: Any,
    node: int,
    forced: int,
    tree: Tree,
    settings: SearchSettings,
    net: Net,
    workspace: Workspace,
    random: Randomness,
    count: int,
) -> None:
    """Do `count` simulations from the position in `root[0]`, whose node this is; a forced edge, if any, begins each."""
    for _ in range(count):
        visits = tree.visits[node]
        edge = forced
        if forced < 0 and settings.around and visits >= LEAST_VISITS and visits % settings.around == 0:
            edge = neglected(tree, node)
        workspace.cells[WORLD] = root[0]
        if settings.secrets:
            guess(workspace.cells[WORLD], tree.actor[node], random)
        back_up(tree, workspace, walk(tree, node, edge, settings, net, workspace, random), edge < 0)
