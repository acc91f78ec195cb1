"""What clients send to the server, described once: forms, the JSON interface and live connections use these types.

What the server answers is described where it is made, for instance in `web.table_state`.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request

from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.match import LONGEST_NAME
from malecon.server.accounts.passwords import LONGEST_PASSWORD
from malecon.server.errors import Refused
from malecon.server.lobby.waiting import FILLER
from malecon.server.notifications import addresses, devices
from malecon.server.pages.engine_positions import LONGEST_LINE, MOST_LINES

#: Characters of a move in notation; every move has fewer.
LONGEST_MOVE = 200
#: Versions of tables, numbers of messages and the like are smaller.
MOST = 2**31
#: Characters of the path to a field that an error quotes.
LONGEST_FIELD = 60

Kind = TypeVar("Kind")
Number = Annotated[int, Meta(ge=0, lt=MOST)]
GameName = Annotated[str, Meta(max_length=40)]
PlayerName = Annotated[str, Meta(max_length=40)]
Secret = Annotated[str, Meta(max_length=LONGEST_PASSWORD)]
Rating = Annotated[float, Meta(ge=0, le=99)]
Minutes = Annotated[int, Meta(description="After how many minutes bots take free seats: 0 (never), 1, 3 or 10")]
BotName = Annotated[str, Meta(max_length=60, description="Which bots take free seats")]


class RequestStruct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request; a field that is not described is an error."""


class Problem(Struct, frozen=True):
    """Why a request was refused; nothing has changed."""

    error: str


class EngineProblem(Struct, frozen=True):
    """Why a message about the bots that a page thinks for was refused; the person at the page need not know."""

    engine_error: str


class Identity(Struct, frozen=True):
    """A secret that is you. Send it as `Authorization: Bearer TOKEN`."""

    token: str


# --- tables


class SeatRequest(RequestStruct, frozen=True):
    """`me`, `open` for a guest with the invitation, or `bot:NAME`."""

    who: Annotated[str, Meta(max_length=60)]
    name: PlayerName | None = None


class TableRequest(RequestStruct, frozen=True):
    """A table to open."""

    game: GameName
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=8)]
    options: dict[str, OptionValue] = {}
    pace: str = "normal"
    clock: Annotated[str, Meta(description="Time for a turn: one of `clocks`")] = "none"
    time_up: Annotated[str, Meta(description="When it is up: `bot` plays on, or `resign`")] = "bot"
    hints: Annotated[bool, Meta(description="Allow hints and records of the running game among people")] = False
    page_thinks: Annotated[
        bool,
        Meta(description="If one person plays alone, their page may think for El Patrón; the game counts nowhere"),
    ] = False


class MoveRequest(RequestStruct, frozen=True):
    """A move in notation. With `version`, it is made only if nothing has happened since you looked."""

    move: Annotated[str, Meta(max_length=LONGEST_MOVE)]
    version: Number | None = None
    seat: Number | None = None


class AnswerRequest(RequestStruct, frozen=True):
    """An answer to a question of `early`, in notation; it replaces the one before.

    With `version`, it is accepted only if nothing that matters has happened since you looked.
    """

    question: Annotated[str, Meta(max_length=40)]
    move: Annotated[str, Meta(max_length=LONGEST_MOVE)]
    version: Number | None = None


class OrderRequest(RequestStruct, frozen=True):
    """A standing order, as `orders` has them; it replaces one that answers the same question."""

    kind: Annotated[str, Meta(max_length=40)]
    prefers: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=20)] = []
    limit: Number = 0


class EngineAnnouncement(RequestStruct, frozen=True):
    """A page can think for bots with the engine of that digest; with null, it cannot any more."""

    engine: Annotated[str, Meta(max_length=100)] | None


class BotMove(RequestStruct, frozen=True):
    """The move, by its code, that a page was asked to choose for a bot at that version of the table."""

    version: Number
    seat: Number
    code: Annotated[int, Meta(ge=0, lt=2**15)]


#: What a page may send over the live connection of a table.
LiveRequest = MoveRequest | EngineAnnouncement | BotMove


class UndoRequest(RequestStruct, frozen=True):
    version: Number | None = None


class JoinRequest(RequestStruct, frozen=True):
    token: Annotated[str, Meta(max_length=100)]
    name: PlayerName | None = None


# --- the lobby, tournaments and conversations


class PublicTableRequest(TableRequest, frozen=True):
    """A table that everybody may join: `me` is you, `open` is a free seat."""

    lowest: Rating | None = None
    highest: Rating | None = None
    fill: Minutes = 0
    bot: BotName = FILLER


