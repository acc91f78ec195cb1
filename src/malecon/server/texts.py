"""The texts of pages, as phrases that `malecon.text` translates. The texts of a game are in its own package."""

from __future__ import annotations

from malecon.kernel.common.naming import points as points
from malecon.kernel.game import Game, Name
from malecon.kernel.phrases import Phrase, counted, say
from malecon.match import check_names
from malecon.text import LANGUAGES, language_name

LANGUAGE_NAMES = {language: language_name(language) for language in LANGUAGES}

# --- everywhere
SLOGAN = say("Two board games from the Cuban waterfront")
RULES = say("Rules")
SETTINGS = say("Settings")
LANGUAGE = say("Language")
SAVE = say("Save")
BACK = say("Back")
CLOSE = say("Close")
MENU = say("Menu")
FOOTER = say("Games by Michael Rieneck and Stefan Stadler. All drawings and texts here are our own.")

# --- home
PLAY_NOW = say("Play now")
PLAY_NOW_HINTS = {2: say("You against a bot, at once."), 3: say("You against two bots, right away.")}  # by players
FIRST_GAME = say("My first game")
FIRST_GAME_HINT = say("We explain one thing at a time, as it comes up.")
NEW_TABLE = say("Set up a table")
WHICH_GAME = say("Game")
WHO_PLAYS = say("Who is playing?")
YOUR_NAME = say("Your name")
YOUR_NAME_HINT = say("You may leave this empty and be called by your colour.")
ME = say("Me")
FRIEND = say("A friend, by link")
HOT_SEAT = say("Someone next to me, at this screen")
NOBODY = say("Nobody")
OPTIONS = say("Options")
PACE = say("Speed of the bots")
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
IN_WORDS = say("In words")
SINCE_YOUR_MOVE = say("Since your last move:")
POINTS_HIDDEN = say("Points are behind the screens.")
MOVES = say("Your moves")
ALL_MOVES = say("All moves")
TRY_THIS = say("try this")
UNDO = say("Undo")
REDO = say("Redo")
HINT = say("Hint")
HINT_TITLE = say("What a strong player would do")
TYPE_A_MOVE = say("Type a move")
CONFIRM = say("Confirm")
CANCEL = say("Cancel")
CONFIRM_QUESTION = say("This ends your turn. You cannot undo it.")
COPY = say("Copy")
SKIP = say("Skip to the moves")
WHOLE_BOARD = say("Whole board")
LESS = say("Less")
MORE = say("More")
COPIED = say("Copied")
WATCH_LINK = say("Link for spectators")
FAIR_DICE = say("Fair dice")
WATCHING = say("You are watching.")
BOT = say("Bot")
YOU = say("You")
FREE_SEAT = say("Free seat")
STANDING_IN = say("A bot is standing in")
LEAVE_TO_BOT = say("Let a bot play for me")
TAKE_BACK = say("Take over from the bot")
SEND_BOT_AWAY = say("Remove the bot")
THINKING = say("thinking…")
HAND_OVER_BUTTON = say("That’s me: show my side")
REPLAY = say("Replay")
TABLE = say("Table")
DOWNLOAD = say("Download the record")
RECONNECTING = say("Connection lost. Trying again…")
NEEDS_SCRIPT = say("Without JavaScript, reload the page to see what the others have done.")
TAKEN_BACK = say("A move was undone.")
SEVERAL_MOVES = say("Several moves are possible there: choose one.")
OLD_GAME = say("An old game. Step through it, or play on from any position.")
GUIDE = say("First game")

