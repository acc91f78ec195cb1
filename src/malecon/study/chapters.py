"""The chapters that every study has: starting, points, length; and what chapters are made of. No HTML."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from malecon.bots.levels import BY_KEY
from malecon.kernel.phrases import Phrase, say
from malecon.study import Study, figures, plots
from malecon.study.figures import Figure
from malecon.study.playing import EXPERIMENTER, LEVELS, Cell
from malecon.study.plots import Row, Series
from malecon.text import glossary as text_glossary
from malecon.text import translate

#: By level: colour and shape.
MARKS = {
    "random": ("stone", "circle"),
    "turista": ("palm", "triangle"),
    "aprendiz": ("amber", "square"),
    "comerciante": ("drop", "diamond"),
    "capitan": ("coral", "circle"),
}


@dataclass(frozen=True)
class Listing:
    """The numbers of a plot."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Plot:
    """A drawing, what it shows, and its numbers."""

    title: str
    text: str
    legend: str
    svg: str
    numbers: Listing


@dataclass(frozen=True)
class Chapter:
    """A question and its answers; `tiles` are things of the game to show beside it, by kind and key, so wide."""

    key: str
    title: str
    text: str
    plots: Sequence[Plot]
    tiles: Sequence[tuple[str, str]] = ()
    tile_width: int = 72


@dataclass(frozen=True)
class Finding:
    """A number worth knowing, and the sentence that goes on from it."""

    number: str
    text: str


