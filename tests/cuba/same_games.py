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


def digest_of_game(players: int, seed: int) -> str:
    """Of every position, list of legal moves, journal, view, guess and valuation of one random game."""
    game = games.get("cuba")
    position = game.new_position(
        players,
        plantations=("individual", "common")[seed % 3 == 1],
        envoys=seed % 2 == 0,
        count_warehouse=seed % 3 == 0,
    )
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
        seat = seed % players
        total.update(f"{verbs.points(position, seat)} {verbs.standing(position, seat)}".encode())
        viewed = position.copy()
        verbs.hide(viewed, seat)
        total.update(f"{verbs.worth(viewed, seat):.9f}".encode())
        total.update(viewed.tobytes())
        verbs.guess(viewed, seat, random)
        total.update(viewed.tobytes())
    return total.hexdigest()


def digests(games_each: int) -> list[str]:
    return [
        f"{players} {seed} {digest_of_game(players, seed)}" for players in (2, 3, 4, 5) for seed in range(games_each)
    ]


if __name__ == "__main__":
    print("\n".join(digests(int(sys.argv[1]))))
