"""Every word the pages say by themselves, as phrases that `words` translates. What a game says comes from `words`."""

from __future__ import annotations

from malecon.kernel.game import Game, Name
from malecon.kernel.phrases import Phrase, counted, say
from malecon.match import check_names

LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "es": "Español", "it": "Italiano"}  # each in its own language

# --- everywhere
SLOGAN = say("Two board games from the harbour front of Cuba")
RULES = say("Rules")
SETTINGS = say("Settings")
LANGUAGE = say("Language")
SAVE = say("Save")
BACK = say("Back")
CLOSE = say("Close")
MENU = say("Menu")
FOOTER = say("Games by Michael Rieneck and Stefan Stadler. Everything you see here was drawn and written anew.")

# --- home
PLAY_NOW = say("Play now")
PLAY_NOW_HINTS = {2: say("You against a bot, at once."), 3: say("You against two bots, at once.")}  # by players
FIRST_GAME = say("My first game")
FIRST_GAME_HINT = say("We tell you one thing at a time, where it happens.")
NEW_TABLE = say("Set up a table")
WHICH_GAME = say("Game")
WHO_PLAYS = say("Who plays?")
YOUR_NAME = say("Your name")
YOUR_NAME_HINT = say("May stay empty: then you are called by your colour.")
ME = say("Me")
FRIEND = say("A friend, by link")
HOT_SEAT = say("Somebody beside me, at this screen")
NOBODY = say("Nobody")
OPTIONS = say("Options")
PACE = say("Pace of the bots")
GUIDED = say("Guided: explain each step")
OPEN_TABLE = say("Open the table")
YOUR_GAMES = say("Your games")
IN_PROGRESS = say("In progress")
FINISHED = say("Finished")
NO_GAMES = say("None yet. The car is waiting at the port.")
YOUR_TURN = say("Your turn")
OPEN_RECORD = say("Open a game from a file")
OPEN_RECORD_HINT = say("A record that you downloaded after a game.")
FILE = say("File")
OPEN = say("Open")
PACE_NAMES = {
    "calm": Phrase("calm", context="pace"),
    "normal": Phrase("normal", context="pace"),
    "fast": Phrase("fast", context="pace"),
    "instant": Phrase("instant", context="pace"),
}
RANDOM_BOT = Phrase("Random", context="level")
GREEDY_BOT = Phrase("Greedy", context="level")

# --- the table
BOARD = say("Board")
SEATS = say("Players")
LOG = say("What happened")
MOVES = say("Your moves")
ALL_MOVES = say("All moves")
UNDO = say("Undo")
REDO = say("Redo")
HINT = say("Hint")
HINT_TITLE = say("What a strong player would do")
TYPE_A_MOVE = say("Type a move")
CONFIRM = say("Confirm")
CANCEL = say("Cancel")
CONFIRM_QUESTION = say("This ends your turn for good.")
COPY = say("Copy")
SKIP = say("Skip to the moves")
WHOLE_BOARD = say("Whole board")
COPIED = say("Copied")
WATCH_LINK = say("Link for spectators")
FAIR_DICE = say("Fair dice")
WATCHING = say("You are watching.")
BOT = say("Bot")
YOU = say("You")
FREE_SEAT = say("Free seat")
STANDING_IN = say("A bot stands in")
LEAVE_TO_BOT = say("Let a bot play here")
TAKE_BACK = say("Play myself again")
SEND_BOT_AWAY = say("Send the bot away")
THINKING = say("thinking…")
HAND_OVER_BUTTON = say("It is me: show my screen")
REPLAY = say("Replay")
TABLE = say("Table")
DOWNLOAD = say("Download the record")
RECONNECTING = say("The connection is lost. Trying again…")
NEEDS_SCRIPT = say("Without JavaScript, reload the page to see what the others do.")
TAKEN_BACK = say("A move was taken back.")
SEVERAL_MOVES = say("Several moves are possible there: choose one.")
OLD_GAME = say("An old game. Step through it, or play on from any position.")
GUIDE = say("First game")

# --- replay and the end
FIRST = say("To the beginning")
PREVIOUS = say("One move back")
NEXT = say("One move on")
LAST = say("To the end")
PLAY_ON = say("Play on from here")
PLAY_ON_HINT = say("A new game begins with this position: you against bots.")
YOUR_SEAT = say("Your seat")
RESULT = say("Final scores")
TOTAL = say("Total")
PLACE = say("Place")
PLAYER = say("Player")
TIE_BREAK = say("What decided")
PLAY_AGAIN = say("Play again")
REVIEW = say("Review this game")
REVIEW_HINT = say("A bot looks at every decision: who was ahead when, what turned the game, and what was better.")
REVIEW_WAITS = say("The review begins as soon as a bot is free…")
REVIEW_BROKE = say("The review did not work out. Try once more.")
TURNING_POINTS = say("Turning points")
BEFORE_MOVE = say("Before this move")
HOW_ALL_PLAYED = say("How everybody played")
ARROW_KEYS = say("Arrow keys step through the game.")

# --- settings
THEME = say("Light or dark")
THEMES = {
    "auto": Phrase("as the system", context="theme"),
    "light": Phrase("light", context="theme"),
    "dark": Phrase("dark", context="theme"),
}
BROWSER_LANGUAGE = say("as the browser")
CONFIRM_SETTING = say("Ask before a move that ends my turn")
AUTOMATIC_SETTING = say("Make my move for me when there is only one")
SOUND_SETTING = say("A sound when it is my turn")
NOTIFY_SETTING = say("A notification when it is my turn and the page is in the background")
SAVED = say("Saved.")

