"""The catalogs are complete: no message lacks a translation in any language, and none is left that nobody says."""

import re
import string

import pytest
from babel.messages.pofile import read_po

from malecon.text import LANGUAGES, extract
from malecon.text.languages import SOURCE, catalog_path

TRANSLATED = [language for language in LANGUAGES if language != SOURCE]


@pytest.fixture(scope="module")
def messages():
    return extract.collect()


@pytest.fixture(params=TRANSLATED)
def catalog(request):
    with catalog_path(request.param).open("rb") as file:
        return read_po(file, locale=request.param)


def forms(message) -> tuple[str, ...]:
    """The translations there are; that none is missing is a test of its own."""
    found = (message.string,) if isinstance(message.string, str) else tuple(message.string)
    return found if all(found) else ()


def sources(message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def gaps(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def without_gaps(text: str) -> str:
    return re.sub(r"{\w+}", "", text)


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_message_lacks_a_translation(language, messages):
    _, missing = extract.update(language, messages)
    assert not missing, "run `make messages`, then translate what is new"


def test_no_entry_is_left_that_nobody_says(catalog, messages):
    said = {(message.context, message.text) for message in messages}
    for message in catalog:
        if message.id:
            assert (message.context or "", sources(message)[0]) in said, "run `make messages`"


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogs_are_written_as_make_messages_writes_them(language, messages):
    text, _ = extract.update(language, messages)
    assert text == catalog_path(language).read_text("utf-8"), "run `make messages`"


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
