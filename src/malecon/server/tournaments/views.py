"""A tournament as its page and JSON show it: what everybody sees, and what is for one viewer. Plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from babel.numbers import format_decimal
from msgspec import Meta, Struct, structs

from malecon.bots import LEVELS
from malecon.kernel import registry
from malecon.kernel.game import Name, OptionValue
from malecon.kernel.phrases import Phrase, counted, say
from malecon.server.lobby.waiting import rating_range
from malecon.server.tables.timing import CLOCK_NAMES
from malecon.server.tournaments.model import (
    CALLED_OFF,
    ON,
    OPEN,
    OVER,
    ROUND_ROBIN,
    SERIES,
    SWISS,
    Entrant,
    Tournament,
    TournamentPairing,
)
from malecon.server.tournaments.standings import StandingsLine
from malecon.text import glossary as text_glossary
from malecon.text import translate

Number = Callable[[Fraction], str]
FORMAT_NAMES = {SWISS: say("Swiss"), ROUND_ROBIN: say("Round robin"), SERIES: say("Series against bots")}
BYE_RULES = {
    SWISS: say("A bye counts as a win. Nobody has two before everybody else has had one."),
    ROUND_ROBIN: say(
        "A bye counts nothing: everybody has as many. If all your opponents at a table have withdrawn, you win."
    ),
}
#: What put an entrant behind others with the same score.
DECIDED = {
    "opponents": say("behind by opponents’ scores"),
    "direct": say("behind by head to head"),
    "share": say("behind by share of points"),
    "lot": say("behind by lot"),
}


@dataclass(frozen=True)
class PlayerView:
    """An entrant; without a name if the account is deleted."""

    number: int
    name: str | None
    withdrew: bool


@dataclass(frozen=True)
class StandingsLineView:
    """A line of the standings."""

    place: int
    player: PlayerView
    score: str
    opponents: str
    direct: str
    share: str
    games: int
    decided: Phrase | None


@dataclass(frozen=True)
class RoundSeatView:
    """An entrant at a table of a round, with their score there."""

    player: PlayerView
    score: str  # empty while it is played
    first: bool


@dataclass(frozen=True)
class RoundTableView:
    """A table of a round; without an address it is a bye or a walkover."""

    table: str | None
    seats: list[RoundSeatView]
    note: Phrase | None


@dataclass(frozen=True)
class RoundView:
    """A round: its tables in order."""

    heading: Phrase
    tables: list[RoundTableView]
    is_on: bool


@dataclass(frozen=True)
class SeriesGameView:
    """A game of a series."""

    heading: Phrase
    table: str | None
    place: int | None
    score: str
    seat: int


@dataclass(frozen=True)
class TournamentView:
    """The part of the page that may change while it is open, as everybody sees it."""

    players: list[PlayerView]
    lines: list[StandingsLineView]
    rounds: list[RoundView]
    series: list[SeriesGameView]
    score_line: Phrase | None
    winner: Phrase | None


@dataclass(frozen=True)
class PersonalView:
    """What only one viewer is shown: what is new for them, and where they play."""

    entrant: int | None
    news: Phrase | None
    my_table: str | None


def facts(tournament: Tournament, language: str) -> list[str]:
    """Return the facts about a tournament in the list, in a few words each."""
    game = registry.get(tournament.game)
    names: list[Name] = [] if tournament.name == game.title else [game.title]
    names.append(FORMAT_NAMES[tournament.format])
    if tournament.is_series:
        level = next((level.name for level in LEVELS if level.key == tournament.bot), tournament.bot or "")
        names += [say("against {level}", level=level), counted("{n} game", "{n} games", tournament.rounds)]
    elif tournament.last_round:
        names.append(counted("{n} round", "{n} rounds", tournament.last_round))
    names.append(say("{numbers} players", numbers=str(tournament.players)) if tournament.is_series
                 else say("tables of {n}", n=tournament.players))  # fmt: skip
    if tournament.clock != "none":
        names.append(CLOCK_NAMES[tournament.clock])
    if tournament.lowest is not None or tournament.highest is not None:
        low, high = rating_range(tournament.lowest, tournament.highest)
        names.append(say("ratings from {low} to {high}", low=round(low), high=round(high)))
    glossary = text_glossary(game).get("options", {})
    for key, value in tournament.options.items():
        if value is True and key in game.options and not game.options[key].default and key in glossary:
            names.append(glossary[key].name)
    return [translate(name, language) for name in names]


def view(tournament: Tournament, names: Mapping[int, str], language: str) -> TournamentView:
    """Return the tournament as everybody sees it."""
    players = {
        entrant.number: PlayerView(entrant.number, names.get(entrant.number), entrant.withdrawn is not None)
        for entrant in tournament.entrants
    }

    def number(value: Fraction) -> str:
        return format_decimal(round(float(value), 2), "0.##", language)

    lines = [
        StandingsLineView(
            line.place,
            players[line.entrant],
            number(line.score),
            number(line.opponents),
            f"{line.direct:+d}".replace("-", "−") if line.direct else "0",
            number(line.share),
            line.games,
            DECIDED.get(line.decided),
        )
        for line in (tournament.standings if tournament.round and not tournament.is_series else ())
    ]
    is_over = tournament.state == OVER
    first = names.get(tournament.standings[0].entrant) if is_over and lines else None
    return TournamentView(
        players=list(players.values()),
        lines=lines,
        rounds=[] if tournament.is_series else _rounds(tournament, players, number),
        series=_series(tournament, number) if tournament.is_series else [],
        score_line=_score_line(tournament, number),
        winner=None if first is None else say("{name} wins the tournament.", name=first),
    )


def personal_view(tournament: Tournament, person: str) -> PersonalView:
    """Return what only this viewer is shown."""
    me = tournament.entrant_of(person)
    if me is None:
        return PersonalView(None, None, None)
    if tournament.state in (OPEN, CALLED_OFF) and not tournament.is_series:
        entered = say("You have entered. When the tournament starts, your table is here and among your games.")
        return PersonalView(me.number, entered, None)
    own = _own_pairing(tournament, me)
    table, news = _my_table(tournament, own), _news(tournament, own)
    if table is not None and news is None:
        news = say("Game {n} of {last}", n=tournament.round, last=tournament.rounds)
    return PersonalView(me.number, news, table)


def _own_pairing(tournament: Tournament, me: Entrant | None) -> TournamentPairing | None:
    """Return the viewer's pairing in the current round, if they take part."""
    pairings = tournament.of_round(tournament.round)
    return None if me is None else next((pairing for pairing in pairings if pairing.entrant == me.number), None)


