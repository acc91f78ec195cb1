"""A service that accepts every call and answers one byte at a time."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class SlowService:
    """A program that takes every call and answers a byte at a time, for as long as it is let."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._over = threading.Event()
        self.calls = 0
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def origin(self) -> str:
        return self.address.rstrip("/")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}/"

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                taken, _ = self._listening.accept()
                self.calls += 1
                self._threads.append(threading.Thread(target=self._dribble, args=(taken,)))
                self._threads[-1].start()

    def _dribble(self, taken: socket.socket) -> None:
        with taken, suppress(OSError):
            for letter in b"HTTP/1.1 " + b"2" * 100_000:
                taken.sendall(bytes([letter]))
                if self._over.wait(0.02):
                    return

    def close(self) -> None:
        self._over.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listening.close()
