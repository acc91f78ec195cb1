"""Events inside one process: a service publishes what has happened, and others subscribe to it.

Events are small frozen classes, defined beside what publishes them. `web.services` makes all subscriptions. Other
processes learn of a change by a notice of `storage.cluster` instead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

Event = TypeVar("Event")
log = logging.getLogger("malecon.server")


class Events:
    """Calls the subscribers of each type of event, at once and in the order in which they subscribed."""

    def __init__(self) -> None:
        self._handlers: dict[type, tuple[Callable[[Any], None], ...]] = {}

    def subscribe(self, kind: type[Event], handler: Callable[[Event], None]) -> None:
        """Call `handler` with every event of exactly this type from now on."""
        self._handlers[kind] = (*self._handlers.get(kind, ()), handler)

    def publish(self, event: object) -> None:
        """Call the subscribers. One that fails is logged: neither the others nor the publisher notice."""
        for handler in self._handlers.get(type(event), ()):
            try:
                handler(event)
            except Exception:
                log.exception("a subscriber to %s failed", type(event).__name__)
