"""People in the browser: an account made by keyboard, the same games in another browser, and a clock that runs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, open_table, settle_choices

PASSWORD = "sugar and rum"


@pytest.mark.parametrize(("size", "scheme"), [("desk", "dark"), pytest.param("phone", "light", marks=pytest.mark.slow)])
def test_games_follow_their_player(new_page: OpenPage, size: str, scheme: str) -> None:
    name = f"Ana {size}"
    page = new_page(size, color_scheme=scheme, bypass_csp=True)
    settle_choices(page)
    table = open_table(page, "me", "me", open_screens=True)
    page.goto("/account")
    check_accessibility(page)
    page.focus("#name")
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("form[action='/account/logout']")
    assert page.locator("h1").inner_text() == name
    check_accessibility(page)
    elsewhere = new_page(size, language="de", color_scheme=scheme)
    elsewhere.goto("/account")
    elsewhere.fill("#login-name", name.upper())
    elsewhere.fill("#login-password", "something else")
    elsewhere.click("form[action='/account/login'] button")
    elsewhere.wait_for_selector("[role=alert]")
    assert elsewhere.evaluate("document.documentElement.scrollWidth") <= elsewhere.viewport_size["width"]  # type: ignore[index]
    elsewhere.fill("#login-name", name.upper())
    elsewhere.fill("#login-password", PASSWORD)
    elsewhere.click("form[action='/account/login'] button")
    elsewhere.wait_for_selector("form[action='/account/logout']")
    elsewhere.goto(table)
    elsewhere.wait_for_selector(MINE)
    elsewhere.goto("/account")
    elsewhere.locator("form[action='/account/logout'] button").first.click()
    elsewhere.wait_for_url("**/")
    elsewhere.goto(table)
    elsewhere.wait_for_selector(".prompt")
    assert elsewhere.locator(MINE).count() == 0


def test_a_clock_runs_on_the_page(new_page: OpenPage) -> None:
    page = new_page(bypass_csp=True)
    settle_choices(page)
    page.goto("/")
    card = page.locator(".game-santiago")
    card.locator("summary").click()
    assert not card.locator("[name=time_up]").is_visible()
    card.locator("[name=clock]").select_option("ten-minutes")
    assert card.locator("[name=time_up]").is_visible()
    check_accessibility(page)
    card.locator("select[name=seat-1]").select_option("me")
    card.locator("select[name=seat-2]").select_option("none")
    card.locator("#option-santiago-open_screens").select_option("on")
    card.locator("details button.primary").click()
    page.wait_for_selector(f"{MINE} >> nth=0")
    clock = page.locator(".clock time")
    expect(clock).to_have_text(re.compile("^(9|10) min"))
    first = clock.inner_text()
    page.wait_for_function("first => document.querySelector('.clock time').textContent !== first", arg=first)
    assert not page.locator(".clock.late").count()
    page.evaluate("document.querySelector('.clock').dataset.deadline = Math.round(Date.now() / 1000) + 100")
    page.wait_for_selector(".clock.late")
    assert page.locator("#announcer").inner_text()
    check_accessibility(page)