def _my_table(tournament: Tournament, own: TournamentPairing | None) -> str | None:
    is_on = tournament.state == ON and own is not None and not own.is_decided
    return own.table if is_on and own is not None else None


def _news(tournament: Tournament, own: TournamentPairing | None) -> Phrase | None:
    if tournament.state != ON or own is None or tournament.is_series:
        return None
    withdrew = any(entrant.number == own.entrant and entrant.withdrawn is not None for entrant in tournament.entrants)
    if withdrew:
        return say("You have withdrawn.")
    if own.table is None:
        return say("Walkover: all opponents have withdrawn.") if own.walkover else say("You have a bye in this round.")
    if own.is_decided:
        return say("Your game in this round is over. The next round begins when all the others are.")
    return say("Your game in this round is on.")


def _score_line(tournament: Tournament, number: Number) -> Phrase | None:
    if not tournament.is_series:
        return None
    played = sum(pairing.is_decided for pairing in tournament.pairings)
    return counted("Score {score} from {n} game", "Score {score} from {n} games", played).fill(
        score=number(tournament.score)
    )


def _series(tournament: Tournament, number: Number) -> list[SeriesGameView]:
    return [
        SeriesGameView(
            say("Game {n} of {last}", n=pairing.round, last=tournament.rounds),
            pairing.table,
            pairing.place,
            number(pairing.score) if pairing.is_decided else "",
            1 + (pairing.seat or 0),
        )
        for pairing in tournament.pairings
    ]


def _rounds(tournament: Tournament, players: Mapping[int, PlayerView], format_score: Number) -> list[RoundView]:
    """Return all rounds, the last one first; in each, the tables of the leaders of the standings come first."""
    place = {line.entrant: line.place for line in tournament.standings}
    by_round: dict[int, list[tuple[str, tuple[TournamentPairing, ...]]]] = {}
    for item in sorted(tournament.tables.items(), key=lambda item: min(place[seat.entrant] for seat in item[1])):
        by_round.setdefault(item[1][0].round, []).append(item)
    rounds = []
    for number in range(tournament.round, 0, -1):
        tables = [
            RoundTableView(
                name,
                [
                    RoundSeatView(
                        players[pairing.entrant],
                        format_score(pairing.score) if pairing.is_decided else "",
                        pairing.place == 1,
                    )
                    for pairing in pairings
                ],
                None if pairings[0].is_decided else say("in progress"),
            )
            for name, pairings in by_round.get(number, ())
        ]
        for pairing in tournament.of_round(number):
            if pairing.table is None:
                seat = RoundSeatView(players[pairing.entrant], format_score(pairing.score), False)
                tables.append(
                    RoundTableView(
                        None, [seat], say("Walkover: all opponents have withdrawn.") if pairing.walkover else say("Bye")
                    )
                )
        heading = (
            say("Round {n} of {last}", n=number, last=tournament.last_round)
            if tournament.last_round
            else say("Round {n}", n=number)
        )
        rounds.append(RoundView(heading, tables, number == tournament.round and tournament.state == ON))
    return rounds


