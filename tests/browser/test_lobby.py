"""Two people meet in the lobby, play to the end, talk, and play again; each in a browser of their own."""

from __future__ import annotations

import random

import httpx2
import pytest
from playwright.sync_api import APIRequestContext, Browser

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, by_list, open_public, play, settle_choices

WAIT = f"{MINE}, {OVER}, #table .dock:not(.mine)"


#: What the conversation covers that it must not: the board, the question and its moves; one's own holdings, unless the
#: screen is a phone's.
COVERED_BY_TALK = """() => {
  const box = (one) => one.getBoundingClientRect();
  const talk = box(document.querySelector(".talk-box"));
  const dock = innerHeight < 600 ? "" : ", #prompt, .moves button, .seat.near .panel";
  return [...document.querySelectorAll(".board" + dock)].filter((one) => {
    const at = box(one);
    return Math.min(at.right, talk.right) - Math.max(at.left, talk.left) > 1
        && Math.min(at.bottom, talk.bottom) - Math.max(at.top, talk.top) > 1;
  }).map((one) => one.className || one.id);
}"""


@pytest.mark.parametrize("rounds", [3, pytest.param(2_000, marks=pytest.mark.slow)])
def test_two_people_meet_talk_play_and_play_again(new_page: OpenPage, rounds: int) -> None:
    """To the end, and once more, where there is time; otherwise a few moves."""
    ana, bea = new_page(), new_page(size="phone", language="de")
    for page in (ana, bea):
        settle_choices(page)
    bea.goto("/")
    bea.wait_for_selector("#lobby[data-ready]")
    place = open_public(ana, "me", "open")
    join = bea.locator(f"#lobby form[action='{place[place.index('/waiting') :]}/join'] button")  # it came by itself
    join.click()
    bea.wait_for_url("**/tables/*")
    ana.wait_for_url("**/tables/*")  # the game has begun, and the page has gone there
    assert ana.url == bea.url
    for page in (ana, bea):
        page.wait_for_selector("#talk[data-ready]", state="attached")
    ana.locator("#talk > summary").click()
    for width, height in ((820, 1180), (844, 390), (1920, 1080), (1366, 768)):
        ana.set_viewport_size({"width": width, "height": height})
        covered = ana.evaluate(COVERED_BY_TALK)
        assert covered == [], (width, covered)
    ana.locator("#talk [name=phrase][value=hello]").click()
    ana.fill("#talk-text", "<b>Viel</b> Spaß")
    ana.locator(".talk-say button").click()
    bea.wait_for_selector("#talk-unread:not([hidden])")
    bea.locator("#talk > summary").click()
    bea.wait_for_selector("#talk-lines >> text=Hallo!")
    bea.wait_for_selector("#talk-lines >> text=<b>Viel</b> Spaß")
    for page in (ana, bea):
        page.locator("#talk > summary").click()
    dice = random.Random(3)
    for _ in range(rounds):
        for page in (ana, bea):
            page.wait_for_selector(WAIT)
            if page.locator(MINE).count() and not page.locator(OVER).count():
                play(page, by_list(dice), 1)
        if ana.locator(OVER).count() and bea.locator(OVER).count():
            break
    else:
        assert rounds == 3, "the game has no end"
        return
    ana.locator(".result form[action$='/again'] button").click()
    ana.wait_for_function("old => location.href !== old", arg=bea.url)
    bea.wait_for_selector(".result .rematch")
    bea.locator(".result form[action$='/again'] button").click()
    bea.wait_for_function("old => location.href === old", arg=ana.url)
    ana.wait_for_selector("#table")


def test_the_lobby_by_keyboard_and_without_script(new_page: OpenPage) -> None:
    ana, bea = new_page(), new_page(java_script_enabled=False)
    place = open_public(ana, "me", "open")
    path = place[place.index("/waiting") :]
    bea.goto("/")
    button = bea.locator(f"#lobby form[action='{path}/join'] button")
    button.focus()
    bea.keyboard.press("Enter")
    bea.wait_for_url("**/tables/*")
    ana.wait_for_url("**/tables/*")
    bea.locator("#talk > summary").click()
    bea.locator("#talk [name=phrase][value=hello]").click()
    ana.wait_for_selector("#talk-lines >> text=Hello!", state="attached")


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


def test_the_app_opens_without_a_network(chromium: Browser, address: str) -> None:
    """The rules and one's own finished games can be read, with every step."""
    context = chromium.new_context(base_url=address, locale="de")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto("/")
    page.evaluate(KEPT, ["/offline", "/rules/santiago", "/static/replay.js"])
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


def test_finding_a_game(new_page: OpenPage) -> None:
    ana, bea = new_page(), new_page(language="it")
    for page in (ana, bea):
        page.goto("/")
        page.locator(".finder > summary").click()
        page.select_option("#find-clock", "week")
        page.locator("label[for=find-3]").click()  # two will do
        page.select_option("#find-fill", "0")
        page.locator(".find button.primary").click()
    bea.wait_for_url("**/tables/*")
    ana.wait_for_url("**/tables/*")
