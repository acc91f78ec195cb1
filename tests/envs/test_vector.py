"""Many games in one array: they follow the rules, depend on the seed alone, and reach other libraries uncopied."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from malecon import games
from malecon.envs.vector import Tables
from malecon.kernel import verbs
from malecon.kernel.errors import BadSetup, IllegalMove, NotAMove
from malecon.match import Match

SETUPS = [(name, players) for name in games.names() for players in range(2, games.get(name).most_players + 1)]


def trace(tables: Tables, steps: int) -> list[bytes]:
    """Everything that a number of random steps shows."""
    rows = []
    for _ in range(steps):
        tables.step(tables.sample())
        shown = (tables.observations, tables.masks, tables.seats, tables.rewards, tables.ended, tables.points)
        rows.append(b"".join(array.tobytes() for array in shown))
    return rows


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_every_table_plays_by_the_rules(name: str, players: int) -> None:
    tables = Tables(name, players, 16, seed=players)
    game, ended = tables.game, 0
    moves = np.empty(game.most_legal, np.int16)
    for _ in range(400):
        for table in range(tables.count):
            position = tables.position(table)
            seat = int(tables.seats[table])
            assert verbs.actor(position) == seat >= 0
            codes = moves[: verbs.legal(position, moves)]
            assert sorted(codes.tolist()) == tables.masks[table].nonzero()[0].tolist()
            if game.conceals is not None:
                verbs.hide(position, seat)
            seen = np.zeros(game.pieces.size, np.int16)
            verbs.observe(position, seat, seen)
            assert (seen == tables.observations[table]).all()
        before = [tables.position(table) for table in range(tables.count)]
        actions = tables.sample().tolist()
        tables.step(actions)
        for table in tables.ended.nonzero()[0].tolist():
            ended += 1
            last = before[table]
            verbs.play(last, actions[table])
            standings = [int(verbs.standing(last, seat)) for seat in range(players)]
            assert tables.points[table].tolist() == [int(verbs.points(last, seat)) for seat in range(players)]
            assert tables.places[table].tolist() == [1 + sum(s > own for s in standings) for own in standings]
            by_rank = [(sum(s < own for s in standings) - sum(s > own for s in standings)) for own in standings]
            assert tables.rewards[table].tolist() == pytest.approx([beaten / (players - 1) for beaten in by_rank])
        assert not tables.rewards[~tables.ended].any()
    assert ended >= 5


@pytest.mark.parametrize("name", games.names())
def test_games_depend_on_the_seed_and_not_on_the_threads(name: str) -> None:
    first = trace(Tables(name, 3, 37, seed=5), 60)
    two = Tables(name, 3, 37, seed=5, threads=3)
    assert trace(two, 60) == first
    two.reset(5)
    assert trace(two, 60) == first
    two.reset(6)
    assert trace(two, 60) != first
    two.close()
    with pytest.raises(RuntimeError, match="closed"):
        two.step(two.sample())


def test_more_tables_do_not_change_the_first_ones() -> None:
    few, many = Tables("santiago", 2, 3, seed=9), Tables("santiago", 2, 8, seed=9)
    for _ in range(50):
        actions = many.sample()
        few.step(actions[:3])
        many.step(actions)
        assert (few.observations == many.observations[:3]).all()


def test_points_as_rewards_add_up_to_the_score() -> None:
    tables = Tables("santiago", 3, 8, seed=2, rewards="points")
    start = tables.game.starting_points
    made, ended = np.zeros((8, 3)), 0
    for _ in range(600):
        tables.step(tables.sample())
        made += tables.rewards
        for table in tables.ended.nonzero()[0]:
            assert (made[table] + start == tables.points[table]).all()
            made[table], ended = 0, ended + 1
    assert ended > 8


def test_a_win_is_worth_what_all_others_lose() -> None:
    tables = Tables("santiago", 4, 64, seed=2, rewards="win")
    singles = 0
    for _ in range(400):
        tables.step(tables.sample())
        for table in tables.ended.nonzero()[0]:
            won = tables.places[table] == 1
            assert tables.rewards[table].sum() == pytest.approx(0, abs=1e-6)
            assert (tables.rewards[table] > 0).tolist() == won.tolist()
            if won.sum() == 1:
                singles += 1
                assert tables.rewards[table].max() == 1
    assert singles > 10


def test_without_restart_a_finished_game_waits() -> None:
    tables = Tables("santiago", 2, 4, seed=1, restart=False)
    for _ in range(2000):
        tables.step(tables.sample())
        if (tables.seats < 0).all():
            break
    assert tables.seats.tolist() == [verbs.NOBODY] * 4
    assert not tables.masks.any()
    last = tables.places.copy()
    tables.step(np.zeros(4, np.int64))
    assert not tables.rewards.any()
    assert (tables.places == last).all()
    tables.reset(2)
    assert (tables.seats >= 0).all()


def test_a_wrong_move_changes_nothing_and_says_why() -> None:
    tables = Tables("santiago", 2, 4, seed=1)
    before = [tables.position(table).tobytes() for table in range(4)]
    actions = tables.sample().copy()
    for wrong, error, words in (
        ("buy 9 points", IllegalMove, "."),
        ("roll rum 2", IllegalMove, "."),
        (-1, NotAMove, "-1 is not a move"),
        (100_000, NotAMove, "100000 is not a move"),
    ):
        bad = actions.copy()
        bad[2] = tables.game.notation.code(wrong) if isinstance(wrong, str) else wrong
        with pytest.raises(error, match=words) as caught:
            tables.step(bad)
        assert "at table 2" in caught.value.__notes__[0]
        assert [tables.position(table).tobytes() for table in range(4)] == before
    with pytest.raises(TypeError):
        tables.step(actions + 0.5)
    with pytest.raises(ValueError, match="4 tables need as many moves"):
        tables.step(actions[:3])
    tables.step(actions)


def test_memory_is_what_could_have_been_counted_along() -> None:
    sharp, blind = Tables("santiago", 3, 4, seed=1), Tables("santiago", 3, 4, seed=1, memory=False)
    for _ in range(40):
        actions = sharp.sample()
        blind.step(actions)
        sharp.step(actions)
    assert (blind.pieces["points"][:, 1:3] == -1).all()
    assert (sharp.pieces["points"][:, :3] >= 0).all()
    assert (sharp.pieces["points"][:, 0] == blind.pieces["points"][:, 0]).all()


def test_what_lies_face_down_is_not_remembered() -> None:
    tables = Tables("cuba", 3, 64, seed=1)
    hidden = 0
    for _ in range(120):
        tables.step(tables.sample())
        for table in range(64):
            position = tables.position(table)
            if position.phase == tables.game.phases.index("bid"):
                others = [seat for seat in range(3) if seat != tables.seats[table]]
                hidden += any(position.bid[seat] >= 0 for seat in others)
                assert tables.pieces["bid"][table, 1:3].max() == -1
    assert hidden > 5


def test_every_seat_can_look() -> None:
    tables = Tables("cuba", 4, 8, seed=1)
    assert (tables.observe(tables.seats) == tables.observations).all()
    out = np.zeros_like(tables.observations)
    assert tables.observe(2, out) is out
    assert (tables.game.pieces.split(out)["actor"].argmax(axis=1) == (tables.seats - 2) % 4).all()
    with pytest.raises(BadSetup, match="no seat 4"):
        tables.observe(4)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"players": 5}, "2 to 4 players"),
        ({"count": 0}, "must be a whole number from 1 on"),
        ({"threads": 0}, "must be a whole number from 1 on"),
        ({"rewards": "fame"}, "rewards cannot be 'fame'; choose from: rank, win, points"),
        ({"options": {"envoys": True}}, "no option 'envoys'"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        Tables("santiago", **({"players": 2, "count": 2} | settings))


def test_arrays_are_written_in_place() -> None:
    tables = Tables("santiago", 2, 4, seed=1)
    arrays = (tables.observations, tables.masks, tables.seats, tables.rewards, tables.ended)
    trace(tables, 5)
    assert all(
        old is new
        for old, new in zip(
            arrays, (tables.observations, tables.masks, tables.seats, tables.rewards, tables.ended), strict=True
        )
    )
    assert all(np.shares_memory(part, tables.observations) for part in tables.pieces.values())


def test_a_network_gets_numbers_of_about_the_size_of_1() -> None:
    tables = Tables("santiago", 2, 64, seed=1)
    trace(tables, 100)
    scaled = tables.scaled()
    assert scaled.dtype == np.float32
    assert scaled is tables.scaled()
    assert 0.5 < np.quantile(np.abs(scaled[scaled != 0]), 0.9) < 3
    assert scaled * tables.game.pieces.each("typical") == pytest.approx(tables.observations)


def test_pytorch_shares_the_memory() -> None:
    torch = pytest.importorskip("torch")
    tables = Tables("santiago", 2, 4, seed=1)
    seen, masks = torch.from_numpy(tables.observations), torch.from_numpy(tables.masks)
    for _ in range(10):
        tables.step(masks.to(torch.int8).argmax(dim=1).numpy())
        assert (seen.numpy() == tables.observations).all()
    assert masks.data_ptr() == tables.masks.ctypes.data


def test_jax_takes_the_arrays() -> None:
    jax = pytest.importorskip("jax")
    tables = Tables("santiago", 2, 4, seed=1)
    seen = jax.dlpack.from_dlpack(tables.observations)
    assert (np.asarray(seen) == tables.observations).all()
    kept, before = jax.numpy.array(tables.observations), tables.observations.copy()
    for _ in range(3):
        tables.step(tables.sample())
    assert (np.asarray(seen) == tables.observations).all()  # shared, as the docs say
    assert (np.asarray(kept) == before).all()
    tables.step(np.asarray(jax.numpy.argmax(jax.numpy.asarray(tables.masks), axis=1)))


def test_arrays_begin_where_jax_shares_them_in_copies_too() -> None:
    tables = Tables("santiago", 2, 5, seed=1)
    for same in (tables, copy.copy(tables), pickle.loads(pickle.dumps(tables))):
        shown = (same.observations, same.masks, same.seats, same.rewards, same.ended, same.truncated, same.finals)
        assert [array.ctypes.data % 64 for array in (*shown, same.scaled(), same.points, same.places)] == [0] * 10


def test_an_end_is_told_once_where_tables_wait() -> None:
    tables, ends = Tables("santiago", 2, 4, seed=1, restart=False), np.zeros(4, int)
    for _ in range(400):
        tables.step(tables.sample())
        ends += tables.ended
    assert ends.tolist() == [1] * 4


@pytest.mark.parametrize("restart", [True, False])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_move_can_lose(restart: bool, threads: int) -> None:
    tables = Tables("santiago", 3, 4, seed=1, illegal="lose", restart=restart, threads=threads)
    tables.step(tables.sample())
    before = [tables.position(table).tobytes() for table in range(4)]
    actions, mover = tables.sample().copy(), int(tables.seats[2])
    actions[2] = -1
    tables.step(actions)
    assert tables.illegal.tolist() == tables.ended.tolist() == [False, False, True, False]
    assert tables.rewards[2].tolist() == [-1.0 if seat == mover else 0.0 for seat in range(3)]
    assert tables.movers[2] == mover
    assert (tables.seats[2] >= 0) == restart == bool(tables.masks[2].any())
    assert [tables.position(table).tobytes() != before[table] for table in (0, 1, 3)] == [True] * 3
    tables.step(tables.sample())
    assert not tables.illegal.any()
    assert not tables.ended.any()
    tables.close()


def test_an_illegal_move_can_become_a_random_one() -> None:
    tables, usual = (Tables("cuba", 2, 8, seed=1, illegal=kind) for kind in ("random", "raise"))
    for _ in range(300):
        actions = np.full(8, 100_000)
        tables.step(actions)
        assert tables.illegal.all()
        assert (tables.seats >= 0).all()
    assert not usual.illegal.any()
    with pytest.raises(BadSetup, match="illegal cannot be 'ignore'; choose from: raise, lose, random"):
        Tables("cuba", 2, 2, illegal="ignore")


def test_a_critic_sees_what_lies_face_down() -> None:
    tables, seen = Tables("cuba", 3, 64, seed=1), 0
    for _ in range(120):
        tables.step(tables.sample())
        states = tables.game.pieces.split(tables.states())
        for table in range(64):
            bids, seat = tables.position(table).bid[:3].tolist(), int(tables.seats[table])
            assert states["bid"][table, :3].tolist() == [bids[(seat + other) % 3] for other in range(3)]
            seen += (tables.pieces["bid"][table] != states["bid"][table]).any()
    assert seen > 5


def test_no_setting_makes_a_kernel_be_compiled_again() -> None:
    from malecon.envs import batch

    kernels = (batch.step_games, batch.start_games, batch.observe_games)
    tables = Tables("santiago", 2, 2, seed=1)
    tables.step(tables.sample())
    tables.observe(0)
    before = [len(getattr(kernel, "overloads", ())) for kernel in kernels]
    other = Tables("santiago", 2, 2, seed=1, memory=1, restart=np.bool_(True))  # type: ignore[arg-type]
    other.step(other.sample())
    other.observe(np.int8(0))
    assert [len(getattr(kernel, "overloads", ())) for kernel in kernels] == before
    with pytest.raises(IndexError, match="no table 'x' among 2"):
        other.position("x")  # type: ignore[arg-type]


def test_an_array_that_does_not_fit_is_refused() -> None:
    tables = Tables("santiago", 2, 3, seed=1)
    shape = tables.observations.shape
    frozen = np.zeros(shape, np.int16)
    frozen.flags.writeable = False
    for wrong in (
        np.zeros(shape, np.float64),
        np.zeros((1, shape[1]), np.int16),
        np.zeros((3, shape[1] * 2), np.int16)[:, ::2],
        frozen,
        [0],
    ):
        with pytest.raises(ValueError, match="out must be a contiguous array of int16"):
            tables.observe(0, out=wrong)  # type: ignore[arg-type]
    for moves in (0, [0], [[0, 0, 0]], np.zeros(4, np.int64)):
        with pytest.raises(ValueError, match="3 tables need as many moves"):
            tables.step(moves)
    right = np.ones(shape, np.int16)
    assert tables.observe(0, out=right) is right
    assert (right == tables.observe(0)).all()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copied_or_pickled_tables_play_the_same_games_on_their_own(again, threads: int) -> None:
    tables = Tables("santiago", 3, 5, seed=1, threads=threads)
    for _ in range(40):
        tables.step(tables.sample())
    twin = again(tables)
    before = [tables.position(table).tobytes() for table in range(5)]
    for _ in range(40):
        twin.step(twin.sample())
    assert [tables.position(table).tobytes() for table in range(5)] == before
    for _ in range(40):
        tables.step(tables.sample())
    assert (tables.observations == twin.observations).all()
    assert [tables.position(table).tobytes() for table in range(5)] == [
        twin.position(table).tobytes() for table in range(5)
    ]


FORKED = """
import os, signal
from malecon.envs.vector import Tables
tables = Tables("santiago", 2, 64, seed=1, threads=2)
tables.step(tables.sample())
child = os.fork()
if not child:
    signal.alarm(60)  # rather than for ever
