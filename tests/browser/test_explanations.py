"""Explanations at the table: tooltips by mouse, keyboard and touch, and what they must not cover."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, by_list, open_game, open_table, play, settle_choices

TIP = ".tip:visible"


GAMES = ["santiago", "cuba"]


@pytest.mark.parametrize("game", GAMES)
def test_every_tile_has_a_tooltip_under_the_mouse(new_page: OpenPage, game: str) -> None:
    page = new_page()
    open_game(page, game)
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some((one) => one.name.includes('/glossary/'))"
    )
    things = page.locator(".board [data-help]")
    kinds = {}
    for number in range(things.count()):
        key = things.nth(number).get_attribute("data-help") or ""
        kinds.setdefault(key.split("/")[0], number)
    expected = {"cubans", "buildings", "goods"} if game == "santiago" else {"characters", "buildings", "fields", "tax"}
    assert expected <= set(kinds)
    for number in kinds.values():
        page.mouse.move(2, 2)
        things.nth(number).hover(force=True)
        page.wait_for_selector(TIP)
        assert len(page.inner_text(".tip")) > 20


@pytest.mark.parametrize("game", GAMES)
def test_every_tile_has_a_tooltip_for_the_keyboard(new_page: OpenPage, game: str) -> None:
    page = new_page()
    open_game(page, game)
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some((one) => one.name.includes('/glossary/'))"
    )
    page.locator(".board").focus()
    tooltips = set()
    dice = random.Random(1)
    for _ in range(30):
        page.keyboard.press(dice.choice(["ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"]))
        if page.locator(TIP).count():
            tooltips.add(page.inner_text(".tip"))
    assert len(tooltips) >= 8
    for way in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        for _ in range(20):
            if page.evaluate("document.activeElement.matches('[role=img]')"):
                break
            page.keyboard.press(way)
    page.keyboard.press("Enter")  # nothing can be done there: it says so
    expect(page.locator(".toast").last).to_be_visible()


def test_a_long_press_on_a_tile_shows_its_tooltip(new_page: OpenPage) -> None:
    page = new_page("phone")
    open_game(page, "cuba")
    field = page.locator(".board [data-help]").first
    field.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True, "clientX": 60, "clientY": 120})
    page.wait_for_selector(TIP)


@pytest.mark.parametrize("game", GAMES)
def test_a_click_on_what_cannot_be_chosen_says_why(new_page: OpenPage, game: str) -> None:
    page = new_page()
    open_game(page, game)
    before = page.get_attribute("#table", "data-moves")
    page.locator(".board svg [role=img][id][data-help]").last.dispatch_event("click")
    expect(page.locator(".toast").last).to_be_visible()
    assert page.get_attribute("#table", "data-moves") == before


def test_explanations_have_no_stray_spaces_and_begin_with_a_capital(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista", game="cuba")
    page.wait_for_selector(MINE)
    for _ in range(4):
        for text in page.locator(".moves button > span:first-of-type").all_text_contents():
            assert not re.search(r"\s[,.;:]", text), text
        play(page, by_list(random.Random(7)), 1)
        page.wait_for_selector(MINE)
    for language in ("en", "de", "es", "it"):
        for game in ("santiago", "cuba"):
            known = page.request.get(f"/glossary/{game}/{language}").json()
            assert all(text[0].isupper() for text in known.values() if text[0].isalpha()), known


#: Points at everything that explains itself, and at every move; what its explanation covers that it must not.
COVERED = """() => {
  const frame = document.querySelector(".board").getBoundingClientRect();
  const box = (one) => { // what of it is in sight: a phone's board is larger than its frame
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (!one.closest(".board")) return { left, right, top, bottom };
    return { left, right, top: Math.max(top, frame.top), bottom: Math.min(bottom, frame.bottom) };
  };
  const covers = (a, b) => { // more than an edge of it
    const wide = Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left));
    const high = Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    return wide * high > 0.15 * (b.right - b.left) * (b.bottom - b.top);
  };
  const inSight = (element) => element.checkVisibility() && box(element).bottom - box(element).top > 4;
  const things = [...document.querySelectorAll(".board [data-help], .moves button[name=move]")];
  const kept = [...document.querySelectorAll(".seat.near .panel, #prompt, .moves button")];
  const covered = [];
  let tooltips = 0;
  for (const thing of things.filter(inSight)) {
    const at = box(thing);
    const [clientX, clientY] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
    thing.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse", clientX, clientY }));
    const tip = document.querySelector(".tip");
    if (tip.hidden) continue;
    tooltips += 1;
    const places = thing.matches("button") ? document.querySelectorAll(".hot") : [];
    for (const element of [thing, ...places, ...kept]) {
      if (inSight(element) && covers(box(tip), box(element))) {
        const what = element.id || element.className;
        covered.push(`${thing.id || thing.dataset.help}: ${what} ${tip.textContent.slice(0, 40)}`);
      }
    }
  }
  return [tooltips, [...new Set(covered)]];
}"""


def test_a_tooltip_covers_neither_its_tile_nor_holdings_nor_moves(new_page: OpenPage) -> None:
    page = new_page("phone")
    settle_choices(page)
    for game in ("santiago", "cuba"):
        open_table(page, "me", "bot:turista", game=game)
        play(page, by_list(random.Random(3)), 1)
        for width, height, layout in ((390, 844, "tall"), (844, 390, "wide"), (1366, 768, "wide")):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_selector(f"#table[data-layout={layout}] .moves button")
            tooltips, covered = page.evaluate(COVERED)
            assert tooltips > 10, (game, width)
            assert covered == [], (game, width, covered)
        page.set_viewport_size({"width": 390, "height": 844})


def test_a_long_press_on_a_move_explains_it_and_does_not_make_it(new_page: OpenPage) -> None:
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
