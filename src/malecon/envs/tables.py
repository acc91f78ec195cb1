"""Many games side by side as kernels: chance's draws, moves, results, observations, masks. What uses them: `vector`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.kernel.compile import kernel
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, Position, actor, hide, legal, observe, play, points, standing

#: What a seat is rewarded for: its place, the win alone (both at the end), or points as they are made.
BY_RANK, BY_WIN, BY_POINTS = range(3)
REWARDS = {"rank": BY_RANK, "win": BY_WIN, "points": BY_POINTS}

ALL_LEGAL = -1


class Buffers(NamedTuple):
    """All arrays of a batch. The first dimension is the table, but for `start`, `views` (one a thread) and `scale`."""

    start: Any  # the position before setup
    cells: Any  # the positions
    views: Any
    dealers: Randomness  # a stream a table, for chance
    choosers: Randomness  # and one for `choose_any`
    legal: Moves  # (tables, most_legal)
    counts: npt.NDArray[np.int32]  # how many legal moves
    held: npt.NDArray[np.int32]  # (tables, players): points in the game that is on
    actions: npt.NDArray[np.int64]
    observations: npt.NDArray[np.int16]  # (tables, size)
    scale: npt.NDArray[np.float32]  # (size): what each number is multiplied with for a network
    scaled: npt.NDArray[np.float32]  # (tables, size)
    masks: npt.NDArray[np.int8]  # (tables, decisions)
    seats: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]  # (tables, players)
    ended: npt.NDArray[np.bool_]
    points: npt.NDArray[np.int32]  # (tables, players): of the game that ended last
    places: npt.NDArray[np.int8]  # (tables, players)


@kernel
def place(position: Position, seat: int, players: int) -> int:
    """A seat's place as the rules rank them, 1 for every winner."""
    own = standing(position, seat)
    found = 1
    for other in range(players):
        found += standing(position, other) > own
    return found


@kernel
def reward(position: Position, seat: int, players: int, kind: int) -> float:
    """Of a finished game, from -1 to 1, all seats together 0. By rank: seats beaten less seats beaten by.

    By win: 1 for a single winner, shared wins in equal parts, and the rest share the loss.
    """
    own = standing(position, seat)
    ahead = behind = level = 0
    for other in range(players):
        found = standing(position, other)
        ahead += found > own
        behind += found < own
        level += found == own
    if kind == BY_RANK:
        return (behind - ahead) / (players - 1)
    return (players / level - 1) / (players - 1) if ahead == 0 else -1 / (players - 1)


@kernel(inline=True)
def deal(position: Position, moves: Moves, random: Randomness) -> None:
    """Draw chance's moves up to the next decision."""
    while actor(position) == CHANCE:
        play(position, moves[below(random, legal(position, moves))])


@kernel(inline=True)
def look(truth: Position, view: Any, seat: int, remember: bool, out: npt.NDArray[np.int16]) -> None:
    """A seat's observation. Where it remembers, everything was made in the open and nothing has to be taken out."""
    for i in range(len(out)):
        out[i] = 0
    if remember:
        observe(truth, seat, out)
    else:
        view[0] = truth
        hide(view[0], seat)
        observe(view[0], seat, out)


@kernel(inline=True)
def list_legal(position: Position, moves: Moves, mask: npt.NDArray[np.int8]) -> int:
    """The seat's legal moves as a list and as a mask; how many there are."""
    for move in range(len(mask)):
        mask[move] = 0
    count = legal(position, moves) if actor(position) >= 0 else 0
    for i in range(count):
        mask[moves[i]] = 1
    return count


@kernel(inline=True)
def settle_points(position: Position, held: npt.NDArray[np.int32], rewards: npt.NDArray[np.float32]) -> None:
    """Points made since the last look, as rewards."""
    for seat in range(len(held)):
        now = points(position, seat)
        rewards[seat] = now - held[seat]
        held[seat] = now


@kernel
def settle_game(
    position: Position,
    kind: int,
    rewards: npt.NDArray[np.float32],
    final: npt.NDArray[np.int32],
    places: npt.NDArray[np.int8],
) -> None:
    """The result of a finished game."""
    players = len(rewards)
    for seat in range(players):
        if kind != BY_POINTS:
            rewards[seat] = reward(position, seat, players, kind)
        final[seat] = points(position, seat)
        places[seat] = place(position, seat, players)


@kernel
def start_games(b: Buffers, first: int, last: int, view: Any, remember: bool) -> None:
    for table in range(first, last):
        position = b.cells[table]
        b.cells[table] = b.start[0]
        deal(position, b.legal[table], b.dealers[table : table + 1])
        settle_points(position, b.held[table], b.rewards[table])
        b.rewards[table] = 0
        b.ended[table] = False
        b.seats[table] = actor(position)
        b.counts[table] = list_legal(position, b.legal[table], b.masks[table])
        look(position, view, b.seats[table], remember, b.observations[table])


@kernel
def step_games(b: Buffers, first: int, last: int, view: Any, kind: int, remember: bool, restart: bool) -> None:
    """Make the chosen move at every table, draw for chance, and start anew where a game has ended."""
    # Taken out of the tuple once: in the loop, every look into it would cost as much as a move.
    start, cells, dealers, moves, counts, held, actions = (
        b.start, b.cells, b.dealers, b.legal, b.counts, b.held, b.actions
    )  # fmt: skip
    observations, masks, seats, rewards, ended, final, places = (
        b.observations, b.masks, b.seats, b.rewards, b.ended, b.points, b.places
    )  # fmt: skip
    for table in range(first, last):
        for seat in range(rewards.shape[1]):
            rewards[table, seat] = 0
        if counts[table] == 0:
            continue
        position = cells[table]
        play(position, actions[table])
        deal(position, moves[table], dealers[table : table + 1])
        if kind == BY_POINTS:
            settle_points(position, held[table], rewards[table])
        over = actor(position) == NOBODY
        ended[table] = over
        if over:
            settle_game(position, kind, rewards[table], final[table], places[table])
            if restart:
                cells[table] = start[0]
                deal(position, moves[table], dealers[table : table + 1])
                for seat in range(rewards.shape[1]):
                    held[table, seat] = points(position, seat)
        seats[table] = actor(position)
        counts[table] = list_legal(position, moves[table], masks[table])
        look(position, view, max(0, seats[table]), remember, observations[table])


@kernel
def find_illegal(b: Buffers) -> int:
    """The first table whose action is not legal there, or ALL_LEGAL. Finished games wait for a reset and need none."""
    for table in range(len(b.cells)):
        fits = b.counts[table] == 0
        for i in range(b.counts[table]):
            fits |= b.legal[table, i] == b.actions[table]
        if not fits:
            return table
    return ALL_LEGAL


@kernel
def choose_any(b: Buffers) -> None:
    """A random legal move at every table."""
    for table in range(len(b.cells)):
        if b.counts[table] > 0:
            b.actions[table] = b.legal[table, below(b.choosers[table : table + 1], b.counts[table])]


@kernel
def observe_games(
    b: Buffers, seats: npt.NDArray[np.int8], view: Any, remember: bool, out: npt.NDArray[np.int16]
) -> None:
    """What one seat of every table sees, whether it decides or not."""
    for table in range(len(b.cells)):
        look(b.cells[table], view, seats[table], remember, out[table])


@kernel
def scale_games(b: Buffers, first: int, last: int, view: Any) -> None:
    """The observations as a network likes them."""
    scale, observations, scaled = b.scale, b.observations, b.scaled
    for table in range(first, last):
        for i in range(len(scale)):
            scaled[table, i] = observations[table, i] * scale[i]
