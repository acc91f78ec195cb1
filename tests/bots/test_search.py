"""The search: it finds what there is to find, keeps to its budget and memory, and knows only what its seat may know."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from malecon import games
from malecon.bots import make, search
from malecon.bots import tree as trees
from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher, SearchPlan, new_workspace
from malecon.bots.value import judge
from malecon.kernel import verbs
from malecon.kernel.errors import IllegalMove
from malecon.kernel.randomness import randomness
from malecon.kernel.verbs import CHANCE
from malecon.match import History, Match, Turn, View
from tests.bots.endings import after, winning_delivery

GAMES = games.names()
needs_cuba = pytest.mark.skipif("cuba" not in GAMES, reason="Cuba is not on the shelf yet")
TABLES = [(game, n) for game in GAMES for n in range(games.get(game).fewest_players, games.get(game).most_players + 1)]


def at_parliament(seed: int = 1) -> Match:
    """A match of Cuba where one seat has laid down a bid, and the other is to bid."""
    match, bot = Match("cuba", 2, seed=seed), make("random", seed)
    while True:
        while match.phase != "bid":
            match.push(bot.choose(match.view(match.turn)))
        match.push("bid 1" if "bid 1" in match.legal_moves else match.legal_moves[0])
        if match.phase == "bid" and len(match.legal_moves) > 2:
            return match


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spec", ["search:sims=60", "search:sims=20,rollout=random,depth=8,prior=0,policy=worth"])
def test_same_seed_same_moves(game: str, spec: str) -> None:
    match = after(game, 7)
    played = []
    for _ in range(2):
        bot = make(spec, seed=3)
        again = match.copy()
        for _ in range(6):
            again.push(bot.choose(again.view(again.turn)))
        played.append([str(turn.move) for turn in again.history])
    assert played[0] == played[1]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_whole_games_with_every_number_of_players(game: str, players: int) -> None:
    match, bot = Match(game, players, seed=players), make("search:sims=3")
    while match.turn is not None:
        match.push(bot.choose(match.view(match.turn)))
    assert match.outcome is not None


@pytest.mark.parametrize("plan", [SearchPlan(sims=200), SearchPlan(sims=200, rollout="random", prior=0.0, margin=0.0)])
def test_it_finds_the_move_that_wins(plan: SearchPlan) -> None:
    match, position = winning_delivery()
    thoughts = Searcher(match.game, 2, plan).search(position)
    assert match.game.notation.name(thoughts.best) == "deliver 1 sugar"
    assert thoughts.chances[0] > 0.9 - plan.margin
    assert thoughts.chances[-1] < 0.3


def test_the_reward_is_the_win_and_a_tie_is_shared() -> None:
    _, position = winning_delivery()
    verbs.play(position, int(make_code("deliver 1 sugar")))
    rewards = np.zeros(2)
    ends = np.zeros(2, np.float32)
    judge(position, 0.0, rewards, ends)
    assert rewards.tolist() == [1.0, 0.0]
    judge(position, 1.0, rewards, ends)
    assert rewards[0] > 0.5 > rewards[1]
    position.points[:2], position.goods[:], position.pesos[:2] = 20, 0, 3
    judge(position, 0.1, rewards, ends)
    assert rewards.tolist() == [0.5, 0.5]


def make_code(text: str) -> int:
    code = Match("santiago", 2).game.notation.code(text)
    assert code is not None
    return code


# --- looking around, and the choice


@pytest.mark.parametrize("game", GAMES)
def test_every_move_gets_a_share_and_no_simulation_is_lost(game: str) -> None:
    match = after(game, 9)
    result = Searcher(match.game, 2, SearchPlan(sims=4_000)).search(match.position)
    narrow = Searcher(match.game, 2, SearchPlan(sims=4_000, around=0)).search(match.position)
    assert sum(result.visits) == sum(narrow.visits) == 4_000
    share = trees.LEAST_WEIGHT * 4_000 / 4 / (1 + len(result.codes))
    assert min(result.visits) > share > 2
    assert min(result.visits) > min(narrow.visits)


def test_the_choice_weighs_value_and_certainty() -> None:
    tree = trees.new_tree(16)
    node = trees.add_node(tree, np.uint64(1), 0, True, np.arange(3, dtype=np.int16), 3)
    tree.visits[node] = 20_000
    tree.tried[:3], tree.won[:3] = (12_650, 7_220, 130), (0.44 * 12_650, 0.71 * 7_220, 0.72 * 130)
    assert trees.chosen(tree, node, 4) == 1  # not the most tried, nor the one that is hardly known
    assert trees.chosen(tree, node, 0) == 0
    tree.visits[node] = trees.LEAST_VISITS - 1
    assert trees.chosen(tree, node, 4) == 0  # a short search goes by its tries


def test_chances_of_the_seats_do_not_count_what_was_tried_to_look_around() -> None:
    match = after("santiago", 9)
    searcher = Searcher(match.game, 2, SearchPlan(sims=2_000, margin=0.0))
    result = searcher.search(match.position)
    assert searcher._threads[0].workspace.counted[0] == pytest.approx(0.75 * 2_000, abs=40)
    assert max(result.seats) == pytest.approx(max(result.chances[0], 1 - result.chances[0]), abs=0.08)


def test_a_proven_win_is_played_and_certain() -> None:
    match, position = winning_delivery()
    result = Searcher(match.game, 2, SearchPlan(sims=64)).search(position)
    assert match.game.notation.name(result.best) == "deliver 1 sugar"
    assert result.verdict.winner == 0
    assert result.chances == (1.0, 0.0)
    assert result.seats == (1.0, 0.0)
    searcher = Searcher(match.game, 2, SearchPlan(sims=64, proof=0))
    assert not searcher.search(position).verdict.is_proven


def test_short_searches_prove_nothing() -> None:
    match, position = winning_delivery()
    result = Searcher(match.game, 2, SearchPlan(sims=20)).search(position)
    assert not result.verdict.is_proven
    assert all(0 < chance < 1 for chance in result.chances)


# --- budget and memory


def test_visits_add_up_to_the_simulations_with_threads_too() -> None:
    match = after("santiago", 6)
    for threads in (1, 2):
        thoughts = Searcher(match.game, 2, SearchPlan(sims=501, threads=threads)).search(
            position_from_history(match.view(match.turn))
        )
        assert thoughts.simulations == sum(thoughts.visits) == 501
        assert list(thoughts.visits) == sorted(thoughts.visits, reverse=True)
        assert sum(thoughts.seats) == pytest.approx(1, abs=0.2)


def test_it_keeps_to_its_time() -> None:
    match = after("santiago", 6)
    mind = Searcher(match.game, 2, SearchPlan(ms=60))
    mind.search(match.position)
    began = time.perf_counter()
    mind.search(match.position)
    assert time.perf_counter() - began < 0.5  # a busy machine may be late, but not by this


def test_it_stops_when_told_to() -> None:
    match = after("santiago", 6)
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.perf_counter()
    thoughts = Searcher(match.game, 2, SearchPlan(sims=100_000_000)).search(match.position, stop)
    assert time.perf_counter() - began < 3
    assert thoughts.simulations > 0


def test_a_full_tree_is_searched_on() -> None:
    match = after("santiago", 6)
    mind = Searcher(match.game, 2, SearchPlan(sims=3000, proof=0))
    small = trees.new_tree(16)
    mind._threads[0].tree = small
    thoughts = mind.search(match.position)
    assert small.used[trees.NODES] <= 16
    assert thoughts.simulations == 3000
    assert mind.memory == trees.memory(small) < 10_000


def test_the_largest_tree_stays_within_its_memory() -> None:
    assert trees.memory(trees.new_tree(SearchPlan(ms=3_600_000).nodes)) < 75_000_000


@pytest.mark.parametrize("size", [8, 11, 16, 35])
def test_no_change_of_one_or_two_bits_keeps_the_fingerprint(size: int) -> None:
    data = np.random.default_rng(size).integers(0, 256, size).astype(np.uint8)
    words, rest = data[: size - size % 8].view(np.uint64), data[size - size % 8 :]
    prints = set()
    pairs = [(first, second) for first in range(8 * size) for second in range(first, 8 * size)]
    with np.errstate(over="ignore"):
        for first, second in pairs:
            for bit in {first, second}:
                data[bit // 8] ^= 1 << bit % 8
            prints.add(int(trees.fingerprint(words, rest)))
            for bit in {first, second}:
                data[bit // 8] ^= 1 << bit % 8
        prints.add(int(trees.fingerprint(words, rest)))
    assert len(prints) == len(pairs) + 1


def test_the_tree_is_kept_between_moves() -> None:
    match, bot = after("santiago", 6), make("search:sims=200")
    bot.choose(match.view(match.turn))
    mind = bot._searcher
    used = int(mind._threads[0].tree.used[trees.NODES])
    bot.choose(match.view(match.turn))
    assert bot._searcher is mind
    assert mind._threads[0].tree.used[trees.NODES] > used


# --- what it may know


@pytest.mark.parametrize(("game", "players"), [(game, 3) for game in GAMES])
def test_memory_of_the_open_moves_knows_the_position(game: str, players: int) -> None:
    match = after(game, 40, players)
    for seat in range(players):
        assert position_from_history(match.view(seat)).tobytes() == match.position.tobytes()


@needs_cuba
def test_two_bids_it_cannot_see_and_one_answer() -> None:
    match = at_parliament()
    seat, other = match.turn, 1 - match.turn
    answers, views = [], []
    for bid in (0, 1, 4):
        twin = match.copy()
        twin.pop()
        twin.push(f"bid {bid}")
        view = twin.view(seat)
        views.append(view.position.tobytes())
        assert twin.position.bid[other] == bid
        assert view.history[-1] == Turn(other, None)
        answers.append(
            [
                str(make(spec, seed=9).choose(view))
                for spec in ("greedy", "search:sims=50,rollout=random,depth=8", "search:sims=50")
            ]
        )
    assert views[0] == views[1] == views[2]
    assert answers[0] == answers[1] == answers[2]


def test_two_holdings_behind_a_screen_and_one_answer() -> None:
    """Without the history nobody can count along: then the screens keep their secrets from the search, too."""
    match = after("santiago", 20)
    seat = match.turn
    assert seat != CHANCE
    answers = []
    for rich in (False, True):
        truth = match.position
        truth.pesos[1 - seat] = 90 if rich else 0
        truth.points[1 - seat] = 50 if rich else 1
        verbs.hide(truth, seat)
        view = View(match.game, seat, truth, History.of(match.game, [Turn(1 - seat, None)]), match.names)
        answers.append(str(make("search:sims=80", seed=2).choose(view)))
    assert answers[0] == answers[1]


def test_a_guess_fits_what_is_seen() -> None:
    match = after("santiago", 30, players=3)
    random = randomness(4)
    for seat in range(3):
        view = match.view(seat).position
        for _ in range(20):
            guessed = view.copy()
            verbs.guess(guessed, seat, random)
            assert (guessed.goods[:3].sum(axis=0) + guessed.supply == 8).all()
            assert (guessed.goods[:3] >= 0).all()
            assert guessed.goods[seat].tolist() == match.position.goods[seat].tolist()
            verbs.hide(guessed, seat)
            assert guessed.tobytes() == view.tobytes()


@needs_cuba
def test_in_the_tree_a_bidder_does_not_know_the_bid_before_theirs() -> None:
    match = at_parliament()
    mind = Searcher(match.game, 2, SearchPlan(sims=10))
    settings = mind._settings._replace(secrets=True)
    workspace = new_workspace(match.game, 2, mind._net)
    keys = []
    with np.errstate(over="ignore"):
        for bid in (0, 3):
            workspace.cells[0] = match.position
            workspace.cells[0].bid[1 - match.turn] = bid
            keys.append(search.key_of(settings, workspace))
        workspace.cells[0].bid[match.turn] = 2
        keys.append(search.key_of(settings, workspace))
    assert keys[0] == keys[1] != keys[2]
    assert not search.sees_all(settings, workspace)


@pytest.mark.parametrize("game", GAMES)
def test_what_hide_leaves_as_it_is_has_no_other_guess(game: str) -> None:
    """The search follows a move without looking where it leads, if its seat sees all."""
    seen = 0
    for players, option in [(2, None), (4, None), (3, "envoys" if game == "cuba" else "open_screens")]:
        options = {option: True} if option else {}
        match, bot = Match(game, players, seed=players, options=options), make("random", players)
        while (seat := match.turn) is not None:
            view, guessed = match.position.copy(), match.position.copy()
            verbs.hide(view, seat)
            verbs.guess(guessed, seat, randomness(7))
            if view.tobytes() == match.position.tobytes():
                assert guessed.tobytes() == view.tobytes()
                seen += 1
            match.push(bot.choose(match.view(seat)))
    assert seen > 100


def test_only_the_seat_to_move_is_answered() -> None:
    match = after("santiago", 6)
    with pytest.raises(IllegalMove):
        make("search:sims=5").choose(match.view(1 - match.turn))


# --- the compiler changes nothing

UNCOMPILED = """
from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher, SearchPlan
from malecon.match import Match
match = Match("{game}", 2, seed=11)
plan = SearchPlan(sims=30, rollout="random", depth=15, value="worth", prior=0.0, margin=0.0)
thoughts = Searcher(match.game, 2, plan, seed=1).search(match.position)
print(thoughts.codes, thoughts.visits)
"""


@pytest.mark.parametrize("game", GAMES)
def test_the_same_search_without_the_compiler(game: str) -> None:
    results = []
    for disabled in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", UNCOMPILED.format(game=game)],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        )
        results.append(done.stdout)
    assert results[0] == results[1]


def test_a_budget_of_the_threads_own_time_is_not_spent_by_waiting() -> None:
    match = Match("santiago", 2, seed=4)
    ticks = iter(range(1_000_000))
    mind = Searcher(match.game, 2, SearchPlan(ms=2_000), clock=lambda: next(ticks) / 10)  # a tenth of a second a look
    thoughts = mind.search(position_from_history(match.view(match.turn)))
    assert thoughts.simulations > 0
    assert 20 <= next(ticks) < 80
