"""Matches at all sorts of moments, played at random from fixed seeds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import malecon
import malecon.games
from malecon import Match, View

#: Moves that random players would make too seldom: with them there is something to see.
LIKED = {"santiago": (), "cuba": ("build", "on ", "use", "store", "make", "veto", "call", "ship")}


def _options(game: str, seed: int) -> dict[str, bool | str]:
    if game == "santiago":
        return {"open_screens": seed == 3}
    return {"envoys": seed % 2 == 1, "plantations": "common" if seed == 2 else "individual"}


def choose(match: Match, chooser: random.Random) -> malecon.Move:
    legal = list(match.legal_moves)
    liked = [move for move in legal if str(move).startswith(LIKED[match.game.name])]
    return chooser.choice(liked if liked and chooser.random() < 0.7 else legal)


def games(game: str, names: Sequence[str] | None = None, seeds: Sequence[int] = range(4)) -> Iterator[Match]:
    """A few matches, each seen again after every move."""
    for seed in seeds:
        chooser, players = random.Random(seed), min(2 + seed, malecon.games.get(game).most_players)
        given = None if names is None else list(names[:players])
        match = malecon.new(game, players=players, seed=seed, names=given, **_options(game, seed))
        yield match
        while not match.is_over:
            match.push(choose(match, chooser))
            yield match


def views(game: str, every: int = 1) -> Iterator[View]:
    """What the seat to move sees at each `every`-th moment, and a spectator now and then."""
    for number, match in enumerate(games(game)):
        if number % every == 0 or match.is_over:
            yield match.view(None if match.is_over or number // every % 5 == 4 else match.turn)


def setups(game: str) -> Iterator[View]:
    """The table while chance lays it out, and players choose what they start with."""
    match = Match(game, players=3)
    chooser = random.Random(7)
    while match.phase not in ("drive", "card"):
        if match.turn == malecon.CHANCE:
            yield match.view(0)
        match.push(chooser.choice(list(match.legal_moves)))
