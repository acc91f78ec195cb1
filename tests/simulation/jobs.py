"""Jobs that tests hand to workers, in modules that worker processes can import."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path


def square(number: int) -> int:
    return number * number


def die_once(marks: Path, number: int) -> int:
    """The square of a number; the first worker with a number that divides by 4 is killed."""
    mark = marks / str(number)
    if number % 4 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def whose(number: int) -> str:
    """The sign in the environment of the worker: set by the process that started the cluster."""
    return os.environ["MALECON_TEST"]


def wait_for_ever(number: int) -> int:
    print("at work", flush=True)
    threading.Event().wait()
    return number
