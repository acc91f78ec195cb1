"""How somebody plays in a browser: opening a table, and making moves by mouse, by key or by touch."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import Locator, Page

#: The page after a move: mine again, over, or somebody else's.
MINE = "#table .moves button"
OVER = "#table .result"


def settle_choices(page: Page, **choices: str) -> None:
    """Instant bots and no questions, so that whole games take seconds."""
    page.goto("/settings")
    page.select_option("#pace", choices.get("pace", "instant"))
    if choices.get("confirm") != "on":
        page.uncheck("#confirm")
    page.click("form.settings button.primary")
    page.wait_for_selector("p.notice[role=status]")


def open_table(
    page: Page, *seats: str, game: str = "santiago", open_screens: bool = False, guided: bool = False
) -> str:
    """Set up a table on the home page; its address."""
    page.goto("/")
    card = page.locator(f".game-{game}")
    card.locator("summary").click()
    choosers = card.locator("select[name^=seat-]")
    for number in range(choosers.count()):
        who = seats[number] if number < len(seats) else "none"
        choosers.nth(number).select_option(who)
    if open_screens:
        card.locator(f"#option-{game}-open_screens").check()
    if guided:
        card.locator("[name=guide]").check()
    card.locator("details button.primary").click()
    page.wait_for_url("**/tables/*")
    return page.url


def open_public(page: Page, *seats: str, game: str = "santiago") -> str:
    """Set up a public table; the page where one waits."""
    page.goto("/")
    card = page.locator(f".game-card.game-{game}")
    card.locator(".setup > summary").click()
    choosers = card.locator("select[name^=seat-]")
    for number in range(choosers.count()):
        choosers.nth(number).select_option(seats[number] if number < len(seats) else "none")
    card.locator("[name=join][value=public]").check()
    card.locator(".new-table > button.primary").click()
    page.wait_for_url("**/waiting/*")
    return page.url


def version(page: Page) -> str | None:
    field = page.locator(".moves input[name=version]")
    return field.get_attribute("value") if field.count() else None


def play(page: Page, choose: Callable[[Page], None], most: int = 1000) -> bool:
    """Make moves as they come until the game is over, or so many; whether it is over."""
    for _ in range(most):
        page.wait_for_selector(f"{MINE}, {OVER}")
        if page.locator(OVER).count():
            return True
        page.wait_for_load_state()  # keys and clicks before that may be lost
        now = version(page)
        choose(page)
        page.wait_for_function(
            """now => { const field = document.querySelector(".moves input[name=version]");
                        return !field || field.value !== now; }""",
            arg=now,
        )
    return False


def by_mouse(page: Page) -> None:
    """Click on what glows, else on a line of the list."""
    glowing = page.locator(".board .target")
    if glowing.count():
        glowing.first.dispatch_event("click")
        several = page.locator(".moves li:not([hidden]) > button[name=move]")
        if page.locator("[data-all]:not([hidden])").count():
            choose_move(page, several.count() - 1, several)
    else:
        choose_move(page, 0)


def by_keyboard(page: Page) -> None:
    page.keyboard.press("1")


def choose_move(page: Page, number: int, among: Locator | None = None) -> None:
    """Click a move of the list as somebody would: its group is opened first, amounts are stepped past."""
    button = (among or page.locator(".moves button[name=move]")).nth(number)
    if not button.is_visible():
        button.evaluate("one => { const group = one.closest('details'); if (group) group.open = true; }")
    if button.is_visible():
        button.click()
    else:
        button.dispatch_event("click")


def by_list(dice: random.Random) -> Callable[[Page], None]:
    def choose(page: Page) -> None:
        buttons = page.locator(".moves button[name=move]")
        choose_move(page, dice.randrange(buttons.count()))

    return choose
