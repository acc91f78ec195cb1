"""Every thing of a game is one record, and no part of it is forgotten: names, help, picture, notation, symbols."""

from __future__ import annotations

import ast
import importlib
import re
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from malecon import games
from malecon.drawing.pictures import game_picture
from malecon.drawing.symbols import SYMBOLS
from malecon.games.cuba import tiles as cuba
from malecon.games.santiago import tiles as santiago
from malecon.kernel.common.records import Keyed, keys
from malecon.kernel.phrases import Phrase
from malecon.text import LANGUAGES, glossary
from malecon.text.languages import SOURCE, load

#: The tables of records of each game, by the name of their kind in the glossary.
TABLES: dict[str, dict[str, tuple[Keyed, ...]]] = {
    "santiago": {
        "goods": santiago.GOODS,
        "flowers": santiago.FLOWERS,
        "cubans": santiago.CUBANS,
        "buildings": santiago.BUILDINGS,
    },
    "cuba": {
        "goods": cuba.GOODS,
        "fields": cuba.FIELD_KINDS,
        "characters": cuba.CHARACTERS,
        "buildings": cuba.BUILDINGS,
        "groups": cuba.GROUPS,
        **{group.key: group.laws for group in cuba.GROUPS},
    },
}
#: Kinds of things that have a picture of their own.
PICTURED = {"santiago": ("cubans", "buildings"), "cuba": ("fields", "characters", "buildings")}
#: Things that no move names: fields go by numbers, the flower follows from the Cuban.
NOT_IN_NOTATION = {("santiago", "flowers"), ("cuba", "fields")}

EACH_TABLE = pytest.mark.parametrize(("game", "kind"), [(game, kind) for game in TABLES for kind in TABLES[game]])
EACH_GAME = pytest.mark.parametrize("game", TABLES)


def module(game: str, part: str) -> ModuleType:
    return importlib.import_module(f"malecon.games.{game}.{part}")


def phrases_of(record: object) -> list[Phrase]:
    """Return every phrase of a record, also of records inside it."""
    assert is_dataclass(record)
    phrases: list[Phrase] = []
    for field in fields(record):
        value = getattr(record, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Phrase):
                phrases.append(part)
            elif is_dataclass(part):
                phrases += phrases_of(part)
    return phrases


@cache
def words_of_notation(game: str) -> str:
    return "\n".join(f" {name} " for name in games.get(game).notation.names())


@EACH_TABLE
def test_every_record_is_explained_under_its_key(game: str, kind: str) -> None:
    assert tuple(glossary(games.get(game))[kind]) == keys(TABLES[game][kind])


@EACH_TABLE
def test_every_text_of_a_record_has_a_translation(game: str, kind: str) -> None:
    for record in TABLES[game][kind]:
        phrases = phrases_of(record)
        assert phrases, record.key
        for phrase in phrases:
            assert phrase.text
            for language in LANGUAGES:
                if language != SOURCE:
                    assert (phrase.context, phrase.text) in load(language).templates, (record.key, language)


@EACH_TABLE
def test_every_help_text_is_filled_with_the_numbers_of_its_record(game: str, kind: str) -> None:
    for entry in glossary(games.get(game))[kind].values():
        assert "{" not in str(entry.text)


@EACH_TABLE
def test_every_record_is_in_the_notation(game: str, kind: str) -> None:
    if (game, kind) not in NOT_IN_NOTATION:
        for key in keys(TABLES[game][kind]):
            assert f" {key} " in words_of_notation(game), key


@EACH_GAME
def test_every_building_has_a_family_of_moves_that_use_it(game: str) -> None:
    assert set(module(game, "moves").USES.values()) == set(range(len(TABLES[game]["buildings"])))


@EACH_GAME
def test_every_record_that_is_drawn_has_its_picture(game: str) -> None:
    for kind in PICTURED[game]:
        for key in keys(TABLES[game][kind]):
            assert game_picture(game, f"{kind}/{key}")
    for key in keys(TABLES[game]["goods"]):
        assert key in SYMBOLS


@EACH_GAME
def test_every_symbol_of_a_record_is_there(game: str) -> None:
    records = [*TABLES[game]["buildings"], *TABLES[game].get("cubans", ())]
    tokens = {token for record in records for token in record.symbols}  # type: ignore[attr-defined]
    if game == "cuba":
        tokens |= {token for group in cuba.GROUPS for law in group.laws for row in law.symbols for token in row}
    assert {token for token in tokens if token.isalpha()} <= set(SYMBOLS)
    assert not {token for token in tokens if "{" in token}


def test_numbers_in_the_names_of_laws_are_those_of_their_records() -> None:
    tax, duty = cuba.GROUPS[cuba.TAX], cuba.GROUPS[cuba.DUTY]
    for law in (*tax.laws, *duty.laws):
        number = law.pesos or law.units
        assert re.findall(r"\d+", str(law.name)) == [str(number)]
        assert re.findall(r"\d+", law.help.text) in ([], [str(number)])
    for number in (cuba.LARGE_OFFICE, cuba.MATERIAL_SHOP):
        building = cuba.BUILDINGS[number]
        assert re.findall(r"\d+", building.help.text) == [str(building.times)]


@EACH_GAME
def test_tiles_import_neither_numpy_nor_numba(game: str) -> None:
    path = Path(str(module(game, "tiles").__file__))
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            modules = [str(node.module)]
        for name in modules:
            assert name.partition(".")[0] not in ("numpy", "numba")
            if name.startswith("malecon."):
                source = Path(str(importlib.import_module(name).__file__)).read_text("utf-8")
                assert not re.search(r"^(import|from) (numpy|numba)", source, re.M), name
