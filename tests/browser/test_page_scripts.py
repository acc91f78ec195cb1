"""Each kind of page loads the scripts it needs and no others, and gives them all texts and numbers that they read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request

from malecon.server.pages.rendering import STATIC
from tests.browser.conftest import OpenPage
from tests.browser.players import open_table

EVERY = {f"shared/{name}.js" for name in ("clock", "elements", "layout", "menus", "page-data", "register-worker")} | {
    "pages/every.js"
}
LIVE = {f"shared/{name}.js" for name in ("live-socket", "page-update", "waiting-count")}
EXERCISE = {"pages/exercise.js", "shared/places.js"}
BOARD = {
    *(f"board/{name}.js" for name in ("close-up", "controls", "keyboard-navigation", "motion", "rendering")),
    *(f"board/{name}.js" for name in ("root", "tooltip", "zoom")),
    *(f"shared/{name}.js" for name in ("page-update", "places", "requests")),
}
TABLE = {
    *(f"table/{name}.js" for name in ("actions", "hints", "live", "move-chooser", "moves", "sounds")),
    *(f"engine/{name}.js" for name in ("client", "position")),
    "pages/table.js",
}
#: What the worker loads that thinks for bots, and the one that thinks about positions.
BOT_WORKER = {f"engine/{name}.js" for name in ("bot", "bot-worker", "engine")}
WORKER = {f"engine/{name}.js" for name in ("engine", "worker")}
#: The engine beside a position; its worker is only started where it is asked to think.
PANEL = {f"engine/{name}.js" for name in ("client", "panel", "position")} | {"shared/requests.js"}
TRIES = {f"engine/{name}.js" for name in ("client", "position", "tries")} | {"shared/requests.js"} | WORKER
#: The scripts of each kind of page, beside those that every page has.
SCRIPTS = {
    "rules": set[str](),
    "home": {"pages/lobby.js"} | LIVE,
    "settings": {"pages/settings.js", "shared/requests.js"},
    "offline": {"pages/offline.js"},
    "lesson": EXERCISE,
    "lesson after a move": EXERCISE | TRIES,
    "analysis": {"pages/analysis.js"} | EXERCISE | PANEL | WORKER,
    "table": TABLE | BOARD | LIVE,
    "table where the page thinks": TABLE | BOARD | LIVE | {"table/page-bots.js"} | BOT_WORKER,
    "table with a chat": TABLE | BOARD | LIVE | {"table/chat.js"},
    "replay": {"pages/replay.js", "engine/helpers.js"} | BOARD | PANEL,
}
PATHS = {
    "rules": "/rules/cuba",
    "home": "/",
    "settings": "/settings",
    "offline": "/offline",
    "lesson": "/learn/cuba/first-harvest",
}
OTHERS = {"table with a chat": "open", "table where the page thinks": "bot:patron"}


def open_kind(page: Page, kind: str) -> None:
    if kind in PATHS:
        page.goto(PATHS[kind])
    elif kind == "lesson after a move":
        page.goto(PATHS["lesson"])
        page.locator(".exercise-moves button[name=move]").first.click()
        page.wait_for_url("**/learn/cuba/first-harvest?*")
    elif kind == "analysis":
        page.goto("/analysis")
        page.locator("form[action='/analysis/new'] button.primary").first.click()
        page.wait_for_url("**/analysis/*/*")
    else:
        page.goto("/")
        table = open_table(page, "me", OTHERS.get(kind, "bot:turista"))
        if kind == "replay":
            page.goto(f"{table}/replay")


def loaded_scripts(page: Page, kind: str) -> set[str]:
    """Open a page and return the scripts that the browser has loaded for it."""
    scripts = set[str]()

    def note(request: Request) -> None:
        if request.is_navigation_request() and request.frame == page.main_frame:
            scripts.clear()
        path = urlsplit(request.url).path
        if path.endswith(".js"):
            scripts.add(path.removeprefix("/static/"))

    page.on("request", note)
    open_kind(page, kind)
    page.wait_for_load_state("load")
    for _ in range(400):  # a worker's scripts come later
        if scripts >= SCRIPTS[kind]:
            break
        page.wait_for_timeout(50)
    return scripts


def keys_read(source: str) -> Iterator[str]:
    """Return the keys of the page's data that a script reads: texts by `say`, the rest from `pageData`."""
    for arguments in re.findall(r"\bsay\(([^()]*)\)", source):
        yield from (f"texts.{key}" for key in re.findall(r'"(\w+)"', arguments))
    yield from (key for key in re.findall(r"\bpageData\.(\w+)", source) if key != "texts")


@pytest.mark.parametrize("kind", SCRIPTS)
def test_a_page_loads_the_scripts_it_needs_and_gives_them_what_they_read(new_page: OpenPage, kind: str) -> None:
    page = new_page()
    scripts = loaded_scripts(page, kind)
    assert scripts == EVERY | SCRIPTS[kind]
    data = json.loads(page.locator("#page-data").inner_text())
    given = {key for key in data if key != "texts"} | {f"texts.{key}" for key in data.get("texts", {})}
    read = {key for script in scripts for key in keys_read((STATIC / script).read_text())}
    assert read - given <= OPTIONAL
    assert given - read == set()


#: Only pages that can say it do: how many games wait, which all others leave to the lobby's and the table's connection.
OPTIONAL = {"waits"}