def bye_rule(tournament: Tournament) -> Phrase:
    return BYE_RULES[ROUND_ROBIN if tournament.format == ROUND_ROBIN else SWISS]


# --- as JSON


class TournamentListed(Struct, frozen=True):
    """A tournament in the list: `entered` if you take part."""

    id: str
    name: str
    game: str
    format: str
    players: int
    clock: str
    state: Annotated[str, Meta(description="open, on, over, ended or called-off")]
    starts: float | None
    entrants: int
    entered: bool


class EntrantState(Struct, frozen=True):
    """An entrant. Without a name, the account is deleted; `withdrawn` is the round in which they left."""

    number: int
    name: str | None
    withdrawn: int | None


class StandingState(Struct, frozen=True):
    """A line of the standings. `decided`: what put it behind the line above, if their scores are equal."""

    place: int
    entrant: int
    score: float
    opponents: float
    direct: int
    share: float
    games: int
    byes: int
    decided: str | None


class TournamentSeatState(Struct, frozen=True):
    entrant: int
    seat: int | None
    place: int | None
    points: int | None
    score: Annotated[float | None, Meta(description="Null until it is decided")]


class TournamentTableState(Struct, frozen=True):
    """A table of a round. Without an address it is a bye or a walkover."""

    round: int
    table: str | None
    walkover: bool
    seats: list[TournamentSeatState]


class TournamentState(Struct, frozen=True):
    """A tournament with its standings and all its tables. `rounds` is null until that is known."""

    id: str
    name: str
    game: str
    format: str
    players: int
    rounds: int | None
    options: Mapping[str, OptionValue]
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
    me: Annotated[int | None, Meta(description="Your number among the entrants")]
    my_table: Annotated[str | None, Meta(description="The table at which you play now")]
    standings: list[StandingState]
    tables: list[TournamentTableState]


def listed(tournament: Tournament, entrants: int, entered: bool) -> TournamentListed:
    return TournamentListed(
        id=tournament.id,
        name=tournament.name,
        game=tournament.game,
        format=tournament.format,
        players=tournament.players,
        clock=tournament.clock,
        state=tournament.state,
        starts=tournament.starts,
        entrants=entrants,
        entered=entered,
    )


def personal_state(shared: TournamentState, tournament: Tournament, person: str) -> TournamentState:
    """Return a tournament as JSON for this viewer, made of what everybody sees."""
    me = tournament.entrant_of(person)
    return structs.replace(
        shared,
        is_mine=tournament.owner == person,
        me=None if me is None else me.number,
        my_table=_my_table(tournament, _own_pairing(tournament, me)),
    )


def state(tournament: Tournament, names: Mapping[int, str]) -> TournamentState:
    """Return a tournament as JSON for everybody. People are identified by their entrant numbers only."""
    free = [(None, (pairing,)) for pairing in tournament.pairings if pairing.table is None]
    return TournamentState(
        id=tournament.id,
        name=tournament.name,
        game=tournament.game,
        format=tournament.format,
        players=tournament.players,
        rounds=tournament.last_round or None,
        options=tournament.options,
        clock=tournament.clock,
        time_up=tournament.time_up,
        public=tournament.public,
        lowest=tournament.lowest,
        highest=tournament.highest,
        fewest=tournament.fewest,
        most=tournament.most,
        starts=tournament.starts,
        bot=tournament.bot,
        state=tournament.state,
        round=tournament.round,
        revision=tournament.revision,
        is_mine=False,
        entrants=[
            EntrantState(entrant.number, names.get(entrant.number), entrant.withdrawn)
            for entrant in tournament.entrants
        ],
        me=None,
        my_table=None,
        standings=[_line_state(line) for line in (tournament.standings if tournament.round else ())],
        tables=sorted(
            (_table_state(name, pairings) for name, pairings in [*tournament.tables.items(), *free]),
            key=lambda table: (table.round, table.table is None),
        ),
    )


def _line_state(line: StandingsLine) -> StandingState:
    return StandingState(
        place=line.place,
        entrant=line.entrant,
        score=float(line.score),
        opponents=float(line.opponents),
        direct=line.direct,
        share=float(line.share),
        games=line.games,
        byes=line.byes,
        decided=line.decided or None,
    )


def _table_state(name: str | None, pairings: Sequence[TournamentPairing]) -> TournamentTableState:
    seats = [
        TournamentSeatState(
            entrant=pairing.entrant,
            seat=pairing.seat,
            place=pairing.place,
            points=pairing.points,
            score=float(pairing.score) if pairing.is_decided else None,
        )
        for pairing in pairings
    ]
    return TournamentTableState(pairings[0].round, name, pairings[0].walkover, seats)
