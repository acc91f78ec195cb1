"""Languages and their catalogs, and the translation of phrases.

Catalogs are gettext files, read when a language is first used. They are not compiled, so nothing can go stale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from gettext import c2py
from pathlib import Path

from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import Phrase, catalog_folders

SOURCE = "en"  # the language of the phrases in the code; it needs no catalog
CATALOGS = Path(__file__).parent / "catalogs"


def find_languages(folder: Path) -> tuple[str, ...]:
    """Return English, then every language that has a catalog in a folder: a further language costs a file."""
    return (SOURCE, *sorted(path.stem for path in folder.glob("*.po")))


LANGUAGES = find_languages(CATALOGS)


class UnknownLanguage(MaleconError, ValueError):
    """A language that Malecón does not speak."""

    def __init__(self, language: str) -> None:
        known = ", ".join(LANGUAGES)
        super().__init__(
            Phrase("there is no language called {name}; choose from: {known}").fill(
                name=repr(language)[:40], known=known
            )
        )


@dataclass(frozen=True)
class Catalog:
    """A language's templates by context and English text, one for each plural form, and which form a number takes."""

    templates: Mapping[tuple[str, str], tuple[str, ...]]
    form: Callable[[int], int]
    language: str = SOURCE

    def template(self, phrase: Phrase) -> str:
        """Return the text with its gaps; in English if there is no translation, as gettext does it."""
        form = self.form(int(str(phrase.gaps["n"]))) if phrase.plural else 0
        forms = self.templates.get((phrase.context, phrase.text))
        return forms[form] if forms else (phrase.text, phrase.plural)[form]


def load(language: str) -> Catalog:
    """Return a language's catalog, with those of all games loaded so far; raise UnknownLanguage if there is none."""
    if not isinstance(language, str):
        raise UnknownLanguage(language)
    return _load(language, len(catalog_folders))


@cache
def _load(language: str, folders: int) -> Catalog:
    """Read a language's catalogs. If Malecón and a game translate the same text, Malecón's translation is used."""
    if language not in LANGUAGES:
        raise UnknownLanguage(language)
    if language == SOURCE:
        return Catalog({}, lambda n: int(n != 1))
    from babel.messages.pofile import read_po  # only here: English needs no Babel

    templates: dict[tuple[str, str], tuple[str, ...]] = {}
    for folder in (*catalog_folders[:folders], CATALOGS):
        path = folder / f"{language}.po"
        if not path.is_file():
            continue
        with path.open("rb") as file:
            messages = read_po(file, locale=language)
        for message in messages:
            text = message.id if isinstance(message.id, str) else message.id[0]
            forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            if text and forms and all(forms) and not message.fuzzy:
                templates[message.context or "", text] = forms
    return Catalog(templates, c2py(messages.plural_expr), language)


@cache
def language_name(language: str) -> str:
    """Return what a language calls itself.

    >>> language_name("es")
    'Español'
    """
    from babel import Locale  # only here: as above

    name = Locale.parse(language).display_name or language
    return name[:1].upper() + name[1:]


def translate(phrase: Phrase | str | int | float, language: str) -> str:
    """Return a phrase in a language, with the phrases in its gaps; names and whole numbers are inserted as they are.

    >>> from malecon.kernel.phrases import counted
    >>> translate(counted("{n} peso", "{n} pesos", 2), "en")
    '2 pesos'
    """
    return _translated(phrase, load(language))


def _translated(phrase: Phrase | str | int | float, catalog: Catalog) -> str:
    if isinstance(phrase, Phrase):
        template = catalog.template(phrase)
        if "{" not in template:
            return template
        return template.format(**{name: _translated(gap, catalog) for name, gap in phrase.gaps.items()})
    return _decimal(phrase, catalog.language) if isinstance(phrase, float) else str(phrase)


def _decimal(number: float, language: str) -> str:
    """Return a number with a fraction as a language writes it: 0.5, in German 0,5."""
    if language == SOURCE:
        return f"{number:,}"
    from babel.numbers import format_decimal

    return format_decimal(number, "#,##0.0##", locale=language)


def sentence(phrase: Phrase | str, language: str) -> str:
    """Return a phrase as a sentence of its own, as errors are shown: with a capital letter and a full stop."""
    text = translate(phrase, language)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")


@lru_cache(maxsize=1000)
def best_language(preferences: str) -> str:
    """Return the language for an `Accept-Language` header or a value of LANG, LC_ALL or LANGUAGE; English if none fits.

    >>> best_language("fr-CH, it;q=0.8, de;q=0.9"), best_language("es_MX.UTF-8"), best_language("C")
    ('de', 'es', 'en')
    """
    from babel.core import negotiate_locale

    tags: list[tuple[float, str]] = []
    for part in re.split("[,:]", preferences):
        name, _, weight = part.partition(";")
        tag = re.split("[.@]", name.strip().lower())[0].replace("_", "-")
        quality = re.fullmatch(r"q=(0(?:\.\d*)?|1(?:\.0*)?)", weight.strip()) if weight else None
        if not weight or (quality and float(quality[1]) > 0):
            tags.append((float(quality[1]) if quality else 1.0, tag))
    tags.sort(key=lambda item: -item[0])  # stable: equals stay in the order given
    return negotiate_locale([tag for _, tag in tags], LANGUAGES, sep="-") or SOURCE
