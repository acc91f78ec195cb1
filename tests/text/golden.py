"""The golden stories: a whole game of each kind told in every language. `python -m tests.text.golden` writes them."""

from __future__ import annotations

from pathlib import Path

from malecon import load
from malecon.text import LANGUAGES, story, translate

FOLDER = Path(__file__).parent / "golden"
#: The folder of each game, and how the first line of a paragraph of its story begins in English.
GAMES = {"santiago": (FOLDER / "santiago", "{who} drives"), "cuba": (FOLDER / "cuba", "Round")}


def log_lines(game: str, language: str) -> str:
    """The story of the golden game, a blank line before each turn, or round."""
    folder, beginning = GAMES[game]
    text = ""
    match = load(folder / "game.json")
    for lines in story(match):
        for line in lines:
            text += "\n" * line.text.startswith(beginning) + translate(line, language) + "\n"
    return text


def kept(game: str, language: str) -> Path:
    return GAMES[game][0] / f"{language}.txt"


if __name__ == "__main__":
    for game in GAMES:
        for language in LANGUAGES:
            kept(game, language).write_text(log_lines(game, language), "utf-8")
