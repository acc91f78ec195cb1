"""The drawings as the pages use them: safe markup, what belongs to a place on the board, what flies after a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from markupsafe import Markup

from malecon import drawing
from malecon.drawing import seats, svg
from malecon.drawing.palette import PAGE
from malecon.kernel.game import Name
from malecon.kernel.journal import events, new_journal
from malecon.kernel.playing import make_logged_move
from malecon.match import Match, Move, View
from malecon.server.pages import examples
from malecon.text import Picture, translate

#: The colour of the bar above a page, for the browser's own bar.
THEME_COLOUR = PAGE["ink"].day
PART_MARK, as_part = svg.PART_MARK, svg.as_part
Targets = Mapping[str, list[Move]]
#: What came in one go is shown in one go; of more than this nobody could follow anything.
MOST_MOVES, MOST_FLIGHTS = 12, 14


@cache
def style_sheet() -> str:
    """Return the colours and typefaces of pages, and the style of the drawings of all games."""
    return drawing.PAGE_STYLE + drawing.STYLE + drawing.movers()


def targets(view: View) -> Targets:
    """Where on the board each legal move of the view's seat can be clicked; under "" those that have no place."""
    return drawing.targets(view)


def moves_at(view: View, place: str) -> list[Move]:
    """Every move of the game, legal or not, that would be made at a place in this position."""
    found = []
    for code, text in enumerate(view.game.notation.names()):
        try:
            fits = place in drawing.places(view, code)
        except IndexError:  # chance's moves have no place
            break
        if fits:
            found.append(Move(view.game.name, text))
    return found


def board(view: View, language: str, glowing: Targets, layout: str) -> Markup:
    return Markup(drawing.board(view, language, glowing, layout))


def panel(view: View, seat: int, language: str, glowing: Targets) -> Markup:
    return Markup(drawing.panel(view, seat, language, glowing))


def close_up(view: View, seat: int, language: str, layout: str) -> Markup:
    return Markup(drawing.close_up(view, seat, language, layout))


def symbol(key: str, size: int) -> Markup:
    return Markup(drawing.symbol(key, size))


def tile(game: str, kind: str, key: str, language: str) -> Markup:
    """A tile of a rules page."""
    return Markup(examples.drawings(game, language).tiles[kind, key])


def picture(game: str, shown: Picture, language: str) -> Markup:
    """A picture of a rules page."""
    return Markup(examples.drawings(game, language).pictures[shown])


def initials(names: Sequence[Name], language: str) -> list[str]:
    """What stands for each seat on its pieces, and on its badge."""
    return seats.initials([translate(name, language) for name in names])


def sheet() -> Markup:
    """What symbols are drawn from; once on every page that shows any."""
    return Markup(drawing.symbols_sheet())


def flights(match: Match, view: View, since: int, until: int | None = None) -> list[dict[str, Any]]:
    """The flights of the moves from a number on, up to another or the last; a move still face down shows none."""
    until = len(match) if until is None else until
    found: list[drawing.Flight] = []
    for number in range(max(since, until - MOST_MOVES), until):
        move = view.history[number].move
        if move is not None:
            before, journal = match.everything(number).position, new_journal()
            after = before.copy()
            make_logged_move(after, move.code, number, journal)
            found += drawing.flights(view, before, after, move.code, events(journal))
    return [asdict(flight) for flight in found[-MOST_FLIGHTS:]]
