"""What Cuba's buttons say: every move has a label wherever it can occur, in every language."""

import pytest

from malecon import games
from malecon.text import describe_move, translate
from tests.games.cuba.table import Table, with_card

GAME = games.get("cuba")


def label(table: Table, move: str, language: str = "en") -> str:
    return translate(describe_move(table.match.view(table.match.turn), GAME.notation.code(move)), language)


def test_cards_and_start_goods():
    table = Table(proposals=None)
    assert label(table, "materials wood wood") == "Take 2 wood"
    assert label(table, "materials wood stone", "de") == "Nimm 1 Holz und 1 Stein"
    assert (
        label(table.play("materials wood stone"), "crops sugar citrus", "es") == "Recibir 1 caña de azúcar y 1 cítrico"
    )
    assert label(Table(), "architect", "de") == "Spiele den Architekten"
    assert label(Table(), "merchant", "it") == "Gioca la Commerciante"
    envoys = Table(envoys=True)
    assert label(envoys, "envoy mayor") == "Keep the Mayor for parliament: 5 votes"
    assert label(envoys, "envoy worker", "de") == "Hebe den Arbeiter für das Parlament auf: 1 Stimme"


def test_the_worker_sees_what_is_within_reach():
    table = with_card("worker", built={2: "dam"})
    reach = "1 sugar cane, 1 citrus fruit, 1 tobacco, 1 stone"
    assert label(table, "field 1") == f"Stay on field 1: {reach} within reach"
    assert label(table, "field 6", "de") == (
        "Ziehe auf Feld 6: in Reichweite 1 Zuckerrohr, 1 Zitrusfrucht, 1 Tabak, 1 Holz, 1 Stein"
    )
    full = with_card("worker", built=dict.fromkeys((2,), "dam") | {3: "hotel", 4: "hostel", 5: "church", 9: "sawmill"})
    assert label(full, "field 1") == "Stay on field 1"
    table.play("field 7")
    assert label(table, "harvest sugar") == "Harvest 1 sugar cane"


def test_watering():
    table = with_card("worker", yard="1 water").play("field 9")
    table.play("harvest sugar", "harvest citrus")
    assert label(table, "irrigate tobacco", "de") == "Ernte 1 Tabak für 1 Wasser"
    assert label(table, "done", "es") == "Quedarse con el agua"


def test_the_merchant_names_prices():
    table = with_card("merchant", pesos=9, yard="1 rum")
    assert label(table, "buy sugar") == "Buy 1 sugar cane for 4 pesos"
    assert label(table, "sell rum", "de") == "Verkaufe 1 Rum für 4 Pesos"
    assert label(table, "pick water", "it") == "Ottieni 1 acqua gratis"
    assert label(table, "pick citrus", "es") == "Recibir 1 cítrico gratis"
    assert label(table, "done") == "Do not trade"
    assert label(table.play("buy sugar"), "done") == "Finish trading"


def test_the_architect_names_costs_and_fields():
    table = with_card("architect", yard="2 wood 2 stone 1 water", pesos=5, law={"other": "building"})
    assert label(table, "build hotel") == "Build the Hotel for 2 wood, 2 stone, 1 water and 2 pesos"
    assert label(table, "build dam", "de") == "Baue den Staudamm für 2 Stein und 2 Pesos"
    assert label(table, "forgo", "it") == "Non costruire nulla e ottieni 2 punti"
    table.play("build hotel")
    assert label(table, "on 12") == "Build on field 12 (lake)"
    assert label(table, "on 6", "de") == "Baue auf Feld 6 (Gebirge)"


def test_the_mayor_names_berths():
    table = with_card("mayor", yard="2 rum 1 citrus")
    assert label(table, "ship 2 rum") == "Load 1 rum at berth 2 for 2 points"
    assert label(table, "forgo", "es") == "No entregar nada y recibir 4 pesos"
    assert label(table.play("ship 2 rum"), "done") == "Finish loading"


