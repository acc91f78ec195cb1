"""What tests of words share: looking into phrases, and random games told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from malecon import games
from malecon.kernel.phrases import Phrase
from malecon.kernel.randomness import below, randomness
from malecon.match import Match
from malecon.text import tell, translate
from malecon.text.extract import CatalogMessage

GAME = games.get("santiago")


def inner(phrase: Phrase | str | int) -> Iterator[Phrase]:
    """A phrase and all the phrases in its gaps."""
    if isinstance(phrase, Phrase):
        yield phrase
        for gap in phrase.gaps.values():
            yield from inner(gap)


def messages_of(phrase: Phrase) -> set[CatalogMessage]:
    return {CatalogMessage(part.context, part.text, part.plural) for part in inner(phrase)}


def lines(match: Match, index: int = -1, language: str = "en") -> list[str]:
    """What the last move did, or another."""
    return [translate(line, language) for line in tell(match, range(len(match))[index])]


def random_match(
    seed: int,
    players: int,
    names: Sequence[str | None] | None = None,
    game: str = "santiago",
    **options: bool | str,
) -> Match:
    """A whole game of random moves."""
    match, random = Match(game, players, seed=seed, names=names, options=options), randomness(seed)
    while not match.is_over:
        moves = match.legal_moves
        match.push(moves[below(random, len(moves))])
    return match
