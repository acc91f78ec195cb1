"""Matches of Santiago de Cuba at all sorts of moments, played at random from fixed seeds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import malecon
from malecon import Match, View


def games(names: Sequence[str] | None = None) -> Iterator[Match]:
    """A few matches, each seen again after every move."""
    for seed, players in enumerate((2, 3, 4, 4)):
        chooser = random.Random(seed)
        given = None if names is None else list(names[:players])
        match = malecon.new("santiago", players=players, seed=seed, names=given, open_screens=seed == 3)
        yield match
        while not match.is_over:
            match.push(chooser.choice(list(match.legal_moves)))
            yield match


def views(every: int = 1) -> Iterator[View]:
    """What the seat to move sees at each `every`-th moment, and a spectator now and then."""
    for number, match in enumerate(games()):
        if number % every == 0 or match.is_over:
            yield match.view(None if match.is_over or number % 5 == 0 else match.turn)


def setups() -> Iterator[View]:
    """The table while chance lays it out and rolls the first dice."""
    match = Match("santiago", players=3)
    chooser = random.Random(7)
    while match.turn == malecon.CHANCE:
        yield match.view(0)
        match.push(chooser.choice(list(match.legal_moves)))
