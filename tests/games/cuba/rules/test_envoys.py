"""The variant with envoys (rulebook p. 16): the parliament card is laid face down before the others are played."""

from malecon.games.cuba.position import UNKNOWN
from tests.games.cuba.table import Table


def with_envoys(*envoys: str, players: int = 3) -> Table:
    return Table(players, envoys=True).play(*(f"envoy {envoy}" for envoy in envoys))


def test_everybody_chooses_an_envoy_first():
    table = Table(3, envoys=True)
    assert table.moves == ["envoy worker", "envoy merchant", "envoy architect", "envoy foreman", "envoy mayor"]
    assert table.refusal("worker") == "first choose your card for parliament"
    order = []
    while table.phase == "envoy":
        order.append(table.turn)
        table.play("envoy mayor")
    assert order == ["blue", "red", "yellow"]
    assert (table.turn, table.phase) == ("blue", "card")


def test_the_envoy_cannot_be_played():
    table = with_envoys("mayor", "worker", "worker")
    assert table.moves == ["worker", "merchant", "architect", "foreman"]
    assert table.refusal("mayor") == "the Mayor is your card for parliament this round"


def test_without_the_variant_nobody_is_asked():
    assert Table(3).phase == "card"


def test_an_envoy_is_in_nobody_elses_view_until_parliament():
    table = with_envoys("mayor", "worker", "foreman")
    assert table.match.view(0).position.envoy[:3].tolist() == [4, UNKNOWN, UNKNOWN]
    assert table.match.view(2).position.envoy[:3].tolist() == [UNKNOWN, UNKNOWN, 3]
    assert table.match.view(None).position.envoy[:3].tolist() == [UNKNOWN, UNKNOWN, UNKNOWN]


def test_an_envoy_is_not_in_the_history_others_see():
    table = with_envoys("mayor", "worker", "foreman")
    seen = [turn.move for turn in table.match.view(1).history[-3:]]
    assert seen[0] is None
    assert str(seen[1]) == "envoy worker"
    assert seen[2] is None
    assert [turn.seat for turn in table.match.view(1).history[-3:]] == [0, 1, 2]


def test_while_envoys_are_chosen_those_chosen_are_hidden_too():
    table = with_envoys("mayor", "worker")
    assert table.match.view(2).position.envoy[:3].tolist() == [UNKNOWN] * 3
    assert [turn.move for turn in table.match.view(2).history[-2:]] == [None, None]


def test_no_journal_gives_an_envoy_away():
    table = with_envoys("mayor", "worker", "foreman")
    assert [table.match.events(len(table.match) - n) for n in (1, 2, 3)] == [[], [], []]


def play_four_cards(table: Table) -> None:
    table.everybody(yard="", pesos=0)
    while table.phase in ("card", "figure", "harvest", "irrigate", "trade", "build", "site", "use", "ship"):
        table.play(table.moves[-1])


def test_envoys_are_revealed_and_vote_in_parliament():
    table = with_envoys("mayor", "worker", "foreman")
    play_four_cards(table)
    assert table.phase == "bid"
    assert table.match.view(1).position.votes[:3].tolist() == [5, 1, 4]
    assert [str(turn.move) for turn in table.match.view(1).history if str(turn.move).startswith("envoy")] == [
        *("envoy mayor", "envoy worker", "envoy foreman"),
    ]


def test_the_envoy_of_the_next_round_is_chosen_again():
    table = with_envoys("mayor", "worker", "foreman")
    play_four_cards(table)
    while table.phase != "envoy":
        table.play(table.moves[0])
    assert table.position.envoy.tolist() == [UNKNOWN] * 5
    table.play("envoy merchant")
    viewer = (table.match.turn + 1) % 3
    history = table.match.view(viewer).history
    assert history[-1].move is None
    assert sum(turn.move is None for turn in history) == 1
