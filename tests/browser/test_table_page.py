"""What a table promises beside the game: explanations everywhere, seats left and taken back, records, other ways on."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from malecon.text import LANGUAGES
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, by_list, open_table, play, settle_choices
from tests.browser.test_pages import check

TIP = ".tip:visible"
GAMES = ["santiago", "cuba"]


def sit_down(page: Page, game: str, *others: str, **choices: str) -> str:
    settle_choices(page, **choices)
    table = open_table(page, "me", *(others or ("bot:turista",)), game=game)
    page.wait_for_selector(MINE)
    return table


# --- everything explains itself


@pytest.mark.parametrize("game", GAMES)
def test_every_tile_explains_itself_under_the_mouse(new_page: OpenPage, game: str) -> None:
    page = new_page()
    sit_down(page, game)
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
def test_every_tile_explains_itself_to_the_keyboard(new_page: OpenPage, game: str) -> None:
    page = new_page()
    sit_down(page, game)
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some((one) => one.name.includes('/glossary/'))"
    )
    page.locator(".board").focus()
    told = set()
    dice = random.Random(1)
    for _ in range(30):
        page.keyboard.press(dice.choice(["ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"]))
        if page.locator(TIP).count():
            told.add(page.inner_text(".tip"))
    assert len(told) >= 8
    for way in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        for _ in range(20):
            if page.evaluate("document.activeElement.matches('[role=img]')"):
                break
            page.keyboard.press(way)
    page.keyboard.press("Enter")  # nothing can be done there: it says so
    expect(page.locator(".toast").last).to_be_visible()


def test_a_long_press_on_a_tile(new_page: OpenPage) -> None:
    page = new_page("phone")
    sit_down(page, "cuba")
    field = page.locator(".board [data-help]").first
    field.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True, "clientX": 60, "clientY": 120})
    page.wait_for_selector(TIP)


@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_be_done_says_why(new_page: OpenPage, game: str) -> None:
    page = new_page()
    sit_down(page, game)
    before = page.get_attribute("#table", "data-moves")
    page.locator(".board svg [role=img][id][data-help]").last.dispatch_event("click")
    expect(page.locator(".toast").last).to_be_visible()
    assert page.get_attribute("#table", "data-moves") == before


def test_the_first_game_tells_one_thing_at_a_time(new_page: OpenPage) -> None:
    page = new_page(language="es")
    settle_choices(page)
    for game in GAMES:
        page.goto("/")
        page.locator(f".game-{game} button[value=first]").click()
        page.wait_for_selector(MINE)
        tips = set()
        for _ in range(8):
            tips.add(page.inner_text("#dock .guide"))
            play(page, by_list(random.Random(2)), 1)
            page.wait_for_selector(f"{MINE}, {OVER}")
        assert len(tips) >= 2


# --- comfort


def offered(page: Page, moves: int) -> Iterator[int]:
    """How many moves there are to choose from, turn by turn, where somebody soon has spent all pesos on driving."""
    for _ in range(moves):
        page.wait_for_selector(f"{MINE}, {OVER}")
        if page.locator(OVER).count():
            break
        yield page.locator(".moves button[name=move]").count()
        play(page, lambda page: page.locator(".moves button[name=move]").last.dispatch_event("click"), 1)


def test_a_single_move_is_made_by_itself(new_page: OpenPage) -> None:
    """Unless somebody wants to make it: then it is offered."""
    page = new_page()
    page.goto("/settings")
    expect(page.locator("#automatic")).to_be_checked()
    sit_down(page, "santiago")
    assert 1 not in offered(page, 10)
    page.goto("/settings")
    page.uncheck("#automatic")
    page.click("form.settings button.primary")
    sit_down(page, "santiago")
    assert 1 in offered(page, 60)  # without a peso there is one stop to drive to


def test_a_seat_left_to_a_bot_and_taken_back(new_page: OpenPage) -> None:
    page = new_page()
    sit_down(page, "santiago", pace="normal")
    mine = page.locator(".seat.mine")
    mine.locator(".seat-menu summary").click()
    page.click("text=Let a bot play for me")
    expect(mine.locator(".kind")).to_have_text("A bot is standing in")
    expect(page.locator(MINE)).to_have_count(0)
    if mine.locator(".seat-menu[open]").count() == 0:
        mine.locator(".seat-menu summary").click()
    page.click("text=Take over from the bot")
    expect(mine.locator(".kind")).to_have_text("You")
    page.wait_for_selector(MINE)


def test_coming_back_finds_everything_as_it_was(new_page: OpenPage) -> None:
    page = new_page()
    table = sit_down(page, "cuba")
    play(page, by_list(random.Random(3)), 3)
    page.wait_for_selector(MINE)
    version = page.input_value(".moves input[name=version]")
    page.goto("/")
    page.locator(".games a.my-turn").first.click()
    page.wait_for_url(table)
    assert page.input_value(".moves input[name=version]") == version


def test_pace_and_the_link_for_spectators(new_page: OpenPage) -> None:
    page = new_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = sit_down(page, "santiago")
    page.click(".table-menu summary")
    page.select_option("#table-pace", "calm")
    page.reload()
    expect(page.locator("#table-pace")).to_have_value("calm")
    page.click(".table-menu summary")
    page.click("[data-copy-table]")
    expect(page.locator(".toast").last).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == table


def test_light_and_dark(new_page: OpenPage) -> None:
    page = new_page(color_scheme="light", bypass_csp=True)
    page.goto("/settings")
    colour = "getComputedStyle(document.body).backgroundColor"
    day = page.evaluate(colour)
    page.select_option("#theme", "dark")
    page.click("form.settings button.primary")
    page.wait_for_selector("p.notice[role=status]")
    assert page.evaluate(colour) != day
    check(page)


def test_nothing_comes_from_elsewhere(new_page: OpenPage, address: str) -> None:
    """A laptop without a network plays as well."""
    page = new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    sit_down(page, "santiago")
    page.goto("/rules/cuba")
    page.goto("/")
    assert asked
    assert all(url.startswith((address, "data:")) for url in asked)


# --- after the game


@pytest.mark.parametrize("game", ["santiago", pytest.param("cuba", marks=pytest.mark.slow)])
def test_records_addresses_and_other_ways_on(new_page: OpenPage, game: str, tmp_path: Path) -> None:
    page = new_page()
    settle_choices(page)
    table = open_table(page, "bot:turista", "bot:turista", game=game)
    page.wait_for_selector(OVER, timeout=60_000)
    with page.expect_download() as coming:
        page.click("text=Download the record")
    record = tmp_path / "record.json"
    coming.value.save_as(record)
    assert json.loads(record.read_text())["game"] == game

    total = int(page.get_attribute("#table", "data-moves") or 0)
    page.goto(f"{table}/replay/{total // 2}")  # an address for every move
    expect(page.locator("#prompt")).to_have_text(f"Move {total // 2} of {total}")
    page.locator("#slider").fill(str(total // 3))
    page.wait_for_url(f"**/replay/{total // 3}")
    page.keyboard.press("Escape")
    page.locator("#prompt").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**/replay/{total // 3 + 1}")

    page.goto("/")
    page.locator(".my-games summary").click()
    page.set_input_files("#file", record)
    page.click(".upload button")
    page.wait_for_url("**/replay/*")
    page.goto(page.url.rsplit("/", 1)[0] + f"/{total // 2}")
    page.locator(".table-menu summary").click()
    page.locator("button:has-text('Play on from here')").click()
    page.wait_for_url("**/tables/*")
    page.wait_for_selector(f"{MINE}, {OVER}, .dots")
    assert int(page.get_attribute("#table", "data-moves") or 0) >= total // 2


def test_a_damaged_record_is_refused_in_words(new_page: OpenPage, tmp_path: Path) -> None:
    page = new_page(language="de")
    page.goto("/")
    page.locator(".my-games summary").click()
    broken = tmp_path / "record.json"
    broken.write_text('{"game": "chess"}')
    page.set_input_files("#file", broken)
    page.click(".upload button")
    expect(page.locator(".notice[role=alert]")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_fit_in_every_language(new_page: OpenPage, language: str) -> None:
    """Nothing sticks out of a phone's screen, nor of the cards of the home page."""
    page = new_page("phone", language)
    settle_choices(page)
    table = sit_down(page, "cuba")
    for path in ("/", "/settings", "/rules/santiago", "/rules/cuba", "/nowhere", table, f"{table}/replay"):
        page.goto(path)
        for summary in page.locator(".setup > summary").all():
            summary.click()
        out = page.evaluate(
            """() => [...document.querySelectorAll("button, a, select, input, h1, h2, summary, label")]
                .filter((one) => one.offsetParent && !one.closest(".scores-scroll, .hidden, svg, .menu-box"))
                .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
                .map((one) => one.outerHTML.slice(0, 120))"""
        )
        assert out == [], path
