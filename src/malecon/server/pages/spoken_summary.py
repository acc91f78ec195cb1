"""A summary of the table in sentences, for screen readers."""

from __future__ import annotations

from malecon.kernel.common import naming
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.match import View
from malecon.server.pages import table_view
from malecon.server.pages.table_view import Perspective
from malecon.server.tables.table import Table
from malecon.text import chapter as text_chapter
from malecon.text import sentence, translate
from malecon.text import summary as text_summary
from malecon.text.lists import commas

#: The latest lines of the log that a summary repeats.
MOST_NEWS = 12


def summary(table: Table, view: View, where: Perspective, language: str) -> list[str]:
    """Return whose turn it is, how far the game is, who leads if known, and what happened since the last move."""
    chapter = text_chapter(view)
    phrases: list[Phrase] = [table_view.prompt(table, view, where)]
    phrases += [chapter] if chapter is not None else []
    phrases += [*_leaders(view), *text_summary(view)]
    lines = [sentence(line, language) for line in phrases]
    news = [line for entry in table_view.log(table, view, language, _since(view, where.seat)) for line in entry.lines]
    if news:
        lines += [translate(say("Since your last move:"), language), *news[-MOST_NEWS:]]
    return lines


def _leaders(view: View) -> list[Phrase]:
    """Return who leads, if everybody's points are known."""
    points = [int(view.position.points[seat]) for seat in range(len(view.names))]
    if min(points) < 0:
        return [say("Points are behind the screens.")]
    leaders: list[Name] = [view.names[seat] for seat, have in enumerate(points) if have == max(points)]
    return [say("Ahead: {who}, with {points}", who=commas(leaders), points=naming.points(max(points)))]


def _since(view: View, seat: int | None) -> int:
    """Return the move after the viewer's last one that others followed; for a spectator, a recent one."""
    answered = False
    for number in range(len(view.history) - 1, -1, -1):
        mover = view.history[number].seat
        if mover == seat and answered:
            return number + 1
        answered |= mover >= 0 and mover != seat
    return max(0, len(view.history) - MOST_NEWS)
