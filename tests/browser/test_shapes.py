"""The table at every shape of screen: what must be in sight is, the board uses its space, clicks are never lost."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, by_list, open_table, play, settle_choices

SIZES = [
    *((320, 568), (360, 740), (390, 844), (844, 390), (683, 384), (768, 1024)),
    *((820, 1180), (1180, 820), (1280, 720), (1366, 768), (1536, 730), (2560, 1440)),
]

MEASURE = """() => {
  const seen = (element) => {
    if (!element) return null;
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + Math.min(box.width / 2, 60), box.top + Math.min(box.height / 2, 14)];
    const middle = document.elementFromPoint(x, y);
    return {
      width: box.width, height: box.height,
      inside: box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1,
      uncovered: Boolean(middle && (element.contains(middle) || middle.contains(element))),
    };
  };
  const page = document.documentElement;
  const drawing = document.querySelector(".board > svg").getBoundingClientRect();
  return {
    scrolls: page.scrollWidth > innerWidth + 1 || page.scrollHeight > innerHeight + 1,
    prompt: seen(document.querySelector("#prompt")),
    own: seen(document.querySelector(".seat.near .panel")),
    news: seen([...document.querySelectorAll(".log li:last-child p")].at(-1)),
    move: seen(document.querySelector(".moves button")),
    undo: seen(document.querySelector("[data-key=u]")),
    board: drawing.width * drawing.height / (innerWidth * innerHeight),
  };
}"""

#: How much of the screen the drawing takes at least, by shape: a phone's is cut by its frame, others are whole.
LEAST_BOARD = {"phone": 0.5, "lying": 0.38, "upright": 0.36, "wide": 0.33}


def shape(width: int, height: int) -> str:
    if width / height < 5 / 4:
        return "phone" if width < 700 else "upright"
    return "lying" if height < 600 or width < 900 else "wide"


def measure(page: Page, table: str, width: int, height: int) -> dict[str, Any]:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(table)
    page.wait_for_selector(MINE)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: dict[str, Any] = page.evaluate(MEASURE)
    return found


@pytest.mark.parametrize(
    ("game", "players", "language"),
    [("santiago", 2, "en"), ("santiago", 4, "de"), ("cuba", 2, "it"), ("cuba", 5, "es"), ("cuba", 5, "de")],
)
def test_everything_that_matters_is_in_sight(new_page: OpenPage, game: str, players: int, language: str) -> None:
    page = new_page(language=language)
    settle_choices(page)
    table = open_table(page, "me", *["bot:turista"] * (players - 1), game=game)
    play(page, by_list(random.Random(4)), 9)
    for width, height in SIZES:
        found = measure(page, table, width, height)
        where = f"{game} with {players} in {language} at {width} x {height}: {found}"
        assert not found["scrolls"], where
        for part in ("prompt", "own", "news", "move"):
            assert found[part], f"{part}: {where}"
            assert found[part]["inside"], f"{part}: {where}"
            assert found[part]["uncovered"], f"{part}: {where}"
        assert found["undo"] is None or found["undo"]["inside"], where
        assert found["board"] >= LEAST_BOARD[shape(width, height)], where


def test_a_guided_game_of_five_shows_its_log(new_page: OpenPage) -> None:
    page = new_page(language="de")
    settle_choices(page)
    page.goto("/")
    page.locator(".game-cuba button[value=first]").click()
    page.wait_for_selector(MINE)
    for width, height in ((1366, 768), (1536, 730), (390, 844)):
        found = measure(page, page.url, width, height)
        assert found["prompt"]["inside"], found
        assert found["move"]["inside"], found
        expect(page.locator("#dock .guide")).to_be_visible()
    page.set_viewport_size({"width": 1536, "height": 730})
    assert page.locator(".log").bounding_box()["height"] > 60  # type: ignore[index]


def test_quick_clicks_during_transitions_are_not_lost(new_page: OpenPage) -> None:
    """Every move is clicked the moment it appears, while pieces still glide; each click makes its move."""
    page = new_page(reduced_motion="no-preference")
    settle_choices(page)
    open_table(page, "me", "me", game="santiago", open_screens=True)
    page.wait_for_selector(MINE)
    lost = page.evaluate(
        """async (clicks) => {
          const version = () => document.querySelector(".moves [name=version]")?.value;
          const until = async (ready) => {
            const began = performance.now();
            while (!ready()) {
              if (performance.now() - began > 20000) return false;
              await new Promise(requestAnimationFrame);
            }
            return true;
          };
          let lost = 0;
          for (let i = 0; i < clicks; i++) {
            if (!(await until(() => document.querySelector(".moves button")))) break;
            const before = version();
            const moves = () => [...document.querySelectorAll(".moves :is([name=move], [data-amount])")];
            const visible = () => moves().find((one) => one.checkVisibility());
            if (!visible()) document.querySelector(".group summary")?.click();
            if (!(await until(visible))) break;
            const button = visible();
            const box = button.getBoundingClientRect();
            const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            if (!hit || !button.contains(hit)) lost += 1;
            (hit?.closest("button") ?? button).click();
            if (!(await until(() => version() !== before || document.querySelector(".result")))) lost += 1;
            if (document.querySelector(".result")) break;
          }
          return lost;
        }""",
        60,
    )
    assert lost == 0


def test_a_double_click_makes_one_move_and_no_error(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista")
    page.wait_for_selector(MINE)
    page.locator(MINE).first.dblclick()
    page.wait_for_timeout(500)
    assert page.locator(".toast.error").count() == 0


def test_the_dock_begins_with_the_next_question(new_page: OpenPage) -> None:
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


def test_the_board_is_zoomed_moved_and_whole_again(new_page: OpenPage) -> None:
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
    page.wait_for_timeout(100)
    after = drawing.bounding_box()
    assert after is not None
    assert after["width"] > before["width"] * 1.5
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


def test_an_invitation_is_in_plain_sight(new_page: OpenPage) -> None:
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


def test_a_lost_connection_is_said_for_as_long_as_it_lasts(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    sockets: list[WebSocketRoute] = []
    down = False

    def connect(socket: WebSocketRoute) -> None:
        if down:
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
    page.wait_for_timeout(1500)
    expect(note).to_be_visible()
    down = False
    expect(note).to_be_hidden(timeout=20_000)
