"""What a study tells of Cuba: plantations, characters, buildings, goods, laws, ships and berths."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.cuba import events, tiles
from malecon.kernel.phrases import Phrase, say
from malecon.match import Match
from malecon.study import chapters, figures
from malecon.study.chapters import Chapter, Finding, Voice
from malecon.study.playing import Cell
from malecon.study.plots import Row, Series


def all_chapters(voice: Voice) -> Sequence[Chapter]:
    last = say("A game always has six rounds; only the number of decisions varies.")
    facts = (
        (say("Ships that sail full"), "sailed", events.FULL),
        (say("Ships that sail before they are full"), "sailed", events.LEFT_BEHIND),
    )
    return (
        chapters.starting(voice),
        _seats(voice),
        _buildings(voice),
        _laws(voice),
        _harbour(voice),
        chapters.points(voice, events.POINTS),
        chapters.length(voice, last, facts),
    )


def _seats(voice: Voice) -> Chapter:
    study, players = voice.study, tiles.MOST_PLAYERS
    levels = voice.levels(players)
    columns = [figures.wins_by_seat(cell) for key in levels if (cell := study.cell(key, players))]
    colours = Match(study.subject.game, players).names
    rows = [
        Row(voice.say(colour), [column[at] for column in columns], 1 / players) for at, colour in enumerate(colours)
    ]
    text = say(
        "Chance decides who starts, so the seats differ only in their plantations: a true experiment, "
        "with {n} players. The dotted line is an equal share.",
        n=players,
    )
    title = voice.say(say("Wins by plantation"))
    plots = [voice.dots(title, voice.say(text), rows, voice.series(levels), voice.percent, zero=True)]
    ledger = study.subject.ledger
    plots.append(
        voice.by_level(
            voice.say(say("Who is kept for parliament")),
            voice.say(say("In how many of the six rounds a player keeps each character.")),
            voice.names("kept"),
            lambda cell: [figures.fact(cell, ledger, "kept", at) for at in range(len(tiles.CHARACTERS))],
            voice.number,
        )
    )
    text = say("Everybody has the same five characters, but the fields of each plantation are arranged differently.")
    return Chapter(
        "seats", voice.say(say("Plantations and characters")), voice.say(text), plots, voice.tiles("characters"), 84
    )


def _buildings(voice: Voice) -> Chapter:
    who, buildings = voice.at_usual(), voice.names("built")
    text = say(
        "One line shows how much further ahead of their table’s average builders finish than players "
        "without the building, in the same position in turn order. That is a correlation, not an effect: "
        "builders had the means to build. The other is a true experiment: one seat is given the building "
        "before the first round, on a random field, which then yields nothing. The 2 points at the end "
        "are included. {n} {level} players.",
        **who,
    )
    ends = say("How many of the winners, and of the others, have built it; {n} {level} players.", **who)
    found = voice.worth_having(
        "built",
        say("those who built it (a correlation)"),
        (say("What a building is worth, in points"), text),
        (say("Who has it at the end"), ends),
    )
    found.append(
        voice.by_level(
            voice.say(say("Built at each level")),
            voice.say(say("How many players have built it by the end, with {n} players.", n=who["n"])),
            buildings,
            lambda cell: figures.had_share(cell, "built"),
            voice.percent,
            axis=lambda value: voice.percent(value, 0),
        )
    )
    goods = voice.gifts("goods")
    if any(goods):
        text = say(
            "One seat gets one extra unit before the first round: a true experiment. The chart shows how "
            "many points it gains on the average of the others; {n} {level} players.",
            **who,
        )
        title = voice.say(say("A single good, given away"))
        rows = voice.sorted_rows(voice.names("goods"), goods)
        found.append(voice.dots(title, voice.say(text), rows, [voice.gift], voice.signed, zero=True))
    text = say("Buildings cost wood, stone and water, and each is worth two points at the end.")
    return Chapter(
        "buildings", voice.say(say("What is each building worth?")), voice.say(text), found, voice.tiles("buildings")
    )


def _enacted(voice: Voice, cell: Cell) -> list[figures.Figure | None]:
    """How often each law is enacted when it comes up; a game has each at most once."""
    ledger = voice.study.subject.ledger
    proposed = figures.fact_sum(cell, ledger, "proposed")
    enacted = figures.fact_sum(cell, ledger, "enacted")
    return [
        figures.share(int(chosen), int(shown), int(shown)) if shown else None
        for chosen, shown in zip(enacted, proposed, strict=True)
    ]


def _laws(voice: Voice) -> Chapter:
    laws, found = voice.names("laws"), []
    found.append(
        voice.by_level(
            voice.say(say("How often a law is enacted when it comes up")),
            voice.say(
                say(
                    "Four come up in each round, and the winner of the vote enacts two: without a preference each "
                    "would pass half the time. With {n} players.",
                    n=voice.study.subject.experiment_players,
                )
            ),
            laws,
            lambda cell: _enacted(voice, cell),
            voice.percent,
            axis=lambda value: voice.percent(value, 0),
        )
    )
    changes = voice.trials("laws", figures.points_by_change)
    if any(changes):
        text = say(
            "A true experiment: the law is in force from the first round until another of its group is "
            "enacted. The chart shows how much the average of all players rises; {n} {level} players. The "
            "tax of 2 pesos and the duty of 1 citrus fruit are in force anyway, so they change nothing.",
            **voice.at_usual(),
        )
        title = voice.say(say("A law in force from the start"))
        rows = voice.sorted_rows(laws, changes)
        one = Series(voice.say(say("Points per player")), "coral", "circle")
        found.append(voice.dots(title, voice.say(text), rows, [one], voice.signed, zero=True))
    text = say("Twenty-four laws in four groups; each comes up exactly once, in random order.")
    return Chapter("laws", voice.say(say("What do the laws do?")), voice.say(text), found, voice.tiles(*tiles.GROUPS))


def _harbour(voice: Voice) -> Chapter:
    ledger, usual, found = voice.study.subject.ledger, voice.usual, []
    berths = voice.names("loaded")
    found.append(
        voice.by_level(
            voice.say(say("Goods loaded at each berth")),
            voice.say(
                say(
                    "Per player and game, with {n} players; each good is worth as many points as the number of its "
                    "berth.",
                    n=voice.study.subject.experiment_players,
                )
            ),
            berths,
            lambda cell: [figures.fact(cell, ledger, "loaded", at) for at in range(tiles.BERTHS)],
            voice.number,
        )
    )
    if usual is not None:
        winners, others = figures.times(usual, "loaded", "winners'"), figures.times(usual, "loaded", "others'")
        text = say("Goods that winners and the others load in a game; {n} {level} players.", **voice.at_usual())
        title = voice.say(say("Winners in the harbour"))
        found.append(voice.winners_and_others(title, voice.say(text), berths, winners, others, voice.number))
        rows = voice.sorted_rows(voice.names("first ship"), figures.points_in_setup(usual, "first ship"))
        text = say(
            "Average points per player, by the ship at berth 2 in the first round, named by its loading "
            "spaces; {n} {level} players. Chance draws it: a true experiment.",
            **voice.at_usual(),
        )
        title = voice.say(say("The first ship"))
        one = Series(voice.say(say("Points per player")), "drop", "circle")
        found.append(voice.dots(title, voice.say(text), rows, [one], voice.number))
    ships = [("ships", key) for key in tiles.SHIP_NAMES]
    text = say("Three berths, worth 1, 2 and 3 points for each good; ships move up from one to the next.")
    return Chapter("harbour", voice.say(say("What are the berths worth?")), voice.say(text), found, ships, 96)


def findings(voice: Voice) -> list[Finding]:
    found = chapters.common_findings(voice)
    best = chapters.best_of(voice, "built", figures.ahead_by_gift)
    if best:
        text = say("points is the lead that the best building brings as a gift: {building}.", building=best[0])
        found.append(Finding(voice.signed(best[1].value), voice.say(text)))
    best = chapters.best_of(voice, "laws", figures.points_by_change)
    if best:
        text = say(
            "points more for every player, on average, if this law is in force from the start: {law}.", law=best[0]
        )
        found.append(Finding(voice.signed(best[1].value), voice.say(text)))
    return found


def assumed() -> Phrase:
    return say("We do not have pictures of the plantations and the ship cards; both are our guess.")
