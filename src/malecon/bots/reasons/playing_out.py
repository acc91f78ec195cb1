"""Plays out a line: how the game may go on after a move, if every seat then plays what the search advises.

A line begins in one position that its first seat holds possible. Every seat moves by what it could know itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from malecon.bots.history import known_to
from malecon.bots.reasons.game_reasons import game_reasons
from malecon.bots.searcher import Searcher
from malecon.kernel.game import Name
from malecon.kernel.line import Line
from malecon.kernel.randomness import Randomness, below
from malecon.kernel.verbs import CHANCE, Position
from malecon.kernel.view import legal_codes

#: A line is never longer.
MOST_MOVES = 150


def play_out(searcher: Searcher, start: Position, code: int, names: Sequence[Name], chance: Randomness) -> Line:
    """Make a move and go on with what the search thinks best, until the game's horizon is reached."""
    game, line = searcher.game, Line(searcher.game, start, names=names)
    horizon = game_reasons(game).Horizon(line.first_seat)
    while True:
        line.push(code)
        position, turn = line.position, line.turn
        if horizon.reached(line.step(-1).events) or turn is None or len(line) == MOST_MOVES:
            return line
        legal = legal_codes(game, position)
        if len(legal) == 1:
            code = legal[0]
        elif turn == CHANCE:
            code = legal[below(chance, len(legal))]
        else:
            code = searcher.search(known_to(game, position, turn)).best
