"""The main paths in Firefox: from the home page to a table, moves by mouse and by key, another language, the replay."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.conftest import OpenPage, opening
from tests.browser.firefox import firefox
from tests.browser.logging_out import log_out_and_in_again
from tests.browser.players import MINE, OVER, by_keyboard, by_list, by_mouse, open_table_by_hand, play, settle_choices


@pytest.fixture(scope="module")
def fox(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with firefox(playwright, tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.fixture
def fox_page(fox: Browser, address: str) -> Iterator[OpenPage]:
    with opening(fox, address) as open_page:
        yield open_page


def walk(page: Page, game: str) -> None:
    """Every main path once, at a new table."""
    page.goto("/")
    expect(page.locator(f".game-{game}")).to_be_visible()
    settle_choices(page)
    table = open_table_by_hand(page, "me", "bot:turista", game=game)
    for choose in (by_mouse, by_keyboard, by_list(random.Random(1))):
        before = int(page.get_attribute("#table", "data-moves") or 0)
        play(page, choose, 4)
        page.wait_for_selector(f"{MINE}, {OVER}")
        assert int(page.get_attribute("#table", "data-moves") or 0) >= before + 4
    page.select_option("#language", "de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url == table
    play(page, by_keyboard, 1)
    page.goto(f"{table}/replay")
    first = page.input_value("#slider")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("first => document.getElementById('slider').value !== first", arg=first)


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_the_main_paths(fox_page: OpenPage, game: str) -> None:
    page = fox_page()
    walk(page, game)


def test_the_main_paths_without_view_transitions(fox_page: OpenPage) -> None:
    page = fox_page()
    page.add_init_script("delete Document.prototype.startViewTransition")
    page.goto("/")
    assert not page.evaluate("'startViewTransition' in document")
    walk(page, "santiago")


def test_a_browser_forgets_who_has_logged_out(fox: Browser, address: str) -> None:
    context = fox.new_context(base_url=address, locale="en")
    log_out_and_in_again(context.new_page(), "Ana of Firefox")
    context.close()
