"""Random numbers: uniform, repeatable, and the same with and without the compiler."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from malecon.kernel.randomness import below, mix, randomness, streams

DRAW = """
import json
from malecon.kernel.randomness import below, randomness
random = randomness(2011, 7)
print(json.dumps([int(below(random, count)) for count in range(1, 400)] + [int(random[0])]))
"""


def draws(seed: int, count: int, number: int) -> np.ndarray:
    random = randomness(seed)
    return np.array([below(random, count) for _ in range(number)])


@pytest.mark.parametrize("count", [2, 3, 5, 6, 9, 12, 230])
def test_every_outcome_is_equally_likely(count):
    number = 200 * count
    seen = np.bincount(draws(seed=42, count=count, number=number), minlength=count)
    assert len(seen) == count  # none out of range
    chi_square = float(((seen - 200) ** 2 / 200).sum())
    freedom = count - 1
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5 + 5  # five deviations from what chance gives


def test_the_first_draw_of_neighbouring_seeds_is_uniform_too():
    seen = np.bincount([below(randomness(seed), 6) for seed in range(6_000)], minlength=6)
    assert seen.min() > 850
    assert seen.max() < 1150


def test_one_draw_tells_nothing_of_the_next():
    values = draws(seed=5, count=6, number=18_000)
    pairs = np.bincount(values[:-1] * 6 + values[1:], minlength=36)
    assert pairs.min() > 380
    assert pairs.max() < 620


def test_one_outcome_is_no_choice():
    assert set(draws(1, 1, 50)) == {0}


def test_the_same_seed_draws_the_same_numbers():
    assert (draws(9, 12, 100) == draws(9, 12, 100)).all()
    assert (draws(9, 12, 100) != draws(10, 12, 100)).any()


def test_plain_python_draws_the_same_numbers():
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", DRAW],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    random = randomness(2011, 7)
    assert json.loads(plain.stdout) == [below(random, count) for count in range(1, 400)] + [int(random[0])]


GOLDEN_GAMMA = 0x9E3779B97F4A7C15  # of splitmix64: the seed whose complement would mix to 0


@given(st.integers(-(2**64), 2**65), st.lists(st.integers(0, 2**64), max_size=3))
@example(2**64 - GOLDEN_GAMMA, [])
@example(-GOLDEN_GAMMA, [])
def test_mix_is_a_64_bit_number_and_never_0(seed, path):
    assert 0 < mix(seed, *path) < 2**64


def test_the_one_seed_that_would_mix_to_0_becomes_1():
    assert mix(2**64 - GOLDEN_GAMMA) == 1


def test_mix_tells_seeds_and_paths_apart():
    seeds = {mix(seed) for seed in range(1_000)}
    paths = {mix(7, game) for game in range(1_000)}
    assert len(seeds | paths) == 2_000
    assert mix(1, 2) != mix(2, 1)
    assert mix(1) != mix(1, 0)


@pytest.mark.parametrize("bit", range(64))
def test_every_bit_of_the_seed_matters(bit):
    changed = mix(12345) ^ mix(12345 ^ 1 << bit)
    assert 12 <= changed.bit_count() <= 52  # about half of the bits


def test_streams_are_the_generators_of_many_games():
    assert streams(7, 3, 4).tolist() == [int(randomness(7, n)[0]) for n in (3, 4, 5, 6)]


def test_the_generator_never_gets_stuck():
    random = randomness(3)
    states = set()
    for _ in range(5_000):
        below(random, 6)
        states.add(int(random[0]))
    assert len(states) == 5_000
    assert 0 not in states
