"""How Cuba is studied: the facts counted, the experiments, and the chapters of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from malecon.games.cuba import GAME, events, moves, names, tiles
from malecon.kernel.phrases import Phrase, say
from malecon.match import Match
from malecon.study import estimates
from malecon.study.chapters import (
    KeyFigure,
    StudyChapter,
    StudyWriter,
    best_of,
    common_key_figures,
    length,
    points,
    starting,
)
from malecon.study.counting import CountedGames, FactSchema, Numbers
from malecon.study.design import ChanceSetup, Experiment, StartPosition, StudyDesign
from malecon.study.playing import GameSample
from malecon.study.plots import PlotRow, Series

PLAYERS = 4
LAWS = len(tiles.GROUP_KEYS) * tiles.LAWS_EACH


def _schema() -> FactSchema:
    schema = FactSchema(GAME, len(events.EVENTS))
    schema.add_events("started", events.ROUND, tiles.ROUNDS, amount=1, lowest=1)
    schema.add_events("built", events.BUILT, len(tiles.BUILDING_KEYS), thing=1)
    schema.add_events("used", events.USED, len(tiles.BUILDING_KEYS) + 1, thing=1)
    schema.add_events("points", events.POINTS, len(events.SOURCES), thing=1, sum_amounts=True)
    schema.add_events("loaded", events.LOADED, tiles.BERTHS, amount=1, lowest=1)
    schema.add_events("sailed", events.SAILED, 2, other=1)
    schema.add_events("kept", events.VOTES, len(tiles.CHARACTER_KEYS), thing=1)
    schema.add_events("won", events.WON, 1)
    schema.add_events("proposed", events.PROPOSED, LAWS, thing=tiles.LAWS_EACH, other=1)
    schema.add_events("vetoed", events.VETOED, LAWS, thing=tiles.LAWS_EACH, other=1)
    schema.add_events("enacted", events.ENACTED, LAWS, thing=tiles.LAWS_EACH, other=1)
    return schema


def _starter(counted: CountedGames) -> Numbers:
    """Who was starting player in the first round; the card goes round after that."""
    return np.asarray(np.argmax(counted.facts_of("started")[:, :-1, 0], axis=1), np.int64)


def _things(counted: CountedGames) -> Mapping[str, Numbers]:
    return {
        "built": counted.facts_of("built")[:, :-1].astype(np.int64),
        "loaded": counted.facts_of("loaded")[:, :-1].astype(np.int64),
        "kept": counted.facts_of("kept")[:, :-1].astype(np.int64),
    }


def _setups(counted: CountedGames) -> Mapping[str, ChanceSetup]:
    """The first ship drawn lies at berth 2 in the first round."""
    return {"first ship": ChanceSetup(tiles.SHIPS, moves.PARTS[counted.first_moves, :1].astype(np.int64))}


def _start() -> Any:
    start = np.zeros(1, GAME.dtype).view(np.recarray)
    start[0] = GAME.new_position(PLAYERS)
    return start


def _experiments() -> Sequence[Experiment]:
    return [*_gifts_of_buildings(), *_gifts_of_goods(), *_laws_from_the_start()]


def _gifts_of_buildings() -> Iterator[Experiment]:
    """On every free field of every plantation."""
    usual = _start()
    for building in range(len(tiles.BUILDING_KEYS)):
        starts = []
        for field in range(tiles.FIELDS):
            for seat in range(PLAYERS):
                if usual[0].built[seat, field] == tiles.NO_BUILDING:
                    start = usual.copy()
                    start[0].built[seat, field] = building
                    start[0].buildings_left[building] -= 1
                    starts.append(StartPosition(start, seat))
        yield Experiment("built", building, tuple(starts))


def _gifts_of_goods() -> Iterator[Experiment]:
    for good in range(len(tiles.GOOD_KEYS)):
        starts = []
        for seat in range(PLAYERS):
            start = _start()
            start[0].yard[seat, good] += 1
            start[0].supply[good] -= 1
            starts.append(StartPosition(start, seat))
        yield Experiment("goods", good, tuple(starts))


def _laws_from_the_start() -> Iterator[Experiment]:
    """In force from the first round until another of its group is enacted."""
    for law in range(LAWS):
        start = _start()
        start[0].law[law // tiles.LAWS_EACH] = law % tiles.LAWS_EACH
        yield Experiment("laws", law, (StartPosition(start),))


DESIGN = StudyDesign(
    game=GAME,
    schema=_schema(),
    experiment_players=PLAYERS,
    costs={"random": 1, "turista": 4_000, "aprendiz": 25, "comerciante": 10_000, "capitan": 10_000, "experiment": 300},
    names={
        "built": [names.building(i) for i in range(len(tiles.BUILDING_KEYS))],
        "loaded": [names.place(berth) for berth in range(1, tiles.BERTHS + 1)],
        "kept": [names.character(i) for i in range(len(tiles.CHARACTER_KEYS))],
        "goods": [names.good(i) for i in range(len(tiles.GOOD_KEYS))],
        "laws": [names.law(i // tiles.LAWS_EACH, i % tiles.LAWS_EACH) for i in range(LAWS)],
        "first ship": [names.spaces(i) for i in range(tiles.SHIPS)],
    },
    starter=_starter,
    things=_things,
    setups=_setups,
    experiments=_experiments,
)


# --- the chapters


def all_chapters(writer: StudyWriter) -> Sequence[StudyChapter]:
    last = say("A game always has six rounds; only the number of decisions varies.")
    facts = (
        (say("Ships that sail full"), "sailed", events.FULL),
        (say("Ships that sail before they are full"), "sailed", events.LEFT_BEHIND),
    )
    return (
        starting(writer),
        _seats_chapter(writer),
        _buildings_chapter(writer),
        _laws_chapter(writer),
        _harbour_chapter(writer),
        points(writer, events.POINTS),
        length(writer, last, facts),
    )


def _seats_chapter(writer: StudyWriter) -> StudyChapter:
    study, players = writer.study, tiles.MOST_PLAYERS
    levels = writer.levels(players)
    columns = [estimates.wins_by_seat(sample) for key in levels if (sample := study.sample(key, players))]
    colours = Match(study.design.game, players).names
    rows = [
        PlotRow(writer.translate(colour), [column[at] for column in columns], 1 / players)
        for at, colour in enumerate(colours)
    ]
    text = say(
        "Chance decides who starts, so the seats differ only in their plantations: a true experiment, "
        "with {n} players. The dotted line is an equal share.",
        n=players,
    )
    title = writer.translate(say("Wins by plantation"))
    plots = [writer.dots(title, writer.translate(text), rows, writer.series(levels), writer.percent, zero=True)]
    schema = study.design.schema
    plots.append(
        writer.by_level(
            writer.translate(say("Who is kept for parliament")),
            writer.translate(say("In how many of the six rounds a player keeps each character.")),
            writer.names("kept"),
            lambda sample: [estimates.fact(sample, schema, "kept", at) for at in range(len(tiles.CHARACTER_KEYS))],
            writer.number,
        )
    )
    text = say("Everybody has the same five characters, but the fields of each plantation are arranged differently.")
    return StudyChapter(
        "seats",
        writer.translate(say("Plantations and characters")),
        writer.translate(text),
        plots,
        writer.tiles("characters"),
        84,
    )


def _buildings_chapter(writer: StudyWriter) -> StudyChapter:
    who, buildings = writer.baseline_gaps(), writer.names("built")
    text = say(
        "One line shows how much further ahead of their table’s average builders finish than players "
        "without the building, in the same position in turn order. That is a correlation, not an effect: "
        "builders had the means to build. The other is a true experiment: one seat is given the building "
        "before the first round, on a random field, which then yields nothing. The 2 points at the end "
        "are included. {n} {level} players.",
        **who,
    )
    ends = say("How many of the winners, and of the others, have built it; {n} {level} players.", **who)
    plots = writer.worth_having(
        "built",
        say("those who built it (a correlation)"),
        (say("What a building is worth, in points"), text),
        (say("Who has it at the end"), ends),
    )
    plots.append(
        writer.by_level(
            writer.translate(say("Built at each level")),
            writer.translate(say("How many players have built it by the end, with {n} players.", n=who["n"])),
            buildings,
            lambda sample: estimates.had_share(sample, "built"),
            writer.percent,
            axis=lambda value: writer.percent(value, 0),
        )
    )
    goods = writer.gifts("goods")
    if any(goods):
        text = say(
            "One seat gets one extra unit before the first round: a true experiment. The chart shows how "
            "many points it gains on the average of the others; {n} {level} players.",
            **who,
        )
        title = writer.translate(say("A single good, given away"))
        rows = writer.sorted_rows(writer.names("goods"), goods)
        plots.append(writer.dots(title, writer.translate(text), rows, [writer.gift], writer.signed, zero=True))
    text = say("Buildings cost wood, stone and water, and each is worth two points at the end.")
    return StudyChapter(
        "buildings",
        writer.translate(say("What is each building worth?")),
        writer.translate(text),
        plots,
        writer.tiles("buildings"),
    )


def _enacted(writer: StudyWriter, sample: GameSample) -> list[estimates.Estimate | None]:
    """How often each law is enacted when it comes up; a game has each at most once."""
    schema = writer.study.design.schema
    proposed = estimates.fact_sum(sample, schema, "proposed")
    enacted = estimates.fact_sum(sample, schema, "enacted")
    return [
        estimates.share(int(times), int(chances), int(chances)) if chances else None
        for times, chances in zip(enacted, proposed, strict=True)
    ]


def _laws_chapter(writer: StudyWriter) -> StudyChapter:
    laws, plots = writer.names("laws"), []
    plots.append(
        writer.by_level(
            writer.translate(say("How often a law is enacted when it comes up")),
            writer.translate(
                say(
                    "Four come up in each round, and the winner of the vote enacts two: without a preference each "
                    "would pass half the time. With {n} players.",
                    n=writer.study.design.experiment_players,
                )
            ),
            laws,
            lambda sample: _enacted(writer, sample),
            writer.percent,
            axis=lambda value: writer.percent(value, 0),
        )
    )
    changes = writer.trials("laws", estimates.points_by_change)
    if any(changes):
        text = say(
            "A true experiment: the law is in force from the first round until another of its group is "
            "enacted. The chart shows how much the average of all players rises; {n} {level} players. The "
            "tax of 2 pesos and the duty of 1 citrus fruit are in force anyway, so they change nothing.",
            **writer.baseline_gaps(),
        )
        title = writer.translate(say("A law in force from the start"))
        rows = writer.sorted_rows(laws, changes)
        series = Series(writer.translate(say("Points per player")), "coral", "circle")
        plots.append(writer.dots(title, writer.translate(text), rows, [series], writer.signed, zero=True))
    text = say("Twenty-four laws in four groups; each comes up exactly once, in random order.")
    return StudyChapter(
        "laws",
        writer.translate(say("What do the laws do?")),
        writer.translate(text),
        plots,
        writer.tiles(*tiles.GROUP_KEYS),
    )


def _harbour_chapter(writer: StudyWriter) -> StudyChapter:
    schema, usual, plots = writer.study.design.schema, writer.baseline, []
    berths = writer.names("loaded")
    plots.append(
        writer.by_level(
            writer.translate(say("Goods loaded at each berth")),
            writer.translate(
                say(
                    "Per player and game, with {n} players; each good is worth as many points as the number of its "
                    "berth.",
                    n=writer.study.design.experiment_players,
                )
            ),
            berths,
            lambda sample: [estimates.fact(sample, schema, "loaded", at) for at in range(tiles.BERTHS)],
            writer.number,
        )
    )
    if usual is not None:
        winners, others = estimates.times(usual, "loaded", "winners'"), estimates.times(usual, "loaded", "others'")
        text = say("Goods that winners and the others load in a game; {n} {level} players.", **writer.baseline_gaps())
        title = writer.translate(say("Winners in the harbour"))
        plots.append(writer.winners_and_others(title, writer.translate(text), berths, winners, others, writer.number))
        rows = writer.sorted_rows(writer.names("first ship"), estimates.points_in_setup(usual, "first ship"))
        text = say(
            "Average points per player, by the ship at berth 2 in the first round, named by its loading "
            "spaces; {n} {level} players. Chance draws it: a true experiment.",
            **writer.baseline_gaps(),
        )
        title = writer.translate(say("The first ship"))
        series = Series(writer.translate(say("Points per player")), "drop", "circle")
        plots.append(writer.dots(title, writer.translate(text), rows, [series], writer.number))
    ships = [("ships", key) for key in tiles.SHIP_KEYS]
    text = say("Three berths, worth 1, 2 and 3 points for each good; ships move up from one to the next.")
    return StudyChapter(
        "harbour", writer.translate(say("What are the berths worth?")), writer.translate(text), plots, ships, 96
    )


def key_figures(writer: StudyWriter) -> list[KeyFigure]:
    figures = common_key_figures(writer)
    best = best_of(writer, "built", estimates.ahead_by_gift)
    if best:
        text = say("points is the lead that the best building brings as a gift: {building}.", building=best[0])
        figures.append(KeyFigure(writer.signed(best[1].value), writer.translate(text)))
    best = best_of(writer, "laws", estimates.points_by_change)
    if best:
        text = say(
            "points more for every player, on average, if this law is in force from the start: {law}.", law=best[0]
        )
        figures.append(KeyFigure(writer.signed(best[1].value), writer.translate(text)))
    return figures


def assumptions() -> Phrase:
    return say("We do not have pictures of the plantations and the ship cards; both are our guess.")
