"""Clocks that tests set themselves, for parts that take one: no test waits for time to pass."""

from __future__ import annotations

import time


class Clock:
    """Seconds since 1970 that pass only by `advance`."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class ShiftedClock:
    """The real time, and whatever was added by `advance`."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self._ahead

    def advance(self, seconds: float) -> None:
        self._ahead += seconds