for _ in range(50):
    tables.step(tables.sample())
print(int(tables.observations.sum()), flush=True)
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_tables_with_threads_play_on_after_a_fork() -> None:
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=300, check=True)
    first, other = done.stdout.split()
    assert first == other


@pytest.mark.parametrize("threads", [1, 2])
def test_closed_tables_refuse_to_play(threads: int) -> None:
    with Tables("santiago", 2, 4, seed=1, threads=threads) as tables:
        assert len(tables) == 4
        assert repr(tables) == "<Tables santiago, 2 players, 4 games>"
        actions = tables.sample()
    assert repr(tables) == "<Tables santiago, 2 players, 4 games, closed>"
    for call in (lambda: tables.step(actions), tables.reset, tables.scaled):
        with pytest.raises(RuntimeError, match="these tables are closed"):
            call()
    tables.close()


def test_numbers_are_any_integers_and_nothing_else() -> None:
    whole = Tables("santiago", np.int8(2), np.int64(3), seed=np.uint32(7), threads=np.int16(1))
    assert (whole.observations == Tables("santiago", 2, 3, seed=7).observations).all()
    assert (whole.observations == Tables("santiago", 2, 3, seed=7 + (1 << 64)).observations).all()
    for settings in ({"count": 2.0}, {"count": 0}, {"count": "3"}, {"count": True}, {"threads": 0}, {"threads": 1.5}):
        with pytest.raises(BadSetup, match="must be a whole number from 1 on"):
            Tables("santiago", 2, **({"count": 3} | settings))
    for seed in (1.5, "7", True):
        with pytest.raises(BadSetup, match="a seed is a whole number"):
            Tables("santiago", 2, 3, seed=seed)
    with pytest.raises(IndexError, match="no table 3 among 3"):
        whole.position(3)
    for seats in (0.5, "0", [0, 1], [[0, 0, 0]]):
        with pytest.raises(ValueError, match="seats must be one whole number, or 3"):
            whole.observe(seats)
    with pytest.raises(BadSetup, match="no seat 256"):
        whole.observe(256)


