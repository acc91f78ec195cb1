"""What requests cost: the processor time that each takes, measured while it is handled, and a moving mean by route.

One event loop handles all requests in turns, so a request is timed only while it runs itself: every stretch between two
of its waits on the event loop, and what it has done in other threads. The time that bots think has limits of its own.
"""

from __future__ import annotations

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from time import thread_time
from typing import Any, ParamSpec, TypeVar

Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")
#: A request counts as one for each of these, and at least as one.
UNIT_SECONDS = 0.005
#: What routes are taken to cost before they are measured: the JSON interface, pages, and the reading of files.
FIRST_JSON_SECONDS = 0.001
FIRST_PAGE_SECONDS = 0.01
FIRST_FILE_SECONDS = 0.2
#: Routes that read large files.
FILE_ROUTES = ("/records", "/analysis/load")
#: The weight of the latest request in a mean.
WEIGHT = 1 / 16
#: The route of all addresses that lead nowhere.
NOWHERE = "other"


class Meter:
    """The processor time that one request has taken so far."""

    __slots__ = ("seconds",)

    def __init__(self) -> None:
        self.seconds = 0.0


_current: ContextVar[Meter | None] = ContextVar("meter", default=None)


class Turns:
    """Lets one request of each address run in an iteration of the event loop, so that those of others come between.

    Else fifty pages that one address asks for at once would be made in one go, while everybody waits.
    """

    def __init__(self) -> None:
        self._ran: set[str] = set()  # in this iteration

    def take(self, address: str) -> bool:
        """Return whether a request may run now; if not, it must ask again in the next iteration."""
        if address in self._ran:
            return False
        if not self._ran:
            asyncio.get_running_loop().call_soon(self._ran.clear)
        self._ran.add(address)
        return True


@types.coroutine
def metered(
    work: Coroutine[Any, Any, Result], meter: Meter, turns: Turns | None = None, address: str | None = None
) -> Generator[Any, Any, Result]:
    """Run a coroutine and add its processor time to a meter: that on the event loop, and that in `MeteredThreads`.

    With an address, it takes turns with others of that address.
    """
    _current.set(meter)
    value: Any = None
    error: BaseException | None = None
    while True:
        try:
            while error is None and turns is not None and address is not None and not turns.take(address):
                yield
        except GeneratorExit:
            work.close()
            raise
        except BaseException as raised:  # cancelled
            error = raised
        began = thread_time()
        try:
            awaited = work.send(value) if error is None else work.throw(error)
        except StopIteration as end:
            result: Result = end.value
            return result
        finally:
            meter.seconds += thread_time() - began
        try:
            value, error = (yield awaited), None
        except GeneratorExit:
            work.close()
            raise
        except BaseException as raised:
            error = raised


class MeteredThreads(ThreadPoolExecutor):
    """The threads of the event loop, for `asyncio.to_thread`: what they do is added to the meter of the request."""

    def submit(
        self, work: Callable[Parameters, Result], /, *args: Parameters.args, **named: Parameters.kwargs
    ) -> Future[Result]:
        meter = _current.get()
        if meter is None:
            return super().submit(work, *args, **named)

        def timed() -> Result:
            began = thread_time()
            try:
                return work(*args, **named)
            finally:
                meter.seconds += thread_time() - began

        return super().submit(timed)


class RouteCosts:
    """The mean processor time of each route, reads and writes apart.

    The first request to a route is left out: it loads templates and catalogs.
    """

    def __init__(self) -> None:
        self._templates: dict[tuple[str, ...], str] = {}
        self._words: set[str] = set()
        self._means: dict[tuple[str, bool], float | None] = {}  # None: nothing but the first

    def add_routes(self, templates: Iterable[str]) -> None:
        """Make routes known by their addresses, with parameters in braces."""
        for template in templates:
            parts = template.split("/")
            self._words.update(part for part in parts if "{" not in part)
            self._templates[tuple("*" if "{" in part else part for part in parts)] = template

    def route_of(self, path: str) -> str:
        """Return the route that will handle a path; all that lead nowhere are one."""
        words = self._words
        if path.startswith("/static/"):
            return "/static"
        return self._templates.get(tuple([part if part in words else "*" for part in path.split("/")]), NOWHERE)

    def mean(self, route: str, writes: bool) -> float:
        """Return the seconds that a request to a route takes, or may take as long as none was measured."""
        mean = self._means.get((route, writes))
        if mean is not None:
            return mean
        if route in FILE_ROUTES and writes:
            return FIRST_FILE_SECONDS
        return FIRST_JSON_SECONDS if route.startswith("/api/") else FIRST_PAGE_SECONDS

    def record(self, route: str, writes: bool, seconds: float) -> bool:
        """Take in what a request has taken; return False if it was the first of its route."""
        key = route, writes
        if key not in self._means:
            self._means[key] = None
            return False
        mean = self._means[key]
        self._means[key] = seconds if mean is None else mean + WEIGHT * (seconds - mean)
        return True

    def measured(self) -> dict[tuple[str, bool], float]:
        """Return all measured means, by route and whether it writes."""
        return {key: mean for key, mean in self._means.items() if mean is not None}
