"""What Cuba asks of the one who acts, and what the others wait for, in every phase."""

import pytest

from malecon.text import prompt, translate
from tests.games.cuba.table import Table, with_card

NAMES = ["Ana", "Bo", "Cy"]


def prompts(table: Table, language: str = "en") -> tuple[str, str]:
    """For the one who acts, and for a spectator."""
    turn = table.match.turn
    return tuple(translate(prompt(table.match.view(seat), seat), language) for seat in (turn, None))


@pytest.mark.parametrize(
    ("table", "own", "others"),
    [
        (
            lambda: Table(proposals=None, names=NAMES),
            "Choose two materials to start with",
            "Waiting for Ana to choose materials",
        ),
        (
            lambda: Table(proposals=None, names=NAMES).play("materials wood wood"),
            "Choose two crops to start with",
            "Waiting for Ana to choose crops",
        ),
        (
            lambda: Table(envoys=True, names=NAMES),
            "Choose the card for parliament; it stays face down until then",
            "Waiting for Ana to choose a card for parliament",
        ),
        (lambda: Table(names=NAMES), "Play a card", "Waiting for Ana to play a card"),
        (
            lambda: with_card("worker"),
            "Place your figure and harvest its row and column",
            "Waiting for Blue to place the figure",
        ),
        (lambda: with_card("worker").play("field 9"), "Choose 2 crops", "Waiting for Blue to harvest"),
        (
            lambda: with_card("worker", law={"other": "drought"}).play("field 9"),
            "Choose 1 crop",
            "Waiting for Blue to harvest",
        ),
        (
            lambda: with_card("worker").play("field 12", "harvest sugar", "harvest tobacco"),
            "Harvest more for water, or keep the water",
            "Waiting for Blue to harvest",
        ),
        (
            lambda: with_card("merchant", pesos=9),
            "Buy and sell on the market, or take something for free",
            "Waiting for Blue to trade",
        ),
        (
            lambda: with_card("architect", yard="2 stone"),
            "Choose a building, or build nothing",
            "Waiting for Blue to build",
        ),
        (
            lambda: with_card("architect", yard="2 stone").play("build dam"),
            "Choose a field for the Dam",
            "Waiting for Blue to build",
        ),
        (lambda: with_card("foreman", built={5: "hotel"}), "Use your buildings", "Waiting for Blue to use buildings"),
        (
            lambda: with_card("mayor", yard="1 rum 1 citrus"),
            "Choose the ship to load, or deliver nothing",
            "Waiting for Blue to load a ship",
        ),
        (
            lambda: with_card("mayor", yard="1 rum 1 citrus").play("ship 2 rum"),
            "Load more at berth 2, or stop",
            "Waiting for Blue to load a ship",
        ),
        (lambda: bidding(), "Bid in secret: each peso is a vote", "Waiting for Cy to bid"),
        (
            lambda: bidding().play("bid 1", "bid 1", "bid 0"),
            "You are tied: bid again, in secret",
            "Waiting for Cy to bid again",
        ),
        (
            lambda: bidding().play("bid 3", "bid 0", "bid 0"),
            "You have won the vote: choose two laws",
            "Waiting for Cy to enact two laws",
        ),
        (lambda: taxed(), "Pay, or give up the points (Tax of 3 pesos)", "Waiting for Cy to decide on the tax"),
        (
            lambda: taxed().play("pay tax", "pay tax", "pay tax"),
            "Pay, or give up the points (Duty of 1 citrus fruit)",
            "Waiting for Cy to decide on the duty",
        ),
    ],
)
def test_prompts(table, own, others):
    assert prompts(table()) == (own, others)


def bidding() -> Table:
    """Everybody level; Cy has become the starting player."""
    return Table(names=NAMES).everybody(pesos=9).to_parliament()


def taxed() -> Table:
    return bidding().play("bid 3", "bid 0", "bid 0", "enact tax other")


def test_prompts_in_other_languages():
    table = with_card("architect", yard="2 water").play("build golf course")
    assert prompts(table, "de") == ("Wähle ein Feld für den Golfplatz", "Warten, bis Blau baut")
    assert prompts(table, "es") == ("Elige una casilla para el Campo de golf", "Esperando a que Azul construya")
    assert prompts(table, "it") == ("Scegli una casella per il Campo da golf", "In attesa che Blu costruisca")
