"""The printed facts: what is in the box, as far as the rulebook says it in words or numbers."""

import pytest

from malecon import games
from malecon.games.cuba import arrays, moves, names, tiles
from malecon.kernel.common.records import keys

GAME = games.get("cuba")


def test_fifteen_of_each_crop_and_material_and_ten_of_each_ware():
    assert dict(zip(tiles.GOOD_KEYS, arrays.PIECES.tolist(), strict=True)) == {
        **dict.fromkeys(("sugar", "citrus", "tobacco", "wood", "stone", "water"), 15),
        **dict.fromkeys(("rum", "cigars"), 10),
    }


def test_there_are_twenty_five_building_tiles_two_each_of_distillery_and_cigar_factory():
    assert arrays.BUILDING_TILES.sum() == 25
    double = [name for name, n in zip(tiles.BUILDING_KEYS, arrays.BUILDING_TILES, strict=True) if n == 2]
    assert double == ["cigar factory", "distillery"]


@pytest.mark.parametrize(
    ("building", "wood", "stone", "water"),
    [
        ("cement works", 1, 2, 0),
        ("sawmill", 2, 1, 0),
        ("golf course", 0, 0, 2),
        ("monastery", 2, 1, 0),
        ("rum cafe", 1, 1, 1),
        ("cigar cafe", 1, 1, 1),
        ("small office", 2, 1, 0),
        ("large office", 2, 2, 0),
        ("hotel", 2, 2, 1),
        ("hostel", 1, 1, 1),
        ("ware shop", 1, 2, 0),
        ("crop shop", 2, 1, 0),
        ("material shop", 1, 1, 1),
        ("small bank", 1, 1, 0),
        ("large bank", 2, 3, 0),
        ("black market", 3, 2, 0),
        ("cigar factory", 2, 2, 0),
        ("distillery", 2, 2, 0),
        ("church", 2, 2, 0),
        ("town hall", 1, 1, 0),
        ("dam", 0, 2, 0),
        ("lighthouse", 1, 1, 0),
        ("warehouse", 2, 0, 0),
    ],
)
def test_a_building_costs_what_its_tile_says(building, wood, stone, water):
    assert arrays.BUILDING_COST[tiles.BUILDING_KEYS.index(building)].tolist() == [wood, stone, water]


@pytest.mark.parametrize("rows", [plantation.rows for plantation in tiles.PLANTATIONS])
def test_every_plantation_has_a_warehouse_a_lake_and_two_of_each_other_field(rows):
    assert sorted(rows.replace(" ", "")) == sorted("WLMMFFSSCCTT")
    assert [len(row) for row in rows.split()] == [4, 4, 4]


def test_there_is_a_common_plantation_and_one_for_each_colour():
    assert keys(tiles.PLANTATIONS) == ("common", "blue", "red", "yellow", "green", "purple")
    assert len({plantation.rows for plantation in tiles.PLANTATIONS}) == len(tiles.PLANTATIONS)


def test_a_figure_activates_six_fields_its_own_among_them():
    for field in range(tiles.FIELDS):
        assert int(arrays.CROSS[field]).bit_count() == 6
        assert arrays.CROSS[field] >> field & 1


def test_fifteen_different_ships_of_five_spaces_fifteen_for_each_trade_good():
    assert len(set(tiles.SHIP_KEYS)) == tiles.SHIPS == 15
    assert (arrays.SHIP_WANTS.sum(axis=1) == 5).all()
    assert (arrays.SHIP_WANTS.sum(axis=0) == 15).all()


def test_there_are_six_laws_in_each_of_four_groups():
    assert [len(laws) for laws in tiles.LAW_KEYS] == [6, 6, 6, 6]


def test_the_longest_list_of_legal_moves_has_room():
    assert len(moves.NOTATION.codes(*moves.USES)) + 1 < moves.MOST_LEGAL
    assert tiles.HIGHEST_BID + 1 < moves.MOST_LEGAL


def test_every_name_is_there_and_none_twice_in_the_same_sense():
    every = [
        name for record in tiles.STANDING for name in (record.name, record.at, record.as_subject, record.as_object)
    ]
    every += [name for record in tiles.CHARACTERS for name in (record.name, record.as_subject, record.as_object)]
    every += [name for record in tiles.GOODS for name in (record.names.bare, record.names.counted)]
    every += [record.name for record in tiles.FIELD_KINDS]
    every += [name for group in tiles.GROUPS for name in (group.name, group.title, *(law.name for law in group.laws))]
    assert len(set(every)) == len(every)
    assert str(names.spaces(tiles.SHIP_KEYS.index("sstzz"))) == "2 sugar cane, 1 tobacco, 2 cigars"


def test_the_game_describes_itself():
    assert (GAME.fewest_players, GAME.most_players) == (2, 5)
    assert GAME.dtype.itemsize < 400
    assert {name: option.default for name, option in GAME.options.items()} == {
        "plantations": "individual",
        "envoys": False,
        "count_warehouse": True,
    }
