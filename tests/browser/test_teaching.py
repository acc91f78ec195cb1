"""The teacher's pages in a browser: nothing for axe to complain about, and a puzzle solved by keyboard alone."""

from __future__ import annotations

import pytest
from tests.browser.conftest import OpenPage
from tests.browser.test_pages import check

from malecon.study.teacher.puzzles import shipped


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), ("phone", "dark")])
def test_a_puzzle_by_keyboard(new_page: OpenPage, size: str, scheme: str) -> None:
    page = new_page(size, color_scheme=scheme, bypass_csp=True)
    page.goto("/puzzles")
    check(page)
    page.goto("/puzzles/santiago/1")
    check(page)
    page.locator(f'.exercise-moves button[value="{shipped("santiago")[0].solution}"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict.right", timeout=60_000)
    check(page)
    page.locator('a[href*="/line/better/1"]').last.click()
    page.wait_for_selector(".line-story")
    check(page)
    page.locator('a[rel="next"]').click()
    page.wait_for_selector('.line-story [aria-current="true"]')
