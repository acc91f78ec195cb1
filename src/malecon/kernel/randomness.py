"""Random numbers for kernels: a xorshift generator in one `uint64` cell that the caller owns.

No position ever holds one. It uses only shifts and xors, so plain Python computes the very same numbers.
"""

from __future__ import annotations

import operator
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from malecon.kernel.compile import kernel
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say

Randomness = npt.NDArray[np.uint64]

_MASK = (1 << 64) - 1
_13, _7, _17, _32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)
_STEP, _FACTOR_1, _FACTOR_2 = map(np.uint64, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def check_seed(seed: SupportsIndex) -> int:
    """A seed as a number: any integer, also NumPy's; BadSetup for anything else. Only its lowest 64 bits count."""
    if isinstance(seed, bool | np.bool_):
        raise BadSetup(say("a seed is a whole number, not {seed}", seed=repr(seed)[:40]))
    try:
        return operator.index(seed) & _MASK
    except TypeError:
        raise BadSetup(say("a seed is a whole number, not {seed}", seed=repr(seed)[:40])) from None


def mix(seed: int, *path: int) -> int:
    """A 64-bit number, never 0, that depends on every bit of the seed and the path (splitmix64)."""
    state = 0
    for part in (seed, *path):
        state = (state + part + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state or 1


def randomness(seed: int, *path: int) -> Randomness:
    """A generator for a seed; `randomness(7, game)` gives every game of seed 7 its own stream."""
    return np.array([mix(seed, *path)], np.uint64)


def streams(seed: int, first: int, count: int) -> Randomness:
    """The generators `randomness(seed, n)` for n from `first` on, one a cell."""
    return np.array([mix(seed, n) for n in range(first, first + count)], np.uint64)


@kernel
def seeded(seed: int) -> np.uint64:
    """What `randomness(seed, 0)` holds, in kernels; only the lowest 32 bits of the seed count."""
    state = np.uint64(0)
    for part in (np.uint64(seed & 0xFFFFFFFF), np.uint64(0)):
        state = state + part + _STEP
        state = (state ^ (state >> _30)) * _FACTOR_1
        state = (state ^ (state >> _27)) * _FACTOR_2
        state ^= state >> _31
    return state if state else np.uint64(1)


@kernel(inline=True)
def below(random: Randomness, count: int) -> int:
    """A number from 0 to count - 1, all equally likely (the bias is below one in a million million for our counts)."""
    x = random[0]
    x ^= x << _13
    x ^= x >> _7
    x ^= x << _17
    random[0] = x
    return int(((x >> _32) * np.uint64(count)) >> _32)
