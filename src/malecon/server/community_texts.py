"""The texts of pages about the community: the lobby, conversations, profiles, moderation, notifications."""

from __future__ import annotations

from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, counted, say

# --- the lobby
LOBBY = say("Lobby")
TOURNAMENTS = say("Tournaments")
TO_TOURNAMENT = say("To the tournament")
WAITING = say("Waiting for players")
NOBODY_WAITS = say("Nobody is waiting just now. Open a public table, or let us find you a game.")
JOIN = say("Join")
WATCH = say("Watch")
GAMES_ON = say("Games to watch")
NO_GAMES_ON = say("No public game is on.")
WHO_IS_HERE = say("Who is here")
FREE = say("free")
GUEST = say("Guest")
WITH_HINTS = say("hints allowed")
FIND_GAME = say("Find me a game")
FIND_HINT = say("We seat you with others who want the same. If nobody comes, bots can take the empty seats.")
HOW_MANY = say("How many players?")
BOTS_AFTER = say("Bots take empty seats")
FILL_NAMES = {
    0: say("never: only people"),
    1: say("after 1 minute"),
    3: say("after 3 minutes"),
    10: say("after 10 minutes"),
}
WHO_MAY_JOIN = say("Who may join?")
BY_LINK = say("Only those with the link")
PUBLIC = say("Everybody: show it in the lobby")
PUBLIC_HINT = say(
    "Seats for friends are then free for everybody. The game starts when all are taken, and can be watched."
)
RATING_FROM = say("Rating from")
RATING_TO = say("to")

# --- the waiting table
WAITING_TITLE = say("Waiting for players")
STARTS_WHEN_FULL = say("The game starts as soon as all seats are taken. Leave this page open; we will bring you there.")
STARTS_SOME_DAY = say("The game starts as soon as all seats are taken. You need not wait here.")
LEAVE = say("Leave")
START_NOW = say("Start now with bots")
INVITE_HERE = say("Friends can join with the address of this page.")
BOTS_COME = say("Bots take the empty seats in")
YOU_WAIT = say("You are waiting for players.")
TO_YOUR_SEAT = say("To your seat")
SIT_DOWN_HERE = say("Take a seat")
HERE_SETTING = say("Show others that I am here")

# --- conversations
TALK = say("Conversation")
SAY = say("Say")
SAY_SOMETHING = say("Say something")
FROM_GALLERY = say("from the gallery")
MUTE = say("Mute this person")
MUTED = say("You have muted this person.")
REPORT = say("Report to the host")
REPORTED = say("The host will look at it. Thank you.")
TALK_OF_SEATED = say("Players and spectators read this. You will see what spectators say when the game is over.")
TALK_OF_GALLERY = say("You are a spectator: the players will see what you say when the game is over.")
TALK_OFF = say("You have switched conversations off, under Settings.")
TALK_SETTING = say("Take part in conversations at tables")
NOBODY_TO_TALK_TO = say("there is nobody to talk to at this table")
PROPOSE_STOP = say("Propose to stop the game")
AGREE_TO_STOP = say("Agree to stop")
GO_ON = say("I want to play on after all")
STOP_HINT = say("If all agree, the game ends without a result and is not rated.")
STOPPED = say("All agreed to stop. The game is not rated.")

# --- people
LEADERS = say("Leader board")
NO_LEADERS = say("Nobody has played enough rated games yet.")
SCORE = Phrase("Score", context="leader board")
PAGE_HIDDEN = say("this person keeps their page to themselves")
IS_HERE = say("here now")
IS_AWAY = say("not here")
ADD_FRIEND = say("Add to friends")
REMOVE_FRIEND = say("Remove from friends")
BLOCK = say("Block")
UNBLOCK = say("Unblock")
WHAT_OTHERS_SEE = say("What others see")
NO_GAMES_YET = say("No finished games yet.")
PLAYED_WITH = say("Played with")
AHEAD = say("Ahead")
BEHIND = say("Behind")
OPENINGS = say("Favourite openings")
RECENT_GAMES = say("Recent games")
FRIENDS = say("Friends")
BLOCKED = say("Blocked")
MUTED_PEOPLE = say("Muted")
TAKE_OFF_LIST = say("Remove")
YOUR_PAGE = say("Your page")
PAGE_SETTING = say("Others may see my page")
BOARD_SETTING = say("Show me on leader boards")
GAMES_SETTING = say("Show my recent games on my page")
CANNOT_JOIN = say("you cannot join this table")

