"""Santiago de Cuba studied: what `study` asks of a game."""

from malecon.study.santiago.chapters import all_chapters, assumed, findings
from malecon.study.santiago.subject import SUBJECT

__all__ = ["SUBJECT", "all_chapters", "assumed", "findings"]
