"""The host's pages, in a server of their own: nothing for axe to complain about, on every kind of screen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from malecon.server.operations.settings import ServerSettings
from tests.browser.accessibility import check_accessibility
from tests.browser.conftest import serving
from tests.browser.players import AS_A_FORM
from tests.cli.command import malecon
from tests.hosting.proxies import free_port

SECRET = "tres tristes tigres"
TEXT = "Ana Ávila\nCalle 23, La Habana\n\nWe keep what you play, and nothing else."
PAGES = ("/host", "/host/people", "/host/site", "/host/log", "/site/imprint", "/account", "/account/recover")
#: A folder for pictures of these pages, if somebody wants to look at them.
PICTURES = os.environ.get("PICTURES")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("club")
    settings = ServerSettings(
        smtp_host="127.0.0.1",
        smtp_port=free_port(),
        oidc_issuer="https://id.example",
        oidc_client="x",
        oidc_name="Club",
    )
    with serving(folder, settings) as address:
        yield address, folder


def set_up(folder: Path) -> None:
    done = malecon("setup", "--name", "Ana", "--site", "Club Habana", "--data", str(folder), typed=f"{SECRET}\n")
    assert done.returncode == 0, done.stderr
    for name in ("Bea", "Carla Montserrat de la Vega", "Dora"):
        assert malecon("account", "add", name, "--data", str(folder)).returncode == 0


def look(page: Page, path: str, name: str) -> None:
    page.goto(path)
    check_accessibility(page)
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, f"{path} is wider than its screen by {width} pixels"
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}{path.replace('/', '-')}.png", full_page=True)


@pytest.mark.parametrize(
    ("language", "size", "scheme"),
    [
        ("en", {"width": 1366, "height": 768}, "light"),
        ("de", {"width": 390, "height": 844}, "dark"),
        ("es", {"width": 820, "height": 1180}, "light"),
        ("it", {"width": 390, "height": 844}, "light"),
    ],
)
def test_axe_finds_nothing(
    chromium: Browser, club: tuple[str, Path], language: str, size: dict[str, int], scheme: str
) -> None:
    address, folder = club
    context = chromium.new_context(
        base_url=address, viewport=size, locale=language, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce"
    )  # type: ignore[arg-type]
    page = context.new_page()
    if not (folder / "done").exists():
        look(page, "/setup", language)
        with ThreadPoolExecutor(1) as aside:  # Playwright has an event loop in this thread
            aside.submit(set_up, folder).result()
        (folder / "done").touch()
    page.goto("/account")
    page.fill("#login-name", "Ana")
    page.fill("#login-password", SECRET)
    page.click("form[action='/account/login'] button")
    page.wait_for_selector("form[action='/account/logout']")
    texts = {"name": "Club Habana", "imprint": TEXT, "privacy": TEXT, "conduct": TEXT}
    for path, form in (
        ("/host/site", texts),
        ("/host/announcement", {"announcement": "Friday, 8 p.m.: the autumn tournament."}),
        ("/host/people/Dora", {"what": "muted"}),
    ):
        assert page.request.post(path, form=form, headers=AS_A_FORM, max_redirects=0).status == 303
    for path in PAGES:
        look(page, path, language)
    page.goto("/account")
    page.click("form[action='/account/codes'] button")
    page.wait_for_selector(".codes")
    check_accessibility(page)
    page.goto("/host/people")
    page.click("button[value='reset'] >> nth=0")
    page.wait_for_selector(".notice strong")
    check_accessibility(page)
    context.close()