def test_games_that_are_too_long_are_cut_short() -> None:
    tables = Tables("santiago", 2, 5, seed=1, longest=30, rewards="points")
    cut = 0
    for step in range(1, 91):
        tables.step(tables.sample())
        if step % 30 == 0:
            assert tables.truncated.all() or tables.ended.any()
        cut += int(tables.truncated.sum())
        assert not (tables.truncated & tables.ended).any()
        assert (tables.seats >= 0).all()
        assert tables.masks.any(axis=1).all()
    assert cut >= 10
    waiting = Tables("santiago", 2, 2, seed=1, longest=10, restart=False)
    for _ in range(10):
        waiting.step(waiting.sample())
    assert waiting.truncated.all()
    assert (waiting.seats == -2).all()
    assert not waiting.masks.any()
    waiting.reset(seed=2)
    assert waiting.masks.any()


def test_some_tables_can_be_reset_while_the_others_go_on() -> None:
    tables = Tables("santiago", 3, 4, seed=1)
    for _ in range(20):
        tables.step(tables.sample())
    before = tables.observations.copy()
    tables.reset(chosen=[False, True, False, False])
    assert (tables.observations[[0, 2, 3]] == before[[0, 2, 3]]).all()
    assert (tables.observations[1] != before[1]).any()
    tables.reset(9, [True, False, False, False])
    assert (tables.observations[0] == Tables("santiago", 3, 4, seed=9).observations[0]).all()
    with pytest.raises(ValueError, match="an array of 4 truths"):
        tables.reset(chosen=[True])


