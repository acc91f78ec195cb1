"""The verbs: the functions that every game implements, to be called on any position, inside kernels and outside.

A verb dispatches on the type of the record to that game's own function, in kernels at compile time. Generic code
(search, simulation, environments) uses nothing else, so adding a game is adding a folder.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from numba.core import types

from malecon.kernel.compile import kernel
from malecon.kernel.machine_code.cache import tie
from malecon.kernel.machine_code.linking import dispatch
from malecon.kernel.randomness import Randomness

Stub = TypeVar("Stub", bound=Callable[..., Any])
#: An `np.record`: one element of a recarray. Its fields are known to NumPy and Numba only, hence Any.
Position: TypeAlias = Any
Moves = npt.NDArray[np.int16]

#: Whose move it is when it is not a seat's.
CHANCE = -1
NOBODY = -2

_implementations: dict[Any, dict[str, Callable[..., Any]]] = {}


def implement(dtype: np.dtype[Any], **functions: Callable[..., Any]) -> None:
    """Register how a game implements the verbs, for positions of this type; those in `DEFAULTS` may be left out."""
    functions = DEFAULTS | functions
    missing = set(VERBS) ^ set(functions)
    if missing:
        raise TypeError(f"a game answers exactly the verbs {', '.join(VERBS)}; check {', '.join(sorted(missing))}")
    record = numba.from_dtype(dtype)
    _implementations[dtype] = _implementations[record] = functions
    tie(record, functions)


def implementation(dtype: np.dtype[Any], verb: str) -> Callable[..., Any]:
    """Return a game's own function for a verb."""
    return _implementations[dtype][verb]


def _verb(stub: Stub) -> Stub:
    """Make the stub a verb: dispatched by the record's type, at compile time in kernels and at run time in Python."""
    name, signature = stub.__name__, inspect.signature(stub).parameters.values()
    arguments = ", ".join(parameter.name for parameter in signature)
    # Numbers of every width become one, so that a game's answer is compiled once and never overflows in plain Python.
    passed = ", ".join(f"int({p.name})" if p.annotation == "int" else p.name for p in signature)
    scope: dict[str, Any] = {"implementations": _implementations}
    exec(
        f"""
def {name}({arguments}):
    return implementations[position.dtype]["{name}"]({passed})
""",
        scope,
    )
    verb: Stub = scope[name]
    verb.__doc__, verb.__module__ = stub.__doc__, stub.__module__
    dispatch(
        verb,
        lambda kind: (
            _implementations[kind][name] if isinstance(kind, types.Record) and kind in _implementations else None
        ),
    )
    return verb


@_verb
def actor(position: Position) -> int:  # type: ignore[empty-body]
    """The seat that decides now, CHANCE, or NOBODY when the game is over."""


@_verb
def legal(position: Position, moves: Moves) -> int:  # type: ignore[empty-body]
    """Write every legal move of the actor into `moves` and return their number. Chance's are equally likely."""


@_verb
def play(position: Position, move: int) -> None:
    """Make a legal move and resolve everything up to the next decision. The move is trusted: Match checks it."""


@_verb
def play_logged(position: Position, move: int, journal: npt.NDArray[np.int32]) -> None:
    """Play a move as `play` does, noting in the journal what happens."""


@_verb
def finish(position: Position, journal: npt.NDArray[np.int32] | None) -> None:
    """End a game that has lasted too long, here and now, with its usual last count; noted in the journal, if any."""


@_verb
def points(position: Position, seat: int) -> int:  # type: ignore[empty-body]
    """The seat's victory points now; at the end, the final ones."""


@_verb
def standing(position: Position, seat: int) -> int:  # type: ignore[empty-body]
    """A number that orders the seats as the rules rank them, tie-breaks included; equal numbers share a place."""


@_verb
def hide(position: Position, seat: int) -> None:
    """Take out of the position all that this seat may not know; seat -1 is a spectator.

    What is taken out becomes a value that it cannot have: a position that stays as it is has no secrets from the seat.
    """


@_verb
def worth(position: Position, seat: int) -> float:  # type: ignore[empty-body]
    """A simple guess at how good the position is for a seat, in points; reads only what the seat may know."""


@_verb
def guess(position: Position, seat: int, random: Randomness) -> None:
    """Fill in what this seat cannot know, and `hide` took out, with a random choice that fits what it sees."""


@_verb
def features(position: Position, seat: int, out: npt.NDArray[np.float32]) -> int:  # type: ignore[empty-body]
    """Write numbers that describe the seat's prospects into `out`, which holds zeros, for a learned value.

    Returns how many there are, the same for every position; 0 where the game has none.
    """


@_verb
def observe(position: Position, seat: int, out: npt.NDArray[np.int16]) -> None:
    """Write all that a view shows to its seat into `out`, which holds zeros, laid out as the game's `pieces` say."""


@kernel
def _nothing_to_guess(position: Position, seat: int, random: Randomness) -> None:
    pass


@kernel
def _no_features(position: Position, seat: int, out: npt.NDArray[np.float32]) -> int:
    return 0


@kernel
def _nothing_to_observe(position: Position, seat: int, out: npt.NDArray[np.int16]) -> None:
    pass


VERBS = (
    "actor",
    "legal",
    "play",
    "play_logged",
    "finish",
    "points",
    "standing",
    "hide",
    "worth",
    "guess",
    "features",
    "observe",
)
#: What a game without secrets, without a learned value or without interfaces for research need not implement.
DEFAULTS: dict[str, Callable[..., Any]] = {
    "guess": _nothing_to_guess,
    "features": _no_features,
    "observe": _nothing_to_observe,
}
