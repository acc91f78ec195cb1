"""Notifications on devices: it is a person's turn, a seat is free, or a player wants a rematch.

No move waits for them. Only the process in which something happened sends them, so that each is sent once. Anybody can
name any public address as that of a device: so each owner has a limited number of places, a device that does not answer
is left alone for a while, and one that has never accepted a message gets few of them, one at a time.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from malecon.kernel import registry
from malecon.kernel.game import Name
from malecon.kernel.phrases import say
from malecon.server.accounts.presence import Presence
from malecon.server.accounts.visitors import Choices
from malecon.server.background import Background
from malecon.server.lobby.waiting import WaitingTable
from malecon.server.notifications import dispatcher, encryption
from malecon.server.notifications.devices import Device, Devices, device_id
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.table import Table
from malecon.text import sentence

#: Delay of a turn's notification for a person who has the table open.
AT_TABLE_SECONDS = 20.0
#: For this time it is remembered that a person has no device.
NO_DEVICE_CACHE_SECONDS = 60.0
#: Time between two notifications about free seats.
FREE_SEAT_SECONDS = 3600.0
#: Devices that are notified of one free seat: those that have accepted a message before, and new ones.
MOST_SEEKERS = 50
MOST_NEW_SEEKERS = 5
DAY_SECONDS = 86_400
#: For this time a push service keeps a message for a device that is off: about a turn without a clock, or a free seat.
TURN_TTL_SECONDS = 3 * DAY_SECONDS
FREE_SEAT_TTL_SECONDS = 900
LONGEST_TTL_SECONDS = 28 * DAY_SECONDS
#: Failures in a row after which a device is left alone, and for how long: timeouts of one that has accepted a message
#: before, or messages that a new one has not accepted.
MOST_FAILURES = 3
PAUSE_SECONDS = 3600.0
NEW_DEVICE_PAUSE_SECONDS = 86_400.0
#: Time between two removals of unused devices.
TIDY_SECONDS = 3600.0
#: Notifications in progress; further ones are dropped.
MOST_PENDING = 2_000
#: Persons that are remembered to have no device, and devices that are remembered to have failed.
MOST_CACHED = 10_000

#: The status by which a push service accepts a message, and those by which it says that the device has no such address.
ACCEPTED = "201"
GONE = ("404", "410")
#: The outcome of a request that is not sent, since its device is left alone.
PAUSED = "paused"


@dataclass(frozen=True)
class PushMessage:
    """A notification. Of several with the same tag a device shows the last."""

    title: str
    text: Name
    path: str
    tag: str
    ttl_seconds: int
    urgency: str = "normal"

    def encrypted_for(self, device: Device, language: str) -> bytes:
        fields = {"title": self.title, "body": sentence(self.text, language), "path": self.path, "tag": self.tag}
        message = json.dumps(fields | {"lang": language}, ensure_ascii=False).encode()
        return encryption.encrypt(encryption.padded(message), device.p256dh, device.auth)


class FailingDevices:
    """Counts failures of devices in a row, and says which devices are left alone for a while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._failures: dict[str, tuple[int, float]] = {}  # how many, and when the last was counted
        self._paused_until: dict[str, float] = {}

    def is_paused(self, device: Device) -> bool:
        return self.clock() < self._paused_until.get(device.id, 0.0)

    def add_failure(self, device: Device, began: float) -> None:
        """Count a failure of a request that began at that time; those at the same time count as one."""
        failures, counted = self._failures.get(device.id, (0, -math.inf))
        if began < counted or self.is_paused(device):
            return
        self._failures.pop(device.id, None)
        if failures + 1 >= MOST_FAILURES:
            pause = PAUSE_SECONDS if device.is_confirmed else NEW_DEVICE_PAUSE_SECONDS
            self._paused_until[device.id] = self.clock() + pause
            _limit(self._paused_until)
        else:
            self._failures[device.id] = failures + 1, self.clock()
            _limit(self._failures)

    def forget(self, device: Device) -> None:
        """Forget the failures of a device that has accepted a message."""
        self._failures.pop(device.id, None)
        self._paused_until.pop(device.id, None)


def _limit(remembered: dict[str, Any]) -> None:
    """Drop the oldest entry of a dictionary that has become too large."""
    if len(remembered) > MOST_CACHED:
        del remembered[next(iter(remembered))]


