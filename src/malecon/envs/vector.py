"""Thousands of games in one array: `Tables`. NumPy in and out without copies; nothing but the library is needed.

All arrays belong to the tables and are written anew by every `step`: copy what you want to keep.
"""

from __future__ import annotations

import copy
import itertools
import math
import operator
import os
import secrets
import threading
import weakref
from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from typing import Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from malecon.envs import batch
from malecon.envs.batch import ALL_LEGAL, REWARDS, SHORT_LIST, Buffers
from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSetup, IllegalMove, NotAMove
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.positions import as_array
from malecon.kernel.randomness import check_seed, mix, streams
from malecon.kernel.verbs import Position
from malecon.match import check_names, check_players, check_setup, check_whole

#: The calling thread's share beside a mate's: it works while they wake up.
HEAD_START = 1.12
#: What happens where an action is not legal: an error, the end of the game, or a random legal move in its place.
ILLEGAL = {"raise": 0, "lose": 1, "random": 2}
#: The reward of a seat whose illegal move ends the game; the others get nothing.
ILLEGAL_REWARD = -1.0
#: Arrays begin at multiples of this many bytes: JAX then shares them as PyTorch does, where it would copy others.
ALIGNMENT = 64


def check_choice(name: str, value: str, choices: Mapping[str, int]) -> int:
    """The number of a named choice; BadSetup where there is none of that name."""
    if not isinstance(value, str) or value not in choices:
        text = say("{name} cannot be {value}; choose from: {known}")
        raise BadSetup(text.fill(name=name, value=repr(value)[:40], known=", ".join(choices)))
    return choices[value]


