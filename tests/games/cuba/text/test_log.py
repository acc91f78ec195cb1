"""The story of a game of Cuba: who did what, and what came of it for whom; nothing that lies face down."""

import pytest

from malecon.games.cuba import moves
from malecon.games.cuba.text import tell_move, tell_result
from malecon.match import Outcome
from malecon.text import story as text_story
from tests.games.cuba.table import Table, with_card
from tests.text.phrases import lines


def log_of(table: Table, language: str = "en") -> list[str]:
    return lines(table.match, language=language)


# --- setup and rounds


def test_ships_and_starting_player_are_told():
    table = Table(proposals=None)
    story = [str(line) for said in text_story(table.match) for line in said]
    assert story == [
        "A ship docks at berth 2: 1 sugar cane, 1 citrus fruit, 1 tobacco, 1 rum, 1 cigar.",
        "A ship docks at berth 1: 1 sugar cane, 2 citrus fruits, 2 cigars.",
        "A ship appears on the high seas: 1 citrus fruit, 2 tobacco, 1 rum, 1 cigar.",
        "Blue starts the game.",
    ]


def test_start_goods_are_told_together():
    table = Table(proposals=None).play("materials wood wood")
    assert log_of(table) == []
    table.play("crops sugar citrus")
    assert log_of(table) == ["Blue starts with 1 sugar cane, 1 citrus fruit and 2 wood."]
    assert log_of(table, "de") == ["Blau erhält zu Beginn 1 Zuckerrohr, 1 Zitrusfrucht und 2 Holz."]


def test_the_round_begins_and_the_proposals_are_told_together():
    table = Table(proposals=None).play(*("materials wood stone", "crops sugar citrus") * 3)
    assert log_of(table)[1:] == ["Round 1: Blue plays first."]
    table.propose("tax 3", "duty water", "subsidy water")
    assert log_of(table) == []
    table.propose("other harbour")
    laws = "“Tax of 3 pesos”, “Duty of 1 water”, “Subsidy for water”, “Harbour law”"
    assert log_of(table) == [f"The proposals: {laws}."]
    assert log_of(table, "it") == [
        "Proposte di legge: «Tassa di 3 pesos», «Tributo di 1 acqua», «Sovvenzione per acqua», «Legge portuale»."
    ]


# --- the characters


def test_the_worker_is_told_with_the_field_and_the_goods():
    table = with_card("worker")
    assert log_of(table) == []
    assert log_of(table.play("field 6")) == ["Blue plays the Worker, moves to field 6 and gets 2 wood and 1 stone."]
    table = with_card("worker").play("field 1")
    assert log_of(table) == ["Blue plays the Worker, stays on field 1 and gets 1 wood and 1 stone."]
    assert log_of(with_card("worker", supply="0 wood 0 stone 0 water").play("field 9"))[0] == (
        "Blue plays the Worker and moves to field 9."
    )


def test_the_harvest_is_told_together():
    table = with_card("worker", yard="1 water").play("field 9", "harvest sugar")
    assert log_of(table) == []
    assert log_of(table.play("harvest citrus")) == ["Blue harvests 1 sugar cane and 1 citrus fruit."]
    assert log_of(table.play("irrigate tobacco"))[0] == "Blue also harvests 1 tobacco for 1 water."


def test_an_empty_supply_is_told():
    table = with_card("worker", supply="0 stone").play("field 6")
    assert log_of(table)[1:] == ["The supply has no stone left."]
    assert log_of(table, "es")[1:] == ["En la reserva no hay más piedra."]


def test_the_merchant():
    table = with_card("merchant", pesos=9, yard="1 tobacco").play("buy sugar")
    assert log_of(table) == ["Blue plays the Merchant and buys 1 sugar cane for 4 pesos."]
    assert log_of(table.play("sell tobacco")) == ["Blue sells 1 tobacco for 3 pesos."]
    assert log_of(table.play("done")) == []
    table = with_card("merchant").play("pick wood")
    assert log_of(table, "de") == ["Blau spielt die Händlerin und erhält kostenlos 1 Holz."]
    assert log_of(with_card("merchant").play("done")) == ["Blue plays the Merchant, but does not trade."]
    table = Table().everybody(pesos=0, yard="")
    table.position.material_picked = table.position.crop_picked = 1
    assert log_of(table.play("merchant")) == ["Blue plays the Merchant, but cannot trade."]


