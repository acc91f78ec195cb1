"""The first game teaches: the goal first, every tip once, nothing moved for the beginner, and what won in the end."""

from __future__ import annotations

import random
from typing import Any, cast

import pytest
from starlette.testclient import TestClient
from tests.server.people import ORIGIN, Player

from malecon import games, words
from malecon.match import Match
from malecon.server.page import guide

#: What each part is told by, somewhere in the first game.
PARTS = {
    "santiago": ("seventh ship", "same car", "port is near", "flag", "flower", "building", "deliver"),
    "cuba": (
        "six rounds",
        "materials",
        "four of your five cards",
        "harvests",
        "parliament",
        "law in force",
        "2 points",
    ),
}


@pytest.mark.parametrize("name", games.NAMES)
def test_each_part_is_told_once_and_the_goal_first(name: str) -> None:
    dice, match, told = random.Random(7), Match(name, 3, seed=3), []
    goal = str(words.say(words.tips(games.get(name)).goal or "", "en"))
    while not match.is_over:
        if match.turn == 0:
            tip = guide.tip(match, 0)
            assert tip is not None
            assert guide.tip(match, 0) == tip  # the same after a reload
            told.append(words.say(tip, "en"))
        match.push(str(dice.choice(list(match.legal_moves))))
    assert told[0].startswith(goal)
    lessons = [line for line in told if not line.endswith(goal)]
    assert len(lessons) == len(set(lessons))
    assert len(lessons) >= 12
    for part in PARTS[name]:
        assert any(part in line for line in told), part
    closing = words.say(guide.closing(match, 0), "en")
    winner = match.outcome.winners[0] if match.outcome else 0
    assert str(match.scores[winner].points) in closing
    assert "at work" not in closing
    assert guide.tip(match, None) is None


def test_nothing_is_moved_for_a_beginner(client: TestClient) -> None:
    ana = Player(client)
    form = {"game": "santiago", "quick": "first", "pace": "instant"}
    opened = client.post("/tables", data=form, headers=ana.headers | ORIGIN, follow_redirects=False)
    table = opened.headers["location"].split("/")[-1]
    assert "seventh ship" in ana.get(f"/tables/{table}").text
    forced = 0
    for _ in range(25):
        state = ana.my_turn(table)
        forced += len(state["legal"]) == 1
        ana.move(table, state["legal"][0]["move"])
    assert forced
    found = cast(Any, client.app).state.services.storage.load(table, with_snapshot=False)
    assert not any(entry.automatic for entry in found.entries if entry.seat == 0)
