"""The requests and responses of the JSON interface, as OpenAPI describes them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from malecon.kernel.game import OptionValue
from malecon.match import LONGEST_NAME
from malecon.server.accounts.accounts import LONGEST_PASSWORD
from malecon.server.lobby.waiting import FILLER
from malecon.server.notifications import outgoing_http

#: Characters of a move in notation; all there are have fewer.
LONGEST_MOVE = 200


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """Why a request was refused; nothing has changed."""

    error: str


class Identity(BaseModel):
    """A secret that is you. Send it as `Authorization: Bearer TOKEN`."""

    token: str


class GameInfo(BaseModel):
    name: str
    title: str
    rules: int
    fewest_players: int
    most_players: int
    colours: list[str]
    options: dict[str, list[OptionValue]]


class Catalogue(BaseModel):
    """What can be played, against whom, and how fast."""

    games: list[GameInfo]
    bots: list[str]
    paces: list[str]
    clocks: dict[str, int]  # seconds for a turn


class SeatRequest(Model):
    """`me`, `open` for a guest with the invitation, or `bot:NAME`."""

    who: Annotated[str, Field(max_length=60)]
    name: Annotated[str | None, Field(max_length=40)] = None


class TableRequest(Model):
    game: Annotated[str, Field(max_length=40)]
    seats: Annotated[list[SeatRequest], Field(min_length=1, max_length=8)]
    options: dict[str, OptionValue] = {}
    pace: str = "normal"
    clock: Annotated[str, Field(description="Time for a turn: one of `clocks`")] = "none"
    time_up: Annotated[str, Field(description="When it is up: `bot` plays on, or `resign`")] = "bot"
    hints: Annotated[bool, Field(description="Allow hints and records of the running game among people")] = False


class MoveRequest(Model):
    """A move in notation. With `version`, it is made only if nothing has happened since you looked."""

    move: Annotated[str, Field(max_length=LONGEST_MOVE)]
    version: int | None = None
    seat: int | None = None


class UndoRequest(Model):
    version: int | None = None


class JoinRequest(Model):
    token: Annotated[str, Field(max_length=100)]
    name: Annotated[str | None, Field(max_length=40)] = None


class SeatState(BaseModel):
    seat: int
    colour: str
    name: str
    kind: str  # person, bot, open or record
    bot: str | None  # the bot that plays here now
    resigned: bool  # its time was up: a bot plays to the end
    mine: bool
    invitation: str | None  # for the owner of the table, while the seat is free


class LegalMove(BaseModel):
    """A legal move: its notation, and what it says on the button."""

    move: str
    text: str


class ForeseenMove(LegalMove):
    """A legal move with what it would do, and whether it ends your turn."""

    preview: str
    final: bool


class LoggedMove(BaseModel):
    """A move that was made; `move` is null while it lies face down for you."""

    seat: int
    move: str | None


class DiceState(BaseModel):
    """The hash of the dice's secret, the first move they decide, and the secret itself once the game is over."""

    commitment: str
    first: int
    secret: str | None


class TableState(BaseModel):
    """A table as you see it. `position` has the fields of the game's record; -1 stands for what you cannot know."""

    id: str
    game: str
    rules: int
    options: dict[str, OptionValue]
    version: int
    seat: int | None  # yours, or null for a spectator
    turn: int | None  # whose turn it is; null when the game is over
    phase: str
    prompt: str
    can_undo: bool
    deadline: float | None  # when the turn that has begun must be over, in seconds since 1970
    seats: list[SeatState]
    position: dict[str, Any]
    history: list[LoggedMove]
    legal: list[LegalMove]
    result: dict[str, Any] | None
    dice: DiceState | None


class TableDelta(BaseModel):
    """What has changed since the version you named. Replace each field that is there; of your history keep the moves
    before number `history_from` and add `history`.
    """

    version: int
    seat: int | None
    turn: int | None
    phase: str
    prompt: str
    can_undo: bool
    deadline: float | None
    position: dict[str, Any]
    legal: list[LegalMove]
    result: dict[str, Any] | None
    history_from: int
    history: list[LoggedMove]
    seats: Annotated[list[SeatState] | None, Field(description="Missing while nobody sat down or left")] = None
    dice: Annotated[DiceState | None, Field(description="Missing until the game is over")] = None


# --- the lobby and conversations


class WaitingSeatState(BaseModel):
    """A seat of a table that waits: free if it has neither a bot nor a person."""

    free: bool
    name: str | None
    account: bool  # without one, the name is what a guest calls themselves
    rating: float | None
    bot: str | None


class WaitingState(BaseModel):
    """A table that waits for players. `table` is where it is played once it has started."""

    id: str
    game: str
    players: list[int]  # numbers of players with which it may start
    options: dict[str, OptionValue]
    clock: str
    time_up: str
    hints: bool
    lowest: float | None  # the range of ratings of those who may join
    highest: float | None
    language: str
    opened: float
    bots_at: float | None  # when bots take the seats that are free; never where it is null
    seats: list[WaitingSeatState]
    table: str | None


class PublicGameState(BaseModel):
    """A public game that can be watched. Names and bots are in the order of seats."""

    table: str
    game: str
    names: list[str | None]
    bots: list[str | None]


class LobbyState(BaseModel):
    """What waits, what is played, and who is here: by name those with an account who do not mind."""

    revision: int
    waiting: list[WaitingState]
    games: list[PublicGameState]
    here: list[str]
    guests: int


Rating = Annotated[int | None, Field(ge=0, le=99)]
Minutes = Annotated[int, Field(description="After how many minutes bots take free seats: 0 (never), 1, 3 or 10")]
BotName = Annotated[str, Field(max_length=60, description="Which bots do")]


