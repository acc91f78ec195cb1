"""Every page: nothing for axe to complain about, and everything on one screen where it shall be."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, by_keyboard, open_table, play, settle_choices

PAGES = (
    *("/settings", "/account", "/leaders", "/bots/turista"),
    *("/rules", "/rules/santiago", "/rules/cuba", "/nowhere"),
)


def check(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("desk", "light"),
        ("phone", "dark"),
        ("tablet", "light"),
        pytest.param("desk", "dark", marks=pytest.mark.slow),
        pytest.param("phone", "light", marks=pytest.mark.slow),
        pytest.param("tablet", "dark", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(new_page: OpenPage, size: str, scheme: str) -> None:
    page = new_page(size, color_scheme=scheme, bypass_csp=True)
    page.goto("/")
    check(page)
    page.locator(".game-santiago summary").click()
    check(page)
    for path in PAGES:
        page.goto(path)
        check(page)
    settle_choices(page)
    table = open_table(page, "me", "bot:turista", "open")
    page.wait_for_selector(f"{MINE}, {OVER}, .prompt")
    check(page)
    guest = new_page(size, color_scheme=scheme, bypass_csp=True)
    guest.goto(page.input_value("#dock [data-address]"))
    check(guest)
    for path in ("replay", "dice", "seats/0", "standing"):
        page.goto(f"{table}/{path}")
        check(page)
    open_table(page, "me", "me")
    page.wait_for_selector(".cover")
    check(page)
    open_table(page, "me", "bot:turista", game="cuba")
    page.wait_for_selector(f"{MINE}, .prompt")
    check(page)


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), ("phone", "dark"), ("tablet", "light")])
def test_the_end_of_a_game_too(new_page: OpenPage, size: str, scheme: str) -> None:
    page = new_page(size, color_scheme=scheme, bypass_csp=True)
    settle_choices(page)
    open_table(page, "bot:turista", "bot:turista")
    page.wait_for_selector(OVER, timeout=180_000)
    check(page)


@pytest.mark.parametrize(("size", "scheme"), [("desk", "dark"), pytest.param("phone", "light", marks=pytest.mark.slow)])
def test_axe_finds_nothing_in_what_opens(new_page: OpenPage, size: str, scheme: str) -> None:
    """An invitation, the guide, a question before the turn ends, a hint, an answer why not."""
    page, guest = (new_page(size, color_scheme=scheme, bypass_csp=True) for _ in range(2))
    settle_choices(page, confirm="on")
    open_table(page, "me", "open")
    if size == "phone":
        page.tap(".tabs [data-tab=seats]")
    page.locator(".seat-menu > summary").first.click()
    check(page)
    guest.goto(page.input_value("[data-address]"))
    check(guest)
    page.goto("/")
    page.locator(".game-cuba button[value=first]").click()
    page.wait_for_selector(MINE)
    page.click("[data-hint]")
    page.wait_for_selector(".moves .advised .chance")
    page.locator(".board svg [role=img][id]").first.dispatch_event("click")
    page.wait_for_selector(".toast")
    check(page)
    while not page.locator(".moves button[data-final]").count():
        play(page, by_keyboard, 1)
        page.wait_for_selector(MINE)
    page.locator(".moves button[data-final]").first.dispatch_event("click")
    page.wait_for_selector(".question")
    check(page)


@pytest.mark.parametrize(("game", "seats"), [("santiago", 2), ("santiago", 4), ("cuba", 2), ("cuba", 5)])
def test_the_table_is_on_one_screen(new_page: OpenPage, game: str, seats: int) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", *(["bot:turista"] * (seats - 1)), game=game)
    play(page, by_keyboard, 4)
    sizes = page.evaluate(
        """() => ({page: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
                   board: document.querySelector(".m-board").getBoundingClientRect().toJSON(),
                   log: document.querySelector(".log").getBoundingClientRect().toJSON()})"""
    )
    assert sizes["page"] == [1366, 768]
    assert sizes["board"]["width"] > 760
    assert sizes["log"]["bottom"] <= 768
    assert len(page.content()) < 200_000
