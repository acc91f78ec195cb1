"""Logging out of the installed app: the browser forgets what was stored for a person, and the app goes on working."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright

from tests.browser.firefox import firefox

PASSWORD = "sugar and rum"
STORED = """async () => {
  await navigator.serviceWorker.ready;
  while (!(await caches.match("/offline", { ignoreVary: true }))) await new Promise((done) => setTimeout(done, 20));
  localStorage.setItem("mark", "here");
  const page = await caches.open("malecon-pages-1");
  await page.put("/tables/x", new Response("a game of Ana"));
}"""
LEFT = """async () => [
  localStorage.getItem("mark"), Boolean(await caches.match("/tables/x")),
]"""


@pytest.fixture(scope="module")
def fox(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with firefox(playwright, tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.fixture(params=["chromium", "fox"])
def page(request: pytest.FixtureRequest, address: str) -> Iterator[Page]:
    """A page in a browser with its service worker."""
    browser: Browser = request.getfixturevalue(request.param)
    context = browser.new_context(base_url=address, locale="en")
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def test_a_browser_forgets_a_person_and_the_app_goes_on(page: Page, request: pytest.FixtureRequest) -> None:
    name = f"Ana {request.node.callspec.params['page']}"
    page.goto("/account")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.click("form[action='/account/register'] button")
    page.wait_for_selector("form[action='/account/logout']")
    page.evaluate(STORED)
    assert page.evaluate(LEFT) == ["here", True]
    page.locator("form[action='/account/logout'] button").first.click()
    page.wait_for_url("**/")
    page.wait_for_selector(".game-card")
    assert page.evaluate(LEFT) == [None, False]
    page.goto("/account")  # signing in works, and the worker is back
    page.fill("#login-name", name)
    page.fill("#login-password", PASSWORD)
    page.click("form[action='/account/login'] button")
    page.wait_for_selector("form[action='/account/logout']")
    page.evaluate(STORED)
