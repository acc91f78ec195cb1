"""The teacher's pages in a browser: nothing for axe to complain about; puzzles and lessons by keyboard and board."""

from __future__ import annotations

import random

import pytest

from malecon.teaching.puzzles import shipped
from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, by_list, play, settle_choices


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), ("phone", "dark")])
def test_a_puzzle_by_keyboard(new_page: OpenPage, size: str, scheme: str) -> None:
    page = new_page(size, color_scheme=scheme, bypass_csp=True)
    page.goto("/puzzles")
    check_accessibility(page)
    page.goto("/puzzles/santiago/1")
    check_accessibility(page)
    page.locator(f'.exercise-moves button[value="{shipped("santiago")[0].solution}"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#tried-move .verdict.right")
    page.locator("[data-why]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/answer?move=*")
    page.wait_for_selector(".verdict.right")
    check_accessibility(page)
    page.locator('a[href*="/line/better/1"]').last.click()
    page.wait_for_selector(".line-story")
    check_accessibility(page)
    page.locator('a[rel="next"]').click()
    page.wait_for_selector('.line-story [aria-current="true"]')


#: The scripts of the page are there: keys and the board work.
READY = "#exercise[data-ready]"


def test_a_lesson_on_the_board_and_by_keyboard(new_page: OpenPage) -> None:
    page = new_page("phone", color_scheme="dark", bypass_csp=True)
    page.goto("/learn/santiago/first-building")
    page.wait_for_selector(READY)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("2")  # a wrong turn
    page.wait_for_selector(f"{READY} #hint")
    check_accessibility(page)
    page.keyboard.press("u")  # taken back
    page.wait_for_url("**/first-building")
    page.wait_for_selector(READY)
    page.locator(".exercise-board .target:not(.step)").first.dispatch_event("click")
    page.wait_for_url("**m=drive+1")
    page.locator('.exercise-moves button[value="visit distillery"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**distillery")
    page.locator('.exercise-moves button[value="make 2 rum"]').click()
    page.wait_for_selector(".verdict.right")
    check_accessibility(page)


def test_an_analysis_in_the_browser(new_page: OpenPage) -> None:
    page = new_page(bypass_csp=True)
    page.goto("/analysis")
    page.locator("form[action='/analysis/new'] button.primary").first.click()
    page.wait_for_selector(READY)
    start = page.url
    page.wait_for_selector(".advised-line .line-move")
    check_accessibility(page)
    page.locator(".advised-line button").first.click()
    page.wait_for_selector(f"{READY} a[rel=prev]")
    page.goto(start)
    page.locator("form[action$='/setup'] button").click()
    page.wait_for_selector(".lay-out")
    check_accessibility(page)


GAMES = ["santiago", "cuba"]


def test_the_first_game_shows_one_tip_at_a_time(new_page: OpenPage) -> None:
    page = new_page(language="es")
    settle_choices(page)
    for game in GAMES:
        page.goto("/")
        page.locator(f".game-{game} button[value=first]").click()
        page.wait_for_selector(MINE)
        tips = set()
        for _ in range(8):
            tips.add(page.inner_text("#dock .guide"))
            play(page, by_list(random.Random(2)), 1)
            page.wait_for_selector(f"{MINE}, {OVER}")
        assert len(tips) >= 2
