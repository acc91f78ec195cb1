"""Answers before one's turn and standing orders, in two browsers: with a mouse, by key, and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import SIZES, OpenPage
from tests.browser.players import MINE, settle_choices

EARLY = "#table .moves.early button[name=move]"


def sit_down(new_page: OpenPage, game: str, **more: object) -> tuple[Page, Page]:
    """The player to move, and the other one."""
    ana, bea = new_page(**more), new_page(**more)
    for page in (ana, bea):
        settle_choices(page)
    address = ana.request.post(
        "/tables",
        form={"game": game, "join": "link", "seat-0": "me", "seat-1": "open"},
        headers={"sec-fetch-site": "same-origin"},
        max_redirects=0,
    ).headers["location"]
    ana.goto(address)
    bea.goto(ana.locator("#dock .invitations input").get_attribute("value") or "")
    bea.fill("#name", "Bea")
    bea.click("form[action^='/join/'] button.primary")
    bea.wait_for_selector("#dock")
    ana.goto(address)
    return (ana, bea) if ana.locator(MINE).count() else (bea, ana)


@pytest.mark.parametrize("size", SIZES)
def test_an_early_answer_is_given_changed_and_played(new_page: OpenPage, size: str) -> None:
    first, later = sit_down(new_page, "cuba", size=size)
    early = later.locator("form.early").first
    expect(early).to_contain_text("You can answer now")
    later.locator(EARLY).nth(1).click()
    expect(early).to_contain_text("Your answer: ")
    expect(early.locator("[aria-pressed=true]")).to_have_count(1)
    later.locator("#prompt").focus()
    later.keyboard.press("1")
    expect(early.locator("button[name=move]").first).to_have_attribute("aria-pressed", "true")
    check_accessibility(later)
    later.locator("form.early").nth(1).locator("button[name=move]").first.click()
    expect(later.locator("form.early").nth(1)).to_contain_text("Your answer: ")
    for _ in range(2):
        first.locator(MINE).first.click()
        first.wait_for_timeout(100)
    expect(later.locator("#log .automatic")).to_have_count(2)
    expect(first.locator("#log .automatic")).to_have_count(2)


def test_without_scripts_the_forms_do_the_same(new_page: OpenPage) -> None:
    _, later = sit_down(new_page, "cuba", java_script_enabled=False)
    later.locator(EARLY).first.click()
    expect(later.locator("form.early").first).to_contain_text("Your answer: ")
    later.locator("button[formaction$='/answer/withdraw']").first.click()
    expect(later.locator("form.early").first).to_contain_text("You can answer now")