def aligned(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros that begins at a multiple of ALIGNMENT."""
    kind = np.dtype(dtype)
    octets = np.zeros(math.prod(np.atleast_1d(shape).tolist()) * kind.itemsize + ALIGNMENT, np.uint8)
    return np.ndarray(shape, kind, octets, offset=-octets.ctypes.data % ALIGNMENT)


def _aligned_copy(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    copied = aligned(array.shape, array.dtype)
    copied[:] = array
    return copied


class _Mate:
    """A thread that works on its share of the tables when told to: a step is too short for a pool's futures."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[Any] = SimpleQueue()
        self._answers: SimpleQueue[BaseException | None] = SimpleQueue()
        threading.Thread(target=self._serve, args=(self._orders, self._answers), daemon=True).start()
        self.dismiss = weakref.finalize(self, self._orders.put, None)

    def order(self, work: Any, *arguments: Any) -> None:
        self._orders.put((work, arguments))

    def wait(self) -> None:
        """Until the order is carried out; what went wrong goes wrong here."""
        if (error := self._answers.get()) is not None:
            raise error

    @staticmethod  # so that the thread does not keep its own mate alive
    def _serve(orders: SimpleQueue[Any], answers: SimpleQueue[BaseException | None]) -> None:
        while (order := orders.get()) is not None:
            work, arguments = order
            try:
                work(*arguments)
                answers.put(None)
            except BaseException as error:
                answers.put(error)


def _seats(seats: npt.ArrayLike, count: int) -> npt.NDArray[np.int64]:
    """A seat for each table."""
    given = np.asarray(seats)
    if given.dtype.kind not in "iu" or given.shape not in ((), (count,)):
        raise ValueError(f"seats must be one whole number, or {count} of them")
    return np.broadcast_to(given.astype(np.int64), (count,))


class Tables:
    """Many games of one kind side by side. `step` takes a move for the seat that decides at each table.

    Chance draws for itself from the seed: results depend on it and on the moves alone, never on the threads. A game
    that has ended is followed by a new one in the same step; with `restart=False` the table waits for `reset`.
    With `memory` a seat knows what it could have counted along; without, what it sees on the table now. A game that
    has `longest` decisions and no end is cut short: `truncated` says so, and nobody gets a result. An illegal move
    raises IllegalMove and changes nothing; with `illegal="lose"` it ends the game and costs its seat ILLEGAL_REWARD,
    with `illegal="random"` a random legal move is made instead. Every game begins in the position `start`, if there is
    one, of a match with these options; `set_position` sets up a single table. One thread at a time may use the tables.
    """

    def __init__(
        self,
        game: str,
        players: SupportsIndex,
        count: SupportsIndex,
        *,
        seed: SupportsIndex | None = None,
        threads: SupportsIndex = 1,
        rewards: str = "rank",
        memory: bool = True,
        restart: bool = True,
        longest: SupportsIndex | None = None,
        illegal: str = "raise",
        start: Position | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        self.game = registry.get(game)
        self.players, self.count = check_players(self.game, players), check_whole("count", count)
        self.options = check_setup(self.game, players, options)
        self._names = check_names(self.game, self.players, None)
        self._kind = check_choice("rewards", rewards, REWARDS)
        self._when_illegal = check_choice("illegal", illegal, ILLEGAL)
        self._longest = None if longest is None else check_whole("longest", longest)
        readiness.wait(game, part=readiness.RESEARCH)
        # Nobody can remember moves made face down. Kernels get truths: for another type they would be compiled again.
        self._remember = bool(memory) and self.game.conceals is None
        self._restart = bool(restart)
        threads = min(check_whole("threads", threads), self.count)
        shares = np.cumsum([0, HEAD_START, *[1] * (threads - 1)])
        # To the nearest: cut off, 1,000 x 1.12 / 1.12 is 999, and the last table would be nobody's.
        self._slices = list(itertools.pairwise(np.rint(self.count * shares / shares[-1]).astype(int).tolist()))
        self._call_mates()
        self._closed = False
        if start is None:
            start = self.game.new_position(self.players, **self.options)
        self._check_position(start)
        self._made = np.zeros(self.count, np.int64)  # decisions in the game that is on
        self._truncated = aligned(self.count, np.bool_)
        self._illegal = aligned(self.count, np.bool_)
        self._buffers = self._new_buffers(threads, start)
        self.reset(seed)

    def _call_mates(self) -> None:
        self._mates, self._process = [_Mate() for _ in self._slices[1:]], os.getpid()

    def __repr__(self) -> str:
        state = ", closed" if self._closed else ""
        return f"<Tables {self.game.name}, {self.players} players, {self.count} games{state}>"

    def __len__(self) -> int:
        return self.count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _new_buffers(self, threads: int, start: Position) -> Buffers:
        game, count, players = self.game, self.count, self.players
        most_listed = max(game.most_legal, SHORT_LIST)
        return Buffers(
            start=as_array(start),
            cells=aligned(count, game.dtype),
            views=aligned(threads, game.dtype),
            lists=aligned((threads, most_listed), np.int16),
            dealers=aligned(count, np.uint64),
            choosers=aligned(count, np.uint64),
            legal=aligned((count, most_listed), np.int16),
            counts=aligned(count, np.int32),
            held=aligned((count, players), np.int32),
            actions=aligned(count, np.int64),
            observations=aligned((count, game.pieces.size), np.int16),
            scale=np.reciprocal(game.pieces.each("typical")),
            scaled=aligned((count, game.pieces.size), np.float32),
            masks=aligned((count, game.decisions), np.int8),
            seats=aligned(count, np.int8),
            rewards=aligned((count, players), np.float32),
            ended=aligned(count, np.bool_),
            points=aligned((count, players), np.int32),
            places=aligned((count, players), np.int8),
            made=aligned(count, np.int32),
            movers=aligned(count, np.int8),
            finals=aligned((count, game.pieces.size), np.int16),
        )

    # --- what the last step left

    @property
    def observations(self) -> npt.NDArray[np.int16]:
        """(tables, size): what the seat that decides sees, laid out as `game.pieces` say."""
        return self._buffers.observations

    @property
    def pieces(self) -> dict[str, npt.NDArray[Any]]:
        """The observations by the names of their pieces, without a copy."""
        return self.game.pieces.split(self._buffers.observations)

    def scaled(self) -> npt.NDArray[np.float32]:
        """The observations as a network likes them: each number divided by what is typical of its piece."""
        self._check_open()
        self._everywhere(batch.scale_games)
        return self._buffers.scaled

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """(tables, moves): 1 for every move that is legal now."""
        return self._buffers.masks

    @property
    def seats(self) -> npt.NDArray[np.int8]:
        """The seat that decides at each table; -2 where the game is over and nobody does."""
        return self._buffers.seats

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """(tables, players): what the last step brought to every seat."""
        return self._buffers.rewards

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended the game at a table."""
        return self._buffers.ended

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Whether the last step cut the game at a table short, because it was too long."""
        return self._truncated

    @property
    def illegal(self) -> npt.NDArray[np.bool_]:
        """Whether the move given to the last step at a table was illegal; with `illegal="raise"` always False."""
        return self._illegal

    @property
    def points(self) -> npt.NDArray[np.int32]:
        """(tables, players): the points of the game that ended last at a table."""
        return self._buffers.points

    @property
    def places(self) -> npt.NDArray[np.int8]:
        """(tables, players): the places in the game that ended last at a table; 1 for every winner."""
        return self._buffers.places

    @property
    def movers(self) -> npt.NDArray[np.int8]:
        """The seat that decided at each table before the last step."""
        return self._buffers.movers

    @property
    def finals(self) -> npt.NDArray[np.int16]:
        """(tables, size): what the seat that decided last saw at the end of the game that ended last at a table."""
        return self._buffers.finals

    def position(self, table: SupportsIndex) -> Position:
        """A copy of a table's position, with nothing hidden."""
        return as_array(self._buffers.cells[self._number(table)])[0]

    def set_position(self, table: SupportsIndex, position: Position) -> None:
        """Go on in another position at a table, as if its game had just begun there; chance is drawn from its stream.

        It is a position with nothing hidden, of these options: from `position` or from `Match.position`.
        """
        self._check_open()
        number = self._number(table)
        self._check_position(position)
        where = np.arange(self.count) == number
        self._clear(where)
        self._buffers.cells[number] = as_array(position)[0]
        batch.resume_game(self._buffers, number, 0, self._remember)

    def _number(self, table: SupportsIndex) -> int:
        try:
            number = operator.index(table)
        except TypeError:
            number = -1
        if not 0 <= number < self.count:
            raise IndexError(f"there is no table {table!r:.40} among {self.count}")
        return number

    def _check_position(self, position: Position) -> None:
        if not isinstance(position, np.void) or position.dtype != self.game.dtype:
            text = say("this is not a position of {game}: {value}", game=self.game.title)
            raise BadSetup(text.fill(value=repr(position)[:40]))

    def known(self) -> npt.NDArray[Any]:
        """The positions as the seats that decide know them: copies, with what is hidden from each taken out."""
        b = self._buffers
        positions: npt.NDArray[Any] = b.cells.copy()
        if not self._remember:
            batch.hide_games(positions, np.maximum(b.seats, 0))
        return positions

    # --- playing

    def reset(
        self,
        seed: Any = None,
        chosen: npt.ArrayLike | None = None,
    ) -> None:
        """New games at all tables, or at the chosen ones (an array of truths); without a seed from the system's luck.

        A list of seeds has one for each table: that table plays as the only one of `Tables` with that seed would.
        """
        self._check_open()
        where, b = self._chosen(chosen), self._buffers
        if chosen is None or seed is not None:  # else each table goes on with its own luck
            if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str | bytes):
                if len(seed) != self.count:
                    raise ValueError(f"{self.count} tables need as many seeds, not {len(seed)}")
                known = [secrets.randbits(64) if table_seed is None else check_seed(table_seed) for table_seed in seed]
                dealers = np.array([mix(table_seed, 0) for table_seed in known], np.uint64)
                choosers = np.array([mix(table_seed, 1) for table_seed in known], np.uint64)
            else:
                shared = secrets.randbits(64) if seed is None else check_seed(seed)
                dealers, choosers = streams(shared, 0, self.count), streams(shared, self.count, self.count)
            b.dealers[where], b.choosers[where] = dealers[where], choosers[where]
        self._clear(where)
        if chosen is None:
            self._everywhere(batch.start_games, self._remember)
        else:
            batch.start_chosen(b, where, True, self._remember)

    def _chosen(self, chosen: npt.ArrayLike | None) -> npt.NDArray[np.bool_]:
        where = np.ones(self.count, np.bool_) if chosen is None else np.array(chosen)
        if where.shape != (self.count,) or where.dtype != np.bool_:
            raise ValueError(f"chosen must be an array of {self.count} truths")
        return where

    def _clear(self, where: npt.NDArray[np.bool_]) -> None:
        """Forget what the last step brought to these tables."""
        b = self._buffers
        self._made[where], b.rewards[where] = 0, 0
        self._truncated[where] = self._illegal[where] = b.ended[where] = False

    def step(self, actions: npt.ArrayLike) -> None:
        """Make a move at every table, given by its code; IllegalMove, and nothing changed, where one is not legal."""
        if self._closed:
            self._check_open()
        b = self._buffers
        if actions is not b.actions:
            given = np.asarray(actions)
            if given.shape != (self.count,):
                raise ValueError(f"{self.count} tables need as many moves, not an array of shape {given.shape}")
            np.copyto(b.actions, given, casting="same_kind")
        if self._when_illegal and batch.mark_illegal(b, self._illegal):
            self._forgive()
        settings = self._kind, self._remember, self._restart
        if self._mates:
            wrong = batch.find_illegal(b)
            if wrong == ALL_LEGAL:
                self._everywhere(batch.step_games, *settings, True)
        else:
            wrong = batch.step_games(b, 0, self.count, 0, *settings, False)
        if wrong != ALL_LEGAL:
            raise self._refusal(wrong, int(b.actions[wrong]))
        if self._when_illegal == ILLEGAL["lose"] and self._illegal.any():
            self._end_lost()
        if self._longest is not None:
            self._cut_short(self._longest)

    def _forgive(self) -> None:
        """Replace the illegal moves by random ones, or take their tables out of the step."""
        b = self._buffers
        if self._when_illegal == ILLEGAL["random"]:
            batch.replace_marked(b, self._illegal)
        else:
            b.movers[self._illegal] = b.seats[self._illegal]
            b.counts[self._illegal] = 0  # a step passes over tables where nobody has a move

    def _end_lost(self) -> None:
        """End the games in which an illegal move was made."""
        b, lost = self._buffers, np.flatnonzero(self._illegal)
        b.rewards[lost, b.movers[lost]] = ILLEGAL_REWARD
        b.ended[lost] = True
        batch.start_chosen(b, self._illegal, self._restart, self._remember)

    def _cut_short(self, longest: int) -> None:
        """End games that have gone on for too long, with no result."""
        b = self._buffers
        self._made += 1
        self._made[b.ended | (b.counts == 0)] = 0
        np.greater_equal(self._made, longest, out=self._truncated)
        if self._truncated.any():
            self._made[self._truncated] = 0
            batch.start_chosen(b, self._truncated, self._restart, self._remember)

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("these tables are closed; make new ones")

    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal move for every table, in the array that `step` reads: handing it on costs nothing."""
        b = self._buffers
        batch.choose_any(b.counts, b.legal, b.choosers, b.actions)
        return b.actions

    def observe(self, seats: npt.ArrayLike, out: npt.NDArray[np.int16] | None = None) -> npt.NDArray[np.int16]:
        """What a seat of each table sees, whether it decides or not; written into `out` where you give an array."""
        chosen = _seats(seats, self.count)
        if ((chosen < 0) | (chosen >= self.players)).any():
            bad = chosen[(chosen < 0) | (chosen >= self.players)][0]
            raise BadSetup(say("there is no seat {seat}", seat=int(bad)))
        return self._look(np.ascontiguousarray(chosen, np.int8), self._remember, out)

    def _look(
        self, seats: npt.NDArray[np.int8], remember: bool, out: npt.NDArray[np.int16] | None
    ) -> npt.NDArray[np.int16]:
        like = self._buffers.observations
        seen = np.zeros_like(like) if out is None else out
        if (
            not isinstance(seen, np.ndarray)
            or (seen.shape, seen.dtype) != (like.shape, like.dtype)
            or not (seen.flags.c_contiguous and seen.flags.writeable)
        ):
            raise ValueError(f"out must be a contiguous array of {like.dtype} with the shape {like.shape}")
        batch.observe_games(self._buffers, seats, remember, seen)
        return seen

    def _everywhere(self, work: Any, *settings: int | bool) -> None:
        """Run a kernel over all tables, a slice a thread; kernels do not hold Python's lock."""
        (first, last), *others = self._slices
        if others and self._process != os.getpid():  # after a fork there are no threads but the one that forked
            self._call_mates()
        for thread, (mate, (start, end)) in enumerate(zip(self._mates, others, strict=True), 1):
            mate.order(work, self._buffers, start, end, thread, *settings)
        work(self._buffers, first, last, 0, *settings)
        for mate in self._mates:
            mate.wait()

    def _refusal(self, table: int, code: int) -> Exception:
        if not 0 <= code < len(self.game.notation):
            error: Exception = NotAMove(say("{text} is not a move", text=str(code)))
        else:
            error = IllegalMove(self.game.why_illegal(self._buffers.cells[table], code, self._names))
        error.add_note(f"at table {table}, where seat {self.seats[table]} decides")
        return error

    def states(self, out: npt.NDArray[np.int16] | None = None) -> npt.NDArray[np.int16]:
        """Everything on each table with nothing hidden, from the seat that decides: for a critic, never for a player.

        The numbers are laid out as those of an observation; what the seat itself sees is in `observations`.
        """
        return self._look(np.maximum(self._buffers.seats, 0), True, out)

    # --- copies

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_mates", "_process")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        # Copies and pickles of arrays lie anywhere.
        self._buffers = Buffers._make(map(_aligned_copy, self._buffers))
        self._truncated, self._illegal = _aligned_copy(self._truncated), _aligned_copy(self._illegal)
        self._call_mates()

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def close(self) -> None:
        """End the threads; these tables are not stepped any more."""
        self._closed = True
        for mate in self._mates:
            mate.dismiss()
