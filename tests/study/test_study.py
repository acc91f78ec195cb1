"""Studies: what is counted is what happens, the same in every process; intervals are right; the page is whole."""

from __future__ import annotations

import dataclasses
import math
import re
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from malecon import games
from malecon.cli import main
from malecon.games import cuba, santiago
from malecon.kernel import registry, verbs
from malecon.kernel.journal import events, new_journal
from malecon.kernel.randomness import streams
from malecon.match import Match
from malecon.study import Study, estimates, playing, study, tallies
from malecon.study.counting import count
from malecon.study.design import design_of
from malecon.study.page import page
from malecon.text import LANGUAGES, translate

#: Enough games of every kind for a page, and none of the slow levels.
COSTS = dict.fromkeys(("turista", "comerciante", "capitan"), 10**9) | {"random": 1, "aprendiz": 4, "experiment": 12}


def small_study(name: str, count: int, seed: int = 5, jobs: int = 1) -> Study:
    module = registry.component(name, "study")
    with mock.patch.object(module, "DESIGN", dataclasses.replace(module.DESIGN, costs=COSTS)):
        return study(name, count, seed=seed, jobs=jobs)


@pytest.fixture(scope="module", params=games.names())
def result(request: pytest.FixtureRequest) -> Study:
    return small_study(request.param, 60)


# --- counting


def slow_counts(name: str, log: list[int], players: int) -> Counter[tuple[str, int, int]]:
    """Count what happened in a game from the names of its events: (what, seat, which)."""
    game = games.get(name)
    kinds = importlib_events(name)
    position, counts = game.new_position(players), Counter[tuple[str, int, int]]()
    for code in log:
        seat = int(verbs.actor(position))
        if name == "santiago" and seat >= 0:
            text = game.notation.name(code)
            for building, uses in enumerate(USES):
                counts["used", seat, building] += bool(re.match(uses, text))
        journal = new_journal()
        verbs.play_logged(position, code, journal)
        for event in events(journal):
            kind = kinds.EVENTS[event.kind]
            if kind == "points":
                counts["points", event.seat, event.thing] += event.amount
            elif kind in PARTS[name]:
                part, which = PARTS[name][kind]
                counts[part, event.seat, which(event)] += 1
    return counts


def importlib_events(name: str):
    return {"santiago": santiago.events, "cuba": cuba.events}[name]


#: How the moves that use each building of Santiago de Cuba are written.
USES = (
    *("use bank", "use church", r"make \d+ rum", r"make \d+ cigars", "swap", "use sawmill", "serve", "clear"),
    *(r"(buy|sell) \d+ points", "flag", "consign", "print"),
)
PARTS = {
    "santiago": {
        "drove": ("stops", lambda e: e.thing),
        "inactive": ("inactive", lambda e: e.thing),
        "seized": ("seized", lambda e: e.thing),
        "sailed": ("sailed", lambda e: e.thing),
        "turn": ("turns", lambda e: 0),
    },
    "cuba": {
        "round": ("started", lambda e: e.amount - 1),
        "built": ("built", lambda e: e.thing),
        "used": ("used", lambda e: e.thing),
        "loaded": ("loaded", lambda e: e.amount - 1),
        "sailed": ("sailed", lambda e: e.other),
        "votes": ("kept", lambda e: e.thing),
        "won": ("won", lambda e: 0),
        "proposed": ("proposed", lambda e: 6 * e.thing + e.other),
        "vetoed": ("vetoed", lambda e: 6 * e.thing + e.other),
        "enacted": ("enacted", lambda e: 6 * e.thing + e.other),
    },
}


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize(("name", "players"), [("santiago", 2), ("santiago", 4), ("cuba", 3)])
def test_the_kernel_counts_what_a_slow_replay_counts(name: str, players: int, bot: str) -> None:
    design = design_of(name)
    start = playing.usual_start(design.game, players)
    logs, lengths = playing.play_simple(design.game, players, start, bot, streams(7, 0, 3))
    counted = count(design.schema, players, start.position, logs, lengths)
    for game, (log, length) in enumerate(zip(logs, lengths, strict=True)):
        codes = log[:length].tolist()
        match = Match(name, players)
        match.make_all(codes)
        assert match.outcome is not None
        assert tuple(counted.points[game]) == match.outcome.points
        assert counted.decisions[game] == sum(turn.seat >= 0 for turn in match.history)
        assert counted.first_seats[game] == next(turn.seat for turn in match.history if turn.seat >= 0)
        best = counted.standings[game].max()
        assert [s == best for s in counted.standings[game]] == [place == 1 for place in match.outcome.places]
        assert counted.ends[game].tobytes() == match.everything().position.tobytes()
        expected = slow_counts(name, codes, players)
        counts = Counter(
            {
                (part, seat if seat < players else -1, which): int(counted.facts_of(part)[game, seat, which])
                for part in design.schema.columns
                for seat in range(players + 1)
                for which in range(counted.facts_of(part).shape[2])
            }
        )
        assert +counts == +expected
        assert -counts == -expected
        starters = [match.game.notation.name(code) for code in codes if "starter" in match.game.notation.name(code)]
        assert starters == [f"starter {match.game.colours[design.starter(counted)[game]]}"]


