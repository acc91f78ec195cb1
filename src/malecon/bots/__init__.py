"""Bots: they are handed a view of the match, never the truth, and answer with a move.

A bot is named by a short specification: `random`, `greedy`, a level like `capitan`, or a name with settings,
`search:sims=500`. What a bot remembers is what the view's history shows.
"""

from __future__ import annotations

import threading
import time
from typing import Protocol

import numpy as np

from malecon.bots.history import position_from_history
from malecon.bots.levels import BY_KEY, LEVELS, Level
from malecon.bots.searcher import Clock, Searcher, SearchPlan, SearchResult
from malecon.bots.simple import GREEDY, RANDOM, choose_greedy_among, choose_random
from malecon.bots.specs import Spec, parse, split
from malecon.kernel import readiness
from malecon.kernel.errors import IllegalMove
from malecon.kernel.phrases import say
from malecon.kernel.randomness import below, randomness
from malecon.kernel.view import Move, View

__all__ = [
    "LEVELS",
    "SIMPLE",
    "Bot",
    "Level",
    "SearchBot",
    "SearchPlan",
    "SearchResult",
    "SimpleBot",
    "choose_soon",
    "make",
    "split",
]

#: The bots that play whole games inside one kernel, by name.
SIMPLE = {"random": RANDOM, "greedy": GREEDY}
#: Seconds that a bot thinks at most while the machine code of its game is not ready.
MOMENT = 1.0


class Bot(Protocol):
    """Anything that can choose a move from a view."""

    name: str

    def choose(self, view: View) -> Move:
        """One of the view's legal moves; it must be the view's own seat that is to move."""
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
        codes = _legal_codes(view)
        moves = np.empty(view.game.most_legal, np.int16)
        if self._spec.kind == "random":
            code = choose_random(view.position, moves, self._random)
        else:
            seen = notice(codes, self._spec.miss, self._random)
            moves[: len(seen)] = seen
            trial = np.zeros(1, view.game.dtype).view(np.recarray)
            code = choose_greedy_among(view.position, moves, len(seen), trial, self._random)
        return Move(view.game.name, view.game.notation.name(int(code)))


class SearchBot:
    """A bot that looks ahead. The same seed and number of simulations give the same moves."""

    def __init__(self, spec: Spec, seed: int = 0, clock: Clock = time.perf_counter) -> None:
        self.name = spec.text
        self.plan = spec.plan
        self._miss = spec.miss
        self._seed = seed
        self._clock = clock
        self._random = randomness(seed, 1)
        self._mind: Searcher | None = None
        self._players = 0
        self._stop = threading.Event()

    def __repr__(self) -> str:
        return f"<SearchBot {self.name}>"

    def choose(self, view: View) -> Move:
        codes = _legal_codes(view)
        seen = notice(codes, self._miss, self._random)
        if len(seen) == 1:
            code = seen[0]
        else:
            code = next(code for code in self.evaluate(view).codes if code in seen)
        return Move(view.game.name, view.game.notation.name(code))

    def evaluate(self, view: View) -> SearchResult:
        """What it thinks of every legal move."""
        _legal_codes(view)
        self._stop.clear()
        players = len(view.names)
        if self._mind is None or self._mind.game is not view.game or self._players != players:
            self._mind = Searcher(view.game, players, self.plan, self._seed, clock=self._clock)
            self._players = players
        return self._mind.search(position_from_history(view), self._stop)

    @property
    def memory(self) -> int:
        """The bytes its trees take."""
        return 0 if self._mind is None else self._mind.memory

    def stop(self) -> None:
        """Answer at once with the best move found so far; from any thread."""
        self._stop.set()


def notice(codes: list[int], miss: float, random: np.typing.NDArray[np.uint64]) -> list[int]:
    """The moves a player notices who overlooks each with the chance `miss`; at least one."""
    if not miss:
        return codes
    seen = [code for code in codes if below(random, 1000) >= 1000 * miss]
    return seen or [codes[below(random, len(codes))]]


def choose_soon(bot: Bot, view: View) -> Move:
    """A bot's move for people who wait: while the game runs as plain Python, it thinks for a moment only."""
    if not isinstance(bot, SearchBot) or readiness.progress(view.game.name) is None:
        return bot.choose(view)
    bell = threading.Timer(MOMENT, bot.stop)
    bell.start()
    try:
        return bot.choose(view)
    finally:
        bell.cancel()


def _legal_codes(view: View) -> list[int]:
    if view.turn is None or view.turn != view.seat:
        raise IllegalMove(say("it is not this seat’s turn"))
    return view.legal_moves.codes


def make(spec: str, seed: int = 0, clock: Clock = time.perf_counter) -> Bot:
    """The bot of a specification; BadSetup where it makes no sense. Milliseconds in it are those of `clock`."""
    found = parse(spec, {key: level.spec for key, level in BY_KEY.items()})
    if found.kind in SIMPLE:
        bot = SimpleBot(found.kind if not found.miss else f"{found.kind}:miss={found.miss}", seed)
        bot.name = spec
        return bot
    return SearchBot(found, seed, clock)
