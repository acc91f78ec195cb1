"""The table at every shape of screen: what must be in sight is, the board uses its space, clicks are never lost."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from malecon.text import LANGUAGES
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
    out: seen(document.querySelector(".moves .out button")),
    guide: seen(document.querySelector(".guide")),
    log: seen(document.querySelector(".log")),
    board: drawing.width * drawing.height / (innerWidth * innerHeight),
  };
}"""

#: How much of the screen the drawing takes at least, by shape: a phone's is cut by its frame, others are whole.
LEAST_BOARD = {"phone": 0.5, "lying": 0.38, "upright": 0.36, "wide": 0.33}


def shape(width: int, height: int) -> str:
    if width / height < 5 / 4:
        return "phone" if width < 700 else "upright"
    return "lying" if height < 600 or width < 900 else "wide"


def measure(page: Page, width: int, height: int) -> dict[str, Any]:
    """What is in sight after the window has taken this size: a phone's is another drawing, which the server sends."""
    page.set_viewport_size({"width": width, "height": height})
    layout = "tall" if shape(width, height) == "phone" else "wide"
    page.wait_for_selector(f"#table[data-layout={layout}] {MINE.removeprefix('#table ')}")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: dict[str, Any] = page.evaluate(MEASURE)
    return found


#: In every run: the language with the longest words at all sizes, and at full tables each of the others at every third.
EVERY, LONGEST = dict.fromkeys(LANGUAGES, SIZES), {"de": SIZES}
THIRDS = LONGEST | {language: SIZES[start::3] for start, language in enumerate(("en", "es", "it"))}
QUICK = [
    *(("santiago", 2, True, LONGEST), ("santiago", 4, False, THIRDS)),
    *(("cuba", 2, True, LONGEST), ("cuba", 5, True, THIRDS)),
]
#: In `make soak`: everything.
ALL = [
    pytest.param(game, players, guided, EVERY, marks=pytest.mark.slow)
    for game, most in (("santiago", 4), ("cuba", 5))
    for players in range(2, most + 1)
    for guided in (False, True)
]


@pytest.mark.parametrize(("game", "players", "guided", "languages"), [*QUICK, *ALL])
def test_everything_that_matters_is_in_sight(
    new_page: OpenPage, address: str, game: str, players: int, guided: bool, languages: dict[str, list[tuple[int, int]]]
) -> None:
    page = new_page()
    settle_choices(page)
    table = open_table(page, "me", *["bot:turista"] * (players - 1), game=game, guided=guided)
    play(page, by_list(random.Random(4)), 9)
    page.wait_for_selector(MINE)
    for language, sizes in languages.items():
        page.request.post("/language", form={"language": language}, headers={"origin": address})
        page.set_viewport_size(dict(zip(("width", "height"), sizes[0], strict=True)))  # type: ignore[arg-type]
        page.goto(table)
        expect(page.locator("html")).to_have_attribute("lang", language)
        for width, height in sizes:
            found = measure(page, width, height)
            where = f"{game} with {players} in {language} at {width} x {height}: {found}"
            assert not found["scrolls"], where
            tight = guided and shape(width, height) == "lying"  # the lower half of a button may have to be scrolled to
            for part in ("prompt", "own", "news", "move", "undo", "out", *(["guide"] if guided else [])):
                if part in ("undo", "out") and found[part] is None:
                    continue
                assert found[part], f"{part}: {where}"
                assert found[part]["inside"] or (tight and part in ("move", "out")), f"{part}: {where}"
                assert found[part]["uncovered"], f"{part}: {where}"
            if shape(width, height) in ("upright", "wide"):
                assert found["log"]["height"] > 60, where
            assert found["board"] >= LEAST_BOARD[shape(width, height)] * (0.85 if guided else 1), where


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
        while clicks < 200 and (found := page.evaluate(NEXT, before)):
            before, x, y = found
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
    page.locator(MINE).first.dblclick()
    page.wait_for_timeout(500)
    assert page.locator(".toast.error").count() == 0
    assert page.locator(".moves button:focus-visible").count() == 0  # no new move looks as if it were chosen


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
