"""Cuba studied: what `study` asks of a game."""

from malecon.study.cuba.chapters import all_chapters, assumed, findings
from malecon.study.cuba.subject import SUBJECT

__all__ = ["SUBJECT", "all_chapters", "assumed", "findings"]
