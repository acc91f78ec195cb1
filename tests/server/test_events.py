"""Events: every subscriber is called, in order, and one that fails harms nobody."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from malecon.server.events import Events


@dataclass(frozen=True)
class Rung:
    times: int


@dataclass(frozen=True)
class RungLoudly(Rung):
    """A type of its own: subscribers to `Rung` are not called."""


def test_every_subscriber_of_a_type_is_called_in_order() -> None:
    events, calls = Events(), list[tuple[str, int]]()
    events.publish(Rung(0))  # nobody has subscribed yet
    events.subscribe(Rung, lambda event: calls.append(("first", event.times)))
    events.subscribe(Rung, lambda event: calls.append(("second", event.times)))
    events.subscribe(RungLoudly, lambda event: calls.append(("loud", event.times)))
    events.publish(Rung(1))
    events.publish(RungLoudly(2))
    assert calls == [("first", 1), ("second", 1), ("loud", 2)]


def test_a_subscriber_that_fails_is_logged_and_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    events, calls = Events(), list[int]()
    events.subscribe(Rung, lambda event: calls.append(event.times // 0))
    events.subscribe(Rung, lambda event: calls.append(event.times))
    events.publish(Rung(3))
    assert calls == [3]
    assert "a subscriber to Rung failed" in caplog.text
    assert "ZeroDivisionError" in caplog.text
