"""Positions for the engine in a page: what a seat knows as a block, the labels of its moves, and lines in words."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from malecon.bots.engine.block import block_for, block_of
from malecon.bots.history import known_to
from malecon.kernel.game import Game, Name
from malecon.kernel.playing import make_move
from malecon.kernel.positions import as_array
from malecon.kernel.verbs import Position
from malecon.kernel.view import View, legal_codes, turn_of
from malecon.text import translate
from malecon.text.game_text import text_of

#: Lines that a page asks the words of at once, and moves of each: as many as it shows.
MOST_LINES = 5
LONGEST_LINE = 12


def open_position(view: View, language: str, lines: str) -> dict[str, Any] | None:
    """Return a position in which nothing is secret any more, as the seat to move knew it; None if no seat decides.

    `lines` is the address that turns lines into words. Only for finished games and analyses.
    """
    turn = view.turn
    if turn is None or turn < 0:
        return None
    block = block_of(view.game, len(view.names), known_to(view.game, view.position, turn), turn)
    return {"block": b64encode(block).decode(), "labels": _labels(view, language), "lines": lines}


def own_position(view: View, language: str) -> dict[str, Any]:
    """Return the position of a view, whose seat is to move, and nothing that its seat does not know."""
    return {"block": b64encode(block_for(view)).decode(), "labels": _labels(view, language)}


def _labels(view: View, language: str) -> dict[str, str]:
    game, position = view.game, view.position
    codes = legal_codes(game, position)
    return {game.notation.name(code): _label(game, position, code, view.names, language) for code in codes}


def _label(game: Game, position: Position, code: int, names: Sequence[Name], language: str) -> str:
    return translate(text_of(game).describe_move(position, code, names), language)


def lines_in_words(view: View, lines: Sequence[Sequence[str]], language: str) -> list[list[dict[str, Any]]]:
    """Return who makes each move of some lines (chance is -1), and its label.

    A line ends before the first move that is not possible: the engine guesses what the seat to move did not know.
    """
    return [_line_in_words(view, line, language) for line in lines]


def _line_in_words(view: View, line: Sequence[str], language: str) -> list[dict[str, Any]]:
    cells = as_array(view.position)
    words: list[dict[str, Any]] = []
    for text in line:
        turn, code = turn_of(cells[0]), view.game.notation.code(text)
        if turn is None or code not in legal_codes(view.game, cells[0]):
            break
        words.append({"seat": turn, "label": _label(view.game, cells[0], code, view.names, language)})
        make_move(cells[0], code, len(words))
    return words
