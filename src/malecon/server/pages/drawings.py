"""The drawings of pages: the board and its places to click, animations after a move, the pictures of rules pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, fromstring, tostring

from markupsafe import Markup

from malecon import drawing
from malecon.drawing import seats, svg
from malecon.drawing.palette import PAGE
from malecon.kernel import registry
from malecon.kernel.game import Name
from malecon.kernel.journal import events, new_journal
from malecon.kernel.playing import make_logged_move
from malecon.match import Match, Move, View
from malecon.text import Example, ExampleGame, Picture, translate
from malecon.text import glossary as text_glossary
from malecon.text import rulebook as text_rulebook

#: The colour of the bar above a page, for the browser's own bar.
THEME_COLOUR = PAGE["ink"].day
PART_MARK, ITEM_MARK, as_part = svg.PART_MARK, svg.ITEM_MARK, svg.as_part
Targets = Mapping[str, list[Move]]
#: Moves that came together and are animated together; more could not be followed.
MOST_MOVES = 12
MOST_FLIGHTS = 14
#: The width of a tile on a rules page.
TILE_WIDTH = 96
#: The length of the shortest SVG group that is drawn once and then referred to.
LEAST_SHARED = 100


@cache
def style_sheet() -> str:
    """Return the colours and typefaces of pages, and the style of the drawings of all games."""
    return drawing.PAGE_STYLE + drawing.STYLE + drawing.movers()


def targets(view: View) -> Targets:
    """Return the legal moves of the view's seat by the place where they can be clicked; "" for those without one."""
    return drawing.targets(view)


def moves_at(view: View, place: str) -> list[Move]:
    """Return every move of the game, legal or not, that would be made at a place in this position."""
    moves = []
    for code, text in enumerate(view.game.notation.names()):
        try:
            fits = place in drawing.places(view, code)
        except IndexError:  # chance's moves have no place
            break
        if fits:
            moves.append(Move(view.game.name, text))
    return moves


def board(view: View, language: str, glowing: Targets, layout: str) -> Markup:
    return Markup(drawing.board(view, language, glowing, layout))


def panel(view: View, seat: int, language: str, glowing: Targets) -> Markup:
    return Markup(drawing.panel(view, seat, language, glowing))


def board_and_panels(view: View, language: str, glowing: Targets, layout: str) -> tuple[str, list[Markup]]:
    board, panels = drawing.board_and_panels(view, language, glowing, layout)
    return board, [Markup(panel) for panel in panels]


def close_up(view: View, seat: int, language: str, layout: str) -> Markup:
    return Markup(drawing.close_up(view, seat, language, layout))


def symbol(key: str, size: int) -> Markup:
    return Markup(drawing.symbol(key, size))


def tile(game: str, kind: str, key: str, language: str) -> Markup:
    """Return a tile of a rules page."""
    return Markup(rules_drawings(game, language).tiles[kind, key])


def picture(game: str, example: Picture, language: str) -> Markup:
    """Return a picture of a rules page."""
    return Markup(rules_drawings(game, language).pictures[example])


def initials(names: Sequence[Name], language: str) -> list[str]:
    """Return the initial of each seat, for its pieces and its badge."""
    return seats.initials([translate(name, language) for name in names])


@cache
def sheet() -> Markup:
    """Return the definitions of symbols, needed once on every page that shows any."""
    return Markup(drawing.symbols_sheet())


def flights(match: Match, view: View, since: int, until: int | None = None) -> list[dict[str, Any]]:
    """Return the animations of moves from a number on, up to another or the last; a move still face down has none."""
    until = len(match) if until is None else until
    flown: list[drawing.Flight] = []
    for number in range(max(since, until - MOST_MOVES), until):
        move = view.history[number].move
        if move is not None:
            before, journal = match.position_after(number), new_journal()
            after = before.copy()
            make_logged_move(after, move.code, number, journal)
            flown += drawing.flights(view, before, after, move.code, events(journal))
    return [asdict(flight) for flight in flown[-MOST_FLIGHTS:]]


# --- rules pages


class RulesDrawings(NamedTuple):
    """What a rules page shows, as SVG: pictures of its examples, and tiles by their kind and key."""

    pictures: Mapping[Picture, str]
    tiles: Mapping[tuple[str, str], str]


def example_match(name: str, scene: str) -> Match:
    """Return the example game of a rules page, played up to a scene; every move is checked."""
    game = _example_game(name)
    match = Match(name, len(game.names), names=game.names, options=dict(game.options))
    for move in game.moves(scene):
        match.push(move)
    return match


def _example_game(name: str) -> ExampleGame:
    rulebook = text_rulebook(registry.get(name))
    if rulebook is None or rulebook.example_game is None:
        raise LookupError(f"the rules page of {name} has no example game")
    return rulebook.example_game


@cache
def rules_drawings(name: str, language: str) -> RulesDrawings:
    """Return the drawings of a rules page. Groups that several of them contain are in the first of the page only."""
    rulebook, glossary = text_rulebook(registry.get(name)), text_glossary(registry.get(name))
    assert rulebook is not None
    parts = [part for chapter in rulebook.chapters for part in chapter.paragraphs]
    pictures = [picture for part in parts if isinstance(part, Example) for picture in part.pictures]
    tiles = [(kind, key) for kind in rulebook.kinds for key in glossary.get(kind, ())]
    elements: dict[Picture | tuple[str, str], Element] = {}
    for picture in pictures:
        elements[picture] = fromstring(_picture(name, picture, language))
    for kind, key in tiles:
        if tile := drawing.tile(name, kind, key, language, TILE_WIDTH):
            elements[kind, key] = _silent(fromstring(tile))
    shared: dict[str, Element] = {}
    for element in elements.values():
        _group_insides(element)
        _share(element, shared)
    svgs = {
        element: tostring(element_svg, encoding="unicode").replace(" />", "/>")
        for element, element_svg in elements.items()
    }
    return RulesDrawings(
        {element: svgs[element] for element in pictures}, {element: svgs.get(element, "") for element in tiles}
    )


def _picture(name: str, picture: Picture, language: str) -> str:
    view, description = example_match(name, picture.scene).view(picture.seat), translate(picture.description, language)
    return drawing.detail(view, language, picture.parts, description, marked=picture.marked, offers=picture.offers)


def _silent(tile: Element) -> Element:
    """Hide a tile from screen readers: its name and text are beside it."""
    for name in ("role", "aria-label"):
        tile.attrib.pop(name, None)
    tile.set("aria-hidden", "true")
    return tile


def _group_insides(svg: Element) -> None:
    """Put the content of each inner drawing into a group: a building is the same at any place and size."""
    for inner in svg.iter("svg"):
        if inner is not svg and len(inner) > 1:
            group = Element("g")
            group[:] = inner[:]
            inner[:] = [group]


def _share(svg: Element, shared: dict[str, Element]) -> None:
    """Replace groups and symbols that have occurred before by a reference to the first of them."""
    for place, part in reversed([*enumerate(svg)]):
        text = tostring(part, encoding="unicode")
        first = shared.get(text)
        if first is None:
            if part.tag in ("g", "symbol") and len(text) >= LEAST_SHARED:
                shared[text] = part
            _share(part, shared)
            continue
        del svg[place]
        if part.tag == "g":
            first.set("id", first.get("id") or f"m-example-{[*shared].index(text)}")
            svg.insert(place, Element("use", href=f"#{first.get('id')}"))
