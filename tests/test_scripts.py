"""The unit tests of the pages' scripts, in tests/scripts: Node runs them."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests import script_positions
from tests.paths import ROOT

NPM = shutil.which("npm")
MODULES = ROOT / "node_modules"


@pytest.mark.skipif(NPM is None, reason="npm is not here: the scripts' unit tests are not run")
@pytest.mark.skipif(not MODULES.is_dir(), reason="node_modules is not here: make scripts installs it")
def test_scripts_pass_their_unit_tests() -> None:
    assert NPM is not None
    run = subprocess.run([NPM, "test"], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr


def test_positions_for_scripts_are_those_of_the_games() -> None:
    is_current = script_positions.FILE.read_text() == script_positions.positions()
    assert is_current, "python -m tests.script_positions writes them again"
