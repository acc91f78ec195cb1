"""What has changed between two states of a page, as one kind of message. `shared/page-update.js` shows it.

Empty comments mark the parts of a page, before and after each; what lies between parts hardly ever changes. A part can
be a list, such as the log or the stops of a street, with an `ITEM_MARK` after each item. A message has, by their
numbers, the parts that changed, each as its items in order: an item that the page shows already is only the number it
has there, any other one is written out. Should anything between parts differ, the message is the whole page.

The server looks for changes, since whole pages would take three times the processor to compress and the fourfold bytes.
The browser compares nothing again: it replaces the items that are written out, and keeps the focus, open menus, typed
text and scrolling. Only steps of a replay come as whole pages, which a service worker can also make without a network;
there the browser compares the texts of the parts with the last step, since no other place has both.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from malecon.server.pages.drawings import ITEM_MARK, PART_MARK

#: The pieces of a page of which nothing is known.
NOTHING: list[str] = []


def split(html: str) -> list[str]:
    """Return the pieces of a page: every other one, from the second on, is a part."""
    return html.split(PART_MARK)


def join(pieces: list[str]) -> str:
    """Return the page that was split into these pieces."""
    return PART_MARK.join(pieces)


def changes(before: list[str], now: list[str]) -> dict[str, Any]:
    """Return the message that turns one page into another: the `parts` that changed, or else all of it as `html`."""
    if before[::2] != now[::2]:
        return {"html": join(now)}
    pairs = enumerate(zip(before[1::2], now[1::2], strict=True))
    return {"parts": {number: _items(old, new) for number, (old, new) in pairs if old != new}}


def _items(old: str, new: str) -> list[int | str]:
    if ITEM_MARK not in new:
        return [new]
    shown: dict[str, deque[int]] = {}
    for number, item in enumerate(old.split(ITEM_MARK)):
        shown.setdefault(item, deque()).append(number)
    return [numbers.popleft() if (numbers := shown.get(item)) else item for item in new.split(ITEM_MARK)]
