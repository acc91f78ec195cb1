"""What systemd is told about this process, if it runs as a service of `Type=notify`."""

from __future__ import annotations

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Tell systemd something, such as `READY=1`; without systemd, do nothing."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        line.connect("\0" + address[1:] if address[0] == "@" else address)
        line.sendall(state.encode())
