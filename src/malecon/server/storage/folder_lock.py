"""A lock on the folder of a SQLite database: only one server plays there.

A second one would do no damage, but its pages would show old states. The system releases the lock when the process
ends, however it ends.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from malecon.kernel.phrases import say
from malecon.server.storage.database import BadDatabase

NAME = "malecon.lock"


def lock_folder(folder: Path) -> BinaryIO | None:
    """Return the locked file, which must stay open; raise BadDatabase if another server has the folder.

    On a system without file locks, return None.
    """
    try:
        import fcntl
    except ImportError:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    file = open(folder / NAME, "a+b")  # noqa: SIM115  # it stays open as long as the server runs
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        process = file.read(20).decode("ascii", "replace").strip()
        file.close()
        raise BadDatabase(
            say(
                "another server (process {process}) uses {folder}; stop it, or choose another folder with --data",
                process=process or "?",
                folder=str(folder),
            )
        ) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n".encode())
    file.flush()
    return file
