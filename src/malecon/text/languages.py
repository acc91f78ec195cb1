"""The languages, their catalogs, and how a phrase is said in one. No game is known here.

Catalogs are gettext files, read when a language is first spoken. Nothing is compiled, so nothing can go stale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from gettext import c2py
from pathlib import Path

from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import Phrase

SOURCE = "en"  # what the phrases are written in; it needs no catalog
CATALOGS = Path(__file__).parent / "catalogs"


def find_languages(folder: Path) -> tuple[str, ...]:
    """English, then every language that has a catalog below a folder: a further language costs a file."""
    found = (path.parent.parent.name for path in folder.glob("*/LC_MESSAGES/malecon.po"))
    return (SOURCE, *sorted(found))


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
        """The text with its gaps; English where there is no translation, as gettext does it."""
        form = self.form(int(str(phrase.gaps["n"]))) if phrase.plural else 0
        found = self.templates.get((phrase.context, phrase.text))
        return found[form] if found else (phrase.text, phrase.plural)[form]


def catalog_path(language: str) -> Path:
    return CATALOGS / language / "LC_MESSAGES" / "malecon.po"


_brought: list[Path] = []


def bring_catalogs(folder: Path) -> None:
    """Read the catalogs of another package too: `de.po` and so on, in this folder. Ours win where both know a text."""
    if folder.is_dir() and folder not in _brought:
        _brought.append(folder)
        load.cache_clear()


@cache
def load(language: str) -> Catalog:
    """A language's catalog; UnknownLanguage where there is no such language."""
    if language not in LANGUAGES:
        raise UnknownLanguage(language)
    if language == SOURCE:
        return Catalog({}, lambda n: int(n != 1))
    from babel.messages.pofile import read_po  # only here: English needs no Babel

    templates: dict[tuple[str, str], tuple[str, ...]] = {}
    brought = [folder / f"{language}.po" for folder in _brought]
    for path in (*(path for path in brought if path.is_file()), catalog_path(language)):
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
    """What a language calls itself.

    >>> language_name("es")
    'Español'
    """
    from babel import Locale  # only here: as above

    name = Locale.parse(language).display_name or language
    return name[:1].upper() + name[1:]


def translate(said: Phrase | str | int | float, language: str) -> str:
    """A phrase in a language, the phrases in its gaps too; names and whole numbers are inserted as they are.

    >>> from malecon.kernel.phrases import counted
    >>> translate(counted("{n} peso", "{n} pesos", 2), "en")
    '2 pesos'
    """
    return _said(said, load(language))


def _said(said: Phrase | str | int | float, catalog: Catalog) -> str:
    if isinstance(said, float):
        return _decimal(said, catalog.language)
    if not isinstance(said, Phrase):
        return str(said)
    template = catalog.template(said)
    return template.format(**{name: _said(gap, catalog) for name, gap in said.gaps.items()})


def _decimal(number: float, language: str) -> str:
    """A number with a fraction as people of a language write it: 0.5, in German 0,5."""
    if language == SOURCE:
        return f"{number:,}"
    from babel.numbers import format_decimal

    return format_decimal(number, "#,##0.0##", locale=language)


def sentence(said: Phrase | str, language: str) -> str:
    """A phrase standing alone, as errors do: with a capital letter at its beginning and a full stop at its end."""
    text = translate(said, language)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")


@lru_cache(maxsize=1000)
def best_language(preferences: str) -> str:
    """The language for an `Accept-Language` header or a value of LANG, LC_ALL or LANGUAGE; English where none fits.

    >>> best_language("fr-CH, it;q=0.8, de;q=0.9"), best_language("es_MX.UTF-8"), best_language("C")
    ('de', 'es', 'en')
    """
    from babel.core import negotiate_locale

    wanted: list[tuple[float, str]] = []
    for part in re.split("[,:]", preferences):
        name, _, weight = part.partition(";")
        tag = re.split("[.@]", name.strip().lower())[0].replace("_", "-")
        quality = re.fullmatch(r"q=(0(?:\.\d*)?|1(?:\.0*)?)", weight.strip()) if weight else None
        if not weight or (quality and float(quality[1]) > 0):
            wanted.append((float(quality[1]) if quality else 1.0, tag))
    wanted.sort(key=lambda item: -item[0])  # stable: equals stay in the order given
    return negotiate_locale([tag for _, tag in wanted], LANGUAGES, sep="-") or SOURCE
