"""How quick the browser's table is on this machine: from a click to the new table on screen, first loads, page sizes,
and what an idle page costs.

    python benchmarks/table.py [moves]

A server of its own runs with data of its own as long as this does. Chromium asks for reduced motion: no animation. Bots
keep the pace called fast, a quarter of a second a move, so that what is measured is the player's own move.
"""

from __future__ import annotations

import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table

from malecon import games

LOADS = 7
#: The promises: milliseconds from click to screen (p95), milliseconds of a first load, bytes of a page, and the
#: share of a core that a page takes while nothing happens.
MOST_MOVE, MOST_LOAD, MOST_BYTES, MOST_IDLE = 100, 1000, 200_000, 0.02
#: Seconds for which an idle page is watched.
IDLE = 10
#: Most seconds that anything may take: then the run fails and says what the page showed.
PATIENCE = 60
#: Clicks on a move; the milliseconds until the frame that shows what came of it: another question, or nobody's.
CLICK = """([number, patience]) => new Promise((done, fail) => {
  const table = document.getElementById("table");
  const version = () => table.querySelector(".moves [name=version]")?.value;
  const buttons = table.querySelectorAll(".moves button[name=move]");
  const before = version();
  const chosen = buttons[number % buttons.length];
  if (!chosen) return fail(new Error(`there is no move to click: ${document.getElementById("dock").innerText}`));
  const late = setTimeout(() => {
    seen.disconnect();
    fail(new Error(`nothing came of ${chosen.value}: ${table.querySelector("#dock").innerText}`));
  }, 1000 * patience);
  const seen = new MutationObserver(() => {
    if (version() === before) return;
    seen.disconnect();
    clearTimeout(late);
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  });
  seen.observe(table, { attributeFilter: ["data-ready"] });
  const began = performance.now();
  chosen.click();
})"""
#: My move, wherever it is listed: those of a closed group cannot be seen yet.
MOVE_OR_END = "#table .moves button[name=move], #table .result"
LOAD = """() => { const [page] = performance.getEntriesByType("navigation");
                  const [paint] = performance.getEntriesByName("first-contentful-paint");
                  return Math.max(page.loadEventEnd, paint?.startTime ?? 0); }"""


@contextmanager
def serving() -> Iterator[str]:
    """A server with an empty folder; stopped in the end, whatever happens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "malecon", "serve", "--port", str(port), "--no-browser", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{port}"
            end = time.monotonic() + 60
            while not answers(address):
                if time.monotonic() > end or server.poll() is not None:
                    raise SystemExit("the server did not start")
                time.sleep(0.1)
            yield address
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()


def answers(address: str) -> bool:
    try:
        with urlopen(address) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def open_table(page: Page, game: str, players: int) -> None:
    """Somebody against bots; nothing asks back."""
    page.goto("/settings")
    page.select_option("#pace", "fast")
    page.uncheck("#confirm")
    page.click("form.settings button.primary")
    page.goto("/")
    card = page.locator(f".game-{game}")
    card.locator("summary").click()
    for number in range(games.get(game).most_players):
        who = "me" if number == 0 else "bot:turista" if number < players else "none"
        card.locator(f"[name=seat-{number}]").select_option(who)
    card.locator("details button.primary").click()
    page.wait_for_url("**/tables/*")
    page.wait_for_load_state()  # a click before that would send the form as a page of its own


def play(page: Page, most: int) -> list[float]:
    """Play by the list until the game is over, or for a number of moves; return the milliseconds of each."""
    dice = random.Random(7)
    took: list[float] = []
    while len(took) < most:
        page.wait_for_selector(MOVE_OR_END, state="attached")
        if page.locator("#table .result").count():
            break
        took.append(float(page.evaluate(CLICK, [dice.randrange(1000), PATIENCE])))
    return took


def loads(browser: Browser, page: Page) -> list[float]:
    """The table in browsers that have nothing in their caches, but somebody's cookies."""
    took = []
    for _ in range(LOADS):
        state = page.context.storage_state()
        context = browser.new_context(storage_state=state, viewport={"width": 1366, "height": 768})
        fresh = context.new_page()
        fresh.goto(page.url, wait_until="load")
        fresh.wait_for_function("() => performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
        took.append(float(fresh.evaluate(LOAD)))
        context.close()
    return took


def idle(browser: Browser, page: Page) -> float:
    """The share of a core that the page takes while somebody thinks about a move, with all its motion: processor time
    of the page's own process, as the browser's task manager counts it, so that a busy machine changes nothing."""
    context = browser.new_context(storage_state=page.context.storage_state(), viewport={"width": 1366, "height": 768})
    fresh = context.new_page()
    fresh.goto(page.url, wait_until="load")
    fresh.wait_for_selector(MOVE_OR_END, state="attached")
    fresh.wait_for_timeout(3000)
    devtools = browser.new_browser_cdp_session()

    def busy() -> dict[int, float]:
        processes = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
        return {int(process["id"]): float(process["cpuTime"]) for process in processes if process["type"] == "renderer"}

    before, began = busy(), time.monotonic()
    time.sleep(IDLE)
    after, took = busy(), time.monotonic() - began
    context.close()
    return max(after[pid] - before[pid] for pid in after if pid in before) / took


def measure(browser: Browser, address: str, game: str, players: int, most: int, shown: Table) -> bool:
    context = browser.new_context(
        base_url=address, viewport={"width": 1366, "height": 768}, reduced_motion="reduce", locale="en"
    )
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    open_table(page, game, players)
    play(page, 3)  # everything is loaded now
    took = sorted(play(page, most))
    first = statistics.median(loads(browser, page))
    size = len(context.request.get(page.url).body())
    resting = idle(browser, page)
    context.close()
    p95 = took[min(len(took) - 1, int(len(took) * 0.95))]
    fits = p95 <= MOST_MOVE and first <= MOST_LOAD and size <= MOST_BYTES and resting <= MOST_IDLE
    times = (f"{statistics.median(took):.0f} ms", f"{p95:.0f} ms", f"{first:.0f} ms")
    figures = (*times, f"{size / 1000:.0f} kB", f"{100 * resting:.2f} %")
    shown.add_row(game, str(players), str(len(took)), *figures, "yes" if fits else "NO")
    print(f"{game} with {players}: {', '.join(figures)}", file=sys.stderr, flush=True)
    return fits


def main() -> int:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    shown = Table("game", "players", "moves", "p50", "p95", "first load", "HTML", "idle", "as promised")
    pages = Table("page", "HTML")
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        setups = [(name, players) for name in games.names() for players in (2, games.get(name).most_players)]
        fits = [measure(browser, address, game, players, most, shown) for game, players in setups]
        browser.close()
        for path in ("/", "/settings", *(f"/rules/{name}" for name in games.names())):
            with urlopen(address + path) as answer:
                size = len(answer.read())
            fits.append(size <= MOST_BYTES)
            pages.add_row(path, f"{size / 1000:.0f} kB")
    console = Console()
    console.print(shown)
    console.print(pages)
    return 0 if all(fits) else 1


if __name__ == "__main__":
    raise SystemExit(main())
