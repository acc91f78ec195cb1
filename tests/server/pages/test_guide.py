"""The first game teaches: the goal first, every tip once, nothing moved for the beginner, and what won in the end."""

from __future__ import annotations

import random
import re
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from malecon import games
from malecon.match import Match
from malecon.server.pages import guide
from malecon.text import chapter as text_chapter
from malecon.text import tips, translate
from tests.server.people import ORIGIN, Player

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


@pytest.mark.parametrize("name", games.names())
def test_each_part_is_told_once_and_the_goal_first(name: str) -> None:
    dice, match, lines = random.Random(7), Match(name, 3, seed=3), []
    goal = str(translate(tips(games.get(name)).goal or "", "en"))
    while not match.is_over:
        if match.turn == 0:
            tip = guide.tip(match, 0)
            assert tip is not None
            assert guide.tip(match, 0) == tip  # the same after a reload
            lines.append(translate(tip, "en"))
        match.push(str(dice.choice(list(match.legal_moves))))
    assert lines[0].startswith(goal)
    lessons = [line for line in lines if not re.fullmatch(r"(Ship|Round) \d of \d\. You have \d+ points?\.", line)]
    assert sum(goal in line for line in lines) == 1
    assert len(lessons) == len(set(lessons))
    assert len(lessons) >= 12
    for part in PARTS[name]:
        assert any(part in line for line in lines), part
    closing = translate(guide.closing(match, 0), "en")
    winner = match.outcome.winners[0] if match.outcome else 0
    assert str(match.scores[winner].points) in closing
    assert "at work" not in closing
    assert guide.tip(match, None) is None


@pytest.mark.parametrize("name", games.names())
def test_the_first_round_has_a_script(name: str) -> None:
    """Followed by a beginner, it shows the parts of the game; afterwards nothing is suggested any more."""
    dice, match, tried = random.Random(5), Match(name, 3, seed=2), set()
    chapter = "Ship 1" if name == "santiago" else "Round 1"
    while not match.is_over:
        suggested = guide.suggestion(match, 0)
        first = chapter in translate(text_chapter(match.everything()) or "", "en") or len(match) < 40
        if suggested is not None:
            assert first
            assert match.turn == 0
            assert suggested.move in map(str, match.legal_moves)
            assert suggested.why is None or translate(suggested.why, "en") in translate(guide.tip(match, 0) or "", "en")
            tried.add(suggested.move.split()[0])
        match.push(suggested.move if suggested else str(dice.choice(list(match.legal_moves))))
    assert guide.suggestion(match, 0) is None
    shown = {"santiago": {"drive", "visit", "deliver"}, "cuba": {"materials", "worker", "field", "architect", "build"}}
    assert shown[name] <= tried


def test_nothing_is_moved_for_a_beginner(client: TestClient) -> None:
    ana = Player(client)
    form = {"game": "santiago", "quick": "first", "pace": "instant"}
    opened = client.post("/tables", data=form, headers=ana.headers | ORIGIN, follow_redirects=False)
    table = opened.headers["location"].split("/")[-1]
    assert "seventh ship" in ana.get(f"/tables/{table}").text
    forced = 0
    for _ in range(60):  # somebody who drives as far as they can soon has no peso left, and one stop to drive to
        state = ana.my_turn(table)
        forced += len(state["legal"]) == 1
        ana.move(table, state["legal"][-1]["move"])
        if forced:
            break
    assert forced
    loaded = cast(Any, client.app).state.services.storage.load(table, with_snapshot=False)
    assert not any(entry.automatic for entry in loaded.entries if entry.seat == 0)
