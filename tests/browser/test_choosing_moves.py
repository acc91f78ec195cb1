"""Hands on the board: choices are made where things lie, long lists are grouped and filtered, amounts are stepped."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, by_list, open_table, play, settle_choices

MOVE = ".moves button[name=move]"


def until(page: Page, ready: Callable[[Page], bool], most: int = 160) -> None:
    """Play at random until the table asks for something special."""
    for number in range(most):
        page.wait_for_selector(f"{MINE}, {OVER}")
        assert not page.locator(OVER).count(), "the game is over and it never came up"
        if ready(page):
            return
        play(page, by_list(random.Random(number)), 1)
    pytest.fail("it never came up")


def offers(start: str) -> Callable[[Page], bool]:
    return lambda page: page.locator(f"{MOVE}[value^='{start}']").count() > 0


def sit_down(new_page: OpenPage, game: str = "cuba", size: str = "desk") -> Page:
    page = new_page(size)
    settle_choices(page)
    open_table(page, "me", "bot:turista", game=game)
    return page


#: The places that could be chosen but do not take the pointer in their middle.
HOLLOW = """() => [...document.querySelectorAll(".board .target")].filter((target) => {
  const { x, y, width, height } = target.getBoundingClientRect();
  const hit = document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".board .target");
  return !hit || !(hit.contains(target) || target.contains(hit));
}).map((target) => target.id)"""


def check_middles(page: Page) -> None:
    """No place is hollow, once what lies over it for a moment is gone."""
    with suppress(TimeoutError):
        page.wait_for_function(f"() => ({HOLLOW})().length === 0", timeout=10_000)
    assert page.evaluate(HOLLOW) == []


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_whatever_can_be_chosen_takes_the_pointer_in_its_middle(new_page: OpenPage, game: str) -> None:
    page = sit_down(new_page, game=game)
    chooser = random.Random(4)
    for _ in range(30):
        check_middles(page)
        play(page, by_list(chooser), 1)
        page.wait_for_selector(f"{MINE}, {OVER}")


def test_goods_are_bought_and_sold_on_their_stall(new_page: OpenPage) -> None:
    page = sit_down(new_page)
    until(page, offers("buy "))
    good = (page.locator(f"{MOVE}[value^='buy ']").first.get_attribute("value") or "").split()[1]
    before = page.get_attribute("#table", "data-moves")
    page.locator(f"#buy-{good}").click()
    page.wait_for_function("before => document.getElementById('table').dataset.moves !== before", arg=before)


def test_a_field_lights_up_its_row_and_column(new_page: OpenPage) -> None:
    page = sit_down(new_page)
    until(page, offers("field "))
    page.locator("#field-6").hover()
    lit = page.eval_on_selector_all(".reached", "all => all.map((one) => one.id).sort()")
    assert set(lit) == {f"field-{field}" for field in (2, 5, 6, 7, 8, 10)}


def test_bids_are_stepped_and_say_what_follows(new_page: OpenPage) -> None:
    page = sit_down(new_page)
    until(page, lambda page: page.locator("[data-amounts]").count() > 0)
    page.click("[data-more]")
    page.click("[data-more]")
    expect(page.locator("[data-amount]")).to_contain_text("2")
    page.click("[data-less]")
    expect(page.locator("[data-amount]")).to_contain_text("1")
    assert len(page.inner_text(".amounts p")) > 10
    before = page.get_attribute("#table", "data-moves")
    page.click("[data-amount]")
    page.wait_for_function("before => document.getElementById('table').dataset.moves !== before", arg=before)


def test_a_long_list_is_grouped_filtered_and_shown_again(new_page: OpenPage) -> None:
    page = sit_down(new_page)
    until(page, lambda page: page.locator(MOVE).count() > 8 and page.locator(".group").count() > 1)
    assert page.locator(f"{MOVE}:visible").count() < page.locator(MOVE).count()
    page.locator(".group summary").first.click()
    assert page.locator(f"{MOVE}:visible").count() >= 2
    page.click("[data-all]")
    move = page.locator(MOVE).last.get_attribute("value") or ""
    page.fill("[data-filter]", move)
    expect(page.locator(f"{MOVE}[value='{move}']")).to_be_visible()
    page.fill("[data-filter]", "")
    expect(page.locator("[data-all]")).to_be_hidden()
    page.fill("[data-filter]", move)
    before = page.get_attribute("#table", "data-moves")
    page.press("[data-filter]", "Enter")
    page.wait_for_function("before => document.getElementById('table').dataset.moves !== before", arg=before)


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_way_out_comes_first_and_has_its_key(new_page: OpenPage, size: str) -> None:
    page = sit_down(new_page, size=size)
    until(page, lambda page: page.locator(".moves .out button").count() > 0 and page.locator(MOVE).count() > 3)
    way_out = page.locator(".moves .out button").first
    expect(way_out).to_be_visible()
    box, dock = way_out.bounding_box(), page.locator("#dock").bounding_box()
    assert box is not None
    assert dock is not None
    assert box["y"] + box["height"] <= dock["y"] + dock["height"]
    before = page.get_attribute("#table", "data-moves")
    page.keyboard.press("x")
    page.wait_for_function("before => document.getElementById('table').dataset.moves !== before", arg=before)


def test_goods_are_dragged_onto_a_ship(new_page: OpenPage) -> None:
    page = sit_down(new_page)
    until(page, offers("ship "))
    _, berth, good = (page.locator(f"{MOVE}[value^='ship ']").first.get_attribute("value") or "").split()
    heap, ship = page.locator(f"#heap-{good}").bounding_box(), page.locator(f"#berth-{berth}").bounding_box()
    assert heap is not None
    assert ship is not None
    check_middles(page)
    before = page.get_attribute("#table", "data-moves")
    page.mouse.move(heap["x"] + heap["width"] / 2, heap["y"] + heap["height"] / 2)
    page.mouse.down()
    page.mouse.move(ship["x"] + ship["width"] / 2, ship["y"] + ship["height"] / 2, steps=5)
    page.mouse.up()
    page.wait_for_function("before => document.getElementById('table').dataset.moves !== before", arg=before)