class PublicTableRequest(TableRequest):
    """A table that everybody may join: `me` is you, `open` is a free seat."""

    lowest: Rating = None
    highest: Rating = None
    fill: Minutes = 0
    bot: BotName = FILLER


class GameSearch(Model):
    """A game with others who want the same; `players` are the numbers of players that suit you."""

    game: Annotated[str, Field(max_length=40)]
    players: Annotated[list[int], Field(min_length=1, max_length=8)]
    clock: str = "none"
    fill: Minutes = 0
    bot: BotName = FILLER


# --- tournaments


class TournamentRequest(Model):
    """A tournament for people, or, with the format `series` and a `bot`, games of your own against bots."""

    game: Annotated[str, Field(max_length=40)]
    format: Annotated[str, Field(max_length=20, description="`swiss`, `round-robin` or `series`")]
    players: Annotated[int, Field(description="Players at a table")]
    rounds: Annotated[int, Field(description="In a round robin, how often everybody meets everybody")]
    name: Annotated[str, Field(max_length=200)] = ""
    options: dict[str, OptionValue] = {}
    clock: str = "day"
    time_up: str = "bot"
    public: Annotated[bool, Field(description="Or else only those with its address find it")] = True
    lowest: Rating = None
    highest: Rating = None
    fewest: Annotated[int, Field(description="It needs so many players to start")] = 2
    most: int = 16
    starts: Annotated[float | None, Field(description="When it starts by itself, in seconds since 1970")] = None
    bot: Annotated[str | None, Field(max_length=60)] = None


class TournamentListed(BaseModel):
    """A tournament in the list: `entered` where you take part."""

    id: str
    name: str
    game: str
    format: str
    players: int
    clock: str
    state: str  # open, on, over, ended, called-off
    starts: float | None
    entrants: int
    entered: bool


class EntrantState(BaseModel):
    """An entrant. Without a name, the account is deleted; `withdrawn` is the round in which they left."""

    number: int
    name: str | None
    withdrawn: int | None


class StandingState(BaseModel):
    """A line of the standings. `decided`: what put it behind the line above, where their scores are equal."""

    place: int
    entrant: int
    score: float
    opponents: float
    direct: int
    share: float
    games: int
    byes: int
    decided: str | None


class TournamentSeatState(BaseModel):
    entrant: int
    seat: int | None
    place: int | None
    points: int | None
    score: float | None  # not yet decided where it is null


class TournamentTableState(BaseModel):
    """A table of a round. Without an address it is a bye or a walkover."""

    round: int
    table: str | None
    walkover: bool
    seats: list[TournamentSeatState]


class TournamentState(BaseModel):
    """A tournament with its standings and all its tables. `rounds` is null until that is known."""

    id: str
    name: str
    game: str
    format: str
    players: int
    rounds: int | None
    options: dict[str, OptionValue]
    clock: str
    time_up: str
    public: bool
    lowest: float | None
    highest: float | None
    fewest: int
    most: int
    starts: float | None
    bot: str | None
    state: str
    round: int
    revision: int
    is_mine: bool
    entrants: list[EntrantState]
    me: int | None  # your number among the entrants
    my_table: str | None  # where you play now
    standings: list[StandingState]
    tables: list[TournamentTableState]


class ChatRequest(Model):
    """Something to say: your own words, or one of the ready phrases that everybody reads in their own language."""

    text: Annotated[str, Field(max_length=2000)] = ""
    phrase: Annotated[str | None, Field(max_length=40)] = None


class ChatMessageState(BaseModel):
    """A message of the player on `seat` or, in the gallery, of a spectator. You read a ready phrase in your own
    language.
    """

    number: int
    room: str  # seated or gallery
    seat: int | None
    name: str | None
    account: bool
    text: str
    phrase: str | None
    said: float


# --- accounts

Secret = Annotated[str, Field(max_length=LONGEST_PASSWORD)]


class Credentials(Model):
    name: Annotated[str, Field(max_length=LONGEST_NAME)]
    password: Secret


class Registration(Credentials):
    """`invitation`: on servers that ask for one."""

    invitation: Annotated[str, Field(max_length=100)] = ""


class LogIn(Credentials):
    """With `bring`, the games of the token that is sent along become the account's."""

    bring: bool = False


class PasswordChange(Model):
    old: Secret
    new: Secret


class AccountDeletion(Model):
    """The password of the account; a guest has none."""

    password: Secret = ""


class WebhookRequest(Model):
    """Where to post that it is your turn; null for nowhere."""

    address: Annotated[str | None, Field(max_length=outgoing_http.LONGEST_ADDRESS)]


class RatingState(BaseModel):
    """OpenSkill's mean and deviation, and how many games they rest on."""

    mu: float
    sigma: float
    games: int


class StatisticsState(BaseModel):
    game: str
    players: int
    games: int
    wins: int
    place: float
    points: float
    rating: RatingState | None


class ResultState(BaseModel):
    table: str
    game: str
    players: int
    place: int
    points: int
    finished: float
    rated: bool


class AccountState(BaseModel):
    """Your account: statistics by game and number of players, and the last finished games."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    hook: str | None
    statistics: list[StatisticsState]
    results: list[ResultState]


REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "It makes no sense, or the rules forbid it."},
    401: {"model": Problem, "description": "The token is not valid, or not any more."},
    403: {"model": Problem, "description": "It is not yours to do."},
    404: {"model": Problem, "description": "There is no such thing."},
    409: {"model": Problem, "description": "The table has moved on since you looked."},
    413: {"model": Problem, "description": "Too large."},
    429: {"model": Problem, "description": "Too often; the header Retry-After says how many seconds to wait."},
}
