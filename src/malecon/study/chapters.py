"""The chapters of a study as data, without HTML: those that every study has, and what the games' own are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from malecon.bots.levels import BY_KEY
from malecon.kernel import registry
from malecon.kernel.game import Game
from malecon.kernel.phrases import Phrase, say
from malecon.study import Study, estimates, plots
from malecon.study.estimates import Estimate
from malecon.study.playing import EXPERIMENTER, LEVELS, GameSample
from malecon.study.plots import PlotRow, Series
from malecon.text import glossary as text_glossary
from malecon.text import translate

#: The colour and shape of each level's marks.
MARKS = {
    "random": ("stone", "circle"),
    "turista": ("palm", "triangle"),
    "aprendiz": ("amber", "square"),
    "comerciante": ("drop", "diamond"),
    "capitan": ("coral", "circle"),
}


@dataclass(frozen=True)
class NumberTable:
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
    numbers: NumberTable


@dataclass(frozen=True)
class StudyChapter:
    """A question and its answers; `tiles` are things of the game to show beside it, by kind and key."""

    key: str
    title: str
    text: str
    plots: Sequence[Plot]
    tiles: Sequence[tuple[str, str]] = ()
    tile_width: int = 72


@dataclass(frozen=True)
class KeyFigure:
    """A number worth knowing, and the sentence that follows it."""

    number: str
    text: str


@dataclass
class StudyWriter:
    """Writes the texts and draws the plots of a study in a language."""

    study: Study
    language: str
    _plots: int = 0  # that have a key

    def translate(self, phrase: Phrase | str) -> str:
        """Return a phrase in the language of the study."""
        return translate(phrase, self.language)

    def name(self, phrase: Phrase | str) -> str:
        """Return a name with a capital letter, as at the beginning of a line."""
        text = self.translate(phrase)
        return text[:1].upper() + text[1:]

    def names(self, kind: str) -> list[str]:
        """Return the names of all things of a kind."""
        return [self.name(name) for name in self.study.design.names[kind]]

    def tiles(self, *kinds: str) -> list[tuple[str, str]]:
        """Return the kind and key of everything the game's glossary has of some kinds."""
        glossary = text_glossary(self.study.design.game)
        return [(kind, key) for kind in kinds for key in glossary[kind]]

    def number(self, value: float, digits: int = 1) -> str:
        """Return a number as it is written in the language; – if there is none."""
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

    def estimate(self, estimate: Estimate | None, write: Callable[[float], str]) -> str:
        """Return an estimate with its interval."""
        if estimate is None or not math.isfinite(estimate.value):
            return "–"
        if not math.isfinite(estimate.low):
            return write(estimate.value)
        return f"{write(estimate.value)} ({write(estimate.low)} … {write(estimate.high)})"

    # --- levels

    def level(self, key: str) -> str:
        return self.translate(Phrase("At random", context="level") if key == "random" else BY_KEY[key].name)

    def levels(self, players: int | None = None) -> list[str]:
        """Return the levels with enough games for an estimate, with that number of players or with any."""
        enough = [sample for sample in self.study.samples if sample.games >= estimates.FEWEST]
        return [
            level.key
            for level in LEVELS
            if any(sample.level == level.key and players in (None, sample.players) for sample in enough)
        ]

    def series(self, levels: Sequence[str]) -> list[Series]:
        return [Series(self.level(key), *MARKS[key]) for key in levels]

    @property
    def baseline(self) -> GameSample | None:
        """The games that experiments are compared with."""
        return self.study.sample(EXPERIMENTER.key, self.study.design.experiment_players)

    # --- plots

    @property
    def gift(self) -> Series:
        """The series of what experiments with gifts have shown."""
        return Series(self.translate(say("given away (a true effect)")), "coral", "circle")

    def winners_and_others(
        self,
        title: str,
        text: str,
        names: Sequence[str],
        winners: Sequence[Estimate | None],
        others: Sequence[Estimate | None],
        write: Callable[[float], str],
        axis: Callable[[float], str] | None = None,
    ) -> Plot:
        """Plot the same of winners and of the others, side by side."""
        series = [
            Series(self.translate(say("Winners")), "amber", "square"),
            Series(self.translate(say("The others")), "stone", "circle"),
        ]
        rows = [PlotRow(name, marks) for name, *marks in zip(names, winners, others, strict=True)]
        return self.dots(title, text, rows, series, write, axis=axis, zero=True)

    def worth_having(
        self, kind: str, beside: Phrase, worth: tuple[Phrase, Phrase], ends: tuple[Phrase, Phrase]
    ) -> list[Plot]:
        """Plot what having a thing correlates with, beside what it is worth as a gift; and who has it in the end.

        `beside` names those who have it, of the rest; `worth` and `ends` are each plot's title and text.
        """
        if self.baseline is None:
            return []
        names, gifts, together = self.names(kind), self.gifts(kind), estimates.ahead_with(self.baseline, kind)
        columns = [together, gifts] if any(gifts) else [together]
        series = [Series(self.translate(beside), "stone", "square"), self.gift][: len(columns)]
        rows = self.sorted_rows(names, *columns)
        winners, others = estimates.had_by_winners(self.baseline, kind), estimates.had_by_others(self.baseline, kind)
        (title, text), (end, who) = worth, ends
        return [
            self.dots(self.translate(title), self.translate(text), rows, series, self.signed, zero=True),
            self.winners_and_others(
                self.translate(end),
                self.translate(who),
                names,
                winners,
                others,
                self.percent,
                lambda v: self.percent(v, 0),
            ),
        ]

    def dots(
        self,
        title: str,
        text: str,
        rows: Sequence[PlotRow],
        series: Sequence[Series],
        write: Callable[[float], str],
        *,
        axis: Callable[[float], str] | None = None,
        zero: bool = False,
    ) -> Plot:
        """Plot dots with their intervals, with the table of the numbers."""
        key = self.plot_key()
        svg = plots.dots(key, title, self._described(rows, series, write), rows, series, axis or write, zero=zero)
        heads = ["", *(line.name for line in series)]
        body = []
        under = ""
        for row in rows:
            if row.heading:
                under = row.label
            else:
                name = f"{under}: {row.label}" if under else row.label
                body.append([name, *(self.estimate(mark, write) for mark in row.marks)])
        return Plot(title, text, plots.legend(series) if len(series) > 1 else "", svg, NumberTable(heads, body))

    def plot_key(self) -> str:
        """Return an id for the next plot."""
        self._plots += 1
        return f"plot-{self._plots}"

    def _described(self, rows: Sequence[PlotRow], series: Sequence[Series], write: Callable[[float], str]) -> str:
        """Return the description for those who cannot see the plot: the least and the greatest value of each series."""
        parts = []
        for at, line in enumerate(series):
            under, values = "", []
            for row in rows:
                under = row.label if row.heading else under
                mark = None if row.heading or at >= len(row.marks) else row.marks[at]
                if mark is not None and math.isfinite(mark.value):
                    values.append((mark.value, f"{under}: {row.label}" if under else row.label))
            if values:
                (low, least), (high, most) = min(values), max(values)
                parts.append(
                    self.translate(
                        say(
                            "{series}: from {low} ({least}) to {high} ({most}).",
                            series=line.name,
                            low=write(low),
                            least=least,
                            high=write(high),
                            most=most,
                        )
                    )
                )
        parts.append(self.translate(say("All numbers are in the table below the plot.")))
        return " ".join(parts)

    def by_level(
        self,
        title: str,
        text: str,
        names: Sequence[str],
        read: Callable[[GameSample], Sequence[Estimate | None]],
        write: Callable[[float], str],
        *,
        axis: Callable[[float], str] | None = None,
    ) -> Plot:
        """Plot a row for each name and a mark for each level, with the number of players of the experiments."""
        players = self.study.design.experiment_players
        levels = self.levels(players)
        columns = [read(sample) for key in levels if (sample := self.study.sample(key, players))]
        rows = [PlotRow(name, [column[at] for column in columns]) for at, name in enumerate(names)]
        return self.dots(title, text, rows, self.series(levels), write, axis=axis, zero=True)

    def sorted_rows(self, names: Sequence[str], *columns: Sequence[Estimate | None]) -> list[PlotRow]:
        """Return rows in the order of the last column, the greatest first; those without an estimate come last."""

        def rank(row: PlotRow) -> float:
            mark = row.marks[-1]
            return -mark.value if mark is not None and math.isfinite(mark.value) else math.inf

        return sorted((PlotRow(name, marks) for name, *marks in zip(names, *columns, strict=True)), key=rank)

    def gifts(self, kind: str) -> list[Estimate | None]:
        """Return what each thing of a kind did as a gift."""
        return self.trials(kind, estimates.ahead_by_gift)

    def trials(self, kind: str, measure: Callable[..., Estimate]) -> list[Estimate | None]:
        """Return what a measure says of the experiment with each thing of a kind; None if there was none."""
        values: list[Estimate | None] = [None] * len(self.study.design.names[kind])
        baseline = self.baseline
        for trial in self.study.trials:
            if trial.kind == kind and baseline is not None:
                values[trial.thing] = measure(trial, baseline)
        return values

    def baseline_gaps(self) -> dict[str, str | int]:
        """Return who plays experiments, for the gaps `level` and `n` of texts about them."""
        return {"level": self.level(EXPERIMENTER.key), "n": self.study.design.experiment_players}