# --- replay and the end
FIRST = say("To the start")
PREVIOUS = say("One move back")
NEXT = say("One move forward")
LAST = say("To the end")
PLAY_ON = say("Play on from here")
PLAY_ON_HINT = say("A new game starts from this position: you against bots.")
YOUR_SEAT = say("Your seat")
RESULT = say("Final scores")
TOTAL = say("Total")
PLACE = say("Place")
PLAYER = say("Player")
TIE_BREAK = say("Decided by")
PLAY_AGAIN = say("Play again")
REVIEW = say("Review this game")
REVIEW_HINT = say(
    "A bot examines every decision: who was ahead at each point, what turned the game, and what would have been better."
)
REVIEW_WAITS = say("The review starts as soon as a bot is free…")
REVIEW_BROKE = say("The review failed. Please try again.")
TURNING_POINTS = say("Turning points")
BEFORE_MOVE = say("Before this move")
HOW_ALL_PLAYED = say("How everybody played")
ARROW_KEYS = say(
    "Keys: left and right step through the moves, up and down through the turns, Page Up and Page Down through the "
    "rounds; the space bar plays and pauses."
)
PLAY = say("Play the game")
PAUSE = say("Pause")
SPEED = say("Speed")
SPEED_NAMES = {
    "slow": Phrase("slow", context="speed"),
    "normal": Phrase("normal", context="speed"),
    "fast": Phrase("fast", context="speed"),
}
TURN_BACK = say("One turn back")
TURN_ON = say("One turn on")
ROUND_BACK = say("One round back")
ROUND_ON = say("One round on")
REVIEW_TAB = say("Review")
CHART_HINT = say("Click on the chart to go to that move.")

# --- settings
THEME = say("Light or dark")
THEMES = {
    "auto": Phrase("same as the system", context="theme"),
    "light": Phrase("light", context="theme"),
    "dark": Phrase("dark", context="theme"),
}
BROWSER_LANGUAGE = say("same as the browser")
CONFIRM_SETTING = say("Ask me before a move that ends my turn")
AUTOMATIC_SETTING = say("Make the move for me when there is only one")
SOUND_SETTING = say("Play a sound when it is my turn")
SOUNDS_SETTING = say("Soft sounds when pieces, goods or pesos move")
NOTIFY_SETTING = say("Notify me when it is my turn and the page is in the background")
SAVED = say("Saved.")

# --- people
ACCOUNT = say("Account")
ACCOUNT_HINT = say(
    "You can play everything without an account. With one, your games are on all your devices and you have a rating."
)
LOG_IN = say("Log in")
LOG_OUT = say("Log out")
LOG_OUT_EVERYWHERE = say("Log out on all devices")
REGISTER = say("Register")
REGISTER_HINT = say("A name and a password are enough. The games in this browser will be kept in your account.")
NAME = say("Name")
PASSWORD = say("Password")
OLD_PASSWORD = say("Current password")
NEW_PASSWORD = say("New password")
BRING_GAMES = say("Bring the games in this browser with me")
CHANGE_PASSWORD = say("Change the password")
PASSWORD_CHANGED = say("The password has been changed, and all other devices have been logged out.")
DELETE_ACCOUNT = say("Delete the account")
DELETE_HINT = say(
    "Your name, rating and statistics will be gone for good. In unfinished games a bot will play on for you."
)
ACCOUNT_DELETED = say("The account has been deleted.")
WITHOUT_ACCOUNT = say("Your data without an account")
DELETE_DATA = say("Delete all of it")
DELETE_DATA_HINT = say(
    "Your settings, messages and analyses are removed, and bots play on for you at your tables, without your name."
)
DELETE_DATA_SURE = say("Yes, delete everything kept about me")
DATA_DELETED = say("Everything kept about you has been deleted.")
ALREADY_LOGGED_IN = say("you are already logged in")
STATISTICS = say("Statistics")
NO_STATISTICS = say("Your statistics begin with the first game you finish.")
GAMES_PLAYED = say("Games")
GAMES_WON = say("Won")
MEAN_PLACE = say("Average place")
MEAN_POINTS = say("Average points")
RATING = say("Rating")
RATING_HINT = say(
    "Everybody starts at 25. The number after ± shows how certain the rating is. Bots and people "
    "with an account are rated; games with several people at one screen, or continued from an old "
    "position, are not."
)
NOT_RATED = say("not rated")
HOOK = say("Notify me elsewhere (web hook)")
HOOK_HINT = say("When it is your turn, we send a short message to this address: to a chat, or to a program of yours.")
ADDRESS = say("Address")
NO_HOOKS = say("web hooks are switched off on this server")
REMOVE_PERSON = say("Remove (a bot takes over)")
REMOVE_NOW = say("Yes, remove")
RESIGNED = say("Given up: a bot plays to the end")
RESIGN = say("Give up…")
RESIGN_FOR_GOOD = say("Give up for good: a bot plays on, and you come last")
HINTS_ALLOWED = say("Hints and looking ahead allowed, though several people play")
HINTS_AGREED = say("Hints and looking ahead are allowed at this table.")
NO_HINTS = say("With other people at the table there are no hints until the game is over.")

