"""Reviews: only of finished games, once each, in the reader's language, and within the policy of the pages."""

from __future__ import annotations

import asyncio
import re
import threading
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from malecon.match import Match
from malecon.server.errors import TooManyReviews
from malecon.server.operations.limits import Limiter
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.settings import ServerSettings
from malecon.server.tables import reviews
from malecon.server.web.services import Services
from malecon.server.workers.worker_pool import HINT, WorkerPool
from malecon.text import LANGUAGES
from tests.server.people import ORIGIN, Player, until
from tests.server.stored_games import table_of


@pytest.fixture
def finished(client: TestClient) -> str:
    player = Player(client)
    table = str(player.open("bot:greedy", "bot:greedy")["id"])
    until(lambda: player.state(table), lambda state: state["turn"] is None, 60)
    return f"/tables/{table}"


def services_of(client: TestClient) -> Services:
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    return services


def reviewed(client: TestClient, table: str) -> dict[str, Any]:
    return until(lambda: client.get(f"{table}/review").json(), lambda state: state.get("ready"), 120)


def test_a_review_on_the_replay_page(client: TestClient, finished: str) -> None:
    assert client.get(f"{finished}/review").status_code == 404
    answer = client.post(f"{finished}/review", headers=ORIGIN, follow_redirects=False)
    assert answer.status_code == 303
    end = answer.headers["location"]
    assert 'class="review-wait"' in client.get(end).text or reviewed(client, finished)["ready"]
    reviewed(client, finished)
    for language in LANGUAGES:
        page = client.get(end, headers={"accept-language": language})
        assert 'class="review-chart"' in page.text
        assert "style=" not in page.text
        assert len(page.content) < 200_000
        link = rf'href="({finished}/replay/\d+)"\s+data-step="\d+"\s+id="(?:point|before)'
        for address in re.findall(link, page.text):
            assert client.get(address).status_code == 200
    again = client.post(f"{finished}/review", headers=ORIGIN | {"accept": "application/json"})
    assert again.json() == {"ready": True}  # it is remembered


def test_the_final_scores_lead_to_it(client: TestClient, finished: str) -> None:
    assert f'action="{finished}/review"' in client.get(finished).text


def test_no_review_before_the_end(client: TestClient) -> None:
    table = Player(client).open("me", "bot:greedy")["id"]
    page = client.get(f"/tables/{table}/replay/3").text
    assert "/review" not in page
    answer = client.post(f"/tables/{table}/review", headers=ORIGIN | {"accept": "application/json"})
    assert answer.status_code == 403
    assert answer.json()["error"]
    assert client.get(f"/tables/{table}/review").status_code == 404


def test_a_review_is_charged_only_when_it_is_made(client: TestClient, finished: str) -> None:
    """Neither clicks that are refused nor those on a review that is there cost anything."""
    services = services_of(client)
    charged: list[tuple[str, float]] = []
    charge = services.limiter.charge_think_time

    def charging(person: str, seconds: float) -> None:
        charged.append((person, seconds))
        charge(person, seconds)

    services.limiter.charge_think_time = charging  # type: ignore[method-assign]
    player = Player(client)
    running = player.open("me", "me", open_screens=True)["id"]
    headers = player.headers | ORIGIN | {"accept": "application/json"}
    for _ in range(70):
        assert client.post(f"/tables/{running}/review", headers=headers).status_code == 403
    assert charged == []
    for _ in range(5):
        assert client.post(f"{finished}/review", headers=headers).status_code == 200
    reviewed(client, finished)
    assert client.post(f"{finished}/review", headers=headers).json() == {"ready": True}
    assert len(charged) == 1
    owner = services.tables.get_loaded(running).row.owner  # type: ignore[union-attr]
    assert charged[0][0] == owner
    assert 0 < charged[0][1] < 120  # what it took


def test_one_address_cannot_take_all_places_for_reviews() -> None:
    match = Match("santiago", 2, seed=1)
    while match.turn is not None:
        match.push(match.legal_moves[-1])
    tables = [table_of(match) for _ in range(reviews.MOST_BEGUN + 1)]
    for number, table in enumerate(tables):
        table.row = replace(table.row, id=f"table {number}")

    async def ask() -> None:
        limiter, free = Limiter(ServerSettings()), threading.Event()
        pool = WorkerPool(1, limiter, Metrics())
        busy = asyncio.create_task(pool.run(HINT, "somebody", free.wait, 60))  # so that all reviews wait
        await asyncio.sleep(0)
        begun = reviews.Reviews(pool, limiter)

        def ask(number: int, person: str, address: int) -> reviews.GameReview:
            return begun.ask(tables[number], person, {"type": "http", "client": (f"203.0.113.{address}", 1)})

        each = reviews.MOST_BEGUN_EACH
        for number in range(each):
            ask(number, f"person {number}", 1)  # to be several people is no use
        with pytest.raises(TooManyReviews):
            ask(each, "one more", 1)
        assert ask(0, "one more", 1) is begun.of(tables[0])  # what has begun is there for everybody
        for number in range(each, reviews.MOST_BEGUN):
            ask(number, "somebody else", 2 + number // each)
        with pytest.raises(TooManyReviews):
            ask(reviews.MOST_BEGUN, "too late", 99)
        free.set()
        await busy
        await begun.close()
        pool.close()

    asyncio.run(ask())


def test_who_has_used_up_their_time_gets_no_new_review(client: TestClient, finished: str) -> None:
    player, services = Player(client), services_of(client)
    running = player.open("me", "me", open_screens=True)["id"]
    owner = services.tables.get_loaded(running).row.owner  # type: ignore[union-attr]
    services.limiter.think_time.charge(owner, services.limiter.settings.thought)
    headers = player.headers | ORIGIN | {"accept": "application/json"}
    assert client.post(f"{finished}/review", headers=headers).status_code == 429
    assert client.get(f"{finished}/review").status_code == 404
    assert client.post(f"{finished}/review", headers=Player(client).headers | ORIGIN).status_code == 200
    reviewed(client, finished)
    assert client.post(f"{finished}/review", headers=headers).json() == {"ready": True}
