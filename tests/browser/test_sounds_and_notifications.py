"""Sounds and the browser's notifications: when it is one's turn, when moves are made, and only if chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, by_keyboard, open_table, play, settle_choices

#: The page says that it is somebody else's turn.
THEIRS = ".seat.to-move:not(.mine)"
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


class Opponent:
    """The other person at a table, who plays over the JSON interface."""

    def __init__(self, invitation: str) -> None:
        origin, _, token = invitation.partition("/join/")
        self.client = httpx2.Client(base_url=origin)
        self.client.headers["authorization"] = f"Bearer {self.client.post('/api/people').json()['token']}"
        self._path = f"/api/tables/{self.client.post('/api/join', json={'token': token}).json()['id']}"

    def finish_turn(self) -> bool:
        """Move until it is somebody else's turn; whether there was anything to do."""
        moves = 0
        while legal := self.client.get(self._path).json()["legal"]:
            assert self.client.post(f"{self._path}/moves", json={"move": legal[0]["move"]}).status_code == 200
            moves += 1
        return moves > 0


OpenWithOpponent = Callable[..., tuple[Page, Opponent]]


@pytest.fixture
def open_with_opponent(new_page: OpenPage) -> Iterator[OpenWithOpponent]:
    """Opens a table with these choices, where it is the page's turn, and somebody else's after that."""
    opponents: list[Opponent] = []

    def open_with(*choices: str) -> tuple[Page, Opponent]:
        page = new_page()
        page.context.grant_permissions(["notifications"])
        page.add_init_script(SPY)
        page.goto("/settings")
        for choice in choices:
            page.check(f"#{choice}")
        page.uncheck("#automatic")  # a turn that begins with a forced move is not announced
        page.click("form.settings button.primary")
        page.wait_for_selector("p.notice[role=status]")
        settle_choices(page)
        open_table(page, "me", "open")
        opponents.append(Opponent(page.locator("#dock .invitations input").input_value()))
        opponents[-1].finish_turn()
        page.wait_for_selector(MINE)
        return page, opponents[-1]

    yield open_with
    for opponent in opponents:
        opponent.client.close()


def play_until_my_next_turn(page: Page, opponent: Opponent) -> None:
    """Finish the turn; when the page shows that it is the opponent's, that one plays a turn as well."""
    for _ in range(30):
        before = page.input_value(".moves input[name=version]")
        page.keyboard.press("1")
        page.wait_for_function("v => document.querySelector('.moves input[name=version]')?.value !== v", arg=before)
        page.wait_for_selector(f"{MINE}, {THEIRS}")
        if page.locator(THEIRS).count():
            assert opponent.finish_turn()
            page.wait_for_selector(MINE)
            return
    raise AssertionError("the turn never ended")


def test_a_sound_when_it_is_my_turn(open_with_opponent: OpenWithOpponent) -> None:
    page, opponent = open_with_opponent("sound")
    page.click("#prompt")  # browsers are silent until somebody has touched the page
    page.evaluate("window.tones.length = 0")
    play_until_my_next_turn(page, opponent)
    page.wait_for_function("() => window.tones.length >= 2")
    assert page.evaluate("window.tones.slice(0, 2)") == [523, 659]
    assert page.evaluate("window.told") == []


def test_a_notification_when_it_is_my_turn_and_i_am_elsewhere(
    open_with_opponent: OpenWithOpponent,
) -> None:
    page, opponent = open_with_opponent("notify")
    page.click("#prompt")
    play_until_my_next_turn(page, opponent)
    assert page.evaluate("window.told") == []  # a page in view needs none
    page.evaluate("window.away = true")
    play_until_my_next_turn(page, opponent)
    page.wait_for_function("() => window.told.length > 0")
    assert page.evaluate("window.told[0]") == {"title": "Malecón", "body": "Your turn"}
    assert page.evaluate("window.tones") == []


def test_neither_sound_nor_notification_unless_chosen(open_with_opponent: OpenWithOpponent) -> None:
    page, opponent = open_with_opponent()
    page.click("#prompt")
    page.evaluate("window.away = true")
    play_until_my_next_turn(page, opponent)
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
