"""One server and one browser for all tests of a worker; a page that speaks of every console error for each."""

from __future__ import annotations

import random
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, expect, sync_playwright

from malecon.match import dice
from malecon.server.operations.settings import ServerSettings
from malecon.server.web.app import create_app
from malecon.server.web.sockets import LimitedWebSocketProtocol
from malecon.server.workers import bot_cache
from tests.clock import ShiftedClock

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
#: The account of the moderator.
HOST = "Carmen"
SIZES = {"desk": (1366, 768), "tablet": (820, 1180), "phone": (390, 844)}


expect.set_options(timeout=30_000)


@contextmanager
def serving(
    folder: Path, settings: ServerSettings | None = None, clock: Callable[[], float] = time.time
) -> Iterator[str]:
    """A server in this process; its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(folder, settings, clock), log_level="error", ws=LimitedWebSocketProtocol, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    listening.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that the server of this worker keeps."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def clock() -> ShiftedClock:
    """The clock by which the server of this worker times turns."""
    return ShiftedClock()


@pytest.fixture(scope="session")
def address(folder: Path, clock: ShiftedClock) -> Iterator[str]:
    with serving(folder, ServerSettings.of(), clock) as url:
        yield url


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.fail("there is no Chromium here; `make browser` installs it")
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(autouse=True)
def same_luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same dice and bots in every run, except in soaks: what a test meets once, it meets again."""
    if request.node.get_closest_marker("slow"):
        return
    luck = random.Random(request.node.nodeid)
    known = SimpleNamespace(token_hex=lambda size: luck.randbytes(size).hex(), randbits=luck.getrandbits)
    monkeypatch.setattr(dice, "secrets", known)
    monkeypatch.setattr(bot_cache, "secrets", known)


OpenPage = Callable[..., Page]


#: What is no complaint of a page: the server refused something, as it should; most tests have no service worker.
FINE = ("responded with a status of 4", "blocked by Playwright")


def is_error(said: ConsoleMessage) -> bool:
    """Whether a page complains; that the server refused something, as it should, is no complaint."""
    return said.type in ("error", "warning") and not any(fine in said.text for fine in FINE)


@contextmanager
def opening(browser: Browser, address: str, **always: Any) -> Iterator[OpenPage]:
    """Opens pages, each in a browser profile of its own; in the end none may have had an error."""
    contexts: list[Any] = []
    errors: list[str] = []

    def open_page(size: str = "desk", language: str = "en", **more: Any) -> Page:
        width, height = SIZES[size]
        context = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            locale=language,
            **{"service_workers": "block"} | always | more,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy machine is no failure
        page.on("console", lambda said: errors.append(said.text) if is_error(said) else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def new_page(chromium: Browser, address: str) -> Iterator[OpenPage]:
    with opening(chromium, address, reduced_motion="reduce") as open_page:

        def open_as_sized(size: str = "desk", language: str = "en", **more: Any) -> Page:
            return open_page(size, language, **{"has_touch": size != "desk"} | more)

        yield open_as_sized
