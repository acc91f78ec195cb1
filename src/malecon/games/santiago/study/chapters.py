"""What a study tells of Santiago de Cuba: the Cubans, the buildings, the town as chance lays it out."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.santiago import events, names, tiles
from malecon.kernel.phrases import Phrase, say
from malecon.study import chapters, figures
from malecon.study.chapters import Chapter, Finding, Voice
from malecon.study.plots import Row, Series


def all_chapters(voice: Voice) -> Sequence[Chapter]:
    last = say("Seven ships always sail; how quickly is up to the players.")
    facts = (
        (say("Turns"), "turns", 0),
        (say("Ships that sail full"), "sailed", events.FULL),
        (say("Ships that run out of time"), "sailed", events.TIMED_OUT),
    )
    return (
        chapters.starting(voice),
        _cubans(voice),
        _buildings(voice),
        chapters.points(voice, events.POINTS),
        chapters.length(voice, last, facts),
    )


def _cubans(voice: Voice) -> Chapter:
    who = voice.at_usual()
    cubans, usual, found = voice.names("cubans"), voice.usual, []
    gifts = voice.gifts("cubans")
    if any(gifts):
        given = [row for row in voice.sorted_rows(cubans, gifts) if row.marks[0] is not None]
        text = say(
            "A true experiment: before the first turn one seat gets what this Cuban gives at a stop, and "
            "nothing else changes. The chart shows how many points it gains on the average of the others; "
            "{n} {level} players. Pablo, El Zorro and Alonso are left out because they involve a choice.",
            **who,
        )
        title = voice.say(say("What a Cuban gives, as a gift"))
        found.append(voice.dots(title, voice.say(text), given, [voice.gift], voice.signed, zero=True))
    if usual is not None:
        first = figures.starters_wins(usual, "first cuban")
        rows = voice.sorted_rows(voice.names("first cuban"), first)
        text = say(
            "How often the starting player wins, by the Cuban at the first stop after the port; {n} {level} "
            "players. Chance lays out the street, so this is a true experiment too. The dotted line is an "
            "equal share.",
            **who,
        )
        fair = [Row(row.label, row.marks, 1 / usual.players) for row in rows]
        title = voice.say(say("Who is first on the street"))
        one = Series(voice.say(say("Wins of the starting player")), "amber", "square")
        found.append(voice.dots(title, voice.say(text), fair, [one], voice.percent))
    found.append(
        voice.by_level(
            voice.say(say("Stops at each Cuban")),
            voice.say(say("How often a player stops there in a game, with {n} players.", n=who["n"])),
            cubans,
            lambda cell: figures.times(cell, "cubans"),
            voice.number,
        )
    )
    text = say("Nine Cubans stand along the street, in random order.")
    return Chapter(
        "cubans", voice.say(say("What is each Cuban worth?")), voice.say(text), found, voice.tiles("cubans"), 92
    )


def _buildings(voice: Voice) -> Chapter:
    who, buildings = voice.at_usual(), voice.names("seized")
    text = say(
        "One line shows how much further ahead of their table’s average owners finish than players who "
        "do not own the building, in the same position in turn order. That is a correlation, not an "
        "effect: a stop at Alonso is a stop not made elsewhere. The other is a true experiment: one seat "
        "owns the building before the first turn, for one of its three markers. {n} {level} players.",
        **who,
    )
    ends = say("How many of the winners, and of the others, own the building; {n} {level} players.", **who)
    found = voice.worth_having(
        "seized",
        say("those who own it (a correlation)"),
        (say("What owning a building is worth, in points"), text),
        (say("Who owns it at the end"), ends),
    )
    if voice.usual is not None:
        found.append(_flowers(voice, buildings))
    ledger = voice.study.subject.ledger
    found.append(
        voice.by_level(
            voice.say(say("Uses of each building")),
            voice.say(say("How often a player uses it in a game, with {n} players.", n=who["n"])),
            buildings,
            lambda cell: [figures.fact(cell, ledger, "used", at) for at in range(len(tiles.BUILDINGS))],
            voice.number,
        )
    )
    text = say("The owner of a building gets a point whenever another player ends a turn there.")
    return Chapter(
        "buildings", voice.say(say("What is each building worth?")), voice.say(text), found, voice.tiles("buildings")
    )


def _flowers(voice: Voice, buildings: Sequence[str]) -> chapters.Plot:
    usual = voice.usual
    assert usual is not None
    uses = figures.beside_in_setup(usual, "flower")
    flowers = len(tiles.FLOWERS)
    rows = [Row(name, uses[flowers * at : flowers * (at + 1)]) for at, name in enumerate(buildings)]
    marks = (("petal", "circle"), ("gold", "square"), ("azure", "diamond"), ("rose", "triangle"))
    series = [Series(voice.name(names.flower(at)), *mark) for at, mark in enumerate(marks)]
    text = say(
        "How often a player uses the building, by the flower above it; {n} {level} players. Chance lays "
        "out the town, so any difference is an effect of the flower.",
        **voice.at_usual(),
    )
    return voice.dots(voice.say(say("Under each flower")), voice.say(text), rows, series, voice.number)


def findings(voice: Voice) -> list[Finding]:
    found = chapters.common_findings(voice)
    best = chapters.best_of(voice, "cubans", figures.ahead_by_gift)
    if best:
        text = say("points is the lead brought by one visit’s gift from {cuban}: the most of all.", cuban=best[0])
        found.append(Finding(voice.signed(best[1].value), voice.say(text)))
    best = chapters.best_of(voice, "seized", figures.ahead_by_gift)
    if best:
        text = say("points is the lead that the best building brings as a gift: {building}.", building=best[0])
        found.append(Finding(voice.signed(best[1].value), voice.say(text)))
    return found


def assumed() -> Phrase:
    return say(
        "We do not have pictures of the tiles: the flowers of Maria, Martinez, Conchita and Pablo are our guess."
    )
