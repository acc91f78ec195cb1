"""How Santiago de Cuba is studied: the facts counted, the experiments, and the chapters of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from malecon.games.santiago import GAME, arrays, events, moves, names, tiles
from malecon.kernel.phrases import Phrase, say
from malecon.study import estimates
from malecon.study.chapters import (
    KeyFigure,
    Plot,
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
from malecon.study.plots import PlotRow, Series

PLAYERS = 3

#: The moves that use each building, in the order of `tiles.BUILDING_KEYS`.
USES = tuple(
    moves.NOTATION.codes(*(family for family, used in moves.USES.items() if used == building))
    for building in range(len(tiles.BUILDING_KEYS))
)


def _schema() -> FactSchema:
    schema = FactSchema(GAME, len(events.EVENTS))
    schema.add_moves("used", USES)
    schema.add_events("stops", events.DROVE, tiles.STOPS, thing=1)
    schema.add_events("inactive", events.INACTIVE, len(tiles.CUBAN_KEYS), thing=1)
    schema.add_events("seized", events.SEIZED, len(tiles.BUILDING_KEYS), thing=1)
    schema.add_events("points", events.POINTS, len(events.SOURCES), thing=1, sum_amounts=True)
    schema.add_events("sailed", events.SAILED, 2, thing=1)
    schema.add_events("turns", events.TURN, 1)
    return schema


def _starter(counted: CountedGames) -> Numbers:
    return np.asarray(counted.ends.starter, np.int64)


def _cubans(counted: CountedGames) -> Numbers:
    """Return how often each seat stopped at each Cuban who was not face down."""
    stop_of = np.argsort(counted.ends.cuban_at[:, 1:], axis=1)[:, None, :]  # by Cuban, counted from the first stop
    stops = counted.facts_of("stops")[:, :-1, 1:]
    visits = np.take_along_axis(stops, stop_of, axis=2) - counted.facts_of("inactive")[:, :-1]
    return visits.astype(np.int64)


def _things(counted: CountedGames) -> Mapping[str, Numbers]:
    return {
        "cubans": _cubans(counted),
        "used": counted.facts_of("used")[:, :-1].astype(np.int64),
        "seized": counted.facts_of("seized")[:, :-1].astype(np.int64),
    }


def _setups(counted: CountedGames) -> Mapping[str, ChanceSetup]:
    """Return who stands at the first stop behind the port, and under which flower each building lies with its uses."""
    first = counted.ends.cuban_at[:, 1:2].astype(np.int64)
    flower = np.argsort(counted.ends.building_at, axis=1) // tiles.SITES_PER_FLOWER
    cases = flower + len(tiles.FLOWER_KEYS) * np.arange(len(tiles.BUILDING_KEYS))
    uses = counted.facts_of("used").sum(axis=1, dtype=np.int64)
    return {
        "first cuban": ChanceSetup(len(tiles.CUBAN_KEYS), first),
        "flower": ChanceSetup(len(tiles.BUILDING_KEYS) * len(tiles.FLOWER_KEYS), cases, uses),
    }


def _start() -> Any:
    start = np.zeros(1, GAME.dtype).view(np.recarray)
    start[0] = GAME.new_position(PLAYERS)
    return start


def _experiments() -> Sequence[Experiment]:
    """Seats are alike, since chance says who starts: the first gets the gift."""
    return [*_gifts_of_buildings(), *_gifts_of_cubans()]


def _gifts_of_buildings() -> Iterator[Experiment]:
    for building in range(len(tiles.BUILDING_KEYS)):
        start = _start()
        start[0].owner[building] = 0
        start[0].markers[0] -= 1
        yield Experiment("seized", building, (StartPosition(start, 0),))


def _gifts_of_cubans() -> Iterator[Experiment]:
    """Yield what a Cuban hands over at once; not those that let somebody choose."""
    for cuban in range(len(tiles.CUBAN_KEYS)):
        start = _start()
        start[0].pesos[0] += arrays.CUBAN_PESOS[cuban]
        start[0].points[0] += arrays.CUBAN_POINTS[cuban]
        if arrays.CUBAN_GOODS[cuban]:
            good = arrays.CUBAN_GOOD[cuban]
            start[0].goods[0, good] += arrays.CUBAN_GOODS[cuban]
            start[0].supply[good] -= arrays.CUBAN_GOODS[cuban]
        if start[0] != _start()[0]:
            yield Experiment("cubans", cuban, (StartPosition(start, 0),))


DESIGN = StudyDesign(
    game=GAME,
    schema=_schema(),
    experiment_players=PLAYERS,
    costs={"random": 1, "turista": 1_000, "aprendiz": 2, "comerciante": 4_000, "capitan": 4_000, "experiment": 20},
    names={
        "cubans": [names.cuban(i) for i in range(len(tiles.CUBAN_KEYS))],
        "used": [names.building(i) for i in range(len(tiles.BUILDING_KEYS))],
        "seized": [names.building(i) for i in range(len(tiles.BUILDING_KEYS))],
        "first cuban": [names.cuban(i) for i in range(len(tiles.CUBAN_KEYS))],
    },
    starter=_starter,
    things=_things,
    setups=_setups,
    experiments=_experiments,
)


# --- the chapters


def all_chapters(writer: StudyWriter) -> Sequence[StudyChapter]:
    last = say("Seven ships always sail; how quickly is up to the players.")
    facts = (
        (say("Turns"), "turns", 0),
        (say("Ships that sail full"), "sailed", events.FULL),
        (say("Ships that run out of time"), "sailed", events.TIMED_OUT),
    )
    return (
        starting(writer),
        _cubans_chapter(writer),
        _buildings_chapter(writer),
        points(writer, events.POINTS),
        length(writer, last, facts),
    )


def _cubans_chapter(writer: StudyWriter) -> StudyChapter:
    who = writer.baseline_gaps()
    cubans, usual, plots = writer.names("cubans"), writer.baseline, []
    gifts = writer.gifts("cubans")
    if any(gifts):
        rows = [row for row in writer.sorted_rows(cubans, gifts) if row.marks[0] is not None]
        text = say(
            "A true experiment: before the first turn one seat gets what this Cuban gives at a stop, and "
            "nothing else changes. The chart shows how many points it gains on the average of the others; "
            "{n} {level} players. Pablo, El Zorro and Alonso are left out because they involve a choice.",
            **who,
        )
        title = writer.translate(say("What a Cuban gives, as a gift"))
        plots.append(writer.dots(title, writer.translate(text), rows, [writer.gift], writer.signed, zero=True))
    if usual is not None:
        first = estimates.starters_wins(usual, "first cuban")
        rows = writer.sorted_rows(writer.names("first cuban"), first)
        text = say(
            "How often the starting player wins, by the Cuban at the first stop after the port; {n} {level} "
            "players. Chance lays out the street, so this is a true experiment too. The dotted line is an "
            "equal share.",
            **who,
        )
        fair = [PlotRow(row.label, row.marks, 1 / usual.players) for row in rows]
        title = writer.translate(say("Who is first on the street"))
        series = Series(writer.translate(say("Wins of the starting player")), "amber", "square")
        plots.append(writer.dots(title, writer.translate(text), fair, [series], writer.percent))
    plots.append(
        writer.by_level(
            writer.translate(say("Stops at each Cuban")),
            writer.translate(say("How often a player stops there in a game, with {n} players.", n=who["n"])),
            cubans,
            lambda sample: estimates.times(sample, "cubans"),
            writer.number,
        )
    )
    text = say("Nine Cubans stand along the street, in random order.")
    return StudyChapter(
        "cubans",
        writer.translate(say("What is each Cuban worth?")),
        writer.translate(text),
        plots,
        writer.tiles("cubans"),
        92,
    )


def _buildings_chapter(writer: StudyWriter) -> StudyChapter:
    who, buildings = writer.baseline_gaps(), writer.names("seized")
    text = say(
        "One line shows how much further ahead of their table’s average owners finish than players who "
        "do not own the building, in the same position in turn order. That is a correlation, not an "
        "effect: a stop at Alonso is a stop not made elsewhere. The other is a true experiment: one seat "
        "owns the building before the first turn, for one of its three markers. {n} {level} players.",
        **who,
    )
    ends = say("How many of the winners, and of the others, own the building; {n} {level} players.", **who)
    plots = writer.worth_having(
        "seized",
        say("those who own it (a correlation)"),
        (say("What owning a building is worth, in points"), text),
        (say("Who owns it at the end"), ends),
    )
    if writer.baseline is not None:
        plots.append(_flowers(writer, buildings))
    schema = writer.study.design.schema
    plots.append(
        writer.by_level(
            writer.translate(say("Uses of each building")),
            writer.translate(say("How often a player uses it in a game, with {n} players.", n=who["n"])),
            buildings,
            lambda sample: [estimates.fact(sample, schema, "used", at) for at in range(len(tiles.BUILDING_KEYS))],
            writer.number,
        )
    )
    text = say("The owner of a building gets a point whenever another player ends a turn there.")
    return StudyChapter(
        "buildings",
        writer.translate(say("What is each building worth?")),
        writer.translate(text),
        plots,
        writer.tiles("buildings"),
    )


def _flowers(writer: StudyWriter, buildings: Sequence[str]) -> Plot:
    usual = writer.baseline
    assert usual is not None
    uses = estimates.numbers_in_setup(usual, "flower")
    flowers = len(tiles.FLOWER_KEYS)
    rows = [PlotRow(name, uses[flowers * at : flowers * (at + 1)]) for at, name in enumerate(buildings)]
    marks = (("petal", "circle"), ("gold", "square"), ("azure", "diamond"), ("rose", "triangle"))
    series = [Series(writer.name(names.flower(at)), *mark) for at, mark in enumerate(marks)]
    text = say(
        "How often a player uses the building, by the flower above it; {n} {level} players. Chance lays "
        "out the town, so any difference is an effect of the flower.",
        **writer.baseline_gaps(),
    )
    return writer.dots(writer.translate(say("Under each flower")), writer.translate(text), rows, series, writer.number)


def key_figures(writer: StudyWriter) -> list[KeyFigure]:
    figures = common_key_figures(writer)
    best = best_of(writer, "cubans", estimates.ahead_by_gift)
    if best:
        text = say("points is the lead brought by one visit’s gift from {cuban}: the most of all.", cuban=best[0])
        figures.append(KeyFigure(writer.signed(best[1].value), writer.translate(text)))
    best = best_of(writer, "seized", estimates.ahead_by_gift)
    if best:
        text = say("points is the lead that the best building brings as a gift: {building}.", building=best[0])
        figures.append(KeyFigure(writer.signed(best[1].value), writer.translate(text)))
    return figures


def assumptions() -> Phrase:
    return say(
        "We do not have pictures of the tiles: the flowers of Maria, Martinez, Conchita and Pablo are our guess."
    )