def test_the_architect():
    table = with_card("architect", yard="2 wood 2 stone", pesos=2, law={"other": "building"})
    assert log_of(table.play("build church")) == []
    table.play("on 5")
    assert log_of(table) == [
        "Blue plays the Architect and builds the Church on field 5 for 2 wood, 2 stone and 2 pesos."
    ]
    assert log_of(table, "de") == [
        "Blau spielt den Architekten und baut die Kirche auf Feld 5 für 2 Holz, 2 Stein und 2 Pesos."
    ]
    assert log_of(with_card("architect")) == ["Blue plays the Architect, builds nothing and gets 2 points."]
    assert log_of(with_card("architect", yard="2 stone").play("forgo"), "es") == [
        "Azul juega el Arquitecto, no construye nada y recibe 2 puntos."
    ]
    table = Table().everybody(yard="")
    table.position.not_built = 2
    assert log_of(table.play("architect")) == ["Blue plays the Architect, but builds nothing."]


def test_the_mayor():
    table = with_card("mayor", yard="1 rum 1 citrus").play("ship 2 rum")
    assert log_of(table) == ["Blue plays the Mayor and loads 1 rum at berth 2 for 2 points."]
    assert log_of(table.play("ship 2 citrus")) == ["Blue loads 1 citrus fruit at berth 2 for 2 points."]
    assert log_of(with_card("mayor"), "it") == ["Blu gioca il Sindaco, non consegna nulla e ottiene 4 pesos."]
    table = Table().everybody(yard="")
    table.position.not_shipped = 2
    assert log_of(table.play("mayor")) == ["Blue plays the Mayor, but delivers nothing."]


def test_under_the_harbour_law_a_full_ship_sails_at_once():
    berths = {2: "sctrr with 1 sugar 1 citrus 1 tobacco 1 rum"}
    table = with_card("mayor", yard="1 rum", law={"other": "harbour"}, berths=berths)
    assert log_of(table.play("ship 2 rum")) == [
        "Blue plays the Mayor and loads 1 rum at berth 2 for 2 points.",
        "The ship at berth 2 sails, fully loaded.",
        "The other ships move up.",
    ]


@pytest.mark.parametrize(
    ("building", "move", "line"),
    [
        ("warehouse", "store", "Blue stores 2 sugar cane, 1 citrus fruit and 2 tobacco in the warehouse."),
        ("cement works", "grind 2 stone", "Blue trades 2 stone for 2 points at the Cement works."),
        ("sawmill", "saw 1 wood", "Blue trades 1 wood for 1 point at the Sawmill."),
        ("golf course", "sprinkle 2 water", "Blue trades 2 water for 2 points at the Golf course."),
        ("monastery", "donate sugar tobacco", "Blue trades 1 sugar cane and 1 tobacco for 2 points at the Monastery."),
        ("monastery", "donate sugar sugar", "Blue trades 2 sugar cane for 2 points at the Monastery."),
        ("rum cafe", "serve 2 rum", "Blue trades 2 rum for 4 points at the Rum café."),
        ("cigar cafe", "serve 1 cigars", "Blue trades 1 cigar for 2 points at the Cigar café."),
        ("small office", "consign 2 rum", "Blue uses the Small office and loads 1 rum at berth 2 for 2 points."),
        (
            "large office", "dispatch 1 cigars cigars",
            "Blue uses the Large office and loads 2 cigars at berth 1 for 2 points.",
        ),
        ("hotel", "use hotel", "Blue gets 2 points at the Hotel."),
        ("hostel", "use hostel", "Blue gets 1 point at the Hostel."),
        ("ware shop", "vend rum", "Blue sells 1 rum for 6 pesos at the Trading house."),
        ("crop shop", "vend tobacco", "Blue sells 1 tobacco for 4 pesos at the Farm shop."),
        ("material shop", "vend wood water", "Blue sells 1 wood and 1 water for 4 pesos at the Materials depot."),
        ("small bank", "use small bank", "Blue gets 2 pesos at the Small bank."),
        ("large bank", "use large bank", "Blue gets 4 pesos at the Large bank."),
        ("black market", "swap rum sugar", "Blue trades 1 rum for 1 sugar cane at the Black market."),
        ("cigar factory", "make 2 cigars", "Blue trades 2 tobacco for 2 cigars at the Cigar factory."),
        ("distillery", "make 1 rum", "Blue trades 1 sugar cane for 1 rum at the Distillery."),
        ("church", "veto tax", "Blue vetoes “Tax of 3 pesos” at the Church."),
        ("town hall", "use town hall", "Blue gets 2 votes for parliament at the Town hall."),
        ("dam", "use dam", "Blue gets 2 water at the Dam."),
        (
            "lighthouse", "call sctrr",
            (
"Blue uses the Lighthouse and replaces the ship on the high seas: 1 sugar cane, 1 citrus fruit, "
"1 tobacco, 2 rum."
),
        ),
    ],
)  # fmt: skip
def test_uses_tell_what_is_given_and_gained(building, move, line):
    goods = "2 sugar 1 citrus 2 tobacco 2 rum 2 cigars 2 wood 2 stone 2 water"
    table = with_card("foreman", yard=goods, built={5: building})
    assert log_of(table) == ["Blue plays the Foreman."]
    assert log_of(table.play(move)) == [line]
    for language in ("de", "es", "it"):
        assert log_of(table, language) != [line]


