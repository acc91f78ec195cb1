"""How phrases are said: translation, plurals, gaps, and the choice of a language."""

import ast
from pathlib import Path

import pytest

import malecon
from malecon.games.santiago import names
from malecon.kernel.errors import BadRecord, MaleconError
from malecon.kernel.phrases import Phrase, counted, say
from malecon.text import LANGUAGES, UnknownLanguage, best_language, extract, languages, sentence, translate
from malecon.text.languages import Catalog

PESOS = {
    "en": ("0 pesos", "1 peso", "2 pesos"),
    "de": ("0 Pesos", "1 Peso", "2 Pesos"),
    "es": ("0 pesos", "1 peso", "2 pesos"),
    "it": ("0 pesos", "1 peso", "2 pesos"),
}
GOODS = {
    "en": ("1 sugar cane", "2 citrus fruits", "2 tobacco", "2 rum", "1 cigar", "2 wood"),
    "de": ("1 Zuckerrohr", "2 Zitrusfrüchte", "2 Tabak", "2 Rum", "1 Zigarre", "2 Holz"),
    "es": ("1 caña de azúcar", "2 cítricos", "2 tabacos", "2 rones", "1 puro", "2 maderas"),
    "it": ("1 canna da zucchero", "2 agrumi", "2 tabacchi", "2 rum", "1 sigaro", "2 legni"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_take_the_right_plural(language):
    assert tuple(translate(names.pesos(n), language) for n in range(3)) == PESOS[language]
    counts = (1, 2, 2, 2, 1, 2)
    assert tuple(translate(names.goods(kind, n), language) for kind, n in enumerate(counts)) == GOODS[language]


def test_no_goods_at_all_are_many():
    assert [translate(names.goods(1, 0), language) for language in LANGUAGES] == [
        "0 citrus fruits",
        "0 Zitrusfrüchte",
        "0 cítricos",
        "0 agrumi",
    ]


def test_phrases_in_gaps_are_said_in_the_same_language():
    phrase = say("{building} belongs to {owner}", building=names.the_building(0), owner=Phrase("Red", context="seat"))
    assert [translate(phrase, language) for language in LANGUAGES] == [
        "the Bank belongs to Red",
        "die Bank gehört Rot",
        "el Banco pertenece a Rojo",
        "la Banca è di Rosso",
    ]


def test_the_context_tells_equal_texts_apart():
    assert translate(names.the_building(4), "de") == "der Schwarzmarkt"
    assert translate(names.a_building(4), "de") == "den Schwarzmarkt"


@pytest.mark.parametrize("name", ["{x}", "{who}", "{0}", "100%", "%s", "O’Neil", "{{", "\\n", "<b>"])
def test_names_are_inserted_as_they_are(name):
    for language in LANGUAGES:
        assert name in translate(say("{who} passes.", who=name), language)
        assert translate(name, language) == name


def test_a_message_without_translation_stays_english():
    catalog = Catalog({("", "one"): ("eins",)}, lambda n: int(n != 1))
    assert catalog.template(Phrase("one")) == "eins"
    assert catalog.template(Phrase("one", context="elsewhere")) == "one"
    assert catalog.template(counted("{n} day", "{n} days", 3)) == "{n} days"
    assert translate(Phrase("nobody ever says this"), "de") == "nobody ever says this"


def test_an_unknown_language_is_refused():
    with pytest.raises(UnknownLanguage, match="there is no language called 'xx'; choose from: en, de, es, it") as no:
        translate(Phrase("rum", context="good"), "xx")
    assert isinstance(no.value, MaleconError)
    assert translate(no.value.phrase, "de") == "es gibt keine Sprache namens 'xx'; zur Wahl stehen: en, de, es, it"
    with pytest.raises(UnknownLanguage):
        translate("just text", "../../etc")


def test_errors_become_sentences():
    error = BadRecord(say("{text} is not a move; did you mean {near}?", text="'drvie'", near="drive 1"), 7)
    assert sentence(error.phrase, "en") == "Line 7: 'drvie' is not a move; did you mean drive 1?"
    assert sentence(say("the game is over"), "es") == "La partida ha terminado."
    assert sentence(say("The game is over."), "it") == "La partita è finita."
    assert sentence(say("you have no {good}", good=names.good(3)), "de") == "Rum hast du nicht."
    assert sentence("", "en") == "."


@pytest.mark.parametrize(
    ("preferences", "language"),
    [
        ("", "en"),
        ("C", "en"),
        ("POSIX", "en"),
        ("de_AT.UTF-8", "de"),
        ("it_IT@euro", "it"),
        ("ES", "es"),
        ("fr_FR:de:en", "de"),
        ("es-419,es;q=0.9,en;q=0.8", "es"),
        ("fr-CH, fr;q=0.9, it;q=0.5, de;q=0.7, *;q=0.1", "de"),
        ("de;q=0, it", "it"),
        ("de;q=nan, it;q=0.1", "it"),
        ("fr, pt;q=0.5", "en"),
        ("*", "en"),
        ("en;q=0.5, de;q=0.5", "en"),
        (";;,,q=1;=", "en"),
    ],
)
def test_the_best_language_is_chosen(preferences, language):
    assert best_language(preferences) == language


# --- a fifth language


@pytest.fixture
def with_french(tmp_path, monkeypatch):
    """The catalogs there are, and a small French one."""
    for language in languages.LANGUAGES[1:]:
        (tmp_path / f"{language}.po").symlink_to(languages.CATALOGS / f"{language}.po")
    (tmp_path / "fr.po").write_text(
        'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\nmsgid "Rules"\nmsgstr "Règles"\n\n'
        'msgid "{n} peso"\nmsgid_plural "{n} pesos"\nmsgstr[0] "{n} peso"\nmsgstr[1] "{n} pesos"\n'
    )
    monkeypatch.setattr(languages, "CATALOGS", tmp_path)
    monkeypatch.setattr(languages, "LANGUAGES", languages.find_languages(tmp_path))
    languages._load.cache_clear()
    languages.best_language.cache_clear()
    yield
    languages._load.cache_clear()
    languages.best_language.cache_clear()


def test_a_fifth_language_costs_a_file(with_french):
    assert languages.LANGUAGES == ("en", "de", "es", "fr", "it")
    assert languages.best_language("fr-CH, de;q=0.5") == "fr"
    assert languages.language_name("fr") == "Français"
    assert languages.translate(Phrase("Rules"), "fr") == "Règles"
    assert [languages.translate(counted("{n} peso", "{n} pesos", n), "fr") for n in (0, 2)] == ["0 peso", "2 pesos"]
    assert languages.translate(Phrase("Settings"), "fr") == "Settings"  # not translated yet


def test_what_a_fifth_language_lacks_is_known(with_french):
    messages = extract.collect_general()
    text, missing = extract.update(languages.CATALOGS / "fr.po", "fr", messages)
    assert len(missing) == len(messages) - 2
    assert 'msgid "Settings"\nmsgstr ""' in text
    assert 'msgstr "Règles"' in text


def test_no_code_knows_which_languages_there_are():
    for path in Path(malecon.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant):
                assert node.value not in languages.LANGUAGES[1:], f"{path}:{node.lineno}"
