"""A match: one game being played, checked and remembered, with its snapshots and its record.

Nothing here says how a match looks, what bots think of it, or who sits at it.
"""

from malecon.kernel.view import LegalMoves, Move, Outcome, Turn, View
from malecon.match.document import LARGEST_FILE
from malecon.match.match import Hint, Match, Record, Score
from malecon.match.setup import LONGEST_NAME, check_names, check_players, check_setup, check_whole

__all__ = [
    "LARGEST_FILE",
    "LONGEST_NAME",
    "Hint",
    "LegalMoves",
    "Match",
    "Move",
    "Outcome",
    "Record",
    "Score",
    "Turn",
    "View",
    "check_names",
    "check_players",
    "check_setup",
    "check_whole",
]