@dataclass
class Voice:
    """A study told in a language."""

    study: Study
    language: str
    _keys: list[str] = field(default_factory=list)

    def say(self, said: Phrase | str) -> str:
        return translate(said, self.language)

    def name(self, said: Phrase | str) -> str:
        """A name at the beginning of a line."""
        text = self.say(said)
        return text[:1].upper() + text[1:]

    def names(self, kind: str) -> list[str]:
        return [self.name(name) for name in self.study.subject.names[kind]]

    def tiles(self, *kinds: str) -> list[tuple[str, str]]:
        """Everything the game's glossary has of some kinds."""
        glossary = text_glossary(self.study.subject.game)
        return [(kind, key) for kind in kinds for key in glossary[kind]]

    def number(self, value: float, digits: int = 1) -> str:
        """A number as people write it, – where there is none."""
        from babel.numbers import format_decimal

        if not math.isfinite(value):
            return "–"
        pattern = "#,##0" + ("." + "0" * digits if digits else "")
        text: str = format_decimal(value, pattern, locale=self.language)
        return text.replace("-", "−") if float(f"{value:.{digits}f}") else text.removeprefix("-")

    def signed(self, value: float, digits: int = 1) -> str:
        return ("+" if round(value, digits) > 0 else "") + self.number(value, digits)

    def percent(self, value: float, digits: int = 1) -> str:
        return self.number(100 * value, digits) + "\u00a0%"

    def figure(self, found: Figure | None, write: Callable[[float], str]) -> str:
        """A figure with its interval."""
        if found is None or not math.isfinite(found.value):
            return "–"
        if not math.isfinite(found.low):
            return write(found.value)
        return f"{write(found.value)} ({write(found.low)} … {write(found.high)})"

    # --- levels

    def level(self, key: str) -> str:
        return self.say(Phrase("At random", context="level") if key == "random" else BY_KEY[key].name)

    def levels(self, players: int | None = None) -> list[str]:
        """The levels that have played often enough to say something, with so many players or at all."""
        enough = [cell for cell in self.study.cells if cell.games >= figures.FEWEST]
        return [
            level.key
            for level in LEVELS
            if any(cell.level == level.key and players in (None, cell.players) for cell in enough)
        ]

    def series(self, levels: Sequence[str]) -> list[Series]:
        return [Series(self.level(key), *MARKS[key]) for key in levels]

    @property
    def usual(self) -> Cell | None:
        """The games that experiments are compared with."""
        return self.study.cell(EXPERIMENTER.key, self.study.subject.experiment_players)

    # --- plots

    @property
    def gift(self) -> Series:
        """What an experiment with a gift has shown."""
        return Series(self.say(say("given away (a true effect)")), "coral", "circle")

    def winners_and_others(
        self,
        title: str,
        text: str,
        names: Sequence[str],
        winners: Sequence[Figure | None],
        others: Sequence[Figure | None],
        write: Callable[[float], str],
        axis: Callable[[float], str] | None = None,
    ) -> Plot:
        """The same of those who won and of the rest, side by side."""
        series = [
            Series(self.say(say("Winners")), "amber", "square"),
            Series(self.say(say("The others")), "stone", "circle"),
        ]
        rows = [Row(name, marks) for name, *marks in zip(names, winners, others, strict=True)]
        return self.dots(title, text, rows, series, write, axis=axis, zero=True)

    def worth_having(
        self, kind: str, beside: Phrase, worth: tuple[Phrase, Phrase], ends: tuple[Phrase, Phrase]
    ) -> list[Plot]:
        """What having a thing goes together with, beside what it is worth as a gift; and who has it in the end.

        `beside` names those who have it, of the rest; `worth` and `ends` are each plot's title and text.
        """
        if self.usual is None:
            return []
        names, gifts, together = self.names(kind), self.gifts(kind), figures.ahead_with(self.usual, kind)
        columns = [together, gifts] if any(gifts) else [together]
        series = [Series(self.say(beside), "stone", "square"), self.gift][: len(columns)]
        rows = self.sorted_rows(names, *columns)
        winners, others = figures.had_by_winners(self.usual, kind), figures.had_by_others(self.usual, kind)
        (title, text), (end, who) = worth, ends
        return [
            self.dots(self.say(title), self.say(text), rows, series, self.signed, zero=True),
            self.winners_and_others(
                self.say(end), self.say(who), names, winners, others, self.percent, lambda v: self.percent(v, 0)
            ),
        ]

    def dots(
        self,
        title: str,
        text: str,
        rows: Sequence[Row],
        series: Sequence[Series],
        write: Callable[[float], str],
        *,
        axis: Callable[[float], str] | None = None,
        zero: bool = False,
    ) -> Plot:
        """Dots with their intervals, and the table of them."""
        key = self._key()
        svg = plots.dots(key, title, self._described(rows, series, write), rows, series, axis or write, zero=zero)
        heads = ["", *(one.name for one in series)]
        body = []
        under = ""
        for row in rows:
            if row.heading:
                under = row.label
            else:
                name = f"{under}: {row.label}" if under else row.label
                body.append([name, *(self.figure(mark, write) for mark in row.marks)])
        return Plot(title, text, plots.legend(series) if len(series) > 1 else "", svg, Listing(heads, body))

    def _key(self) -> str:
        self._keys.append("")
        return f"plot-{len(self._keys)}"

    def _described(self, rows: Sequence[Row], series: Sequence[Series], write: Callable[[float], str]) -> str:
        """What somebody hears who cannot see the plot: for each series its least and its greatest."""
        parts = []
        for at, one in enumerate(series):
            under, found = "", []
            for row in rows:
                under = row.label if row.heading else under
                mark = None if row.heading or at >= len(row.marks) else row.marks[at]
                if mark is not None and math.isfinite(mark.value):
                    found.append((mark.value, f"{under}: {row.label}" if under else row.label))
            if found:
                (low, least), (high, most) = min(found), max(found)
                parts.append(
                    self.say(
                        say(
                            "{series}: from {low} ({least}) to {high} ({most}).",
                            series=one.name,
                            low=write(low),
                            least=least,
                            high=write(high),
                            most=most,
                        )
                    )
                )
        parts.append(self.say(say("All numbers are in the table below the plot.")))
        return " ".join(parts)

    def by_level(
        self,
        title: str,
        text: str,
        names: Sequence[str],
        read: Callable[[Cell], Sequence[Figure | None]],
        write: Callable[[float], str],
        *,
        axis: Callable[[float], str] | None = None,
    ) -> Plot:
        """A row for each name and a mark for each level, at the usual number of players."""
        players = self.study.subject.experiment_players
        levels = self.levels(players)
        columns = [read(cell) for key in levels if (cell := self.study.cell(key, players))]
        rows = [Row(name, [column[at] for column in columns]) for at, name in enumerate(names)]
        return self.dots(title, text, rows, self.series(levels), write, axis=axis, zero=True)

    def sorted_rows(self, names: Sequence[str], *columns: Sequence[Figure | None]) -> list[Row]:
        """Rows in the order of the last column, the greatest first; those without a figure come last."""

        def rank(row: Row) -> float:
            mark = row.marks[-1]
            return -mark.value if mark is not None and math.isfinite(mark.value) else math.inf

        return sorted((Row(name, marks) for name, *marks in zip(names, *columns, strict=True)), key=rank)

    def gifts(self, kind: str) -> list[Figure | None]:
        """What each thing of a kind did as a gift."""
        return self.trials(kind, figures.ahead_by_gift)

    def trials(self, kind: str, measure: Callable[..., Figure]) -> list[Figure | None]:
        found: list[Figure | None] = [None] * len(self.study.subject.names[kind])
        usual = self.usual
        for trial in self.study.trials:
            if trial.kind == kind and usual is not None:
                found[trial.thing] = measure(trial, usual)
        return found

    def at_usual(self) -> dict[str, str | int]:
        """Who plays experiments, for the texts about them."""
        return {"level": self.level(EXPERIMENTER.key), "n": self.study.subject.experiment_players}


