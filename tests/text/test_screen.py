"""A table as one screen of plain text, moves with what they bring, the rules as a text, positions as readable JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

import jsonschema_rs
import numpy as np
import pytest

from malecon import IllegalMove, Match, View, bots, games
from malecon.kernel.readable import schema
from malecon.text import LANGUAGES, described_moves, moves_text, rules_text, screen, tell, translate
from malecon.text.game_text import holdings
from malecon.text.plain_text import WIDTH

#: Rows that still fit on one screen.
MOST_ROWS = 75


def matches(game: str, players: int, decisions: int = 200, **options: bool) -> Iterator[Match]:
    """A match before every decision of a few games between bots that play anything."""
    for seed in range(3):
        match, bot = Match(game, players, seed=seed, options=options), bots.make("random", seed)
        for _ in range(decisions):
            if match.turn is None:
                break
            yield match
            match.push(bot.choose(match.view(match.turn)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_a_table_is_one_screen_of_plain_text(game: str, language: str) -> None:
    for number, match in enumerate(matches(game, games.get(game).most_players)):
        if number % 20:
            continue
        for seat in (match.turn, None):
            rows = match.view(seat).text(language).splitlines()
            assert len(rows) <= MOST_ROWS
            legal = len(match.legal_moves) if seat is not None else 0
            assert max(map(len, rows[: len(rows) - legal])) <= WIDTH + 2
            assert not set("".join(rows)) & set("│─┌┐└┘╭╮╰╯●■▲◆\x1b")


@pytest.mark.parametrize("game", games.names())
def test_a_screen_tells_nothing_that_the_seat_may_not_know(game: str) -> None:
    """Two matches that differ only in what is hidden show the same screen, and the same JSON."""
    options = {"envoys": True} if game == "cuba" else {}
    compared = 0
    for match in matches(game, 3, **options):
        assert match.turn is not None
        view = match.view(match.turn)
        guessed = Match.from_view(view, seed=len(match))
        truth = match.everything().position
        other = guessed.everything().position
        compared += truth.tobytes() != other.tobytes()
        again = guessed.view(match.turn)
        shown = View(view.game, view.seat, again.position, view.history, view.names, view.options)
        assert screen(shown) == screen(view)
        assert shown.as_dict() == view.as_dict()
    assert compared or game == "santiago"


def test_what_is_behind_screens_is_a_question_mark() -> None:
    match = Match("santiago", 3, seed=1)
    shown = match.view(0).text()
    red, blue = (next(row for row in shown.splitlines() if row.strip("> ").startswith(who)) for who in ("Red", "Blue"))
    assert red.count("?") == 0
    assert blue.count("?") == 8
    assert match.view(None).text().count("?") == 3 * 8
    assert Match("santiago", 3, seed=1, options={"open_screens": True}).view(None).text().count("?") == 0


def test_a_bid_face_down_is_a_question_mark_and_one_to_come_a_dash() -> None:
    match = Match("cuba", 3, seed=1)
    while match.phase != "bid":
        match.push(match.legal_moves[0])
    first = match.turn
    assert first is not None
    match.push(match.legal_moves[-1])
    second = match.turn
    assert second is not None
    bids = next(row for row in match.view(second).text().splitlines() if "bids:" in row)
    shown = [part.split()[-1] for part in bids.partition(":")[2].split(";")]
    assert [shown[seat] for seat in (first, second)] == ["?", "-"]
    own = next(row for row in match.view(first).text().splitlines() if "bids:" in row)
    assert "?" not in own


@pytest.mark.parametrize("game", games.names())
def test_moves_bring_what_is_said_of_them(game: str) -> None:
    """What is told of a move before it is made is told of it afterwards, too, although the teller sees only a view."""
    checked = 0
    for match in matches(game, 3, envoys=True) if game == "cuba" else matches(game, 3):
        assert match.turn is not None
        for item in described_moves(match.view(match.turn)):
            if not item.effects:
                assert game == "cuba"  # only what is done face down has no effects that can be known
                continue
            trial = match.fork()
            index = len(trial)
            trial.push(item.move)
            said = [translate(effect, "en") for effect in item.effects]
            true = [translate(phrase, "en") for phrase in tell(trial, index)]
            assert true[: len(said)] == said, f"{match.phase}: {item.move}"
            checked += 1
    assert checked > 300


def test_moves_are_told_with_costs_in_every_language() -> None:
    match = Match("santiago", 2, seed=1)
    match.push("leave rum")
    rows = moves_text(match.view(match.turn), "en")
    assert rows[0].startswith("drive 1  ")
    assert "peso" in rows[-1]
    assert len({tuple(moves_text(match.view(match.turn), language)) for language in LANGUAGES}) == len(LANGUAGES)
    with pytest.raises(IllegalMove):
        moves_text(match.view(1 - (match.turn or 0)), "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_the_rules_are_one_plain_text(game: str, language: str) -> None:
    text = rules_text(games.get(game), language)
    assert len(text) > 7_000
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "<" not in text
    assert "{" not in text


@pytest.mark.parametrize("game", games.names())
def test_a_view_is_json_that_fits_its_schema_and_has_no_bit_sets(game: str) -> None:
    validator = jsonschema_rs.validator_for(schema(games.get(game)))
    for number, match in enumerate(matches(game, games.get(game).most_players)):
        if number % 10:
            continue
        for seat in (match.turn, None):
            data = json.loads(json.dumps(match.view(seat).as_dict()))
            validator.validate(data)
            assert (data["legal"] != []) == (seat is not None)
    assert validator.is_valid({**data, "position": {**data["position"], "phase": 3}}) is False


def test_json_calls_things_by_their_names() -> None:
    match = Match("santiago", 2, seed=1)
    data = match.view(1).as_dict()
    position = match.position
    assert data["you"] == "blue"
    assert data["position"]["pesos"] == {"blue": 3, "red": None}
    assert set(data["position"]["site"].values()) == {*games.get("santiago").pieces["owner"].axes[0]}
    assert [name for name, number in data["position"]["site"].items() if number == "bank"] == [
        str(int(np.flatnonzero(position.building_at == 0)[0]))
    ]
    assert match.everything().as_dict()["position"]["pesos"] == {"red": 3, "blue": 3}


def test_rows_of_an_observation_and_a_mask_are_those_of_tables() -> None:
    from malecon.envs.vector import Tables

    for game in games.names():
        for memory in (True, False):
            match, tables = Match(game, 3, seed=5), Tables(game, 3, 1, seed=5, memory=memory)
            for _ in range(60):
                match.push(match.legal_moves[0])
                tables.set_position(0, match.position)
                assert match.turn is not None
                view = match.view(match.turn)
                assert (view.observation(memory=memory) == tables.observations[0]).all()
                assert (view.mask() == tables.masks[0]).all()
            assert not match.view((match.turn + 1) % 3).mask().any()


def test_fields_of_a_position_belong_to_seats_only_if_they_do() -> None:
    """What is said of games without texts of their own, tried on Cuba: its market has five goods, and it five seats."""
    match = Match("cuba", 2, seed=1)
    shared, own = holdings(match.game, match.position, 2)
    assert "market" in dict(shared)
    assert {"points", "pesos", "bid"} <= {name for name, _ in own}
