"""Web hooks: a message to an address of a player's choice when it is their turn. Off unless the host allows them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from malecon.server.notifications.outgoing_http import Dispatcher, outcome, send

_JSON = {"content-type": "application/json"}


async def post(address: str, message: Mapping[str, Any], any_address: bool = False) -> int:
    """Send a message and return the status; raise NotAllowed, or OSError or ValueError if it fails."""
    return await send(address, _JSON, json.dumps(message).encode(), any_address)


class Webhooks(Dispatcher):
    """Sends web hooks: to one person one at a time, while the newest of the others waits."""

    def __init__(self, allowed: str) -> None:
        super().__init__("hook")
        self.allowed = allowed

    @property
    def are_on(self) -> bool:
        return self.allowed != "off"

    def call(self, person: str, address: str, message: Mapping[str, Any]) -> None:
        """Send a person a message as soon as possible, unless a newer one replaces it."""

        async def attempt() -> str:
            return await outcome(post(address, message, self.allowed == "any"))

        if self.are_on:
            self.submit(person, attempt)
