"""A tournament in the browser: announced by one, entered by another, seen live by both, to its winner."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import OpenPage

PASSWORD = "sugar and rum"


def person(new_page: OpenPage, size: str, scheme: str, name: str, language: str) -> Page:
    page = new_page(size, color_scheme=scheme, bypass_csp=True, language=language)
    page.goto("/account")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.press("#password", "Enter")
    page.wait_for_selector("form[action='/account/logout']")
    return page


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"])  # type: ignore[index]


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), pytest.param("phone", "dark", marks=pytest.mark.slow)])
def test_a_tournament_from_its_announcement_to_its_winner(new_page: OpenPage, size: str, scheme: str) -> None:
    ana = person(new_page, size, scheme, f"Luz {size}", "en")
    bea = person(new_page, size, scheme, f"Mar {size}", "de")
    for path in ("/tournaments/series/cuba", "/tournaments") if size == "phone" else ():
        ana.goto(path)
        check_accessibility(ana)
    ana.goto("/tournaments")
    ana.locator("a[href='/tournaments/new/santiago']").click()
    ana.fill("#name", f"Copa {size}")
    ana.select_option("#players", "2")
    ana.check("#format-round-robin")
    expect(ana.locator("#rounds")).to_be_hidden()
    ana.fill("#fewest", "2")
    check_accessibility(ana)
    assert fits(ana)
    ana.press("#fewest", "Enter")
    ana.wait_for_selector("form[action$='/enter']")
    bea.goto("/tournaments")
    bea.get_by_text(f"Copa {size}").click()
    bea.locator("form[action$='/enter'] button").click()
    expect(ana.locator("#lobby")).to_contain_text(f"Mar {size}")  # without a reload
    ana.locator("form[action$='/enter'] button").click()
    if size == "phone":
        check_accessibility(ana)
    ana.locator("form[action$='/start'] button").click()
    bea.wait_for_selector("#my-table")  # the page has reloaded by itself
    check_accessibility(bea)
    assert fits(bea)
    bea.focus("#my-table")
    bea.keyboard.press("Enter")
    bea.wait_for_url("**/tables/*")
    bea.go_back()
    bea.locator("summary", has_text="zurückziehen").click()
    bea.locator("form[action$='/leave'] button").click()
    ana.wait_for_selector(".winner")
    expect(ana.locator(".winner")).to_have_text(f"Luz {size} wins the tournament.")
    ana.locator(".how-ranked summary").click()
    check_accessibility(ana)
    assert fits(ana)
