"""A study as one HTML page that needs nothing else: no network, no scripts; by day and by night, on desk and phone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from malecon import __version__, drawing
from malecon.kernel.phrases import Phrase, say
from malecon.study import Study
from malecon.study.basics import chapters_of
from malecon.study.chapters import Chapter, Finding, Listing, Plot, Voice
from malecon.study.playing import EXPERIMENTER

BRAND = (
    '<svg viewBox="0 0 48 32" aria-hidden="true"><circle cx="24" cy="18" r="11" fill="#f2b134"/>'
    '<path fill="#f6ead7" d="M0 19h48v4H0z"/><path fill="#1f7a8c" d="M0 23h48v9H0z"/>'
    '<path fill="none" stroke="#8fd0d6" stroke-width="2" d="M4 28q4-3 8 0t8 0 8 0 8 0 8 0"/></svg>'
)


def page(study: Study, language: str, command: str) -> str:
    """The whole page; `command` is what makes it again."""
    voice = Voice(study, language)
    game = study.subject.game
    told = chapters_of(game)
    parts = told.all_chapters(voice)
    title = voice.say(say("A study of {game}", game=game.title))
    lead = voice.say(
        say("{games} games, played and counted by the program itself.", games=voice.number(study.played, 0))
    )
    contents = voice.say(say("Contents"))
    made, limits = voice.say(say("How this page was made")), voice.say(say("What these numbers cannot tell you"))
    links = [*((part.key, part.title) for part in parts), ("limits", limits), ("made", made)]
    nav = "".join(f'<li><a href="#{key}">{escape(text)}</a></li>' for key, text in links)
    body = "".join(
        (
            f'<header class="top"><div class="brand">{BRAND}Malecón</div>',
            f"<h1>{escape(title)}</h1><p>{escape(lead)}</p></header><main>",
            f'<nav aria-label="{escape(contents)}"><ul>{nav}</ul></nav>',
            _findings(voice, told.findings(voice)),
            f'<p class="card">{escape(_how_to_read(voice))}</p>',
            *(_chapter(voice, part) for part in parts),
            _section("limits", limits, _limits(voice, told.assumed())),
            _section("made", made, _made(voice, command)),
            "</main>",
        )
    )
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{drawing.STYLE}{_css()}</style>\n</head>\n"
        f"<body>\n{drawing.symbols_sheet()}{body}\n</body>\n</html>\n"
    )


def _css() -> str:
    return Path(__file__).with_suffix(".css").read_text("utf-8")


def _section(key: str, title: str, content: str) -> str:
    return f'<section id="{key}"><h2>{escape(title)}</h2>{content}</section>\n'


def _findings(voice: Voice, findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    items = "".join(f'<li class="finding"><b>{escape(f.number)}</b>{escape(f.text)}</li>' for f in findings)
    return _section("short", voice.say(say("In short")), f'<ul class="findings">{items}</ul>')


def _how_to_read(voice: Voice) -> str:
    return voice.say(
        say(
            "A mark is an estimate; the line through it is its 95% confidence interval (Wilson’s for shares, "
            "the normal one for averages). Each game counts once, however many players it has. If you see no "
            "line, it is shorter than the mark, or there were too few games."
        )
    )


def _chapter(voice: Voice, chapter: Chapter) -> str:
    tiles = _tiles(voice, chapter) if chapter.tiles else ""
    plots = "".join(_figure(voice, plot) for plot in chapter.plots)
    content = f'<p>{escape(chapter.text)}</p>{tiles}<div class="plots">{plots}</div>'
    return _section(chapter.key, chapter.title, content)


def _tiles(voice: Voice, chapter: Chapter) -> str:
    name, width = voice.study.subject.game.name, chapter.tile_width
    drawn = "".join(drawing.tile(name, kind, key, voice.language, width) for kind, key in chapter.tiles)
    return f'<div class="tiles">{drawn}</div>'


def _figure(voice: Voice, plot: Plot) -> str:
    summary = escape(voice.say(say("The numbers")))
    return (
        f"<figure><h3>{escape(plot.title)}</h3><p>{escape(plot.text)}</p>{plot.legend}{plot.svg}"
        f"<details><summary>{summary}</summary>{_table(plot.numbers, plot.title)}</details></figure>"
    )


def _table(numbers: Listing, title: str) -> str:
    heads = "".join(f'<th scope="col">{escape(head)}</th>' if head else "<td></td>" for head in numbers.heads)
    rows = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'
        for first, *cells in numbers.rows
    )
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(title)}"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _limits(voice: Voice, assumed: Phrase | None) -> str:
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
            level=voice.level(EXPERIMENTER.key),
        ),
        say("Each interval stands alone: about five in a hundred miss by chance."),
        say(
            "El Patrón is missing: its thinking time is measured by the clock, so its games cannot be "
            "repeated from a seed."
        ),
        *([] if assumed is None else [assumed]),
    )
    listed = "".join(f"<li>{escape(voice.say(item))}</li>" for item in items)
    return f'<ul class="card" style="padding-inline-start:2.2rem">{listed}</ul>'


def _made(voice: Voice, command: str) -> str:
    study = voice.study
    game = study.subject.game
    facts = (
        (say("Command"), f"<code>{escape(command)}</code>"),
        (say("Version"), escape(f"malecon {__version__}")),
        (say("Seed"), str(study.seed)),
        (say("Games"), escape(voice.number(study.played, 0))),
        (say("Seconds"), escape(f"{voice.number(study.seconds, 0)} (--jobs {study.jobs})")),
    )
    listed = "".join(f"<dt>{escape(voice.say(name))}</dt><dd>{value}</dd>" for name, value in facts)
    players = range(game.fewest_players, game.most_players + 1)
    rows = []
    for level in dict.fromkeys(cell.level for cell in study.cells):
        cells = [study.cell(level, n) for n in players]
        rows.append([voice.level(level), *(voice.number(cell.games, 0) if cell else "–" for cell in cells)])
    if study.trials:
        at = study.subject.experiment_players
        total = voice.number(sum(trial.games for trial in study.trials), 0)
        name = voice.say(say("Experiments ({n})", n=len(study.trials)))
        rows.append([name, *(total if n == at else "–" for n in players)])
    heads = ["", *(voice.say(say("With {n} players", n=n)) for n in players)]
    text = say(
        "The same command gives the same numbers, whatever the number of processes. Every game is "
        "replayed from its list of moves and counted."
    )
    table = _table(Listing(heads, rows), voice.say(say("Games")))
    return f'<div class="card"><dl>{listed}</dl><p>{escape(voice.say(text))}</p>{table}</div>'
