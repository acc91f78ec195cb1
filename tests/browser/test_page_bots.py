"""Bots that the page of a person alone thinks for: whole games, and what happens if the page cannot think any more."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from malecon.server.pages.engine_files import engine_address
from malecon.server.tables import page_bots
from tests import server
from tests.browser.conftest import OpenPage, opening
from tests.browser.firefox import firefox
from tests.browser.players import MINE, OVER, by_list, open_table, play, settle_choices
from tests.server.tables.page_requests import TABLES, record_requests
from tests.server.thinking_pages import quick_patron

ANSWERS = (Path(server.__file__).parent / "tables" / "answer_requests.js").read_text().replace("export ", "")
#: In a page: its workers can be killed, and it can be hidden.
CONTROLS = """
window.away = false;
Object.defineProperty(document, "hidden", { get: () => window.away });
window.hide = (away) => { window.away = away; document.dispatchEvent(new Event("visibilitychange")); };
window.workers = [];
const Real = window.Worker;
window.Worker = class extends Real {
  constructor(...given) {
    super(...given);
    this.received = [];
    this.addEventListener("message", ({ data }) => this.received.push(data.type));
    window.workers.push(this);
  }
};
"""
#: The page's engine is announced, or will be at once.
IS_READY = "window.workers.at(-1)?.received.at(-1) === 'ready'"


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def either_browser(
    request: pytest.FixtureRequest, playwright: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    if request.param == "chromium":
        yield request.getfixturevalue("chromium")
        return
    with firefox(playwright, tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.fixture
def either_page(either_browser: Browser, address: str) -> Iterator[OpenPage]:
    with opening(either_browser, address) as open_page:
        yield open_page


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with quick_patron():
        yield


@pytest.fixture
def slow_page() -> Iterator[pytest.MonkeyPatch]:
    """The page thinks for a minute about every move, the server for milliseconds; until `undo`."""
    search_of = page_bots._search_of

    def slow(spec: str, game: str) -> page_bots.PageSearch:
        return msgspec.structs.replace(search_of(spec, game), sims=100_000_000)

    patch = pytest.MonkeyPatch()
    patch.setattr(page_bots, "_search_of", slow)
    patch.setattr(page_bots, "SIMULATIONS_SECONDS", 60.0)
    yield patch
    patch.undo()


class Counts:
    """The server's counts since this was made."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._before = self._now()

    def _now(self) -> dict[str, float]:
        text = self._page.request.get("/metrics").text()
        return {
            f"{kind} {label}": float(value)
            for kind, label, value in re.findall(r'malecon_(bot_moves|page_takeovers)_total\{\w+="(\w+)"\} (\S+)', text)
        }

    def __getitem__(self, name: str) -> float:
        return self._now().get(name, 0.0) - self._before.get(name, 0.0)


def open_solo(page: Page, *more: str, game: str = "santiago") -> str:
    page.add_init_script(CONTROLS)
    page.goto("/")
    settle_choices(page)
    table = open_table(page, "me", "bot:patron", *more, game=game)
    assert page.get_attribute("#table", "data-engine")
    return table


def play_until_a_bot_thinks(page: Page) -> None:
    """Make moves until the page thinks for a bot: its worker has not answered yet."""
    for _ in range(50):
        play(page, by_list(random.Random(1)), 1)
        page.wait_for_selector(f"{MINE}, .seat.to-move:not(.mine)")
        page.wait_for_timeout(300)
        if not page.locator(MINE).count():
            return
    raise AssertionError("no bot was to move")


def choose_where(page: Page, where: str) -> None:
    """Choose in the table's menu where bots think."""
    if not page.locator("#table-menu[open]").count():
        page.locator("#table-menu summary").click()
    page.select_option("#table-thinking", where)
    expect(page.locator(f"#table-thinking option[value={where}][selected]")).to_have_count(1)


# --- the same as on the server


@pytest.mark.parametrize(("game", "players", "options"), TABLES[1::2])
def test_the_script_sees_and_moves_as_the_servers_bot(
    either_page: OpenPage, game: str, players: int, options: dict[str, Any]
) -> None:
    page = either_page()
    page.goto("/imprint")
    recorded = record_requests(game, players, options)
    answers = page.evaluate(
        f"""async ([address, decisions]) => {{
            const {{ loadEngine }} = await import("/static/engine/engine.js");
            const script = await import("/static/engine/bot.js");
            {ANSWERS}
            return answers(await loadEngine(address, {{ nodes: 16 }}), script, decisions);
        }}""",
        [engine_address(game), recorded],
    )
    assert answers == [{key: decision[key] for key in ("block", "code")} for decision in recorded]


# --- whole games