class GameSearch(RequestStruct, frozen=True):
    """A game with others who want the same; `players` are the numbers of players that suit you."""

    game: GameName
    players: Annotated[list[Number], Meta(min_length=1, max_length=8)]
    clock: str = "none"
    fill: Minutes = 0
    bot: BotName = FILLER


class TournamentRequest(RequestStruct, frozen=True):
    """A tournament for people, or, with the format `series` and a `bot`, games of your own against bots."""

    game: GameName
    format: Annotated[str, Meta(max_length=20, description="`swiss`, `round-robin` or `series`")]
    players: Annotated[Number, Meta(description="Players at a table")]
    rounds: Annotated[Number, Meta(description="In a round robin, how often everybody meets everybody")]
    name: Annotated[str, Meta(max_length=200)] = ""
    options: dict[str, OptionValue] = {}
    clock: str = "day"
    time_up: str = "bot"
    public: Annotated[bool, Meta(description="If not, only people with its address can open it")] = True
    lowest: Rating | None = None
    highest: Rating | None = None
    fewest: Annotated[Number, Meta(description="The number of players it needs to start")] = 2
    most: Number = 16
    starts: Annotated[float | None, Meta(description="When it starts by itself, in seconds since 1970")] = None
    bot: Annotated[str, Meta(max_length=60)] | None = None


class ChatRequest(RequestStruct, frozen=True):
    """Something to say: your own words, or one of the ready phrases that everybody reads in their own language."""

    text: Annotated[str, Meta(max_length=2000)] = ""
    phrase: Annotated[str, Meta(max_length=40)] | None = None


# --- accounts


class Credentials(RequestStruct, frozen=True):
    name: Annotated[str, Meta(max_length=LONGEST_NAME)]
    password: Secret


class Registration(Credentials, frozen=True):
    """`invitation`: on servers that ask for one."""

    invitation: Annotated[str, Meta(max_length=100)] = ""


class LogIn(Credentials, frozen=True):
    """With `bring`, the games of the token that is sent along become the account's."""

    bring: bool = False


class PasswordChange(RequestStruct, frozen=True):
    old: Secret
    new: Secret


class AccountDeletion(RequestStruct, frozen=True):
    """The password of the account; a guest has none."""

    password: Secret = ""


class WebhookRequest(RequestStruct, frozen=True):
    """Where to post that it is your turn; null for nowhere."""

    address: Annotated[str, Meta(max_length=addresses.LONGEST_ADDRESS)] | None


# --- devices


class PushKeys(RequestStruct, frozen=True):
    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class PushSubscription(Struct, frozen=True):
    """A device as its browser describes it; other fields mean nothing here."""

    endpoint: Annotated[str, Meta(max_length=devices.LONGEST_ENDPOINT)]
    keys: PushKeys


class DeviceRemoval(RequestStruct, frozen=True):
    endpoint: Annotated[str, Meta(max_length=devices.LONGEST_ENDPOINT)]


# --- the engine in the page


class LinesRequest(RequestStruct, frozen=True):
    """Lines of an engine, in notation, to be put into words."""

    lines: Annotated[
        list[Annotated[list[Annotated[str, Meta(max_length=LONGEST_MOVE)]], Meta(max_length=LONGEST_LINE)]],
        Meta(max_length=MOST_LINES),
    ]


# --- reading


class BadRequest(Refused):
    """A request that does not fit its description."""

    def __init__(self, field: str) -> None:
        super().__init__(say("invalid request: check {field}", field=field[:LONGEST_FIELD] or "-"))


def bad_request(error: Exception) -> BadRequest:
    """Return the refusal that names the field which msgspec complains about; none if it is no JSON at all."""
    _, _, path = str(error).partition("`$")
    field = path.rstrip("`").lstrip(".")
    if not field and "field `" in str(error):
        field = str(error).partition("field `")[2].partition("`")[0]
    return BadRequest(field)


def from_text(values: dict[str, Any], kind: type[Kind]) -> Kind:
    """Return values that are text, as forms and query strings have them, as a request; raise BadRequest."""
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise bad_request(error) from None


async def from_json(request: Request, kind: type[Kind]) -> Kind:
    """Return the body that a script of our own pages sends as JSON; raise BadRequest."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except ValueError as error:
        raise bad_request(error) from None


async def from_form(request: Request, kind: type[Kind]) -> Kind:
    """Return a form as a request; raise BadRequest. Fields of no meaning here, and empty ones with a default, do not
    count.
    """
    form = await request.form()
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):  # type: ignore[arg-type]
        text = form.get(field.name)
        if isinstance(text, str) and (text or field.required):
            values[field.name] = text == "on" if field.type is bool else text  # as a ticked check box is sent
    return from_text(values, kind)
