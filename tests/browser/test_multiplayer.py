"""Several people at one table: names, turns missed, somebody removed, playing again, one screen for all, hints."""

from __future__ import annotations

import random
from unittest import mock

import pytest
from playwright.sync_api import Page, expect

from malecon.server.tables import seats, timing
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, by_list, open_table, play, settle_choices
from tests.clock import ShiftedClock

HINT = "[data-hint]"
#: What tells who is to move, and what can be clicked.
OUTLINED = ".seat.to-move, .m-panel.m-active, .m-panel.m-deciding, .board .target"

#: A toast goes by itself; what it said is kept for those who look late.
KEEP_TOASTS = """() => {
  window.toasts = [];
  new MutationObserver(() => document.querySelectorAll(".toast").forEach((toast) => toasts.push(toast.textContent)))
    .observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def sit_down(new_page: OpenPage, *, clock: str = "none", hints: bool = False) -> tuple[Page, Page]:
    """Ana, whose table it is, and Bea, who followed the link."""
    ana, bea = new_page(), new_page()
    settle_choices(ana)
    settle_choices(bea)
    ana.goto("/")
    card = ana.locator(".game-santiago")
    card.locator("summary").click()
    card.locator("[name=name]").last.fill("Ana")
    for seat, who in enumerate(("me", "open", "none", "none")):
        card.locator(f"select[name=seat-{seat}]").select_option(who)
    card.locator("[name=clock]").select_option(clock)
    card.locator("[name=hints]").set_checked(hints)
    card.locator("details button.primary").click()
    ana.wait_for_url("**/tables/*")
    bea.goto(ana.locator("#dock .invitations input").input_value())
    bea.fill("#name", "Bea")
    bea.click("form[action^='/join/'] button.primary")
    bea.wait_for_selector("#dock")
    expect(ana.locator(".seat").nth(1)).to_contain_text("Bea")
    return ana, bea


def to_move(*pages: Page) -> Page:
    """The one who is asked for a move."""
    while True:
        for page in pages:
            if page.locator(f"{MINE}, {OVER}").count():
                return page
        pages[0].wait_for_timeout(20)


def test_missed_turns_are_announced_and_the_game_waits(new_page: OpenPage, clock: ShiftedClock) -> None:
    """Both players miss their turns, one after the other."""
    with mock.patch.dict(timing.CLOCKS, {"ten-minutes": 15}):
        ana, bea = sit_down(new_page, clock="ten-minutes")
        late = to_move(ana, bea)
        clock.advance(20)  # more than a turn, and too little for a jump of the clock
        expect(late.locator("#dock .away")).to_contain_text("A bot is playing for you")
        (bea if late is ana else ana).wait_for_selector(MINE)
        clock.advance(20)
        for page in (ana, bea):
            expect(page.locator("#prompt")).to_contain_text("Everybody is away")
            expect(page.locator(".log")).to_contain_text("has run out of time. A bot stands in")
            expect(page.locator(".log")).to_contain_text("Nobody is left at the table, so the game waits")
            expect(page.locator("#dock .away")).to_contain_text("A bot is playing for you")
            assert page.locator(OVER).count() == 0
        moves = ana.get_attribute("#table", "data-moves")
        ana.reload()
        assert ana.get_attribute("#table", "data-moves") == moves  # nobody plays on meanwhile
    ana.locator("#dock .away button").click()
    expect(ana.locator("#prompt")).not_to_contain_text("Everybody is away")
    expect(bea.locator(".log")).to_contain_text("Ana is back")
    expect(ana.locator("#dock .away")).to_have_count(0)


def test_a_removed_person_is_told(new_page: OpenPage) -> None:
    ana, bea = sit_down(new_page)
    bea.evaluate(KEEP_TOASTS)
    seat = ana.locator(".seat").nth(1)
    seat.locator(".seat-menu > summary").click()
    ana.locator(".sure summary").click()
    ana.locator(".sure button").click()
    expect(bea.locator("#dock .notice")).to_contain_text("You were removed from this table")
    bea.wait_for_function("toasts.some((text) => text.includes('You were removed from this table'))")
    expect(bea.locator(MINE)).to_have_count(0)
    bea.reload()
    expect(bea.locator("#dock .notice")).to_contain_text("You were removed from this table")
    expect(ana.locator("#dock .notice")).to_have_count(0)


def test_the_same_people_play_again(new_page: OpenPage, address: str) -> None:
    """And when the game is over nobody looks as if they were to move."""
    ana, bea = sit_down(new_page)
    expect(ana.locator(".m-panel.m-active")).not_to_have_count(0)
    with mock.patch.object(seats, "STAND_IN", "turista"):  # they are quick
        for seat, page in enumerate((ana, bea)):
            assert page.request.post(f"{page.url}/seats/{seat}/leave", headers={"origin": address}).ok
    for page in (ana, bea):
        page.wait_for_selector(OVER)
        expect(page.locator(OUTLINED)).to_have_count(0)
    ana.click("text=Play again")
    ana.wait_for_url("**/tables/*")
    new = ana.url
    expect(bea.locator(".rematch")).to_contain_text("Your seat is kept")
    bea.click("text=Join the next game")
    bea.wait_for_url(new)
    expect(bea.locator(".seat.mine h2")).to_have_text("Bea")
    expect(ana.locator(".seat.mine h2")).to_have_text("Ana")
    mover = to_move(ana, bea)
    play(mover, by_list(random.Random(1)), 1)


@pytest.mark.parametrize("agreed", [False, True])
def test_hints_only_where_everybody_agreed(new_page: OpenPage, address: str, agreed: bool) -> None:
    ana, bea = sit_down(new_page, hints=agreed)
    mover = to_move(ana, bea)
    headers = {"origin": address, "accept": "application/json"}
    assert mover.request.post(f"{mover.url}/hint", headers=headers).ok == agreed
    assert not mover.request.post(f"{mover.url}/review", headers=headers).ok  # not while the game runs
    expect(mover.locator(HINT)).to_have_count(1 if agreed else 0)
    mover.keyboard.press("h")
    if agreed:
        expect(mover.locator(".moves .advised .chance").first).to_be_visible()
    mover.locator(".table-menu summary").click()
    sentence = "Hints and looking ahead are allowed" if agreed else "there are no hints until the game is over"
    expect(mover.locator(".fair")).to_contain_text(sentence)


def test_nobody_looks_as_if_they_were_to_move_in_the_end(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "bot:turista", "bot:turista", game="cuba")
    page.wait_for_selector(OVER)
    expect(page.locator(OUTLINED)).to_have_count(0)


def set_name(page: Page, name: str) -> None:
    page.goto("/settings")
    page.fill("#name", name)
    page.click("form.settings button.primary")
    page.wait_for_selector("p.notice[role=status]")


def test_a_name_that_is_taken_keeps_the_form(new_page: OpenPage) -> None:
    ana, bea = new_page(), new_page(language="de")
    settle_choices(ana)
    set_name(ana, "Ana")
    open_table(ana, "me", "open")
    link = ana.locator("#dock .invitations input").input_value()
    bea.goto(link)
    bea.fill("#name", "ana")
    bea.click("form[action^='/join/'] button.primary")
    expect(bea.locator("[role=alert]")).to_be_visible()
    assert bea.input_value("#name") == "ana"
    bea.fill("#name", "Anton")
    bea.click("form[action^='/join/'] button.primary")
    bea.wait_for_selector("#dock")
    # Pieces and badges agree on what stands for whom.
    pieces = ana.locator(".seats .m-panel").all_text_contents()
    badge = ana.locator(".prompt .badge").inner_text()
    assert badge in ("An", "1", "2"), badge
    assert any(badge in text for text in pieces), pieces


def test_removing_somebody_asks_for_confirmation(new_page: OpenPage) -> None:
    ana, bea = new_page(), new_page()
    settle_choices(ana)
    open_table(ana, "me", "open")
    bea.goto(ana.locator("#dock .invitations input").input_value())
    bea.fill("#name", "Bea")
    bea.click("form[action^='/join/'] button.primary")
    bea.wait_for_selector("#dock")
    expect(ana.locator(".seat").nth(1)).to_contain_text("Bea")
    ana.locator(".seat").nth(1).locator(".seat-menu > summary").click()
    ana.locator(".sure summary").click()
    expect(ana.locator(".sure p")).to_contain_text("Bea")
    assert ana.locator(".seat").nth(1).get_by_text("Bea").count()
    ana.locator(".sure button").click()
    expect(ana.locator(".seat").nth(1)).not_to_contain_text("Bea")


def test_handing_over_covers_the_holdings_and_not_the_board(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "me")
    page.wait_for_selector(".cover")
    expect(page.locator(".board .m-board")).to_be_visible()
    hidden = page.locator(".seats").inner_html()
    for screen in (page.locator(".board > svg"), page.locator(".seats")):
        box, cover = screen.bounding_box(), page.locator(".cover").bounding_box()
        assert box is not None
        assert cover is not None
        assert cover["y"] >= box["y"] + box["height"] or cover["x"] + cover["width"] <= box["x"]
    page.click(".cover .button")
    page.wait_for_selector(MINE)
    assert page.locator(".seats").inner_html() != hidden  # now one's own holdings are there


def test_people_at_one_screen_hand_over(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "me")
    for _ in range(6):
        page.wait_for_selector(".cover, .moves button")
        if page.locator(".cover").count():
            expect(page.locator("#dock .cover")).to_be_visible()
            assert page.locator(".moves").count() == 0
            page.click(".cover .button")
            page.wait_for_selector(MINE)
        play(page, by_list(random.Random(3)), 1)


def test_enter_in_the_chat_sends_what_was_typed(new_page: OpenPage) -> None:
    ana, bea = sit_down(new_page)
    for page, text in ((ana, "Good evening, Bea"), (bea, "And to you")):
        page.locator("#talk summary").first.click()
        page.locator("#talk[data-ready]").wait_for()
        page.fill("#talk-text", text)
        page.press("#talk-text", "Enter")
        expect(page.locator("#talk-text")).to_have_value("")
    expect(bea.locator("#talk-lines .said-text > bdi")).to_have_text(["Good evening, Bea", "And to you"])
    ana.locator("#talk .ready button").first.click()
    expect(bea.locator("#talk-lines .said-text")).to_have_count(3)


@pytest.mark.parametrize("size", ["desk", "tablet", "phone"])
def test_the_invitation_is_in_sight_also_when_the_host_moves_first(size: str, new_page: OpenPage) -> None:
    page = new_page(size)
    settle_choices(page)
    while True:
        open_table(page, "me", "open")
        if page.locator(MINE).count():
            break
    dock = page.locator("#dock").bounding_box()
    copy = page.locator("#dock [data-copy]").bounding_box()
    move = page.locator("#dock .moves button").first.bounding_box()
    assert dock
    assert copy
    assert move
    assert copy["y"] + copy["height"] <= dock["y"] + dock["height"]
    assert move["y"] < dock["y"] + dock["height"]  # and a move begins there


def test_menus_close(new_page: OpenPage) -> None:
    ana, _ = sit_down(new_page)
    menus = ana.locator("details.seat-menu")
    is_open = "menus => menus.map(menu => menu.open)"
    seat, table = ana.locator(".seat.mine details.seat-menu > summary"), ana.locator("#table-menu > summary")
    seat.click()
    assert any(menus.evaluate_all(is_open))
    table.click()
    assert menus.evaluate_all(is_open).count(True) == 1  # the other has closed
    ana.keyboard.press("Escape")
    assert not any(menus.evaluate_all(is_open))
    expect(table).to_be_focused()
    seat.click()
    ana.locator(".log-box h2").click()
    assert not any(menus.evaluate_all(is_open))


def test_a_clock_never_shows_raw_time(new_page: OpenPage) -> None:
    ana, bea = sit_down(new_page, clock="day")
    for page in (ana, bea):
        page.wait_for_load_state()
        page.evaluate(
            """() => {
          window.clocks = [];
          const look = () => document.querySelectorAll(".clock time").forEach((time) => clocks.push(time.textContent));
          const frame = () => (look(), requestAnimationFrame(frame));
          frame();
        }"""
        )
    dice = random.Random(4)
    for _ in range(6):
        play(to_move(ana, bea), by_list(dice), 1)
    texts = {*ana.evaluate("clocks"), *bea.evaluate("clocks")}
    assert texts
    assert [text for text in texts if "hr" not in text] == []
    assert "UTC" in ana.request.get(ana.url).text()  # what a page without scripts shows is readable, too


def test_a_move_without_a_network_is_said_not_to_be_sent(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista")
    page.wait_for_selector(MINE)
    moves = page.get_attribute("#table", "data-moves")
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no network')); }")
    page.locator("#dock .moves button").first.click()
    expect(page.locator(".toast.error")).to_contain_text("nothing was sent")
    assert page.get_attribute("#table", "data-moves") == moves