@pytest.mark.parametrize(
    ("building", "move", "text"),
    [
        ("warehouse", "store", "Warehouse: Store 2 sugar cane, 1 citrus fruit and 2 tobacco"),
        ("cement works", "grind 2 stone", "Cement works: Trade 2 stone for 2 points"),
        ("sawmill", "saw 1 wood", "Sawmill: Trade 1 wood for 1 point"),
        ("golf course", "sprinkle 2 water", "Golf course: Trade 2 water for 2 points"),
        ("monastery", "donate sugar", "Monastery: Trade 1 sugar cane for 1 point"),
        ("monastery", "donate sugar citrus", "Monastery: Trade 1 sugar cane and 1 citrus fruit for 2 points"),
        ("rum cafe", "serve 2 rum", "Rum café: Trade 2 rum for 4 points"),
        ("cigar cafe", "serve 1 cigars", "Cigar café: Trade 1 cigar for 2 points"),
        ("small office", "consign 2 rum", "Small office: Load 1 rum at berth 2 for 2 points"),
        ("large office", "dispatch 1 cigars cigars", "Large office: Load 2 cigars at berth 1 for 2 points"),
        ("large office", "dispatch 1 citrus", "Large office: Load 1 citrus fruit at berth 1 for 1 point"),
        ("hotel", "use hotel", "Hotel: Take 2 points"),
        ("hostel", "use hostel", "Hostel: Take 1 point"),
        ("ware shop", "vend rum", "Trading house: Sell 1 rum for 6 pesos"),
        ("crop shop", "vend tobacco", "Farm shop: Sell 1 tobacco for 4 pesos"),
        ("material shop", "vend wood", "Materials depot: Sell 1 wood for 2 pesos"),
        ("material shop", "vend wood water", "Materials depot: Sell 1 wood and 1 water for 4 pesos"),
        ("small bank", "use small bank", "Small bank: Take 2 pesos"),
        ("large bank", "use large bank", "Large bank: Take 4 pesos"),
        ("black market", "swap rum sugar", "Black market: Trade 1 rum for 1 sugar cane"),
        ("black market", "swap sugar cigars", "Black market: Trade 1 sugar cane for 1 cigar"),
        ("cigar factory", "make 2 cigars", "Cigar factory: Trade 2 tobacco for 2 cigars"),
        ("distillery", "make 1 rum", "Distillery: Trade 1 sugar cane for 1 rum"),
        ("church", "veto tax", "Church: Veto “Tax of 3 pesos”"),
        ("town hall", "use town hall", "Town hall: Take 2 votes"),
        ("dam", "use dam", "Dam: Take 2 water"),
        ("lighthouse", "call sctrr", "Lighthouse: Choose the ship for 1 sugar cane, 1 citrus fruit, 1 tobacco, 2 rum"),
    ],
)
def test_uses_name_their_building_and_what_is_given_and_gained(building, move, text):
    goods = "2 sugar 1 citrus 2 tobacco 2 rum 2 cigars 2 wood 2 stone 2 water"
    table = with_card("foreman", yard=goods, built={5: building})
    assert move in table.moves
    assert label(table, move) == text


def test_ending_the_foremans_work():
    table = with_card("foreman", built={5: "hotel", 2: "hostel"})
    assert label(table, "done", "de") == "Nutze kein Gebäude"
    assert label(table.play("use hotel"), "done") == "Use no more buildings"


def test_bids_and_laws():
    table = Table().everybody(pesos=9, yard="1 citrus 1 water").to_parliament(blue="mayor")
    assert label(table, "bid 0") == "Bid nothing"
    assert label(table, "bid 3", "de") == "Biete 3 Pesos"
    table.play("bid 3", "bid 0", "bid 0")
    assert label(table, "enact tax duty", "es") == "Aprobar «Impuesto de 3 pesos» y «Tributo de 1 agua»"
    assert label(table, "enact subsidy other", "it") == "Approva «Sovvenzione per acqua» e «Legge portuale»"
    table.play("enact tax subsidy")
    assert label(table, "pay tax") == "Pay 3 pesos for 2 points"
    assert label(table, "refuse tax") == "Do not pay the tax"
    table.play("pay tax", "refuse tax", "refuse tax")
    assert label(table, "pay duty") == "Pay 1 citrus fruit for 3 points"
    table.play("pay duty")
    assert label(table, "pay duty", "de") == "Zahle 1 Zitrusfrucht für 2 Siegpunkte"
    assert label(table, "refuse duty", "de") == "Leiste keine Abgabe"


def test_chance_is_labelled_too():
    assert label_of_chance("draw sctrr") == "Draw the ship for 1 sugar cane, 1 citrus fruit, 1 tobacco, 2 rum"
    assert label_of_chance("propose other drought", "de") == "Schlage „Dürregesetz“ vor"
    assert label_of_chance("starter red", "it") == "Inizia Rosso"


def label_of_chance(move: str, language: str = "en") -> str:
    return translate(describe_move(Table().match, GAME.notation.code(move)), language)
