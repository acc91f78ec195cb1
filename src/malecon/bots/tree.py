"""The tree of a search: information sets and the moves tried in them, in arrays of a fixed size.

A node is what the seat that decides there sees, found again by a fingerprint of its view: however the game came to it,
and whatever the others hide, it is the same decision. So nobody in the tree acts on what they could not know.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.kernel.compile import kernel
from malecon.kernel.numerics import exp
from malecon.kernel.verbs import Moves

NO_NODE = -1
#: Indices of `Tree.used`.
NODES = 0
EDGES = 1
#: Edges that fit into the arrays for each node, on average; the games' own average is below 10.
EDGES_PER_NODE = 10

#: A node with fewer visits is too young for looking around, and for a choice by value.
LEAST_VISITS = 64
#: How much less must be expected from a move to get 1/e of the tries when looking around, and the least weight.
CURIOSITY = 0.1
LEAST_WEIGHT = 0.05
#: How far the estimate of a move tried once lies below its average; after n tries it is divided by √n.
CAUTION = 0.3

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SPREAD = np.uint64(0xC2B2AE3D27D4EB4F)
_32 = np.uint64(32)


class Tree(NamedTuple):
    """Nodes, the edges (moves) that leave them, and a hash table from fingerprints to nodes."""

    slots: npt.NDArray[np.int32]  # hash table: a node's number plus 1, or 0
    key: npt.NDArray[np.uint64]
    actor: npt.NDArray[np.int8]
    sees_all: npt.NDArray[np.bool_]  # nothing is hidden from the actor: the same move always leads to the same world
    visits: npt.NDArray[np.int32]
    total: npt.NDArray[np.float64]  # what the actor got, over all visits
    first: npt.NDArray[np.int32]  # its edges stand together
    width: npt.NDArray[np.int32]  # how many they are
    move: Moves
    prior: npt.NDArray[np.float32]
    tried: npt.NDArray[np.int32]
    won: npt.NDArray[np.float64]  # what the actor got after this move, over all visits
    child: npt.NDArray[np.int32]  # where the move leads, if always to the same node
    used: npt.NDArray[np.int64]


def new_tree(nodes: int) -> Tree:
    """Return an empty tree for that many nodes, rounded up to a power of two."""
    size = 1 << max(4, nodes - 1).bit_length()
    edges = size * EDGES_PER_NODE
    return Tree(
        slots=np.zeros(2 * size, np.int32),
        key=np.zeros(size, np.uint64),
        actor=np.zeros(size, np.int8),
        sees_all=np.zeros(size, np.bool_),
        visits=np.zeros(size, np.int32),
        total=np.zeros(size, np.float64),
        first=np.zeros(size, np.int32),
        width=np.zeros(size, np.int32),
        move=np.zeros(edges, np.int16),
        prior=np.zeros(edges, np.float32),
        tried=np.zeros(edges, np.int32),
        won=np.zeros(edges, np.float64),
        child=np.zeros(edges, np.int32),
        used=np.zeros(2, np.int64),
    )


def memory(tree: Tree) -> int:
    """Return the bytes that a tree takes, full or empty."""
    return sum(array.nbytes for array in tree)


@kernel
def has_room(tree: Tree) -> bool:
    """Return whether at least half of the tree is free."""
    return 2 * tree.used[NODES] <= len(tree.key) and 2 * tree.used[EDGES] <= len(tree.move)


@kernel
def clear(tree: Tree) -> None:
    tree.slots[:] = 0
    tree.used[:] = 0


@kernel(inline=True)
def fingerprint(words: npt.NDArray[np.uint64], rest: npt.NDArray[np.uint8]) -> np.uint64:
    """Return a 64-bit digest of a position's bytes; of a million nodes two collide once in thirty million searches."""
    total = _FACTOR
    for i in range(len(words)):
        word = words[i] * _SPREAD  # or the highest bits of two neighbours could cancel each other
        word ^= word >> _32
        total = (total ^ word * _SPREAD) * _FACTOR
        total ^= total >> _32
    for i in range(len(rest)):
        total = (total ^ np.uint64(rest[i])) * _FACTOR
        total ^= total >> _32
    return total


