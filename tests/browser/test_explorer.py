"""The explorer in a browser: an opening followed by keyboard alone, and nothing for axe to complain about."""

from __future__ import annotations

import pytest

from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import OpenPage


@pytest.mark.slow
@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), ("phone", "dark")])
def test_an_opening_by_keyboard(new_page: OpenPage, size: str, scheme: str) -> None:
    page = new_page(size, color_scheme=scheme, bypass_csp=True)
    page.goto("/puzzles")
    page.locator('main a[href="/explorer"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/explorer/santiago/2")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    first = page.locator(".explored th a").first
    chosen = first.inner_text()
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('.path [aria-current="step"]')
    assert page.locator('.path [aria-current="step"]').inner_text() == chosen
    assert page.locator(".explored th a").count() > 0
    check_accessibility(page)
    second = page.locator("details summary").nth(1)
    second.focus()
    page.keyboard.press("Enter")
    assert page.locator("details[open]").count() > 1
    check_accessibility(page)
    page.locator(".path a").first.click()
    page.wait_for_selector('.path li:only-child [aria-current="step"]')
    page.goto("/explorer/santiago/2?source=here")
    check_accessibility(page)
