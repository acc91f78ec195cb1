"""The engine module in Chromium and in Firefox thinks exactly as the native search does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright

from malecon.server.pages.engine_files import engine_address
from tests.bots.engine.recorded import COMPARE, TABLES, record_table
from tests.browser.conftest import opening
from tests.browser.firefox import firefox

#: Loads the engine as pages do, and compares: `differences` of compare.js, which has no address of its own.
RUN = """async ([address, options, table]) => {
  const { loadEngine } = await import("/static/engine/engine.js");
  const engine = await loadEngine(address, options);
  %s
  return differences(engine, table);
}"""


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def browser(
    request: pytest.FixtureRequest, playwright: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    if request.param == "chromium":
        yield request.getfixturevalue("chromium")
    else:
        with firefox(playwright, tmp_path_factory.mktemp("firefox")) as browser:
            yield browser


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opening(browser, address) as open_page:
        page = open_page()
        page.goto("/learn")
        yield page


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_browsers_think_as_the_native_search_does(page: Page, name: str, players: int) -> None:
    recorded = record_table(name, players)
    options = recorded.pop("options")
    script = RUN % COMPARE.read_text().replace("export function", "function")
    arguments = [engine_address(name), options, recorded]
    assert page.evaluate(script, arguments) == []
    recorded["positions"][7]["visits"][0] += 1  # and a difference is seen
    assert {row["number"] for row in page.evaluate(script, arguments)} == {7}
