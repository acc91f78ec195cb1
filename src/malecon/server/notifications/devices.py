"""The devices that people want to be told on, and our own key, in the database: the same for all processes."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.accounts.visitors import Choices
from malecon.server.notifications import encryption
from malecon.server.notifications.outgoing_http import check_address
from malecon.server.storage.schema import DEVICES, HOUSE, PEOPLE
from malecon.server.storage.store import Storage

#: Devices of one person; the one that was told of first gives way to the next.
MOST_PER_PERSON = 10
#: Characters of the address of a device. Those of browsers have a few hundred.
LONGEST = 1_000
_KEY = "push"


@dataclass(frozen=True)
class Device:
    """A browser that takes messages: its address at a push service, its keys, and its language."""

    id: str
    person: str
    endpoint: str
    p256dh: str
    auth: str
    language: str


def checked(person: str, endpoint: str, p256dh: str, auth: str, language: str, any_address: bool) -> Device:
    """A device as a browser describes it; BadSetup where it could never be told anything."""
    if len(endpoint) > LONGEST:
        raise BadSetup(say("invalid request"))
    endpoint = check_address(endpoint, LONGEST)
    parts = urlsplit(endpoint)
    if not any_address and (parts.scheme != "https" or parts.port not in (None, 443)):
        raise BadSetup(say("invalid request"))
    encryption.check_device_key(p256dh)
    encryption.decoded(auth, encryption.AUTH)
    return Device(name_of(endpoint), person, endpoint, p256dh, auth, language)


def name_of(endpoint: str) -> str:
    """What a device is called here; its address is a secret."""
    return hashlib.sha256(endpoint.encode()).hexdigest()[:32]


class Devices:
    """Keeps devices. Every method is one transaction."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._private = ""

    def private(self) -> str:
        """Our own key. The first process that needs one makes it, for all of them."""
        if not self._private:

            def work(connection: Connection, again: bool) -> str:
                new = self._insert(HOUSE).values(name=_KEY, value={"private": encryption.new_private()})
                connection.execute(new.on_conflict_do_nothing())
                kept = connection.execute(select(HOUSE.c.value).where(HOUSE.c.name == _KEY)).scalar_one()
                return str(kept["private"])

            self._private = self._storage.write(work)
        return self._private

    def add(self, device: Device) -> None:
        """Tell somebody on this device from now on, and nobody else."""

        def work(connection: Connection, again: bool) -> None:
            kept = {**vars(device), "added": time.time()}
            new = self._insert(DEVICES).values(**kept, told=0.0)
            connection.execute(new.on_conflict_do_update(index_elements=["id"], set_=kept))
            mine = DEVICES.c.person == device.person
            number = connection.execute(select(func.count()).select_from(DEVICES).where(mine)).scalar_one()
            if number > MOST_PER_PERSON:
                oldest = select(DEVICES.c.id).where(mine).order_by(DEVICES.c.added).limit(number - MOST_PER_PERSON)
                gone = list(connection.execute(oldest).scalars())
                connection.execute(delete(DEVICES).where(DEVICES.c.id.in_(gone)))

        self._storage.write(work)

    def remove(self, name: str, person: str | None = None) -> None:
        """Forget a device: of this person, or because it is gone."""
        it = DEVICES.c.id == name
        which = it if person is None else it & (DEVICES.c.person == person)
        self._storage.write(lambda connection, again: connection.execute(delete(DEVICES).where(which)))

    def of(self, person: str) -> list[Device]:
        wanted = select(DEVICES).where(DEVICES.c.person == person)
        return self._storage.read(lambda connection: [_device(row) for row in connection.execute(wanted).mappings()])

    def seekers(self, left_out: Sequence[str], since: float, most: int) -> list[Device]:
        """Devices of people who want to hear of free seats and have not since then; they count as told now.

        What is found here is found by one process only, and once.
        """

        def work(connection: Connection, again: bool) -> list[Device]:
            both = DEVICES.outerjoin(PEOPLE, PEOPLE.c.id == DEVICES.c.person)
            quiet = (DEVICES.c.told < since) & DEVICES.c.person.not_in(left_out)
            wanted = select(DEVICES, PEOPLE.c.choices).select_from(both).where(quiet).order_by(DEVICES.c.told)
            found = [
                row
                for row in connection.execute(wanted.limit(10 * most)).mappings()
                if Choices.of(row["choices"] or {}).push_seat
            ][:most]
            mine = []
            for row in found:
                once = (DEVICES.c.id == row["id"]) & (DEVICES.c.told < since)
                if connection.execute(update(DEVICES).where(once).values(told=time.time())).rowcount:
                    mine.append(_device(row))
            return mine

        return self._storage.write(work)

    def _insert(self, table: Any) -> Any:
        return (postgresql if self._storage.is_shared else sqlite).insert(table)


def _device(row: Any) -> Device:
    return Device(**{name: row[name] for name in Device.__dataclass_fields__})