def test_the_foreman_may_have_nothing_to_do():
    assert log_of(with_card("foreman")) == ["Blue plays the Foreman, but cannot use any building."]
    assert log_of(with_card("foreman", built={5: "hotel"}).play("done")) == ["Blue uses no building."]
    assert log_of(with_card("foreman", built={5: "hotel", 2: "hostel"}).play("use hotel", "done")) == []


def test_buildings_in_other_languages():
    table = with_card("foreman", built={5: "golf course"}, yard="1 water").play("sprinkle 1 water")
    assert log_of(table, "de")[0] == "Blau tauscht auf dem Golfplatz 1 Wasser gegen 1 Siegpunkt."
    assert log_of(table, "es")[0] == "Azul cambia 1 agua por 1 punto en el Campo de golf."
    assert log_of(table, "it")[0] == "Blu scambia 1 acqua con 1 punto al Campo da golf."


# --- secrets


def test_bids_are_told_only_when_all_are_in():
    table = Table().everybody(pesos=9).to_parliament(blue="mayor", red="foreman")
    assert log_of(table) == [
        "Yellow plays the Merchant, but does not trade.",
        "Yellow becomes the starting player.",
        "Parliament meets: Yellow (Worker, 1 vote), Blue (Mayor, 5 votes), Red (Foreman, 4 votes).",
    ]
    assert log_of(table.play("bid 2")) == ["Yellow makes a secret bid."]
    assert log_of(table.play("bid 0")) == ["Blue makes a secret bid."]
    table.play("bid 1")
    assert log_of(table) == [
        "Red makes a secret bid.",
        "The bids: Blue 0 pesos, Red 1 peso, Yellow 2 pesos.",
        "Tied at 5 votes, and bidding again: Blue, Red.",
    ]
    assert log_of(table.play("bid 0")) == ["Blue makes a secret bid."]
    table.play("bid 0")
    assert log_of(table) == [
        "Red makes a secret bid.",
        "The second bids: Blue 0 pesos, Red 0 pesos.",
        "Blue wins the vote with 5 votes: tied with others, but first in turn order.",
    ]
    assert log_of(table, "de")[1:] == [
        "Die zweiten Gebote: Blau 0 Pesos, Rot 0 Pesos.",
        ("Blau gewinnt die Abstimmung mit 5 Stimmen: gleichauf mit anderen, aber früher in der Zugreihenfolge."),
    ]


def different_stories(table: Table, first: int, count: int) -> int:
    """How many, over all the moves that could lie face down now."""
    before, after = table.position.copy(), table.position.copy()
    after.actor = (after.actor + 1) % 3
    codes = range(first, first + count)
    return len({tuple(map(str, tell_move(before, after, code, [], table.match.names))) for code in codes})


def test_the_story_gives_no_bid_and_no_envoy_away():
    table = Table(envoys=True).everybody(pesos=9)
    assert different_stories(table, moves.ENVOY, 5) == 1
    assert log_of(table.play("envoy mayor")) == ["Blue places a card for parliament face down."]
    assert different_stories(Table().everybody(pesos=9).to_parliament(), moves.BID, 10) == 1


def test_without_money_nobody_bids():
    table = Table().everybody(pesos=0).to_parliament()
    assert log_of(table)[2:] == [
        "Parliament meets: Yellow (Worker, 1 vote), Blue (Worker, 1 vote), Red (Worker, 1 vote).",
        "Tied at 1 vote, with no pesos left to bid: Blue, Red, Yellow.",
        "Yellow wins the vote with 1 vote: tied with others, but first in turn order.",
    ]


def test_the_corruption_law_forbids_bids():
    table = Table().everybody(pesos=9).lay(law={"other": "corruption"}).to_parliament(red="mayor")
    assert log_of(table)[2:] == [
        "Parliament votes, and nobody may bid: Yellow (Worker, 1 vote), Blue (Worker, 1 vote), Red (Mayor, 5 votes).",
        "Red wins the vote with 5 votes.",
    ]


# --- laws and the end of a round


def yellow_enacts(table: Table, laws: str) -> Table:
    """Without bids; Red has become the starting player, so Blue pays last."""
    return table.lay(law={"other": "corruption"}).to_parliament(yellow="mayor").play(f"enact {laws}")