# --- the chapters


#: Why the first chapter is an experiment if chance draws who starts.
DRAWN = say(
    "Chance decides who starts, and the same level plays at every seat. So this is a true "
    "experiment: any difference is an effect of the position in turn order."
)


def starting(writer: StudyWriter, text: Phrase = DRAWN) -> StudyChapter:
    wins = _by_place(
        writer,
        say("Wins by position in turn order"),
        say("The dotted line is an equal share. A shared win is split evenly."),
        estimates.wins_by_order,
        writer.percent,
        lambda value: writer.percent(value, 0),
        fair=True,
    )
    scores = _by_place(
        writer,
        say("Points by position in turn order"),
        say("Averages at the end of the game."),
        estimates.points_by_order,
        writer.number,
        lambda value: writer.number(value, 0),
    )
    return StudyChapter(
        "starting", writer.translate(say("Does it help to go first?")), writer.translate(text), [wins, scores]
    )


def _by_place(
    writer: StudyWriter,
    title: Phrase,
    text: Phrase,
    read: Callable[[GameSample], list[Estimate]],
    write: Callable[[float], str],
    axis: Callable[[float], str],
    *,
    fair: bool = False,
) -> Plot:
    """Plot an estimate for every place in turn order, number of players and level."""
    study, levels, rows = writer.study, writer.levels(), []
    game = study.design.game
    for players in range(game.fewest_players, game.most_players + 1):
        rows.append(PlotRow(writer.translate(say("With {n} players", n=players)), heading=True))
        columns: list[Sequence[Estimate | None]] = [
            read(sample) if (sample := study.sample(key, players)) else [None] * players for key in levels
        ]
        for place in range(players):
            label = Phrase("starts", context="turn order") if place == 0 else say("no. {n} in turn order", n=place + 1)
            marks = [column[place] for column in columns]
            rows.append(PlotRow(writer.translate(label), marks, 1 / players if fair else None))
    return writer.dots(
        writer.translate(title), writer.translate(text), rows, writer.series(levels), write, axis=axis, zero=True
    )


