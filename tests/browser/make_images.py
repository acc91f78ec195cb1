"""Takes the pictures of the docs: `python -m tests.browser.make_images`; with `community` only those of people."""

from __future__ import annotations

import io
import random
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.browser.community_images import community
from tests.browser.conftest import ARGUMENTS, CHROMIUM, SIZES, serving
from tests.browser.measuring import SCREEN_SIZES as SHAPES
from tests.browser.measuring import measure
from tests.browser.players import by_list, open_table, play, settle_choices
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "images"


def open_page(browser: Browser, address: str, language: str, theme: str) -> Page:
    width, height = SIZES["desk"]
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        locale=language,
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    return context.new_page()


def take(page: Page | Locator, path: Path) -> None:
    """A picture of a page or a part of it, small enough to keep."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    if path.suffix == ".webp":
        picture.save(path, quality=72, method=6)
    else:
        picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def teaching(page: Page) -> None:
    """A lesson with a wrong turn, and the analysis board with what the search thinks."""
    page.goto("/learn/santiago/first-delivery?m=drive+1&m=deliver+1+rum")
    take(page, FOLDER / "lesson.png")
    page.goto("/puzzles")
    take(page, FOLDER / "puzzles.png")
    page.goto("/learn")
    take(page, FOLDER / "learn.png")
    page.goto("/puzzles/cuba/3")
    page.locator(".exercise-moves button").first.click()
    page.click("[data-why]")
    page.locator("form[action^='/analysis/new'] button").click()
    page.locator(".exercise-moves button[name=move]").first.click()
    page.locator("a[rel=prev]").click()
    page.locator(".exercise-moves button[name=move]").nth(1).click()
    page.locator("a[rel=prev]").click()
    page.wait_for_selector(".advised-line button")
    take(page, FOLDER / "analysis.png")


def every_shape(browser: Browser, address: str) -> None:
    """Both games, guided and not, at the twelve sizes that the tests measure."""
    folder = FOLDER / "sizes"
    folder.mkdir(exist_ok=True)
    for game, players, language, guided in (("santiago", 3, "en", False), ("cuba", 5, "de", True)):
        page = open_page(browser, address, language, "light")
        settle_choices(page)
        open_table(page, "me", *["bot:aprendiz"] * (players - 1), game=game, guided=guided)
        play(page, by_list(random.Random(7)), 12)
        page.wait_for_selector("#table .moves button")
        page.wait_for_timeout(7_000)  # the notices have gone
        page.mouse.move(2, 2)  # nothing explains itself
        for width, height in SHAPES:
            measure(page, width, height)
            take(page, folder / f"{game}-{width}x{height}.webp")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        community(
            lambda language: open_page(browser, address, language, "light"),
            lambda part, name: take(part, FOLDER / f"{name}.png"),
            Path(data),
        )
        if sys.argv[1:] == ["community"]:
            return
        home = open_page(browser, address, "en", "light")
        home.goto("/puzzles/santiago/3")
        home.locator(".exercise-moves button").first.click()
        home.click("[data-why]")
        home.wait_for_url("**/answer?move=*")
        home.wait_for_selector("#tried-move:not([hidden])")
        take(home, FOLDER / "puzzle.png")
        home.goto("/explorer/cuba/3")
        take(home, FOLDER / "explorer.png")
        teaching(home)
        every_shape(browser, address)
        for name, game, seats, language, theme in (
            ("santiago", "santiago", 3, "en", "light"),
            ("cuba", "cuba", 4, "es", "light"),
            ("night", "santiago", 4, "de", "dark"),
        ):
            page = open_page(browser, address, language, theme)
            settle_choices(page)
            open_table(page, "me", *["bot:aprendiz"] * (seats - 1), game=game)
            play(page, by_list(random.Random(7)), 24)
            page.wait_for_selector("#table .moves button")
            page.mouse.move(2, 2)
            page.wait_for_timeout(9_000)  # the notices have gone
            take(page, FOLDER / f"{name}.png")
            if name == "cuba":
                page.locator("[data-look]").nth(1).click()
                page.wait_for_selector("dialog[open] svg")
                page.wait_for_timeout(300)
                take(page, FOLDER / "close-up.png")
        browser.close()


if __name__ == "__main__":
    main()
