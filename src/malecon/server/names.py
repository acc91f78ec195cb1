"""Names that people give themselves: how they are tidied, checked and compared; and names of free seats.

An account's name is written in one script, and no two accounts have names that look alike. What UTS 39 derives from its
data files is derived here from `unicodedata` and a table of the letters that matter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game, Name
from malecon.kernel.phrases import say
from malecon.match import LONGEST_NAME, check_name, check_names

SHORTEST_ACCOUNT_NAME = 2
#: Code points that are not shown and mean nothing in a name (Default_Ignorable_Code_Point).
_IGNORABLE = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
#: Scripts in everyday use (UAX 31), by the first word of their letters' names; those written together are one.
_ALPHABETS = (
    "LATIN CYRILLIC GREEK ARABIC ARMENIAN BENGALI DEVANAGARI ETHIOPIC GEORGIAN GUJARATI GURMUKHI HEBREW KANNADA KHMER "
    "LAO MALAYALAM MYANMAR ORIYA SINHALA TAMIL TELUGU THAANA THAI TIBETAN"
)
_EAST_ASIAN = "CJK IDEOGRAPHIC HIRAGANA KATAKANA KATAKANA-HIRAGANA HANGUL BOPOMOFO"
_SCRIPTS = {script: script for script in _ALPHABETS.split(" ")} | dict.fromkeys(_EAST_ASIAN.split(" "), "CJK")
#: The blocks of letters for spelling; the other blocks of these scripts have phonetic and historical look-alikes.
_LETTER_BLOCKS = {
    "LATIN": ((0x0041, 0x01BF), (0x01C4, 0x024F), (0x1E00, 0x1EFF)),
    "CYRILLIC": ((0x0400, 0x0482), (0x048A, 0x052F)),
    "GREEK": ((0x0370, 0x03FF), (0x1F00, 0x1FFF)),
}
#: Phonetic letters that some languages spell with.
_MORE_LATIN = frozenset("ɓɔɖɗəɛɣɲʃʊʒ")
#: Accents of any script.
_ACCENTS = frozenset(map(chr, (*range(0x0300, 0x030D), 0x0323, 0x0324, *range(0x0326, 0x0329), 0x032D, 0x0330, 0x0331)))
MOST_ACCENTS = 2
_PUNCTUATION = frozenset("’‘ʼ·・׳״՚")
#: Characters that look like others: before a colon what they look like, after it those that do.
_LOOKALIKE_TABLE = """
    a:аαɑ A:АΑ b:вьƅ B:ВΒ c:сϲ C:СϹ d:ԁ e:еєҽɛε E:ЕΕ f:ƒ F:Ϝ g:ցɡ G:Ԍԍ h:һнհ H:НΗ i:іιı l:ӏІΙI1|ǀוןا j:јյȷϳ J:ЈͿ
    k:кκĸ K:КΚ L:Լ m:м M:МΜ n:ηոп N:Ν o:оοσօסഠဝଠОΟՕ0Oዐه p:рρƿ P:РΡ q:ԛզ Q:Ԛ r:гґ s:ѕƽ S:ЅՏ t:тτ T:ТΤ
    u:υսʋи U:Սሀ v:νѵ V:Ѵ w:ԝѡωա W:ԜѠ x:хχ X:ХΧ y:уγүყ Y:УΥҮ Z:Ζ 3:зЗʒƷȝȜӡӠ 6:б 8:Ȣȣ
    ß:β æ:ӕ ə:ә ':’‘ʼ`׳՚ .:·・
    力:カ 口:ロ 二:ニ 卜:ト 工:エ 夕:タ 八:ハ 一:ー へ:ヘ り:リ 千:チ 三:ミ
