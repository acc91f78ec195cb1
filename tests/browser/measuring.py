"""What of a table is in sight at a given size of the screen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.browser.players import MINE

SCREEN_SIZES = [
    *((320, 568), (360, 740), (390, 844), (844, 390), (683, 384), (768, 1024)),
    *((820, 1180), (1180, 820), (1280, 720), (1366, 768), (1536, 730), (2560, 1440)),
]


MEASURE = """() => {
  const seen = (element) => {
    if (!element) return null;
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + Math.min(box.width / 2, 60), box.top + Math.min(box.height / 2, 14)];
    const middle = document.elementFromPoint(x, y);
    return {
      width: box.width, height: box.height,
      inside: box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1,
      uncovered: Boolean(middle && (element.contains(middle) || middle.contains(element))),
    };
  };
  const page = document.documentElement;
  const drawing = document.querySelector(".board > svg").getBoundingClientRect();
  return {
    scrolls: page.scrollWidth > innerWidth + 1 || page.scrollHeight > innerHeight + 1,
    prompt: seen(document.querySelector("#prompt")),
    own: seen(document.querySelector(".seat.near .panel")),
    news: seen([...document.querySelectorAll(".log li:last-child p")].at(-1)),
    move: seen(document.querySelector(".moves button")),
    undo: seen(document.querySelector("[data-key=u]")),
    out: seen(document.querySelector(".moves .out button")),
    guide: seen(document.querySelector(".guide")),
    log: seen(document.querySelector(".log")),
    board: drawing.width * drawing.height / (innerWidth * innerHeight),
  };
}"""


def shape(width: int, height: int) -> str:
    if width / height < 5 / 4:
        return "phone" if width < 700 else "upright"
    return "lying" if height < 600 or width < 900 else "wide"


def measure(page: Page, width: int, height: int) -> dict[str, Any]:
    """What is in sight after the window has taken this size: a phone's is another drawing, which the server sends."""
    page.set_viewport_size({"width": width, "height": height})
    layout = "tall" if shape(width, height) == "phone" else "wide"
    page.wait_for_selector(f"#table[data-layout={layout}] {MINE.removeprefix('#table ')}")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    measures: dict[str, Any] = page.evaluate(MEASURE)
    return measures
