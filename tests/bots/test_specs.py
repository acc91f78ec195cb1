"""Specifications of bots: what can be written, and what is refused with which words."""

from __future__ import annotations

import pytest

from malecon import bots, games
from malecon.bots import LEVELS, SearchBot, SimpleBot, make, notice, split
from malecon.bots.engine import module
from malecon.bots.specs import parse
from malecon.kernel.errors import BadSetup
from malecon.kernel.randomness import randomness
from malecon.match import Match, Move

TABLES = [(name, n) for name in games.names() for n in (games.get(name).fewest_players, games.get(name).most_players)]


def test_settings_are_read() -> None:
    plan = parse("search:sims=500,c=0.7,rollout=greedy,depth=4,value=worth,threads=2").plan
    assert (plan.sims, plan.ms, plan.c, plan.rollout, plan.depth, plan.value, plan.threads) == (
        500, 0, 0.7, "greedy", 4, "worth", 2,
    )  # fmt: skip
    assert parse("search").plan.ms > 0
    assert parse("search:ms=50,rollout=random").plan.rollout == "random"
    assert parse("greedy:miss=0.3").miss == 0.3


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("nobody", "there is no bot called 'nobody'; choose from: random, greedy, search, wasm, turista"),
        ("random:sims=5", "random has no setting 'sims'; choose from: -"),
        ("search:speed=5", "search has no setting 'speed'; choose from: sims, ms"),
        ("search:sims", "search has no setting 'sims'"),
        ("search:sims=0", "sims cannot be '0'; choose from: 1 to"),
        ("search:c=nan", "c cannot be 'nan'"),
        ("search:rollout=wild", "rollout cannot be 'wild'; choose from: random, greedy, none"),
        ("search:sims=5,ms=5", "give sims or ms, not both"),
        ("", "there is no bot called ''"),
    ],
)
def test_nonsense_is_refused_in_one_line(spec: str, reason: str) -> None:
    with pytest.raises(BadSetup) as caught:
        make(spec)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_list_of_bots_keeps_settings_together() -> None:
    assert split("greedy,search:sims=500,c=0.7,search:ms=200") == ["greedy", "search:sims=500,c=0.7", "search:ms=200"]


def test_levels_are_five_with_names_and_descriptions() -> None:
    assert len(LEVELS) == len({level.key for level in LEVELS}) == 5
    for level in LEVELS:
        assert str(level.name)
        assert str(level.description).endswith(".")
        assert make(level.key).name == level.key


def test_a_level_can_be_given_other_times() -> None:
    bot = make("patron:ms=70")
    assert isinstance(bot, SearchBot)
    assert (bot.plan.ms, bot.plan.sims) == (70, 0)
    bot = make("patron:sims=70")
    assert isinstance(bot, SearchBot)
    assert (bot.plan.ms, bot.plan.sims) == (0, 70)


@pytest.mark.parametrize("level", [level.key for level in LEVELS])
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_level_plays_every_game(level: str, game: str, players: int) -> None:
    match = Match(game, players, seed=1)
    bot = make(level if level in ("turista", "aprendiz") else f"{level}:sims=10", seed=1)
    for _ in range(8):
        match.push(bot.choose(match.view(match.turn)), seat=match.turn)


def test_who_overlooks_moves_still_sees_one() -> None:
    random = randomness(1)
    codes = list(range(10))
    seen = [len(notice(codes, 0.6, random)) for _ in range(400)]
    assert min(seen) >= 1
    assert 3.5 < sum(seen) / len(seen) < 4.5
    assert notice(codes, 0.0, random) == codes


def test_greedy_that_overlooks_nothing_is_greedy() -> None:
    match = Match("santiago", 2, seed=4)
    assert isinstance(make("greedy"), SimpleBot)
    for _ in range(30):
        view = match.view(match.turn)
        move = make("greedy", seed=5).choose(view)
        assert move == make("greedy:miss=0", seed=5).choose(view)
        match.push(move)


def test_a_specification_says_whether_its_bot_answers_at_once() -> None:
    """All levels but the strongest do."""
    instant = [level.key for level in bots.LEVELS if bots.is_instant(level.key)]
    assert instant == ["turista", "aprendiz", "comerciante", "capitan"]
    assert bots.is_instant("random")
    assert bots.is_instant("wasm:sims=20")
    slow = ("search", "search:ms=5", "search:sims=500", "search:sims=20,rollout=greedy", "comerciante:ms=200")
    assert not any(bots.is_instant(spec) for spec in slow)


@pytest.mark.parametrize("spec", ["random", "greedy:miss=0.5", "capitan"])
def test_a_bot_chooses_a_code_or_the_move_of_that_code(spec: str) -> None:
    match = Match("cuba", 3, seed=5)
    first, other = bots.make(spec, 7), bots.make(spec, 7)
    while match.turn is not None and len(match) < 60:
        view = match.view(match.turn)
        code = first.choose_code(view)
        assert other.choose(view) == Move("cuba", match.game.notation.name(code))
        match.push_code(code)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_engine_module_as_a_bot_plays_as_the_search_does(game: str, players: int) -> None:
    match = Match(game, players, seed=6)
    native, wasm = make("search:sims=60,miss=0.1", seed=3), make("wasm:sims=60,miss=0.1", seed=3)
    assert isinstance(native, SearchBot)
    assert isinstance(wasm, SearchBot)
    assert (wasm.is_wasm, native.is_wasm, wasm.name) == (True, False, "wasm:sims=60,miss=0.1")
    for _ in range(40):
        view = match.view(match.turn)
        code = native.choose_code(view)
        assert wasm.choose_code(view) == code
        match.push_code(code)
    view = match.view(match.turn)
    expected, result = native.evaluate(view), wasm.evaluate(view)
    assert (result.codes, result.visits, result.chances) == (expected.codes, expected.visits, expected.chances)


def test_a_game_without_an_engine_module_cannot_be_played_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = make("wasm:sims=20")
    assert isinstance(bot, SearchBot)
    bot.check(games.get("santiago"))
    monkeypatch.setattr(module, "is_built", lambda name: False)
    module._load.cache_clear()
    try:
        with pytest.raises(BadSetup, match="has no engine module"):
            bot.check(games.get("santiago"))
    finally:
        module._load.cache_clear()
