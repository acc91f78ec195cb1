"""Web hooks: a message to an address of a player's choice when it is their turn. Off unless the host allows them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from malecon.server.notifications import dispatcher

_JSON = {"content-type": "application/json"}


class Webhooks(dispatcher.Dispatcher):
    """Sends web hooks: to one person one at a time, while the newest of the others waits."""

    def __init__(self, allowed: str, owner_of: Callable[[str], str] = str) -> None:
        super().__init__("web hook", owner_of)
        self.allowed = allowed

    @property
    def are_on(self) -> bool:
        return self.allowed != "off"

    def call(self, person: str, address: str, message: Mapping[str, Any]) -> None:
        """Send a person a message as soon as possible, unless a newer one replaces it."""
        body = json.dumps(message).encode()
        if self.are_on:
            self.submit(person, person, lambda: dispatcher.call(address, _JSON, body, self.allowed == "any"))
