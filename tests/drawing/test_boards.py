"""Boards and panels: well-formed, complete, within their size, and safe to put into a page with a strict policy."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

import malecon
from drawing.positions import games, setups, views
from malecon import View, drawing, words
from malecon.games.santiago import tiles

LAYOUTS = ("wide", "tall")
HOSTILE = ('<script>alert("1")</script>', "\"><img src=x onerror='1'>", "& ' ' &amp; ]]>", "<")


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def drawn(view: View, language: str = "en", layout: str = "wide") -> str:
    """A whole table."""
    glowing = drawing.targets(view)
    panels = (drawing.panel(view, seat, language, glowing) for seat in range(len(view.names)))
    return f"<div>{drawing.board(view, language, glowing, layout)}{''.join(panels)}</div>"


def test_every_moment_is_well_formed_with_unique_ids_and_without_inline_style() -> None:
    symbols = {f"#m-{key}" for key in drawing.SYMBOLS}
    for number, view in enumerate(views(every=7)):
        root = parsed(drawn(view, words.LANGUAGES[number % 4], LAYOUTS[number % 2]))
        ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
        assert max(ids.values()) == 1
        for element in root.iter():
            assert element.get("style") is None
            assert element.tag not in ("style", "script", "image")
            assert not any(name.startswith("on") for name in element.attrib)
            if element.tag == "use":
                assert element.get("href") in symbols


def test_the_table_is_drawn_while_it_is_laid_out() -> None:
    for view in setups():
        for layout in LAYOUTS:
            parsed(drawn(view, layout=layout))


def test_all_classes_are_in_the_style_sheet() -> None:
    known = set(re.findall(r"\.(m-[a-z0-9-]+)", drawing.STYLE)) | {"target", "m-wide", "m-tall"}
    used = {
        name
        for view in views(every=40)
        for layout in LAYOUTS
        for element in parsed(drawn(view, layout=layout)).iter()
        for name in (element.get("class") or "").split()
    }
    sheet = {
        name for element in parsed(drawing.symbols_sheet()).iter() for name in (element.get("class") or "").split()
    }
    assert used | sheet <= known


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sizes(layout: str) -> None:
    for view in views(every=60):
        assert len(drawing.board(view, "it", drawing.targets(view), layout).encode()) < 90_000
        for seat in range(len(view.names)):
            assert len(drawing.panel(view, seat, "it").encode()) < 6_000
    assert len(drawing.symbols_sheet().encode()) < 20_000
    assert len(drawing.STYLE.encode()) < 20_000


def test_everything_on_the_table_is_there() -> None:
    match = malecon.new("santiago", players=4, seed=1)
    ids = {element.get("id") for element in parsed(drawn(match.view(match.turn))).iter()}
    wanted = {f"building-{key}" for key in tiles.BUILDINGS} | {f"cuban-{key}" for key in tiles.CUBANS}
    wanted |= {f"stop-{stop}" for stop in range(1, tiles.STOPS)} | {f"supply-{key}" for key in tiles.GOODS}
    wanted |= {f"die-{key}" for key in tiles.DEMANDED} | {"flag-2", "flag-3", "flag-4", "flag-sail"}
    wanted |= {f"seat-{seat}" for seat in range(4)} | {f"m-piece-{seat}" for seat in range(4)}
    assert wanted | {"port", "ship", "ships", "m-car", "m-value", "m-ship"} <= ids


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_label_says_something(language: str, layout: str) -> None:
    match = malecon.new("santiago", players=4, seed=2)
    root = parsed(drawn(match.view(match.turn), language, layout))
    written = [element.text for element in root.iter("text")]
    assert all(written)
    for element in root.iter():
        if element.get("role"):
            assert element.get("aria-label")
    names = {words.say(entry.name, language) for entry in words.glossary(match.game)["buildings"].values()}
    text = " ".join(str(part) for part in written)
    assert all(name in text for name in names)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_can_be_read(layout: str) -> None:
    for view in views(every=80):
        sizes = [float(element.get("font-size", 0)) for element in parsed(drawn(view, layout=layout)).iter("text")]
        assert min(sizes) >= 11


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_explanation_is_in_the_glossary(layout: str) -> None:
    view = malecon.new("santiago", players=2, seed=2).view(0)
    glossary = words.glossary(view.game)
    keys = [element.get("data-help") for element in parsed(drawn(view, layout=layout)).iter()]
    found = [key.split("/") for key in keys if key]
    assert len(found) > 25
    assert all(key in glossary[kind] for kind, key in found)


def test_hostile_names_are_only_text() -> None:
    for number, match in enumerate(games(HOSTILE)):
        if number % 60 == 0:
            view = match.view(0)
            html = drawn(view)
            assert "<script" not in html
            assert "<img" not in html
            parsed(html)
            assert parsed(drawing.panel(view, 0, "en"))[0].get("aria-label", "").startswith(HOSTILE[0])


def test_what_screens_hide_is_not_in_the_drawing() -> None:
    for number, match in enumerate(games()):
        if number % 20 or match.is_over or match.options["open_screens"]:
            continue
        seat = match.turn
        assert seat is not None
        changed = match.copy()
        others = [other for other in range(match.players) if other != seat]
        truth = changed._position
        for other in others:
            truth.pesos[other] += 7
            truth.points[other] += 3
            truth.goods[other, 0] += 1
        assert drawn(match.view(seat)) == drawn(changed.view(seat))
        assert drawn(match.view(None)) == drawn(changed.view(None))


def test_the_same_view_is_drawn_the_same() -> None:
    for view in views(every=100):
        assert drawn(view) == drawn(view)


def test_initials_tell_seats_apart() -> None:
    from malecon.drawing.seats import initials

    assert initials(["Ana", "Bruno"]) == ["A", "B"]
    assert initials(["Gelb", "Grün"]) == ["Ge", "Gr"]
    assert initials(["Ana", "ana"]) == ["1", "2"]
    assert initials(["ß", "x"]) == ["S", "X"]


def test_standalone_holds_all_it_needs() -> None:
    view = malecon.new("santiago", players=2, seed=3).view(0)
    alone = drawing.standalone(drawing.board(view, "en"))
    root = parsed(alone)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "foreignObject" not in alone
    ids = {element.get("id") for element in root.iter()}
    uses = [element.get("href", "") for element in root.iter("{http://www.w3.org/2000/svg}use")]
    assert uses
    assert all(use[1:] in ids for use in uses)
    titles = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert any(title.startswith("Bank: ") for title in titles)
