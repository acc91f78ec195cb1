"""Takes the pictures of the docs anew: `python -m tests.browser.make_images`. Not a test."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.conftest import ARGUMENTS, CHROMIUM, SIZES, serving
from tests.browser.players import by_list, open_table, play, settle_choices

FOLDER = Path(__file__).parent.parent.parent / "docs" / "images"


def open_page(browser: Browser, address: str, size: str, language: str, theme: str) -> Page:
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        locale=language,
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    return context.new_page()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        home = open_page(browser, address, "desk", "en", "light")
        home.goto("/")
        home.screenshot(path=FOLDER / "home.png")
        for name, game, seats, size, language, theme in (
            ("santiago", "santiago", 3, "desk", "en", "light"),
            ("cuba", "cuba", 4, "desk", "es", "light"),
            ("night", "santiago", 4, "desk", "de", "dark"),
            ("phone", "santiago", 2, "phone", "it", "light"),
        ):
            page = open_page(browser, address, size, language, theme)
            settle_choices(page)
            open_table(page, "me", *["bot:aprendiz"] * (seats - 1), game=game)
            play(page, by_list(random.Random(7)), 24)
            page.wait_for_selector("#table .moves button")
            page.mouse.move(2, 2)
            page.wait_for_timeout(9_000)  # the notices have gone
            page.screenshot(path=FOLDER / f"{name}.png")
            if name == "cuba":
                page.locator("[data-look]").nth(1).click()
                page.wait_for_selector("dialog[open] svg")
                page.wait_for_timeout(300)
                page.screenshot(path=FOLDER / "close-up.png")
        browser.close()


if __name__ == "__main__":
    main()
