"""No record that is damaged, forged or unreadable gets through."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malecon import BadRecord, Record
from tests.match.records import FINISHED, FIRST_MOVE, LINES, TEXT, changed, line_of, refused, with_line

# --- damage


def test_a_file_cut_short_anywhere_is_refused():
    for size in range(0, len(TEXT) - 2, 7):
        refused(TEXT[:size])
    assert Record.from_json(TEXT.rstrip()).replay().is_over  # only the last line break is not missed


def test_a_file_cut_short_is_refused_on_the_line_where_it_breaks_off():
    for number in (3, FIRST_MOVE, FIRST_MOVE + 50):
        cut = "\n".join(LINES[: number - 1]) + "\n" + LINES[number - 1][:-3]
        assert refused(cut).line == number


@pytest.mark.parametrize("place", range(0, len(TEXT), 97))
def test_a_damaged_character_is_refused_or_changes_nothing(place):
    """A blank may become another blank; whatever else changes must be noticed."""
    for replacement in ("#", '"', "9", "x", "\n"):
        text = TEXT[:place] + replacement + TEXT[place + 1 :]
        try:
            again = Record.from_json(text).replay()
        except BadRecord:
            continue
        assert again.history == FINISHED.history
        assert again.outcome == FINISHED.outcome


def test_a_line_left_out_is_refused():
    for number in (*range(1, FIRST_MOVE), *range(FIRST_MOVE, len(LINES) - 2, 7), len(LINES) - 1, len(LINES)):
        refused("\n".join(LINES[: number - 1] + LINES[number:]))


def test_a_move_said_twice_is_refused():
    for number in range(FIRST_MOVE, FIRST_MOVE + len(FINISHED), 10):
        refused("\n".join(LINES[:number] + LINES[number - 1 :]))


def test_syntax_errors_name_their_line():
    error = refused(with_line(FIRST_MOVE + 3, '    "chance: place bank"'))  # the comma is missing
    assert error.line == FIRST_MOVE + 4
    assert str(error).startswith(f"line {FIRST_MOVE + 4}: this is not a JSON document")


# --- moves that do not replay


def test_an_illegal_move_is_refused_on_its_line_with_the_rule():
    number, line = next((n, line) for n, line in enumerate(LINES, 1) if ": drive 1" in line)
    error = refused(with_line(number, line.replace("drive 1", "drive 40")))
    assert error.line == number
    assert "this drive costs 39 pesos" in str(error)


def test_text_that_is_no_move_is_refused_on_its_line():
    number, line = next((n, line) for n, line in enumerate(LINES, 1) if ": drive 1" in line)
    error = refused(with_line(number, line.replace("drive 1", "drvie 1")))
    assert error.line == number
    assert "'drvie 1' is not a move; did you mean" in str(error)


def test_a_move_by_the_wrong_actor_is_refused_on_its_line():
    number, line = next((n, line) for n, line in enumerate(LINES, 1) if ": drive 1" in line)
    right = line.strip().strip('"').split(":")[0]
    for wrong in {"red", "blue", "yellow", "green", "chance", "nobody", ""} - {right}:
        error = refused(with_line(number, f'    "{wrong}: drive 1",'))
        assert error.line == number
        assert str(error.reason) == f"this move belongs to {right}, not {wrong!r}"


@pytest.mark.parametrize("line", ["drive 1", "", ":", ": ", "red:drive 1", "red drive 1"])
def test_a_move_without_an_actor_is_refused_on_its_line(line):
    number = next(n for n, text in enumerate(LINES, 1) if ": drive 1" in text)
    assert refused(with_line(number, f'    "{line}",')).line == number


def test_a_move_after_the_end_is_refused_on_its_line():
    last = FIRST_MOVE + len(FINISHED) - 1
    text = with_line(last, LINES[last - 1] + ',\n    "red: drive 1"')
    error = refused(text)
    assert error.line == last + 1
    assert "the game is over" in str(error)


def test_a_player_cannot_make_chances_move():
    error = refused(with_line(FIRST_MOVE, LINES[FIRST_MOVE - 1].replace("chance", "red")))
    assert (error.line, str(error.reason)) == (FIRST_MOVE, "this move belongs to chance, not 'red'")


def test_lines_are_right_in_a_document_laid_out_differently():
    data = json.loads(TEXT)
    data["moves"][30] = "red: fly"
    assert refused(json.dumps(data)).line == 1
    text = json.dumps(data, indent=0)
    assert text.splitlines()[refused(text).line - 1].startswith('"red: fly"')


# --- the result


@pytest.mark.parametrize(
    "change",
    [{"winners": [0, 1, 2]}, {"winners": []}, {"places": [1, 1, 1]}, {"points": [99, 99, 99]}, {"reason": "beauty"}],
    ids=lambda change: next(iter(change)),
)
def test_a_wrong_result_is_refused_on_its_line(change):
    error = refused(changed("result", json.loads(TEXT)["result"] | change))
    assert error.line == len(LINES) - 1
    assert str(error.reason) == "these moves lead to a different result"


def test_a_finished_game_without_its_result_is_refused():
    assert refused(changed("result", None)).line == len(LINES) - 1


def test_a_game_in_progress_with_a_result_is_refused():
    data = json.loads(TEXT)
    data["moves"].pop()
    refused(json.dumps(data))


def test_a_result_with_more_or_less_in_it_is_refused():
    result = json.loads(TEXT)["result"]
    refused(changed("result", result | {"bribes": 3}))
    refused(changed("result", {key: value for key, value in result.items() if key != "reason"}))


# --- fields


FIELDS = ["malecon", "game", "rules", "players", "options", "names", "moves", "result"]


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_field_is_refused_by_name(name):
    data = json.loads(TEXT)
    del data[name]
    error = refused(json.dumps(data))
    assert name in str(error) if name != "malecon" else "not a Malecón record" in str(error)


WRONG = {
    "malecon": [None, True, 1.0, "1", [1], {}],
    "game": [None, 1, True, ["santiago"], {}, 1.5],
    "rules": [None, True, "1", 1.0, [1], {}],
    "players": [None, True, "3", 3.0, [3], {}],
    "options": [None, True, 1, "open_screens", ["open_screens"]],
    "names": [None, True, "abc", {"0": "Ana"}, [1, 2, 3], [None, None, ["x"]]],
    "result": [True, 1, "red", [0]],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_field_of_the_wrong_type_is_refused_on_its_line(name, value):
    error = refused(changed(name, value))
    assert error.line == line_of(f'"{name}":')


@pytest.mark.parametrize("moves", [None, True, "red: drive 1", {}, [1], [None], [["red: drive 1"]], [{}]])
def test_moves_of_the_wrong_type_are_refused_on_their_line(moves):
    data = json.loads(TEXT) | {"moves": moves}
    text = "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()) + "\n}"
    assert refused(text).line == 8


def test_a_field_that_no_record_has_is_refused_by_name():
    assert "a record has no field 'comment'" in str(refused(TEXT.replace("{\n", '{\n  "comment": "",\n', 1)))


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("game", "go", "there is no game called 'go'"),
        ("players", 9, "is for 2 to 4 players, not 9"),
        ("players", 2, "need 2 names"),
        ("options", {"closed_doors": True}, "there is no option 'closed_doors'"),
        ("options", {"open_screens": "yes"}, "open_screens cannot be 'yes'"),
        ("options", {"open_screens": None}, "open_screens cannot be None"),
        ("names", ["Ana"], "3 players need 3 names, not 1"),
        ("names", [None, None, ""], "a name has 1 to 40 printable characters"),
        ("names", [None, None, "x" * 41], "a name has 1 to 40 printable characters"),
        ("names", [None, None, "a\nb"], "a name has 1 to 40 printable characters"),
        ("names", [None, None, "\ud800"], "a name has 1 to 40 printable characters"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused_with_the_reason(name, value, says):
    assert says in str(refused(changed(name, value)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", "go"),
        ("players", 9),
        ("options", {"closed_doors": True}),
        ("options", {"open_screens": "yes"}),
        ("names", ["Ana"]),
        ("names", [None, None, ""]),
    ],
)
def test_a_table_that_cannot_be_set_is_refused_on_the_line_of_the_field_that_is_wrong(name, value):
    assert refused(changed(name, value)).line == line_of(f'"{name}":')


def test_a_field_that_stands_twice_is_refused():
    refused(TEXT.replace('  "rules": 1,\n', '  "rules": 1,\n  "rules": 1,\n'))


# --- versions


@pytest.mark.parametrize("version", [0, 2, 99, -1, "2"])
def test_another_format_is_refused_plainly(version):
    error = refused(changed("malecon", version))
    assert error.line == 2
    assert f"this record has format {version!r}; this program reads format 1" in str(error)


@pytest.mark.parametrize("version", [0, 2, 99, -1])
def test_another_version_of_the_rules_is_refused_plainly(version):
    error = refused(changed("rules", version))
    assert error.line == line_of('"rules":')
    assert f"made with version {version} of the rules; this program knows version 1" in str(error)


# --- what is no record at all


@pytest.mark.parametrize(
    "text",
    ["", " ", "null", "[]", "1", '"malecon"', "{}", '{"game": "santiago"}', "hello", "NaN", "\ufeff" + TEXT, "{" * 50],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_no_record_is_refused(text):
    refused(text)


@pytest.mark.parametrize("depth", [100, 500, 900, 940, 960, 980, 1_000, 10_000, 500_000])
@pytest.mark.parametrize("start", ["[", '{"a":'])
def test_json_of_any_depth_is_refused_without_harm(depth, start):
    close = "]" if start == "[" else "}"
    deep = start * depth + "1" + close * depth
    refused(deep)
    refused(start * depth)
    refused(changed("options", {"open_screens": "DEEP"}).replace('"DEEP"', deep))
    refused(changed("result", {"winners": "DEEP"}).replace('"DEEP"', deep))


def test_numbers_with_too_many_digits_are_refused():
    refused(changed("rules", "BIG").replace('"BIG"', "9" * 10_000))
    refused(changed("players", "BIG").replace('"BIG"', "9" * 4_000))
    refused(changed("rules", "BIG").replace('"BIG"', "9" * 4_000))


def test_a_file_too_large_for_a_record_is_refused_unread(tmp_path):
    huge = tmp_path / "huge.json"
    with open(huge, "wb") as file:
        file.truncate(50_000_000_000)  # it takes no room on the disk
    with pytest.raises(BadRecord, match="this file is too large for a record"):
        Record.read(huge)
    refused(" " * 5_000_000)


def test_too_many_moves_are_refused():
    data = json.loads(TEXT)
    data["moves"] = ["x"] * 100_001
    assert "moves" in str(refused(json.dumps(data)))


def test_a_very_long_move_is_refused_shortly():
    refused(with_line(FIRST_MOVE, f'    "chance: {"x" * 1_000_000}",'))
    refused(with_line(FIRST_MOVE, f'    "{"x" * 1_000_000}: drive 1",'))


def test_a_very_long_name_of_a_game_or_an_option_is_refused_shortly():
    refused(changed("options", {"x" * 1_000_000: True}))
    refused(changed("game", "x" * 1_000_000))


def test_bytes_that_are_no_utf_8_are_refused_on_their_line(tmp_path):
    file = tmp_path / "game.json"
    data = TEXT.encode().replace(b"chance", b"ch\xffnce", 1)
    file.write_bytes(data)
    with pytest.raises(BadRecord, match="this is not UTF-8 text") as caught:
        Record.read(file)
    assert caught.value.line == FIRST_MOVE


def test_other_encodings_are_refused(tmp_path):
    for encoding in ("utf-16", "utf-32"):
        (tmp_path / "game.json").write_text(TEXT, encoding=encoding)
        with pytest.raises(BadRecord):
            Record.read(tmp_path / "game.json")


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        Record.read(tmp_path / "none.json")
    with pytest.raises(IsADirectoryError):
        Record.read(tmp_path)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_any_json_that_is_no_record_is_refused(data):
    refused(json.dumps(data))


@given(st.sampled_from(FIELDS), st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_any_value_in_any_field_is_refused_or_the_right_one(name, value):
    data = json.loads(TEXT)
    if value != data[name] or type(value) is not type(data[name]):
        refused(json.dumps(data | {name: value}))
