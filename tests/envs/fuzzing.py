"""A fuzzer: calls every public function of matches, views, tables, environments and records with hostile arguments.

Nothing may crash or hang, and a refusal must be one of the errors that are meant. `python -m tests.envs.fuzzing SECONDS
SEED` prints the number of calls.
"""

from __future__ import annotations

import copy
import inspect
import pickle
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

try:
    from gymnasium.error import Error as GymnasiumError
except ImportError:  # an installation without the extra: nothing of Gymnasium's is called there

    class GymnasiumError(Exception):  # type: ignore[no-redef]
        pass


#: What our library, Python and the peers promise for wrong arguments. Anything else is a bug.
MEANT = (
    ValueError,
    TypeError,
    IndexError,
    RuntimeError,
    OverflowError,
    AttributeError,
    OSError,
    KeyError,
    GymnasiumError,
)
#: Python's own words for a mistake inside a function rather than a refusal at its door.
MISTAKES = ("NoneType", "unhashable", "object has no attribute", "not subscriptable", "object is not iterable")


def hostile(dice: random.Random) -> Any:
    """An argument that somebody might pass by mistake, or by design."""
    number = dice.choice(
        [0, 1, -1, 2, 3, 5, 127, 128, 255, 383, 384, 999, -(1 << 15), 1 << 15, 1 << 31, 1 << 64, -(1 << 70)]
    )
    return dice.choice(
        [
            None, True, number, np.int8(1), np.int64(-5), np.uint64(2**64 - 1), float(number), float("nan"), 1j,
            "", "drive 1", "pass", "santiago", "cuba", "é" * 500, "\0", b"", b"malecon1" + bytes(60), [], [0],
            [number] * 3,
            {}, {"open_screens": True}, {"x": 1}, (), (1, 2), set(), object(), range(3), slice(0, 2),
            slice(None, None, 0),
            np.zeros(0, np.int16), np.zeros(3, np.int64), np.full(3, 500), np.zeros((3, 9), np.int16),
            np.array(["a", "b", "c"]),
            np.zeros(3), np.zeros(3, np.bool_), np.array([1, 2, 3], object), lambda *args: None, type, Path("nowhere"),
        ]
    )  # fmt: skip


def methods(thing: Any) -> list[Callable[..., Any]]:
    """What can be called on it without an underscore, and the operators that Python calls."""
    names = [name for name in dir(type(thing)) if not name.startswith("_")]
    names += [
        name
        for name in ("__getitem__", "__contains__", "__len__", "__repr__", "__eq__", "__hash__")
        if hasattr(type(thing), name)
    ]
    callables = []
    for name in names:
        if isinstance(inspect.getattr_static(type(thing), name), property):
            callables.append(lambda name=name: getattr(thing, name))
        elif callable(member := getattr(thing, name, None)):
            callables.append(member)
    return callables


def things() -> list[Any]:
    """One of everything, in the middle of a game."""
    import malecon
    from malecon.envs import guided, vector

    def judge(seen: Any, masks: Any) -> Any:
        return np.zeros(masks.shape), np.zeros((len(seen), 3))

    made: list[Any] = []
    for name in ("santiago", "cuba"):
        match = malecon.new(name, 3, seed=1)
        for _ in range(20):
            match.push(match.legal_moves[0])
        made += [match, match.view(match.turn), match.legal_moves, match.record(), match.peek(), match.legal_moves[0]]
        made.append(vector.Tables(name, 3, 3, seed=1, threads=2))
        made.append(guided.GuidedSearch(name, 3, judge, sims=2))
        try:
            from malecon.envs import gymnasium, pettingzoo
            from malecon.envs.against_bots import AgainstBots
        except ImportError:
            continue
        made.append(gymnasium.VectorEnv(name, 3, 3))
        env = pettingzoo.raw_env(name, 3)
        env.reset(seed=1)
        single = AgainstBots(name, ["random"])
        single.reset(seed=1)
        made += [env, single]
    return made


#: Those that wait for somebody, write where they are told to, or are somebody else's machinery.
LEFT_ALONE = {"hint", "write", "render", "agent_iter", "close_extras", "print"}


def fail(text: str, error: BaseException) -> None:
    raise AssertionError(text) from error


def attack(seconds: float, seed: int, complain: Callable[[str, BaseException], None] = fail) -> int:
    """Call things for so long; the number of calls. `complain` hears of what must not happen."""
    import malecon
    from malecon.envs.vector import Tables
    from malecon.match import Match, Record

    dice, calls = random.Random(seed), 0
    doors: list[Callable[..., Any]] = [
        malecon.new, malecon.load, Match, Match.from_bytes, Record.from_json, Record.read, Tables,
        malecon.Move,
    ]  # fmt: skip
    all_things = things()
    until = time.monotonic() + seconds  # compiling does not count
    while time.monotonic() < until:
        thing = dice.choice(all_things)
        called = dice.choice(methods(thing) + doors)
        name = getattr(called, "__name__", "")
        if name in LEFT_ALONE:
            continue
        given = [hostile(dice) for _ in range(dice.randrange(4))]
        named: dict[str, Any] = {}
        if called in (Match, Tables, malecon.new):
            given = [dice.choice(["santiago", "cuba"]), 2, *([3] if called is Tables else [])][: dice.randrange(4)]
            keywords = {
                Match: ["seed", "names", "options"],
                Tables: ["seed", "threads", "rewards", "options", "longest"],
            }
            named = {key: hostile(dice) for key in dice.sample(keywords.get(called, ["seed", "names", "x"]), 2)}
            if isinstance(named.get("threads"), int) and named["threads"] > 4:
                continue
        try:
            called(*given, **named)
        except MEANT as error:
            inside = type(error) in (AttributeError, TypeError) and any(word in str(error) for word in MISTAKES)
            inside &= "os.PathLike" not in str(error)  # that is how Python itself refuses what is no path
            deep = len(inspect.getinnerframes(error.__traceback__)) > 2 if error.__traceback__ else False
            if inside and deep and not isinstance(error, ImportError):
                complain(f"{called!r} of {thing!r} with {given!r} {named!r}: {error!r}", error)
        calls += 1
        if not calls % 500:  # whatever was done to them, they are still whole
            for survivor in all_things[:6]:
                copy.deepcopy(survivor)
                pickle.loads(pickle.dumps(survivor))
            all_things = things()
    return calls


if __name__ == "__main__":
    print(attack(float(sys.argv[1]), int(sys.argv[2])))