# --- people
ACCOUNT = say("Account")
ACCOUNT_HINT = say(
    "You can play everything without an account. One keeps your games on all your devices, and your rating."
)
LOG_IN = say("Log in")
LOG_OUT = say("Log out")
LOG_OUT_EVERYWHERE = say("Log out on all devices")
REGISTER = say("Register")
REGISTER_HINT = say("A name and a password are enough. The games of this browser become yours for good.")
NAME = say("Name")
PASSWORD = say("Password")
OLD_PASSWORD = say("Password until now")
NEW_PASSWORD = say("New password")
BRING_GAMES = say("Take the games of this browser along")
CHANGE_PASSWORD = say("Change the password")
PASSWORD_CHANGED = say("The password is changed, and all other devices are logged out.")
DELETE_ACCOUNT = say("Delete the account")
DELETE_HINT = say("Your name, rating and statistics are gone for good. In running games a bot plays on for you.")
ACCOUNT_DELETED = say("The account is deleted.")
ALREADY_LOGGED_IN = say("you are logged in already")
STATISTICS = say("Statistics")
NO_STATISTICS = say("They begin with the first game that you finish.")
GAMES_PLAYED = say("Games")
GAMES_WON = say("Won")
MEAN_PLACE = say("Mean place")
MEAN_POINTS = say("Mean points")
RATING = say("Rating")
RATING_HINT = say(
    "Everybody begins at 25. The number behind ± says how sure the rating is. People with an account and bots are "
    "rated; games with several people at one screen, or that go on from an old position, are not."
)
NOT_RATED = say("not rated")
HOOK = say("Call me elsewhere")
HOOK_HINT = say("When it is your turn, a short message is sent to this address, for a chat or a program of yours.")
ADDRESS = say("Address")
NO_HOOKS = say("this server calls no other addresses")
REMOVE_PERSON = say("Send away, a bot plays on")
RESIGNED = say("Given up: a bot plays to the end")
RESIGN = say("Give up…")
RESIGN_FOR_GOOD = say("Give up for good: a bot plays on, and you come last")
HINTS_ALLOWED = say("Hints and looking ahead allowed, though several people play")
HINTS_AGREED = say("Hints and looking ahead are allowed at this table.")
NO_HINTS = say("With other people at the table there are no hints until the game is over.")

# --- clocks
CLOCK = say("Time for a turn")
CLOCK_NAMES = {
    "none": Phrase("as long as you like", context="clock"),
    "ten-minutes": Phrase("10 minutes", context="clock"),
    "day": Phrase("1 day", context="clock"),
    "three-days": Phrase("3 days", context="clock"),
    "week": Phrase("1 week", context="clock"),
}
TIME_UP = say("When the time is up")
TIME_UP_NAMES = {
    "bot": say("A bot plays until they are back"),
    "resign": say("They are out and come last"),
}
TIME_LEFT = say("Time left")
HURRY = say("Your time is running out.")

# --- joining
JOIN_TITLE = say("You are invited")
SIT_DOWN = say("Sit down")
JUST_WATCH = say("Just watch")

# --- errors
LOST = say("Lost in the old town")
NO_PAGE = say("there is no page at this address")
BROKEN = say("something broke on our side; nothing of your game is lost")
NO_TOKEN = say("nobody knows you yet: ask for a token first and send it along")
TO_HOME = say("To the home page")

SHORTCUTS = say(
    "Keys: 1–9 and letters choose a move, U undoes, R repeats, H asks for a hint, / types a move, "
    "arrows look around the board."
)


def seat_names(game: Game) -> tuple[Name, ...]:
    """What the seats of a game are called until somebody sits there."""
    return check_names(game, game.most_players, None)


def held_by(who: Name) -> Phrase:
    return say("What lies before {who}", who=who)


def invite(who: Name) -> Phrase:
    return say("Send this link to invite a player as {who}:", who=who)


def waiting_for_guest(who: Name) -> Phrase:
    return say("Waiting for a guest to take the seat of {who}", who=who)


def hand_over(who: Name) -> Phrase:
    return say("Hand over to {who}", who=who)


def screen_of(who: Name) -> Phrase:
    return say("Behind this is what only {who} may see.", who=who)


def invites(game: str) -> Phrase:
    return say("A seat at a table of {game} is free for you.", game=game)


def decides_in_secret(who: Name) -> Phrase:
    return say("{who} decides in secret.", who=who)


def not_now(prompt: Phrase) -> Phrase:
    return say("Nothing can be done there now. {prompt}", prompt=prompt)


def chance(percent: int) -> Phrase:
    return say("wins {percent}%", percent=percent)


def players(fewest: int, most: int) -> Phrase:
    if fewest == most:
        return say("For {n} players", n=most)
    return say("For {fewest} to {most} players", fewest=fewest, most=most)


def move_number(number: int, total: int) -> Phrase:
    return say("Move {number} of {total}", number=number, total=total)


def bot_named(name: Name) -> Phrase:
    return say("Bot: {name}", name=name)


def reviewed(done: int, total: int) -> Phrase:
    return say("The review is under way: {done} of {total} moves.", done=done, total=total)


def place(n: int) -> Phrase:
    return say("{n}.", n=n)


def wins(names: Name) -> Phrase:
    return say("Won by {names}", names=names)


def password_hint(fewest: int) -> Phrase:
    return say("At least {fewest} characters. Nobody can send you a new one: there is no e-mail here.", fewest=fewest)


def points(n: int) -> Phrase:
    return counted("{n} point", "{n} points", n)
