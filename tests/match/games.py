"""Games for the tests of Match, as far as they are to go."""

import malecon
from malecon import Match


def play_on(match: Match, decisions: int) -> Match:
    """This number of moves of players who take the last one of the list: they rather pass than do anything."""
    for _ in range(decisions):
        if match.is_over:
            break
        match.push(match.legal_moves[-1])
    return match


def first_drive(**more) -> Match:
    """A game of three in which the starting player is about to drive with 3 pesos."""
    match = malecon.new("santiago", players=3, seed=1, **more)
    match.push(match.legal_moves[0])  # the first demand
    return match
