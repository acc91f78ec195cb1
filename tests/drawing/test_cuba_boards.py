"""Boards and panels of Cuba: well-formed, complete, within their size, and without anything that lies face down."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

import malecon
from drawing.cuba_positions import games, setups, views
from malecon import View, drawing, words
from malecon.drawing.cuba.parliament import EFFECTS
from malecon.games.cuba import tiles
from malecon.games.cuba.position import BIDS, ENVOYS, NOTHING, SECOND_BIDS

LAYOUTS = ("wide", "tall")
HOSTILE = ('<script>alert("1")</script>', "\"><img src=x onerror='1'>", "& ' ' &amp; ]]>", "<", "]]>")


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def drawn(view: View, language: str = "en", layout: str = "wide") -> str:
    """A whole table."""
    glowing = drawing.targets(view)
    panels = (drawing.panel(view, seat, language, glowing) for seat in range(len(view.names)))
    return f"<div>{drawing.board(view, language, glowing, layout)}{''.join(panels)}</div>"


def test_every_moment_is_well_formed_with_unique_ids_and_without_inline_style() -> None:
    symbols = {f"#m-{key}" for key in drawing.SYMBOLS}
    for number, view in enumerate(views(every=17)):
        root = parsed(drawn(view, words.LANGUAGES[number % 4], LAYOUTS[number % 2]))
        ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
        assert max(ids.values()) == 1
        for element in root.iter():
            assert element.get("style") is None
            assert element.tag not in ("style", "script", "image")
            assert not any(name.startswith("on") for name in element.attrib)
            if element.tag == "use":
                href = element.get("href", "")
                assert href in symbols or href[1:] in ids


def test_the_table_is_drawn_while_it_is_laid_out() -> None:
    for view in setups():
        for layout in LAYOUTS:
            parsed(drawn(view, layout=layout))


def test_all_classes_are_in_the_style_sheet() -> None:
    known = set(re.findall(r"\.(m-[a-z0-9-]+)", drawing.STYLE)) | {"target", "m-wide", "m-tall"}
    used = {
        name
        for view in views(every=90)
        for layout in LAYOUTS
        for element in parsed(drawn(view, layout=layout)).iter()
        for name in (element.get("class") or "").split()
    }
    assert used <= known


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sizes(layout: str) -> None:
    for view in views(every=120):
        assert len(drawing.board(view, "de", drawing.targets(view), layout).encode()) < 113_000
        for seat in range(len(view.names)):
            assert len(drawing.panel(view, seat, "de").encode()) < 7_500


def test_everything_on_the_table_is_there() -> None:
    match = malecon.new("cuba", players=5, seed=1)
    ids = {element.get("id") for element in parsed(drawn(match.view(match.turn))).iter()}
    wanted = {f"build-{key.replace(' ', '-')}" for key in tiles.BUILDINGS}
    wanted |= {f"card-{key}" for key in tiles.CHARACTERS} | {f"field-{n}" for n in range(1, tiles.FIELDS + 1)}
    wanted |= {f"market-{key}" for key in tiles.TRADE_GOODS} | {f"berth-{n}" for n in range(tiles.BERTHS + 1)}
    wanted |= {f"{kind}-{key}" for kind in ("law", "proposal") for key in tiles.GROUPS}
    wanted |= {f"alternative-{key}" for key in ("material", "crop", "architect", "mayor")}
    wanted |= {f"seat-{seat}" for seat in range(5)} | {f"m-score-{seat}" for seat in range(5)}
    wanted |= {"plantation", "yard", "cards", "market", "harbour", "parliament", "proposals", "buildings", "supply"}
    assert wanted | {"built-1", "deck", "rounds", "score", "starter", f"m-piece-{match.turn}"} <= ids
    boats = {f"m-boat-{ship}" for ship in match.position.ship_at.tolist() if ship >= 0}
    assert boats <= ids


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_label_says_something(language: str, layout: str) -> None:
    match = malecon.new("cuba", players=4, seed=2)
    root = parsed(drawn(match.view(match.turn), language, layout))
    written = [element.text for element in root.iter("text")]
    assert all(written)
    for element in root.iter():
        if element.get("role"):
            assert element.get("aria-label")
    text = " ".join(str(part) for part in written)
    for kind in ("buildings", "characters"):
        for entry in words.glossary(match.game)[kind].values():
            assert all(word in text for word in words.say(entry.name, language).split())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_can_be_read(layout: str) -> None:
    for view in views(every=150):
        sizes = [float(element.get("font-size", 0)) for element in parsed(drawn(view, layout=layout)).iter("text")]
        assert min(sizes) >= 11


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_names_are_not_squeezed_beyond_recognition(language: str) -> None:
    view = malecon.new("cuba", players=5, seed=2).view(0)
    from malecon.drawing.svg import text_width

    for layout in LAYOUTS:
        for element in parsed(drawing.board(view, language, layout=layout)).iter("text"):
            if element.get("textLength"):
                natural = text_width(element.text or "", float(element.get("font-size", 0)))
                assert float(element.get("textLength", 0)) > 0.62 * natural, element.text


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_explanation_is_in_the_glossary(layout: str) -> None:
    for view in views(every=200):
        glossary = words.glossary(view.game)
        keys = [element.get("data-help") for element in parsed(drawn(view, layout=layout)).iter()]
        found = [key.split("/") for key in keys if key]
        assert len(found) > 50
        assert all(key in glossary[kind] for kind, key in found)


def test_every_law_has_its_symbols() -> None:
    laws = {(group, law) for group, cards in zip(tiles.GROUPS, tiles.LAWS, strict=True) for law in cards}
    assert set(EFFECTS) == laws
    tokens = [tuple(row) for row in EFFECTS.items()]
    assert len({(group, rows) for (group, _), rows in tokens}) == len(tokens)


def test_hostile_names_are_only_text() -> None:
    for number, match in enumerate(games(HOSTILE, seeds=(3,))):
        if number % 60 == 0:
            view = match.view(0)
            html = drawn(view)
            assert "<script" not in html
            assert "<img" not in html
            parsed(html)
            assert parsed(drawing.panel(view, 0, "en"))[0].get("aria-label", "").startswith(HOSTILE[0])


def test_what_lies_face_down_is_not_in_the_drawing() -> None:
    seen: Counter[int] = Counter()
    for match in games(seeds=(1, 3)):
        kind = int(match.position.face_down)
        if kind == NOTHING or match.is_over or match.turn == malecon.CHANCE or seen[kind] > 5:
            continue
        seen[kind] += 1
        changed = match.copy()
        hidden = changed._position.envoy if kind == ENVOYS else changed._position.bid
        for seat in range(match.players):
            views_ = [match.view(seat), match.view(None)]
            for other in range(match.players):
                if other != seat and hidden[other] >= 0:
                    hidden[other] = (hidden[other] + 1) % 5
            assert drawn(views_[0]) == drawn(changed.view(seat))
            hidden[:] = match._position.envoy if kind == ENVOYS else match._position.bid
            for other in range(match.players):
                hidden[other] = (hidden[other] + 1) % 5 if hidden[other] >= 0 else hidden[other]
            assert drawn(views_[1]) == drawn(changed.view(None))
            hidden[:] = match._position.envoy if kind == ENVOYS else match._position.bid
    assert set(seen) >= {BIDS, ENVOYS}
    assert set(seen) <= {BIDS, SECOND_BIDS, ENVOYS}


def test_a_closed_hand_stands_for_a_secret_bid() -> None:
    found = 0
    for match in games(seeds=(2,)):
        position = match.position
        if match.phase == "bid":
            view = match.view(match.turn)
            fists = [seat for seat in range(4) if "#m-fist" in drawing.panel(view, seat, "en")]
            assert fists == [s for s in range(4) if position.pesos[s] > 0 and not position.bidders >> s & 1]
            found += len(fists)
    assert found > 3


def test_spectators_see_the_plantation_of_whoever_acts() -> None:
    match = malecon.new("cuba", players=3, seed=4)
    ids = {element.get("id") for element in parsed(drawing.board(match.view(None), "en")).iter()}
    assert f"m-piece-{match.turn}" in ids


def test_what_comes_and_goes_in_a_panel_moves_nothing_else() -> None:
    """Pages change piece by piece, in order: one more or less would make them draw all that follows anew."""
    for view in views(every=17):
        for seat in range(len(view.names)):
            panel = parsed(drawing.panel(view, seat, "en"))[0]
            assert [piece.tag for piece in panel[-4:]] == ["g"] * 4  # signs, cards, holdings, plantation
            _, cards, holdings, fields = panel[-4:]
            assert [card.tag for card in cards[: len(tiles.CHARACTERS)]] == ["g"] * len(tiles.CHARACTERS)
            assert [field.tag for field in fields[: tiles.FIELDS]] == ["g"] * tiles.FIELDS
            assert [held.tag for held in holdings] == ["g"] * (2 + len(tiles.GOODS) + len(tiles.CROPS))


def test_the_same_view_is_drawn_the_same() -> None:
    for view in views(every=250):
        assert drawn(view) == drawn(view)


def test_standalone_holds_all_it_needs() -> None:
    view = malecon.new("cuba", players=2, seed=3).view(0)
    alone = drawing.standalone(drawing.board(view, "en"))
    root = parsed(alone)
    assert "foreignObject" not in alone
    ids = {element.get("id") for element in root.iter()}
    uses = [element.get("href", "") for element in root.iter("{http://www.w3.org/2000/svg}use")]
    assert uses
    assert all(use[1:] in ids for use in uses)
    titles = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert any(title.startswith("Hotel: ") for title in titles)
