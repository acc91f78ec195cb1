"""Brings the catalogs up to date with the messages that Babel finds in the sources: `python -m malecon.text.extract`.

Messages are sorted and do not say where they stand, so that two people who change texts do not get in each other's
way.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from malecon.kernel.phrases import Phrase
from malecon.text.languages import LANGUAGES, SOURCE, catalog_path

#: As Babel takes them: one list of arguments, or one for each number of arguments.
Arguments = tuple[int | tuple[int, int] | tuple[int, str], ...]
Keyword = Arguments | dict[int | None, Arguments | None] | None

ROOT = Path(__file__).resolve().parent.parent
#: The makers of phrases: which argument is the text, its plural and its context, by the number of arguments.
KEYWORDS: dict[str, Keyword] = {
    "say": (1,),
    "counted": {3: (1, 2), 4: (1, 2, (4, "c"))},
    "Phrase": {1: (1,), 2: (1, (2, "c")), 3: (1, (3, "c"))},
}

HEADER = """\
# Malecón in people's languages. Texts are changed here by hand; `make messages` adds the new and drops the unused.
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms}\\n"

"""


class Message(NamedTuple):
    """A phrase without what fills its gaps: what a catalog translates."""

    context: str
    text: str
    plural: str


def message_of(phrase: Phrase) -> Message:
    return Message(phrase.context, phrase.text, phrase.plural)


def collect(root: Path = ROOT) -> set[Message]:
    """Every message in the sources below a folder."""
    found = set()
    for _, _, text, _, context in extract_from_dir(root, [("**.py", "python")], keywords=KEYWORDS):
        one, many = (text, "") if isinstance(text, str) else text
        found.add(Message(context or "", one, many))
    return found


def update(language: str, messages: set[Message]) -> tuple[str, list[Message]]:
    """A language's catalog with exactly these messages, and those of them that it does not translate yet."""
    path, catalog, template = catalog_path(language), Catalog(locale=language), Catalog()
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=language)
    for message in sorted(messages):
        identity = (message.text, message.plural) if message.plural else message.text
        template.add(identity, context=message.context or None)
    catalog.update(template, no_fuzzy_matching=True)
    missing = []
    for message in sorted(messages):
        known = catalog.get(message.text, message.context or None)
        if known is None or known.fuzzy or not _is_translated(known.string):
            missing.append(message)
    written = io.BytesIO()
    write_po(written, catalog, width=0, no_location=True, omit_header=True, sort_output=True, ignore_obsolete=True)
    header = HEADER.format(language=language, plural_forms=catalog.plural_forms)
    return header + written.getvalue().decode("utf-8").rstrip("\n") + "\n", missing


def _is_translated(said: str | tuple[str, ...] | list[str] | None) -> bool:
    """Whether there is a text, and one for every plural form."""
    return bool(said) and (isinstance(said, str) or all(said or ()))


def main(started: Sequence[str] = ()) -> None:
    """Bring every catalog up to date; `started` are languages that have none yet."""
    messages = collect()
    for language in dict.fromkeys((*LANGUAGES, *started)):
        if language != SOURCE:
            text, missing = update(language, messages)
            catalog_path(language).parent.mkdir(parents=True, exist_ok=True)
            catalog_path(language).write_text(text, "utf-8")
            print(f"{language}: {len(messages)} messages, {len(missing)} to translate")


if __name__ == "__main__":
    main(sys.argv[1:])
