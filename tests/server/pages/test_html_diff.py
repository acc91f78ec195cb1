"""What has changed between two states of a page."""

from __future__ import annotations

from malecon.server.pages.drawings import ITEM_MARK, PART_MARK, as_part
from malecon.server.pages.html_diff import changes, split


def page(*items: str, frame: str = "") -> list[str]:
    return split(f"<p>{frame}</p>{as_part(ITEM_MARK.join(items))}<hr>{as_part('the same')}")


def test_items_that_the_page_shows_are_numbers() -> None:
    assert changes(page("a", "b", "c"), page("c", "a", "new")) == {"parts": {0: [2, 0, "new"]}}


def test_an_item_that_the_page_shows_is_used_once() -> None:
    """The browser takes the nodes of an item as they are: they cannot stand in two places."""
    assert changes(page("a", "b"), page("a", "b", "a")) == {"parts": {0: [0, 1, "a"]}}
    assert changes(page("a", "a", "b"), page("b", "a", "a")) == {"parts": {0: [2, 0, 1]}}


def test_a_change_between_parts_is_a_whole_page() -> None:
    now = page("a", frame="other")
    assert changes(page("a"), now) == {"html": PART_MARK.join(now)}