# --- the chapters


#: Why the first chapter is an experiment, where chance draws who starts.
DRAWN = say(
    "Chance decides who starts, and the same level plays at every seat. So this is a true "
    "experiment: any difference is an effect of the position in turn order."
)


def starting(voice: Voice, text: Phrase = DRAWN) -> Chapter:
    wins = _by_place(
        voice,
        say("Wins by position in turn order"),
        say("The dotted line is an equal share. A shared win is split evenly."),
        figures.wins_by_order,
        voice.percent,
        lambda value: voice.percent(value, 0),
        fair=True,
    )
    scores = _by_place(
        voice,
        say("Points by position in turn order"),
        say("Averages at the end of the game."),
        figures.points_by_order,
        voice.number,
        lambda value: voice.number(value, 0),
    )
    return Chapter("starting", voice.say(say("Does it help to go first?")), voice.say(text), [wins, scores])


def _by_place(
    voice: Voice,
    title: Phrase,
    text: Phrase,
    read: Callable[[Cell], list[Figure]],
    write: Callable[[float], str],
    axis: Callable[[float], str],
    *,
    fair: bool = False,
) -> Plot:
    """A figure for every place in turn order, number of players and level."""
    study, levels, rows = voice.study, voice.levels(), []
    game = study.subject.game
    for players in range(game.fewest_players, game.most_players + 1):
        rows.append(Row(voice.say(say("With {n} players", n=players)), heading=True))
        columns: list[Sequence[Figure | None]] = [
            read(cell) if (cell := study.cell(key, players)) else [None] * players for key in levels
        ]
        for place in range(players):
            label = Phrase("starts", context="turn order") if place == 0 else say("no. {n} in turn order", n=place + 1)
            marks = [column[place] for column in columns]
            rows.append(Row(voice.say(label), marks, 1 / players if fair else None))
    return voice.dots(voice.say(title), voice.say(text), rows, voice.series(levels), write, axis=axis, zero=True)


def _spread(voice: Voice, title: Phrase, text: Phrase, key: str, means: Sequence[tuple[Phrase, str]]) -> Plot:
    """The spread of points or decisions by number of players and level, with some means in the table."""
    study, game = voice.study, voice.study.subject.game
    drawn: list[tuple[Row, Series | None, Sequence[float]]] = []
    table = []
    for players in range(game.fewest_players, game.most_players + 1):
        heading = voice.say(say("With {n} players", n=players))
        drawn.append((Row(heading, heading=True), None, ()))
        for level in voice.levels(players):
            cell = study.cell(level, players)
            assert cell is not None
            five = figures.percentiles(cell.tally[f"spread of {key}"])
            name = voice.level(level)
            drawn.append((Row(name), Series(name, *MARKS[level]), five))
            read = [
                figures.mean_points(cell) if which == "points" else figures.mean_of(cell, which) for _, which in means
            ]
            table.append(
                [
                    f"{heading}: {name}",
                    *(voice.number(value, 0) for value in five),
                    *(voice.figure(figure, voice.number) for figure in read),
                ]
            )
    percents = [voice.say(say("{n}% are below", n=percent)) for percent in figures.PERCENTILES]
    heads = ["", *percents, *(voice.say(name) for name, _ in means)]
    middles = [f"{row[0]} {row[3]}" for row in table]
    described = voice.say(say("Medians: {list}.", list="; ".join(middles)))
    described += " " + voice.say(say("All numbers are in the table below the plot."))
    svg = plots.spreads(voice._key(), voice.say(title), described, drawn, lambda value: voice.number(value, 0))
    return Plot(voice.say(title), voice.say(text), "", svg, Listing(heads, table))


