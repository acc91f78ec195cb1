"""A match as bytes, as a record, and in other programs' hands."""

import copy
import json
import pickle
import struct
import zlib

import pytest

import malecon
from malecon import CHANCE, BadSnapshot, IllegalMove, Match, NotAMove, games
from malecon.match import Record
from tests.match.games import play_on

# --- snapshots


def test_a_snapshot_holds_everything():
    match = play_on(malecon.new("santiago", 3, seed=1, names=["Ana", None, "日本 👋"], open_screens=True), 25)
    again = Match.from_bytes(match.to_bytes())
    assert again.to_bytes() == match.to_bytes()
    for name in ("players", "options", "names", "history", "phase", "turn", "scores"):
        assert getattr(again, name) == getattr(match, name), name
    assert again.record() == match.record()
    assert again.position.tobytes() == match.position.tobytes()


def test_a_snapshot_of_a_match_without_moves_or_dealer_can_be_taken():
    match = Match("santiago", 3)
    again = Match.from_bytes(match.to_bytes())
    assert again.to_bytes() == match.to_bytes()
    assert again.turn == CHANCE
    again.push("place bank")


def test_a_snapshot_with_any_byte_damaged_is_refused():
    data = malecon.new("santiago", 2, seed=1).to_bytes()
    for place in range(len(data)):
        for change in (0x01, 0x80, 0xFF):
            damaged = bytearray(data)
            damaged[place] ^= change
            with pytest.raises(BadSnapshot):
                Match.from_bytes(bytes(damaged))


def test_a_snapshot_cut_short_anywhere_is_refused():
    data = malecon.new("santiago", 2, seed=1).to_bytes()
    for size in range(len(data)):
        with pytest.raises(BadSnapshot):
            Match.from_bytes(data[:size])


def test_a_snapshot_with_something_behind_it_is_refused():
    with pytest.raises(BadSnapshot):
        Match.from_bytes(malecon.new("santiago", 2, seed=1).to_bytes() + b"\0")


@pytest.mark.parametrize("data", [b"", b"malecon1", b"{}", b"\x89PNG\r\n\x1a\n" * 9, b"malecon1" + bytes(100)])
def test_bytes_that_are_no_snapshot_are_refused(data):
    with pytest.raises(BadSnapshot):
        Match.from_bytes(data)


def forged(change) -> bytes:
    """A snapshot whose head was changed and whose checksum fits again."""
    data = malecon.new("santiago", 2, seed=1).to_bytes()
    body = data[12:]
    size = struct.unpack_from("<I", body)[0]
    head = json.loads(body[4 : 4 + size])
    changed = change(head)
    text = changed if isinstance(changed, bytes) else json.dumps(head).encode()
    body = struct.pack("<I", len(text)) + text + body[4 + size :]
    return data[:8] + struct.pack("<I", zlib.crc32(body)) + body


def test_a_snapshot_of_another_version_of_the_rules_is_refused():
    assert Match.from_bytes(forged(lambda head: None)).phase == "demand"  # the forgery itself is sound
    with pytest.raises(BadSnapshot, match="another version of the rules"):
        Match.from_bytes(forged(lambda head: head.update(rules=99)))


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(game="go"),
        lambda head: head.update(players=9),
        lambda head: head.pop("moves"),
        lambda head: b"no JSON",
        lambda head: b"[]",
    ],
    ids=["game", "players", "missing", "no JSON", "a list"],
)
def test_a_snapshot_of_another_program_is_refused_though_its_checksum_fits(change):
    with pytest.raises(BadSnapshot):
        Match.from_bytes(forged(change))


# --- records


def test_a_match_gives_its_record_and_load_reads_it(match, tmp_path):
    match.record().write(tmp_path / "game.json")
    again = malecon.load(tmp_path / "game.json")
    assert again.history == match.history
    assert again.position.tobytes() == match.position.tobytes()
    assert isinstance(match.record(), Record)


def test_the_front_door_names_everything_it_promises():
    for name in malecon.__all__:
        assert getattr(malecon, name) is not None
    with pytest.raises(AttributeError, match="module 'malecon' has no attribute 'nothing'"):
        _ = malecon.nothing


# --- what is handed in by programs


@pytest.mark.parametrize("codes", [[0], [289, 10_000], [-1], [289, 289], [40_000]])
def test_a_log_that_does_not_replay_is_refused_and_changes_nothing(codes):
    match = Match("santiago", 3)
    before = match.to_bytes()
    with pytest.raises((IllegalMove, NotAMove)):
        match.make_all(codes)
    assert match.to_bytes() == before
    assert match.turn == CHANCE
    assert len(match.legal_moves) == 12


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_a_copied_or_pickled_match_is_one_of_its_own(match, again):
    before = match.to_bytes()
    twin = again(match)
    assert twin.to_bytes() == before
    play_on(twin, 10)
    assert match.to_bytes() == before
    play_on(match, 10)
    assert match.to_bytes() == twin.to_bytes()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_a_copied_or_pickled_view_shows_the_same(match, again):
    seen = match.view(match.turn)
    twin = again(seen)
    assert twin.game is seen.game
    assert twin.position.tobytes() == seen.position.tobytes()
    assert (twin.seat, twin.history, twin.names) == (seen.seat, seen.history, seen.names)
    assert dict(twin.options) == dict(seen.options)
    assert twin.legal_moves.codes == seen.legal_moves.codes
    if twin is not seen:
        twin.position.car = 9
        assert twin.position.tobytes() != seen.position.tobytes()


def test_a_game_pickles_by_its_name():
    game = games.get("santiago")
    assert pickle.loads(pickle.dumps(game)) is game
    assert copy.deepcopy(game) is copy.copy(game) is game
    assert len(pickle.dumps(game)) < 100
