"""Whole games in the browser: by mouse, on a phone, between two people with a spectator."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from malecon.text import LANGUAGES
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, by_keyboard, by_list, by_mouse, open_table, play, settle_choices


def test_a_whole_game_by_mouse(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista")
    assert play(page, by_mouse)
    expect(page.locator(".scores")).to_be_visible()
    page.click("text=Replay >> nth=0")
    page.wait_for_url("**/replay/*")
    start = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_function("start => location.href !== start", arg=start)


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_on_a_phone(new_page: OpenPage, game: str) -> None:
    page = new_page("phone")
    settle_choices(page)
    open_table(page, "me", "bot:turista", game=game)
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert page.locator("svg.m-tall").count() == 1
    for tab in ("seats", "log", "board"):
        page.tap(f".tabs [data-tab={tab}]")
    boxes = [button.bounding_box() for button in page.locator(".dock button:visible, .tabs button:visible").all()]
    assert all(box and box["height"] >= 44 and box["width"] >= 44 for box in boxes)
    play(page, by_list(random.Random(1)), 25)


def test_a_whole_game_of_cuba(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista", game="cuba")
    assert play(page, by_list(random.Random(5)))
    expect(page.locator(".scores")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), [("santiago", 4), ("cuba", 5)])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_whole_games_of_the_most(new_page: OpenPage, game: str, players: int, size: str) -> None:
    page = new_page(size)
    settle_choices(page)
    open_table(page, "me", *["bot:turista"] * (players - 1), game=game)
    assert play(page, by_list(random.Random(6)))


def test_two_browsers_and_a_spectator(new_page: OpenPage) -> None:
    ana, ben, eve = new_page(), new_page(language="de"), new_page(language="es")
    for page in (ana, ben):
        settle_choices(page)
    table = open_table(ana, "me", "open")
    ana.click(".seat-menu >> nth=1 >> summary")
    link = ana.input_value("[data-address]")
    ben.goto(link)
    ben.fill("#name", "Ben")
    ben.click("button.primary")
    ben.wait_for_url("**/tables/*")
    eve.goto(table)
    expect(eve.locator(MINE)).to_have_count(0)
    dice = random.Random(2)
    for _ in range(40):
        while not (ana.locator(MINE).count() or ben.locator(MINE).count() or ana.locator(OVER).count()):
            ana.wait_for_timeout(20)
        mover = ana if ana.locator(MINE).count() else ben
        if ana.locator(OVER).count():
            break
        play(mover, by_list(dice), 1)
    expect(ana.locator(".log")).to_contain_text("Ben")
    assert eve.locator(".m-panel").count() == 2
    expect(eve.locator(".log li").last).to_be_visible()
    title = ana.title() + ben.title()
    assert "Your turn" in title or "Du bist" in title or "●" in title


def test_undo_hint_confirm_and_reasons(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page, confirm="on")
    open_table(page, "me", "me", open_screens=True)
    page.wait_for_selector(MINE)
    asked = undone = 0
    for _ in range(30):
        page.wait_for_selector(MINE)
        before = page.input_value(".moves input[name=version]")
        page.locator(".moves button[name=move]").first.click()
        if page.locator(".question").count():
            asked += 1
            page.keyboard.press("Escape")
            expect(page.locator(".question")).to_have_count(0)
            page.locator(".moves button[name=move]").first.click()
            page.keyboard.press("Enter")
        page.wait_for_function("b => document.querySelector('.moves input[name=version]')?.value !== b", arg=before)
        if page.locator("button[data-key=u]").count() and not undone:
            page.keyboard.press("u")
            page.wait_for_selector("button[data-key=r]")
            page.keyboard.press("r")
            page.wait_for_selector("button[data-key=u]")
            undone += 1
        if asked and undone:
            break
    assert asked
    assert undone
    page.wait_for_selector(MINE)
    page.locator(".board svg [role=img][id]").first.dispatch_event("click")
    expect(page.locator(".toast").last).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("fly to Miami")
    page.keyboard.press("Enter")
    expect(page.locator(".toast.error").last).to_contain_text("not a move")
    page.wait_for_selector("[data-hint]")
    page.click("[data-hint]")
    advised = page.locator(".moves .advised:visible").first
    expect(advised.locator(".chance")).to_be_visible(timeout=60_000)
    box, dock = advised.bounding_box(), page.locator("#dock").bounding_box()
    assert box is not None
    assert dock is not None
    assert box["y"] + box["height"] <= dock["y"] + dock["height"]  # the best is in sight, and is made by a click
    before = page.input_value(".moves input[name=version]")
    advised.click()
    page.keyboard.press("Enter")  # if it asks first
    page.wait_for_function("b => document.querySelector('.moves input[name=version]')?.value !== b", arg=before)


def test_the_language_changes_at_the_table(new_page: OpenPage) -> None:
    page = new_page(language="en")
    settle_choices(page)
    table = open_table(page, "me", "bot:turista")
    for language in sorted(LANGUAGES, key="en".__eq__):  # each is another than before
        moves = page.get_attribute("#table", "data-moves")
        page.select_option("#language", language)
        page.wait_for_url(table)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert int(page.get_attribute("#table", "data-moves") or 0) >= int(moves or 0)
        play(page, by_keyboard, 2)


def test_a_move_is_on_screen_at_once(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "me", open_screens=True)
    times = []
    for _ in range(15):
        page.wait_for_selector(MINE)
        took = page.evaluate(
            """async () => {
                const before = document.querySelector(".moves input[name=version]").value;
                const start = performance.now();
                document.querySelector(".moves button[name=move]").click();
                while (document.querySelector(".moves input[name=version]")?.value === before) {
                    await new Promise(requestAnimationFrame);
                }
                return performance.now() - start;
            }"""
        )
        times.append(took)
    assert sorted(times)[len(times) // 2] < 400  # milliseconds; the machine may be busy with other tests
