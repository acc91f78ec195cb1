"""The examples of a rules page drawn: its example game is played on the engine up to a scene, and parts of it shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from malecon import drawing, games, words
from malecon.match import Match
from malecon.words import Example, ExampleGame, Picture

#: What a drawing is made of and others on the same page can use: symbols, and pictures of people and houses.
SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>')
INNER = re.compile(
    r'(<svg x="[^"]*" y="[^"]*" width="[^"]*" height="[^"]*" viewBox="0[^"]*">)((?:(?!</?svg).){200,})</svg>'
)


def played(name: str, scene: str) -> Match:
    """The example game of a game's rules page, played up to a scene; every move is checked."""
    game = _example_game(name)
    match = Match(name, len(game.names), names=game.names, options=dict(game.options))
    for move in game.moves(scene):
        match.push(move)
    return match


def _example_game(name: str) -> ExampleGame:
    rulebook = words.rulebook(games.get(name))
    if rulebook is None or rulebook.example_game is None:
        raise LookupError(f"the rules page of {name} has no example game")
    return rulebook.example_game


@cache
def pictures(name: str, language: str) -> Mapping[Picture, str]:
    """Every picture of a rules page. What several are made of is in the first of them only."""
    rulebook = words.rulebook(games.get(name))
    assert rulebook is not None
    parts = [part for chapter in rulebook.chapters for part in chapter.paragraphs]
    found: dict[Picture, str] = {}
    known: set[str] = set()
    drawn: dict[str, str] = {}  # the ids of inner pictures

    def once(symbol: re.Match[str]) -> str:
        new = symbol[1] not in known
        known.add(symbol[1])
        return symbol[0] if new else ""

    def again(inner: re.Match[str]) -> str:
        head, content = inner.groups()
        if content in drawn:
            return f'{head}<use href="#{drawn[content]}"/></svg>'
        drawn[content] = f"m-example-{len(drawn)}"
        return f'{head}<g id="{drawn[content]}">{content}</g></svg>'

    for shown in (shown for part in parts if isinstance(part, Example) for shown in part.pictures):
        found[shown] = INNER.sub(again, SYMBOL.sub(once, _picture(name, shown, language)))
    return found


def _picture(name: str, shown: Picture, language: str) -> str:
    view, told = played(name, shown.scene).view(shown.seat), words.say(shown.told, language)
    return drawing.detail(view, language, shown.parts, told, marked=shown.marked, offers=shown.offers)