@pytest.mark.parametrize(("count", "threads"), [(63, 1), (125, 2), (500, 1), (503, 3)])
def test_every_table_is_played_however_many_there_are(count: int, threads: int) -> None:
    tables = Tables("santiago", 2, count, seed=1, threads=threads)
    assert (tables.masks.sum(axis=1, dtype=int) > 0).all()
    tables.step(tables.sample())
    assert (tables._buffers.made > 0).all()
    tables.close()


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_tables_begin_and_go_on_in_given_positions(game: str) -> None:
    match = Match(game, 3, seed=1)
    for _ in range(25):
        match.push(match.legal_moves[0])
    tables = Tables(game, 3, 4, seed=1, start=match.position, longest=3)
    assert match.turn is not None
    for _ in range(3):
        assert (tables.seats[0] == match.turn) or tables.position(0).tobytes() != match.position.tobytes()
        tables.step(tables.sample())
    assert tables.truncated.all()  # and so every game begins there again
    for table in range(4):
        assert tables.position(table).tobytes() == match.position.tobytes()
    other = Tables(game, 3, 4, seed=1, restart=False)
    other.step(other.sample())
    before = [other.position(table).tobytes() for table in range(4)]
    other.set_position(np.int8(2), match.position)
    assert [other.position(table).tobytes() == before[table] for table in range(4)] == [True, True, False, True]
    view = match.view(match.turn)
    assert (other.observations[2] == view.observation()).all()
    assert (other.masks[2] == view.mask()).all()
    other.step(other.sample())
    with pytest.raises(BadSetup, match="not a position of"):
        other.set_position(0, np.zeros(1))  # type: ignore[arg-type]
    with pytest.raises(IndexError, match="no table 9"):
        other.set_position(9, match.position)
