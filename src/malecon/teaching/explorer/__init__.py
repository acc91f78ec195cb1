"""The explorer: what was chosen in such a position, how often, and how it ended. From finished games alone.

`explore` answers from the games of self-play that are shipped; a server counts its own in books of the same kind.
"""

from __future__ import annotations

from malecon.teaching.explorer.books import Book, Row, shipped
from malecon.teaching.explorer.reading import OPENING, after, chapters, explore, name_of

__all__ = ["OPENING", "Book", "Row", "after", "chapters", "explore", "name_of", "shipped"]
