"""Logging out of the installed app: the browser forgets what was stored for a person, and the app goes on working."""

from __future__ import annotations

from playwright.sync_api import Page

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


def log_out_and_in_again(page: Page, name: str) -> None:
    """Check that a browser with its service worker stores nothing of a person who has logged out."""
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