def _spread(writer: StudyWriter, title: Phrase, text: Phrase, key: str, means: Sequence[tuple[Phrase, str]]) -> Plot:
    """Plot the spread of points or decisions by number of players and level, with some means in the table."""
    study, game = writer.study, writer.study.design.game
    drawn: list[tuple[PlotRow, Series | None, Sequence[float]]] = []
    table = []
    for players in range(game.fewest_players, game.most_players + 1):
        heading = writer.translate(say("With {n} players", n=players))
        drawn.append((PlotRow(heading, heading=True), None, ()))
        for level in writer.levels(players):
            sample = study.sample(level, players)
            assert sample is not None
            five = estimates.percentiles(sample.tally[f"spread of {key}"])
            name = writer.level(level)
            drawn.append((PlotRow(name), Series(name, *MARKS[level]), five))
            read = [
                estimates.mean_points(sample) if which == "points" else estimates.mean_of(sample, which)
                for _, which in means
            ]
            table.append(
                [
                    f"{heading}: {name}",
                    *(writer.number(value, 0) for value in five),
                    *(writer.estimate(mean, writer.number) for mean in read),
                ]
            )
    percents = [writer.translate(say("{n}% are below", n=percent)) for percent in estimates.PERCENTILES]
    heads = ["", *percents, *(writer.translate(name) for name, _ in means)]
    middles = [f"{row[0]} {row[3]}" for row in table]
    described = writer.translate(say("Medians: {list}.", list="; ".join(middles)))
    described += " " + writer.translate(say("All numbers are in the table below the plot."))
    svg = plots.spreads(
        writer.plot_key(), writer.translate(title), described, drawn, lambda value: writer.number(value, 0)
    )
    return Plot(writer.translate(title), writer.translate(text), "", svg, NumberTable(heads, table))


