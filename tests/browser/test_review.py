"""After the game: the review on the replay page, asked for, waited for and stepped through. And touching for long."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, open_table, settle_choices
from tests.browser.test_pages import check


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), pytest.param("phone", "dark", marks=pytest.mark.slow)])
def test_the_review_of_a_game(new_page: OpenPage, size: str, scheme: str) -> None:
    page = new_page(size, color_scheme=scheme, bypass_csp=True)
    settle_choices(page)
    open_table(page, "bot:turista", "bot:turista")
    page.wait_for_selector(OVER, timeout=60_000)
    page.click("text=Review this game")
    page.wait_for_url("**/replay/*")
    page.wait_for_selector(".review", timeout=120_000)
    check(page)
    here = page.url
    point = page.locator(".review ol a").first
    number = point.get_attribute("data-step")
    point.click()
    page.wait_for_function("here => location.href !== here", arg=here)
    assert page.url.endswith(f"/replay/{number}")
    expect(page.locator(".review [aria-current]").first).to_be_visible()


def test_a_long_press_explains(new_page: OpenPage) -> None:
    page = new_page("phone")
    settle_choices(page)
    open_table(page, "me", "bot:turista")
    page.wait_for_selector(MINE)
    before = page.locator(".moves input[name=version]").get_attribute("value")
    button = page.locator(".moves button[name=move]").first
    touch = {"pointerType": "touch", "bubbles": True, "clientX": 100, "clientY": 600}
    button.dispatch_event("pointerdown", touch)
    page.wait_for_selector(".tip:visible")
    button.dispatch_event("pointerup", touch)
    button.dispatch_event("click")
    assert page.locator(".moves input[name=version]").get_attribute("value") == before
    button.dispatch_event("pointerdown", touch)
    button.dispatch_event("pointerup", touch)
    button.dispatch_event("click")
    page.wait_for_function(
        """before => document.querySelector(".moves input[name=version]")?.value !== before""", arg=before
    )
