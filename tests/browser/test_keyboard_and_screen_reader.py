"""Whole games by the keyboard alone and by what a screen reader is told alone, and the spoken summary."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, by_keyboard, open_table, play, settle_choices, version

#: The number of moves in every run, and whole games in `make soak`.
LENGTHS = [
    *(("santiago", 20), ("cuba", 20)),
    *(pytest.param(game, None, marks=pytest.mark.slow) for game in ("santiago", "cuba")),
]


def changed(page: Page, before: str | None) -> None:
    """Until the table asks for something else, or the game is over."""
    page.wait_for_function(
        """before => document.querySelector(".result")
            || ![undefined, before].includes(document.querySelector(".moves [name=version]")?.value)""",
        arg=before,
    )


# --- keys alone


def tab_to(page: Page, selector: str, most: int = 120) -> None:
    """Press Tab until the focus is there."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{selector} cannot be reached by Tab")


def open_by_keys(page: Page, game: str) -> None:
    """From the home page: a table with one more player, who takes any move."""
    page.goto("/")
    tab_to(page, f".game-{game} details.setup > summary")
    page.keyboard.press("Enter")
    tab_to(page, f".game-{game} [name=seat-1]")
    page.keyboard.press("Home")
    while not page.evaluate("document.activeElement.value === 'bot:turista'"):
        page.keyboard.press("ArrowDown")
    tab_to(page, f".game-{game} [name=seat-2]")
    page.keyboard.press("End")  # nobody
    tab_to(page, f".game-{game} form.new-table button.primary")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/*")


def choose_by_keys(page: Page) -> None:
    """Tab to what can be pressed and press it; a group is opened first."""
    if not page.evaluate("Boolean(document.activeElement?.closest('#dock'))"):
        tab_to(page, ".skip")
        page.keyboard.press("Enter")
    tab_to(page, ".moves summary, .moves [name=move], .moves [data-amount]", 12)
    if page.evaluate("document.activeElement.matches('summary')"):
        page.keyboard.press("Enter")
        page.wait_for_selector(".moves [name=move]:visible")
        tab_to(page, ".moves [name=move]", 12)
    page.keyboard.press("Enter")


@pytest.mark.parametrize(("game", "most"), LENGTHS)
def test_a_game_by_the_keyboard_alone(new_page: OpenPage, game: str, most: int | None) -> None:
    page = new_page()
    settle_choices(page)
    open_by_keys(page, game)
    made = 0
    while made != most:
        page.wait_for_selector(f"{MINE}, {OVER}")
        if page.locator(OVER).count():
            break
        page.wait_for_load_state()
        before = version(page)
        choose_by_keys(page)
        changed(page, before)
        made += 1
    assert made == most or page.locator(OVER).count()
    if page.locator(OVER).count():
        tab_to(page, ".result a[href$='/replay']")
        page.keyboard.press("Enter")
        page.wait_for_url("**/replay/*")


# --- what is told alone


class Told:
    """The page as a screen reader has it: roles, names and descriptions, and what each can do."""

    def __init__(self, page: Page) -> None:
        self._tools: CDPSession = page.context.new_cdp_session(page)

    def all(self, role: str, name: str | None = None, inside: int | None = None) -> list[dict[str, Any]]:
        """What has this role, and this name; of the whole page, or inside of something found before."""
        if inside is None:
            inside = self._tools.send("DOM.getDocument", {"depth": 0})["root"]["backendNodeId"]
        query: dict[str, Any] = {"backendNodeId": inside, "role": role}
        if name is not None:
            query["accessibleName"] = name
        nodes: list[dict[str, Any]] = self._tools.send("Accessibility.queryAXTree", query)["nodes"]
        return [node for node in nodes if not node["ignored"]]

    def press(self, node: dict[str, Any]) -> None:
        thing = self._tools.send("DOM.resolveNode", {"backendNodeId": node["backendDOMNodeId"]})["object"]["objectId"]
        press = {"objectId": thing, "functionDeclaration": "function () { this.click(); }"}
        self._tools.send("Runtime.callFunctionOn", press)


def name_of(node: dict[str, Any]) -> str:
    return str(node["name"]["value"])


def choose_by_ear(page: Page, dice: random.Random) -> None:
    """Listen to what can be done, and do one of it."""
    reader = Told(page)
    (form,) = reader.all("form", "Your moves")
    for _ in range(2):
        buttons = [node for node in reader.all("button", inside=form["backendDOMNodeId"]) if name_of(node) not in STEPS]
        groups = reader.all("DisclosureTriangle", inside=form["backendDOMNodeId"])
        assert all(len(name_of(node)) > 2 for node in (*buttons, *groups))
        if buttons:
            assert all(node.get("description", {}).get("value") or name_of(node) for node in buttons)
            return reader.press(dice.choice(buttons))
        reader.press(dice.choice(groups))
    pytest.fail("there is nothing to choose from")


#: What only shows other moves.
STEPS = ("Less", "More", "All moves")


@pytest.mark.parametrize(("game", "most"), LENGTHS)
def test_a_game_by_ear_alone(new_page: OpenPage, game: str, most: int | None) -> None:
    page = new_page()
    settle_choices(page)
    open_by_keys(page, game)
    dice = random.Random(2)
    reader = Told(page)
    made = 0
    heard = set()
    while made != most:
        page.wait_for_selector(f"{MINE}, {OVER}")
        if page.locator(OVER).count():
            break
        page.wait_for_load_state()
        heard.update(map(name_of, reader.all("region")))  # one of them bears what the table asks for
        before = version(page)
        choose_by_ear(page, dice)
        changed(page, before)
        made += 1
    assert len(heard) > 5
    assert made == most or reader.all("table")  # of the scores
    expect(page.locator("#announcer")).not_to_be_empty()


#: What the board did not say: by game, what stands in its labels.
LABELS = {
    "santiago": ("flower", "The flag is here."),
    "cuba": ("Field 1:", "The figure stands here.", "one costs", "on the market"),
}


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_the_summary_describes_the_whole_table_in_sentences(new_page: OpenPage, game: str) -> None:
    page = new_page(bypass_csp=True)
    settle_choices(page)
    open_table(page, "me", "bot:turista", game=game)
    assert not play(page, by_keyboard, most=3)
    page.wait_for_selector(MINE)
    page.wait_for_load_state()
    labels = page.evaluate("[...document.querySelectorAll('.board [aria-label]')].map((it) => it.ariaLabel).join(' ')")
    for part in LABELS[game]:
        assert part in labels, part
    assert "/ 5" not in labels
    page.keyboard.press("s")
    summary = page.locator("dialog .standing")
    expect(summary).to_be_visible()
    expect(summary).to_contain_text("ship")
    expect(summary).to_contain_text("Since your last move")
    expect(page.locator("dialog .said")).to_contain_text("wants")
    assert page.locator("dialog .standing h2").count() >= 5
    check_accessibility(page)
    page.keyboard.press("Escape")
    expect(summary).to_have_count(0)
