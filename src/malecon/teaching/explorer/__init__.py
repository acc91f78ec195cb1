"""The explorer: which choices were made in finished games, how often, and how often those who made them won.

`explore` reads the shipped games of self-play; a server counts its own games in books of the same kind.
"""

from __future__ import annotations

from malecon.teaching.explorer.books import Book, OptionStatistics, shipped
from malecon.teaching.explorer.choices import OPENING, after, explore, name_of, tables

__all__ = ["OPENING", "Book", "OptionStatistics", "after", "explore", "name_of", "shipped", "tables"]
