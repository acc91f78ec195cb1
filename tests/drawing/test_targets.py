"""Targets: every legal move has exactly one place, and what can be chosen says what it does."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import malecon
from drawing.positions import games
from malecon import drawing, words
from malecon.games.santiago import moves


def test_every_legal_move_has_one_place_and_the_place_is_drawn() -> None:
    seen: Counter[str] = Counter()
    for number, match in enumerate(games()):
        if match.is_over:
            continue
        view = match.view(match.turn)
        places = drawing.targets(view)
        placed = [move for found in places.values() for move in found]
        assert sorted(placed, key=str) == sorted(view.legal_moves, key=str)
        assert {str(move) for move in places.get("", [])} <= {"pass"}
        seen.update(key.split("-")[0] for key in places)
        if number % 3:
            continue
        panel = drawing.panel(view, int(view.position.active), "en", places)
        layout = ("wide", "tall")[number % 2]
        root = ElementTree.fromstring(f"<div>{drawing.board(view, 'en', places, layout)}{panel}</div>")
        buttons = {element.get("id"): element for element in root.iter() if element.get("class") == "target"}
        assert set(buttons) == set(places) - {""}
        for key, button in buttons.items():
            assert button.get("data-target") == key
            assert button.get("role") == "button"
            assert button.get("tabindex") == "0"
            if len(places[str(key)]) == 1:
                described = words.say(words.describe_move(view, places[str(key)][0]), "en")
                assert button.get("aria-label") == described
    assert set(seen) == {"stop", "port", "cuban", "building", "die", "supply", "flag", "seat", ""}


def test_who_waits_has_no_targets() -> None:
    match = malecon.new("santiago", players=2, seed=1)
    waiting = 1 - int(match.turn or 0)
    assert drawing.targets(match.view(waiting)) == {}
    assert drawing.targets(match.view(None)) == {}
    assert 'class="target"' not in drawing.board(match.view(waiting), "en")


def test_drives_beyond_a_lap_share_their_stop() -> None:
    match = malecon.new("santiago", players=2, seed=1)
    match.push(next(iter(match.legal_moves)))  # the first demand
    match._position.pesos[:] = 15
    view = match.view(match.turn)
    places = drawing.targets(view)
    near = int(view.position.car) + 1
    assert [moves.NOTATION.read(move.code).parts[0] for move in places[f"stop-{near}"]] == [1, 11]
