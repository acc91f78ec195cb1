"""Reviews: only of finished games, once each, in the reader's language, and within the policy of the pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from malecon.text import LANGUAGES
from tests.server.people import ORIGIN, Player, until


@pytest.fixture
def finished(client: TestClient) -> str:
    player = Player(client)
    table = str(player.open("bot:greedy", "bot:greedy")["id"])
    until(lambda: player.state(table), lambda state: state["turn"] is None, 60)
    return f"/tables/{table}"


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
