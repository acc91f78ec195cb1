"""The board of Cuba: everything is on it, and nothing that lies face down."""

from __future__ import annotations

from collections import Counter

import pytest

import malecon
from malecon import drawing
from malecon.games.cuba import tiles
from malecon.games.cuba.position import BIDS, ENVOYS, NOTHING, SECOND_BIDS
from malecon.text import LANGUAGES
from tests.drawing.positions import games, views
from tests.drawing.tables import LAYOUTS, drawn, parsed
from tests.open_match import OpenMatch


def test_everything_on_the_table_is_there() -> None:
    match = malecon.new("cuba", players=5, seed=1)
    ids = {element.get("id") for element in parsed(drawn(match.view(match.turn))).iter()}
    expected = {f"build-{key.replace(' ', '-')}" for key in tiles.BUILDING_KEYS}
    expected |= {f"card-{key}" for key in tiles.CHARACTER_KEYS} | {f"field-{n}" for n in range(1, tiles.FIELDS + 1)}
    expected |= {f"market-{key}" for key in tiles.TRADE_GOODS} | {f"berth-{n}" for n in range(tiles.BERTHS + 1)}
    expected |= {f"{kind}-{key}" for kind in ("law", "proposal") for key in tiles.GROUP_KEYS}
    expected |= {f"alternative-{key}" for key in ("material", "crop", "architect", "mayor")}
    expected |= {f"seat-{seat}" for seat in range(5)} | {f"m-score-{seat}" for seat in range(5)}
    expected |= {"plantation", "yard", "cards", "market", "harbour", "parliament", "proposals", "buildings", "supply"}
    assert expected | {"built-1", "deck", "rounds", "score", "starter", f"m-piece-{match.turn}"} <= ids
    boats = {f"m-boat-{ship}" for ship in match.position.ship_at.tolist() if ship >= 0}
    assert boats <= ids


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_not_squeezed_beyond_recognition(language: str) -> None:
    view = malecon.new("cuba", players=5, seed=2).view(0)
    from malecon.drawing.svg import text_width

    for layout in LAYOUTS:
        for element in parsed(drawing.board(view, language, layout=layout)).iter("text"):
            if element.get("textLength"):
                natural = text_width(element.text or "", float(element.get("font-size", 0)))
                assert float(element.get("textLength", 0)) > 0.62 * natural, element.text


def test_every_law_has_its_symbols() -> None:
    for group in tiles.GROUPS:
        symbols = [law.symbols for law in group.laws]
        assert all(row for rows in symbols for row in rows)
        assert len(set(symbols)) == len(symbols)


def test_what_lies_face_down_is_not_in_the_drawing() -> None:
    seen: Counter[int] = Counter()
    for match in games("cuba", seeds=(1, 3)):
        kind = int(match.position.face_down)
        if kind == NOTHING or match.is_over or match.turn == malecon.CHANCE or seen[kind] > 5:
            continue
        seen[kind] += 1
        changed = OpenMatch.of(match)
        hidden = changed.board.envoy if kind == ENVOYS else changed.board.bid
        for seat in range(match.players):
            views_ = [match.view(seat), match.view(None)]
            for other in range(match.players):
                if other != seat and hidden[other] >= 0:
                    hidden[other] = (hidden[other] + 1) % 5
            assert drawn(views_[0]) == drawn(changed.view(seat))
            hidden[:] = match.position.envoy if kind == ENVOYS else match.position.bid
            for other in range(match.players):
                hidden[other] = (hidden[other] + 1) % 5 if hidden[other] >= 0 else hidden[other]
            assert drawn(views_[1]) == drawn(changed.view(None))
            hidden[:] = match.position.envoy if kind == ENVOYS else match.position.bid
    assert set(seen) >= {BIDS, ENVOYS}
    assert set(seen) <= {BIDS, SECOND_BIDS, ENVOYS}


def test_a_closed_hand_stands_for_a_secret_bid() -> None:
    closed_hands = 0
    for match in games("cuba", seeds=(2,)):
        position = match.position
        if match.phase == "bid":
            view = match.view(match.turn)
            fists = [seat for seat in range(4) if "#m-fist" in drawing.panel(view, seat, "en")]
            assert fists == [s for s in range(4) if position.pesos[s] > 0 and not position.bidders >> s & 1]
            closed_hands += len(fists)
    assert closed_hands > 3


def test_spectators_see_the_plantation_of_the_player_to_move() -> None:
    match = malecon.new("cuba", players=3, seed=4)
    ids = {element.get("id") for element in parsed(drawing.board(match.view(None), "en")).iter()}
    assert f"m-piece-{match.turn}" in ids


def test_what_comes_and_goes_in_a_panel_moves_nothing_else() -> None:
    """Pages change piece by piece, in order: one more or less would make them draw again all that follows."""
    for view in views("cuba", every=17):
        for seat in range(len(view.names)):
            panel = parsed(drawing.panel(view, seat, "en"))[0]
            assert [piece.tag for piece in panel[-4:]] == ["g"] * 4  # signs, cards, holdings, plantation
            _, cards, holdings, fields = panel[-4:]
            assert [card.tag for card in cards[: len(tiles.CHARACTER_KEYS)]] == ["g"] * len(tiles.CHARACTER_KEYS)
            assert [field.tag for field in fields[: tiles.FIELDS]] == ["g"] * tiles.FIELDS
            assert [held.tag for held in holdings] == ["g"] * (2 + len(tiles.GOOD_KEYS) + len(tiles.CROPS))
