"""The drawings of a rules page: parts of its example game, played on the engine up to a scene, and its tiles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring, tostring

from malecon import drawing
from malecon.kernel import registry
from malecon.match import Match
from malecon.text import Example, ExampleGame, Picture, translate
from malecon.text import glossary as text_glossary
from malecon.text import rulebook as text_rulebook

#: How wide a tile is, and the shortest group of a drawing that is worth drawing once for all.
TILE, LEAST_SHARED = 96, 100


class RulesDrawings(NamedTuple):
    """What a rules page shows, as SVG: pictures of its examples, and tiles by their kind and key."""

    pictures: Mapping[Picture, str]
    tiles: Mapping[tuple[str, str], str]


def played(name: str, scene: str) -> Match:
    """The example game of a game's rules page, played up to a scene; every move is checked."""
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
def drawings(name: str, language: str) -> RulesDrawings:
    """Every drawing of a rules page, in the order they stand there: what several are made of is in the first only."""
    rulebook, glossary = text_rulebook(registry.get(name)), text_glossary(registry.get(name))
    assert rulebook is not None
    parts = [part for chapter in rulebook.chapters for part in chapter.paragraphs]
    pictures = [shown for part in parts if isinstance(part, Example) for shown in part.pictures]
    tiles = [(kind, key) for kind in rulebook.kinds for key in glossary.get(kind, ())]
    drawn: dict[Picture | tuple[str, str], Element] = {}
    for shown in pictures:
        drawn[shown] = fromstring(_picture(name, shown, language))
    for kind, key in tiles:
        if tile := drawing.tile(name, kind, key, language, TILE):
            drawn[kind, key] = _silent(fromstring(tile))
    shared: dict[str, Element] = {}
    for one in drawn.values():
        _group_insides(one)
        _share(one, shared)
    found = {one: tostring(svg, encoding="unicode").replace(" />", "/>") for one, svg in drawn.items()}
    return RulesDrawings({one: found[one] for one in pictures}, {one: found.get(one, "") for one in tiles})


def _picture(name: str, shown: Picture, language: str) -> str:
    view, told = played(name, shown.scene).view(shown.seat), translate(shown.description, language)
    return drawing.detail(view, language, shown.parts, told, marked=shown.marked, offers=shown.offers)


def _silent(tile: Element) -> Element:
    """A tile beside its name and text: read aloud, it would say both twice."""
    for name in ("role", "aria-label"):
        tile.attrib.pop(name, None)
    tile.set("aria-hidden", "true")
    return tile


def _group_insides(drawn: Element) -> None:
    """Gather what is inside each inner drawing: a house is the same at any place and size."""
    for inner in drawn.iter("svg"):
        if inner is not drawn and len(inner) > 1:
            group = Element("g")
            group[:] = inner[:]
            inner[:] = [group]


def _share(drawn: Element, shared: dict[str, Element]) -> None:
    """Replace groups and symbols that are drawn already by a reference to the first of them."""
    for place, part in reversed([*enumerate(drawn)]):
        text = tostring(part, encoding="unicode")
        first = shared.get(text)
        if first is None:
            if part.tag in ("g", "symbol") and len(text) >= LEAST_SHARED:
                shared[text] = part
            _share(part, shared)
            continue
        del drawn[place]
        if part.tag == "g":
            first.set("id", first.get("id") or f"m-example-{[*shared].index(text)}")
            drawn.insert(place, Element("use", href=f"#{first.get('id')}"))
