"""Metrics and logs: requests, moves, time of bots, open connections. Nothing here names a person.

Metrics are plain numbers, so that a start stays quick; the Prometheus client is imported when they are read.
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
#: The upper ends of the buckets of histograms.
BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@dataclass
class Histogram:
    """How often something took how long."""

    total: float = 0.0
    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_SECONDS) + 1))

    def add(self, seconds: float) -> None:
        self.total += seconds
        self.counts[bisect_left(BUCKETS_SECONDS, seconds)] += 1

    def buckets(self) -> list[tuple[str, float]]:
        """Return the buckets as Prometheus expects them: each counts those before it as well."""
        buckets, so_far = [], 0
        for end, count in zip((*map(str, BUCKETS_SECONDS), "+Inf"), self.counts, strict=True):
            so_far += count
            buckets.append((end, float(so_far)))
        return buckets


class Metrics:
    """The numbers of one server process since its start."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()  # by method, route and status
        self.latency: defaultdict[str, Histogram] = defaultdict(Histogram)  # by route
        self.moves: Counter[str] = Counter()  # by who: person, bot, chance
        self.think_times: defaultdict[str, Histogram] = defaultdict(Histogram)  # by bot
        self.sockets = 0
        self.refused_sockets = 0
        self.memory = Memory(0)

    def record_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered, and write the access log."""
        self.requests[method, route, status] += 1
        self.latency[route].add(seconds)
        _log(method, route, status, seconds)

    def text(self, tables: int, thinking: int, unhealthy: bool = False, worker_threads: int = 0) -> bytes:
        """Return the page that Prometheus reads. `tables` are in memory; at `thinking` of them bots are at work.

        `unhealthy`: the database does not work; `worker_threads`: of other processes that think for bots.
        """
        from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, generate_latest

        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        registry.register(_Collector(self, tables, thinking, unhealthy, worker_threads))
        return generate_latest(registry)


class _Collector:
    """The numbers at one moment, as the Prometheus client expects them."""

    def __init__(self, metrics: Metrics, tables: int, thinking: int, unhealthy: bool, worker_threads: int) -> None:
        self._metrics = metrics
        self._tables = tables
        self._thinking = thinking
        self._unhealthy = unhealthy
        self._worker_threads = worker_threads

    def collect(self) -> Iterable[Metric]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        own = self._metrics
        yield GaugeMetricFamily("malecon_tables", "Tables in memory.", value=self._tables)
        yield GaugeMetricFamily("malecon_tables_thinking", "Tables whose bots are at work.", value=self._thinking)
        yield GaugeMetricFamily(
            "malecon_thinking_elsewhere", "Threads of other processes that think for bots.", value=self._worker_threads
        )
        yield GaugeMetricFamily(
            "malecon_storage_trouble", "1 while the database does not work or misses something.", value=self._unhealthy
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
        for name, description, label, histograms in (
            ("malecon_request_seconds", "How long requests took.", "route", own.latency),
            ("malecon_think_seconds", "How long bots thought about a move.", "bot", own.think_times),
        ):
            family = HistogramMetricFamily(name, description, labels=[label])
            for key, histogram in histograms.items():
                family.add_metric([key], histogram.buckets(), histogram.total)
            yield family


class MetricsMiddleware:
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
            self._metrics.record_request(method, route_of(scope), status, time.perf_counter() - began)

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
    """Return the route of a request, with the names of its parameters in place of their values, which may be secret."""
    path = getattr(scope.get("route"), "path", None)
    if path is not None:
        return str(path)
    return "/static" if scope["path"].startswith("/static/") else "other"


def _log(method: str, route: str, status: int, seconds: float) -> None:
    if access.isEnabledFor(logging.INFO):
        fields: dict[str, Any] = {"method": method, "route": route, "status": status, "ms": round(1000 * seconds, 1)}
        access.info("%s %s %d", method, route, status, extra={"fields": fields})


class JsonLines(logging.Formatter):
    """Formats every record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_as_json() -> None:
    """Write every log of this process as lines of JSON to standard error, requests included."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
