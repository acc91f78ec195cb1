"""Many games side by side as kernels: chance's draws, moves, results, observations, masks. What uses them: `vector`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.kernel.compile import kernel
from malecon.kernel.playing import make_move
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, Position, actor, hide, legal, observe, points, standing

#: What a seat is rewarded for: its place, the win alone (both at the end), or points as they are made.
BY_RANK, BY_WIN, BY_POINTS = range(3)
REWARDS = {"rank": BY_RANK, "win": BY_WIN, "points": BY_POINTS}

ALL_LEGAL = -1
#: This many entries at the front of a list of legal moves are always read, and hold NO_MOVE if the list is shorter.
SHORT_LIST = 8
NO_MOVE = -1


class Buffers(NamedTuple):
    """All arrays of a batch. The first dimension is the table, but for `start`, `scale` and the threads' own."""

    start: Any  # the position before setup
    cells: Any  # the positions
    views: Any  # a position a thread
    lists: Moves  # (threads, most_legal)
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
    made: npt.NDArray[np.int32]  # moves of the game that is on, chance's included
    movers: npt.NDArray[np.int8]  # the seat that decided last
    finals: npt.NDArray[np.int16]  # (tables, size): what that seat saw when the last game ended


@kernel
def place(position: Position, seat: int, players: int) -> int:
    """A seat's place as the rules rank them, 1 for every winner."""
    own = standing(position, seat)
    place = 1
    for other in range(players):
        place += standing(position, other) > own
    return place


@kernel
def reward(position: Position, seat: int, players: int, kind: int) -> float:
    """Of a finished game, from -1 to 1, all seats together 0. By rank: seats beaten less seats beaten by.

    By win: 1 for a single winner, shared wins in equal parts, and the rest share the loss.
    """
    own = standing(position, seat)
    ahead = behind = level = 0
    for other in range(players):
        other_standing = standing(position, other)
        ahead += other_standing > own
        behind += other_standing < own
        level += other_standing == own
    if kind == BY_RANK:
        return (behind - ahead) / (players - 1)
    return (players / level - 1) / (players - 1) if ahead == 0 else -1 / (players - 1)


@kernel
def settle(cells: Any, kind: int, rewards: npt.NDArray[np.float64]) -> None:
    """The rewards of all seats in the finished game in `cells[0]`."""
    for seat in range(len(rewards)):
        rewards[seat] = reward(cells[0], seat, len(rewards), kind)


# A slice of an array costs a kernel as much as a simple move: below, rows are taken out only where a game needs them.


@kernel(inline=True)
def deal(position: Position, table: int, made: int, moves: Moves, dealers: Randomness) -> int:
    """Draw chance's moves at a table up to the next decision; how many moves its game has then."""
    if actor(position) == CHANCE:
        listed, random = moves[table], dealers[table : table + 1]
        while actor(position) == CHANCE:
            made = make_move(position, listed[below(random, legal(position, listed))], made)
    return made


@kernel(inline=True)
def clear(out: npt.NDArray[np.int16], row: int) -> None:
    for i in range(out.shape[1]):
        out[row, i] = 0


@kernel(inline=True)
def look(
    truth: Position, views: Any, mine: int, seat: int, remember: bool, row: int, out: npt.NDArray[np.int16]
) -> None:
    """A seat's observation. If it remembers, everything was made in the open and nothing has to be taken out."""
    clear(out, row)
    if remember:
        observe(truth, seat, out[row])
    else:
        views[mine] = truth
        hide(views[mine], seat)
        observe(views[mine], seat, out[row])


@kernel
def look_back(b: Buffers, table: int, thread: int, remember: bool) -> None:
    """What the seat that decided last sees in the end. A call: put into the loop of moves, it would slow that down."""
    look(b.cells[table], b.views, thread, b.movers[table], remember, table, b.finals)


