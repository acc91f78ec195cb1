"""An example of a program that plays Malecón's games by the engine protocol: it needs nothing but Python.

malecon check-engine "python docs/example_engine.py"
malecon arena santiago --bots "greedy,engine:python docs/example_engine.py" --games 20
"""

import json
import random
import sys

#: What it likes, best first; of several such moves it takes one at random.
LIKES = ("deliver", "consign", "serve", "build", "make", "seize", "use", "visit")


def choose(position: dict, dice: random.Random) -> str:
    """The bot itself. Yours will be cleverer: `position` has all that your seat may know."""
    legal = position["legal"]
    for word in LIKES:
        liked = [move for move in legal if move.split()[0] == word]
        if liked:
            return dice.choice(liked)
    near = [move for move in legal if move in ("drive 1", "drive 2", "drive 3")]
    return dice.choice(near or legal)


def main() -> None:
    dice = random.Random(0)
    position: dict = {}
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "malecon":
            answer = [
                "id name Example",
                "id author the people of Malecón",
                "game santiago",
                "game cuba",
                "option name seed type spin default 0 min 0 max 2147483647",
                "malecon ok",
            ]
        elif word == "isready":
            answer = ["readyok"]
        elif word == "setoption":
            _, name, _, value = rest.split(" ", 3)
            if name == "seed":
                dice.seed(int(value))
            answer = []
        elif word == "position":
            position = json.loads(rest)
            answer = []
        elif word == "go":
            answer = [f"info string {len(position['legal'])} moves", f"bestmove {choose(position, dice)}"]
        elif word == "quit":
            return
        else:  # newgame and stop ask nothing of a bot that remembers nothing and thinks at once; the rest is for later
            answer = []
        for text in answer:
            print(text, flush=True)


if __name__ == "__main__":
    main()
