"""The story of a game: who did what, and what came of it for whom."""

import pytest

from malecon.games.santiago.text import tell_result
from malecon.match import Outcome
from malecon.text import story, tell
from tests.games.santiago.table import Table, in_building
from tests.text.phrases import lines


def log_of(table: Table, language: str = "en") -> list[str]:
    return lines(table.match, language=language)


# --- setup and ships


def test_only_the_starting_player_of_the_setup_is_told():
    table = Table(dice=None)
    assert [line for line in story(table.match) if line] == [tell(table.match, len(table.match) - 1)]
    assert log_of(table) == ["Red starts the game."]
    assert log_of(table, "es") == ["Rojo empieza la partida."]


def test_the_dice_are_told_together():
    table = Table(dice=None).roll("1 2 1 0")
    assert log_of(table) == []
    assert log_of(table.play("roll cigars 3")) == [
        "Yellow rolls for ship 1: 1 sugar cane, 2 citrus fruits, 1 tobacco, 0 rum and 3 cigars."
    ]
    assert log_of(table.play("leave cigars")) == [
        ("Yellow leaves out a die (3 cigars); ship 1 asks for 1 sugar cane, 2 citrus fruits and 1 tobacco.")
    ]


def test_a_ship_that_asks_for_nothing_sails():
    table = Table(dice=None).roll("0 0 0 0 3").play("leave cigars")
    assert log_of(table) == ["Yellow leaves out a die: 3 cigars.", "Ship 1 asks for nothing and sails at once."]


# --- drives


def test_drives_tell_cost_and_gain():
    assert log_of(Table().play("drive 1")) == ["Red drives to Pedro and gets 2 tobacco."]
    table = Table().play("drive 3")
    assert log_of(table) == ["Red drives to José for 2 pesos and gets 2 sugar cane."]
    assert log_of(table, "de") == ["Rot fährt für 2 Pesos zu José und erhält 2 Zuckerrohr."]
    assert log_of(table, "es") == ["Rojo conduce hasta José por 2 pesos y recibe 2 cañas de azúcar."]
    assert log_of(table, "it") == ["Rosso va in auto da José per 2 pesos e ottiene 2 canne da zucchero."]


def test_passing_the_port_raises_the_value_or_sends_the_ship_off():
    table = Table().lay(car="alonso").play("drive 2")
    assert log_of(table) == [
        "Red drives past the port to Pedro for 1 peso and gets 2 tobacco.",
        "The value of goods rises to 3.",
    ]
    table = Table().lay(car="alonso", value=4).play("drive 2")
    assert log_of(table)[1:] == ["Ship 1 sails: its time is up."]


def test_the_game_may_end_on_the_way():
    table = Table().lay(car="alonso", value=4, ship=7).everybody(goods="", points=0).seat("blue", points=5)
    table.play("drive 2")
    assert log_of(table) == [
        "Red drives past the port for 1 peso.",
        "Ship 7 sails: its time is up.",
        "The game is over.",
        "Blue wins with 5 points.",
    ]


def test_the_port_opens_a_delivery_round_unless_the_ship_has_just_left():
    assert log_of(Table().lay(car="alonso").play("drive 1")) == ["Red drives to the port and opens the delivery round."]
    assert log_of(Table().lay(car="pablo").play("drive 2")) == [
        "Red drives to the port for 1 peso and opens the delivery round."
    ]
    table = Table().lay(car="alonso", value=4).seat("red", pesos=12).play("drive 11")
    assert log_of(table) == [
        "Red drives past the port and round to it again for 10 pesos.",
        "The new ship asks for nothing yet: there is no delivery round.",
        "Ship 1 sails: its time is up.",
    ]


def test_a_cuban_who_is_face_down_does_nothing():
    assert log_of(Table().lay(face_down="pedro").play("drive 1")) == [
        "Red drives to Pedro.",
        "Pedro is face down: nothing happens.",
    ]
    assert log_of(Table().lay(face_down="pedro").play("drive 2")) == [
        "Red drives to Maria for 1 peso and gets 2 points.",
        "Pedro is face up again.",
    ]


def test_a_short_supply_is_told():
    table = Table().everybody(goods="").seat("blue", goods="7 tobacco").play("drive 1")
    assert log_of(table) == ["Red drives to Pedro and gets 1 tobacco.", "The supply has no tobacco left."]
    table = Table().everybody(goods="").seat("blue", goods="8 tobacco").play("drive 1")
    assert log_of(table) == ["Red drives to Pedro.", "The supply has no tobacco left: Red gets nothing."]
    assert log_of(table, "de")[1] == "Tabak gibt es im Vorrat nicht mehr: Rot geht leer aus."
    everything = "8 sugar 8 citrus 8 tobacco 8 rum 8 cigars"
    table = Table().everybody(goods="").seat("blue", goods=everything).lay(car="miguel")
    assert log_of(table.play("drive 1"))[1:] == ["The supply is empty: Pablo has nothing to offer."]


def test_no_free_building():
    table = Table(white="bank church casino").seat("blue", on="bank").seat("yellow", on="church")
    assert log_of(table.seat("red", on="casino").play("drive 1"))[1:] == [
        "No building under a white flower is free: Red stays at the Casino."
    ]
    table = Table(4, white="bank church casino").seat("blue", on="bank").seat("yellow", on="church")
    assert log_of(table.seat("green", on="casino").play("drive 1"))[1:] == [
        "No building under a white flower is free: Red stays off the board."
    ]


# --- choices


