"""Records in the browser: downloaded, uploaded, replayed and played on; damaged ones are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.players import MINE, OVER, open_table, settle_choices


@pytest.mark.parametrize("game", ["santiago", pytest.param("cuba", marks=pytest.mark.slow)])
def test_a_record_is_downloaded_uploaded_and_played_on(new_page: OpenPage, game: str, tmp_path: Path) -> None:
    page = new_page()
    settle_choices(page)
    table = open_table(page, "bot:turista", "bot:turista", game=game)
    page.wait_for_selector(OVER, timeout=60_000)
    with page.expect_download() as coming:
        page.click("text=Download the record")
    record = tmp_path / "record.json"
    coming.value.save_as(record)
    assert json.loads(record.read_text())["game"] == game

    total = int(page.get_attribute("#table", "data-moves") or 0)
    page.goto(f"{table}/replay/{total // 2}")  # an address for every move
    expect(page.locator("#prompt")).to_have_text(f"Move {total // 2} of {total}")
    page.locator("#slider").fill(str(total // 3))
    page.wait_for_url(f"**/replay/{total // 3}")
    page.keyboard.press("Escape")
    page.locator("#prompt").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**/replay/{total // 3 + 1}")

    page.goto("/")
    page.locator(".my-games summary").click()
    page.set_input_files("#file", record)
    page.click(".upload button")
    page.wait_for_url("**/replay/*")
    page.goto(page.url.rsplit("/", 1)[0] + f"/{total // 2}")
    page.locator(".table-menu summary").click()
    page.locator("button:has-text('Play on from here')").click()
    page.wait_for_url("**/tables/*")
    page.wait_for_selector(f"{MINE}, {OVER}, .dots")
    assert int(page.get_attribute("#table", "data-moves") or 0) >= total // 2


def test_a_damaged_record_is_refused_with_a_sentence(new_page: OpenPage, tmp_path: Path) -> None:
    page = new_page(language="de")
    page.goto("/")
    page.locator(".my-games summary").click()
    broken = tmp_path / "record.json"
    broken.write_text('{"game": "chess"}')
    page.set_input_files("#file", broken)
    page.click(".upload button")
    expect(page.locator(".notice[role=alert]")).to_be_visible()
