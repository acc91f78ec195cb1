"""Cuba studied: what `study` asks of a game."""

from malecon.games.cuba.study.chapters import all_chapters, assumed, findings
from malecon.games.cuba.study.subject import SUBJECT

__all__ = ["SUBJECT", "all_chapters", "assumed", "findings"]
