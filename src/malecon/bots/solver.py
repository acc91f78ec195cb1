"""The solver: exact results of endings, for every game. It proves who wins where no chance is left, or proves nothing.

A question is whether one side, some of the seats, can force that a seat wins; the other side does all it can against
it. Depth-first proof-number search answers it: every position gets a proof number, about how many positions are still
to be settled for a yes, and a disproof number for a no, and the search follows the smallest. Infinite ones stand for
what cannot be: a position in which chance decides is neither proven nor disproven, nor one that repeats or is too deep.
So an answer never rests on a guess. It holds against every play of the other side, even if that knew what is hidden; a
seat of either side that does not see everything must get the same answer from all its moves.

It calls nothing but the verbs, and works in memory of a fixed size, with a stack of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.bots.tree import fingerprint
from malecon.bots.verdicts import Proof, Verdict
from malecon.kernel import verbs
from malecon.kernel.compile import kernel
from malecon.kernel.game import Game
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import NOBODY, Moves, Position, actor, guess, hide, legal, play, points, standing

#: Decisions between a position and the end of the game that the solver looks ahead at most.
DEEPEST = 120
#: Cells behind those of the stack: a view, a trial, and the position in question.
VIEW, TRIAL, ROOT = DEEPEST + 1, DEEPEST + 2, DEEPEST + 3
CELLS = DEEPEST + 4
#: Moves of all positions on the stack together.
MOST_CHILDREN = 1 << 13
#: Slots of the table that are looked at for a position.
PROBES = 4
#: Positions that the table holds, unless more are asked for.
TABLE_SIZE = 1 << 17
#: A proof number that cannot be reached, and a limit that no number reaches.
NEVER, NO_LIMIT = 1 << 28, (1 << 28) + 1
#: How a position gets its numbers from those of its moves: one move is enough, all are needed, or all must agree.
ONE, ALL, AGREE = range(3)
#: Answers to a question.
UNKNOWN, YES, NO = range(3)
#: The part of the budget that the first round of questions gets; every further one gets twice as much.
FIRST_SHARE = 16
#: Points that a seat is behind for each one that is added to the first proof number.
POINTS_A_STEP = 2
#: Decisions of a game played out at random, to see whether chance comes before the end.
LONGEST_PLAYOUT = 400
_PLAYOUT_SEED = np.uint64(0x2545F4914F6CDD1D)
_QUESTION = np.uint64(0xD6E8FEB86659FD93)

# --- verdicts on a position: nothing is proven, a seat can force its win, both can force a draw, a seat decides
UNPROVEN, FORCED, DRAWN, DECIDED = range(4)
#: Verdicts on a move, for the seat that makes it; UNPROVEN as above.
MOVE_WINS, MOVE_DRAWS, MOVE_LOSES = range(1, 4)
_PROOFS = {MOVE_WINS: Proof.WON, MOVE_DRAWS: Proof.DRAWN, MOVE_LOSES: Proof.LOST}
#: Numbers in `SolverMemory.verdict`: the verdict, its seat, a bit mask of the seats not proven to have lost, positions.
VERDICT, SEAT, CAN_WIN, LOOKED_AT = range(4)


class SolverMemory(NamedTuple):
    """Everything the solver works in. A level is a position on the way from the root."""

    cells: Any  # the position of every level, then VIEW, TRIAL and ROOT
    words: npt.NDArray[np.uint64]  # the same memory, eight bytes at a time, a row each
    rest: npt.NDArray[np.uint8]  # and the bytes that are left over
    moves: Moves
    level_key: npt.NDArray[np.uint64]
    level_first: npt.NDArray[np.int32]  # where its moves begin
    level_count: npt.NDArray[np.int32]
    level_rule: npt.NDArray[np.int32]  # ONE, ALL or AGREE
    level_limits: npt.NDArray[np.int32]  # (levels, 2): it is left when a number reaches its limit
    level_child: npt.NDArray[np.int32]  # the move that is looked at
    child_move: Moves
    child_key: npt.NDArray[np.uint64]
    child_numbers: npt.NDArray[np.int32]  # (children, 2): proof and disproof
    table_key: npt.NDArray[np.uint64]
    table_numbers: npt.NDArray[np.int32]  # (slots, 2)
    table_work: npt.NDArray[np.int32]  # positions looked at for it; 0 if the slot is empty
    random: Randomness
    used: npt.NDArray[np.int64]  # positions looked at
    verdict: npt.NDArray[np.int32]  # on the position: VERDICT, SEAT, CAN_WIN, LOOKED_AT
    codes: Moves  # the moves of the position
    verdicts: npt.NDArray[np.int32]  # on every move, in the same order


class Question(NamedTuple):
    """Whether the seats of a side (a bit mask) can force that a seat wins, alone or among others."""

    side: int
    seat: int
    alone: bool
    together: bool  # all seats are on the side: what they do not see does not matter, some line is enough
    players: int
    secrets: bool  # something may be hidden


# --- the table


@kernel(inline=True)
def mixed(key: np.uint64, question: Question) -> np.uint64:
    """Return the key of a position for a question."""
    number = question.side << 8 | question.seat << 2 | int(question.alone) << 1 | int(question.together)
    return key ^ np.uint64(number + 1) * _QUESTION


@kernel(inline=True)
def look_up(memory: SolverMemory, key: np.uint64) -> int:
    """Return the slot of a position, or -1."""
    mask = len(memory.table_key) - 1
    slot: int = np.int64(key & np.uint64(mask))  # type: ignore[assignment]
    for _ in range(PROBES):
        if memory.table_key[slot] == key and memory.table_work[slot]:
            return slot
        slot = (slot + 1) & mask
    return -1


@kernel
def store(memory: SolverMemory, key: np.uint64, proof: int, disproof: int, work: int) -> None:
    """Write the numbers of a position; of others, the one that took the least work gives way."""
    mask = len(memory.table_key) - 1
    slot: int = np.int64(key & np.uint64(mask))  # type: ignore[assignment]
    chosen = slot
    for _ in range(PROBES):
        if memory.table_key[slot] == key or not memory.table_work[slot]:
            chosen = slot
            break
        if memory.table_work[slot] < memory.table_work[chosen]:
            chosen = slot
        slot = (slot + 1) & mask
    if memory.table_key[chosen] == key:
        work = min(work + int(memory.table_work[chosen]), NEVER)
    memory.table_key[chosen] = key
    memory.table_numbers[chosen, 0], memory.table_numbers[chosen, 1] = proof, disproof
    memory.table_work[chosen] = max(work, 1)


@kernel
def forget(memory: SolverMemory) -> None:
    """Empty the table, as for another game or number of players."""
    memory.table_work[:] = 0


# --- positions


@kernel
def is_won(position: Position, question: Question) -> bool:
    """Return whether the seat has won a finished game, as the question means it."""
    own = standing(position, question.seat)
    for other in range(question.players):
        if other != question.seat:
            rival = standing(position, other)
            if rival > own or (question.alone and rival == own):
                return False
    return True


@kernel
def sees_all(memory: SolverMemory, level: int) -> bool:
    """Return whether nothing in the position of a level is hidden from its actor."""
    memory.cells[VIEW] = memory.cells[level]
    hide(memory.cells[VIEW], actor(memory.cells[level]))
    return are_same(memory, VIEW, level)


@kernel
def are_same(memory: SolverMemory, cell: int, other: int) -> bool:
    for i in range(memory.words.shape[1]):
        if memory.words[cell, i] != memory.words[other, i]:
            return False
    for i in range(memory.rest.shape[1]):
        if memory.rest[cell, i] != memory.rest[other, i]:
            return False
    return True


@kernel(inline=True)
def play_on(memory: SolverMemory, cell: int, move: int) -> int:
    """Make a move, and those that follow without a choice; return how many moves the actor has then, 0 for none."""
    position = memory.cells[cell]
    for _ in range(DEEPEST):
        play(position, move)
        if actor(position) < 0:
            return 0
        count = legal(position, memory.moves)
        if count > 1:
            return count
        move = int(memory.moves[0])
    return 0


@kernel
def first_numbers(position: Position, question: Question, width: int) -> tuple[int, int]:
    """Return the numbers of a position that was not looked at: a seat that is ahead is nearer to a proof."""
    own, rival = points(position, question.seat), -1_000_000
    for other in range(question.players):
        if other != question.seat:
            rival = max(rival, points(position, other))
    behind = rival - own
    proof = 1 + max(0, behind) // POINTS_A_STEP
    disproof = 1 + max(0, -behind) // POINTS_A_STEP
    if question.together or question.side >> actor(position) & 1:
        disproof *= width
    else:
        proof *= width
    return proof, disproof


@kernel
def expand(memory: SolverMemory, level: int, question: Question) -> bool:
    """List the moves of a level with their numbers, as far as they are known; return whether there was room."""
    position = memory.cells[level]
    first = int(memory.level_first[level - 1] + memory.level_count[level - 1]) if level else 0
    count = legal(position, memory.moves)
    if first + count > MOST_CHILDREN:
        return False
    memory.level_first[level], memory.level_count[level] = first, count
    for i in range(count):
        memory.child_move[first + i] = memory.moves[i]
    if question.together:
        rule = ONE
    elif question.secrets and not sees_all(memory, level):
        rule = AGREE
    else:
        rule = ONE if question.side >> actor(position) & 1 else ALL
    memory.level_rule[level] = rule
    memory.used[0] += count
    for child in range(first, first + count):
        memory.cells[TRIAL] = position
        width = play_on(memory, TRIAL, int(memory.child_move[child]))
        key = mixed(fingerprint(memory.words[TRIAL], memory.rest[TRIAL]), question)
        memory.child_key[child] = key
        proof, disproof = NEVER, NEVER
        seat = actor(memory.cells[TRIAL])
        if seat == NOBODY:
            if is_won(memory.cells[TRIAL], question):
                proof = 0
            else:
                disproof = 0
        elif width:
            slot = look_up(memory, key)
            if slot >= 0:
                proof, disproof = int(memory.table_numbers[slot, 0]), int(memory.table_numbers[slot, 1])
            else:
                proof, disproof = first_numbers(memory.cells[TRIAL], question, width)
        memory.child_numbers[child, 0], memory.child_numbers[child, 1] = proof, disproof
    return True


@kernel(inline=True)
def combined(memory: SolverMemory, level: int, which: int) -> int:
    """Return a number of a level from those of its moves: the smallest if one move is enough.

    If all are needed, it is the largest, and one more for every other that is open. A sum would count positions twice
    that several moves lead to, of which there are very many.
    """
    rule = memory.level_rule[level]
    first = memory.level_first[level]
    is_least = (rule == ONE and which == 0) or (rule == ALL and which == 1)
    total, others = NEVER if is_least else 0, -1
    for child in range(first, first + memory.level_count[level]):
        number = int(memory.child_numbers[child, which])
        total = min(total, number) if is_least else max(total, number)
        others += number > 0
    return total if is_least or total == 0 else min(NEVER, total + others)


@kernel
def choose_child(memory: SolverMemory, level: int) -> int:
    """Return the move to look at: the one nearest to the answer that one move can give, or else any that is open."""
    rule = memory.level_rule[level]
    own = 1 if rule == ALL else 0
    first = memory.level_first[level]
    best, best_own, best_other = -1, NO_LIMIT, NO_LIMIT
    for child in range(first, first + memory.level_count[level]):
        number, other = int(memory.child_numbers[child, own]), int(memory.child_numbers[child, 1 - own])
        if number == 0 or other == 0 or (number >= NEVER and other >= NEVER):
            continue
        if number < best_own or (number == best_own and other < best_other):
            best, best_own, best_other = child, number, other
    return best


@kernel(inline=True)
def limit_of_part(memory: SolverMemory, level: int, which: int, total: int) -> int:
    """Return the limit of a move's number, such that the level's own, of which it is a part, reaches its limit."""
    limit = int(memory.level_limits[level, which])
    if total >= NEVER or limit > NEVER:
        return NO_LIMIT
    first = memory.level_first[level]
    for child in range(first, first + memory.level_count[level]):
        limit -= memory.child_numbers[child, which] > 0
    return limit + 1


@kernel
def set_limits(memory: SolverMemory, level: int, child: int, proof: int, disproof: int) -> None:
    """Set the limits of the level below, which looks at a move of this one."""
    rule = memory.level_rule[level]
    limits = memory.level_limits
    below_proof = limit_of_part(memory, level, 0, proof)
    below_disproof = limit_of_part(memory, level, 1, disproof)
    if rule != AGREE:
        own = 1 if rule == ALL else 0
        chosen = int(memory.child_numbers[child, own])
        second = NEVER
        first = memory.level_first[level]
        for other in range(first, first + memory.level_count[level]):
            if other != child:
                second = min(second, int(memory.child_numbers[other, own]))
        limit = int(limits[level, own])
        if chosen >= NEVER:
            limit = NO_LIMIT
        elif second < NEVER:
            limit = min(
                limit, max(second, chosen) + 1 + max(second, chosen) // 4
            )  # a little more: fewer ways up and down
        if own:
            below_disproof = limit
        else:
            below_proof = limit
    limits[level + 1, 0], limits[level + 1, 1] = below_proof, below_disproof


@kernel
def is_on_the_way(memory: SolverMemory, level: int, key: np.uint64) -> bool:
    for above in range(level + 1):
        if memory.level_key[above] == key:
            return True
    return False


@kernel
def refresh(memory: SolverMemory, level: int) -> None:
    """Take over what became known about the moves of a level elsewhere."""
    first = memory.level_first[level]
    for child in range(first, first + memory.level_count[level]):
        if memory.child_numbers[child, 0] and memory.child_numbers[child, 1]:
            slot = look_up(memory, memory.child_key[child])
            if slot >= 0 and (memory.table_numbers[slot, 0] == 0 or memory.table_numbers[slot, 1] == 0):
                memory.child_numbers[child, 0] = memory.table_numbers[slot, 0]
                memory.child_numbers[child, 1] = memory.table_numbers[slot, 1]


@kernel
def ask(memory: SolverMemory, question: Question, budget: int) -> int:
    """Answer a question about the position in `cells[0]`, where a seat decides, within a budget of positions."""
    end = memory.used[0] + budget
    memory.level_key[0] = mixed(fingerprint(memory.words[0], memory.rest[0]), question)
    memory.level_limits[0, 0], memory.level_limits[0, 1] = NO_LIMIT, NO_LIMIT
    if not expand(memory, 0, question):
        return UNKNOWN
    level = 0
    while True:
        refresh(memory, level)
        proof, disproof = combined(memory, level, 0), combined(memory, level, 1)
        is_done = proof == 0 or disproof == 0 or (proof >= NEVER and disproof >= NEVER)
        is_out = memory.used[0] >= end
        if is_done or is_out or proof >= memory.level_limits[level, 0] or disproof >= memory.level_limits[level, 1]:
            store(memory, memory.level_key[level], proof, disproof, int(memory.level_count[level]))
            if level == 0:
                return YES if proof == 0 else NO if disproof == 0 else UNKNOWN
            level -= 1
            child = memory.level_child[level]
            memory.child_numbers[child, 0], memory.child_numbers[child, 1] = proof, disproof
            continue
        child = choose_child(memory, level)
        memory.level_child[level] = child
        key = memory.child_key[child]
        if level + 1 >= DEEPEST or is_on_the_way(memory, level, key):
            memory.child_numbers[child, 0], memory.child_numbers[child, 1] = NEVER, NEVER
            continue
        set_limits(memory, level, child, proof, disproof)
        memory.level_key[level + 1] = key
        memory.cells[level + 1] = memory.cells[level]
        play_on(memory, level + 1, int(memory.child_move[child]))
        if not expand(memory, level + 1, question):
            memory.child_numbers[child, 0], memory.child_numbers[child, 1] = NEVER, NEVER
            continue
        level += 1


# --- verdicts


@kernel
def is_known(memory: SolverMemory) -> bool:
    """Return whether the seat that decides knows everything about the position: a guess would not change it."""
    memory.cells[TRIAL] = memory.cells[ROOT]
    memory.random[0] = _PLAYOUT_SEED
    guess(memory.cells[TRIAL], actor(memory.cells[ROOT]), memory.random)
    return are_same(memory, TRIAL, ROOT)


@kernel
def ends_without_chance(memory: SolverMemory) -> bool:
    """Return whether a game played out at random from the position ends before chance decides again."""
    memory.cells[TRIAL] = memory.cells[ROOT]
    position = memory.cells[TRIAL]
    memory.random[0] = _PLAYOUT_SEED
    for _ in range(LONGEST_PLAYOUT):
        seat = actor(position)
        if seat < 0:
            return seat == NOBODY
        play(position, memory.moves[below(memory.random, legal(position, memory.moves))])
    return False


@kernel
def can_force(memory: SolverMemory, side: int, seat: int, alone: bool, players: int, secrets: bool, budget: int) -> int:
    """Return whether a side, a bit mask of seats, can force that a seat wins the game in `cells[0]`."""
    return ask(memory, Question(side, seat, alone, False, players, secrets), budget)


@kernel
def can_reach(memory: SolverMemory, seat: int, players: int, secrets: bool, budget: int) -> int:
    """Return whether there is any line in which a seat wins the game in `cells[0]`, alone or among others."""
    return ask(memory, Question((1 << players) - 1, seat, False, True, players, secrets), budget)


@kernel
def judge_of_two(memory: SolverMemory, mover: int, secrets: bool, budget: int) -> int:
    """Return the verdict on the position in `cells[0]` for the seat that decides at the root, with two players."""
    answer = can_force(memory, 1 << mover, mover, True, 2, secrets, budget)
    if answer == YES:
        return MOVE_WINS
    if answer == UNKNOWN:
        return UNPROVEN
    answer = can_force(memory, 1 << mover, mover, False, 2, secrets, budget)
    return MOVE_DRAWS if answer == YES else MOVE_LOSES if answer == NO else UNPROVEN


@kernel
def judge_of_many(memory: SolverMemory, mover: int, players: int, secrets: bool, budget: int) -> int:
    """Return the verdict on the position in `cells[0]` for the seat that decides at the root, with more players."""
    if can_reach(memory, mover, players, secrets, budget) == NO:
        return MOVE_LOSES
    return MOVE_WINS if can_force(memory, 1 << mover, mover, True, players, secrets, budget) == YES else UNPROVEN


@kernel
def note_wins(memory: SolverMemory) -> None:
    """Note the moves that were proven to win when the last question about the root was answered."""
    for i in range(memory.level_count[0]):
        if memory.child_numbers[i, 0] == 0:
            memory.verdicts[i] = MOVE_WINS


@kernel
def judge_moves(memory: SolverMemory, players: int, secrets: bool, budget: int) -> None:
    """Set the verdicts on the moves of the position in `cells[ROOT]`."""
    end = memory.used[0] + budget
    mover = actor(memory.cells[ROOT])
    count = legal(memory.cells[ROOT], memory.codes)
    for i in range(count):
        if memory.verdicts[i] != UNPROVEN:
            continue
        memory.cells[0] = memory.cells[ROOT]
        width = play_on(memory, 0, int(memory.codes[i]))
        seat = actor(memory.cells[0])
        if seat == NOBODY:
            if is_won(memory.cells[0], Question(0, mover, True, False, players, secrets)):
                memory.verdicts[i] = MOVE_WINS
            elif is_won(memory.cells[0], Question(0, mover, False, False, players, secrets)):
                memory.verdicts[i] = MOVE_DRAWS
            else:
                memory.verdicts[i] = MOVE_LOSES
        elif width:
            share = max(1, int(end - memory.used[0]) // (2 * (count - i)))
            if players == 2:
                memory.verdicts[i] = judge_of_two(memory, mover, secrets, share)
            else:
                memory.verdicts[i] = judge_of_many(memory, mover, players, secrets, share)
    memory.cells[0] = memory.cells[ROOT]


@kernel
def decider_among(memory: SolverMemory, winners: int, players: int, secrets: bool, budget: int) -> int:
    """Return the seat whose choices alone decide which of the seats that can still win does so; -1 if there is none.

    It cannot win itself, and together with any of them it can force that one's win, whatever all others do.
    """
    for decider in range(players):
        if winners >> decider & 1:
            continue
        decides = True
        for seat in range(players):
            if decides and winners >> seat & 1:
                decides = can_force(memory, 1 << decider | 1 << seat, seat, True, players, secrets, budget) == YES
        if decides:
            return decider
    return -1


@kernel
def judge_pair(memory: SolverMemory, mover: int, secrets: bool, budget: int) -> None:
    """Set the verdict on the position with two players."""
    verdict = judge_of_two(memory, mover, secrets, budget)
    if verdict == MOVE_WINS:
        note_wins(memory)
    if verdict in (MOVE_WINS, MOVE_LOSES):
        seat = mover if verdict == MOVE_WINS else 1 - mover
        memory.verdict[VERDICT], memory.verdict[SEAT], memory.verdict[CAN_WIN] = FORCED, seat, 1 << seat
    elif verdict == MOVE_DRAWS:
        memory.verdict[VERDICT] = DRAWN


@kernel
def judge_table(memory: SolverMemory, players: int, secrets: bool, budget: int) -> None:
    """Set the verdict on the position with more than two players: who can force a win, who can win, who decides."""
    share = max(1, budget // (2 * players))
    mover = actor(memory.cells[ROOT])
    lost, is_exact = 0, True
    for seat in range(players):
        answer = can_reach(memory, seat, players, secrets, share)
        lost |= int(answer == NO) << seat
        is_exact = is_exact and answer != UNKNOWN
    winners = (1 << players) - 1 & ~lost
    memory.verdict[CAN_WIN] = winners
    for i in range(players):
        seat = (mover + i) % players
        if winners == 1 << seat or (
            winners >> seat & 1 and can_force(memory, 1 << seat, seat, True, players, secrets, share) == YES
        ):
            memory.verdict[VERDICT], memory.verdict[SEAT], memory.verdict[CAN_WIN] = FORCED, seat, 1 << seat
            if seat == mover and winners != 1 << seat:
                note_wins(memory)
            return
    if is_exact:
        decider = decider_among(memory, winners, players, secrets, share)
        if decider >= 0:
            memory.verdict[VERDICT], memory.verdict[SEAT] = DECIDED, decider


@kernel
def judge(memory: SolverMemory, players: int, secrets: bool, budget: int) -> int:
    """Set the verdict on the position in `cells[ROOT]` and on its moves; return the verdict.

    It looks at about `budget` positions. `secrets` says that moves are made face down. A seat that can force its win
    has won for every claim made here, so it alone is among those that can still win.
    """
    began = memory.used[0]
    memory.verdict[VERDICT], memory.verdict[SEAT] = UNPROVEN, -1
    memory.verdict[CAN_WIN], memory.verdict[LOOKED_AT] = (1 << players) - 1, 0
    mover = actor(memory.cells[ROOT])
    memory.verdicts[:] = UNPROVEN
    if mover < 0 or not is_known(memory) or not ends_without_chance(memory):
        return UNPROVEN
    memory.cells[0] = memory.cells[ROOT]
    share, before = max(1, budget // FIRST_SHARE), began - 1
    while memory.verdict[VERDICT] == UNPROVEN and before < memory.used[0] < began + 3 * budget // 4:
        before = memory.used[0]
        if players == 2:
            judge_pair(memory, mover, secrets, share)
        else:
            judge_table(memory, players, secrets, share)
        share = min(2 * share, max(1, budget - int(memory.used[0] - began)))  # what is known stays in the table
    if memory.verdict[VERDICT] != UNPROVEN or memory.verdict[CAN_WIN] != (1 << players) - 1:
        judge_moves(memory, players, secrets, max(1, budget - int(memory.used[0] - began)))
    memory.verdict[LOOKED_AT] = memory.used[0] - began
    return int(memory.verdict[VERDICT])


# --- in Python


def new_memory(game: Game, table_size: int = TABLE_SIZE) -> SolverMemory:
    """Return the memory of a solver. The size of its table is a power of two."""
    cells = np.zeros(CELLS, game.dtype).view(np.recarray)
    size = game.dtype.itemsize
    taken = size - size % 8
    data = cells.view(np.ndarray).view(np.uint8).reshape(CELLS, size)
    levels = DEEPEST + 1
    return SolverMemory(
        cells=cells,
        words=np.ndarray((CELLS, taken // 8), np.uint64, data.data, strides=(size, 8)),
        rest=data[:, taken:],
        moves=np.zeros(game.most_legal, np.int16),
        level_key=np.zeros(levels, np.uint64),
        level_first=np.zeros(levels, np.int32),
        level_count=np.zeros(levels, np.int32),
        level_rule=np.zeros(levels, np.int32),
        level_limits=np.zeros((levels, 2), np.int32),
        level_child=np.zeros(levels, np.int32),
        child_move=np.zeros(MOST_CHILDREN, np.int16),
        child_key=np.zeros(MOST_CHILDREN, np.uint64),
        child_numbers=np.zeros((MOST_CHILDREN, 2), np.int32),
        table_key=np.zeros(table_size, np.uint64),
        table_numbers=np.zeros((table_size, 2), np.int32),
        table_work=np.zeros(table_size, np.int32),
        random=np.zeros(1, np.uint64),
        used=np.zeros(1, np.int64),
        verdict=np.zeros(4, np.int32),
        codes=np.zeros(game.most_legal, np.int16),
        verdicts=np.zeros(game.most_legal, np.int32),
    )


class Solver:
    """Proves the results of endings of one game with a number of players. It proves one position at a time."""

    def __init__(self, game: Game, players: int, table_size: int = TABLE_SIZE) -> None:
        self.game, self.players = game, players
        self.memory = new_memory(game, table_size)

    @property
    def memory_bytes(self) -> int:
        """The bytes that its table and stack take."""
        return sum(array.nbytes for array in self.memory)

    def judge(self, position: Position, budget: int) -> Verdict:
        """Return what is proven about a position, as the seat that decides knows it, within a budget of positions."""
        memory = self.memory
        memory.cells[ROOT] = position
        with np.errstate(over="ignore"):  # keys overflow on purpose; only uncompiled kernels say so
            judge(memory, self.players, self.game.conceals is not None, budget)
        return read_verdict(memory, self.players)


def read_verdict(memory: SolverMemory, players: int) -> Verdict:
    """Return the verdict that `judge` wrote."""
    status, seat = int(memory.verdict[VERDICT]), int(memory.verdict[SEAT])
    mask, looked_at = int(memory.verdict[CAN_WIN]), int(memory.verdict[LOOKED_AT])
    can_win = tuple(seat for seat in range(players) if mask >> seat & 1)
    count = verbs.legal(memory.cells[ROOT], memory.codes)
    moves = zip(memory.codes[:count].tolist(), memory.verdicts[:count].tolist(), strict=True)
    return Verdict(
        winner=seat if status == FORCED else None,
        is_drawn=status == DRAWN,
        decider=seat if status == DECIDED else None,
        can_win=can_win,
        moves={code: _PROOFS[verdict] for code, verdict in moves if verdict != UNPROVEN},
        positions=looked_at,
    )