"""
_LOOKALIKES = {
    lookalike: original
    for original, _, lookalikes in (entry.partition(":") for entry in _LOOKALIKE_TABLE.split())
    for lookalike in lookalikes
}
#: Pairs of letters that look like one.
_PAIRS = {"rn": "m", "vv": "w"}


def seat_names(game: Game) -> tuple[Name, ...]:
    """Return what the seats of a game are called until somebody sits there."""
    return check_names(game, game.most_players, None)


def tidy_name(name: str | None) -> str | None:
    """Return a name without surrounding and repeated blanks; None if nothing is left."""
    name = " ".join((name or "").split())
    return name or None


def person_name(name: str | None) -> str | None:
    """Return a name that a person has typed, tidy; None if it is empty. Raise BadSetup if it is not allowed.

    Every name passes through here before it is stored or shown to others.
    """
    tidy = tidy_name(name)
    if tidy is not None:
        check_name(tidy)
    return tidy


def visible_name(name: str | None) -> str | None:
    """Return a tidy name without invisible and direction characters; None if nothing is left."""
    return tidy_name("".join(letter for letter in name or "" if letter.isprintable() or letter.isspace()))


def account_name(name: str) -> str:
    """Return a name as an account has it, without ignorable characters; raise BadSetup if it is not allowed."""
    tidy = tidy_name(unicodedata.normalize("NFC", _without_ignorable(name))) or ""
    if not SHORTEST_ACCOUNT_NAME <= len(tidy) <= LONGEST_NAME or not tidy.isprintable():
        raise BadSetup(
            say(
                "a name has {fewest} to {most} visible characters",
                fewest=SHORTEST_ACCOUNT_NAME,
                most=LONGEST_NAME,
            )
        )
    scripts, accents = set(), MOST_ACCENTS  # a name does not begin with an accent
    for character in unicodedata.normalize("NFKC", tidy):
        accents = accents + 1 if character in _ACCENTS else 0
        if accents > MOST_ACCENTS or not (accents or _is_common(character) or _script(character)):
            raise BadSetup(say("a name is made of letters, digits and simple punctuation"))
        if character.isalpha():
            scripts.add(_script(character))
    if not scripts or unicodedata.category(tidy[0]).startswith("M"):
        raise BadSetup(say("a name is made of letters, digits and simple punctuation"))
    if len(scripts) > 1:
        raise BadSetup(say("a name is written in the letters of one alphabet"))
    return tidy


def _is_common(character: str) -> bool:
    """Return whether a character goes with all scripts."""
    if character.isascii():
        return not character.isalpha() and character not in "/\\"  # a name is one segment of its page's address
    return character in _PUNCTUATION


def _script(character: str) -> str | None:
    """Return the script of a letter, digit or mark that names are spelt with; None for all other characters."""
    if unicodedata.category(character) not in ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd"):
        return None
    script = _SCRIPTS.get(unicodedata.name(character, "").partition(" ")[0])
    blocks = _LETTER_BLOCKS.get(script or "", ((0, 0xFFFF),) if script != "CJK" else ((0, 0x3FFFF),))
    is_spelling = character in _MORE_LATIN or any(first <= ord(character) <= last for first, last in blocks)
    return script if is_spelling else None


def _without_ignorable(name: str) -> str:
    return "".join(letter for letter in name if not any(first <= ord(letter) <= last for first, last in _IGNORABLE))


def name_key(name: str) -> str:
    """Return the key by which a name is found: the same in capitals and in other forms of its letters."""
    tidy = " ".join(_without_ignorable(name).split())
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", tidy).casefold())


def skeleton(name: str) -> str:
    """Return the key by which names are compared: the same for all that look alike."""
    tidy = " ".join(_without_ignorable(name).split())
    letters = []
    for letter in unicodedata.normalize("NFKD", tidy):
        digit = unicodedata.decimal(letter, None)
        letter = letter if digit is None else str(digit)
        letters.append(_LOOKALIKES.get(letter, letter))
    folded = unicodedata.normalize("NFC", "".join(letters)).casefold()
    for pair, letter in _PAIRS.items():
        folded = folded.replace(pair, letter)
    return folded


def distinct_names(names: Sequence[str | None]) -> list[str | None]:
    """Return the names with None in place of one that looks like an earlier one; that seat is called by its colour."""
    keys: set[str] = set()
    distinct: list[str | None] = []
    for name in names:
        own_keys = set() if name is None else {name_key(name), skeleton(name)}  # "Ian" looks like "lan", and is "ian"
        distinct.append(None if keys & own_keys else name)
        keys |= own_keys
    return distinct
