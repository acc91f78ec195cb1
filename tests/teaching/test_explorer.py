"""The explorer: what is read from a game is what was played in it, and books add up."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from malecon import bots, games
from malecon.games.cuba import events as cuba_events
from malecon.games.cuba import tiles as cuba_tiles
from malecon.games.santiago import events as santiago_events
from malecon.games.santiago import tiles as santiago_tiles
from malecon.kernel.errors import BadSetup
from malecon.match import Match
from malecon.simulation.intervals import wilson
from malecon.teaching.explorer import OPENING, Book, after, books, explore, generation, name_of, shipped, tables
from malecon.teaching.explorer.books import WIN, ChoiceMade
from malecon.teaching.explorer.choices import DEPTH, is_counted, read_match
from malecon.text import translate


def finished(game: str, players: int, seed: int) -> Match:
    match, greedy = Match(game, players, seed=seed), bots.make("greedy", seed)
    while match.turn is not None:
        match.push(greedy.choose(match.view(match.turn)))
    return match


def answers(choices: list[ChoiceMade], kind: str) -> Counter[tuple[int, str]]:
    return Counter((c.seat, option) for c in choices if c.question.startswith(kind + " ") for option in c.chosen)


def answers_told(match: Match, kind: int) -> list[tuple[int, int, int]]:
    """Whose an event of this kind was, and about which thing."""
    every = (event for index in range(len(match.history)) for event in match.events(index))
    return [(event.seat, event.thing, event.other) for event in every if event.kind == kind]


@pytest.mark.parametrize(("name", "players"), [("santiago", 2), ("santiago", 4), ("cuba", 3), ("cuba", 5)])
def test_what_is_read_is_what_was_played(name: str, players: int) -> None:
    match = finished(name, players, 3)
    choices = read_match(match)
    opening = [choice for choice in choices if choice.question.startswith(OPENING)]
    path: list[str] = []
    for choice in opening:
        assert choice.question == after(path)
        path += choice.chosen
    assert len(path) == DEPTH
    for choice in choices:
        assert set(choice.chosen) <= choice.options
        for option in choice.options:
            assert translate(name_of(name, option), "de")
    asked = {question for chapter in tables(name) for question in chapter.questions}
    assert {choice.question for choice in choices if choice not in opening} <= asked


def test_buildings_seized_are_those_of_the_game() -> None:
    for seed in range(3):
        match = finished("santiago", 3, seed)
        events = answers_told(match, santiago_events.SEIZED)
        seized = Counter((seat, f"seize {santiago_tiles.BUILDING_KEYS[thing]}") for seat, thing, _ in events)
        assert answers(read_match(match), "seize") == seized


def test_buildings_and_laws_are_those_of_the_game() -> None:
    match = finished("cuba", 3, 1)
    choices = read_match(match)
    built = Counter(
        (seat, f"build {cuba_tiles.BUILDING_KEYS[thing]}") for seat, thing, _ in answers_told(match, cuba_events.BUILT)
    )
    assert answers(choices, "build") <= built  # the first four of everybody
    assert {seat: sum(who == seat for who, _ in answers(choices, "build").elements()) for seat in range(3)} == {
        seat: min(4, sum(who == seat for who, _ in built.elements())) for seat in range(3)
    }
    laws = Counter(
        f"{cuba_tiles.GROUP_KEYS[group]} {cuba_tiles.LAW_KEYS[group][law]}"
        for _, group, law in answers_told(match, cuba_events.ENACTED)
    )
    assert Counter(law for _, law in answers(choices, "law").elements()) == laws
    assert sum(answers(choices, "card").values()) == 3 * cuba_tiles.ROUNDS


def test_only_finished_games_with_the_usual_options_count() -> None:
    with pytest.raises(BadSetup, match="not over"):
        read_match(Match("santiago", 2, seed=1))
    game = games.get("cuba")
    assert is_counted(game, {})
    assert is_counted(game, {"envoys": False})
    assert not is_counted(game, {"envoys": True})


def test_books_add_up() -> None:
    first, second = Book(2), Book(2)
    options = frozenset({"a", "b"})
    first.count([ChoiceMade("q", 0, options, ("a",))], (1, 2))
    second.count([ChoiceMade("q", 1, options, ("b",))], (1, 1))
    second.count([ChoiceMade("q", 1, options, ("b",)), ChoiceMade("r", 0, frozenset("c"), ("c",))], (1, 2))
    first.add(second)
    assert first.games == 3
    row = first.rows("q")[0]
    assert (row.option, row.offered, row.chosen) == ("b", 3, 2)
    assert (row.share, row.win_rate) == (2 / 3, 0.25)  # one win of two, and that one shared
    assert row.interval == wilson(0.5, 2)
    assert row.share_interval == wilson(2, 3)
    assert first.choices_at("q") == 3
    assert first.rows("nobody was asked") == []
    assert Book.of_dict(2, first.as_dict()) == first
    assert list(first.as_dict(fewest=2)["questions"]) == ["q"]
    for places in ((1, 2, 3), (2, 2)):
        with pytest.raises(BadSetup):
            first.count([], places)
    with pytest.raises(BadSetup):
        first.add(Book(3))


def test_books_are_made_alike_however_many_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation, "CHUNK", 1)
    made = generation.make("santiago", 2, seed=5)
    monkeypatch.setattr(generation, "CHUNK", 2)
    assert generation.make("santiago", 2, seed=5) == made
    assert [(book.players, book.games) for book in made] == [(2, 2), (3, 2), (4, 2)]
    monkeypatch.setattr(books, "shipped_file", lambda game: tmp_path / f"{game}.json")
    books.write("santiago", generation.BOT, 5, made, tmp_path / "santiago.json", 1)
    books._file.cache_clear()
    books.shipped.cache_clear()
    try:
        assert shipped("santiago", 3) == made[1]
        assert books.bot_of("santiago") == generation.BOT
        assert shipped("cuba", 3) == Book(3)
    finally:
        books._file.cache_clear()
        books.shipped.cache_clear()
    with pytest.raises(BadSetup):
        generation.make("santiago", 0)


@pytest.mark.parametrize("name", games.names())
def test_shipped_books(name: str) -> None:
    game = games.get(name)
    assert books.shipped_file(name).stat().st_size < 1_000_000
    for players in range(game.fewest_players, game.most_players + 1):
        book = shipped(name, players)
        assert book.games >= 300
        assert book.choices_at(OPENING) == book.games
        for question, counts in book.questions.items():
            assert book.choices_at(question) >= generation.FEWEST, question
            for option, count in counts.items():
                assert 0 <= count.wins <= WIN * count.chosen <= WIN * count.offered
                assert translate(name_of(name, option), "en")
        rows = explore(name, players)
        assert 0.99 < sum(row.chosen for row in rows) / book.games <= 1
        deeper = explore(name, players, [rows[0].option])
        assert sum(row.chosen for row in deeper) == rows[0].chosen
        for chapter in tables(name):
            assert any(book.rows(question) for question in chapter.questions)
    with pytest.raises(BadSetup):
        explore(name, 9)
