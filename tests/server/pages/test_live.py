"""What a viewer is shown is rendered once for each change: for the page and for all live connections."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from malecon.match import Match
from malecon.server.pages import live, rendering
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.game_log import LogEntry
from tests.server.stored_games import table_of


def test_a_viewer_s_page_is_rendered_once_for_each_change(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []
    fragment = rendering.fragment

    def counted(template: str, language: str, **context: Any) -> str:
        rendered.append(language)
        return fragment(template, language, **context)

    monkeypatch.setattr(rendering, "fragment", counted)
    table, viewer, dice = table_of(Match("santiago", 2, seed=4)), Viewer("person 0", "en"), random.Random(4)
    followers = [live.Follower(table, viewer, None) for _ in range(3)]
    for _ in range(5):
        rendered.clear()
        page = live.render_table(table, viewer)
        messages = {follower.message() for follower in followers}
        assert len(messages) == 1
        assert live.render_table(table, viewer) == page
        assert rendered == ["en"]
        assert live.render_table(table, Viewer("person 1", "en")) != page
        assert live.render_table(table, Viewer(None, "en")) != page
        assert rendered == ["en"] * 3
        move = str(dice.choice(list(table.match.legal_moves)))
        table.apply([LogEntry(table.version, "move", table.match.turn or 0, move)])
        table.row = replace(table.row, revision=table.revision + 1)


def test_a_page_that_connects_again_with_what_it_shows_is_sent_nothing() -> None:
    """Every message has the hash of what the page then shows: else the next connection would send everything."""
    table, viewer = table_of(Match("santiago", 2, seed=4)), Viewer("person 0", "en")
    for _ in range(3):
        message = live.Follower(table, viewer, None).message()
        assert message is not None
        shown = json.loads(message)["shown"]
        assert live.Follower(table, viewer, len(table.match), shown).message() is None
        table.apply([LogEntry(table.version, "move", table.match.turn or 0, str(table.match.legal_moves[0]))])
        table.row = replace(table.row, revision=table.revision + 1)
        assert live.Follower(table, viewer, len(table.match), shown).message() is not None