def test_pablo_el_zorro_and_alonso():
    assert log_of(Table().lay(car="miguel").play("drive 1", "take rum")) == ["Red gets 1 rum from Pablo."]
    table = Table().lay(car="conchita").play("drive 1")
    assert log_of(table) == ["Red drives to El Zorro."]
    assert log_of(table.play("give peso")) == ["Blue gives Red 1 peso."]
    assert log_of(table.play("give citrus")) == ["Yellow gives Red 1 citrus fruit."]
    assert log_of(Table().lay(car="conchita").play("drive 1", "give point"), "it") == ["Rosso riceve 1 punto da Blu."]
    assert log_of(Table().lay(car="pablo").play("drive 1", "seize bank"), "de") == ["Rot nimmt die Bank in Besitz."]
    assert log_of(Table().lay(car="pablo").play("drive 1", "pass")) == ["Red declines Alonso’s help."]
    table = Table().lay(car="pablo").seat("red", owns="bank").play("drive 1", "use bank")
    assert log_of(table) == ["Red gets 2 pesos at the Bank."]


def test_the_owner_gets_a_point():
    table = Table(white="bank church casino").seat("blue", owns="bank").play("drive 1", "visit bank")
    assert log_of(table) == ["Red moves to the Bank."]
    assert log_of(table.play("pass")) == ["Red does not use the Bank.", "Blue gets 1 point as owner of the Bank."]
    assert log_of(table, "de")[1] == "Blau erhält 1 Siegpunkt für den Besitz der Bank."
    assert log_of(table, "es")[1] == "Azul recibe 1 punto por la propiedad del Banco."
    assert log_of(table, "it")[1] == "Blu riceve 1 punto per la proprietà della Banca."


@pytest.mark.parametrize(
    ("building", "move", "line"),
    [
        ("bank", "use bank", "Red gets 2 pesos at the Bank."),
        ("church", "use church", "Red gets 1 point at the Church."),
        ("distillery", "make 2 rum", "Red trades 2 sugar cane for 2 rum at the Distillery."),
        ("factory", "make 1 cigars", "Red trades 1 tobacco for 1 cigar at the Cigar factory."),
        ("market", "swap rum sugar", "Red trades 1 rum for 1 sugar cane at the Black market."),
        ("sawmill", "use sawmill", "Red trades 1 wood for 1 point and 1 peso at the Sawmill."),
        ("cafe", "serve rum cigars", "Red trades 1 rum and 1 cigar for 4 points at the Café."),
        ("customs", "clear citrus", "Red turns a die to 0 at the Customs office: citrus fruit."),
        ("casino", "sell 2 points", "Red trades 2 points for 6 pesos at the Casino."),
        ("casino", "buy 1 points", "Red trades 3 pesos for 1 point at the Casino."),
        ("harbormaster", "flag right", "Red raises the value of goods to 4 at the Harbormaster’s office."),
        ("harbormaster", "flag left", "Red lowers the value of goods to 2 at the Harbormaster’s office."),
        ("office", "consign rum", "Red delivers 1 rum for 2 points at the Office."),
        ("newspaper", "print", "Red gets 1 peso at the Newspaper."),
        ("newspaper", "print jose", "Red gets 1 peso at the Newspaper and turns José face down."),
    ],
)
def test_uses_tell_what_is_given_and_gained(building, move, line):
    has = {"pesos": 9, "points": 9, "goods": "2 sugar 2 tobacco 2 rum 1 cigars 1 wood"}
    assert log_of(in_building(building, value=3, demand="2 rum 1 citrus", **has).play(move)) == [line]


def test_buildings_that_send_the_ship_off():
    assert log_of(in_building("harbormaster", value=4, demand="1 rum").play("flag right")) == [
        "Red sends the ship off at the Harbormaster’s office.",
        "Ship 1 sails: its time is up.",
    ]
    assert log_of(in_building("customs", demand="1 rum").play("clear rum"))[1] == "Ship 1 sails, fully loaded."


def in_delivery_round() -> Table:
    table = Table(2).lay(car="alonso", value=3, demand="2 rum 1 citrus").seat("red", goods="2 rum")
    return table.seat("blue", goods="1 wood").play("drive 1", "deliver 2 rum")


def test_deliveries_and_a_full_ship():
    table = in_delivery_round()
    assert log_of(table) == ["Red delivers 2 rum for 6 points."]
    assert log_of(table.play("deliver 1 wood citrus")) == [
        "Blue delivers 1 wood in place of citrus fruit for 1 point.",
        "Ship 1 sails, fully loaded.",
    ]


def test_everyone_passes():
    table = in_delivery_round().play("pass")
    assert log_of(table) == ["Blue passes."]
    assert log_of(table.play("pass")) == [
        "Red passes.",
        "Everyone has passed: the delivery round ends.",
        "The value of goods rises to 4.",
    ]


# --- the end


def test_the_last_exchange():
    table = Table(2).lay(car="alonso", ship=7, demand="1 rum").seat("red", goods="1 rum 3 wood")
    table.seat("blue", goods="2 sugar").play("drive 1", "deliver 1 rum")
    assert log_of(table) == [
        "Red delivers 1 rum for 2 points.",
        "Ship 7 sails, fully loaded.",
        "Red exchanges leftover goods for 1 point.",
        "The game is over.",
        "Red wins with 5 points.",
    ]


@pytest.mark.parametrize(
    ("reason", "winners", "line"),
    [
        ("points", (1,), "Bo wins with 20 points."),
        ("goods", (1,), "Bo wins with 20 points: tied on points, but with more goods left over."),
        ("pesos", (1,), "Bo wins with 20 points: tied on points and goods, but with more pesos."),
        ("shared", (0, 1, 2), "A shared victory, with 20 points each: Ana, Bo, Iván."),
    ],
)
def test_the_result_says_what_decided(reason, winners, line):
    outcome = Outcome(winners, (1, 1, 1), (20, 20, 20), reason)
    assert [str(phrase) for phrase in tell_result(outcome, ["Ana", "Bo", "Iván"])] == [line]
