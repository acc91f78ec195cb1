"""Boards and panels of any game: well-formed, within their size, and safe to put into a page with a strict policy."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import malecon
from malecon import drawing
from malecon.text import LANGUAGES, translate
from malecon.text import glossary as text_glossary
from tests.drawing.positions import games, setups, views
from tests.drawing.tables import LAYOUTS, drawn, parsed

HOSTILE = ('<script>alert("1")</script>', "\"><img src=x onerror='1'>", "& ' ' &amp; ]]>", "<", "]]>")
EACH_GAME = pytest.mark.parametrize("game", ["santiago", "cuba"])
#: Of the board, and of a panel, at most; how many things explain themselves, at least.
BYTES = {"santiago": (90_000, 6_000), "cuba": (113_500, 7_500)}
EXPLAINED = {"santiago": 25, "cuba": 50}
#: Something that says its name in a drawing that stands alone.
TITLES = {"santiago": "Bank, ", "cuba": "Hotel: "}


@EACH_GAME
def test_every_moment_is_well_formed_with_unique_ids_and_without_inline_style(game: str) -> None:
    symbols = {f"#m-{key}" for key in drawing.SYMBOLS}
    for number, view in enumerate(views(game, every=13)):
        root = parsed(drawn(view, LANGUAGES[number % len(LANGUAGES)], LAYOUTS[number % 2]))
        ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
        assert max(ids.values()) == 1
        for element in root.iter():
            assert element.get("style") is None
            assert element.tag not in ("style", "script", "image")
            assert not any(name.startswith("on") for name in element.attrib)
            if element.tag == "use":
                href = element.get("href", "")
                assert href in symbols or href[1:] in ids


@EACH_GAME
def test_the_table_is_drawn_while_it_is_laid_out(game: str) -> None:
    for view in setups(game):
        for layout in LAYOUTS:
            parsed(drawn(view, layout=layout))


@EACH_GAME
def test_all_classes_are_in_the_style_sheet(game: str) -> None:
    known = set(re.findall(r"\.(m-[a-z0-9-]+)", drawing.STYLE + drawing.movers())) | {
        "target",
        "step",
        "m-wide",
        "m-tall",
    }
    used = {
        name
        for view in views(game, every=60)
        for layout in LAYOUTS
        for element in parsed(drawn(view, layout=layout)).iter()
        for name in (element.get("class") or "").split()
    }
    sheet = {
        name for element in parsed(drawing.symbols_sheet()).iter() for name in (element.get("class") or "").split()
    }
    assert used | sheet <= known


@EACH_GAME
@pytest.mark.parametrize("layout", LAYOUTS)
def test_sizes(game: str, layout: str) -> None:
    most, most_of_panel = BYTES[game]
    for view in views(game, every=90):
        for language in ("de", "it"):
            assert len(drawing.board(view, language, drawing.targets(view), layout).encode()) < most
            for seat in range(len(view.names)):
                assert len(drawing.panel(view, seat, language).encode()) < most_of_panel
    assert len(drawing.symbols_sheet().encode()) < 20_000
    assert len(drawing.STYLE.encode()) < 20_000


@EACH_GAME
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_label_says_something(game: str, language: str, layout: str) -> None:
    match = malecon.new(game, players=4, seed=2)
    root = parsed(drawn(match.view(match.turn), language, layout))
    written = [element.text for element in root.iter("text")]
    assert all(written)
    for element in root.iter():
        if element.get("role"):
            assert element.get("aria-label")
    text = " ".join(str(part) for part in written)
    glossary = text_glossary(match.game)
    for kind in {"buildings", "characters"} & set(glossary):
        for entry in glossary[kind].values():
            assert all(word in text for word in translate(entry.name, language).split())


@EACH_GAME
@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_can_be_read(game: str, layout: str) -> None:
    for view in views(game, every=110):
        sizes = [float(element.get("font-size", 0)) for element in parsed(drawn(view, layout=layout)).iter("text")]
        assert min(sizes) >= 11


@EACH_GAME
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_explanation_is_in_the_glossary(game: str, layout: str) -> None:
    for view in views(game, every=200):
        glossary = text_glossary(view.game)
        keys = [element.get("data-help") for element in parsed(drawn(view, layout=layout)).iter()]
        entries = [key.split("/") for key in keys if key]
        assert len(entries) > EXPLAINED[game]
        assert all(key in glossary[kind] for kind, key in entries)


@EACH_GAME
def test_hostile_names_are_only_text(game: str) -> None:
    for number, match in enumerate(games(game, HOSTILE, seeds=(0, 3))):
        if number % 60 == 0:
            view = match.view(0)
            html = drawn(view)
            assert "<script" not in html
            assert "<img" not in html
            parsed(html)
            assert parsed(drawing.panel(view, 0, "en"))[0].get("aria-label", "").startswith(HOSTILE[0])


@EACH_GAME
def test_the_same_view_is_drawn_the_same(game: str) -> None:
    for view in views(game, every=150):
        assert drawn(view) == drawn(view)


@EACH_GAME
def test_standalone_holds_all_it_needs(game: str) -> None:
    view = malecon.new(game, players=2, seed=3).view(0)
    alone = drawing.standalone(drawing.board(view, "en"))
    root = parsed(alone)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "foreignObject" not in alone
    ids = {element.get("id") for element in root.iter()}
    uses = [element.get("href", "") for element in root.iter("{http://www.w3.org/2000/svg}use")]
    assert uses
    assert all(use[1:] in ids for use in uses)
    titles = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert any(title.startswith(TITLES[game]) for title in titles)


def test_initials_tell_seats_apart() -> None:
    from malecon.drawing.seats import initials

    assert initials(["Ana", "Bruno"]) == ["A", "B"]
    assert initials(["Gelb", "Grün"]) == ["Ge", "Gr"]
    assert initials(["Ana", "ana"]) == ["1", "2"]
    assert initials(["ß", "x"]) == ["S", "X"]
