"""Updates the catalogs with the messages in the sources: `python -m malecon.text.extract`, or `make messages`.

Malecón itself has one catalog for each language, and so has each game in `games/`; a game's catalog holds what only the
game says. Messages are sorted and do not say where they stand, so that changes by different people do not collide.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from malecon.text.languages import CATALOGS, LANGUAGES, SOURCE

#: As Babel takes them: one list of arguments, or one for each number of arguments.
Arguments = tuple[int | tuple[int, int] | tuple[int, str], ...]
Keyword = Arguments | dict[int | None, Arguments | None] | None

ROOT = Path(__file__).resolve().parent.parent
#: The functions that make phrases: which argument is the text, its plural and its context, by the number of arguments.
KEYWORDS: dict[str, Keyword] = {
    "say": (1,),
    "counted": {3: (1, 2), 4: (1, 2, (4, "c"))},
    "Phrase": {1: (1,), 2: (1, (2, "c")), 3: (1, (3, "c"))},
}
#: The functions that say a text in a template, as Jinja and Babel know them.
TEMPLATE_KEYWORDS: dict[str, Keyword] = {"_": (1,), "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
#: Babel's extractors by files, and their options: a template with an error is not passed over.
EXTRACTORS = (("**.py", "python"), ("**/templates/**.html", "jinja2.ext:babel_extract"))
OPTIONS = {"**/templates/**.html": {"silent": "false"}}

HEADER = """\
# Malecón's translations. Texts are changed here by hand; `make messages` adds new ones and removes unused ones.
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms}\\n"

"""


class CatalogMessage(NamedTuple):
    """A phrase without the values of its gaps: what a catalog translates."""

    context: str
    text: str
    plural: str


class Domain(NamedTuple):
    """The sources of some catalogs, and the folder of the catalogs: `de.po` and so on."""

    sources: Path
    catalogs: Path
    is_game: bool

    def messages(self) -> set[CatalogMessage]:
        """Return the messages that belong into these catalogs."""
        if self.is_game:
            return collect(self.sources) - collect_general()
        return collect_general()

    def path(self, language: str) -> Path:
        return self.catalogs / f"{language}.po"


def game_domain(folder: Path) -> Domain:
    """Return the domain of a game's package: it has everything that Malecón itself does not say."""
    return Domain(folder, folder / CATALOGS.name, is_game=True)


def domains() -> list[Domain]:
    """Return Malecón's own domain, then that of each game that comes with it."""
    games = sorted(path.parent for path in (ROOT / "games").glob("*/__init__.py"))
    return [Domain(ROOT, CATALOGS, is_game=False), *map(game_domain, games)]


def collect(root: Path = ROOT, *, without: Sequence[Path] = ()) -> set[CatalogMessage]:
    """Return every message in the sources below a folder, except below some of its folders."""
    messages = set()
    keywords = KEYWORDS | TEMPLATE_KEYWORDS
    for file, _, text, _, context in extract_from_dir(root, EXTRACTORS, OPTIONS, keywords):
        if not any((root / file).is_relative_to(folder) for folder in without):
            singular, plural = (text, "") if isinstance(text, str) else text
            messages.add(CatalogMessage(context or "", singular, plural))
    return messages


def collect_general() -> set[CatalogMessage]:
    """Return the messages of everything but the games."""
    return collect(without=[path.parent for path in (ROOT / "games").glob("*/__init__.py")])


def update(path: Path, language: str, messages: set[CatalogMessage]) -> tuple[str, list[CatalogMessage]]:
    """Return a catalog with exactly these messages, and those that it does not translate yet.

    Translations are taken from the catalog at the path, if there is one.
    """
    catalog, template = Catalog(locale=language), Catalog()
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=language)
    for message in sorted(messages):
        identity = (message.text, message.plural) if message.plural else message.text
        template.add(identity, context=message.context or None)
    catalog.update(template, no_fuzzy_matching=True)
    missing = []
    for message in sorted(messages):
        entry = catalog.get(message.text, message.context or None)
        if entry is None or entry.fuzzy or not _is_translated(entry.string):
            missing.append(message)
    output = io.BytesIO()
    write_po(output, catalog, width=0, no_location=True, omit_header=True, sort_output=True, ignore_obsolete=True)
    header = HEADER.format(language=language, plural_forms=catalog.plural_forms)
    return header + output.getvalue().decode("utf-8").rstrip("\n") + "\n", missing


def _is_translated(translation: str | tuple[str, ...] | list[str] | None) -> bool:
    """Return whether there is a text, and one for every plural form."""
    return bool(translation) and (isinstance(translation, str) or all(translation or ()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="a language that has no catalogs yet: fr")
    parser.add_argument("--package", type=Path, help="the folder of a game of your own; its catalogs are updated only")
    arguments = parser.parse_args()
    for domain in [game_domain(arguments.package)] if arguments.package else domains():
        messages = domain.messages()
        for language in dict.fromkeys((*LANGUAGES, *arguments.languages)):
            if language == SOURCE:
                continue
            path = domain.path(language)
            text, missing = update(path, language, messages)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            print(f"{path}: {len(messages)} messages, {len(missing)} to translate")


if __name__ == "__main__":
    main()
