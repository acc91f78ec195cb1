"""The large view of what lies before a player: for everybody, by mouse and by key, and without secrets."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, Requests, by_list, open_table, play, settle_choices

DIALOG = "dialog.closer[open]"


def sit_down(page: Page, game: str, moves: int = 6) -> str:
    settle_choices(page)
    table = open_table(page, "me", "bot:turista", game=game)
    play(page, by_list(random.Random(3)), moves)
    page.wait_for_selector(MINE)
    return table


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_by_key_and_by_mouse(new_page: OpenPage, game: str) -> None:
    page = new_page()
    sit_down(page, game)
    before = page.get_attribute("#table", "data-moves")
    link = page.locator("[data-look]").nth(1)
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="In front of")).to_be_visible()
    moves = Requests(page, "/move", "POST")
    page.keyboard.press("1")  # no move is made behind the dialog
    assert moves.begun == 0
    assert page.get_attribute("#table", "data-moves") == before
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('[data-look]')")
    page.locator(".seat .panel").nth(1).click()
    expect(page.locator(f"{DIALOG} svg.m-close-up")).to_be_visible()
    page.click(f"{DIALOG} button")
    expect(page.locator("dialog")).to_have_count(0)


def test_spectators_and_replays_too(new_page: OpenPage) -> None:
    ana, eve = new_page(), new_page(language="de")
    table = sit_down(ana, "cuba")
    eve.goto(table)
    eve.locator("[data-look]").first.click()
    expect(eve.locator(f"{DIALOG} h2")).to_have_text("Auslage von Blau")
    eve.keyboard.press("Escape")
    ana.goto(f"{table}/replay")
    ana.locator("[data-look]").first.click()
    expect(ana.locator(DIALOG)).to_be_visible()


def test_it_follows_the_game(new_page: OpenPage) -> None:
    ana, eve = new_page(), new_page()
    table = sit_down(ana, "cuba", 3)
    eve.goto(table)
    eve.locator("[data-look]").first.click()
    eve.wait_for_selector(DIALOG)
    shown = eve.locator(f"{DIALOG} .close-up").inner_html()
    play(ana, by_list(random.Random(3)), 6)
    eve.wait_for_function("shown => document.querySelector('dialog .close-up').innerHTML !== shown", arg=shown)


def test_a_screen_hides_here_as_well(new_page: OpenPage) -> None:
    page = new_page()
    sit_down(page, "santiago")
    page.locator("[data-look]").nth(1).click()
    page.wait_for_selector(f"{DIALOG} svg.m-close-up")
    assert page.locator(f"{DIALOG} [data-holding]").count() == 0
    page.keyboard.press("Escape")
    page.locator("[data-look]").nth(0).click()
    page.wait_for_selector(f"{DIALOG} svg.m-close-up")
    assert page.locator(f"{DIALOG} [data-holding]").count() == 6


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("desk", "light"),
        ("phone", "dark"),
        pytest.param("desk", "dark", marks=pytest.mark.slow),
        pytest.param("phone", "light", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(new_page: OpenPage, size: str, scheme: str) -> None:
    page = new_page(size, color_scheme=scheme, bypass_csp=True)
    for game in ("santiago", "cuba"):
        table = sit_down(page, game, 2)
        if size == "phone":
            page.tap(".tabs [data-tab=seats]")
        page.locator("[data-look]").first.click()
        page.wait_for_selector(DIALOG)
        check_accessibility(page)
        page.goto(f"{table}/seats/1")  # without script it is a page of its own
        check_accessibility(page)
