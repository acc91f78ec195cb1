"""What playing at the table once found, each as it shows in a browser."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, by_list, open_table, play, settle_choices


def name_is(page: Page, name: str) -> None:
    page.goto("/settings")
    page.fill("#name", name)
    page.click("form.settings button.primary")
    page.wait_for_selector("p.notice[role=status]")


def test_a_name_that_is_taken_keeps_the_form(new_page: OpenPage) -> None:
    ana, bea = new_page(), new_page(language="de")
    settle_choices(ana)
    name_is(ana, "Ana")
    open_table(ana, "me", "open")
    link = ana.locator("#dock .invitations input").input_value()
    bea.goto(link)
    bea.fill("#name", "ana")
    bea.click("form[action^='/join/'] button.primary")
    expect(bea.locator("[role=alert]")).to_be_visible()
    assert bea.input_value("#name") == "ana"
    bea.fill("#name", "Anton")
    bea.click("form[action^='/join/'] button.primary")
    bea.wait_for_selector("#dock")
    # Pieces and badges agree on what stands for whom.
    pieces = ana.locator(".seats .m-panel").all_text_contents()
    badge = ana.locator(".prompt .badge").inner_text()
    assert badge in ("An", "1", "2"), badge
    assert any(badge in text for text in pieces), pieces


def test_removing_somebody_asks_first(new_page: OpenPage) -> None:
    ana, bea = new_page(), new_page()
    settle_choices(ana)
    open_table(ana, "me", "open")
    bea.goto(ana.locator("#dock .invitations input").input_value())
    bea.fill("#name", "Bea")
    bea.click("form[action^='/join/'] button.primary")
    bea.wait_for_selector("#dock")
    expect(ana.locator(".seat").nth(1)).to_contain_text("Bea")
    ana.locator(".seat").nth(1).locator(".seat-menu > summary").click()
    ana.locator(".sure summary").click()
    expect(ana.locator(".sure p")).to_contain_text("Bea")
    assert ana.locator(".seat").nth(1).get_by_text("Bea").count()
    ana.locator(".sure button").click()
    expect(ana.locator(".seat").nth(1)).not_to_contain_text("Bea")


def test_explanations_have_no_stray_spaces_and_begin_with_a_capital(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista", game="cuba")
    page.wait_for_selector(MINE)
    for _ in range(4):
        for text in page.locator(".moves button > span:first-of-type").all_text_contents():
            assert not re.search(r"\s[,.;:]", text), text
        play(page, by_list(random.Random(7)), 1)
        page.wait_for_selector(MINE)
    for language in ("en", "de", "es", "it"):
        for game in ("santiago", "cuba"):
            known = page.request.get(f"/glossary/{game}/{language}").json()
            assert all(text[0].isupper() for text in known.values() if text[0].isalpha()), known


@pytest.mark.parametrize("language", ["de", "it"])
def test_the_header_of_a_phone_cuts_nothing(new_page: OpenPage, language: str) -> None:
    page = new_page("phone", language=language)
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 700})
        page.goto("/")
        fits = page.evaluate(
            """() => {
              const select = document.querySelector("#language");
              const pen = document.createElement("canvas").getContext("2d");
              pen.font = getComputedStyle(select).font;
              const text = pen.measureText(select.selectedOptions[0].textContent).width;
              const inside = [...document.querySelectorAll(".top a, .top select")].every(
                (part) => part.getBoundingClientRect().right <= innerWidth);
              return [select.getBoundingClientRect().width - text, inside, document.documentElement.scrollWidth];
            }"""
        )
        assert fits[0] >= 20, (width, fits)  # the arrow and the edge
        assert fits[1:] == [True, width], (width, fits)


#: Points at everything that explains itself, and at every move; what its explanation covers that it must not.
COVERED = """() => {
  const frame = document.querySelector(".board").getBoundingClientRect();
  const box = (one) => { // what of it is in sight: a phone's board is larger than its frame
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (!one.closest(".board")) return { left, right, top, bottom };
    return { left, right, top: Math.max(top, frame.top), bottom: Math.min(bottom, frame.bottom) };
  };
  const covers = (a, b) => { // more than an edge of it
    const wide = Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left));
    const high = Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    return wide * high > 0.15 * (b.right - b.left) * (b.bottom - b.top);
  };
  const inSight = (one) => one.checkVisibility() && box(one).bottom - box(one).top > 4;
  const things = [...document.querySelectorAll(".board [data-help], .moves button[name=move]")];
  const kept = [...document.querySelectorAll(".seat.near .panel, #prompt, .moves button")];
  const found = [];
  let told = 0;
  for (const thing of things.filter(inSight)) {
    const at = box(thing);
    const [clientX, clientY] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
    thing.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse", clientX, clientY }));
    const tip = document.querySelector(".tip");
    if (tip.hidden) continue;
    told += 1;
    const places = thing.matches("button") ? document.querySelectorAll(".hot") : [];
    for (const one of [thing, ...places, ...kept]) {
      if (inSight(one) && covers(box(tip), box(one))) {
        found.push(`${thing.id || thing.dataset.help}: ${one.id || one.className} ${tip.textContent.slice(0, 40)}`);
      }
    }
  }
  return [told, [...new Set(found)]];
}"""


def test_explanations_cover_neither_their_thing_nor_holdings_nor_moves(new_page: OpenPage) -> None:
    page = new_page("phone")
    settle_choices(page)
    for game in ("santiago", "cuba"):
        open_table(page, "me", "bot:turista", game=game)
        play(page, by_list(random.Random(3)), 1)
        for width, height, layout in ((390, 844, "tall"), (844, 390, "wide"), (1366, 768, "wide")):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_selector(f"#table[data-layout={layout}] .moves button")
            told, covered = page.evaluate(COVERED)
            assert told > 10, (game, width)
            assert covered == [], (game, width, covered)
        page.set_viewport_size({"width": 390, "height": 844})


def test_names_of_buildings_can_be_read_on_a_desk(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista", game="cuba")
    page.wait_for_selector(MINE)
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("#buildings text")]
            .filter((text) => /[a-z]{3}/i.test(text.textContent))
            .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d))"""
    )
    assert smallest >= 11, smallest


def test_the_rules_of_every_game_are_one_click_from_home(new_page: OpenPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator(".top-links a", has_text="Rules").click()
    for game, title in (("santiago", "Santiago de Cuba"), ("cuba", "Cuba")):
        page.locator(f"main a[href='/rules/{game}']").click()
        expect(page.locator("h1")).to_have_text(title)
        page.go_back()


def test_handing_over_covers_the_holdings_and_not_the_board(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "me")
    page.wait_for_selector(".cover")
    expect(page.locator(".board .m-board")).to_be_visible()
    hidden = page.locator(".seats").inner_html()
    for screen in (page.locator(".board > svg"), page.locator(".seats")):
        box, cover = screen.bounding_box(), page.locator(".cover").bounding_box()
        assert box is not None
        assert cover is not None
        assert cover["y"] >= box["y"] + box["height"] or cover["x"] + cover["width"] <= box["x"]
    page.click(".cover .button")
    page.wait_for_selector(MINE)
    assert page.locator(".seats").inner_html() != hidden  # now one's own holdings are there
