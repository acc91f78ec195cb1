"""Phrases are found where they are written; what cannot be known without running the program must be listed."""

import textwrap

import pytest

from malecon.words.extract import Message, NotExtractable, collect, messages_in

IMPORTS = "from malecon.kernel.phrases import Phrase, counted, say\n"


def found(source: str) -> set[tuple[str, ...]]:
    return set(messages_in("some/file.py", IMPORTS + textwrap.dedent(source)))


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ('say("a {b}", b=1)', {("", "a {b}", "")}),
        ('say("long text "\n"goes on")', {("", "long text goes on", "")}),
        ('Phrase("a", context="c")', {("c", "a", "")}),
        ('Phrase("a", {"n": 1}, "c", "b")', {("c", "a", "b")}),
        ('counted("{n} a", "{n} b", 3)', {("", "{n} a", "{n} b")}),
        ('counted("{n} a", "{n} b", 3, "c")', {("c", "{n} a", "{n} b")}),
        ('counted("{n} a", "{n} b", n, context="c")', {("c", "{n} a", "{n} b")}),
        ('say("outer {x}", x=say("inner"))', {("", "outer {x}", ""), ("", "inner", "")}),
        ('say("a" if x == "no text" else "b")', {("", "a", ""), ("", "b", "")}),
        ('say("a", context="a gap")', {("", "a", "")}),
        ('T = {"key": "a", 2: "b"}\nsay(T[x])', {("", "a", ""), ("", "b", "")}),
        ('T: dict[int, str] = {1: "a"}\nD = "b"\nsay(T.get(x, D))', {("", "a", ""), ("", "b", "")}),
        ('T = ("a", "b")\nPhrase(T[x], context="c")', {("c", "a", ""), ("c", "b", "")}),
        ('def f():\n  text = "a"\n  say(text)\n  text = "b"', {("", "a", ""), ("", "b", "")}),
        ('def f(text):\n  return say(text)\nf("a"), f("b")', {("", "a", ""), ("", "b", "")}),
        ('T = {"key": "a"}\nfor key, text in T.items():\n  say(text)', {("", "a", "")}),
        ('for text in ("a", "b"):\n  say(text)', {("", "a", ""), ("", "b", "")}),
        ('from malecon.kernel.phrases import say as phrase\nphrase("a")', {("", "a", "")}),
        ('from malecon import words\nwords.say(x, "de")', set()),
    ],
)
def test_phrases_are_found_where_they_are_written(source, messages):
    assert found(source) == messages


def test_saying_is_not_making():
    assert set(messages_in("some/file.py", 'from malecon.words import say\nsay(phrase, "de")')) == set()


@pytest.mark.parametrize(
    "source",
    [
        "say(text)",
        'say(f"a {x}")',
        'say("a" + x)',
        "say(text.lower())",
        'Phrase("a", context=where)',
        "counted(*TEXTS[i], 3)",
        "def f(text):\n  return say(text)\nf(unknown)",
        "def f(text):\n  return say(text)",
        'T = {1: "a", 2: unknown}\nsay(T[x])',
    ],
)
def test_a_phrase_made_at_run_time_that_nothing_lists_is_refused(source):
    with pytest.raises(NotExtractable, match=r"some/file\.py:\d+: no `everything\(\)` lists what"):
        found(source)


def test_everything_a_game_lists_is_collected():
    messages = collect()
    assert messages[Message("building", "Bank", "")] == "games/santiago/names.py"
    assert messages[Message("good", "{n} cigar", "{n} cigars")] == "games/cuba/names.py", "the first of two files"
    assert messages[Message("seat", "Red", "")] == "match/setup.py"
    assert messages[Message("", "first the car must drive", "")] == "games/santiago/reasons.py"
    assert len({(message.context, message.text) for message in messages}) == len(messages), "one text, two plurals"
