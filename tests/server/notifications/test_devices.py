"""The stored devices: how many a person has, who is notified of a free seat and in which order, what is tidied."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest
from sqlalchemy import update

from malecon.server.accounts.accounts import Accounts
from malecon.server.notifications import devices
from malecon.server.notifications.devices import Device, Devices
from malecon.server.storage.schema import DEVICES
from malecon.server.storage.store import Storage

NOW = 1_800_000_000.0


@pytest.fixture
def storage(database: str) -> Iterator[Storage]:
    opened = Storage(database)
    yield opened
    opened.close()


def add(kept: Devices, person: str, number: int = 0, confirmed: float = 0.0) -> Device:
    endpoint = f"https://push.example/{person}/{number}"
    device = Device(devices.device_id(endpoint), person, endpoint, "key", "auth", "en")
    kept.add(device)
    if confirmed:
        kept.confirm(device, confirmed)
    return device


def test_a_guest_has_fewer_devices_than_somebody_with_an_account(storage: Storage) -> None:
    kept = Devices(storage)
    account, _ = asyncio.run(Accounts(storage).register("guest-a", "Ana", "a good secret 1"))
    for number in range(devices.MOST_PER_PERSON + 2):
        add(kept, account.person, number)
        add(kept, "guest", number)
    assert len(kept.of(account.person)) == devices.MOST_PER_PERSON
    newest = [devices.MOST_PER_PERSON + 1 - number for number in range(devices.MOST_PER_GUEST)]
    assert {device.endpoint for device in kept.of("guest")} == {f"https://push.example/guest/{n}" for n in newest}


def test_free_seats_are_announced_to_a_few_devices_in_turn(storage: Storage) -> None:
    """Those who have not heard for longest come first; few of them have never accepted a message."""
    kept = Devices(storage)
    for number in range(12):  # they come first, but do not want to hear of seats
        add(kept, f"other{number}", confirmed=NOW)
    for number in range(5):
        add(kept, f"known{number}", confirmed=NOW)
        add(kept, f"new{number}")
        for kind in ("known", "new"):
            storage.set_choices(f"{kind}{number}", {"push_seat": True})
    called = [kept.seekers(["known4"], time.time() - 3600, most=3, most_unconfirmed=2) for _ in range(4)]
    assert [len([device for device in batch if device.is_confirmed]) for batch in called] == [3, 1, 0, 0]
    assert [len([device for device in batch if not device.is_confirmed]) for batch in called] == [2, 2, 1, 0]
    people = [device.person for batch in called for device in batch]
    assert sorted(people) == sorted([f"known{n}" for n in range(4)] + [f"new{n}" for n in range(5)])


def test_unused_devices_of_guests_are_removed_and_those_that_never_accepted_a_message(storage: Storage) -> None:
    kept = Devices(storage)
    account, _ = asyncio.run(Accounts(storage).register("guest-a", "Ana", "a good secret 1"))
    old = NOW - devices.UNUSED_SECONDS - 10
    for person in (account.person, "guest"):
        for number, confirmed in enumerate((0.0, old, NOW)):
            add(kept, person, number, confirmed)
    everything_is_old = update(DEVICES).values(added=old)
    storage.write(lambda connection: connection.execute(everything_is_old))
    add(kept, "new guest")
    assert kept.remove_unused(NOW) == 3
    assert sorted(device.confirmed for device in kept.of(account.person)) == [old, NOW]
    assert [device.confirmed for device in kept.of("guest")] == [NOW]
    assert len(kept.of("new guest")) == 1


def test_an_address_that_is_known_stays_confirmed(storage: Storage) -> None:
    kept = Devices(storage)
    device = add(kept, "guest", confirmed=NOW)
    kept.add(device)
    assert kept.of("guest")[0].confirmed == NOW
    kept.confirm(kept.of("guest")[0], NOW + 60)  # written once a day
    assert kept.of("guest")[0].confirmed == NOW
    kept.confirm(kept.of("guest")[0], NOW + devices.CONFIRM_SECONDS + 1)
    assert kept.of("guest")[0].confirmed == NOW + devices.CONFIRM_SECONDS + 1
