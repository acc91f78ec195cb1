"""The table at every size of screen: everything needed is in sight, and pages fit in every language."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from malecon.text import LANGUAGES
from tests.browser.conftest import OpenPage
from tests.browser.measuring import SCREEN_SIZES, measure, shape
from tests.browser.players import MINE, by_list, open_game, open_table, play, settle_choices

#: How much of the screen the drawing takes at least, by shape: a phone's is cut by its frame, others are whole.
LEAST_BOARD = {"phone": 0.5, "lying": 0.38, "upright": 0.36, "wide": 0.33}


#: In every run: the language with the longest words at all sizes, and at full tables each of the others at every third.
EVERY, LONGEST = dict.fromkeys(LANGUAGES, SCREEN_SIZES), {"de": SCREEN_SIZES}
THIRDS = LONGEST | {language: SCREEN_SIZES[start::3] for start, language in enumerate(("en", "es", "it"))}
QUICK = [
    *(("santiago", 2, True, LONGEST), ("santiago", 4, False, THIRDS)),
    *(("cuba", 2, True, LONGEST), ("cuba", 5, True, THIRDS)),
]
#: In `make soak`: everything.
ALL = [
    pytest.param(game, players, guided, EVERY, marks=pytest.mark.slow)
    for game, most in (("santiago", 4), ("cuba", 5))
    for players in range(2, most + 1)
    for guided in (False, True)
]


@pytest.mark.parametrize(("game", "players", "guided", "languages"), [*QUICK, *ALL])
def test_everything_that_matters_is_in_sight(
    new_page: OpenPage, address: str, game: str, players: int, guided: bool, languages: dict[str, list[tuple[int, int]]]
) -> None:
    page = new_page()
    settle_choices(page)
    table = open_table(page, "me", *["bot:turista"] * (players - 1), game=game, guided=guided)
    play(page, by_list(random.Random(4)), 9)
    page.wait_for_selector(MINE)
    for language, sizes in languages.items():
        page.request.post("/language", form={"language": language}, headers={"origin": address})
        page.set_viewport_size(dict(zip(("width", "height"), sizes[0], strict=True)))  # type: ignore[arg-type]
        page.goto(table)
        expect(page.locator("html")).to_have_attribute("lang", language)
        for width, height in sizes:
            measures = measure(page, width, height)
            where = f"{game} with {players} in {language} at {width} x {height}: {measures}"
            assert not measures["scrolls"], where
            tight = guided and shape(width, height) == "lying"  # the lower half of a button may have to be scrolled to
            for part in ("prompt", "own", "news", "move", "undo", "out", *(["guide"] if guided else [])):
                if part in ("undo", "out") and measures[part] is None:
                    continue
                assert measures[part], f"{part}: {where}"
                assert measures[part]["inside"] or (tight and part in ("move", "out")), f"{part}: {where}"
                assert measures[part]["uncovered"], f"{part}: {where}"
            if shape(width, height) in ("upright", "wide"):
                assert measures["log"]["height"] > 60, where
            assert measures["board"] >= LEAST_BOARD[shape(width, height)] * (0.85 if guided else 1), where


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_fit_a_phone_in_every_language(new_page: OpenPage, language: str) -> None:
    """Nothing sticks out of a phone's screen, nor of the cards of the home page."""
    page = new_page("phone", language)
    settle_choices(page)
    table = open_game(page, "cuba")
    for path in ("/", "/settings", "/rules/santiago", "/rules/cuba", "/nowhere", table, f"{table}/replay"):
        page.goto(path)
        for summary in page.locator(".setup > summary").all():
            summary.click()
        out = page.evaluate(
            """() => [...document.querySelectorAll("button, a, select, input, h1, h2, summary, label")]
                .filter((one) => one.offsetParent && !one.closest(".scores-scroll, .hidden, svg, .menu-box"))
                .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
                .map((one) => one.outerHTML.slice(0, 120))"""
        )
        assert out == [], path


@pytest.mark.parametrize("language", ["de", "it"])
def test_the_header_fits_a_phone(new_page: OpenPage, language: str) -> None:
    page = new_page("phone", language=language)
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 700})
        page.goto("/")
        fits = page.evaluate(
            """() => {
              const select = document.querySelector("#language");
              const pen = document.createElement("canvas").getContext("2d");
              pen.font = getComputedStyle(select).font;
              const text = pen.measureText(select.selectedOptions[0].textContent).width;
              const inside = [...document.querySelectorAll(".top a, .top select")].every(
                (part) => part.getBoundingClientRect().right <= innerWidth);
              return [select.getBoundingClientRect().width - text, inside, document.documentElement.scrollWidth];
            }"""
        )
        assert fits[0] >= 20, (width, fits)  # the arrow and the edge
        assert fits[1:] == [True, width], (width, fits)


def test_names_of_buildings_are_large_enough_on_a_desktop(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista", game="cuba")
    page.wait_for_selector(MINE)
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("#buildings text")]
            .filter((text) => /[a-z]{3}/i.test(text.textContent))
            .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d))"""
    )
    assert smallest >= 11, smallest
