"""The table page: clicks, keys, zoom, seats left to bots, settings of the table, and a lost connection."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import OpenPage
from tests.browser.players import (
    AS_A_FORM,
    MINE,
    OVER,
    Requests,
    by_list,
    open_game,
    open_table,
    play,
    settle_choices,
    version,
)

TIP = ".tip:visible"
GAMES = ["santiago", "cuba"]


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
    open_game(page, "santiago")
    assert 1 not in offered(page, 10)
    page.goto("/settings")
    page.uncheck("#automatic")
    page.click("form.settings button.primary")
    open_game(page, "santiago")
    assert 1 in offered(page, 60)  # without a peso there is one stop to drive to


def test_a_seat_left_to_a_bot_and_taken_back(new_page: OpenPage) -> None:
    page = new_page()
    open_game(page, "santiago", pace="normal")
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
    table = open_game(page, "cuba")
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
    table = open_game(page, "santiago")
    page.click(".table-menu summary")
    page.select_option("#table-pace", "calm")
    page.reload()
    expect(page.locator("#table-pace")).to_have_value("calm")
    page.click(".table-menu summary")
    page.click("[data-copy-table]")
    expect(page.locator(".toast").last).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == table


#: Waits for another question than the last, and says where on the screen its first move is; null when the game is over.
NEXT = """async (before) => {
  const version = () => document.querySelector(".moves [name=version]")?.value ?? before;
  const moves = () => [...document.querySelectorAll(".moves :is([name=move], [data-amount])")];
  const visible = () => moves().find((one) => one.checkVisibility());
  const began = performance.now();
  while (version() === before || !visible()) {
    if (document.querySelector(".result")) return null;
    if (performance.now() - began > 30000) throw new Error("the click was lost");
    if (version() !== before) document.querySelector(".group summary")?.click();
    await new Promise(requestAnimationFrame);
  }
  const box = visible().getBoundingClientRect();
  return [version(), box.left + box.width / 2, box.top + box.height / 2];
}"""


def test_quick_clicks_during_transitions_are_not_lost(new_page: OpenPage) -> None:
    """Two hundred moves, each clicked the moment it appears while pieces still glide; each click makes its move."""
    page = new_page(reduced_motion="no-preference")
    page.set_viewport_size({"width": 960, "height": 640})  # drawn sooner
    settle_choices(page)
    clicks = 0
    while clicks < 200:
        open_table(page, "me", "me", open_screens=True)
        page.wait_for_selector(MINE)
        page.wait_for_load_state()
        before = ""
        while clicks < 200 and (target := page.evaluate(NEXT, before)):
            before, x, y = target
            page.mouse.click(x, y)
            clicks += 1
        assert clicks > 50  # else games would be too short to tell
    if before:
        page.wait_for_function(
            "before => document.querySelector('.moves [name=version]')?.value !== before", arg=before
        )


def test_a_double_click_makes_one_move_and_no_error(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista")
    page.wait_for_selector(MINE)
    moves = Requests(page, "/move", "POST")
    before = version(page)
    page.locator(MINE).first.dblclick()
    page.wait_for_function("v => document.querySelector('.moves [name=version]')?.value !== v", arg=before)
    moves.wait_for_answers()
    assert moves.begun == 1
    assert page.locator(".toast.error").count() == 0
    assert page.locator(".moves button:focus-visible").count() == 0  # no new move looks as if it were chosen


def test_the_dock_scrolls_back_to_the_next_question(new_page: OpenPage) -> None:
    page = new_page("phone")
    settle_choices(page)
    open_table(page, "me", "bot:turista", game="cuba")
    play(page, by_list(random.Random(1)), 3)
    for _ in range(6):
        page.wait_for_selector(MINE)
        page.evaluate("document.getElementById('dock').scrollTo(0, 9999)")
        play(page, lambda page: page.locator(".moves button[name=move]").last.dispatch_event("click"), 1)
        page.wait_for_selector(MINE)
        assert page.evaluate("document.getElementById('dock').scrollTop") == 0


def test_the_board_is_zoomed_panned_and_reset(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista", game="cuba")
    page.wait_for_selector(MINE)
    drawing = page.locator(".board > svg")
    before = drawing.bounding_box()
    assert before is not None
    page.mouse.move(before["x"] + 100, before["y"] + 100)
    for _ in range(4):
        page.mouse.wheel(0, -240)
    page.wait_for_function(
        "least => document.querySelector('.board > svg').getBoundingClientRect().width > least",
        arg=before["width"] * 1.5,
    )
    after = drawing.bounding_box()
    assert after is not None
    page.mouse.down()
    page.mouse.move(before["x"] + 60, before["y"] + 60, steps=4)
    page.mouse.up()
    moved = drawing.bounding_box()
    assert moved is not None
    assert moved["x"] < after["x"]
    play(page, by_list(random.Random(2)), 1)
    page.wait_for_selector(MINE)
    again = drawing.bounding_box()
    assert again is not None
    assert again["width"] == pytest.approx(after["width"], abs=2)
    page.click("[data-whole]")
    expect(page.locator("[data-whole]")).to_be_hidden()
    whole = drawing.bounding_box()
    assert whole is not None
    assert whole["width"] == pytest.approx(before["width"], abs=2)


def test_an_invitation_link_is_visible(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "open")
    link = page.locator("#dock .invitations input")
    expect(link).to_be_visible()
    assert "/join/" in link.input_value()


def test_a_bid_is_made_with_its_own_number(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista", game="cuba")
    for _ in range(200):
        page.wait_for_selector(MINE)
        bids = page.locator(".moves button[value^='bid ']")
        if bids.count():
            keys = [bids.nth(number).get_attribute("data-key") for number in range(bids.count())]
            texts = [(bids.nth(number).get_attribute("value") or "").split()[-1] for number in range(bids.count())]
            assert keys == [text if len(text) == 1 else "" for text in texts]
            return
        play(page, by_list(random.Random(3)), 1)
    pytest.fail("nobody was asked for a bid")


def test_a_lost_connection_is_shown_until_it_is_back(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    sockets: list[WebSocketRoute] = []
    down, refused = False, 0

    def connect(socket: WebSocketRoute) -> None:
        nonlocal refused
        if down:
            refused += 1
            socket.close()
        else:
            socket.connect_to_server()
            sockets.append(socket)

    page.route_web_socket("**/live?*", connect)
    open_table(page, "me", "bot:turista")
    page.wait_for_selector(MINE)
    note = page.locator("#connection")
    expect(note).to_be_hidden()
    down = True
    sockets[-1].close()
    expect(note).to_be_visible()
    while refused < 3:  # it tries again by itself
        page.wait_for_timeout(10)
    expect(note).to_be_visible()
    down = False
    expect(note).to_be_hidden(timeout=20_000)


def test_an_update_keeps_what_the_reader_has_done(new_page: OpenPage) -> None:
    """What has changed is replaced; menus stay open in it, text stays typed, and the focus stays where it was."""
    ana, bea = new_page(), new_page()
    settle_choices(ana)
    settle_choices(bea)
    table = open_table(ana, "me", "me", "open", open_screens=True)
    ana.wait_for_selector(MINE)
    link = ana.locator("#dock .invitations input").input_value()
    ana.evaluate("window.typed = document.getElementById('typed')")
    ana.focus("#typed")
    ana.keyboard.type("drive")
    ana.keyboard.press("ArrowLeft")
    bea.goto(link)
    bea.fill("#name", "Bea")
    bea.click("form[action^='/join/'] button.primary")
    bea.wait_for_selector("#dock")
    ana.wait_for_function("() => !window.typed.isConnected")  # there is no invitation any more
    expect(ana.locator("#typed")).to_be_focused()
    expect(ana.locator("#typed")).to_have_value("drive")
    assert ana.evaluate("document.activeElement.selectionStart") == 4
    ana.fill("#typed", "")

    ana.click("#menu-0 > summary")
    ana.click("#resign-0 > summary")
    ana.evaluate("window.menu = document.getElementById('menu-0')")
    last = ana.locator(".moves button[name=move]").last.get_attribute("value") or ""
    form = {"move": last, "version": version(ana) or ""}
    answer = ana.request.post(f"{table}/move", form=form, headers=AS_A_FORM)
    assert answer.ok, answer.text()
    ana.wait_for_function("() => !window.menu.isConnected")
    expect(ana.locator("#resign-0 form button")).to_be_visible()
    expect(ana.locator("#resign-0 > summary")).to_be_focused()


def test_an_update_waits_for_a_click_that_has_begun(new_page: OpenPage) -> None:
    """Else what is pressed would be replaced before it is released, and nothing be clicked."""
    page = new_page()
    settle_choices(page)
    table = open_table(page, "me", "me", open_screens=True)
    page.wait_for_selector(MINE)
    box = page.locator("#menu-0 > summary").bounding_box()
    assert box is not None
    last = page.locator(".moves button[name=move]").last.get_attribute("value") or ""
    form = {"move": last, "version": version(page) or ""}
    page.evaluate("window.menu = document.getElementById('menu-0')")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    moves = page.get_attribute("#table", "data-moves")
    page.mouse.down()
    assert page.request.post(f"{table}/move", form=form, headers=AS_A_FORM).ok
    page.wait_for_function("moves => document.getElementById('table').dataset.moves !== moves", arg=moves)
    page.mouse.up()
    page.wait_for_function("() => !window.menu.isConnected")
    expect(page.locator("#menu-0[open]")).to_have_count(1)