def points(writer: StudyWriter, kind: int | None = None) -> StudyChapter:
    """Return the chapter on points; `kind` is that of the event that gives points, if the schema counts them."""
    spread = _spread(
        writer,
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
    plot_list = [spread] if kind is None else [spread, _sources(writer, kind)]
    return StudyChapter(
        "points", writer.translate(say("How are the points distributed?")), writer.translate(text), plot_list
    )


def _sources(writer: StudyWriter, kind: int) -> Plot:
    design = writer.study.design
    game = design.game
    sources = text_glossary(game)["sources"]
    return writer.by_level(
        writer.translate(say("Sources of points")),
        writer.translate(say("Points per player by source, with {n} players.", n=design.experiment_players)),
        [writer.name(sources[key].name) for key in game.sources],
        lambda sample: list(estimates.points_by_source(sample, design.schema, game, kind).values()),
        writer.number,
        axis=lambda value: writer.number(value, 0),
    )


def length(writer: StudyWriter, text: Phrase, facts: Sequence[tuple[Phrase, str, int]] = ()) -> StudyChapter:
    """Return the chapter on length; `facts` are counted too: each has a name, a group of the schema, an index there."""
    spread = _spread(
        writer,
        say("Decisions in a game"),
        say("All players together, without chance moves."),
        "decisions",
        ((say("Average"), "decisions"),),
    )
    plot_list = [spread, _counted(writer, facts)] if facts else [spread]
    return StudyChapter(
        "length", writer.translate(say("How long does a game last?")), writer.translate(text), plot_list
    )


def _counted(writer: StudyWriter, facts: Sequence[tuple[Phrase, str, int]]) -> Plot:
    schema = writer.study.design.schema
    return writer.by_level(
        writer.translate(say("What happens in a game")),
        writer.translate(say("On average, with {n} players.", n=writer.study.design.experiment_players)),
        [writer.translate(name) for name, _, _ in facts],
        lambda sample: [estimates.fact(sample, schema, group, at, a_player=False) for _, group, at in facts],
        writer.number,
        axis=lambda value: writer.number(value, 0),
    )


# --- key figures


def common_key_figures(writer: StudyWriter) -> list[KeyFigure]:
    """Return the key figures of every study, if there were games for them."""
    usual, key_figures = writer.baseline, []
    if usual is not None:
        first = estimates.wins_by_order(usual)[0]
        text = say(
            "of the games among {n} {level} players are won by the starting player. An equal share would be {fair}.",
            fair=writer.percent(1 / usual.players),
            **writer.baseline_gaps(),
        )
        key_figures.append(KeyFigure(writer.percent(first.value), writer.translate(text)))
        best, last = estimates.mean_of(usual, "best"), estimates.mean_of(usual, "last")
        text = say(
            "points is the winner’s average among {n} {level} players; last place has {last}.",
            last=writer.number(last.value),
            **writer.baseline_gaps(),
        )
        key_figures.append(KeyFigure(writer.number(best.value), writer.translate(text)))
    return key_figures


def best_of(writer: StudyWriter, kind: str, measure: Callable[..., Estimate]) -> tuple[str, Estimate] | None:
    """Return the name of the thing of a kind that did most in its experiment, with the estimate."""
    results = [
        (estimate.value, name, estimate)
        for name, estimate in zip(writer.names(kind), writer.trials(kind, measure), strict=True)
        if estimate is not None
    ]
    return max(results)[1:] if results else None


# --- the chapters of a game


class GameChapters(Protocol):
    """What a game's module `study` may provide beside its design."""

    def all_chapters(self, writer: StudyWriter) -> Sequence[StudyChapter]: ...
    def key_figures(self, writer: StudyWriter) -> list[KeyFigure]: ...
    def assumptions(self) -> Phrase | None:
        """Return what is not known for sure about the game itself."""


class DefaultChapters:
    """The chapters of any game: who starts, how points spread, how long games last."""

    def all_chapters(self, writer: StudyWriter) -> Sequence[StudyChapter]:
        same = say("The same level plays at every seat, so any difference is an effect of the position in turn order.")
        last = say("Counted in decisions, since time depends on who decides.")
        return starting(writer, same), points(writer), length(writer, last)

    def key_figures(self, writer: StudyWriter) -> list[KeyFigure]:
        return common_key_figures(writer)

    def assumptions(self) -> Phrase | None:
        return None


def chapters_of(game: Game) -> GameChapters:
    """Return the chapters of a game: its own, completed by the default ones."""
    return registry.with_overrides(DefaultChapters(), registry.component(game.name, "study"))
