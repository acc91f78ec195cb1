"""The devices that receive notifications, and the server's own key, in the database: the same for all processes."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, func, select, update

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.notifications import encryption
from malecon.server.notifications.addresses import check_address
from malecon.server.storage.schema import ACCOUNTS, DEVICES, PEOPLE, SETTINGS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import insert_missing, upsert, writes

#: Devices of one person, with an account and without; a further one replaces the oldest.
MOST_PER_PERSON = 10
MOST_PER_GUEST = 3
#: A guest's device is removed after this time without a message; so is any device that never accepted one.
UNUSED_SECONDS = 90 * 86_400.0
#: The time at which a device last accepted a message is written again after this time.
CONFIRM_SECONDS = 86_400.0
#: Characters of the address of a device. Those of browsers have a few hundred.
LONGEST_ENDPOINT = 1_000
_KEY_NAME = "push"


@dataclass(frozen=True)
class Device:
    """A browser that receives notifications: its address at a push service, its keys, and its language.

    `confirmed` is the last time, to the day, when its push service accepted a message. Anybody can name any address as
    that of a device, so little is sent to one that has not accepted a message yet.
    """

    id: str
    person: str
    endpoint: str
    p256dh: str
    auth: str
    language: str
    session: str | None = None  # of the account that added it, and with which it ends
    confirmed: float = 0.0

    @property
    def is_confirmed(self) -> bool:
        return self.confirmed > 0


def check_device(person: str, endpoint: str, p256dh: str, auth: str, language: str, any_address: bool) -> Device:
    """Return a device as a browser describes it; raise BadSetup if nothing could ever be sent to it."""
    if len(endpoint) > LONGEST_ENDPOINT:
        raise BadSetup(say("invalid request"))
    endpoint = check_address(endpoint, LONGEST_ENDPOINT)
    parts = urlsplit(endpoint)
    if not any_address and (parts.scheme != "https" or parts.port not in (None, 443)):
        raise BadSetup(say("invalid request"))
    encryption.check_device_key(p256dh)
    encryption.decoded(auth, encryption.AUTH_BYTES)
    return Device(device_id(endpoint), person, endpoint, p256dh, auth, language)


def device_id(endpoint: str) -> str:
    """Return the identifier of a device, by its secret address."""
    return hashlib.sha256(endpoint.encode()).hexdigest()[:32]


class Devices:
    """Stores devices and the private key. Every method is one transaction."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._private_key = ""

    def private_key(self) -> str:
        """Return the server's private key. The first process that needs one makes it, for all of them."""
        if not self._private_key:
            self._private_key = self._read_or_make_key()
        return self._private_key

    @writes
    def _read_or_make_key(self, connection: Connection) -> str:
        insert_missing(connection, SETTINGS, {"name": _KEY_NAME, "value": {"private": encryption.new_private()}})
        stored = connection.execute(select(SETTINGS.c.value).where(SETTINGS.c.name == _KEY_NAME)).scalar_one()
        return str(stored["private"])

    @writes
    def add(self, connection: Connection, device: Device) -> None:
        """Store a device of a person; it no longer belongs to anybody else."""
        # an address that is known stays confirmed
        upsert(connection, DEVICES, {**vars(device), "added": time.time()}, unchanged=("confirmed",))
        own = DEVICES.c.person == device.person
        account = select(ACCOUNTS.c.person).where(ACCOUNTS.c.person == device.person)
        most = MOST_PER_GUEST if connection.execute(account).first() is None else MOST_PER_PERSON
        number = connection.execute(select(func.count()).select_from(DEVICES).where(own)).scalar_one()
        if number > most:
            oldest = select(DEVICES.c.id).where(own).order_by(DEVICES.c.added).limit(number - most)
            gone = list(connection.execute(oldest).scalars())
            connection.execute(delete(DEVICES).where(DEVICES.c.id.in_(gone)))

    def remove(self, name: str, person: str | None = None) -> None:
        """Remove a device; with a person, only if it is theirs."""
        by_name = DEVICES.c.id == name
        condition = by_name if person is None else by_name & (DEVICES.c.person == person)
        self._storage.execute(delete(DEVICES).where(condition))

    def of(self, person: str) -> list[Device]:
        query = select(DEVICES).where(DEVICES.c.person == person)
        return [_device(row._mapping) for row in self._storage.rows(query)]

    def confirm(self, device: Device, now: float) -> None:
        """Write that the push service of a device has accepted a message, once a day."""
        if device.confirmed + CONFIRM_SECONDS < now:
            self._storage.execute(update(DEVICES).where(DEVICES.c.id == device.id).values(confirmed=now))

    @writes
    def remove_unused(self, connection: Connection, now: float) -> int:
        """Remove devices that have accepted no message for long: those of guests, and those that never did."""
        since = now - UNUSED_SECONDS
        is_unused = (DEVICES.c.added < since) & (DEVICES.c.confirmed < since)
        is_guests = DEVICES.c.person.not_in(select(ACCOUNTS.c.person))
        unused = delete(DEVICES).where(is_unused & (is_guests | (DEVICES.c.confirmed == 0)))
        return int(connection.execute(unused).rowcount)

    @writes
    def seekers(
        self, connection: Connection, left_out: Sequence[str], since: float, most: int, most_unconfirmed: int
    ) -> list[Device]:
        """Return devices of people who want notifications of free seats and had none since then; mark them as notified.

        Those that have waited longest come first. Each device is returned by one process only.
        """
        joined = DEVICES.join(PEOPLE, PEOPLE.c.id == DEVICES.c.person)
        not_notified = (DEVICES.c.notified < since) & DEVICES.c.person.not_in(left_out)
        wants_seats = PEOPLE.c.choices["push_seat"].as_boolean()
        query = select(DEVICES).select_from(joined).where(not_notified & wants_seats).order_by(DEVICES.c.notified)
        query = query.with_for_update(of=DEVICES, skip_locked=True)  # another process notifies those it has locked
        confirmed = query.where(DEVICES.c.confirmed > 0).limit(most)
        unconfirmed = query.where(DEVICES.c.confirmed == 0).limit(most_unconfirmed)
        candidates = [row for part in (confirmed, unconfirmed) for row in connection.execute(part).mappings()]
        claimed = []
        for row in candidates:
            once = (DEVICES.c.id == row["id"]) & (DEVICES.c.notified < since)
            if connection.execute(update(DEVICES).where(once).values(notified=time.time())).rowcount:
                claimed.append(_device(row))
        return claimed


def _device(row: Any) -> Device:
    return Device(**{name: row[name] for name in Device.__dataclass_fields__})
