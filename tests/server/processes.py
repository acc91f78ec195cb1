"""A server as a process of its own, for tests that look at it from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def server(folder: Path, **environment: str) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A server of its own: its port and process."""
    command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", "0", "--data", str(folder)]
    with (
        (folder / "stderr").open("w") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **environment}
        ) as process,
    ):
        assert process.stdout
        try:
            yield int(process.stdout.readline().rstrip().rstrip("/").rpartition(":")[2]), process
        finally:
            process.terminate()


def resident(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096
