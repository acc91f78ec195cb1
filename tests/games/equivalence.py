"""Prints digests of games, journals, records, snapshots and searches: `python -m tests.games.equivalence 1000 200`.

Two checkouts that print the same play the same. The arguments are the numbers of games and of searches of each game.
"""

from __future__ import annotations

import argparse
import hashlib
import random

import malecon
from malecon import bots, games
from tests.games.same_games import options

SPEC = "search:sims=400"
#: Searches are made at some positions of every fifth game.
SEARCHED_GAMES = 5
SEARCHED_SHARE = 0.02
LINE_EVERY = 100


def digest_of_match(match: malecon.Match, seed: int, kept: list[tuple[int, malecon.Match]]) -> bytes:
    """Play a match to its end at random, and digest everything about it; keep copies of some of its positions."""
    chooser, digest = random.Random(seed), hashlib.sha256()
    while match.turn is not None:
        legal = [str(move) for move in match.legal_moves]
        digest.update(" ".join(legal).encode())
        digest.update(match.phase.encode())
        if seed % SEARCHED_GAMES == 0 and chooser.random() < SEARCHED_SHARE:
            kept.append((seed, match.copy()))
        match.push(chooser.choice(legal))
    for index in range(len(match)):
        digest.update(repr([tuple(event) for event in match.events(index)]).encode())
    digest.update(match.record().to_json().encode())
    digest.update(match.to_bytes())
    digest.update(
        repr([(score.seat, score.points, sorted(score.breakdown.items())) for score in match.scores]).encode()
    )
    digest.update(repr(match.outcome).encode())
    return digest.digest()


def digest_of_searches(positions: list[tuple[int, malecon.Match]]) -> str:
    """Digest the moves, visits and chances that a search finds at these positions."""
    digest = hashlib.sha256()
    for seed, match in positions:
        bot = bots.make(SPEC, seed)
        assert isinstance(bot, bots.SearchBot)
        result = bot.evaluate(match.view(match.turn))
        chances = [round(chance, 12) for chance in result.chances]
        digest.update(repr((list(result.codes), list(result.visits), chances)).encode())
    return digest.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int)
    parser.add_argument("searches", type=int)
    arguments = parser.parse_args()
    for name in games.names():
        game = games.get(name)
        players = range(game.fewest_players, game.most_players + 1)
        total, kept = hashlib.sha256(), list[tuple[int, malecon.Match]]()
        for seed in range(arguments.games):
            match = malecon.new(name, players[seed % len(players)], seed=seed, **options(game, seed))
            total.update(digest_of_match(match, seed, kept))
            if seed % LINE_EVERY == LINE_EVERY - 1:
                print(name, seed + 1, total.hexdigest()[:16], flush=True)
        chosen = kept[:: max(1, len(kept) // arguments.searches)][: arguments.searches]
        print(name, len(chosen), "searches", digest_of_searches(chosen)[:16], flush=True)


if __name__ == "__main__":
    main()
