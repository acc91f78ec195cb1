"""Targets: every legal move has exactly one place, and what can be chosen says what it does."""

from __future__ import annotations

import importlib
from collections import Counter
from xml.etree import ElementTree

import pytest

import malecon
from malecon import drawing
from malecon.drawing.scene import STEP
from malecon.games.cuba import arrays, tiles
from malecon.games.santiago import moves
from malecon.text import describe_move, translate
from tests.drawing.positions import games
from tests.open_match import OpenMatch

EACH_GAME = pytest.mark.parametrize("game", ["santiago", "cuba"])
#: The kinds of places there are; moves that have none; and how many positions are looked at before one is drawn.
PLACES = {
    "santiago": {"stop", "port", "cuban", "building", "die", "supply", "flag", "seat"},
    "cuba": {
        *("yard", "card", "field", "buy", "sell", "build", "built", "berth", "alternative", "law", "proposals", "hand"),
    },
}
NOWHERE = {"santiago": {"pass"}, "cuba": {"done"}}
DRAWN = {"santiago": 5, "cuba": 9}


@EACH_GAME
def test_every_legal_move_has_one_place_and_the_place_is_drawn(game: str) -> None:
    seen: Counter[str] = Counter()
    for number, match in enumerate(games(game)):
        if match.is_over:
            continue
        view = match.view(match.turn)
        places = drawing.targets(view)
        placed = [move for key, at_place in places.items() if not key.startswith(STEP) for move in at_place]
        assert sorted(placed, key=str) == sorted(view.legal_moves, key=str)
        assert {str(move) for move in places.get("", [])} <= NOWHERE[game]
        seen.update(key.split("-")[0] for key in places if not key.startswith(STEP))
        if number % DRAWN[game]:
            continue
        panel = drawing.panel(view, max(0, int(view.position.active)), "en", places)
        layout = ("wide", "tall")[number % 2]
        root = ElementTree.fromstring(f"<div>{drawing.board(view, 'en', places, layout)}{panel}</div>")
        buttons = {element.get("id"): element for element in root.iter() if element.get("class") == "target"}
        assert set(buttons) == {key for key in places if key and not key.startswith(STEP)}
        steps = {element.get("id") for element in root.iter() if element.get("class") == "target step"}
        assert steps <= {key.removeprefix(STEP) for key in places}
        for key, button in buttons.items():
            assert button.get("data-target") == key
            assert button.get("role") == "button"
            assert button.get("tabindex") == "0"
            if len(places[str(key)]) == 1:
                described = translate(describe_move(view, places[str(key)][0]), "en")
                assert button.get("aria-label") == described
    assert set(seen) == PLACES[game] | {""}


@EACH_GAME
def test_every_move_of_the_game_has_a_place_or_none_in_any_position(game: str) -> None:
    place = importlib.import_module(f"malecon.games.{game}.drawing.targets").place
    for number, match in enumerate(games(game, seeds=(1,))):
        if number % 100 == 0:
            for code in range(len(match.game.notation)):
                assert isinstance(place(match.position, code), str)


@EACH_GAME
def test_who_waits_has_no_targets(game: str) -> None:
    match = malecon.new(game, players=2, seed=1)
    waiting = 1 - int(match.turn or 0)
    assert drawing.targets(match.view(waiting)) == {}
    assert drawing.targets(match.view(None)) == {}
    assert 'class="target"' not in drawing.board(match.view(waiting), "en")


def test_drives_beyond_a_lap_share_their_stop() -> None:
    match = malecon.new("santiago", players=2, seed=1)
    match.push(next(iter(match.legal_moves)))  # the first demand
    match = OpenMatch.of(match)
    match.board.pesos[:] = 15
    view = match.view(match.turn)
    places = drawing.targets(view)
    near = int(view.position.car) + 1
    assert [moves.NOTATION.read(move.code).parts[0] for move in places[f"stop-{near}"]] == [1, 11]


def test_crops_are_harvested_from_ripe_fields_of_their_kind() -> None:
    checked = 0
    for match in games("cuba", seeds=(0, 3)):
        if match.phase not in ("harvest", "irrigate"):
            continue
        view = match.view(match.turn)
        position, seat = view.position, int(view.position.active)
        plan = arrays.PLANTATIONS[0 if position.common else 1 + seat]
        for key, harvests in drawing.targets(view).items():
            if key:
                field = int(key.removeprefix("field-")) - 1
                assert str(harvests[0]).endswith(tiles.GOOD_KEYS[plan[field]])
                assert position.built[seat, field] < 0
                assert arrays.CROSS[position.figure[seat]] >> field & 1
                checked += 1
    assert checked > 10


def test_buying_and_selling_share_a_stall_and_uses_their_building() -> None:
    match = malecon.new("cuba", players=2, seed=1)
    while match.phase != "card":
        match.push(match.legal_moves[0])
    match = OpenMatch.of(match)
    position = match.board
    seat = int(position.active)
    position.yard[seat, :] = 4
    position.built[seat, 5] = tiles.BUILDING_KEYS.index("cement works")
    trading = match.copy()
    trading.push("merchant")
    stalls = drawing.targets(trading.view(seat))
    assert [str(stalls[key][0]) for key in ("buy-rum", "sell-rum")] == ["buy rum", "sell rum"]
    match.push("foreman")
    places = drawing.targets(match.view(seat))
    assert list(map(str, places["built-6"])) == [f"grind {n} stone" for n in range(1, 5)]
    assert list(map(str, places["built-1"])) == ["store"]
