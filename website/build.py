"""`make docs`: the site of docs/, built with Zensical into a folder that git ignores; no network is needed.

The rules of the games come from the pages of the table, the colours from its style sheet: neither is written twice.
A link to nowhere and anything loaded from elsewhere fail the build.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import tomli_w

from malecon import drawing, games
from malecon.kernel.phrases import Phrase
from malecon.server.pages import drawings
from malecon.text import LANGUAGES, Example, language_name, number_of_players, translate
from malecon.text import glossary as text_glossary
from malecon.text import line as text_line
from malecon.text import rulebook as text_rulebook

HERE = Path(__file__).parent
ROOT = HERE.parent
DOCS = ROOT / "docs"
STATIC = ROOT / "src" / "malecon" / "server" / "pages" / "static"

#: The sections and their pages. Those that are not written yet are left out; any not named here go to the last one.
NAVIGATION = {
    "Start here": ["index.md"],
    "Playing": [
        "playing.md",
        "table.md",
        "rules-santiago.md",
        "rules-cuba.md",
        "rules.md",
        "bots.md",
        "strength.md",
        "leaderboard.md",
        "teaching.md",
    ],
    "Hosting": ["hosting.md", "operations.md", "security.md"],
    "Programming": [
        "programming.md",
        "notation.md",
        "records.md",
        "protocol.md",
        "analysis.md",
        "text.md",
        "models.md",
        "adding-a-game.md",
        "adding-a-building.md",
    ],
    "Research": [
        "research.md",
        "tasks.md",
        "variants.md",
        "data.md",
        "learning.md",
        "studies.md",
        "performance.md",
    ],
    "Project": ["glossary.md", "releasing.md"],
}

#: As on the pages of the server, whose catalogs translate it.
RULES = Phrase("Rules")


# --- what is made from the sources


def rules_file(game: str, language: str) -> str:
    return f"rules-{game}.md" if language == "en" else f"rules-{game}-{language}.md"


def rules_page(name: str, language: str) -> str:
    """Return the rules page of a game, as on the server, with its drawings."""
    game, glossary = games.get(name), text_glossary(games.get(name))
    line, rulebook = text_line(game), text_rulebook(game)
    assert line is not None
    assert rulebook is not None

    def say(phrase: Phrase) -> str:
        return translate(phrase, language)

    others = [f"[{language_name(key)}]({rules_file(name, key)})" for key in LANGUAGES if key != language]
    parts = [
        f"# {game.title}: {say(RULES)}" if language != "en" else f"# Rules of {game.title}",
        f"{say(line)} {say(number_of_players(game))}.",
        " · ".join(others),
        drawing.symbols_sheet(),
    ]
    for chapter in rulebook.chapters:
        drawn = "".join(drawing.symbol(key, 36) for key in chapter.symbols)
        parts += [f"## {say(chapter.title)}", drawn and f'<p class="symbols" aria-hidden="true">{drawn}</p>']
        for part in chapter.paragraphs:
            if isinstance(part, Example):
                parts.append(example(name, part, language))
            else:
                parts.append(say(part))
    for kind, heading in rulebook.kinds.items():
        if kind in glossary:
            tiles = "".join(
                f"<li>{drawings.rules_drawings(name, language).tiles[kind, key]}"
                f"<div><strong>{escape(say(entry.name))}</strong><p>{escape(say(entry.text))}</p></div></li>"
                for key, entry in glossary[kind].items()
            )
            parts += [f"## {say(heading)}", f'<ul class="tiles">{tiles}</ul>']
    return "\n\n".join(filter(None, parts)) + "\n"


def example(name: str, shown: Example, language: str) -> str:
    """Return an example with its pictures, in one line, so that Markdown does not interpret it."""
    drawn = "".join(
        "<figure>"
        + (f"<figcaption>{number}</figcaption>" if len(shown.pictures) > 1 else "")
        + drawings.rules_drawings(name, language).pictures[picture]
        + "</figure>"
        for number, picture in enumerate(shown.pictures, 1)
    )
    pictures = f'<div class="pictures">{drawn}</div>' if drawn else ""
    return f'<div class="example"><p>{escape(translate(shown.text, language))}</p>{pictures}</div>'


def for_site(sheet: str) -> str:
    """Return a style sheet of the server that follows the site's own switch between light and dark."""
    sheet = re.sub(r"@media \(prefers-color-scheme: ?dark\) ?\{(?:[^{}]*\{[^{}]*\}\s*)*\}", "", sheet)
    return sheet.replace('[data-theme="dark"]', '[data-md-color-scheme="slate"]')


def navigation(pages: set[str]) -> list[dict[str, object]]:
    listed = {page for section in NAVIGATION.values() for page in section}
    extra = sorted(page for page in pages - listed if not page.startswith("rules-"))
    sections = {title: [page for page in section if page in pages] for title, section in NAVIGATION.items()}
    sections[[*sections][-1]] += extra
    return [{title: section[0] if title == "Start here" else section} for title, section in sections.items()]


def stage(folder: Path) -> None:
    """Collect everything the site is made of: its sources and settings."""
    sources, assets = folder / "docs", folder / "docs" / "assets"
    shutil.rmtree(sources, ignore_errors=True)
    shutil.copytree(DOCS, sources, ignore=shutil.ignore_patterns("__pycache__"))
    assets.mkdir()
    for file in (STATIC / "icon.svg", HERE / "malecon.css", HERE / "iframe-worker.js"):
        shutil.copy(file, assets)
    (assets / "colours.css").write_text(for_site(drawing.PAGE_STYLE))
    (assets / "drawing.css").write_text(for_site(drawing.STYLE))
    for name in games.names():
        for language in LANGUAGES:
            (sources / rules_file(name, language)).write_text(rules_page(name, language))
    settings = tomllib.loads((HERE / "zensical.toml").read_text())
    settings["project"] |= {
        "docs_dir": "docs",
        "site_dir": "site",
        "nav": navigation({page.name for page in sources.glob("*.md")}),
    }
    (folder / "zensical.toml").write_text(tomli_w.dumps(settings))


# --- what the built pages lead to


class Addresses(HTMLParser):
    """Return the addresses in a page, each with whether the browser loads it by itself."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[bool, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        passive = tag == "a" or values.get("rel") in ("next", "prev", "canonical")
        self.found += [(not passive, str(values[name])) for name in ("href", "src", "data") if values.get(name)]


def faults(site: Path) -> Iterator[str]:
    """Return addresses that lead nowhere, and those of other sites that a browser would load."""
    for page in sorted(site.rglob("*.html")):
        for loaded, address in Addresses(page.read_text()).found:
            parts = urlsplit(address)
            if parts.scheme in ("http", "https") or parts.netloc:
                if loaded:
                    yield f"{page.name} loads {address}"
            elif parts.path and not parts.scheme and page.name != "404.html":
                target = page.parent / unquote(parts.path)
                if not (target / "index.html" if target.is_dir() else target).exists():
                    yield f"{page.name} leads to {address}, which is not there"
    for sheet in sorted(site.rglob("*.css")):
        for address in re.findall(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')]+)", sheet.read_text()):
            yield f"{sheet.name} loads {address}"


def build(folder: Path) -> list[str]:
    """Build the site in a folder, as `site`; return what is wrong with it."""
    stage(folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode:
        return [re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)]
    return list(faults(folder / "site"))


def main() -> None:
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    wrong = build(folder)
    if wrong:
        sys.exit("\n".join(wrong))
    print("The site is built: open build/site/index.html")


if __name__ == "__main__":
    main()
