"""Records: what is written replays exactly."""

import json
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

import malecon
from malecon import Match, Record
from tests.match.records import FINISHED, FIRST_MOVE, LINES, TEXT, played, with_line

# --- round trips


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_finished_game_survives_writing_reading_and_replaying(players, tmp_path):
    match = played(players, names=["Ana", "Bé", None, "Đorđe"][:players], open_screens=players == 3)
    match.record().write(tmp_path / "game.json")
    record = Record.read(tmp_path / "game.json")
    assert record == match.record()
    again = record.replay()
    assert again.position.tobytes() == match.position.tobytes()
    assert again.history == match.history
    assert (again.outcome, again.scores) == (match.outcome, match.scores)
    assert (again.names, again.options) == (match.names, match.options)
    assert again.record().to_json() == match.record().to_json()


def test_a_game_in_progress_survives_too_and_can_go_on():
    match = FINISHED.fork(100)
    assert match.record().result is None
    again = Record.from_json(match.record().to_json()).replay(seed=3)
    assert again.history[:100] == match.history[:100]
    assert again.turn != malecon.CHANCE
    again.push(again.legal_moves[0])


def test_a_game_without_any_move_has_a_record():
    record = Match("santiago", 2).record()
    assert record.moves == ()
    assert Record.from_json(record.to_json()) == record
    assert len(record.replay()) == 0


def test_the_record_is_a_small_json_document_with_one_move_to_a_line():
    data = json.loads(TEXT)
    assert list(data) == ["malecon", "game", "rules", "players", "options", "names", "moves", "result"]
    assert data["malecon"] == 1
    assert (data["game"], data["rules"], data["players"]) == ("santiago", 1, 3)
    assert data["options"] == {"open_screens": False}
    assert data["names"] == [None, None, None]
    assert len(data["moves"]) == len(FINISHED)
    assert data["result"]["points"] == list(FINISHED.outcome.points)
    assert data["result"]["winners"] == list(FINISHED.outcome.winners)
    assert len(LINES) == 1 + 6 + 1 + len(FINISHED) + 1 + 1 + 1
    assert TEXT.endswith("}\n")


def test_every_move_names_its_actor():
    for line, turn in zip(json.loads(TEXT)["moves"], FINISHED.history, strict=True):
        who = "chance" if turn.seat == malecon.CHANCE else ("red", "blue", "yellow")[turn.seat]
        assert line == f"{who}: {turn.move}"


NAMES = st.text(min_size=1, max_size=40).filter(str.isprintable)


@given(st.lists(st.none() | NAMES, min_size=2, max_size=4))
def test_any_name_survives(names):
    match = Match("santiago", len(names), names=names)
    text = match.record().to_json()
    assert Record.from_json(text).replay().names == match.names


def test_names_are_readable_in_the_file(tmp_path):
    match = Match("santiago", 2, names=["Señora Núñez", '日本 👋 "x" \\'])
    match.record().write(tmp_path / "game.json")
    assert "Señora Núñez" in (tmp_path / "game.json").read_text(encoding="utf-8")
    assert malecon.load(tmp_path / "game.json").names == match.names


def test_moves_are_read_however_they_are_spaced_and_capitalised():
    first = json.loads(TEXT)["moves"][0].split(": ")[1]
    text = with_line(FIRST_MOVE, f'    "chance:  {first.upper()} ",')
    assert Record.from_json(text).replay().history == FINISHED.history


def test_the_document_may_be_laid_out_differently():
    data = json.loads(TEXT)
    for text in (json.dumps(data), json.dumps(dict(reversed(data.items())), indent=8), TEXT.replace("\n", "\r\n")):
        assert Record.from_json(text).replay().history == FINISHED.history


# --- writing


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    target = tmp_path / "game.json"
    target.write_text("precious")

    def fail(*arguments):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        FINISHED.record().write(target)
    assert target.read_text() == "precious"
    assert os.listdir(tmp_path) == ["game.json"]  # nothing is left behind


def test_a_record_that_cannot_be_written_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(Record, "to_json", lambda self: "\ud800")  # cannot be encoded
    with pytest.raises(UnicodeEncodeError):
        FINISHED.record().write(tmp_path / "game.json")
    assert os.listdir(tmp_path) == []


def test_writing_replaces_a_file(tmp_path):
    target = tmp_path / "game.json"
    target.write_text("x" * 1_000_000)
    FINISHED.record().write(str(target))
    assert target.read_text() == TEXT
    assert os.listdir(tmp_path) == ["game.json"]


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_record_can_be_read_by_others(tmp_path):
    FINISHED.record().write(tmp_path / "game.json")
    assert stat.S_IMODE((tmp_path / "game.json").stat().st_mode) == 0o644


def test_writing_into_a_folder_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        FINISHED.record().write(tmp_path / "none" / "game.json")


def test_a_record_in_the_current_folder_can_be_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FINISHED.record().write("game.json")
    assert malecon.load("game.json").history == FINISHED.history
