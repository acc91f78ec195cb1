"""A match: one game being played, checked and kept in its history, with its snapshots, its record and its dice."""

from malecon.kernel.view import History, LegalMoves, Move, Outcome, Turn, View
from malecon.match.match import LARGEST_FILE, Hint, Match, Record, Score
from malecon.match.setup import (
    LONGEST_NAME,
    check_name,
    check_names,
    check_players,
    check_seat,
    check_setup,
    check_whole,
)

__all__ = [
    "LARGEST_FILE",
    "LONGEST_NAME",
    "Hint",
    "History",
    "LegalMoves",
    "Match",
    "Move",
    "Outcome",
    "Record",
    "Score",
    "Turn",
    "View",
    "check_name",
    "check_names",
    "check_players",
    "check_seat",
    "check_setup",
    "check_whole",
]