class PushNotifier:
    """Sends notifications to devices, as far as the host allows and each person wants."""

    def __init__(
        self,
        storage: Storage,
        tables: LiveTables,
        presence: Presence,
        allowed: str,
        contact: str,
        owner_of: Callable[[str], str] = str,
    ) -> None:
        self._storage, self._tables, self._presence = storage, tables, presence
        self._allowed, self._contact = allowed, contact
        self.devices = Devices(storage)
        self._dispatcher = dispatcher.Dispatcher("push service", owner_of)
        self._failing = FailingDevices()
        self._background = Background()
        self._without_device: dict[str, float] = {}  # until when a person is taken to have no device
        self._tidied = -TIDY_SECONDS

    @property
    def are_on(self) -> bool:
        return self._allowed != "off"

    @property
    def any_address(self) -> bool:
        return self._allowed == "any"

    def add(self, device: Device) -> None:
        """Store a device of a person."""
        self.devices.add(device)
        self._without_device.pop(device.person, None)

    async def tick(self) -> None:
        """Remove unused devices, once an hour."""
        if time.monotonic() > self._tidied + TIDY_SECONDS:
            self._tidied = time.monotonic()
            await asyncio.to_thread(self.devices.remove_unused, time.time())

    async def close(self) -> None:
        await self._background.cancel()
        await self._dispatcher.close()

    # --- occasions

    def turn(self, table: Table, asked: tuple[int, ...]) -> None:
        """Notify the players who must decide, unless they play against bots only, which answer at once."""
        for seat in asked:
            if self._can_notify and table.row.is_shared:
                self._background.begin(self._notify_turn(table, seat))

    def rematch(self, table: Table, person: str) -> None:
        """Notify the other players that a person has opened a table for a rematch."""
        others = {seat.person for seat in table.row.seats if seat.person not in (None, person)}
        if self._can_notify and others:
            own_seats = table.seats_of(person)
            who = table.match.names[own_seats[0]] if own_seats else say("somebody")
            path, title = f"/tables/{table.id}", table.match.game.title
            message = PushMessage(
                title, say("{name} would like to play again", name=who), path, f"again-{table.id}", DAY_SECONDS
            )
            for other in sorted(filter(None, others)):
                self._background.begin(self._notify(other, message, lambda choices: choices.push_rematch))

    def seat(self, waiting: WaitingTable, left_out: tuple[str, ...]) -> None:
        """Notify people of a free seat at a waiting table, unless it is for a range of ratings only."""
        open_to_all = waiting.lowest is None and waiting.highest is None
        if self._can_notify and waiting.table is None and not waiting.is_full and open_to_all:
            self._background.begin(self._notify_seekers(waiting, left_out))

    # --- inside

    @property
    def _can_notify(self) -> bool:
        return self.are_on and len(self._background) < MOST_PENDING

    async def _notify_turn(self, table: Table, seat: int) -> None:
        person, version, turn = table.row.seats[seat].person, table.version, table.match.turn
        if person is None or not await self._has_device(person):
            return
        if any(present.person == person for present in self._presence.at(table.id)):
            await asyncio.sleep(AT_TABLE_SECONDS)
            table = await self._tables.get(table.id)
            if table.version != version if turn == seat else not table.waits_for((seat,)):
                return
        deadline = table.row.visible_deadline
        ttl_seconds = TURN_TTL_SECONDS if deadline is None else max(0, round(deadline - time.time()))
        path, title = f"/tables/{table.id}", table.match.game.title
        message = PushMessage(
            title, say("it is your turn"), path, f"turn-{table.id}", min(ttl_seconds, LONGEST_TTL_SECONDS), "high"
        )
        await self._notify(person, message, lambda choices: choices.push_turn)

    async def _has_device(self, person: str) -> bool:
        """Return whether a person has a device; a no is cached, since this is asked with every turn."""
        if time.monotonic() < self._without_device.get(person, 0.0):
            return False
        if await asyncio.to_thread(self.devices.of, person):
            return True
        self._without_device[person] = time.monotonic() + NO_DEVICE_CACHE_SECONDS
        _limit(self._without_device)
        return False

    async def _notify(self, person: str, message: PushMessage, wants: Callable[[Choices], bool]) -> None:
        devices = await asyncio.to_thread(self.devices.of, person)
        choices = Choices.of(await asyncio.to_thread(self._storage.choices, person)) if devices else Choices()
        if wants(choices):
            for device in devices:
                self._send(device, message, choices.language or device.language)

    async def _notify_seekers(self, waiting: WaitingTable, left_out: tuple[str, ...]) -> None:
        left_out_too, since = (*waiting.people, *left_out), time.time() - FREE_SEAT_SECONDS
        message = PushMessage(
            registry.get(waiting.game).title,
            say("a seat is free at a public table"),
            f"/waiting/{waiting.id}",
            "seat",
            FREE_SEAT_TTL_SECONDS,
            "low",
        )
        for device in await asyncio.to_thread(
            self.devices.seekers, left_out_too, since, MOST_SEEKERS, MOST_NEW_SEEKERS
        ):
            choices = Choices.of(await asyncio.to_thread(self._storage.choices, device.person))
            self._send(device, message, choices.language or device.language)

    def _send(self, device: Device, message: PushMessage, language: str) -> None:
        async def attempt() -> str:
            if self._failing.is_paused(device):
                return PAUSED
            headers, body = await asyncio.to_thread(self._encrypted_request, device, message, language)
            began = self._failing.clock()
            result = await dispatcher.call(device.endpoint, headers, body, self.any_address)
            await self._record(device, result, began)
            return result

        name = f"{device.id} {message.tag}" if device.is_confirmed else device.id
        self._dispatcher.submit(device.person, name, attempt, retry=device.is_confirmed)

    async def _record(self, device: Device, result: str, began: float) -> None:
        """Draw the consequences of a request's outcome for the device."""
        if result == ACCEPTED:
            self._failing.forget(device)
            await asyncio.to_thread(self.devices.confirm, device, time.time())
        elif result in GONE:
            await asyncio.to_thread(self.devices.remove, device.id)
        elif result == dispatcher.TIMED_OUT or not device.is_confirmed:
            self._failing.add_failure(device, began)

    def _encrypted_request(self, device: Device, message: PushMessage, language: str) -> tuple[dict[str, str], bytes]:
        headers: dict[str, Any] = {
            "authorization": encryption.authorization(
                device.endpoint, self.devices.private_key(), self._contact, time.time()
            ),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(message.ttl_seconds),
            "topic": device_id(message.tag),
            "urgency": message.urgency,
        }
        return headers, message.encrypted_for(device, language)
