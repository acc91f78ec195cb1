"""What the pages of lessons say by themselves, as phrases that `words` translates."""

from __future__ import annotations

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


def lesson_number(number: int, total: int) -> Phrase:
    return say("Lesson {number} of {total}", number=number, total=total)


def lessons_done(done: int, total: int) -> Phrase:
    return say("{done} of {total} done", done=done, total=total)
