"""When people are told on their devices, and what: it is their turn, a seat is free, somebody wants to play again.

Nothing here is waited for by a move. Only the process in which something happened tells of it, so nobody is told twice.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from malecon.kernel import registry
from malecon.kernel.game import Name
from malecon.server import community_texts as company
from malecon.server.accounts.presence import Presence
from malecon.server.accounts.visitors import Choices
from malecon.server.background import Background
from malecon.server.lobby.waiting import WaitingTable
from malecon.server.notifications import encryption
from malecon.server.notifications.devices import Device, Devices, name_of
from malecon.server.notifications.outgoing_http import Dispatcher, outcome, send
from malecon.server.storage.store import Storage
from malecon.server.tables.actions import TableActions
from malecon.server.tables.table import Table
from malecon.text import sentence

#: Seconds that somebody who has the table open may think before they are told, and for which it is believed that
#: somebody has no device.
AT_TABLE, BELIEVED = 20.0, 60.0
#: Seconds between two messages about free seats, and devices that hear of one table.
SEATS_AGAIN, MOST_SEEKERS = 3600.0, 200
#: Seconds for which a push service keeps a message for a device that is off.
DAY, SOON = 86_400, 900
#: Things to be told at the same time; what comes on top is left out.
MOST_AT_ONCE = 2_000


@dataclass(frozen=True)
class PushMessage:
    """What a device is told. Of several with the same tag it shows the last."""

    title: str
    text: Name
    path: str
    tag: str
    keep: int
    urgency: str = "normal"

    def encrypted_for(self, device: Device, language: str) -> bytes:
        told = {"title": self.title, "body": sentence(self.text, language), "path": self.path, "tag": self.tag}
        message = json.dumps(told | {"lang": language}, ensure_ascii=False).encode()
        return encryption.encrypt(encryption.padded(message), device.p256dh, device.auth)


class PushNotifier:
    """Tells people on their devices, as far as the host allows and each of them wants."""

    def __init__(self, storage: Storage, tables: TableActions, presence: Presence, allowed: str, contact: str) -> None:
        self._storage, self._tables, self._presence = storage, tables, presence
        self._allowed, self._contact = allowed, contact
        self.devices = Devices(storage)
        self._dispatcher = Dispatcher("push service")
        self._background = Background()
        self._bare: dict[str, float] = {}  # people without a device, as it was some time ago

    @property
    def are_on(self) -> bool:
        return self._allowed != "off"

    @property
    def any_address(self) -> bool:
        return self._allowed == "any"

    def add(self, device: Device) -> None:
        """Tell somebody on this device from now on."""
        self.devices.add(device)
        self._bare.pop(device.person, None)

    async def close(self) -> None:
        await self._background.cancel()
        await self._dispatcher.close()

    # --- occasions

    def turn(self, table: Table) -> None:
        """It is somebody's turn. Who plays bots alone needs no message: they answer at once."""
        seat = table.match.turn
        if self._is_free and table.row.is_shared and seat is not None and table.waits_for((seat,)):
            self._background.begin(self._tell_turn(table, seat))

    def rematch(self, table: Table, person: str) -> None:
        """Somebody has opened a table to play again with the others."""
        others = {seat.person for seat in table.row.seats if seat.person not in (None, person)}
        if self._is_free and others:
            mine = table.seats_of(person)
            who = table.match.names[mine[0]] if mine else company.SOMEBODY
            path, title = f"/tables/{table.id}", table.match.game.title
            told = PushMessage(title, company.wants_rematch(who), path, f"again-{table.id}", DAY)
            for other in sorted(filter(None, others)):
                self._background.begin(self._tell(other, told, lambda choices: choices.push_rematch))

    def seat(self, waiting: WaitingTable, left_out: tuple[str, ...]) -> None:
        """A seat is free at a waiting table. One for a range of ratings is not for everybody, so nobody is told."""
        open_to_all = waiting.lowest is None and waiting.highest is None
        if self._is_free and waiting.table is None and not waiting.is_full and open_to_all:
            self._background.begin(self._tell_seekers(waiting, left_out))

    # --- inside

    @property
    def _is_free(self) -> bool:
        return self.are_on and len(self._background) < MOST_AT_ONCE

    async def _tell_turn(self, table: Table, seat: int) -> None:
        person, version = table.row.seats[seat].person, table.version
        if person is None or not await self._has_device(person):
            return
        if any(one.person == person for one in self._presence.at(table.id)):
            await asyncio.sleep(AT_TABLE)
            table = await self._tables.get(table.id)
            if table.version != version:
                return
        deadline = table.row.runs_out
        keep = 3 * DAY if deadline is None else max(0, round(deadline - time.time()))
        path, title = f"/tables/{table.id}", table.match.game.title
        told = PushMessage(title, company.TURN_MESSAGE, path, f"turn-{table.id}", min(keep, 28 * DAY), "high")
        await self._tell(person, told, lambda choices: choices.push_turn)

    async def _has_device(self, person: str) -> bool:
        """Asked with every turn, so a no is believed for a while."""
        if time.monotonic() < self._bare.get(person, 0.0):
            return False
        if await asyncio.to_thread(self.devices.of, person):
            return True
        if len(self._bare) >= 10_000:
            self._bare.clear()
        self._bare[person] = time.monotonic() + BELIEVED
        return False

    async def _tell(self, person: str, told: PushMessage, wants: Callable[[Choices], bool]) -> None:
        devices = await asyncio.to_thread(self.devices.of, person)
        choices = Choices.of(await asyncio.to_thread(self._storage.choices, person)) if devices else Choices()
        if wants(choices):
            for device in devices:
                self._call(device, told, choices.language or device.language)

    async def _tell_seekers(self, waiting: WaitingTable, left_out: tuple[str, ...]) -> None:
        known, since = (*waiting.people, *left_out), time.time() - SEATS_AGAIN
        told = PushMessage(
            registry.get(waiting.game).title, company.SEAT_MESSAGE, f"/waiting/{waiting.id}", "seat", SOON, "low"
        )
        for device in await asyncio.to_thread(self.devices.seekers, known, since, MOST_SEEKERS):
            choices = Choices.of(await asyncio.to_thread(self._storage.choices, device.person))
            self._call(device, told, choices.language or device.language)

    def _call(self, device: Device, told: PushMessage, language: str) -> None:
        async def once() -> str:
            headers, body = await asyncio.to_thread(self._encrypted_request, device, told, language)
            found = await outcome(send(device.endpoint, headers, body, self.any_address))
            if found in ("404", "410"):  # it was given up, or its browser has got another address
                await asyncio.to_thread(self.devices.remove, device.id)
            return found

        self._dispatcher.submit(f"{device.id} {told.tag}", once)

    def _encrypted_request(self, device: Device, told: PushMessage, language: str) -> tuple[dict[str, str], bytes]:
        headers: dict[str, Any] = {
            "authorization": encryption.authorization(
                device.endpoint, self.devices.private(), self._contact, time.time()
            ),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(told.keep),
            "topic": name_of(told.tag),
            "urgency": told.urgency,
        }
        return headers, told.encrypted_for(device, language)
