"""The installed app without a network: rules and one's own finished games can be read."""

from __future__ import annotations

import httpx2
from playwright.sync_api import APIRequestContext, Browser

from tests.browser.logging_out import log_out_and_in_again

KEPT = """async (paths) => {
  await navigator.serviceWorker.ready;
  while (!(await Promise.all(paths.map((path) => caches.match(path, { ignoreVary: true })))).every(Boolean)) {
    await new Promise((done) => setTimeout(done, 20));
  }
}"""


def stopped_game(ana: APIRequestContext, address: str) -> str:
    """A game of two people of a few moves, which both have agreed to stop; its path."""
    with httpx2.Client(base_url=address) as bea:
        bea.headers["authorization"] = f"Bearer {bea.post('/api/people').json()['token']}"
        seats = [{"who": "me", "name": "Bea"}, {"who": "open"}]
        table = bea.post("/api/tables", json={"game": "santiago", "seats": seats}).json()
        path = f"/tables/{table['id']}"
        assert ana.post("/api/join", data={"token": table["seats"][1]["invitation"], "name": "Ana"}).ok
        for _ in range(6):
            for get, post in (
                (bea.get, lambda at, move: bea.post(at, json=move)),
                (ana.get, lambda at, move: ana.post(at, data=move)),
            ):
                legal = get(f"/api{path}").json()["legal"]
                if legal:
                    post(f"/api{path}/moves", {"move": legal[0]["move"]})
        bea.post(f"{path}/stop", data={"agree": "on"})
        ana.post(f"{path}/stop", form={"agree": "on"})
    return path


def test_a_browser_forgets_who_has_logged_out(chromium: Browser, address: str) -> None:
    context = chromium.new_context(base_url=address, locale="en")
    log_out_and_in_again(context.new_page(), "Ana of Chromium")
    context.close()


def test_the_app_opens_without_a_network(chromium: Browser, address: str) -> None:
    """The rules and one's own finished games can be read, with every step."""
    context = chromium.new_context(base_url=address, locale="de")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto("/")
    page.evaluate(KEPT, ["/offline", "/rules/santiago", "/static/pages/replay.js"])
    path = stopped_game(page.request, address)
    page.goto("/")
    page.evaluate(KEPT, [path, f"{path}/replay/all"])
    context.set_offline(True)
    page.goto("/rules/santiago")
    assert page.locator("h1").inner_text() == "Santiago de Cuba"
    page.goto("/leaders")
    assert page.locator("h1").inner_text() == "Kein Netz"
    page.locator("#kept-games a").click()
    page.wait_for_selector("#replay .board svg")
    first = page.locator("#slider").input_value()
    page.locator("#replay [data-key=ArrowRight]").click()
    page.wait_for_function("old => document.getElementById('slider').value === String(Number(old) + 1)", arg=first)
    page.wait_for_url(f"**{path}/replay/{int(first) + 1}")
    page.reload()
    assert page.locator("#slider").input_value() == str(int(first) + 1)
    page.goto(path)
    page.wait_for_selector("#table .board svg")
    context.close()