@kernel(inline=True)
def look_at_all(
    cells: Any, views: Any, thread: int, seats: npt.NDArray[np.int8], remember: bool, first: int, last: int,
    out: npt.NDArray[np.int16],
) -> None:  # fmt: skip
    """What the seats see at these tables; where a game is over and nobody decides, the first one."""
    if remember:  # asked once: the common case is a loop of its own, and quicker by an eighth
        for table in range(first, last):
            clear(out, table)
            observe(cells[table], max(0, seats[table]), out[table])
    else:
        for table in range(first, last):
            look(cells[table], views, thread, max(0, seats[table]), remember, table, out)


@kernel(inline=True)
def list_legal(position: Position, listed: Moves, table: int, masks: npt.NDArray[np.int8]) -> int:
    """The legal moves of the seat that decides, as a list and as a table's mask; how many there are."""
    for move in range(masks.shape[1]):
        masks[table, move] = 0
    count = legal(position, listed) if actor(position) >= 0 else 0
    for i in range(count):
        masks[table, np.uintp(listed[i])] = 1
    return count


@kernel(inline=True)
def keep_list(listed: Moves, count: int, table: int, moves: Moves) -> int:
    """Keep the legal moves of a table, for `find_illegal`; their number."""
    for i in range(SHORT_LIST):
        moves[table, i] = NO_MOVE
    for i in range(count):
        moves[table, i] = listed[i]
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
def start_games(b: Buffers, first: int, last: int, thread: int, remember: bool) -> None:
    listed = b.lists[thread]
    for table in range(first, last):
        position = b.cells[table]
        b.cells[table] = b.start[0]
        b.made[table] = deal(position, table, 0, b.legal, b.dealers)
        settle_points(position, b.held[table], b.rewards[table])
        b.rewards[table] = 0
        b.ended[table] = False
        b.seats[table] = actor(position)
        b.counts[table] = keep_list(listed, list_legal(position, listed, table, b.masks), table, b.legal)
    look_at_all(b.cells, b.views, thread, b.seats, remember, first, last, b.observations)


@kernel
def resume_game(b: Buffers, table: int, made: int, remember: bool) -> None:
    """Draw for chance in the position at a table, after `made` moves, and show what the seat that decides then sees."""
    position, listed = b.cells[table], b.lists[0]
    b.made[table] = deal(position, table, made, b.legal, b.dealers)
    for seat in range(b.held.shape[1]):
        b.held[table, seat] = points(position, seat)
    b.seats[table] = actor(position)
    b.counts[table] = keep_list(listed, list_legal(position, listed, table, b.masks), table, b.legal)
    look(position, b.views, 0, max(0, b.seats[table]), remember, table, b.observations)


@kernel
def start_chosen(b: Buffers, chosen: npt.NDArray[np.bool_], restart: bool, remember: bool) -> None:
    """New games at the chosen tables; without `restart` those are only ended, and wait."""
    for table in range(len(chosen)):
        if not chosen[table]:
            continue
        look_back(b, table, 0, remember)
        if restart:
            b.cells[table] = b.start[0]
            resume_game(b, table, 0, remember)
        else:
            b.seats[table] = NOBODY
            b.counts[table] = 0
            for move in range(b.masks.shape[1]):
                b.masks[table, move] = 0


@kernel
def mark_illegal(b: Buffers, marked: npt.NDArray[np.bool_]) -> int:
    """Mark the tables whose action is not legal there; how many there are. Finished games need no action."""
    moves, counts, actions = b.legal, b.counts, b.actions
    total = 0
    for table in range(len(counts)):
        fits = counts[table] == 0
        for i in range(counts[table]):
            fits |= moves[table, i] == actions[table]
        marked[table] = not fits
        total += not fits
    return total


@kernel
def find_illegal(b: Buffers) -> int:
    """The first table whose action is not legal there, or ALL_LEGAL. Finished games wait for a reset and need none."""
    moves, counts, actions = b.legal, b.counts, b.actions
    for table in range(len(counts)):
        action = actions[table]
        fits = False
        for i in range(SHORT_LIST):
            fits |= moves[table, i] == action
        if fits and action != NO_MOVE:
            continue
        fits = counts[table] == 0
        for i in range(counts[table]):
            fits |= moves[table, i] == action
        if not fits:
            return table
    return ALL_LEGAL


