"""Tournaments: the same setups for all, seats rotated, results read correctly, and nothing played twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from malecon.arena import tournament
from malecon.arena.plan import ArenaPlan, PlayedGame
from malecon.arena.results import ratings, show, summarise
from malecon.arena.tournament import run
from malecon.kernel.errors import BadSetup

PLAN = ArenaPlan("santiago", ("random", "greedy"), players=2, games=4, seed=3)


def test_every_bot_sits_everywhere_at_every_setup() -> None:
    plan = ArenaPlan("santiago", ("random", "greedy", "search:sims=1"), players=3, games=7)
    schedule = list(plan.schedule())
    assert len(schedule) == 9
    for setup in range(3):
        seats = [p.seats for p in schedule if p.setup == setup]
        for place in range(3):
            assert {s[place] for s in seats} == set(plan.bots)


def test_more_seats_than_bots_are_filled_with_the_last() -> None:
    assert ArenaPlan("santiago", ("greedy", "random"), 4, 4).groups() == [("greedy", "random", "random", "random")]
    assert len(ArenaPlan("santiago", ("greedy", "random", "search"), 2, 4).groups()) == 3


def test_rotations_meet_the_same_setup_and_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    histories = []
    real = tournament.Match

    class Watched(real):  # type: ignore[misc, valid-type]
        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **options)
            histories.append(self)

    monkeypatch.setattr(tournament, "Match", Watched)
    run(PLAN)
    chance = [[str(turn.move) for turn in match.history if turn.seat < 0] for match in histories]
    assert chance[0][:27] == chance[1][:27] != chance[2][:27]  # tiles, starter and the first five dice


def test_results_add_up_and_the_better_bot_wins() -> None:
    result = run(PLAN)
    assert result.games == 4
    assert [bot.name for bot in result.bots] == ["greedy", "random"]
    assert sum(bot.wins for bot in result.bots) == 4
    best = result.bots[0]
    assert best.win_rate == 1
    assert best.interval[0] < best.win_rate <= best.interval[1]
    assert best.rating > 1500 > result.bots[1].rating
    data = json.loads(json.dumps(result.as_dict()))
    assert {"name", "games", "win_rate", "interval", "rating"} <= set(data["bots"][0])
    assert show(result).row_count == 2


def test_the_same_plan_gives_the_same_results_in_two_processes() -> None:
    alone, two = run(PLAN), run(PLAN, jobs=2)
    assert [replace(b, mean_ms=0) for b in alone.bots] == [replace(b, mean_ms=0) for b in two.bots]


def test_a_stopped_tournament_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    heard: list[int] = []

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(PLAN, file=file, progress=stop)
    with file.open("a") as log:
        log.write('{"number": 2, "se')  # a line cut short
    result = run(PLAN, file=file, progress=lambda done, total: heard.append(done))
    assert heard == [2, 3, 4]
    assert result.games == 4
    assert [replace(b, mean_ms=0) for b in result.bots] == [replace(b, mean_ms=0) for b in run(PLAN).bots]
    assert run(PLAN, file=file, progress=lambda done, total: heard.append(done)).games == 4
    assert heard[-1] == 4
    with pytest.raises(BadSetup, match="a different tournament"):
        run(replace(PLAN, seed=4), file=file)


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (replace(PLAN, bots=("greedy",)), "at least two bots"),
        (replace(PLAN, bots=("greedy", "nobody")), "there is no bot called 'nobody'"),
        (replace(PLAN, games=0), "at least one game"),
        (replace(PLAN, players=9), "2 to 4 players"),
        (replace(PLAN, options={"x": True}), "no option"),
    ],
)
def test_nonsense_is_refused_before_anything_is_played(plan: ArenaPlan, reason: str) -> None:
    with pytest.raises(BadSetup, match=reason):
        run(plan)


def test_ratings_are_elos() -> None:
    """Three wins of four are worth 191 points; the order of the games does not matter."""
    won = [PlayedGame(n, n, ("a", "b"), (1, 0), (1, 2), 1, (1.0, 1.0)) for n in range(300)]
    other = [PlayedGame(n, n, ("a", "b"), (0, 1), (2, 1), 1, (1.0, 1.0)) for n in range(300, 400)]
    rated = ratings(won + other)
    assert rated["a"][0] - rated["b"][0] == pytest.approx(191, abs=5)
    assert 5 < rated["a"][1] < 20
    assert ratings(other + won) == rated


def test_shared_wins_count_in_parts_and_copies_of_a_bot_share_a_rating() -> None:
    seats = ("a", "b", "b")
    played = [PlayedGame(n, n, seats, (5, 5, 1), (1, 1, 3), 10, (1.0, 1.0, 1.0)) for n in range(10)]
    rated = ratings(played)
    assert rated["a"][0] > rated["b"][0]
    result = summarise(ArenaPlan("santiago", ("a", "b"), 3, 10), played)
    assert {bot.name: (bot.games, bot.wins) for bot in result.bots} == {"a": (10, 5), "b": (20, 5)}


def test_ten_wins_to_none_leave_a_rating_open() -> None:
    """Drawing setups again and again shows no difference among them; that is no certainty."""
    played = [PlayedGame(n, n, ("a", "b"), (1, 0), (1, 2), 1, (1.0, 1.0)) for n in range(10)]
    rated = ratings(played)
    assert rated["a"][0] > rated["b"][0]
    assert 80 < rated["a"][1] < 300
    assert rated["b"][1] == pytest.approx(rated["a"][1])
    more = ratings([PlayedGame(n, n, ("a", "b"), (1, 0), (1, 2), 1, (1.0, 1.0)) for n in range(100)])
    assert more["a"][0] > rated["a"][0]
    once = ratings(played[:1])
    assert once["a"][1] > 50


def test_the_engine_module_scores_as_the_search_does() -> None:
    results = [
        run(ArenaPlan("cuba", (f"{kind}:sims=8", "greedy"), players=2, games=2, seed=4)) for kind in ("search", "wasm")
    ]
    native, wasm = ([(bot.name.split(":")[0], bot.wins, bot.mean_points) for bot in result.bots] for result in results)
    assert [(name.replace("wasm", "search"), *rest) for name, *rest in wasm] == native


def test_the_arena_is_a_function_too() -> None:
    import malecon.arena

    result = malecon.arena.play("santiago", ["greedy", "random"], games=4, seed=np.int8(3))
    same = run(ArenaPlan("santiago", ("greedy", "random"), players=2, games=4, seed=3))
    assert [(bot.name, bot.wins, bot.mean_points) for bot in result.bots] == [
        (bot.name, bot.wins, bot.mean_points) for bot in same.bots
    ]
    for wrong in ("greedy,random", ["greedy"], [1, 2]):
        with pytest.raises(BadSetup):
            malecon.arena.play("santiago", wrong, games=2)  # type: ignore[arg-type]
    with pytest.raises(BadSetup, match="games must be a whole number"):
        malecon.arena.play("santiago", ["greedy", "random"], games=1.5)  # type: ignore[arg-type]
