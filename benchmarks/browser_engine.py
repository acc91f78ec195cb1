"""How fast the engine thinks: simulations a second on one thread, natively, through wasmtime, in Chromium and Firefox.

All four do the same simulations from the same positions, by turns; a figure is the median of the rounds. It also tells
what a browser downloads, and whether our goals hold: at least 0.75 of native in Chromium and 0.6 in Firefox, at most
250 kB for each game. With --write the figures go into docs/performance.md.
"""

from __future__ import annotations

import argparse
import base64
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import metadata
from pathlib import Path

import numba
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.load import our_server
from benchmarks.report import circumstances, insert, markdown
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.firefox import firefox

from malecon.bots.engine.block import block_of
from malecon.bots.engine.runtime import WasmSearcher
from malecon.bots.searcher import Searcher, SearchPlan
from malecon.kernel import readiness, registry
from malecon.match import Match, View
from malecon.server.pages.engine_files import engine_address, engine_files

TABLES = [(name, players) for name in ("santiago", "cuba") for players in (2, 4)]
SIMULATIONS = 50_000
#: Decisions of the game before the position that is searched.
DECISIONS = 40
GOALS, MOST_KB = {"Chromium": 0.75, "Firefox": 0.6}, 250
#: Thinks as the worker of a page does, and returns simulations a second. The module is compiled once for all rounds.
THINK = """async ([address, block, nodes, simulations]) => {
  const { createEngine } = await import("/static/engine/engine.js");
  window.engines ??= {};
  window.engines[address] ??= Promise.all([
    WebAssembly.compileStreaming(fetch(address + "engine.wasm")),
    fetch(address + "engine.json").then((response) => response.json()),
  ]);
  const engine = await createEngine(...(await window.engines[address]), { nodes, seed: 5 });
  engine.setPosition(Uint8Array.from(atob(block), (character) => character.charCodeAt(0)));
  engine.begin();
  const began = performance.now();
  for (let left = simulations; left > 0; left -= 500) engine.think(Math.min(500, left));
  return [1000 * simulations / (performance.now() - began), engine.read().moves.map(({ visits }) => visits)];
}"""
#: Simulations a second, and the visits of the moves, which must be the same everywhere.
Measured = tuple[float, list[int]]


def some_view(name: str, players: int) -> View:
    """A position in the middle of a game, as the player to move sees it."""
    match = Match(name, players, seed=3)
    while len(match.history) < DECISIONS or len(match.legal_moves) < 4:
        match.push(match.legal_moves[len(match) % len(match.legal_moves)])
    return match.view(match.turn)


def in_python(kind: type[Searcher], view: View, plan: SearchPlan) -> Measured:
    searcher = kind(view.game, len(view.names), plan, 5)
    began = time.perf_counter()
    result = searcher.search(view.position)
    return plan.sims / (time.perf_counter() - began), list(result.visits)


def in_browser(page: Page, view: View, plan: SearchPlan) -> Measured:
    block = block_of(view.game, len(view.names), view.position, view.seat or 0)
    address = engine_address(view.game.name)
    speed, visits = page.evaluate(THINK, [address, base64.b64encode(block).decode(), plan.nodes, plan.sims])
    return float(speed), list(visits)


@contextmanager
def browsers(folder: Path) -> Iterator[dict[str, Browser]]:
    with sync_playwright() as playwright, ExitStack() as stack:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        stack.callback(chromium.close)
        yield {"Chromium": chromium, "Firefox": stack.enter_context(firefox(playwright, folder))}


def compare(view: View, pages: dict[str, Page], rounds: int) -> dict[str, float]:
    """The median speed of each engine in one position."""
    plan = SearchPlan(sims=SIMULATIONS, margin=0.0)
    engines: dict[str, Callable[[], Measured]] = {
        "native": partial(in_python, Searcher, view, plan),
        "wasmtime": partial(in_python, WasmSearcher, view, plan),
    } | {name: partial(in_browser, page, view, plan) for name, page in pages.items()}
    speeds: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(rounds + 1):
        measured = {name: think() for name, think in engines.items()}
        if len({str(visits) for _, visits in measured.values()}) > 1:
            raise SystemExit(f"the engines do not think the same about a position of {view.game.title}")
        for name, (speed, _) in measured.items():
            speeds[name].append(speed)
    # Browsers compile better while the first round runs.
    return {name: statistics.median(figures[1:]) for name, figures in speeds.items()}


def measure(rounds: int) -> tuple[dict[tuple[str, int], dict[str, float]], dict[str, str]]:
    """The medians of each table by engine, and the versions of the browsers."""
    with (
        tempfile.TemporaryDirectory() as folder,
        our_server("--data", folder) as (address, _),
        browsers(Path(folder)) as opened,
    ):
        pages = {name: browser.new_page() for name, browser in opened.items()}
        for page in pages.values():
            page.goto(address + "learn")
        medians = {table: compare(some_view(*table), pages, rounds) for table in TABLES}
        return medians, {name: browser.version for name, browser in opened.items()}


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reading.add_argument("--rounds", type=int, default=7)
    reading.add_argument("--write", action="store_true", help="put the figures into docs/performance.md")
    asked = reading.parse_args()
    load = os.getloadavg()
    readiness.wait(*dict.fromkeys(name for name, _ in TABLES))
    medians, versions = measure(asked.rounds)
    titles = ["simulations/s", "native", *(name for name in next(iter(medians.values())) if name != "native")]
    rows = []
    for (name, players), figures in medians.items():
        native = figures["native"]
        others = [f"{figures[title]:,.0f} ({figures[title] / native:.2f})" for title in titles[2:]]
        rows.append([f"{registry.get(name).title}, {players} players", f"{native:,.0f}", *others])
    text = markdown(titles, rows) + "\n\n"
    sizes = {}
    for name in dict.fromkeys(name for name, _ in TABLES):
        files = engine_files(name)
        assert files is not None
        sizes[name] = sum(len(file.packed) for file in files.by_name.values()) / 1000
        text += f"{registry.get(name).title}: {sizes[name]:.0f} kB to download, module and weights and description. "
    used = {"numba": numba.__version__, "wasmtime": metadata.version("wasmtime")} | versions
    text += f"\n\n{circumstances(load, used)}"
    print(text)
    if asked.write:
        insert("figures of the engine in browsers", text)
    for name, goal in GOALS.items():
        least = min(figures[name] / figures["native"] for figures in medians.values())
        print(f"{name}: at least {goal} of native: {'yes' if least >= goal else 'NO'} ({least:.2f})")
    print(f"at most {MOST_KB} kB: {'yes' if max(sizes.values()) <= MOST_KB else 'NO'}")


if __name__ == "__main__":
    main()
