"""Plays the same seeded random games anywhere and prints a digest of all that happened, one line for each game.

Run as a script it shows what the rules do here, compiled or, with NUMBA_DISABLE_JIT=1, as plain Python.
"""

from __future__ import annotations

import hashlib
import sys

import numpy as np

from malecon import games
from malecon.kernel import verbs
from malecon.kernel.journal import new_journal
from malecon.kernel.randomness import below, randomness

MOST_FEATURES = 2_000


def digest_of_game(players: int, seed: int) -> str:
    """Of every position, list of legal moves, journal, view and valuation of one random game, chance included."""
    game = games.get("santiago")
    position = game.new_position(players, open_screens=seed % 5 == 0)
    random = randomness(seed, players)
    legal = np.empty(game.most_legal, np.int16)
    total = hashlib.sha256()
    while verbs.actor(position) != verbs.NOBODY:
        count = verbs.legal(position, legal)
        total.update(legal[:count].tobytes())
        move = int(legal[below(random, count)])
        journal = new_journal()
        verbs.narrate(position, move, journal)
        total.update(journal.tobytes())
        total.update(position.tobytes())
        for seat in range(players):
            total.update(f"{verbs.points(position, seat)} {verbs.standing(position, seat)}".encode())
            total.update(f"{verbs.worth(position, seat):.9f}".encode())
        viewed = position.copy()
        verbs.hide(viewed, seed % (players + 1) - 1)
        total.update(viewed.tobytes())
        seat = seed % players
        guessed = position.copy()
        verbs.hide(guessed, seat)
        verbs.guess(guessed, seat, random)
        total.update(guessed.tobytes())
        numbers = np.zeros(MOST_FEATURES, np.float32)
        total.update(numbers[: verbs.features(guessed, seat, numbers)].tobytes())
    return total.hexdigest()


def digests(games_each: int) -> list[str]:
    return [f"{players} {seed} {digest_of_game(players, seed)}" for players in (2, 3, 4) for seed in range(games_each)]


if __name__ == "__main__":
    print("\n".join(digests(int(sys.argv[1]))))
