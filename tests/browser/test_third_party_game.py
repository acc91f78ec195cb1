"""A game of somebody else's package at a table in the browser: Paseo, in `tests/paseo`, drawn plainly."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, by_mouse, open_table, play, settle_choices

pytestmark = pytest.mark.usefixtures("paseo")


def test_a_whole_game_with_buttons(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista", game="paseo")
    page.wait_for_selector(MINE)
    expect(page.locator(".moves button span")).to_have_text(["Walk 1 lamp", "Walk 2 lamps"])
    expect(page.locator("#prompt")).to_contain_text("Choose your move")
    expect(page.locator(".board svg.m-board")).to_contain_text("lamp")
    expect(page.locator(".top-links a[href='/rules/paseo']")).to_be_visible()
    assert play(page, by_mouse)
    expect(page.locator(".scores")).to_contain_text("steps")
    expect(page.locator(".log")).to_contain_text("wins with 6 points")


def test_it_is_started_at_once_with_tips_on_a_phone(new_page: OpenPage) -> None:
    page = new_page("phone", "de")
    page.goto("/")
    card = page.locator(".game-paseo")
    expect(card).to_contain_text("Du gegen einen Bot, sofort.")
    card.locator("button[value=first]").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator("#dock .guide")).to_contain_text("One lamp is safe.")
    page.goto("/rules/paseo")
    expect(page.locator("article.rules")).to_contain_text("the sea decides")
