"""Dice that can be checked: the documented formula, uniform, and a record in which any changed draw is found."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from malecon.cli import app
from malecon.kernel.errors import BadRecord
from malecon.kernel.verbs import CHANCE
from malecon.match import Match, Record, dice
from malecon.match.dice import Dice

SECRET = "00" * 31 + "01"


def played(game: str = "santiago", first: int = 0) -> Record:
    """A whole game with fair dice, from a move on."""
    match = Match(game, 3, seed=3)
    while len(match) < first:
        match.push(match.legal_moves[0])
    codes = [match.code_at(index) for index in range(first)]
    match = Match(game, 3)  # without a seed: from here on chance's moves are ours
    match.make_all(codes)
    own = Dice(dice.commitment_of(SECRET), len(match), SECRET)
    while match.turn is not None:
        legal = list(map(str, match.legal_moves))
        match.push(dice.choose(SECRET, len(match), legal) if match.turn == CHANCE else legal[len(match) % len(legal)])
    return Record.of(match, own)


def test_the_formula_is_the_documented_one() -> None:
    key = bytes.fromhex(SECRET)
    assert dice.commitment_of(SECRET) == hashlib.sha256(key).hexdigest()
    first = int.from_bytes(hmac.new(key, b"17:0", hashlib.sha256).digest()[:8], "big")
    assert dice.draw(SECRET, 17, 6) == first % 6
    assert (
        dice.choose(SECRET, 17, ["roll 10", "roll 2", "roll 1"]) == sorted(["roll 1", "roll 10", "roll 2"])[first % 3]
    )
    notation = Match("santiago", 2).game.notation  # codes are drawn as their texts are
    codes = [code for code in range(len(notation)) if notation.name(code).startswith("drive")]
    drawn = [dice.choose(SECRET, number, codes, notation.name) for number in range(40)]
    assert list(map(notation.name, drawn)) == [
        dice.choose(SECRET, number, map(notation.name, codes)) for number in range(40)
    ]
    # so many outcomes that every second try is thrown away: then the next one counts
    most = (1 << 63) + 1
    tries = (int.from_bytes(hmac.new(key, f"5:{n}".encode(), "sha256").digest()[:8], "big") for n in range(99))
    assert dice.draw(SECRET, 5, most) == next(value for value in tries if value < most)


def test_every_outcome_is_as_likely() -> None:
    counts = Counter(dice.draw(SECRET, number, 6) for number in range(12_000))
    spread = sum((count - 2_000) ** 2 / 2_000 for count in counts.values())
    assert set(counts) == set(range(6))
    assert spread < 20.5  # chi squared with 5 degrees of freedom: one in a thousand


@pytest.mark.parametrize("game", ["santiago", "cuba"])
@pytest.mark.parametrize("first", [0, 60])
def test_a_fair_record_is_proven(game: str, first: int) -> None:
    record = Record.from_json(played(game, first).to_json())
    proven, drawn = record.prove_dice()
    assert drawn > 5
    assert (proven == drawn) == (first == 0)
    assert 0 < proven <= drawn


def test_a_changed_draw_is_found_at_its_line(tmp_path: Path) -> None:
    record = played()
    match, checked = record.replay(), 0
    for number, turn in enumerate(match.history):
        if turn.seat == CHANCE and checked < 12:
            other = next((str(move) for move in match.fork(number).legal_moves if move != turn.move), None)
            if other is None:
                continue
            changed = match.fork(number)
            changed.push(other)
            forged = replace(Record.of(changed), dice=record.dice)
            with pytest.raises(BadRecord, match=f"move {number}: the secret gives {turn.move}, not {other}"):
                forged.prove_dice()
            checked += 1
    assert checked > 5
    file = tmp_path / "forged.json"
    forged.write(file)
    line = Record.read(file).lines[len(forged.moves) - 1]
    answer = CliRunner().invoke(app, ["verify", "--dice", str(file), "--lang", "en"])
    assert answer.exit_code == 1
    assert f"line {line}" in answer.stderr
    record.write(file)
    answer = CliRunner().invoke(app, ["verify", "--dice", str(file), "--lang", "en"])
    assert answer.exit_code == 0
    assert "chance moves verified" in answer.stdout


def test_records_whose_dice_prove_nothing() -> None:
    record = played()
    assert record.dice is not None
    for changed, why in (
        (None, "nothing about its dice"),
        (record.dice.covered(), "stays hidden until"),
        (replace(record.dice, secret="11" * 32), "does not match"),
        (replace(record.dice, commitment="11" * 32), "does not match"),
    ):
        with pytest.raises(BadRecord, match=why):
            replace(record, dice=changed).prove_dice()


def test_an_unfinished_record_holds_no_secret() -> None:
    match = played().replay().fork(50)
    record = Record.of(match, Dice.new())
    assert record.dice is not None
    assert record.dice.secret is None
    assert json.loads(record.to_json())["dice"]["secret"] is None
    assert SECRET not in repr(played().dice)


SHAPES = [
    3,
    None,
    [],
    {},
    {"commitment": "x", "from": 0, "secret": None},
    {"commitment": "0" * 64, "from": -1, "secret": None},
    {"commitment": "0" * 64, "from": True, "secret": None},
    {"commitment": "0" * 64, "from": 0, "secret": "A" * 64},
    {"commitment": "0" * 64, "from": 0, "secret": None, "more": 1},
]


@pytest.mark.parametrize("shape", SHAPES)
def test_dice_that_are_none(shape: object) -> None:
    data = json.loads(played().to_json())
    data["dice"] = shape
    with pytest.raises(BadRecord, match="dice"):
        Record.from_json(json.dumps(data))


def test_a_record_without_dice_is_as_good_as_ever() -> None:
    data = json.loads(played().to_json())
    del data["dice"]
    record = Record.from_json(json.dumps(data))
    assert record.dice is None
    assert "dice" not in json.loads(record.to_json())
    record.replay()