def test_the_tiny_games_above_have_cubans_where_they_stood() -> None:
    """Stops are counted by place on the street; a Cuban's are those of the place where he stands."""
    design = design_of("santiago")
    start = playing.usual_start(design.game, 3)
    logs, lengths = playing.play_simple(design.game, 3, start, "random", streams(3, 0, 5))
    counted = count(design.schema, 3, start.position, logs, lengths)
    cubans = design.things(counted)["cubans"]
    for game in range(5):
        for stop, cuban in enumerate(counted.ends[game].cuban_at.tolist()):
            if stop:
                stopped = counted.facts_of("stops")[game, :3, stop] - counted.facts_of("inactive")[game, :3, cuban]
                assert cubans[game, :, cuban].tolist() == stopped.tolist()


def test_a_game_longer_than_the_log_is_played_again_with_a_longer_log(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.get("santiago")
    start = playing.usual_start(game, 3)
    logs, lengths = playing.play_simple(game, 3, start, "random", streams(1, 0, 20))
    monkeypatch.setattr(playing, "LOG_LENGTH", int(lengths.min()))
    again, same = playing.play_simple(game, 3, start, "random", streams(1, 0, 20))
    assert same.tolist() == lengths.tolist()
    assert all((a[:n] == b[:n]).all() for a, b, n in zip(logs, again, lengths, strict=True))


# --- sums


def same_tallies(first: tallies.Tally, other: tallies.Tally) -> bool:
    return first.keys() == other.keys() and all((first[key] == other[key]).all() for key in first)


@pytest.mark.parametrize("name", games.names())
def test_the_numbers_depend_on_the_seed_and_not_on_jobs_or_chunks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once = small_study(name, 24)
    monkeypatch.setattr(playing, "CHUNK", 5)
    again = small_study(name, 24, jobs=2)
    other = small_study(name, 8, seed=6)
    assert [(c.level, c.players, c.games) for c in once.samples] == [
        (c.level, c.players, c.games) for c in again.samples
    ]
    assert all(same_tallies(a.tally, b.tally) for a, b in zip(once.samples, again.samples, strict=True))
    for a, b in zip(once.trials, again.trials, strict=True):
        assert a.tallies.keys() == b.tallies.keys()
        assert all(same_tallies(a.tallies[seat], b.tallies[seat]) for seat in a.tallies)
    drawn = [study.sample("random", 3).tally["points by order"][0, 0] / study.games for study in (once, other)]  # type: ignore[union-attr]
    assert drawn[0] != drawn[1]


def test_what_is_counted_adds_up(result: Study) -> None:
    game = result.design.game
    players = range(game.fewest_players, game.most_players + 1)
    assert [(c.level, c.players, c.games) for c in result.samples] == [
        (level, n, share) for level, share in (("random", 60), ("aprendiz", 15)) for n in players
    ]
    assert [trial.games for trial in result.trials] == [5] * len(result.design.experiments())
    assert result.played == 75 * len(players) + 5 * len(result.trials)
    for sample in result.samples:
        tally = sample.tally
        assert int(tally["games"][0]) == sample.games
        assert sum(figure.value for figure in estimates.wins_by_order(sample)) == pytest.approx(1)
        assert sum(figure.value for figure in estimates.wins_by_seat(sample)) == pytest.approx(1)
        assert tally["spread of points"].sum() == sample.games * sample.players
        assert tally["spread of best"].sum() == tally["spread of decisions"].sum() == sample.games
        assert tally["points by order"][0].sum() == tally["table"][0]
        assert tally["margins by order"][0].sum() == 0
        sources = estimates.points_by_source(sample, result.design.schema, game, importlib_events(game.name).POINTS)
        total = sum(figure.value for figure in sources.values()) + game.starting_points
        assert total == pytest.approx(estimates.mean_points(sample).value)
        for kind in ("seized", "built"):
            if kind in tally:
                winners, others = estimates.had_by_winners(sample, kind), estimates.had_by_others(sample, kind)
                for all_, won, lost in zip(estimates.had_share(sample, kind), winners, others, strict=True):
                    parts = won.value + (sample.players - 1) * lost.value
                    assert all_.value * sample.players == pytest.approx(parts)


def test_cases_of_a_setup_are_all_games(result: Study) -> None:
    for sample in result.samples:
        for kind, columns in (("first cuban", 1), ("flower", 12), ("first ship", 1)):
            if kind in sample.tally:
                assert sample.tally[kind][:, tallies.GAMES].sum() == columns * sample.games
                assert sample.tally[kind][:, tallies.POINTS].sum() == columns * sample.tally["table"][0]


def test_in_cuba_every_law_comes_up_once_and_two_are_enacted_in_a_round() -> None:
    sample = next(sample for sample in small_study("cuba", 10).samples if sample.players == 4)
    schema = design_of("cuba").schema
    assert estimates.fact_sum(sample, schema, "proposed").tolist() == [sample.games] * 24
    assert estimates.fact_sum(sample, schema, "enacted").sum() == 12 * sample.games


@pytest.mark.parametrize("name", games.names())
def test_an_experiment_changes_one_thing_and_creates_nothing_from_nothing(name: str) -> None:
    design = design_of(name)
    usual = playing.usual_start(design.game, design.experiment_players).position[0]
    holdings = "goods" if name == "santiago" else "yard"
    for experiment in design.experiments():
        for start in (experiment.starts[0], experiment.starts[-1]):
            position = start.position[0]
            changed = {field for field in position.dtype.names if (position[field] != usual[field]).any()}
            pieces = position["supply"] + position[holdings].sum(axis=0)
            assert pieces.tolist() == (usual["supply"] + usual[holdings].sum(axis=0)).tolist()
            allowed = {
                ("santiago", "seized"): {"owner", "markers"},
                ("santiago", "cubans"): {"pesos", "points", "goods", "supply"},
                ("cuba", "built"): {"built", "buildings_left"},
                ("cuba", "goods"): {"yard", "supply"},
                ("cuba", "laws"): {"law"},
            }[name, experiment.kind]
            assert changed <= allowed
            assert (start.seat is None) == (experiment.kind == "laws")
    assert len({(e.kind, e.thing) for e in design.experiments()}) == {"santiago": 18, "cuba": 55}[name]


# --- estimates


def test_intervals_are_those_of_the_textbook() -> None:
    share = estimates.share(20, 100, 100)
    assert (share.value, share.low, share.high) == pytest.approx((0.2, 0.1334, 0.2888), abs=1e-4)
    values = np.array([1, 2, 3, 4, 10] * 4)
    mean = estimates.mean([values.sum(), (values**2).sum()], len(values))
    half = 1.959964 * values.std(ddof=1) / math.sqrt(len(values))
    assert (mean.value, mean.low, mean.high) == pytest.approx((4, 4 - half, 4 + half), abs=1e-5)
    assert math.isnan(estimates.mean([3, 5], 2).low)
    assert estimates.percentiles(np.bincount([1, 2, 3, 4, 5, 6, 7, 8, 9, 10] * 10)) == [1, 3, 5, 8, 10]


def test_ahead_compares_only_players_in_the_same_place() -> None:
    """Who starts is ten points ahead and always has the thing; having it adds one point where both cases are."""
    had = np.array([1] * 40 + [0] * 40)
    margin = 2 * had
    order_0 = [40, 0, margin.sum() + 40 * 20, ((margin + 20)[:40] ** 2).sum()]
    order_1 = [80, 0, 80 * -20, 80 * 400]
    moments = np.array([[margin.sum() + 80 * 20, -1600], [((margin + 20) ** 2).sum(), 80 * 400]])
    tally = {"things": np.array([[order_0], [order_1]]), "margins by order": moments}
    figure = estimates.ahead_with(playing.GameSample("random", 2, 80, tally), "things")[0]
    assert figure.value == pytest.approx(2)


def test_a_gift_of_points_is_worth_them() -> None:
    """In Cuba nobody can do anything with points before the end, so the same games are played with and without."""
    design = design_of("cuba")
    usual, favoured = (playing.usual_start(design.game, 3) for _ in range(2))
    favoured.position[0].points[1] += 5
    sums = []
    for start in (usual, favoured):
        logs, lengths = playing.play_simple(design.game, 3, start, "random", streams(1, 0, 50))
        sums.append(tallies.tally(count(design.schema, 3, start.position, logs, lengths), design))
    sample, trial = playing.GameSample("random", 3, 50, sums[0]), playing.Trial("gift", 0, 50, {1: sums[1]})
    figure = estimates.ahead_by_gift(trial, sample)
    assert figure.value == pytest.approx(5)
    assert figure.low < 5 < figure.high
    assert estimates.wins_by_gift(trial, sample).value > 0
    everybody = playing.Trial("gift", 0, 50, {None: sums[1]})
    assert estimates.points_by_change(everybody, sample).value == pytest.approx(5 / 3)


# --- the page


class Reader(HTMLParser):
    """Checks that elements are closed as they were opened, and collects what matters."""

    VOID: tuple[str, ...] = ("meta",)

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.plots: list[dict[str, str | None]] = []
        self.tags: Counter[str] = Counter()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags[tag] += 1
        if "id" in given:
            self.ids.append(str(given["id"]))
        if tag == "svg" and given.get("class") == "plot":
            self.plots.append(given)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        if "id" in dict(attrs):
            self.ids.append(str(dict(attrs)["id"]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole_in_every_language(result: Study, language: str) -> None:
    html = page(result, language, "malecon study x --seed 5")
    reader = read(html)
    text = "\n".join(reader.text)
    assert f'<html lang="{language}">' in html
    assert len(reader.ids) == len(set(reader.ids))
    assert len(reader.plots) == reader.tags["figure"] == reader.tags["details"] >= 10
    for plot in reader.plots:
        assert plot["role"] == "img"
        assert all(part in reader.ids for part in str(plot["aria-labelledby"]).split())
    assert reader.tags["script"] == reader.tags["link"] == reader.tags["img"] == 0
    assert "http" not in html.replace("http-equiv", "")
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b|{\w+}", text)
    for kind in result.design.names:
        for name in result.design.names[kind]:
            said = translate(name, language)
            assert said[:1].upper() + said[1:] in text
    assert "malecon study x --seed 5" in text
    for line in ("What these numbers cannot tell you", "Does it help to go first?", "The numbers"):
        assert (line in text) == (language == "en")


def test_a_study_of_one_game_has_a_page_too() -> None:
    for name in games.names():
        result = study(name, 1, seed=1)
        assert {(sample.level, sample.games) for sample in result.samples} == {("random", 1)}
        assert result.trials == ()
        read(page(result, "en", ""))


# --- the command


def run(*arguments: str) -> int:
    with mock.patch.object(sys, "argv", ["malecon", *arguments]), pytest.raises(SystemExit) as ended:
        main()
    code = ended.value.code
    return code if isinstance(code, int) else 0


def test_the_command_writes_the_same_page_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = []
    for jobs in ("1", "2"):
        file = tmp_path / f"{jobs}.html"
        assert run("study", "santiago", "--games", "40", "--seed", "3", "--jobs", jobs, "--output", str(file)) == 0
        assert f"{jobs}.html: Santiago de Cuba, 216 games" in capsys.readouterr().out.replace("\n", "")
        pages.append(re.sub(r"\d+ \(--jobs \d\)", "", file.read_text("utf-8")))
    assert pages[0] == pages[1]
    assert "--games 40 --seed 3" in pages[0]


@pytest.mark.parametrize(
    "arguments",
    [
        ("chess",),
        ("santiago", "--games", "0"),
        ("santiago", "--games", "many"),
        ("santiago", "--jobs", "0"),
        ("santiago", "--lang", "fr"),
        ("santiago", "--output", "no/such/folder/page.html"),
    ],
    ids=" ".join,
)
def test_nonsense_gets_one_clear_line(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("study", *arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("malecon: ")
    assert said.err.count("\n") == 1


@pytest.mark.slow
def test_games_of_bots_that_think_do_not_depend_on_jobs() -> None:
    design = dataclasses.replace(design_of("santiago"), costs=COSTS | {"turista": 1, "comerciante": 1})
    once, again = (playing.play_slow(design, 2, 5, jobs, lambda done, total: None) for jobs in (1, 2))
    assert [(c.level, c.players, c.games) for c in once] == [
        (level, players, 2) for level in ("turista", "comerciante") for players in (2, 3, 4)
    ]
    assert all(same_tallies(a.tally, b.tally) for a, b in zip(once, again, strict=True))
