"""Santiago de Cuba studied: what `study` asks of a game."""

from malecon.games.santiago.study.chapters import all_chapters, assumed, findings
from malecon.games.santiago.study.subject import SUBJECT

__all__ = ["SUBJECT", "all_chapters", "assumed", "findings"]
