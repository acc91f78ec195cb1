"""A study as one HTML page that needs no network and no scripts; it has a dark mode and works on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from malecon import __version__, drawing
from malecon.kernel.phrases import Phrase, say
from malecon.study import Study
from malecon.study.chapters import KeyFigure, NumberTable, Plot, StudyChapter, StudyWriter, chapters_of
from malecon.study.playing import EXPERIMENTER

BRAND = (
    '<svg viewBox="0 0 48 32" aria-hidden="true"><circle cx="24" cy="18" r="11" class="b-sun"/>'
    '<path class="b-wall" d="M0 19h48v4H0z"/><path class="b-sea" d="M0 23h48v9H0z"/>'
    '<path class="b-wave" d="M4 28q4-3 8 0t8 0 8 0 8 0 8 0"/></svg>'
)


def page(study: Study, language: str, command: str) -> str:
    """Return the whole page; `command` is the one that makes it."""
    writer = StudyWriter(study, language)
    game = study.design.game
    own = chapters_of(game)
    parts = own.all_chapters(writer)
    title = writer.translate(say("A study of {game}", game=game.title))
    lead = writer.translate(
        say("{games} games, played and counted by the program itself.", games=writer.number(study.played, 0))
    )
    contents = writer.translate(say("Contents"))
    made = writer.translate(say("How this page was made"))
    limits = writer.translate(say("What these numbers cannot tell you"))
    links = [*((part.key, part.title) for part in parts), ("limits", limits), ("made", made)]
    nav = "".join(f'<li><a href="#{key}">{escape(text)}</a></li>' for key, text in links)
    body = "".join(
        (
            f'<header class="top"><div class="brand">{BRAND}Malecón</div>',
            f"<h1>{escape(title)}</h1><p>{escape(lead)}</p></header><main>",
            f'<nav aria-label="{escape(contents)}"><ul>{nav}</ul></nav>',
            _key_figures(writer, own.key_figures(writer)),
            f'<p class="card">{escape(_how_to_read(writer))}</p>',
            *(_chapter(writer, part) for part in parts),
            _section("limits", limits, _limits(writer, own.assumptions())),
            _section("made", made, _made(writer, command)),
            "</main>",
        )
    )
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{drawing.PAGE_STYLE}{drawing.STYLE}{_css()}</style>\n</head>\n"
        f"<body>\n{drawing.symbols_sheet()}{body}\n</body>\n</html>\n"
    )


def _css() -> str:
    return Path(__file__).with_suffix(".css").read_text("utf-8")


def _section(key: str, title: str, content: str) -> str:
    return f'<section id="{key}"><h2>{escape(title)}</h2>{content}</section>\n'


def _key_figures(writer: StudyWriter, key_figures: Sequence[KeyFigure]) -> str:
    if not key_figures:
        return ""
    items = "".join(f'<li class="finding"><b>{escape(f.number)}</b>{escape(f.text)}</li>' for f in key_figures)
    return _section("short", writer.translate(say("In short")), f'<ul class="findings">{items}</ul>')


def _how_to_read(writer: StudyWriter) -> str:
    return writer.translate(
        say(
            "A mark is an estimate; the line through it is its 95% confidence interval (Wilson’s for shares, "
            "the normal one for averages). Each game counts once, however many players it has. If you see no "
            "line, it is shorter than the mark, or there were too few games."
        )
    )


def _chapter(writer: StudyWriter, chapter: StudyChapter) -> str:
    tiles = _tiles(writer, chapter) if chapter.tiles else ""
    plots = "".join(_figure(writer, plot) for plot in chapter.plots)
    content = f'<p>{escape(chapter.text)}</p>{tiles}<div class="plots">{plots}</div>'
    return _section(chapter.key, chapter.title, content)


def _tiles(writer: StudyWriter, chapter: StudyChapter) -> str:
    name, width = writer.study.design.game.name, chapter.tile_width
    drawn = "".join(drawing.tile(name, kind, key, writer.language, width) for kind, key in chapter.tiles)
    return f'<div class="tiles">{drawn}</div>'


def _figure(writer: StudyWriter, plot: Plot) -> str:
    summary = escape(writer.translate(say("The numbers")))
    return (
        f"<figure><h3>{escape(plot.title)}</h3><p>{escape(plot.text)}</p>{plot.legend}{plot.svg}"
        f"<details><summary>{summary}</summary>{_table(plot.numbers, plot.title)}</details></figure>"
    )


def _table(numbers: NumberTable, title: str) -> str:
    heads = "".join(f'<th scope="col">{escape(head)}</th>' if head else "<td></td>" for head in numbers.heads)
    rows = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'
        for first, *cells in numbers.rows
    )
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(title)}"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _limits(writer: StudyWriter, assumptions: Phrase | None) -> str:
    items = (
        say(
            "The numbers are about bots. People plan, bluff and blunder differently; if the levels disagree, "
            "trust none of them too far. Few games were played at the slow levels."
        ),
        say(
            "Correlation is not cause: players seize, build and load when it suits them, and those who are "
            "doing well do so differently. Only what we call a true experiment shows an effect."
        ),
        say(
            "Even an experiment only shows what a change does in games of {level} players, who take what "
            "looks best at the moment. Players who plan ahead may make more of a gift.",
            level=writer.level(EXPERIMENTER.key),
        ),
        say("Each interval stands alone: about five in a hundred miss by chance."),
        say(
            "El Patrón is missing: its thinking time is measured by the clock, so its games cannot be "
            "repeated from a seed."
        ),
        *([] if assumptions is None else [assumptions]),
    )
    listed = "".join(f"<li>{escape(writer.translate(item))}</li>" for item in items)
    return f'<ul class="card" style="padding-inline-start:2.2rem">{listed}</ul>'


def _made(writer: StudyWriter, command: str) -> str:
    study = writer.study
    game = study.design.game
    facts = (
        (say("Command"), f"<code>{escape(command)}</code>"),
        (say("Version"), escape(f"malecon {__version__}")),
        (say("Seed"), str(study.seed)),
        (say("Games"), escape(writer.number(study.played, 0))),
        (say("Seconds"), escape(f"{writer.number(study.seconds, 0)} (--jobs {study.jobs})")),
    )
    listed = "".join(f"<dt>{escape(writer.translate(name))}</dt><dd>{value}</dd>" for name, value in facts)
    players = range(game.fewest_players, game.most_players + 1)
    rows = []
    for level in dict.fromkeys(sample.level for sample in study.samples):
        samples = [study.sample(level, n) for n in players]
        counts = (writer.number(sample.games, 0) if sample else "–" for sample in samples)
        rows.append([writer.level(level), *counts])
    if study.trials:
        at = study.design.experiment_players
        total = writer.number(sum(trial.games for trial in study.trials), 0)
        name = writer.translate(say("Experiments ({n})", n=len(study.trials)))
        rows.append([name, *(total if n == at else "–" for n in players)])
    heads = ["", *(writer.translate(say("With {n} players", n=n)) for n in players)]
    text = say(
        "The same command gives the same numbers, whatever the number of processes. Every game is "
        "replayed from its list of moves and counted."
    )
    table = _table(NumberTable(heads, rows), writer.translate(say("Games")))
    return f'<div class="card"><dl>{listed}</dl><p>{escape(writer.translate(text))}</p>{table}</div>'
