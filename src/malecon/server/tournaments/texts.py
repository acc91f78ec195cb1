"""The texts of the pages of tournaments."""

from __future__ import annotations

from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, counted, say

# --- the list
LEAD = say(
    "Enter a tournament, and the rest happens by itself: you are seated, round after round, over days if you like."
)
OPEN_FOR_ENTRY = say("Open for entry")
NONE_OPEN = say("No tournament is open for entry just now.")
NEW = say("New tournament")
SERIES = say("Series against bots")
NEW_SERIES = say("New series against bots")
SERIES_HINT = say("Several games against bots of one level, from a different seat each time, with one score for all.")
NEEDS_ACCOUNT = say("You need an account for tournaments, so that your games and your place remain yours.")
TO_ACCOUNT = say("Register or log in")

# --- announcing one
NAME = say("Name of the tournament")
FORMAT = say("Format")
FORMAT_NAMES = {"swiss": say("Swiss"), "round-robin": say("Round robin"), "series": SERIES}
FORMAT_HINTS = {
    "swiss": say("You meet people who are doing as well as you are."),
    "round-robin": say("Everybody meets everybody. For up to 16 players."),
}
PLAYERS_AT_TABLE = say("Players at a table")
SIZES_HINT = say("Some tables are larger or smaller if that saves somebody from sitting out.")
ROUNDS = say("Rounds")
TIMES = say("Everybody meets everybody")
TIMES_NAMES = {1: say("once"), 2: say("twice"), 3: say("three times"), 4: say("four times")}
AT_LEAST = say("Players at least")
AT_MOST = say("Players at most")
START = Phrase("Start", context="of a tournament")
START_NAMES = {
    0: say("when I press the button"),
    1: say("in an hour"),
    24: say("in a day"),
    72: say("in three days"),
    168: say("in a week"),
}
PUBLIC = say("Everybody: list it under Tournaments")
ANNOUNCE = say("Announce the tournament")
NUMBER_OF_GAMES = say("Number of games")
LEVEL = say("Level of the bots")
BEGIN_SERIES = say("Begin the series")

# --- one tournament
ENTER = say("Enter")
TAKE_BACK_ENTRY = say("Take back my entry")
WITHDRAW = say("Withdraw")
WITHDRAW_HINT = say("You resign from the games you are playing here, and are not paired again. You cannot come back.")
START_NOW = say("Start now")
CALL_OFF = say("Call it off")
END = say("End the tournament")
END_HINT = say("No more rounds are played. Games in progress can be finished, but no longer count.")
END_SERIES = say("End the series")
END_SERIES_HINT = say("You resign from the game you are playing here, and no further game begins.")
YOUR_GAME_IS_ON = say("Your game in this round is on.")
TO_YOUR_TABLE = say("To your table")
YOU_HAVE_A_BYE = say("You have a bye in this round.")
WAIT_FOR_OTHERS = say("Your game in this round is over. The next round begins when all the others are.")
YOU_ENTERED = say("You have entered. When the tournament starts, your table is here and among your games.")
YOU_WITHDREW = say("You have withdrawn.")
LINK_HINT = say("Friends can enter with the address of this page.")
PLAYERS = say("Players")
NOBODY_YET = say("Nobody has entered yet.")
STANDINGS = say("Standings")
SCORE = Phrase("Score", context="tournament")
OPPONENTS = say("Opponents’ scores")
DIRECT = say("Head to head")
SHARE = say("Share of points")
BYE = say("Bye")
WALKOVER = say("Walkover: all opponents have withdrawn.")
WITHDREW = say("withdrew")
FORMER_PLAYER = say("Former player")
IN_PROGRESS = say("in progress")
STARTS_IN = say("Starts in")
STATE_NAMES = {
    "open": say("open for entry"),
    "on": say("in progress"),
    "over": say("finished"),
    "ended": say("ended early"),
    "called-off": say("called off"),
}

# --- how it is decided
HOW_RANKED = say("How the standings come about")
SCORE_RULE = say(
    "Score: at each table, the share of your opponents whom you beat; a tie counts half. "
    "Second at a table of four is two thirds of a point."
)
BYE_RULES = {
    "swiss": say("A bye counts as a win. Nobody has two before everybody else has had one."),
    "round-robin": say(
        "A bye counts nothing: everybody has as many. If all your opponents at a table have withdrawn, you win."
    ),
}
EARLY_RULE = say(
    "Those who resign come last. A game counts as soon as only one player is left. If all agree to stop, it is a tie."
)
THEN_RULE = say("If scores are equal, these decide, one after the other:")
TIE_BREAKS = {
    "opponents": say(
        "Opponents’ scores: for each table, the average score that your opponents have in the tournament."
    ),
    "direct": say(
        "Head to head: among those who are still level, how often you came in ahead of one, less how often behind."
    ),
    "share": say("Share of points: for each game, your share of all points made at the table."),
    "lot": say("A lot, drawn when the tournament was announced."),
}
DECIDED = {
    "opponents": say("behind by opponents’ scores"),
    "direct": say("behind by head to head"),
    "share": say("behind by share of points"),
    "lot": say("behind by lot"),
}


def round_of(n: int, last: int) -> Phrase:
    return say("Round {n} of {last}", n=n, last=last) if last else say("Round {n}", n=n)


def places_taken(n: int, most: int) -> Phrase:
    return say("{n} of {most} places taken", n=n, most=most)


def needs(n: int) -> Phrase:
    return say("starts with {n} players or more", n=n)


def tables_of(n: int) -> Phrase:
    return say("tables of {n}", n=n)


def rounds(n: int) -> Phrase:
    return counted("{n} round", "{n} rounds", n)


def games(n: int) -> Phrase:
    return counted("{n} game", "{n} games", n)


def entrants(n: int) -> Phrase:
    return counted("{n} player", "{n} players", n)


def wins(name: Name) -> Phrase:
    return say("{name} wins the tournament.", name=name)


def against(level: Name) -> Phrase:
    return say("against {level}", level=level)


def score_line(score: str, n: int) -> Phrase:
    return counted("Score {score} from {n} game", "Score {score} from {n} games", n).fill(score=score)


def game_of(n: int, last: int) -> Phrase:
    return say("Game {n} of {last}", n=n, last=last)


def seat(n: int) -> Phrase:
    return say("seat {n}", n=n)
