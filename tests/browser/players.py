"""How somebody plays in a browser: opening a table, and making moves by mouse, by key or by touch."""

from __future__ import annotations

import random
from collections.abc import Callable
from html.parser import HTMLParser

from playwright.sync_api import Locator, Page, Request

from malecon import games

#: The page after a move: mine again, over, or somebody else's.
MINE = "#table .moves:not(.early) button"
OVER = "#table .result"


#: Sent by hand as a page's own form would be: two pages less to load in every test.
AS_A_FORM = {"sec-fetch-site": "same-origin"}


class FormValues(HTMLParser):
    """What the form with this action would send as it stands on a page, without its buttons."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._action, self._inside, self._select = action, False, ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        having = dict(attributes)
        if tag == "form":
            self._inside = having.get("action") == self._action
        elif self._inside and tag == "select":
            self._select = having.get("name") or ""
        elif self._inside and tag == "option" and "selected" in having:
            self.values[self._select] = having.get("value") or ""
        elif self._inside and tag == "input" and (having.get("type") != "checkbox" or "checked" in having):
            self.values[having.get("name") or ""] = having.get("value") or ("on" if "checked" in having else "")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "form"


def settle_choices(page: Page, **choices: str) -> None:
    """Instant bots and no questions, so that whole games take seconds."""
    size = page.viewport_size or {"width": 1366, "height": 768}
    layout = "tall" if size["width"] < min(700, 1.25 * size["height"]) else "wide"
    settings = FormValues("/settings")
    settings.feed(page.request.get("/settings").text())
    form = settings.values | {"pace": "instant", "confirm": ""} | choices
    answer = page.request.post("/settings", form=form, headers=AS_A_FORM, max_redirects=0)
    assert answer.status == 303, answer.text()
    page.context.add_cookies([{"name": "layout", "value": layout, "url": answer.url}])  # as any page would


def open_table(
    page: Page, *seats: str, game: str = "santiago", open_screens: bool = False, guided: bool = False
) -> str:
    """Open a table; its address."""
    form = {"game": game} | {f"seat-{number}": who for number, who in enumerate(seats)}
    for key, option in games.get(game).options.items():
        if option.default is True or (open_screens and key == "open_screens"):
            form[f"option-{game}-{key}"] = "on"
    if guided:
        form["guide"] = "on"
    answer = page.request.post("/tables", form=form, headers=AS_A_FORM, max_redirects=0)
    assert answer.status == 303, answer.text()
    page.goto(answer.headers["location"])
    return page.url


def open_table_by_hand(page: Page, *seats: str, game: str = "santiago") -> str:
    """Set up a table on the home page; its address."""
    page.goto("/")
    card = page.locator(f".game-{game}")
    card.locator("summary").click()
    choosers = card.locator("select[name^=seat-]")
    for number in range(choosers.count()):
        choosers.nth(number).select_option(seats[number] if number < len(seats) else "none")
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


class Requests:
    """The requests of a page to addresses that contain a text."""

    def __init__(self, page: Page, text: str, method: str) -> None:
        self.begun = self.ended = 0
        self._page, self._text, self._method = page, text, method
        page.on("request", self._on_begin)
        page.on("requestfinished", self._on_end)
        page.on("requestfailed", self._on_end)

    def wait_for_answers(self) -> None:
        """Return when all requests that have begun are answered."""
        while self.ended < self.begun:
            self._page.wait_for_timeout(10)

    def _fits(self, request: Request) -> bool:
        return self._text in request.url and request.method == self._method

    def _on_begin(self, request: Request) -> None:
        self.begun += self._fits(request)

    def _on_end(self, request: Request) -> None:
        self.ended += self._fits(request)


def version(page: Page) -> str | None:
    field = page.locator(".moves input[name=version]")
    return field.get_attribute("value") if field.count() else None


def play(page: Page, choose: Callable[[Page], None], most: int = 1000) -> bool:
    """Make moves as they come until the game is over, or at most `most` moves; whether it is over."""
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


def open_game(page: Page, game: str, *others: str, **choices: str) -> str:
    settle_choices(page, **choices)
    table = open_table(page, "me", *(others or ("bot:turista",)), game=game)
    page.wait_for_selector(MINE)
    return table
