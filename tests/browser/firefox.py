"""Lets Playwright drive Debian's own Firefox. Not a test: `python -m tests.browser.firefox` stands in for the program.

Playwright's usual Firefox is a patched one that has to be downloaded; the system's own is spoken to by WebDriver BiDi.
Playwright then asks for one command that this Firefox does not know yet, and gives up at once. So a go-between answers
that one and passes on all others.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright
from websockets.sync.client import connect
from websockets.sync.server import Server, ServerConnection, serve

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
#: Light or dark, as a page's context wants it.
UNKNOWN = "emulation.setMediaFeaturesOverride"


@contextmanager
def firefox(playwright: Playwright, folder: Path) -> Iterator[Browser]:
    """The system's Firefox, driven by Playwright; the folder is for what that needs."""
    program = folder / "firefox"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tests.browser.firefox "$@"\n')
    program.chmod(0o755)
    browser = playwright.firefox.launch(executable_path=program, channel="moz-firefox", timeout=120_000)
    yield browser
    browser.close()


def listening(program: subprocess.Popen[str]) -> str:
    """The address at which Firefox listens, as it says itself."""
    assert program.stderr is not None
    for line in program.stderr:
        if match := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
            return match[1]
    raise SystemExit("Firefox did not start")


def pass_on(address: str) -> Server:
    """Between Playwright and Firefox, which listens at this address."""

    def talk(playwright: ServerConnection) -> None:
        assert playwright.request is not None
        with connect(address + playwright.request.path, max_size=None) as fox:

            def answer() -> None:
                for said in fox:
                    playwright.send(said)
                playwright.close()

            threading.Thread(target=answer, daemon=True).start()
            for asked in playwright:
                order = json.loads(asked)
                if order.get("method") == UNKNOWN:
                    playwright.send(json.dumps({"type": "success", "id": order["id"], "result": {}}))
                else:
                    fox.send(asked)

    return serve(talk, "127.0.0.1", 0, max_size=None)


def main() -> int:
    if FIREFOX is None:
        raise SystemExit("there is no Firefox here; `make browser` installs it")
    program = subprocess.Popen([FIREFOX, *sys.argv[1:]], stderr=subprocess.PIPE, text=True)
    address = listening(program)
    assert program.stderr is not None
    threading.Thread(target=program.stderr.read, daemon=True).start()  # else it would fill up
    server = pass_on(address)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"WebDriver BiDi listening on ws://127.0.0.1:{server.socket.getsockname()[1]}", file=sys.stderr, flush=True)
    return program.wait()


if __name__ == "__main__":
    raise SystemExit(main())
