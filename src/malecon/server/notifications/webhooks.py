"""Web hooks: a short message to an address of a player's choice when it is their turn. Off unless the host says so.

How an address is called, and when again, is for `calls`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from malecon.server.notifications.outgoing_http import Dispatcher, outcome, send

_JSON = {"content-type": "application/json"}


async def post(address: str, message: Mapping[str, Any], any_address: bool = False) -> int:
    """Send a message; the status of the answer. NotAllowed, or an OSError or ValueError of the attempt."""
    return await send(address, _JSON, json.dumps(message).encode(), any_address)


class Webhooks(Dispatcher):
    """Dispatcher what is to be called: of one person one call at a time, while the newest of the others waits."""

    def __init__(self, allowed: str) -> None:
        super().__init__("hook")
        self.allowed = allowed

    @property
    def are_on(self) -> bool:
        return self.allowed != "off"

    def call(self, person: str, address: str, message: Mapping[str, Any]) -> None:
        """Send somebody a message sooner or later, if the other side wants it and nothing newer is to be told."""

        async def once() -> str:
            return await outcome(post(address, message, self.allowed == "any"))

        if self.are_on:
            self.submit(person, once)