@kernel
def step_games(
    b: Buffers, first: int, last: int, thread: int, kind: int, remember: bool, restart: bool, checked: bool
) -> int:
    """Make the chosen move at every table, draw for chance, and start a new game for each that has ended.

    Where the moves were not checked before, they are now: the first table with an illegal one, or ALL_LEGAL.
    """
    if not checked:
        wrong = find_illegal(b)
        if wrong != ALL_LEGAL:
            return wrong
    # Taken out of the tuple once: in the loop, every look into it would cost as much as a move.
    start, cells, dealers, moves, counts, held, actions = (
        b.start, b.cells, b.dealers, b.legal, b.counts, b.held, b.actions
    )  # fmt: skip
    observations, masks, seats, rewards, ended, final, places, counted, movers = (
        b.observations, b.masks, b.seats, b.rewards, b.ended, b.points, b.places, b.made, b.movers
    )  # fmt: skip
    listed = b.lists[thread]
    # One thing at all tables, then the next: the processor guesses better what comes.
    for table in range(first, last):
        for seat in range(rewards.shape[1]):
            rewards[table, seat] = 0
        if counts[table] == 0:
            ended[table] = False
            continue
        position = cells[table]
        movers[table] = seats[table]
        made = make_move(position, actions[table], counted[table])
        made = deal(position, table, made, moves, dealers)
        if kind == BY_POINTS:
            settle_points(position, held[table], rewards[table])
        over = actor(position) == NOBODY
        ended[table] = over
        if over:
            settle_game(position, kind, rewards[table], final[table], places[table])
            look_back(b, table, thread, remember)
            if restart:
                cells[table] = start[0]
                made = deal(position, table, 0, moves, dealers)
                for seat in range(rewards.shape[1]):
                    held[table, seat] = points(position, seat)
        counted[table] = made
        seats[table] = actor(position)
    for table in range(first, last):
        if counts[table] > 0:
            counts[table] = keep_list(listed, list_legal(cells[table], listed, table, masks), table, moves)
    look_at_all(cells, b.views, thread, seats, remember, first, last, observations)
    return ALL_LEGAL


@kernel
def replace_marked(b: Buffers, marked: npt.NDArray[np.bool_]) -> None:
    """A random legal move in place of the action at the marked tables."""
    for table in range(len(marked)):
        if marked[table]:
            b.actions[table] = b.legal[table, below(b.choosers[table : table + 1], b.counts[table])]


@kernel
def choose_any(
    counts: npt.NDArray[np.int32], moves: Moves, choosers: Randomness, actions: npt.NDArray[np.int64]
) -> None:
    """A random legal move at every table. Of the buffers it is handed these alone: each one makes the call dearer."""
    for table in range(len(counts)):
        if counts[table] > 0:
            actions[table] = moves[table, below(choosers[table : table + 1], counts[table])]


@kernel
def observe_games(b: Buffers, seats: npt.NDArray[np.int8], remember: bool, out: npt.NDArray[np.int16]) -> None:
    """What one seat of every table sees, whether it decides or not."""
    look_at_all(b.cells, b.views, 0, seats, remember, 0, len(b.cells), out)


@kernel
def hide_games(cells: Any, seats: npt.NDArray[np.int8]) -> None:
    """Take out of every position what a seat of it may not know."""
    for table in range(len(cells)):
        hide(cells[table], int(seats[table]))


@kernel
def scale_games(b: Buffers, first: int, last: int, thread: int) -> None:
    """The observations as a network likes them."""
    scale, observations, scaled = b.scale, b.observations, b.scaled
    for table in range(first, last):
        for i in range(len(scale)):
            scaled[table, i] = observations[table, i] * scale[i]
