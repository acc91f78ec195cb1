"""Which board is drawn for which game: the module of `terminal` that bears the game's name draws it."""

from __future__ import annotations

import importlib

from rich.console import RenderableType

from malecon.match import View


def board(view: View, language: str) -> RenderableType:
    """The table as the view's seat sees it."""
    drawn: RenderableType = importlib.import_module(f"malecon.terminal.{view.game.name}").board(view, language)
    return drawn
