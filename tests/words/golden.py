"""The golden stories: one whole game told in every language. `python tests/words/golden.py` writes them anew."""

from __future__ import annotations

from pathlib import Path

from malecon import load, words

FOLDER = Path(__file__).parent / "golden"
RECORD = FOLDER / "game.json"


def told(language: str) -> str:
    """The story of the golden game, a blank line after each turn."""
    text = ""
    match = load(RECORD)
    for index, lines in enumerate(words.story(match)):
        if str(match.history[index].move).startswith("drive"):
            text += "\n"
        text += "".join(words.say(line, language) + "\n" for line in lines)
    return text


if __name__ == "__main__":
    for language in words.LANGUAGES:
        (FOLDER / f"{language}.txt").write_text(told(language), "utf-8")