# --- the host
HOST = say("House rules and reports")
REPORTS = say("Reports")
NO_REPORTS = say("Nothing was reported.")
DISMISS = say("Dismiss")
HIDE = say("Hide the message")
MUTE_PERSON = say("Hide it and mute the author")
BAN_PERSON = say("Hide it and ban the author")
HOUSE_RULES = say("House rules")
WHO_MAY_OPEN = say("Who may open public tables?")
WHO_NAMES = {
    "everybody": say("everybody"),
    "accounts": say("people with an account"),
    "moderators": say("moderators only"),
}
INVITED_ONLY = say("By invitation only")
INVITATION = say("Invitation")
NEW_INVITATION = say("Make a new invitation; the old one ends")
BAD_WORDS = say("Words that are not allowed")
SANCTIONED = say("Muted and banned")
SANCTION_NAMES = {"muted": say("may not talk"), "banned": say("may not talk or play")}
FORGIVE = say("Let them take part again")
ABOUT_PERSON = say("Everything about one person")
EXPORT = say("Export")
DELETE_ALL = say("Delete all of it")
YOUR_DATA = say("Download everything kept about you")

# --- notifications on devices
PUSH = say("Notifications while this page is closed")
PUSH_TURN = say("When it is my turn in a game with others")
PUSH_SEAT = say("When a seat is free at a public table, once an hour at most")
PUSH_REMATCH = say("When somebody wants to play with me again")
PUSH_HINT = say("They go to every device on which you switch them on.")
PUSH_ON = say("Switch on for this device")
PUSH_OFF = say("Switch off for this device")
PUSH_IS_ON = say("This device receives notifications.")
PUSH_IS_OFF = say("This device receives no notifications.")
PUSH_DENIED = say("The browser does not allow notifications from this site. You can change that in its settings.")
PUSH_MISSING = say(
    "This browser cannot receive notifications. On an iPhone or iPad, add the site to the home screen first."
)
TURN_MESSAGE = say("it is your turn")
SEAT_MESSAGE = say("a seat is free at a public table")
SOMEBODY = say("somebody")
NO_PUSH = say("the host of this server has switched notifications off")

# --- as an app
NO_NETWORK = say("No network")
NO_NETWORK_HINT = say("The rules and your last finished games can be read here all the same.")
TRY_AGAIN = say("Try again")
KEPT_GAMES = say("Your finished games")


def wants_rematch(name: Name) -> Phrase:
    return say("{name} would like to play again", name=name)


def seats_taken(taken: int, seats: int) -> Phrase:
    return say("{taken} of {seats} seats taken", taken=taken, seats=seats)


def rated_between(low: int, high: int) -> Phrase:
    return say("ratings from {low} to {high}", low=low, high=high)


def numbers_of_players(numbers: Name) -> Phrase:
    return say("{numbers} players", numbers=numbers)


def guests_here(n: int) -> Phrase:
    return counted("{n} guest", "{n} guests", n)


def guest_named(name: Name) -> Phrase:
    return say("{name} (guest)", name=name)


def or_numbers(first: Name, last: Name) -> Phrase:
    return say("{first} or {last}", first=first, last=last)


def watching(names: Name) -> Phrase:
    return say("Watching: {names}.", names=names)


def away(names: Name) -> Phrase:
    return say("Away: {names}.", names=names)


def want_to_stop(names: Name) -> Phrase:
    return say("For stopping: {names}.", names=names)


def must_agree(names: Name) -> Phrase:
    return say("Still to agree: {names}.", names=names)


def won_of(wins: int, times: int) -> Phrase:
    return say("{wins} of {times} won", wins=wins, times=times)


def leaders_hint(games: int) -> Phrase:
    return say(
        "The score is the rating less its uncertainty, the number after ±. {games} rated games are needed.", games=games
    )
