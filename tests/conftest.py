"""What all tests share: how long Hypothesis searches (`HYPOTHESIS_PROFILE=soak`: for long), and a clean event loop."""

import asyncio
import os
from collections.abc import Iterator
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("MALECON_COMPILE", "now")  # tests run compiled from their first move
settings.register_profile("quick", deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", parent=settings.get_profile("quick"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture(autouse=True)
def apart_from_the_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Playwright's loop runs on between its calls, so that no other could be started in the same worker."""
    if "playwright" in request.fixturenames:
        yield
        return
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.fixture
def paseo() -> Iterator[str]:
    """The little game of docs/adding-a-game.md, registered as a package of somebody else would be, for one test."""
    import malecon
    from malecon.kernel import registry

    with mock.patch.dict(registry._packages):
        malecon.register("paseo", "paseo")
        yield "paseo"
