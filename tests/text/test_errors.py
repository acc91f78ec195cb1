"""Every refusal of the rules can be said in every language."""

import pytest

from malecon.games.santiago.rules.refusals import why_illegal
from malecon.text import sentence
from tests.games.santiago.table import Table
from tests.text.phrases import GAME


@pytest.mark.parametrize(
    ("language", "taken", "elsewhere", "poor"),
    [
        (
            "en",
            "The Bank is occupied by Blue’s piece.",
            "The Casino is not under a white flower.",
            "You have 3 pesos; this drive costs 4 pesos.",
        ),
        (
            "de",
            "Die Bank ist besetzt: Dort steht die Figur von Blau.",
            "Das Casino liegt nicht unter einer weißen Blume.",
            "Du hast 3 Pesos, diese Fahrt kostet 4 Pesos.",
        ),
        (
            "es",
            "En el Banco ya está el peón de Azul.",
            "El Casino no está bajo una flor blanca.",
            "Tienes 3 pesos y este viaje cuesta 4 pesos.",
        ),
        (
            "it",
            "La Banca ospita già il pedone di Blu.",
            "Il Casinò non si trova sotto un fiore bianco.",
            "Hai 3 pesos, questo viaggio costa 4 pesos.",
        ),
    ],
)
def test_refusals_name_the_rule(language, taken, elsewhere, poor):
    def refusal(table: Table, move: str) -> str:
        phrase = why_illegal(table.position, GAME.notation.code(move), table.match.names)
        return sentence(phrase, language)

    table = Table(white="bank church sawmill").seat("blue", on="bank")
    assert refusal(table, "drive 5") == poor
    table.play("drive 1")
    assert refusal(table, "visit bank") == taken
    assert refusal(table, "visit casino") == elsewhere