def test_tax_duty_and_the_point_for_both():
    table = yellow_enacts(Table().everybody(pesos=9, yard="").seat("blue", yard="1 water"), "tax duty")
    assert log_of(table) == ["Yellow enacts “Tax of 3 pesos” and “Duty of 1 water”."]
    assert log_of(table.play("pay tax")) == ["Red pays 3 pesos in tax and gets 2 points."]
    assert log_of(table.play("refuse tax")) == ["Yellow does not pay the tax."]
    assert log_of(table.play("pay tax")) == [
        "Blue pays 3 pesos in tax and gets 2 points.",
        "Unable to pay the duty: Red, Yellow.",
    ]
    assert log_of(table.play("pay duty"))[0] == (
        "Blue pays 1 water in duty and gets 2 points, and 1 point more for paying both tax and duty."
    )
    assert log_of(table, "de")[0] == (
        "Blau zahlt 1 Wasser als Abgabe und erhält 2 Siegpunkte, dazu 1 Siegpunkt für Steuer und Abgabe zusammen."
    )


def test_duty_alone_and_refused():
    table = yellow_enacts(Table().everybody(pesos=0, yard="1 water"), "tax duty")
    assert log_of(table)[1:] == ["Unable to pay the tax: Red, Yellow, Blue."]
    assert log_of(table.play("pay duty")) == ["Red pays 1 water in duty and gets 2 points."]
    assert log_of(table.play("refuse duty"), "it") == ["Giallo non paga il tributo."]


def test_who_owes_nothing_and_who_has_nothing():
    table = Table(proposals=("tax buildings", "duty water", "subsidy water", "other surplus"))
    table.everybody(pesos=1, yard="").seat("red", built={5: "hotel", 6: "hostel"})
    assert log_of(yellow_enacts(table, "tax other")) == [
        "Yellow enacts “Tax of 1 peso per building” and “Surplus law”.",
        "Red cannot pay the tax.",
        "Yellow owes no tax and gets 2 points.",
        "Blue owes no tax and gets 2 points.",
        "Unable to pay the duty: Red, Yellow, Blue.",
        "The Surplus law brings 2 sugar cane, 2 citrus fruits and 2 tobacco onto the market.",
        "The ships move up.",
    ]


def test_subsidies_and_shortage_and_what_is_lost():
    table = Table(proposals=("tax 5", "duty tobacco", "subsidy water", "other shortage")).lay(round_number=2)
    table.everybody(pesos=0, yard="").seat("blue", yard="2 water 3 citrus").seat("red", yard="1 water 1 sugar")
    yellow_enacts(table, "subsidy other").play("refuse duty")
    assert log_of(table) == [
        "Blue does not pay the duty.",
        "Subsidy for water: Red 1 point, Blue 2 points.",
        "The Shortage law takes 2 sugar cane, 2 citrus fruits and 2 tobacco off the market.",
        "Blue loses 3 citrus fruits from the yard.",
        "Red loses 1 sugar cane from the yard.",
        "The ships move up.",
    ]


def test_the_ship_at_berth_3_sails_in_any_case():
    table = Table().lay(round_number=2, berths={3: "ttcrr"}).everybody(pesos=0, yard="")
    yellow_enacts(table, "tax subsidy")
    assert log_of(table)[-2:] == ["The ship at berth 3 sails: its time is up.", "The other ships move up."]
    assert log_of(table, "es")[-2] == "El barco del muelle 3 zarpa: se le acabó el tiempo."


def test_the_end_of_the_game():
    table = Table().lay(round_number=6).everybody(pesos=0, yard="", points=10)
    table.seat("red", built={5: "hotel", 6: "hostel"}, pesos=0).seat("blue", built={5: "dam"})
    yellow_enacts(table, "tax subsidy")
    assert log_of(table)[-3:] == [
        "For buildings: Blue 2 points, Red 4 points.",
        "The game is over.",
        "Red wins with 14 points.",
    ]


@pytest.mark.parametrize(
    ("reason", "winners", "line"),
    [
        ("points", (1,), "Bo wins with 70 points."),
        ("pesos", (1,), "Bo wins with 70 points: tied on points, but with more pesos."),
        ("shared", (0, 1, 2), "A shared victory, with 70 points each: Ana, Bo, Iván."),
    ],
)
def test_the_result_says_what_decided(reason, winners, line):
    outcome = Outcome(winners, (1, 1, 1), (70, 70, 70), reason)
    assert [str(phrase) for phrase in tell_result(outcome, ["Ana", "Bo", "Iván"])] == [line]
