"""The record of a match, for all who keep, read or verify one. A match and its record make each other in `match`."""

from malecon.match.document import FORMAT, LARGEST_FILE, MOST_MOVES
from malecon.match.match import Record

__all__ = ["FORMAT", "LARGEST_FILE", "MOST_MOVES", "Record"]
