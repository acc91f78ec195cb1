"""What is counted while the server runs: requests, moves, thought, open connections. Nothing here names a person.

Counting is plain numbers, so that a start stays quick; the Prometheus client is loaded when somebody asks for them.
"""

from __future__ import annotations

import json
import logging
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from malecon.server.operations.memory import Memory

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

access = logging.getLogger("malecon.access")
#: Seconds, the upper ends of what is told apart.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@dataclass
class Times:
    """How often something took how long."""

    total: float = 0.0
    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))

    def add(self, seconds: float) -> None:
        self.total += seconds
        self.counts[bisect_left(BUCKETS, seconds)] += 1

    def buckets(self) -> list[tuple[str, float]]:
        """As Prometheus wants them: each counts those before it as well."""
        found, so_far = [], 0
        for end, count in zip((*map(str, BUCKETS), "+Inf"), self.counts, strict=True):
            so_far += count
            found.append((end, float(so_far)))
        return found


class Metrics:
    """The numbers of one server process since its start."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()  # by method, route and status
        self.latency: defaultdict[str, Times] = defaultdict(Times)  # by route
        self.moves: Counter[str] = Counter()  # by who: person, bot, chance
        self.thought: defaultdict[str, Times] = defaultdict(Times)  # by bot
        self.sockets = 0
        self.refused_sockets = 0
        self.memory = Memory(0)

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request has been answered."""
        self.requests[method, route, status] += 1
        self.latency[route].add(seconds)
        _log(method, route, status, seconds)

    def text(self, tables: int, thinking: int, trouble: bool = False, elsewhere: int = 0) -> bytes:
        """The page that Prometheus reads. `tables`: in memory; `thinking`: those whose bots are at work.

        `elsewhere`: threads of other processes that think for them.
        """
        from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, generate_latest

        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        registry.register(_Reading(self, tables, thinking, trouble, elsewhere))
        return generate_latest(registry)


class _Reading:
    """The numbers at one moment, as the Prometheus client wants them."""

    def __init__(self, metrics: Metrics, tables: int, thinking: int, trouble: bool, elsewhere: int) -> None:
        self._metrics, self._tables, self._thinking, self._trouble = metrics, tables, thinking, trouble
        self._elsewhere = elsewhere

    def collect(self) -> Iterable[Metric]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        own = self._metrics
        yield GaugeMetricFamily("malecon_tables", "Tables in memory.", value=self._tables)
        yield GaugeMetricFamily("malecon_tables_thinking", "Tables whose bots are at work.", value=self._thinking)
        yield GaugeMetricFamily(
            "malecon_thinking_elsewhere", "Threads of other processes that think for bots.", value=self._elsewhere
        )
        yield GaugeMetricFamily(
            "malecon_storage_trouble", "1 while the database does not work or misses something.", value=self._trouble
        )
        yield GaugeMetricFamily("malecon_sockets", "Open live connections.", value=own.sockets)
        yield CounterMetricFamily("malecon_sockets_refused", "Live connections refused.", value=own.refused_sockets)
        memory = GaugeMetricFamily(
            "malecon_memory_bytes", "What could be given back: trees of bots, tables with their pages.", labels=["kind"]
        )
        for kind, size in own.memory.used.items():
            memory.add_metric([kind], size)
        yield memory
        given_back = CounterMetricFamily(
            "malecon_memory_given_back", "How often something left for want of memory.", labels=["kind"]
        )
        for kind, count in own.memory.given_back.items():
            given_back.add_metric([kind], count)
        yield given_back
        moves = CounterMetricFamily("malecon_moves", "Moves made, by who made them.", labels=["by"])
        for who, count in own.moves.items():
            moves.add_metric([who], count)
        yield moves
        requests = CounterMetricFamily(
            "malecon_requests", "Requests; a status from 400 on is a refusal.", labels=["method", "route", "status"]
        )
        for (method, route, status), count in own.requests.items():
            requests.add_metric([method, route, str(status)], count)
        yield requests
        for name, told, label, times in (
            ("malecon_request_seconds", "How long requests took.", "route", own.latency),
            ("malecon_think_seconds", "How long bots thought about a move.", "bot", own.thought),
        ):
            family = HistogramMetricFamily(name, told, labels=[label])
            for key, found in times.items():
                family.add_metric([key], found.buckets(), found.total)
            yield family


class Watched:
    """Counts and times every request, and writes the access log: by route, since addresses can be secrets."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.note(method, route_of(scope), status, time.perf_counter() - began)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, accepted = time.perf_counter(), False

        async def sending(message: Message) -> None:
            nonlocal accepted
            if message["type"] == "websocket.accept" and not accepted:
                accepted = True
                self._metrics.sockets += 1
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            if accepted:
                self._metrics.sockets -= 1
            else:
                self._metrics.refused_sockets += 1
            _log("WS", route_of(scope), 101 if accepted else 403, time.perf_counter() - began)


_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def route_of(scope: Scope) -> str:
    """The route of a request, with the names of its parts in place of the parts: tokens are among them."""
    path = getattr(scope.get("route"), "path", None)
    if path is not None:
        return str(path)
    return "/static" if scope["path"].startswith("/static/") else "other"


def _log(method: str, route: str, status: int, seconds: float) -> None:
    if access.isEnabledFor(logging.INFO):
        told: dict[str, Any] = {"method": method, "route": route, "status": status, "ms": round(1000 * seconds, 1)}
        access.info("%s %s %d", method, route, status, extra={"fields": told})


class JsonLines(logging.Formatter):
    """Every record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told |= getattr(record, "fields", {})
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def log_as_json() -> None:
    """From now on every log of this process is a line of JSON on standard error, requests included."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
