"""The texts of the pages of lessons and of the analysis board."""

from __future__ import annotations

from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say

# --- lessons
LESSONS_HINT = say("Short positions to play, one idea each. Wrong turns are explained and can be taken back.")
DONE = say("done")
TAKE_BACK = say("Take it back")
START_AGAIN = say("Start again")
NEXT_LESSON = say("Next lesson")
ALL_LESSONS = say("All lessons")
WELL_DONE = say("Well done!")
ALL_DONE = say("You have played all lessons of this game. Puzzles come next.")
BEGIN = say("Begin")
GO_ON = say("Go on")
LAST_HAPPENED = say("What has happened")

# --- the analysis board
ANALYSIS = say("Analysis board")
ANALYSIS_HINT = say("Any position, moves for all players, side lines, notes, and what the search thinks of it.")
FROM_START = say("A game from its beginning")
BY_HAND = say("A position set up by hand")
FROM_FILE = say("A file: an analysis or the record of a game")
FROM_OTHERS = say("A finished game or a puzzle: choose “Analyse” there.")
PLAYERS = say("Players")
YOURS = say("Your analyses")
NONE_YET = say("You have none yet.")
LAST_CHANGED = say("last changed")
DELETE = say("Delete")
NOT_YOURS = say("This analysis is somebody else’s. A move you choose goes into a copy of your own.")
COPY = say("Make a copy of your own")
CHANCE_DECIDES = say("Let chance decide")
CHANCE_HINT = say("Chance is to move. Choose what comes up, or let chance decide.")
THE_END = say("The game is over here.")
THINK = say("Let the search think")
THINKING = say("The search is thinking…")
BEST_MOVES = say("What the search thinks")
BEST_LINE = say("How it might go on")
ADD_LINE = say("Add this line")
TREE = say("Moves and variations")
EARLIER_MOVES = say("Earlier moves")
LATER_MOVES = say("Later moves")
MORE_VARIATIONS = say("More variations")
BEGINNING = say("Beginning")
NOTE = say("Note")
SAVE_NOTE = say("Save the note")
REMOVE = say("Remove this move and what follows")
LEAD = say("Make this the main line")
SHARE = say("Address to share")
SAVE_FILE = say("Save as a file")
SET_UP = say("Set up from here")
CHANGE_SETUP = say("Change the setup")
SETUP = say("Set up the table")
SETUP_HINT = say(
    "Every field can be changed. Supply, property markers and decks follow from the rest. Moves made so far are lost."
)
SETUP_WRONG = say("This position is not possible:")
LAY_OUT = say("Lay it out")
NOTHING = say("nothing")


def lesson_number(number: int, total: int) -> Phrase:
    return say("Lesson {number} of {total}", number=number, total=total)


def lessons_done(done: int, total: int) -> Phrase:
    return say("{done} of {total} done", done=done, total=total)


def to_move(who: Name) -> Phrase:
    return say("{who} is to move", who=who)
