"""What the one who acts is asked for, and what the others wait for, in every phase."""

import pytest

from malecon.kernel.verbs import CHANCE
from malecon.match import Match
from malecon.text import LANGUAGES, prompt, translate
from tests.games.santiago.table import Table, in_building
from tests.text.phrases import random_match


def prompts(table: Table, language: str = "en") -> tuple[str, str]:
    """For the one who acts, and for a spectator."""
    turn = table.match.turn
    return tuple(translate(prompt(table.match.view(seat), seat), language) for seat in (turn, None))


def arriving(cuban: str, **lay: object) -> Table:
    return Table(names=["Ana", "Bo", "Cy"]).lay(car=cuban, **lay).play("drive 1")


@pytest.mark.parametrize(
    ("table", "own", "others"),
    [
        (lambda: Table(names=["Ana", "Bo", "Cy"]), "Drive the car", "Waiting for Ana to drive"),
        (lambda: arriving("miguel"), "Choose a good from Pablo", "Waiting for Ana to choose a good"),
        (lambda: arriving("pablo"), "Seize a building, or decline", "Waiting for Ana to consult Alonso"),
        (lambda: arriving("port"), "Choose a building under a white flower", "Waiting for Ana to choose a building"),
        (
            lambda: arriving("conchita"),
            "El Zorro robs you: choose what to give Ana",
            "Waiting for Bo to give Ana something",
        ),
        (lambda: arriving("alonso"), "Deliver goods to the ship, or pass", "Waiting for Ana to deliver"),
        (lambda: in_building("bank"), "Use the Bank, or decline", "Waiting for Red to use the Bank"),
        (
            lambda: Table(dice=None).roll("1 1 1 1 1"),
            "Choose the die to leave out",
            "Waiting for Yellow to choose the new demand",
        ),
    ],
)
def test_prompts(table, own, others):
    assert prompts(table()) == (own, others)


def test_alonso_offers_only_what_he_can_do():
    table = Table().lay(car="pablo").seat("red", owns="bank")
    assert prompts(table.play("drive 1"))[0] == "Seize a building, use one of yours, or decline"
    table = Table().lay(car="pablo").seat("red", owns="bank church casino")
    assert prompts(table.play("drive 1"))[0] == "Use one of your buildings, or decline"


def test_waiting_for_chance_and_the_end():
    match, seen = Match("santiago", 2), []
    while match.turn == CHANCE:
        text = translate(prompt(match, None), "en")
        if text not in seen:
            seen.append(text)
        match.push(match.legal_moves[0])
    assert seen == [
        "The buildings are being laid out",
        "The Cubans are taking their places",
        "The starting player is being drawn",
        "The dice are rolling",
    ]
    over = random_match(1, 2)
    for language, text in zip(
        LANGUAGES,
        ("The game is over", "Die Partie ist zu Ende", "La partida ha terminado", "La partita è finita"),
        strict=True,
    ):
        assert translate(prompt(over, 0), language) == text


def test_prompts_in_other_languages():
    table = arriving("port")
    assert prompts(table, "de") == (
        "Wähle ein Gebäude unter einer weißen Blume",
        "Warten, bis Ana ein Gebäude wählt",
    )
    assert prompts(table, "es") == ("Elige un edificio bajo una flor blanca", "Esperando a que Ana elija un edificio")
    assert prompts(table, "it") == ("Scegli un edificio sotto un fiore bianco", "In attesa che Ana scelga un edificio")
