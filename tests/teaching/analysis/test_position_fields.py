"""Positions set up by hand: every one that play can reach comes back the same, and impossible ones are refused."""

from __future__ import annotations

import random

import numpy as np
import pytest

from malecon import games
from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadSetup
from malecon.match import Match
from malecon.teaching.analysis.position_fields import (
    BadPosition,
    fields_of,
    first_position,
    position_from_fields,
    setup_form_of,
)

#: What nobody can see: where a harbour went on that is full again, and who was last before envoys are sent.
UNSEEN = {"resume"}


def played(name: str, players: int, seed: int, **options: bool | str):
    """Matches in which somebody is to decide."""
    match, dice = Match(name, players, options=options, seed=seed), random.Random(seed)
    decisions = registry.component(name, "setup_form").DECISIONS
    while not match.is_over:
        match.push(dice.choice(list(match.legal_moves)))
        if not match.is_over and int(match.position.phase) in decisions and dice.random() < 0.12:
            yield match


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("santiago", 2, {}),
        ("santiago", 4, {"open_screens": True}),
        ("cuba", 2, {"envoys": True}),
        ("cuba", 3, {"plantations": "common"}),
        ("cuba", 5, {"count_warehouse": False}),
    ],
)
def test_positions_from_play_can_be_set_up(name, players, options):
    game, phases = games.get(name), set()
    for match in played(name, players, 3, **options):
        before = match.position
        after = position_from_fields(game, players, fields_of(game, before), match.options)
        ignored = UNSEEN | ({"active"} if match.phase == "envoy" else set())
        differ = [field for field in before.dtype.names if before[field].tobytes() != after[field].tobytes()]
        assert set(differ) <= ignored, match.phase
        phases.add(match.phase)
    assert len(phases) >= 4


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"goods.red.rum": 5, "goods.blue.rum": 4}, "there are only 8 of a kind: too much rum"),
        ({"piece.red": "bank", "piece.blue": "bank"}, "two pieces cannot stand on one building"),
        ({f"owner.{name}": "red" for name in ("bank", "church", "market", "cafe")}, "nobody has more than three"),
        ({"cuban_at.1": "pedro", "cuban_at.2": "pedro"}, "every Cuban stands at one stop"),
        ({"building_at.1": "bank", "building_at.2": "bank"}, "every building lies on one site"),
        ({f"demand.{good}": 0 for good in ("sugar", "citrus", "tobacco", "rum", "cigars")}, "when a turn begins"),
        ({"demand.rum": 4, "left_out": "cigars", "demand.cigars": 0}, "no die shows that amount of rum"),
        ({"demand.rum": 2, "left_out": "rum"}, "one die is left out"),
        ({"phase": "deliver", "car": 3}, "goods are delivered only if"),
        ({"phase": "use"}, "a piece off the board uses no building"),
        ({"phase": "visit", "car": 0}, "a piece moves only if"),
        ({"phase": "alonso", "car": 0}, "for this, the car must stand at Alonso"),
    ],
)
def test_impossible_positions_of_santiago(values, problem):
    with pytest.raises(BadPosition) as caught:
        position_from_fields(games.get("santiago"), 2, values)
    assert any(problem in str(reason) for reason in caught.value.violations), [
        str(reason) for reason in caught.value.violations
    ]


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"yard.blue.rum": 9}, "there are only 10 of a kind: too much rum"),
        ({"built.blue.2": "hotel", "built.red.2": "hotel"}, "there are not so many tiles: Hotel"),
        ({"built.blue.1": None}, "Blue: the printed warehouse lies on field 1"),
        ({"market.rum": 4}, "the market has no room for that amount of rum"),
        ({"ship_at.0": "sctrr", "ship_at.1": "sctrr"}, "every ship card lies in one place"),
        ({"ship_at.1": None}, "a ship lies at every berth"),
        ({"ship_at.1": "sctrr", "cargo.1.cigars": 1}, "the ship at berth 1 has no space"),
        ({"law.tax": None}, "a tax and a duty are always in force"),
        ({"round_number": 3}, "of six laws one is turned up in each round, so 3 are left"),
        ({"played.red": ["mayor"]}, "the number of cards played is"),
        ({"phase": "ship", "played.blue": ["worker"], "last_card.blue": "worker"}, "has just played another card"),
        ({"phase": "bid"}, "the number of cards played is 4 by now"),
        ({"envoy.blue": "mayor"}, "the envoy is a card that is not played"),
        ({"bid.red": 3}, "bids lie on the table only while people bid"),
        ({"bought": ["rum"]}, "something is filled in that belongs to another card"),
    ],
)
def test_impossible_positions_of_cuba(values, problem):
    with pytest.raises(BadPosition) as caught:
        position_from_fields(games.get("cuba"), 2, {"starter": "blue"} | values)
    assert any(problem in str(reason) for reason in caught.value.violations), [
        str(reason) for reason in caught.value.violations
    ]


@pytest.mark.parametrize("value", [-1, 9, True, 1.5, "2", None, [1]])
def test_a_value_that_does_not_fit_is_refused(value):
    with pytest.raises(BadSetup, match=r"goods\.red\.rum is a number from 0 to 8"):
        position_from_fields(games.get("santiago"), 2, {"goods.red.rum": value})


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"goods.green.rum": 1}, "there is no field"),  # two play
        ({"supply.rum": 1}, "there is no field"),  # it follows from what everybody has
        ({"phase": "roll"}, "phase cannot be"),
        ({"piece.red": "palace"}, "piece.red cannot be"),
        ({"face_down": "pedro"}, "face_down cannot be"),
        ({"face_down": ["pedro", "pancho"]}, "face_down cannot be"),
    ],
)
def test_unknown_fields_and_values(values, sentence):
    with pytest.raises(BadSetup, match=sentence):
        position_from_fields(games.get("santiago"), 2, values)


def test_a_position_from_fields_can_be_played_to_the_end():
    for name in games.names():
        game, dice = games.get(name), random.Random(1)
        position = position_from_fields(game, 3, {"pesos.red": 20})
        moves = np.empty(game.most_legal, np.int16)
        while verbs.actor(position) != verbs.NOBODY:
            verbs.play(position, int(moves[dice.randrange(verbs.legal(position, moves))]))


def test_the_first_position_of_a_form():
    assert first_position(games.get("cuba"), 5).players == 5
    assert setup_form_of(games.get("santiago")) is not None
