"""The installed app without a network: rules and games can be read, puzzles solved, lessons played, games analysed."""

from __future__ import annotations

import re

import httpx2
from playwright.sync_api import APIRequestContext, Browser, Page, expect

from malecon.teaching.lessons import find
from malecon.teaching.puzzles import shipped
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
    page.wait_for_selector("#replay [data-pane][aria-pressed=true]")  # its script runs
    first = page.locator("#slider").input_value()
    page.locator("#replay [data-key=ArrowRight]").click()
    page.wait_for_function("old => document.getElementById('slider').value === String(Number(old) + 1)", arg=first)
    page.wait_for_url(f"**{path}/replay/{int(first) + 1}")
    page.reload()
    assert page.locator("#slider").input_value() == str(int(first) + 1)
    page.goto(path)
    page.wait_for_selector("#table .board svg")
    context.close()


def opened_before(page: Page) -> None:
    """Open what the app keeps, and wait until it has."""
    page.goto("/puzzles")
    page.evaluate(KEPT, ["/offline", "/puzzles/santiago/today", "/puzzles/cuba/today", "/static/engine/worker.js"])
    page.goto("/learn")
    page.evaluate(KEPT, ["/learn/santiago/all", "/learn/cuba/all"])
    page.evaluate(ENGINES_KEPT)


ENGINES_KEPT = """async () => {
  const isKept = async (game) => {
    const paths = (await (await caches.open("malecon-files-1")).keys()).map(({ url }) => new URL(url).pathname);
    return ["engine.wasm", "engine.json"].every((name) =>
      paths.some((path) => path.startsWith(`/engine/${game}/`) && path.endsWith(name)));
  };
  while (!(await isKept("santiago")) || !(await isKept("cuba"))) await new Promise((done) => setTimeout(done, 20));
}"""


def test_puzzles_are_solved_and_lessons_played_without_a_network(chromium: Browser, address: str) -> None:
    context = chromium.new_context(base_url=address, locale="en")
    page = context.new_page()
    page.set_default_timeout(60_000)
    opened_before(page)
    context.set_offline(True)
    page.goto("/")
    expect(page.locator("#kept-learning a")).to_have_count(4)
    page.click("#kept-learning a[href='/puzzles/cuba/today']")
    number = int(page.locator("form.exercise-moves").get_attribute("action").rpartition("/")[2])  # type: ignore[union-attr]
    puzzle = shipped("cuba")[number - 1]
    page.click(f'.exercise-moves button[value="{puzzle.tempting}"]')
    expect(page.locator("#tried-move [data-verdict]")).to_have_text("Not the best move.")
    expect(page.locator("#tried-move [data-move]")).to_contain_text("% chance of winning")
    page.click(f'.exercise-moves button[value="{puzzle.solution}"]')
    expect(page.locator("#tried-move [data-verdict]")).to_have_text("Right!")
    lesson = find("santiago", "first-drive")
    assert lesson is not None
    page.goto(f"/learn/santiago/{lesson.key}")
    page.click('.exercise-moves button[value="drive 1"]')
    expect(page.locator("#hint")).to_contain_text("Each stop further costs a peso")
    expect(page.locator("#tried-move [data-move]")).to_contain_text("% chance of winning")
    page.click("text=Take it back")
    page.click(f'.exercise-moves button[value="{lesson.solution[0]}"]')
    expect(page.locator(".verdict.right")).to_contain_text("Well done!")
    context.close()


def test_a_finished_game_is_analysed_without_a_network(chromium: Browser, address: str) -> None:
    """The engine thinks about every step of a game that was kept; its lines are in notation then."""
    context = chromium.new_context(base_url=address, locale="en")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto("/")
    path = finished_game(page.request)
    page.goto("/")
    page.evaluate(KEPT, [path, f"{path}/replay/all", "/static/engine/worker.js"])
    page.evaluate(ENGINES_KEPT)
    context.set_offline(True)
    page.goto(f"{path}/replay/20")
    page.wait_for_selector("#replay [data-pane][aria-pressed=true]")
    page.click("[data-pane=engine].small")
    expect(page.locator("#engine [data-moves] li").first).to_be_visible()
    first = page.locator("#engine-position").get_attribute("data-position")
    page.locator("#replay [data-key=ArrowRight]").click()
    page.wait_for_function("old => document.getElementById('engine-position').dataset.position !== old", arg=first)
    expect(page.locator("#engine [data-chance]").first).to_have_text(re.compile(r"\d+%"))
    context.close()


def finished_game(player: APIRequestContext) -> str:
    """A game of one person against a bot, played to its end by the first legal moves; its path."""
    seats = [{"who": "me", "name": "Ana"}, {"who": "bot:turista"}]
    table = player.post("/api/tables", data={"game": "santiago", "seats": seats, "pace": "instant"}).json()
    path = f"/tables/{table['id']}"
    while not (state := player.get(f"/api{path}").json())["over"]:
        if state["legal"]:
            player.post(f"/api{path}/moves", data={"move": state["legal"][0]["move"]})
    return path
