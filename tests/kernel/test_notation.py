"""Notation: every move has one code and one spelling, in every game."""

import hashlib

import pytest

from malecon import games
from malecon.kernel.notation import Notation

GAMES = [pytest.param(games.get(name), id=name) for name in games.names()]


@pytest.mark.parametrize("game", GAMES)
def test_every_code_and_its_name_lead_to_each_other(game):
    names = game.notation.names()
    assert len(names) == len(game.notation) == len(set(names))
    for code, name in enumerate(names):
        assert game.notation.name(code) == name
        assert game.notation.code(name) == code


@pytest.mark.parametrize("game", GAMES)
def test_spacing_and_capitals_do_not_matter(game):
    for code, name in enumerate(game.notation.names()):
        assert game.notation.code(name.upper()) == code
        assert game.notation.code("  " + name.title().replace(" ", " \t ") + "\n") == code


@pytest.mark.parametrize("game", GAMES)
def test_moves_are_short_words_in_plain_ascii(game):
    for name in game.notation.names():
        assert name.isascii()
        assert name == " ".join(name.lower().split())
        assert len(name) <= 40


@pytest.mark.parametrize("game", GAMES)
def test_codes_fit_a_list_of_moves(game):
    assert len(game.notation) < 2**15


@pytest.mark.parametrize(
    ("game", "moves", "digest"),
    [
        ("santiago", 439, "07b6c4ad2ff16a1a5b64ff57b2231c05be465c148def156344f22194393eab4c"),
        ("cuba", 426, "45d9b3312857fc3713bf4d738849190aa0fece2d646953bae7cd7bfa405dc6bd"),
    ],
)
def test_codes_never_change(game, moves, digest):
    """Records, snapshots, observations and trained weights depend on them."""
    names = games.get(game).notation.names()
    assert len(names) == moves
    assert hashlib.sha256("\n".join(names).encode()).hexdigest() == digest


@pytest.mark.parametrize("game", GAMES)
def test_every_code_reads_as_one_move_of_its_family(game):
    notation, readings = game.notation, set()
    for code in range(len(notation)):
        reading = notation.read(code)
        assert code in notation.codes(reading.family)
        assert notation.read(reading.family).family == reading.family
        assert notation.families()[code] == reading.family
        assert [part for part in notation.parts()[code] if part >= 0] == list(reading.parts)
        readings.add(reading)
    # two faces of a die may show the same, and are two moves that say the same
    assert len(readings) == len({name.removesuffix("b") for name in notation.names()})


@pytest.mark.parametrize(
    ("game", "text", "parts"),
    [
        ("santiago", "drive 3", (3,)),
        ("santiago", "pass", ()),
        ("santiago", "swap rum sugar", (3, 0)),
        ("santiago", "deliver 2 wood rum", (2, 3)),
        ("santiago", "roll citrus 2b", (1, 2)),
        ("cuba", "materials wood water", (5, 7)),
        ("cuba", "field 12", (11,)),
        ("cuba", "vend rum", (3,)),
        ("cuba", "dispatch 3 cigars cigars", (3, 4)),
        ("cuba", "swap cigars rum", (4, 3)),
        ("cuba", "enact duty other", (1, 3)),
        ("cuba", "bid 0", (0,)),
        ("cuba", "propose duty water", (1, 3)),
    ],
)
def test_parts_are_numbers_or_the_numbers_of_tiles(game, text, parts):
    notation = games.get(game).notation
    assert notation.read(notation.code(text)).parts == parts


def test_a_word_stands_for_its_place_or_for_what_it_is_said_to():
    notation = Notation()
    give = notation.family("give {} {}", (1, 2), ("rum", "citrus"))
    swap = notation.family(
        "swap {} {}", {"wood": 5, "stone": 6}, lambda given: {"rum": 3} if given == 5 else ("sugar",)
    )
    assert notation.names()[4:] == ("swap wood rum", "swap stone sugar")
    assert [notation.read(code) for code in range(len(notation))] == [
        (give, (1, 0)),
        (give, (1, 1)),
        (give, (2, 0)),
        (give, (2, 1)),
        (swap, (5, 3)),
        (swap, (6, 0)),
    ]
    assert notation.codes(swap, give) == [4, 5, 0, 1, 2, 3]
    match notation.read(4):
        case swapped, (given, taken):
            assert (swapped, given, taken) == (swap, 5, 3)


def test_seats_moves_come_before_those_of_chance():
    notation = Notation()
    notation.family("walk {}", (1, 2))
    assert notation.decisions == 2
    notation.family("calm", chance=True)
    notation.family("wave", chance=True)
    assert notation.decisions == 2
    with pytest.raises(ValueError, match="'rest' comes too late"):
        notation.family("rest")


def test_a_family_has_moves():
    with pytest.raises(ValueError, match="there is no move in the family"):
        Notation().family("call {}", ())


def test_families_are_numbered_in_order_and_the_last_choice_varies_fastest():
    notation = Notation()
    assert notation.family("pass") == 0
    assert notation.family("deliver {} {}", (1, 2), ("rum", "citrus")) == 1
    assert notation.names() == ("pass", "deliver 1 rum", "deliver 1 citrus", "deliver 2 rum", "deliver 2 citrus")
    assert len(notation) == 5


def test_two_moves_of_one_name_are_refused():
    notation = Notation()
    notation.family("drive {}", (1, 2))
    with pytest.raises(ValueError, match="two moves are called 'drive 2'"):
        notation.family("drive {}", (2, 3))


@pytest.mark.parametrize("text", ["", " ", "drive", "drive 0", "drive 41", "drive 01", "drive -1", "drive1", "drivé 1"])
def test_what_is_no_move_has_no_code(text):
    assert games.get("santiago").notation.code(text) is None
