"""Metrics and logs: requests, moves, thinking, open connections. Nothing here names a person."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from malecon import __version__
from malecon.server.operations.build import commit
from malecon.server.operations.logs import access
from malecon.server.operations.memory import Memory

#: The upper ends of the buckets of histograms.
BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
#: The same for thinking and for waiting for it, which can take minutes on a busy server.
THINK_BUCKETS_SECONDS = (0.001, *BUCKETS_SECONDS, 30.0, 60.0)
disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody reads when each number began


class Metrics:
    """The numbers of one server process since its start."""

    def __init__(self) -> None:
        own = self._registry = CollectorRegistry()
        self._tables = Gauge("malecon_tables", "Tables in memory.", registry=own)
        self._thinking = Gauge("malecon_tables_thinking", "Tables whose bots are at work.", registry=own)
        self._worker_threads = Gauge(
            "malecon_thinking_elsewhere", "Threads of other processes that think for bots.", registry=own
        )
        self._unhealthy = Gauge(
            "malecon_storage_trouble", "1 while the database does not work or misses something.", registry=own
        )
        Gauge(
            "malecon_build_info", "1; the labels say which program this is.", ["version", "commit"], registry=own
        ).labels(__version__, commit()).set(1)
        self.backup_age = Gauge(
            "malecon_backup_age_seconds", "Since the last scheduled backup; -1 if there is none.", registry=own
        )
        self.backup_age.set(-1)
        self.sockets = Gauge("malecon_sockets", "Open live connections.", registry=own)
        self.refused_sockets = Counter("malecon_sockets_refused", "Live connections refused.", registry=own)
        self._of_requests: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self.moves = Counter(
            "malecon_moves", "Moves made, by who made them: person, bot, chance.", ["by"], registry=own
        )
        self.bot_moves = Counter(
            "malecon_bot_moves", "Moves of bots, by where they were chosen: page, server.", ["where"], registry=own
        )
        self.page_takeovers = Counter(
            "malecon_page_takeovers",
            "Moves of bots that the server chose because a page was late or gone.",
            ["why"],
            registry=own,
        )
        self._requests = Counter(
            "malecon_requests",
            "Requests; a status from 400 on is a refusal.",
            ["method", "route", "status"],
            registry=own,
        )
        self._request_seconds = Histogram(
            "malecon_request_seconds", "How long requests took.", ["route"], buckets=BUCKETS_SECONDS, registry=own
        )
        self.think_queue = Gauge(
            "malecon_think_queue", "Moves of bots, hints, reviews … that wait for a thread.", ["kind"], registry=own
        )
        self.think_wait_seconds = Histogram(
            "malecon_think_wait_seconds",
            "How long they waited for a thread.",
            ["kind"],
            buckets=THINK_BUCKETS_SECONDS,
            registry=own,
        )
        self.think_seconds = Histogram(
            "malecon_think_seconds",
            "How long they took in a thread.",
            ["kind"],
            buckets=THINK_BUCKETS_SECONDS,
            registry=own,
        )
        self.memory = Memory(0)
        own.register(_MemoryCollector(self))
        ProcessCollector(registry=own)
        PlatformCollector(registry=own)

    def record_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered, and write the access log."""
        key = method, route, status
        if key not in self._of_requests:  # to look metrics up by their labels takes as long as to count
            self._of_requests[key] = self._requests.labels(*key), self._request_seconds.labels(route)
        count, duration = self._of_requests[key]
        count.inc()
        duration.observe(seconds)
        _log(method, route, status, seconds)

    def text(self, tables: int, thinking: int, unhealthy: bool = False, worker_threads: int = 0) -> bytes:
        """Return the page that Prometheus reads. `tables` are in memory; at `thinking` of them bots are at work.

        `unhealthy`: the database does not work; `worker_threads`: of other processes that think for bots.
        """
        self._tables.set(tables)
        self._thinking.set(thinking)
        self._unhealthy.set(unhealthy)
        self._worker_threads.set(worker_threads)
        return generate_latest(self._registry)


class _MemoryCollector(Collector):
    """The memory budget, which keeps its own numbers."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        memory = GaugeMetricFamily(
            "malecon_memory_bytes", "What could be given back: trees of bots, tables with their pages.", labels=["kind"]
        )
        for kind, size in self._metrics.memory.used.items():
            memory.add_metric([kind], size)
        yield memory
        given_back = CounterMetricFamily(
            "malecon_memory_given_back", "How often something left for want of memory.", labels=["kind"]
        )
        for kind, count in self._metrics.memory.given_back.items():
            given_back.add_metric([kind], count)
        yield given_back


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
                self._metrics.sockets.inc()
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            if accepted:
                self._metrics.sockets.dec()
            else:
                self._metrics.refused_sockets.inc()
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
