"""The lobby: two people, each in a browser of their own, meet, play, talk and play again."""

from __future__ import annotations

import random

import pytest

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
