"""The board of a game in the terminal: the game's own, or a plain table of the position."""

from __future__ import annotations

from typing import cast

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from malecon.kernel import registry, verbs
from malecon.kernel.phrases import say
from malecon.match import View
from malecon.text import translate
from malecon.text.game_text import holdings


def board(view: View, language: str) -> RenderableType:
    """Return the board as the view's seat sees it."""
    own = registry.component(view.game.name, "terminal")
    return plain_board(view, language) if own is None else cast(RenderableType, own.board(view, language))


def plain_board(view: View, language: str) -> RenderableType:
    """Return a table of the position: what all share, then a column for each seat."""
    shared, own = holdings(view.game, view.position, len(view.names))
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for name in view.names:
        table.add_column(translate(name, language), justify="right")
    for title, texts in own:
        table.add_row(title, *texts)
    if "points" not in (view.game.dtype.names or ()):
        points = (str(verbs.points(view.position, seat)) for seat in range(len(view.names)))
        table.add_row(Text(translate(say("points"), language), "bold"), *points)
    return Group(Text(view.game.title, "bold"), *(Text(f"{name}: {text}") for name, text in shared), table)
