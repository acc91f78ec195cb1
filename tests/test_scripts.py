"""The scripts of the pages: Node runs their unit tests in tests/scripts, and they read what Python writes."""

from __future__ import annotations

import itertools
import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from malecon.server.pages.drawings import ITEM_MARK, as_part
from malecon.server.pages.html_diff import changes, join, split
from tests import script_positions
from tests.paths import ROOT

NPM, NODE = shutil.which("npm"), shutil.which("node")
MODULES = ROOT / "node_modules"
APPLY = ROOT / "tests" / "scripts" / "apply-updates.js"
needs_node = pytest.mark.skipif(
    NPM is None or NODE is None or not MODULES.is_dir(),
    reason="scripts are not tested: there is no Node with npm here, or make scripts has not installed node_modules",
)


@needs_node
def test_scripts_pass_their_unit_tests() -> None:
    assert NPM is not None
    run = subprocess.run([NPM, "test"], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr


def test_positions_for_scripts_are_those_of_the_games() -> None:
    is_current = script_positions.FILE.read_text() == script_positions.positions()
    assert is_current, "python -m tests.script_positions writes them again"


def random_page(chooser: random.Random) -> list[str]:
    """Return a page with a heading that hardly ever changes, a log, a drawing with items, and a single part."""
    words = ["", "<b>a</b>", "b", "<i>c</i> d", "<p>e<br>f</p>"]
    log = ITEM_MARK.join(chooser.choice(words) for _ in range(chooser.randrange(1, 7)))
    shapes = ITEM_MARK.join(f"<circle r={chooser.choice('1234')!r}></circle>" for _ in range(chooser.randrange(1, 5)))
    heading = "Cuba" if chooser.random() < 0.9 else "another page"
    html = (
        f"<h1>{heading}</h1><ol>{as_part(log)}</ol><svg><g>{as_part(shapes)}</g></svg>{as_part(chooser.choice(words))}"
    )
    return split(html.replace("'", '"'))


@needs_node
def test_a_page_shows_what_the_server_meant(tmp_path: Path) -> None:
    """After any changes that `html_diff` finds, the browser's page is the server's."""
    assert NODE is not None
    chooser = random.Random(31)
    cases: list[dict[str, Any]] = []
    meant = []
    for _ in range(100):
        pages = [random_page(chooser) for _ in range(6)]
        updates = [changes(before, now) for before, now in itertools.pairwise(pages)]
        cases.append({"before": join(pages[0]), "updates": updates})
        meant.append([join(page) for page in pages[1:]])
    assert sum("parts" in update for case in cases for update in case["updates"]) > 300
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(cases))
    run = subprocess.run([NODE, APPLY, file], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == meant
