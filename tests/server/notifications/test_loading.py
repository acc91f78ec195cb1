"""What only notifications need is loaded when the first one is sent, not when a server starts."""

from __future__ import annotations

import subprocess
import sys

LIBRARIES = ("httpcore2", "h11", "truststore", "cryptography")
CODE = f"import sys, malecon.server.web.app; print([name for name in {LIBRARIES!r} if name in sys.modules])"


def test_a_server_starts_without_the_libraries_of_notifications() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