@kernel(inline=True)
def slot_of(tree: Tree, key: np.uint64) -> int:
    """Return the slot that holds a key's node, or the empty slot where it belongs."""
    mask = len(tree.slots) - 1
    slot: int = np.int64(key & np.uint64(mask))  # type: ignore[assignment]
    while tree.slots[slot] and tree.key[tree.slots[slot] - 1] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def find(tree: Tree, key: np.uint64) -> int:
    """Return the node of a fingerprint, or NO_NODE."""
    return tree.slots[slot_of(tree, key)] - 1


@kernel
def add_node(tree: Tree, key: np.uint64, actor: int, sees_all: bool, moves: Moves, count: int) -> int:
    """Add a node with these moves, all equally promising, and return it; NO_NODE if the tree is full."""
    node, first = tree.used[NODES], tree.used[EDGES]
    if node >= len(tree.key) or first + count > len(tree.move):
        return NO_NODE
    tree.used[NODES] += 1
    tree.used[EDGES] += count
    tree.slots[slot_of(tree, key)] = node + 1
    tree.key[node] = key
    tree.actor[node] = actor
    tree.sees_all[node] = sees_all
    tree.visits[node] = 0
    tree.total[node] = 0.0
    tree.first[node] = first
    tree.width[node] = count
    for i in range(count):
        tree.move[first + i] = moves[i]
        tree.prior[first + i] = 1.0 / count
        tree.tried[first + i] = 0
        tree.won[first + i] = 0.0
        tree.child[first + i] = NO_NODE
    return node


@kernel
def neglected(tree: Tree, node: int) -> int:
    """Return the edge that was tried least for what it promises: twice as good a chance, by `CURIOSITY`, deserves more.

    In the long run, the tries are in proportion to the weights, and no weight is below `LEAST_WEIGHT`.
    """
    visits = tree.visits[node]
    average = tree.total[node] / visits if visits else 0.5
    first = tree.first[node]
    last = first + tree.width[node]
    highest = -1e300
    for edge in range(first, last):
        if tree.tried[edge]:
            highest = max(highest, tree.won[edge] / tree.tried[edge])
    best, best_score = first, -1e300
    for edge in range(first, last):
        tried = tree.tried[edge]
        value = tree.won[edge] / tried if tried else average
        score = max(exp((value - highest) / CURIOSITY), LEAST_WEIGHT) / (1 + tried)
        if score > best_score:
            best, best_score = edge, score
    return best


@kernel(inline=True)
def trust(won: float, tried: int, visits: int, around: int) -> float:
    """Return what a move is chosen by: a low estimate of what it brings, lower the less it was tried.

    Short searches, where the priors know more than a few values, and those that do not look around go by tries alone.
    """
    if not tried:
        return -1.0
    return won / tried - CAUTION / np.sqrt(tried) if around and visits >= LEAST_VISITS else float(tried)


@kernel
def chosen(tree: Tree, node: int, around: int) -> int:
    """Return the edge to choose in the end: the one trusted most, the first of them."""
    first = tree.first[node]
    best, best_trust = first, -2.0
    for edge in range(first, first + tree.width[node]):
        value = trust(tree.won[edge], tree.tried[edge], tree.visits[node], around)
        if value > best_trust:
            best, best_trust = edge, value
    return best


@kernel
def select(tree: Tree, node: int, explore: float) -> int:
    """Return the edge to try next (PUCT): good so far, or promising and seldom tried. Untried ones count as average."""
    visits = tree.visits[node]
    average = tree.total[node] / visits if visits else 0.5
    bonus = explore * np.sqrt(visits + 1.0)
    first = tree.first[node]
    best, best_score = first, -1e300
    for edge in range(first, first + tree.width[node]):
        tried = tree.tried[edge]
        score = tree.won[edge] / tried if tried else average
        score += bonus * tree.prior[edge] / (1 + tried)
        if score > best_score:
            best, best_score = edge, score
    return best
