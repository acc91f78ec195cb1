"""Plays the same seeded random games anywhere and prints a digest of all that happened, one line for each game.

Run as a script, with a game and a number, it shows what the rules do here, compiled or, with NUMBA_DISABLE_JIT=1, as
plain Python.
"""

from __future__ import annotations

import hashlib
import sys

import numpy as np

from malecon import games
from malecon.kernel import verbs
from malecon.kernel.game import Game
from malecon.kernel.journal import new_journal
from malecon.kernel.randomness import below, randomness

MOST_FEATURES = 2_000


def options(game: Game, seed: int) -> dict[str, bool | str]:
    """Every choice of every option turns up within a few seeds, in many combinations."""
    return {
        name: option.choices[seed // (number + 1) % len(option.choices)]
        for number, (name, option) in enumerate(game.options.items())
    }


def digest_of_game(name: str, players: int, seed: int) -> str:
    """Of every position, list of legal moves, journal, view, guess and valuation of one random game."""
    game = games.get(name)
    position = game.new_position(players, **options(game, seed))
    random = randomness(seed, players)
    legal = np.empty(game.most_legal, np.int16)
    total = hashlib.sha256()
    seat = seed % players
    while verbs.actor(position) != verbs.NOBODY:
        count = verbs.legal(position, legal)
        total.update(legal[:count].tobytes())
        move = int(legal[below(random, count)])
        journal = new_journal()
        verbs.play_logged(position, move, journal)
        total.update(journal.tobytes())
        total.update(position.tobytes())
        for other in range(players):
            total.update(f"{verbs.points(position, other)} {verbs.standing(position, other)}".encode())
        for viewer in (seat, -1):
            viewed = position.copy()
            verbs.hide(viewed, viewer)
            total.update(viewed.tobytes())
        verbs.hide(viewed := position.copy(), seat)
        total.update(f"{verbs.worth(viewed, seat):.9f}".encode())
        verbs.guess(viewed, seat, random)
        total.update(viewed.tobytes())
        numbers = np.zeros(MOST_FEATURES, np.float32)
        total.update(numbers[: verbs.features(viewed, seat, numbers)].tobytes())
    return total.hexdigest()


def digests(name: str, games_each: int) -> list[str]:
    """One for each number of players, that many times."""
    players = range(games.get(name).fewest_players, games.get(name).most_players + 1)
    return [f"{many} {seed} {digest_of_game(name, many, seed)}" for many in players for seed in range(games_each)]


if __name__ == "__main__":
    print("\n".join(digests(sys.argv[1], int(sys.argv[2]))))
