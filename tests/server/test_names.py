"""Names: which an account may have, and which look alike."""

from __future__ import annotations

import pytest

from malecon.kernel.errors import BadSetup
from malecon.server.names import account_name, distinct_names, name_key, skeleton

PEOPLE = [
    "Vera", "María José", "Zoë", "Łukasz", "D’Arcy", "Þór", "Tọ̀nà", "Мария", "Олександр", "Γιώργος", "Արմեն", "שרה",
    "محمد", "रवि", "สมชาย", "太郎", "さくら", "李小龙", "김민수", "player_1",
]  # fmt: skip


@pytest.mark.parametrize("name", PEOPLE)
def test_people_of_all_scripts_can_register(name: str) -> None:
    assert account_name(f" {name} ") == name


def test_people_of_all_scripts_are_told_apart() -> None:
    assert len({skeleton(name) for name in PEOPLE}) == len({name_key(name) for name in PEOPLE}) == len(PEOPLE)


@pytest.mark.parametrize("mark", ["\u034f", "\ufe0f", "\U000e0100", "\u180b", "\u115f", "\u3164", "\u200b", "\u00ad"])
def test_invisible_characters_make_no_other_name(mark: str) -> None:
    for name in (f"Ve{mark}ra", f"Vera{mark}", f"{mark}Vera"):
        assert account_name(name) == "Vera"
        assert name_key(name) == skeleton(name) == "vera"


@pytest.mark.parametrize(
    "name",
    [
        "\u13d9era",  # Cherokee
        "\ua4e6era",  # Lisu
        "\u1d20era",  # a small capital
        "\u13d9\u13a1\u13a1\u13aa",
        "V\u0435ra",  # with a Cyrillic letter
        "Ver\u03b1",  # with a Greek letter
        "太郎ken",
        "\u0301Vera",
        "Ve\u0301\u0302\u0304\u0306ra",
        "Vera\u20dd",
        "Ana🌴",
        "Vera\u2800",
        "12",
        "V",
    ],
)
def test_a_name_is_spelt_in_one_script(name: str) -> None:
    with pytest.raises(BadSetup):
        account_name(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Vera", "ＶＥＲＡ"),
        ("Vera", "𝓥𝓮𝓻𝓪"),
        ("copa", "сора"),
        ("xopop", "ΧΟΡΟΡ"),
        ("tok", "τοκ"),
        ("Paul", "PauI"),
        ("Paul", "Pau1"),
        ("Olga", "0lga"),
        ("Carmen", "Carrnen"),
        ("Walter", "VValter"),
        ("hoba", "нова"),
        ("oho", "օհօ"),
        ("D'Arcy", "D’Arcy"),
        ("ëva", "ёѵа"),
        ("口田", "ロ田"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(name: str, other: str) -> None:
    assert account_name(name)
    assert account_name(other)
    assert skeleton(name) == skeleton(other)


def test_names_at_a_table_differ_in_more_than_capitals() -> None:
    assert distinct_names(["Ian", "ian", None, "lan", "ΝΙΚΟΣ", "νικος"]) == ["Ian", None, None, None, "ΝΙΚΟΣ", None]