# --- clocks
CLOCK = say("Time per turn")
CLOCK_NAMES = {
    "none": Phrase("no limit", context="clock"),
    "ten-minutes": Phrase("10 minutes", context="clock"),
    "day": Phrase("1 day", context="clock"),
    "three-days": Phrase("3 days", context="clock"),
    "week": Phrase("1 week", context="clock"),
}
TIME_UP = say("When time runs out")
TIME_UP_NAMES = {
    "bot": say("A bot plays until the player is back"),
    "resign": say("The player is out and finishes last"),
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
BROKEN = say("something went wrong on our side; nothing in your game is lost")
NO_TOKEN = say("authentication required: get a token from POST /api/people and send it along")
TO_HOME = say("Go to the home page")

SHORTCUTS = say(
    "Keys: 1–9 and letters choose a move, U undoes, R redoes, H gives a hint, S says how the game stands, "
    "/ lets you type a move, and the arrows explore the board."
)


def seat_names(game: Game) -> tuple[Name, ...]:
    """What the seats of a game are called until somebody sits there."""
    return check_names(game, game.most_players, None)


def held_by(who: Name) -> Phrase:
    return say("In front of {who}", who=who)


def invite(who: Name) -> Phrase:
    return say("Send this link to invite a player as {who}:", who=who)


def waiting_for_guest(who: Name) -> Phrase:
    return say("Waiting for a guest to take {who}’s seat", who=who)


#: What is told of a seat, by the kind of note.
NOTES = {
    "late": say("{who} has run out of time. A bot stands in until they return."),
    "asleep": say("{who} has run out of time. Nobody is left at the table, so the game waits."),
    "out": say("{who} has run out of time. A bot plays to the end, and they come last."),
    "gave-up": say("{who} has given up. A bot plays to the end, and they come last."),
    "left": say("{who} lets a bot play."),
    "back": say("{who} is back."),
    "removed": say("The player in {who}’s seat was removed. A bot plays on."),
    "joined": say("{who} has sat down."),
    "wants-stop": say("{who} proposes to stop the game."),
    "stopped": say("All agreed to stop. The game is not rated."),
}
#: The same, said to the person whose seat it is.
NOTES_TO_YOU = {
    "late": say("You have run out of time. A bot plays for you until you return."),
    "asleep": say("You have run out of time. Nobody is left at the table, so the game waits."),
    "out": say("You have run out of time. A bot plays your seat to the end."),
}
ASLEEP = say("Everybody is away. The game goes on when somebody returns.")
BOT_FOR_YOU = say("A bot is playing for you.")
YOU_WERE_REMOVED = say("You were removed from this table. A bot plays on in your place; you can still watch.")
REMATCH = say("The others play again. Your seat is kept.")
REMATCH_OPEN = say("The next game with the same players is open.")
JOIN_REMATCH = say("Join the next game")
WATCH_REMATCH = say("Watch the next game")


def really_remove(who: Name) -> Phrase:
    return say("{who} loses the seat for good, and the game is not rated. A bot plays on.", who=who)


def hand_over(who: Name) -> Phrase:
    return say("Pass the device to {who}", who=who)


def screen_of(who: Name) -> Phrase:
    return say("What comes next is for {who}’s eyes only.", who=who)


def invites(game: str) -> Phrase:
    return say("A seat at a {game} table is waiting for you.", game=game)


def decides_in_secret(who: Name) -> Phrase:
    return say("{who} decides in secret.", who=who)


def not_now(prompt: Phrase) -> Phrase:
    return say("There is nothing to do there now. {prompt}", prompt=prompt)


def warming_up(percent: int) -> Phrase:
    return say(
        "First start: Malecón is getting up to speed ({percent}%). Until then, bots think less.", percent=percent
    )


def chance(percent: int) -> Phrase:
    return say("{percent}% chance of winning", percent=percent)


def players(fewest: int, most: int) -> Phrase:
    if fewest == most:
        return say("For {n} players", n=most)
    return say("For {fewest} to {most} players", fewest=fewest, most=most)


def move_number(number: int, total: int) -> Phrase:
    return say("Move {number} of {total}", number=number, total=total)


def bot_named(name: Name) -> Phrase:
    return say("Bot: {name}", name=name)


def reviewed(done: int, total: int) -> Phrase:
    return say("Review in progress: {done} of {total} moves.", done=done, total=total)


def leads(who: Name, n: int) -> Phrase:
    return say("Ahead: {who}, with {points}", who=who, points=points(n))


def place(n: int) -> Phrase:
    return say("{n}", n=n)


def wins(names: Name) -> Phrase:
    return say("Won by {names}", names=names)


def password_hint(fewest: int) -> Phrase:
    return say(
        "At least {fewest} characters. Keep it safe: without e-mail we cannot send you a new one.", fewest=fewest
    )


# --- the teacher
LESSONS = say("Lessons")
ANALYSE = say("Analyse")
ASK = say("Ask about a move")
IS_BEST = say("This is the best move.")
ASK_AGAIN = say("Ask about another move")
ASK_WHICH = say("Choose the move you want to know about; it will not be made.")
REASONS_LATER = say("The engine is still being prepared; the reasons will follow in a minute.")
NOT_READY = say("the engine is still being prepared; ask again in a minute")
ANALYSIS_BOARD = say("Analysis board")
TRY_NEXT = say("What to try next:")
EXPLORER = say("Explorer")
PUZZLES = say("Puzzles")
PUZZLES_HINT = say("One move is clearly best. Find it; then we say why.")
PUZZLE_OF_THE_DAY = say("Puzzle of the day")
ANY_PUZZLE = say("Any puzzle")
NEXT_PUZZLE = say("Next puzzle")
TRY_AGAIN = say("Try again")
TRY_IT = say("Find the better move")
MISTAKES = say("Learn from your mistakes")
PUZZLE_THEMES = say("Themes")
WHY = say("Why")
NO_REASON = say("In the lines we looked at, no single difference decides. The search prefers the move all the same.")
LINE_BETTER = say("The better line")
LINE_OTHER = say("The other line")
LINE_NOTE = say("One way the game may go: everyone plays what the search advises, and chance draws as it may.")
RIGHT = say("Right!")
NOT_BEST = say("Not the best move.")
SHOW = say("Show")
PUZZLES_UNRATED = say("With an account, your first try at each puzzle counts for a rating.")
POINTS_FROM = say("Where the points came from")
POINTS_FROM_HINT = say("Beside each number: what winners from the same seat have on average, in games of the search.")


def puzzle_number(number: int, total: int) -> Phrase:
    return say("Puzzle {number} of {total}", number=number, total=total)


def how_many_puzzles(count: int) -> Phrase:
    return counted("{n} puzzle", "{n} puzzles", count)


def best_was(move: Phrase, chance: int) -> Phrase:
    return say("“{move}” leaves a {chance}% chance of winning.", move=move, chance=chance)


def only_leaves(move: Phrase, chance: int) -> Phrase:
    return say("“{move}” leaves {chance}%.", move=move, chance=chance)


def line_step(step: int, total: int) -> Phrase:
    return say("Move {step} of {total} in the line", step=step, total=total)


def rated_puzzle(rating: int) -> Phrase:
    return say("Rating of this puzzle: {rating}", rating=rating)


def my_puzzle_rating(rating: int, tries: int) -> Phrase:
    return say("Your rating: {rating}, after {puzzles}", rating=rating, puzzles=how_many_puzzles(tries))
