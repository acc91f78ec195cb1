"""The catalogs are complete: no message lacks a translation in any language, and no entry is unused."""

import re
import string
from functools import cache

import pytest
from babel.messages.pofile import read_po

from malecon.text import LANGUAGES, extract
from malecon.text.languages import SOURCE

TRANSLATED = [language for language in LANGUAGES if language != SOURCE]
DOMAINS = {domain.sources.name: domain for domain in extract.domains()}
EACH_CATALOG = [(name, language) for name in DOMAINS for language in TRANSLATED]


@cache
def messages_of(name: str) -> set[extract.CatalogMessage]:
    return DOMAINS[name].messages()


@pytest.fixture(params=EACH_CATALOG, ids="-".join)
def catalog(request):
    name, language = request.param
    with DOMAINS[name].path(language).open("rb") as file:
        return read_po(file, locale=language)


def forms(message) -> tuple[str, ...]:
    """The translations there are; that none is missing is a test of its own."""
    texts = (message.string,) if isinstance(message.string, str) else tuple(message.string)
    return texts if all(texts) else ()


def sources(message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def gaps(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def without_gaps(text: str) -> str:
    return re.sub(r"{\w+}", "", text)


@pytest.mark.parametrize(("name", "language"), EACH_CATALOG)
def test_no_message_lacks_a_translation(name, language):
    _, missing = extract.update(DOMAINS[name].path(language), language, messages_of(name))
    assert not missing, "run `make messages`, then translate what is new"


@pytest.mark.parametrize(("name", "language"), EACH_CATALOG)
def test_catalogs_are_written_as_make_messages_writes_them(name, language):
    """So no entry is left that the sources do not have."""
    text, _ = extract.update(DOMAINS[name].path(language), language, messages_of(name))
    assert text == DOMAINS[name].path(language).read_text("utf-8"), "run `make messages`"


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_two_games_say_is_translated_alike(language):
    translations: dict[tuple[str | None, str], object] = {}
    for domain in DOMAINS.values():
        with domain.path(language).open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id:
                    key = message.context, sources(message)[0]
                    assert translations.setdefault(key, message.string) == message.string, key


def test_no_entry_is_fuzzy_or_obsolete(catalog):
    assert not [message.id for message in catalog if message.id and message.fuzzy]
    assert not catalog.obsolete


def test_translations_have_the_gaps_of_their_source(catalog):
    for message in catalog:
        if message.id:
            for form in forms(message):
                assert gaps(form) == gaps(sources(message)[0]), message.id
            for form in sources(message):
                assert gaps(form) == gaps(sources(message)[0]), message.id


def test_every_plural_has_all_forms(catalog):
    for message in catalog:
        if message.id and forms(message):
            assert len(forms(message)) == (catalog.num_plurals if message.pluralizable else 1), message.id


def test_typography(catalog):
    for message in catalog:
        for form in forms(message) if message.id else ():
            assert not re.search(r"['\"`]|\.\.\.|  |^ ", form), form


def test_sentences_end_and_begin_as_in_english(catalog):
    for message in catalog:
        first = sources(message)[0]
        for form in forms(message) if re.search("[a-z]{2}", without_gaps(first)) else ():
            assert (form[-1] in ".!?") == (first[-1] in ".!?"), form
            if first[0].isupper():
                assert form[0].isupper() or form[0] in "{¡¿", form
            elif first[0].islower() and catalog.locale.language != "de":
                assert not form[0].isupper(), form


def test_sentences_are_not_just_copied_from_the_english(catalog):
    for message in catalog:
        if len(re.findall("[a-z]{2,}", without_gaps(sources(message)[0]))) > 2:
            assert sources(message)[0] not in forms(message)
