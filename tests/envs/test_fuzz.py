"""Every public function is called with hostile arguments, in a process of its own: nothing crashes or hangs.

A crash is then a failed test and not the end of them all. What is called, and with what, is in `fuzzing`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(folder: Path, seconds: float, seed: int) -> str:
    """Return what the fuzzer prints: the number of calls."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.envs.fuzzing", str(seconds), str(seed)],
        capture_output=True,
        text=True,
        timeout=seconds + 240,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_hostile_arguments_for_some_seconds(tmp_path: Path) -> None:
    assert int(run(tmp_path, 8, 1)) > 100


@pytest.mark.slow
def test_hostile_arguments_for_five_minutes(tmp_path: Path) -> None:
    for seed in range(5):
        assert int(run(tmp_path, 60, seed)) > 1000
