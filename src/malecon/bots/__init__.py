"""Bots: a bot is given a view of the match, never the whole position, and returns a move.

A bot is named by a short specification: `random`, `greedy`, a level like `capitan`, or a name with settings,
`search:sims=500`, `wasm:sims=500`. It knows of earlier moves what the history of its view shows.
"""

from __future__ import annotations

import threading
import time
from functools import lru_cache
from typing import Protocol

import numpy as np

from malecon.bots.engine.module import load
from malecon.bots.engine.runtime import choose_greedily, current_searcher, module_stands_in, new_searcher
from malecon.bots.history import position_from_history
from malecon.bots.levels import BY_KEY, LEVELS, Level
from malecon.bots.searcher import Clock, Searcher, SearchPlan, SearchResult, equip
from malecon.bots.simple import GREEDY, RANDOM, choose_greedy_among, choose_random
from malecon.bots.specs import WASM, Spec, parse, split
from malecon.kernel.errors import IllegalMove
from malecon.kernel.game import Game
from malecon.kernel.phrases import say
from malecon.kernel.randomness import below, randomness
from malecon.kernel.view import Move, View, moves_of

__all__ = [
    "LEVELS",
    "SIMPLE",
    "Bot",
    "Level",
    "SearchBot",
    "SearchPlan",
    "SearchResult",
    "SimpleBot",
    "is_instant",
    "make",
    "split",
]

#: The bots that play whole games inside one kernel, by name.
SIMPLE = {"random": RANDOM, "greedy": GREEDY}


class Bot(Protocol):
    """Anything that can choose a move from a view."""

    name: str

    def choose(self, view: View) -> Move:
        """Return one of the view's legal moves; it must be the turn of the view's own seat."""
        ...


class SimpleBot:
    """A bot without foresight: `random` or `greedy`. The same seed plays the same moves."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self._spec = parse(name)
        self.name = name
        self._random = randomness(seed)

    def __repr__(self) -> str:
        return f"<SimpleBot {self.name}>"

    def choose(self, view: View) -> Move:
        return moves_of(view.game)[self.choose_code(view)]

    def choose_code(self, view: View) -> int:
        """Return the code of the move that `choose` returns."""
        codes = _legal_codes(view)
        moves = np.empty(view.game.most_legal, np.int16)
        if self._spec.kind == "random":
            code = choose_random(view.position, moves, self._random)
        else:
            seen = notice(codes, self._spec.miss, self._random)
            if module_stands_in(view.game):
                return choose_greedily(view, seen, self._random)
            moves[: len(seen)] = seen
            trial = np.zeros(1, view.game.dtype).view(np.recarray)
            code = choose_greedy_among(view.position, moves, len(seen), trial, self._random)
        return int(code)


class SearchBot:
    """A bot that looks ahead. The same seed and number of simulations give the same moves."""

    def __init__(self, spec: Spec, seed: int = 0, clock: Clock = time.perf_counter) -> None:
        self.name = spec.text
        self.plan = spec.plan
        self._spec = spec
        self._miss = spec.miss
        self._seed = seed
        self._clock = clock
        self._random = randomness(seed, 1)
        self._searcher: Searcher | None = None
        self._players = 0
        self._stop = threading.Event()

    def __repr__(self) -> str:
        return f"<SearchBot {self.name}>"

    def choose(self, view: View) -> Move:
        return moves_of(view.game)[self.choose_code(view)]

    def choose_code(self, view: View) -> int:
        """Return the code of the move that `choose` returns."""
        codes = _legal_codes(view)
        seen = notice(codes, self._miss, self._random)
        return seen[0] if len(seen) == 1 else next(code for code in self.evaluate(view).codes if code in seen)

    def evaluate(self, view: View) -> SearchResult:
        """Search the position of a view, and return what was found about every legal move."""
        _legal_codes(view)
        self._stop.clear()
        players = len(view.names)
        if self._searcher is None or self._searcher.game is not view.game or self._players != players:
            self._searcher = new_searcher(self._spec, view.game, players, self._seed, self._clock)
            self._players = players
        self._searcher = current_searcher(self._searcher, self._spec)
        return self._searcher.search(position_from_history(view), self._stop)

    @property
    def is_wasm(self) -> bool:
        """Whether it thinks with the game's engine module, which needs no machine code."""
        return self._spec.kind == WASM

    @property
    def memory(self) -> int:
        """The bytes that its trees take."""
        return 0 if self._searcher is None else self._searcher.memory

    def stop(self) -> None:
        """End the search now running, from any thread: it returns what it has found so far."""
        self._stop.set()

    def check(self, game: Game) -> None:
        """Raise BadSetup if its network does not fit the game, or the game has no engine module to think with."""
        equip(game, self.plan)
        if self.is_wasm:
            load(game.name)


def notice(codes: list[int], miss: float, random: np.typing.NDArray[np.uint64]) -> list[int]:
    """Return the moves that a player notices who overlooks each with the chance `miss`; at least one."""
    if not miss:
        return codes
    seen = [code for code in codes if below(random, 1000) >= 1000 * miss]
    return seen or [codes[below(random, len(codes))]]


def _legal_codes(view: View) -> list[int]:
    if view.turn is None or view.turn != view.seat:
        raise IllegalMove(say("it is not this seat’s turn"))
    return view.legal_moves.codes


def is_instant(spec: str) -> bool:
    """Return whether a bot answers within milliseconds: it searches little or not at all."""
    return _parsed(spec).is_instant


@lru_cache(1_000)
def _parsed(spec: str) -> Spec:
    return parse(spec, {key: level.spec for key, level in BY_KEY.items()})


def make(spec: str, seed: int = 0, clock: Clock = time.perf_counter) -> SimpleBot | SearchBot:
    """Return the bot of a specification; raise BadSetup if there is none. Its milliseconds are those of `clock`."""
    parsed = _parsed(spec)
    if not parsed.is_search:
        bot = SimpleBot(parsed.kind if not parsed.miss else f"{parsed.kind}:miss={parsed.miss}", seed)
        bot.name = spec
        return bot
    return SearchBot(parsed, seed, clock)
