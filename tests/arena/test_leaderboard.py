"""The leader board: what the page says is what the games gave, and a run goes on where it was."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import pytest

import ladder
import leaderboard
from malecon import games


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_meets_their_neighbours(players: int) -> None:
    groups = leaderboard.groups(players)
    assert leaderboard.BOTS[:players] in groups
    assert leaderboard.BOTS[-players:] in groups
    for bot, stronger in itertools.pairwise(leaderboard.BOTS):
        assert any({bot, stronger} <= set(group) for group in groups)
    assert not any({leaderboard.BOTS[0], leaderboard.BOTS[-1]} <= set(group) for group in groups)


def test_a_board_is_played_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, file = tmp_path / "page.md", tmp_path / "board.json"
    page.write_text("before\n<!-- santiago -->\nold\n<!-- end of santiago -->\nafter\n")
    for name, value in (
        ("BOTS", ("random", "greedy")),
        ("PAGE", page),
        ("FILE", file),
        ("CHART", tmp_path / "ladder.svg"),
    ):
        monkeypatch.setattr(leaderboard, name, value)
    monkeypatch.setattr(sys, "argv", f"leaderboard.py --data {tmp_path} --games 4 --only santiago --jobs 1".split())
    leaderboard.main()
    results, text = json.loads(file.read_text())["santiago"]["2"], page.read_text()
    assert [bot["name"] for bot in results["bots"]] == ["greedy", "random"]
    assert results["games"] == 4
    assert "| 1 | `greedy` |" in text
    assert text.startswith("before\n<!-- santiago -->\n")
    assert text.endswith("<!-- end of santiago -->\nafter\n")
    assert "old" not in text
    leaderboard.main()  # nothing is played again
    assert json.loads(file.read_text())["santiago"] == {"2": results}


def test_the_page_and_the_file_name_the_same_bots() -> None:
    results, text = json.loads(leaderboard.FILE.read_text()), leaderboard.PAGE.read_text()
    assert set(results) == set(games.names())
    for name, boards in results.items():
        game = games.get(name)
        assert list(map(int, boards)) == list(range(game.fewest_players, game.most_players + 1))
        for players, board in boards.items():
            part = text.partition(f"### {game.title}: {players} players")[2].partition("###")[0]
            assert {bot["name"] for bot in board["bots"]} == set(leaderboard.BOTS)
            for place, bot in enumerate(board["bots"], 1):
                line = f"| {place} | `{bot['name']}` | {bot['rating']:.0f} ± {2 * bot['rating_deviation']:.0f} |"
                assert line in part


def test_the_ladder_shows_every_bot_of_the_file() -> None:
    results, chart = json.loads(leaderboard.FILE.read_text()), leaderboard.CHART.read_text()
    assert chart == ladder.draw(results)
    for by_players in results.values():
        for players, board in by_players.items():
            assert chart.count(f'<circle class="p{players}"') >= len(board["bots"])
