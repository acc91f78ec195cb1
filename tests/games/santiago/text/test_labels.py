"""What the buttons say: every move has a label wherever it can occur, in every language."""

import pytest

from malecon.kernel.randomness import below, randomness
from malecon.match import Match
from malecon.text import describe_move, translate
from tests.games.santiago.table import Table, in_building
from tests.text.phrases import GAME


def test_labels_read_nothing_behind_screens():
    match = Match("santiago", 3, seed=8)
    random = randomness(8)
    while not match.is_over:
        hidden = match.view(None)
        for move in match.legal_moves:
            assert describe_move(match, move) == describe_move(hidden, move)
        match.push(match.legal_moves[below(random, len(match.legal_moves))])


def label(table: Table, move: str, language: str = "en") -> str:
    return translate(describe_move(table.match.view(table.match.turn), GAME.notation.code(move)), language)


def test_drives_say_where_and_for_how_much():
    table = Table().seat("red", pesos=30)
    assert label(table, "drive 1") == "Drive to Pedro"
    assert label(table, "drive 3") == "Drive to José for 2 pesos"
    assert label(table, "drive 3", "de") == "Fahre für 2 Pesos zu José"
    assert label(table, "drive 3", "es") == "Conducir hasta José por 2 pesos"
    assert label(table, "drive 3", "it") == "Vai in auto da José per 2 pesos"
    assert label(table, "drive 10") == "Drive to the port for 9 pesos"
    assert label(table, "drive 13") == "Drive past the port to José for 12 pesos"
    assert label(table, "drive 20") == "Drive past the port and round to it again for 19 pesos"


def test_passing_says_what_is_forgone():
    assert label(in_building("bank"), "pass") == "Do not use the Bank"
    assert label(Table().lay(car="pablo").play("drive 1"), "pass") == "Decline Alonso’s help"
    assert label(Table().lay(car="alonso").play("drive 1"), "pass") == "Pass"


def test_deliveries_say_what_they_bring():
    table = (
        Table().lay(car="alonso", value=3, demand="2 rum 1 citrus").seat("red", goods="2 rum 2 wood").play("drive 1")
    )
    assert label(table, "deliver 2 rum") == "Deliver 2 rum for 6 points"
    assert label(table, "deliver 2 wood rum") == "Deliver 2 wood in place of rum for 2 points"
    assert label(table, "deliver 1 wood citrus", "de") == "Liefere 1 Holz als Ersatz für Zitrusfrüchte für 1 Siegpunkt"


@pytest.mark.parametrize(
    ("building", "move", "text"),
    [
        ("bank", "use bank", "Take 2 pesos"),
        ("church", "use church", "Take 1 point"),
        ("sawmill", "use sawmill", "Trade 1 wood for 1 point and 1 peso"),
        ("distillery", "make 2 rum", "Trade 2 sugar cane for 2 rum"),
        ("factory", "make 1 cigars", "Trade 1 tobacco for 1 cigar"),
        ("market", "swap rum sugar", "Trade 1 rum for 1 sugar cane"),
        ("market", "swap sugar cigars", "Trade 1 sugar cane for 1 cigar"),
        ("cafe", "serve rum", "Trade 1 rum for 2 points"),
        ("cafe", "serve cigars", "Trade 1 cigar for 2 points"),
        ("cafe", "serve rum cigars", "Trade 1 rum and 1 cigar for 4 points"),
        ("customs", "clear rum", "Turn the die to 0: rum"),
        ("casino", "buy 2 points", "Trade 6 pesos for 2 points"),
        ("casino", "sell 1 points", "Trade 1 point for 3 pesos"),
        ("harbormaster", "flag right", "Raise the value of goods to 4"),
        ("harbormaster", "flag left", "Lower the value of goods to 2"),
        ("office", "consign rum", "Deliver 1 rum for 2 points"),
        ("newspaper", "print", "Take 1 peso"),
        ("newspaper", "print pedro", "Get 1 peso and turn Pedro face down"),
    ],
)
def test_uses_say_what_is_given_and_gained(building, move, text):
    assert label(in_building(building, value=3, demand="1 rum"), move) == text


def test_the_last_flag_sends_the_ship_off():
    assert label(in_building("harbormaster", value=4), "flag right") == "Send the ship off"


def test_with_alonso_a_use_names_its_building():
    table = Table().lay(car="pablo").seat("red", owns="bank").play("drive 1")
    assert label(table, "use bank") == "Bank: Take 2 pesos"
    assert label(table, "use bank", "de") == "Bank: Nimm 2 Pesos"
    assert label(table, "seize church") == "Seize the Church"
    assert label(table, "seize church", "it") == "Acquisisci la Chiesa"


def test_what_others_choose():
    table = Table(names=["Ana", "Bo", "Cy"]).lay(car="conchita").play("drive 1")
    assert label(table, "give peso") == "Give Ana 1 peso"
    assert label(table, "give citrus", "es") == "Dar 1 cítrico a Ana"
    pablo = Table().lay(car="miguel").play("drive 1")
    assert label(pablo, "take cigars") == "Take 1 cigar"
    assert label(Table(dice=None).roll("1 4 1 1 0"), "leave citrus", "it") == "Escludi il dado: 4 agrumi"
