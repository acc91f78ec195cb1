"""Sounds and the browser's notifications: when it is one's turn, when moves are made, and only if chosen."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, by_keyboard, open_table, play, settle_choices

#: Listens to every tone and every notification, and says whether the page is in the background.
SPY = """
window.tones = [];
window.told = [];
window.away = false;
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) {
  window.tones.push(this.frequency.value);
  return start.apply(this, when);
};
const Real = window.Notification;
window.Notification = class extends Real {
  constructor(title, options) {
    super(title, options);
    window.told.push({ title, body: options.body });
  }
};
Object.defineProperty(document, "hidden", { get: () => window.away });
"""


def sit_down(page: Page, *choices: str) -> None:
    page.context.grant_permissions(["notifications"])
    page.add_init_script(SPY)
    page.goto("/settings")
    for choice in choices:
        page.check(f"#{choice}")
    page.click("form.settings button.primary")
    settle_choices(page)
    open_table(page, "me", "bot:turista")
    page.wait_for_selector(MINE)


def until_my_next_turn(page: Page) -> None:
    """Make moves until the bot has had its turn."""
    for _ in range(12):
        page.wait_for_selector(MINE)
        bots_lines = page.locator(".log li.of-blue").count()
        version = page.input_value(".moves input[name=version]")
        page.keyboard.press("1")
        page.wait_for_function(
            "v => (document.querySelector('.moves input[name=version]')?.value ?? v) !== v", arg=version
        )
        if page.locator(".log li.of-blue").count() > bots_lines:
            return
    raise AssertionError("the bot never moved")


def test_a_sound_when_it_is_my_turn(new_page: OpenPage) -> None:
    page = new_page()
    sit_down(page, "sound")
    page.click("#prompt")  # browsers are silent until somebody has touched the page
    page.evaluate("window.tones.length = 0")
    until_my_next_turn(page)
    page.wait_for_function("() => window.tones.length >= 2")
    assert page.evaluate("window.tones.slice(0, 2)") == [523, 659]
    assert page.evaluate("window.told") == []


def test_a_notification_when_it_is_my_turn_and_i_am_elsewhere(new_page: OpenPage) -> None:
    page = new_page()
    sit_down(page, "notify")
    page.click("#prompt")
    until_my_next_turn(page)
    assert page.evaluate("window.told") == []  # whoever looks at the table needs none
    page.evaluate("window.away = true")
    until_my_next_turn(page)
    page.wait_for_function("() => window.told.length > 0")
    assert page.evaluate("window.told[0]") == {"title": "Malecón", "body": "Your turn"}
    assert page.evaluate("window.tones") == []


def test_neither_sound_nor_notification_unless_chosen(new_page: OpenPage) -> None:
    page = new_page()
    sit_down(page)
    page.click("#prompt")
    page.evaluate("window.away = true")
    until_my_next_turn(page)
    expect(page).to_have_title("● Your turn – Santiago de Cuba")
    assert page.evaluate("[...window.tones, ...window.told]") == []


def test_moves_make_sounds_only_if_chosen(new_page: OpenPage) -> None:
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
