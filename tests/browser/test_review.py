"""The review on the replay page: requested, awaited, and stepped through."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import OpenPage
from tests.browser.players import OVER, Requests, open_table, settle_choices


def at(page: Page, moves: int) -> None:
    page.wait_for_url(f"**/replay/{moves}")
    page.wait_for_function("moves => Number(document.getElementById('slider').value) === moves", arg=moves)


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), pytest.param("phone", "dark", marks=pytest.mark.slow)])
def test_the_review_of_a_game(new_page: OpenPage, size: str, scheme: str) -> None:
    """Beside a board of full size, with every line of the log and the chart as a way to its move."""
    page = new_page(size, "de", color_scheme=scheme, bypass_csp=True)
    settle_choices(page)
    open_table(page, "bot:turista", "bot:turista")
    page.wait_for_selector(OVER, timeout=60_000)
    page.click("form[action$='/review'] button")
    page.wait_for_url("**/replay/*")
    page.wait_for_selector(".review", timeout=120_000, state="attached")
    check_accessibility(page)
    text = page.locator(".review").text_content() or ""
    assert re.search(r"\d\s%|Prozent", text), text
    assert not re.search(r"\d\.\d", text), text  # "0,1 Prozent" is German
    if size == "phone":
        page.click(".tabs [data-tab=log]")
    else:
        board, dock = page.locator(".board > svg").bounding_box(), page.locator("#dock").bounding_box()
        assert board is not None
        assert dock is not None
        assert board["width"] > 900
        assert dock["height"] < 100
    expect(page.locator(".review-chart")).to_be_visible()
    expect(page.locator(".review [data-finding]").first).to_contain_text("Simulationen in deinem Browser")
    point = page.locator(".review ol a").first
    number = int(point.get_attribute("data-step") or 0)
    point.click()
    at(page, number)
    expect(page.locator(".review [aria-current]").first).to_be_visible()
    expect(page.locator(".seat .chance").first).to_contain_text("%")
    chart = page.locator(".review-chart svg").bounding_box()
    assert chart is not None
    elsewhere = 0.25 if number > int(page.get_attribute("#slider", "max") or 0) / 2 else 0.75
    page.mouse.click(chart["x"] + chart["width"] * elsewhere, chart["y"] + chart["height"] / 2)
    page.wait_for_function("number => Number(document.getElementById('slider').value) !== number", arg=number)
    page.click("[data-pane=log]")
    line = page.locator(".log li:not(.later) a").nth(-3)
    number = int(line.get_attribute("data-step") or 0)
    line.click()
    at(page, number)
    expect(page.locator(".log [aria-current]")).to_be_in_viewport()


def test_a_game_plays_by_itself_and_jumps_by_turn_and_round(new_page: OpenPage) -> None:
    page = new_page()
    page.clock.install()
    steps = Requests(page, "/replay/", "GET")
    settle_choices(page)
    open_table(page, "bot:turista", "bot:turista", game="cuba")
    page.wait_for_selector(OVER, timeout=120_000)
    page.goto(page.url + "/replay")

    def shown() -> int:
        return int(page.locator("#slider").input_value())

    def press(key: str) -> int:
        before = page.url
        page.keyboard.press(key)
        page.wait_for_function("before => location.href !== before", arg=before)
        return shown()

    first = shown()
    page.evaluate("window.controls = ['slider', 'speed', 'log'].map((id) => document.getElementById(id))")
    page.click("#table-menu > summary")
    expect(page.locator(".chapter")).to_have_text("Round 1 of 6")
    assert press("ArrowRight") == first + 1
    assert press("ArrowLeft") == first
    assert press("ArrowDown") > first
    assert press("PageDown") > first + 2
    expect(page.locator(".chapter")).to_have_text("Round 2 of 6")
    second = shown()
    press("PageDown")
    assert press("PageUp") == second
    menu = page.locator("#table-menu[open] > summary")
    expect(menu).to_be_focused()
    menu.blur()
    page.select_option("#speed", "fast")
    page.locator("#speed").blur()
    page.keyboard.press(" ")
    expect(page.locator("[data-play]")).to_have_attribute("aria-label", "Pause")
    page.wait_for_function("second => Number(document.getElementById('slider').value) > second + 1", arg=second)
    page.keyboard.press(" ")
    expect(page.locator("[data-play]")).to_have_attribute("aria-label", "Play the game")
    steps.wait_for_answers()  # a step that was under way
    page.wait_for_function("() => location.pathname.endsWith(`/replay/${document.getElementById('slider').value}`)")
    stopped, begun = shown(), steps.begun
    page.clock.run_for(60_000)
    assert (shown(), steps.begun) == (stopped, begun)
    assert page.url.endswith(f"/replay/{stopped}")
    press("End")
    assert page.evaluate("window.controls.every((control) => control.isConnected)")  # so a drag is not interrupted
    expect(page.locator("[data-of=result], [data-pane=result]").first).to_be_attached()