def points(voice: Voice, kind: int | None = None) -> Chapter:
    """`kind` is that of the event that gives points, if the ledger counts them."""
    spread = _spread(
        voice,
        say("Points per player"),
        say("The thin line covers nine players out of ten, the bar the middle half; the mark in it is the median."),
        "points",
        (
            (say("Average"), "points"),
            (say("Average of the winners"), "best"),
            (say("Average of the last places"), "last"),
        ),
    )
    text = say(
        "Points at the end, by number of players and level. Slower levels have played fewer games: see "
        "“How this page was made”."
    )
    shown = [spread] if kind is None else [spread, _sources(voice, kind)]
    return Chapter("points", voice.say(say("How are the points distributed?")), voice.say(text), shown)


def _sources(voice: Voice, kind: int) -> Plot:
    subject = voice.study.subject
    game = subject.game
    told = text_glossary(game)["sources"]
    return voice.by_level(
        voice.say(say("Sources of points")),
        voice.say(say("Points per player by source, with {n} players.", n=subject.experiment_players)),
        [voice.name(told[key].name) for key in game.sources],
        lambda cell: list(figures.points_by_source(cell, subject.ledger, game, kind).values()),
        voice.number,
        axis=lambda value: voice.number(value, 0),
    )


def length(voice: Voice, text: Phrase, facts: Sequence[tuple[Phrase, str, int]] = ()) -> Chapter:
    """`facts` are further things to count in a game: what they are, and where they stand in the ledger."""
    spread = _spread(
        voice,
        say("Decisions in a game"),
        say("All players together, without chance moves."),
        "decisions",
        ((say("Average"), "decisions"),),
    )
    shown = [spread, _counted(voice, facts)] if facts else [spread]
    return Chapter("length", voice.say(say("How long does a game last?")), voice.say(text), shown)


def _counted(voice: Voice, facts: Sequence[tuple[Phrase, str, int]]) -> Plot:
    ledger = voice.study.subject.ledger
    return voice.by_level(
        voice.say(say("What happens in a game")),
        voice.say(say("On average, with {n} players.", n=voice.study.subject.experiment_players)),
        [voice.say(name) for name, _, _ in facts],
        lambda cell: [figures.fact(cell, ledger, part, at, a_player=False) for _, part, at in facts],
        voice.number,
        axis=lambda value: voice.number(value, 0),
    )


# --- findings


def common_findings(voice: Voice) -> list[Finding]:
    """What every study can say at its beginning, if there were games for it."""
    usual, found = voice.usual, []
    if usual is not None:
        first = figures.wins_by_order(usual)[0]
        text = say(
            "of the games among {n} {level} players are won by the starting player. An equal share would be {fair}.",
            fair=voice.percent(1 / usual.players),
            **voice.at_usual(),
        )
        found.append(Finding(voice.percent(first.value), voice.say(text)))
        best, last = figures.mean_of(usual, "best"), figures.mean_of(usual, "last")
        text = say(
            "points is the winner’s average among {n} {level} players; last place has {last}.",
            last=voice.number(last.value),
            **voice.at_usual(),
        )
        found.append(Finding(voice.number(best.value), voice.say(text)))
    return found


def best_of(voice: Voice, kind: str, figure: Callable[..., Figure]) -> tuple[str, Figure] | None:
    """The thing of a kind that did most in its experiment."""
    known = [
        (found.value, name, found)
        for name, found in zip(voice.names(kind), voice.trials(kind, figure), strict=True)
        if found is not None
    ]
    return max(known)[1:] if known else None
