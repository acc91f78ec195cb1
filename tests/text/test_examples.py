"""The examples of the rules pages are true: their game is played, and the numbers that they tell are found there."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from malecon import games
from malecon.drawing import symbols_sheet
from malecon.games.cuba import arrays
from malecon.games.cuba import tiles as cuba
from malecon.games.santiago import tiles as santiago
from malecon.server.pages import drawings
from malecon.text import Example, tell, translate
from malecon.text import rulebook as text_rulebook
from malecon.text.languages import LANGUAGES

ANA, BEN, CLEO = range(3)
#: Rules that are hard, by what only their example says. Each must be there, with a picture.
HARD = {
    "santiago": {
        "the car": "José, is free",
        "El Zorro": "stops at El Zorro",
        "Alonso": "Ana owns the Bank",
        "deliveries with wood": "2 wood",
        "the flag": "the flag shows 4",
    },
    "cuba": {
        "the worker's cross": "the mountain in the middle row",
        "the market's prices at both ends": "the last two rum",
        "the foreman's chain": "3 sugar cane into 3 rum",
        "votes and a tie": "They are tied at 5",
        "the order of laws": "The subsidy for pesos counts what is left",
        "ships moving up": "The ships at berths 2 and 1 move to 3 and 2",
    },
}


def shown(game: str) -> list[Example]:
    rulebook = text_rulebook(games.get(game))
    assert rulebook is not None
    return [part for chapter in rulebook.chapters for part in chapter.paragraphs if isinstance(part, Example)]


def at(game: str, scene: str):
    return drawings.example_match(game, scene).everything().position


@pytest.mark.parametrize(("game", "what"), [(game, what) for game, hard in HARD.items() for what in hard])
def test_every_hard_rule_has_an_example_with_a_picture(game, what):
    examples = [example for example in shown(game) if HARD[game][what] in str(example.text)]
    assert len(examples) == 1
    assert examples[0].pictures


@pytest.mark.parametrize("game", HARD)
def test_pictures_are_numbered_in_the_text(game):
    for example in shown(game):
        numbers = re.findall(r"\((\d)\)", str(example.text))
        assert numbers == ([str(n) for n in range(1, len(example.pictures) + 1)] if len(example.pictures) > 1 else [])
        for language in LANGUAGES:
            assert sorted(re.findall(r"\((\d)\)", translate(example.text, language))) == numbers


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", HARD)
def test_every_picture_is_drawn_and_told(game, language):
    drawn, tiles = drawings.rules_drawings(game, language)
    assert list(drawn) == [picture for example in shown(game) for picture in example.pictures]
    known = re.findall(r'id="([^"]+)"', symbols_sheet())
    for picture, svg in drawn.items():
        root = ElementTree.fromstring(svg)
        assert root.get("role") == "img"
        assert root.get("aria-label") == translate(picture.description, language)
        inside = [node for node in root.iter() if node is not root]
        assert not any(node.get(name) for node in inside for name in ("role", "tabindex", "aria-label"))
        known += [node.get("id") for node in inside if node.get("id")]
        assert {use[1:] for use in re.findall(r'href="([^"]+)"', svg)} <= set(known)
    for svg in filter(None, tiles.values()):
        root = ElementTree.fromstring(svg)
        assert root.get("aria-hidden") == "true"  # its name and what it does stand beside it
        known += [node.get("id") for node in root.iter() if node.get("id")]
        assert {use[1:] for use in re.findall(r'href="([^"]+)"', svg)} <= set(known)
    assert len(known) == len(set(known)), "an id is there twice on the page"
    assert sum(map(len, drawn.values())) < 100_000


@pytest.mark.parametrize("game", HARD)
def test_what_is_marked_is_outlined(game):
    drawn = {
        picture: ElementTree.fromstring(svg) for picture, svg in drawings.rules_drawings(game, "en").pictures.items()
    }
    shared = {node.get("id"): node for root in drawn.values() for node in root.iter("g")}

    def halos(root):  # also those in what another picture has drawn already
        uses = [shared[use.get("href")[1:]] for use in root.iter("use") if use.get("href").startswith("#m-example-")]
        return sum(node.get("class") == "m-halo" for node in root.iter()) + sum(map(halos, uses))

    for picture, root in drawn.items():
        assert halos(root) >= len(picture.marked)
        assert (halos(root) > 0) == bool(picture.marked or picture.offers)


@pytest.mark.parametrize("game", HARD)
def test_a_scene_that_is_not_there(game):
    with pytest.raises(KeyError):
        drawings.example_match(game, "nowhere")


# --- Santiago de Cuba


def test_the_car():
    match = drawings.example_match("santiago", "start")
    position = match.position
    assert (position.car, match.turn, position.pesos[ANA]) == (santiago.PORT, ANA, 3)
    assert [str(move) for move in match.legal_moves] == ["drive 1", "drive 2", "drive 3", "drive 4"]
    assert [santiago.CUBAN_KEYS[position.cuban_at[stop]] for stop in (1, 2, 3, 4)] == [
        "jose",
        "martinez",
        "miguel",
        "alonso",
    ]


def test_el_zorro():
    before, after = at("santiago", "El Zorro"), at("santiago", "robbed")
    assert santiago.CUBAN_KEYS[before.cuban_at[before.car]] == "zorro"
    assert before.piece[ANA] == after.piece[ANA] == santiago.BUILDING_KEYS.index("church")
    assert (after.pesos - before.pesos)[:3].tolist() == [1, -1, 0]
    assert (after.goods - before.goods)[:3, santiago.TOBACCO].tolist() == [1, 0, -1]
    assert (after.points - before.points)[:3].tolist() == [1, 0, 0]


def test_alonso():
    before, after = at("santiago", "Alonso"), at("santiago", "used")
    bank = santiago.BUILDING_KEYS.index("bank")
    assert santiago.CUBAN_KEYS[before.cuban_at[before.car]] == "alonso"
    assert (before.owner[bank], before.piece[BEN], before.active) == (ANA, bank, ANA)
    assert after.pesos[ANA] - before.pesos[ANA] == 2
    office = at("santiago", "flag").building_at.tolist().index(santiago.BUILDING_KEYS.index("office"))
    assert santiago.FLOWER_KEYS[office // santiago.SITES_PER_FLOWER] == "white"


def test_deliveries_with_wood():
    before, half, after = (at("santiago", scene) for scene in ("delivery", "wood", "delivered"))
    assert (before.demand.tolist(), before.value) == ([0, 0, 1, 2, 0], 3)
    assert before.goods[ANA, santiago.RUM] == 2
    assert half.points[ANA] - before.points[ANA] == 6
    assert half.passed >> BEN & 1
    assert (half.goods[CLEO, santiago.WOOD], half.goods[CLEO, santiago.TOBACCO], half.actor) == (2, 0, CLEO)
    assert (after.goods[CLEO, santiago.WOOD], after.points[CLEO] - half.points[CLEO]) == (1, 1)
    assert (before.ship, after.ship) == (1, 2)


def test_the_flag():
    before, after = at("santiago", "flag"), at("santiago", "past the port")
    assert (before.value, int(before.demand.sum()), before.ship, before.active) == (4, 6, 2, ANA)
    assert (before.car, after.car, santiago.CUBAN_KEYS[after.cuban_at[after.car]]) == (9, 1, "jose")
    assert (after.value, after.ship, after.left_out) == (2, 3, -1)


# --- Cuba


def test_the_workers_cross():
    before, crossed, after = (at("cuba", scene) for scene in ("start", "cross", "harvest"))
    fields = arrays.PLANTATIONS[0].tolist()
    reach = [field for field in range(cuba.FIELDS) if arrays.CROSS[5] >> field & 1]
    assert fields[5] == cuba.STONE  # the mountain in the middle row
    goods = sorted(cuba.GOOD_KEYS[fields[field]] for field in reach)
    assert goods == ["citrus", "stone", "sugar", "tobacco", "wood", "wood"]
    picture = next(example for example in shown("cuba") if "the mountain" in str(example.text)).pictures[0]
    assert picture.marked == tuple(f"field-{field + 1}" for field in reach)
    gained = crossed.yard[ANA] - before.yard[ANA]
    assert (gained[cuba.STONE], gained[cuba.WOOD]) == (1, 2)
    harvested = after.yard[ANA] - crossed.yard[ANA]
    assert harvested.tolist() == [1, 1, 1, 0, 0, 0, 0, -1]  # each crop, for one water


def test_the_markets_prices_at_both_ends():
    match = drawings.example_match("cuba", "market")
    position = match.position
    assert (position.market[cuba.RUM], position.market[cuba.SUGAR]) == (0, arrays.MARKET_SPACES[cuba.SUGAR])
    log = [str(line) for index in range(len(match)) for line in tell(match, index)]
    assert [line for line in log if "buys" in line] == [
        "Ben plays the Merchant and buys 1 rum for 5 pesos.",
        "Ben buys 1 rum for 6 pesos.",
    ]
    assert cuba.DEAREST_PURCHASE - position.market[cuba.RUM] == 7
    sold = at("cuba", "sold")
    assert sold.pesos[BEN] - position.pesos[BEN] == 1
    assert sold.market[cuba.SUGAR] == position.market[cuba.SUGAR]
    assert sold.supply[cuba.SUGAR] - position.supply[cuba.SUGAR] == 1


def test_the_foremans_chain():
    before, half, after = (at("cuba", scene) for scene in ("foreman", "rum", "served"))
    assert before.figure[ANA] == 11
    assert [cuba.BUILDING_KEYS[before.built[ANA, field]] for field in (8, 10)] == ["rum cafe", "distillery"]
    assert all(arrays.CROSS[11] >> field & 1 for field in (8, 10))
    sugar = [position.yard[ANA, cuba.SUGAR] + position.stored[ANA, cuba.SUGAR] for position in (before, half)]
    assert (sugar, half.yard[ANA, cuba.RUM]) == ([4, 1], 3)
    assert (after.yard[ANA, cuba.RUM], after.points[ANA] - before.points[ANA]) == (0, 6)


def test_votes_and_a_tie():
    before, tie, after = (at("cuba", scene) for scene in ("harvest", "tie", "vote"))
    assert [31 & ~int(tie.played[seat]) for seat in (ANA, BEN)] == [1 << cuba.MAYOR, 1 << cuba.WORKER]
    assert tie.votes[:2].tolist() == [5, 5]
    assert tie.pesos[:2].tolist() == [10, 10]
    assert before.pesos[BEN] + arrays.MAYOR_PESOS[0] - tie.pesos[BEN] == 4
    assert (after.votes[:2].tolist(), after.pesos[:2].tolist(), after.actor) == ([6, 5], [9, 10], ANA)


def test_the_order_of_laws():
    before, after = at("cuba", "laws"), at("cuba", "carried out")
    laws = [cuba.LAW_KEYS[group][before.law[group]] for group in range(4)]
    assert laws == ["2", "citrus", "pesos", "surplus"]
    assert (before.pesos[ANA], before.points[ANA], before.stored[ANA, cuba.CITRUS]) == (9, 0, 1)
    match = drawings.example_match("cuba", "carried out")
    log = [str(line) for index in range(len(match) - 4, len(match)) for line in tell(match, index)]
    steps = ("in tax", "in duty", "Subsidy for pesos", "Surplus law", "ships move up")
    places = [next(i for i, line in enumerate(log) if step in line) for step in steps]
    assert places == sorted(places)
    assert (after.pesos[ANA], after.points[ANA]) == (7, 2 + 2 + 1 + 2)
    assert (before.market[:3].tolist(), after.market[:3].tolist()) == ([3, 3, 3], [5, 5, 5])


def test_ships_moving_up():
    before, after = at("cuba", "ships"), at("cuba", "moved up")
    assert (before.round_number, after.round_number) == (2, 3)
    assert cuba.CARGO - int(before.cargo[3].sum()) == 2
    assert after.ship_at[1:].tolist() == before.ship_at[:3].tolist()
    assert after.ship_at[0] not in before.ship_at
