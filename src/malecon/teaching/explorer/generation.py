"""Plays the games that the shipped books of the explorer are made of: the search against itself.

    python -m malecon.teaching.explorer.generation cuba --games 2000 --seed 1 --jobs 2

The first decisions of a game are drawn in proportion to how often the search tried each move, so that other openings
than the favourite are seen as well; after that everybody plays their best.
"""

from __future__ import annotations

import argparse
from bisect import bisect_right
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from malecon.bots.history import known_to
from malecon.bots.searcher import Searcher, SearchResult
from malecon.bots.specs import parse
from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.kernel.randomness import Randomness, below, mix, randomness
from malecon.match import Match
from malecon.simulation.workers import spread
from malecon.teaching.explorer import books
from malecon.teaching.explorer.books import Book
from malecon.teaching.explorer.choices import read_match

BOT = "search:sims=40"
#: The number of decisions in a game that are drawn.
DRAWN = 16
#: Games in a task.
CHUNK = 25
#: Questions at which fewer choices were made are not shipped.
FEWEST = 8


@dataclass(frozen=True)
class ExplorerTask:
    """Some games with one number of players."""

    game: str
    players: int
    seed: int
    first: int
    count: int


def play(task: ExplorerTask) -> Book:
    """Play and count the games of a task. The same task always gives the same book."""
    readiness.wait(task.game)
    book = Book(task.players)
    for number in range(task.first, task.first + task.count):
        match = play_game(task.game, task.players, mix(task.seed, task.players, number))
        assert match.outcome is not None
        book.count(read_match(match), match.outcome.places)
    return book


def play_game(game: str, players: int, seed: int) -> Match:
    """Play a game of the search against itself."""
    match = Match(game, players, seed=seed)
    searcher, random, decisions = Searcher(match.game, players, parse(BOT).plan, seed), randomness(seed, 1), 0
    while match.turn is not None:
        if len(match.legal_moves) == 1:
            match.push(match.legal_moves[0])
            continue
        result = searcher.search(known_to(match.game, match.position, match.turn))
        code = _draw(result, random) if decisions < DRAWN else result.best
        decisions += 1
        match.push(match.game.notation.name(code))
    return match


def _draw(result: SearchResult, random: Randomness) -> int:
    """Draw a move in proportion to how often the search tried each."""
    up_to = list(accumulate(result.visits))
    return result.codes[bisect_right(up_to, int(below(random, up_to[-1])))] if up_to[-1] else result.best


def make(
    game: str,
    count: int,
    *,
    seed: int = 1,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, all_: None,
) -> list[Book]:
    """Play `count` games with every number of players; return a book for each, and call `progress` on the way."""
    if count < 1:
        raise BadSetup(say("at least one game is needed"))
    rules = registry.get(game)
    all_books = {players: Book(players) for players in range(rules.fewest_players, rules.most_players + 1)}
    tasks = [
        ExplorerTask(game, players, seed, first, min(CHUNK, count - first))
        for first in range(0, count, CHUNK)
        for players in all_books
    ]
    with closing(spread(play, tasks, jobs=jobs)) as played:
        for book in played:
            all_books[book.players].add(book)
            progress(sum(other.games for other in all_books.values()), count * len(all_books))
    return list(all_books.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=registry.names())
    parser.add_argument("--games", type=int, default=1000, help="with every number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--file", type=Path, help="somewhere else than among what is shipped")
    chosen = parser.parse_args()
    file = chosen.file or books.shipped_file(chosen.game)
    if file is None:
        parser.error(f"{chosen.game} is a single module: say where with --file")
    tell = lambda done, total: print(f"{done} of {total} games", end="\r", flush=True)  # noqa: E731
    all_books = make(chosen.game, chosen.games, seed=chosen.seed, jobs=chosen.jobs, progress=tell)
    books.write(chosen.game, BOT, chosen.seed, all_books, file, FEWEST)
    print(f"{file}: {sum(book.games for book in all_books)} games, {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