@pytest.mark.parametrize(("game", "others"), [("santiago", ["bot:patron"]), ("cuba", [])])
def test_a_whole_game(either_page: OpenPage, game: str, others: list[str]) -> None:
    page = either_page()
    open_solo(page, *others, game=game)
    counts = Counts(page)
    assert play(page, by_list(random.Random(3)))
    expect(page.locator(OVER)).to_be_visible()
    assert counts["bot_moves page"] > 20
    assert counts["page_takeovers late"] == counts["page_takeovers gone"] == 0


def test_the_page_says_that_the_bot_thinks(either_page: OpenPage, slow_page: pytest.MonkeyPatch) -> None:
    page = either_page()
    open_solo(page)
    play_until_a_bot_thinks(page)
    expect(page.locator(".seat.to-move .thinks")).to_have_text("thinking…")
    page.evaluate("hide(true)")
    page.wait_for_selector(f"{MINE}, {OVER}")
    expect(page.locator(".thinks")).to_have_count(0)


# --- the server takes over


def test_while_the_page_is_hidden_the_server_thinks(either_page: OpenPage, slow_page: pytest.MonkeyPatch) -> None:
    page = either_page()
    open_solo(page)
    counts = Counts(page)
    play_until_a_bot_thinks(page)
    page.evaluate("hide(true)")
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["page_takeovers gone"] == 1
    assert counts["bot_moves page"] == 0
    slow_page.undo()
    play(page, by_list(random.Random(2)), 4)  # still hidden
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["bot_moves page"] == 0
    page.evaluate("hide(false)")
    play(page, by_list(random.Random(2)), 8)
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["bot_moves page"] > 0


def test_a_worker_that_is_killed_is_replaced(
    either_page: OpenPage, slow_page: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = either_page()
    open_solo(page)
    counts = Counts(page)
    slow_page.setattr(page_bots, "SIMULATIONS_SECONDS", -2.0)  # with the patience, a second
    play_until_a_bot_thinks(page)
    page.evaluate("window.workers.at(-1).terminate()")
    page.wait_for_selector(f"{MINE}, {OVER}")
    slow_page.undo()
    play(page, by_list(random.Random(2)), 4)
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["page_takeovers late"] == 1  # a page that does not answer is not asked again
    assert counts["bot_moves page"] == 0
    page.evaluate("hide(true); hide(false)")
    page.wait_for_function(f"() => window.workers.length === 2 && {IS_READY}")
    play(page, by_list(random.Random(2)), 8)
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["bot_moves page"] > 0


def test_an_engine_that_breaks_is_withdrawn_at_once(either_page: OpenPage, slow_page: pytest.MonkeyPatch) -> None:
    page = either_page()
    open_solo(page)
    counts = Counts(page)
    play_until_a_bot_thinks(page)
    page.evaluate("window.workers.at(-1).postMessage({ type: 'decide', request: {} })")
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["page_takeovers gone"] == 1


def test_when_the_page_is_closed_the_game_goes_on(either_page: OpenPage, slow_page: pytest.MonkeyPatch) -> None:
    page = either_page()
    table = open_solo(page)
    counts = Counts(page)
    play_until_a_bot_thinks(page)
    moves = int(page.get_attribute("#table", "data-moves") or 0)
    slow_page.undo()
    other = page.context.new_page()
    page.close()
    other.goto(table)
    other.wait_for_selector(f"{MINE}, {OVER}")
    assert int(other.get_attribute("#table", "data-moves") or 0) > moves
    counts._page = other
    assert counts["page_takeovers gone"] == 1
    assert play(other, by_list(random.Random(4)))


@pytest.mark.parametrize("missing", ["WebAssembly", "Worker"])
def test_a_browser_that_cannot_think_plays_with_the_server(either_page: OpenPage, missing: str) -> None:
    page = either_page()
    page.add_init_script(f"delete window.{missing}")
    page.goto("/")
    settle_choices(page)
    open_table(page, "me", "bot:patron")
    counts = Counts(page)
    assert page.evaluate(f"typeof {missing}") == "undefined"
    play(page, by_list(random.Random(2)), 10)
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["bot_moves page"] == 0
    assert counts["bot_moves server"] > 0


def test_an_engine_that_cannot_be_loaded_leaves_the_server_to_think(either_page: OpenPage) -> None:
    page = either_page()
    page.route("**/engine/santiago/**", lambda route: route.fulfill(status=404))
    open_solo(page)
    counts = Counts(page)
    page.wait_for_function("() => window.workers.at(-1)?.received.at(-1) === 'error'")
    play(page, by_list(random.Random(2)), 8)
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["bot_moves page"] == 0


def test_the_thinking_can_be_moved_to_the_server_and_back(either_page: OpenPage) -> None:
    page = either_page()
    open_solo(page)
    counts = Counts(page)
    choose_where(page, "server")
    play(page, by_list(random.Random(2)), 6)
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["bot_moves page"] == 0
    choose_where(page, "browser")
    play(page, by_list(random.Random(2)), 8)
    page.wait_for_selector(f"{MINE}, {OVER}")
    assert counts["bot_moves page"] > 0
