"""For those who listen, and for browsers that can do less: the table in sentences, soft sounds, plain updates."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, by_keyboard, open_table, play, settle_choices
from tests.browser.test_pages import check

#: What the board did not say: by game, what stands in its labels.
LABELS = {
    "santiago": ("flower", "The flag is here."),
    "cuba": ("Field 1:", "The figure stands here.", "one costs", "on the market"),
}


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_the_whole_table_is_told_in_sentences(new_page: OpenPage, game: str) -> None:
    page = new_page(bypass_csp=True)
    settle_choices(page)
    open_table(page, "me", "bot:turista", game=game)
    assert not play(page, by_keyboard, most=3)
    page.wait_for_selector(MINE)
    page.wait_for_load_state()
    labels = page.evaluate("[...document.querySelectorAll('.board [aria-label]')].map((it) => it.ariaLabel).join(' ')")
    for part in LABELS[game]:
        assert part in labels, part
    assert "/ 5" not in labels
    page.keyboard.press("s")
    told = page.locator("dialog .standing")
    expect(told).to_be_visible()
    expect(told).to_contain_text("ship")
    expect(told).to_contain_text("Since your last move")
    expect(page.locator("dialog .said")).to_contain_text("wants")
    assert page.locator("dialog .standing h2").count() >= 5
    check(page)
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)


def test_moves_sound_only_where_somebody_asked_for_it(new_page: OpenPage) -> None:
    page = new_page()
    settle_choices(page)
    open_table(page, "me", "bot:turista")
    play(page, by_keyboard, most=1)
    assert page.locator("#table").get_attribute("data-sounded") is None
    page.goto("/settings")
    page.check("#sounds")
    page.click("form.settings button.primary")
    page.wait_for_selector("p.notice[role=status]")
    open_table(page, "me", "bot:turista")
    page.wait_for_selector(MINE)
    page.mouse.click(5, 300)
    play(page, by_keyboard, most=2)
    page.wait_for_selector("#table[data-sounded]")


def test_without_view_transitions_the_table_is_just_updated(new_page: OpenPage) -> None:
    """As in a browser that lacks them, with all motion wanted."""
    page = new_page(reduced_motion="no-preference")
    page.add_init_script("delete Document.prototype.startViewTransition")
    settle_choices(page)
    open_table(page, "me", "bot:turista")
    page.wait_for_selector(MINE)
    assert not page.evaluate("'startViewTransition' in document")
    play(page, by_keyboard, most=6)
    lines = page.locator(".log li").count()
    assert lines > 3
