"""What moves by itself: goods fly and dice tumble where motion is wanted, nowhere else, and never in the way."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, by_keyboard, by_list, open_table, play, settle_choices

#: Notes everything that flies or tumbles, with how long it lived.
RECORD_MOTION = """
window.seen = [];
new MutationObserver((changes) => {
  for (const change of changes) {
    for (const node of change.addedNodes) {
      if (node.className === "flight") window.seen.push({thing: node.dataset.thing, from: performance.now(), node});
    }
    for (const node of change.removedNodes) {
      for (const one of window.seen) {
        if (node === one.node || node.contains?.(one.node)) one.until ??= performance.now();
      }
    }
    if (change.attributeName === "class" && change.target.classList.contains("tumbles")) {
      window.seen.push({thing: change.target.id});
    }
  }
}).observe(document, {subtree: true, childList: true, attributes: true, attributeFilter: ["class"]});
"""


def things(page: Page) -> list[str]:
    names: list[str] = page.evaluate("window.seen.map((one) => one.thing)")
    return names


def sit_down(page: Page, game: str) -> None:
    page.add_init_script(RECORD_MOTION)
    settle_choices(page)
    open_table(page, "me", "me", game=game, open_screens=game == "santiago")
    page.wait_for_selector(MINE)


def onward(page: Page) -> None:
    """As far as the pesos go, without staying anywhere."""
    for kind in ('[value^="drive"]', '[value^="deliver"]', '[value="pass"]', "[name=move]"):
        buttons = page.locator(f".moves button{kind}")
        if buttons.count():
            return buttons.last.click()
    raise AssertionError("there is no move")


def test_goods_fly_and_are_gone_and_dice_tumble(new_page: OpenPage) -> None:
    page = new_page(reduced_motion="no-preference")
    sit_down(page, "santiago")
    # The port is reached in at most eleven turns, and no ship stays for more than three deliveries.
    for _ in range(250):
        play(page, onward, 1)
        if any(thing.startswith("die-") for thing in things(page)):
            break
    assert {"die-sugar", "die-citrus", "die-tobacco", "die-rum", "die-cigars"} <= set(things(page))
    assert set(things(page)) & {"peso", "point", "wood", "sugar", "citrus", "tobacco", "rum", "cigars"}
    expect(page.locator(".sky")).to_have_count(0)
    page.wait_for_function("() => window.seen.every((one) => !one.node || one.until)")
    lasted = page.evaluate("window.seen.filter((one) => one.node).map((one) => one.until - one.from)")
    assert min(lasted) < 800  # 600 ms on a quiet machine


def test_nothing_is_in_the_way(new_page: OpenPage) -> None:
    """While things fly, the next move can be made: nothing in the air takes the click."""
    page = new_page(reduced_motion="no-preference")
    sit_down(page, "cuba")
    page.evaluate(
        """async () => {
            const { animateFlights } = await import("/static/board/motion.js");
            const box = document.querySelector(".moves button").getBoundingClientRect();
            const { id } = document.querySelector(".moves button[name=move]");
            animateFlights([{ thing: "peso", count: 3, start: "supply", end: id }]);
            window.hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            window.flew = document.querySelectorAll(".flight").length;
        }"""
    )
    assert page.evaluate("window.flew") == 3
    assert page.evaluate("window.hit.closest('.moves button') !== null")
    expect(page.locator(".flight")).to_have_count(0)
    endless = "document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations === Infinity).length"
    assert page.evaluate(endless) == 0  # a page that waits for me keeps no processor busy


@pytest.mark.parametrize("game", ["santiago", pytest.param("cuba", marks=pytest.mark.slow)])
def test_calm_people_see_nothing_fly(new_page: OpenPage, game: str) -> None:
    page = new_page()
    sit_down(page, game)
    play(page, by_list(random.Random(4)), 12)
    assert things(page) == []


def test_cuba_moves_too(new_page: OpenPage) -> None:
    page = new_page(reduced_motion="no-preference")
    sit_down(page, "cuba")
    play(page, by_list(random.Random(4)), 12)
    goods = ["wood", "stone", "water", "sugar", "citrus", "tobacco", "peso", "point"]
    page.wait_for_function("goods => window.seen.some((one) => goods.includes(one.thing))", arg=goods)


def test_a_browser_without_view_transitions_updates_the_table(new_page: OpenPage) -> None:
    """As in a browser that lacks them, with all motion wanted."""
    page = new_page(reduced_motion="no-preference")
    page.add_init_script("delete Document.prototype.startViewTransition")
    settle_choices(page)
    open_table(page, "me", "bot:turista")
    page.wait_for_selector(MINE)
    assert not page.evaluate("'startViewTransition' in document")
    play(page, by_keyboard, most=6)
    lines = page.locator(".log li").count()
    assert lines > 3
