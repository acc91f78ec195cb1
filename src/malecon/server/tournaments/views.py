"""A tournament as its page shows it and as JSON tells it: plain values, for one viewer. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from babel.numbers import format_decimal

from malecon.bots import LEVELS
from malecon.kernel import registry
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase
from malecon.server import community_texts, texts
from malecon.server.lobby.waiting import HIGHEST, LOWEST
from malecon.server.tournaments import texts as said
from malecon.server.tournaments.model import ON, OVER, ROUND_ROBIN, Entrant, Tournament, TournamentPairing
from malecon.server.tournaments.standings import StandingsLine
from malecon.text import glossary as text_glossary
from malecon.text import translate

Number = Callable[[Fraction], str]


@dataclass(frozen=True)
class PlayerView:
    """Somebody who takes part; no name where the account is deleted."""

    name: str | None
    is_me: bool
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
    """Somebody at a table of a round, with what they have scored there."""

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
    """All that the page shows and that may change while somebody looks."""

    players: list[PlayerView]
    lines: list[StandingsLineView]
    rounds: list[RoundView]
    series: list[SeriesGameView]
    score_line: Phrase | None
    my_table: str | None
    news: Phrase | None  # for whoever takes part
    winner: Phrase | None


def facts(tournament: Tournament, language: str) -> list[str]:
    """What kind of tournament it is, in a few words each."""
    game = registry.get(tournament.game)
    found: list[Name] = [] if tournament.name == game.title else [game.title]
    found.append(said.FORMAT_NAMES[tournament.format])
    if tournament.is_series:
        level = next((one.name for one in LEVELS if one.key == tournament.bot), tournament.bot or "")
        found += [said.against(level), said.games(tournament.rounds)]
    elif tournament.last_round:
        found.append(said.rounds(tournament.last_round))
    found.append(community_texts.numbers_of_players(str(tournament.players)) if tournament.is_series
                 else said.tables_of(tournament.players))  # fmt: skip
    if tournament.clock != "none":
        found.append(texts.CLOCK_NAMES[tournament.clock])
    if tournament.lowest is not None or tournament.highest is not None:
        low = LOWEST if tournament.lowest is None else tournament.lowest
        high = HIGHEST if tournament.highest is None else tournament.highest
        found.append(community_texts.rated_between(round(low), round(high)))
    glossary = text_glossary(game).get("options", {})
    for key, value in tournament.options.items():
        if value is True and key in game.options and not game.options[key].default and key in glossary:
            found.append(glossary[key].name)
    return [translate(one, language) for one in found]


def shown(tournament: Tournament, names: Mapping[int, str], person: str, language: str) -> TournamentView:
    """The tournament as this viewer sees it."""
    me = tournament.entrant_of(person)
    players = {
        one.number: PlayerView(names.get(one.number), one is me, one.withdrawn is not None)
        for one in tournament.entrants
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
            said.DECIDED.get(line.decided),
        )
        for line in (tournament.standings if tournament.round and not tournament.is_series else ())
    ]
    mine = _mine(tournament, me)
    is_over = tournament.state == OVER
    first = names.get(tournament.standings[0].entrant) if is_over and lines else None
    return TournamentView(
        players=list(players.values()),
        lines=lines,
        rounds=[] if tournament.is_series else _rounds(tournament, players, number),
        series=_series(tournament, number) if tournament.is_series else [],
        score_line=_score_line(tournament, number),
        my_table=_my_table(tournament, mine),
        news=_news(tournament, mine),
        winner=None if first is None else said.wins(first),
    )


def _mine(tournament: Tournament, me: Entrant | None) -> TournamentPairing | None:
    """What the viewer does in this round, if they take part."""
    here = tournament.of_round(tournament.round)
    return None if me is None else next((one for one in here if one.entrant == me.number), None)


def _my_table(tournament: Tournament, mine: TournamentPairing | None) -> str | None:
    is_on = tournament.state == ON and mine is not None and not mine.is_decided
    return mine.table if is_on and mine is not None else None


def _news(tournament: Tournament, mine: TournamentPairing | None) -> Phrase | None:
    if tournament.state != ON or mine is None or tournament.is_series:
        return None
    withdrew = any(one.number == mine.entrant and one.withdrawn is not None for one in tournament.entrants)
    if withdrew:
        return said.YOU_WITHDREW
    if mine.table is None:
        return said.WALKOVER if mine.walkover else said.YOU_HAVE_A_BYE
    return said.WAIT_FOR_OTHERS if mine.is_decided else said.YOUR_GAME_IS_ON


def _score_line(tournament: Tournament, number: Number) -> Phrase | None:
    if not tournament.is_series:
        return None
    played = sum(one.is_decided for one in tournament.pairings)
    return said.score_line(number(tournament.score), played)


def _series(tournament: Tournament, number: Number) -> list[SeriesGameView]:
    return [
        SeriesGameView(
            said.game_of(one.round, tournament.rounds),
            one.table,
            one.place,
            number(one.score) if one.is_decided else "",
            1 + (one.seat or 0),
        )
        for one in tournament.pairings
    ]


def _rounds(tournament: Tournament, players: Mapping[int, PlayerView], number: Number) -> list[RoundView]:
    """All rounds, the last one first."""
    found = []
    for turn in range(tournament.round, 0, -1):
        tables = [
            RoundTableView(
                name,
                [
                    RoundSeatView(players[one.entrant], number(one.score) if one.is_decided else "", one.place == 1)
                    for one in at
                ],
                None if at[0].is_decided else said.IN_PROGRESS,
            )
            for name, at in sorted(tournament.tables.items(), key=lambda item: _rank(tournament, item[1]))
            if at[0].round == turn
        ]
        for one in tournament.of_round(turn):
            if one.table is None:
                seat = RoundSeatView(players[one.entrant], number(one.score), False)
                tables.append(RoundTableView(None, [seat], said.WALKOVER if one.walkover else said.BYE))
        heading = said.round_of(turn, tournament.last_round)
        found.append(RoundView(heading, tables, turn == tournament.round and tournament.state == ON))
    return found


def _rank(tournament: Tournament, at: tuple[TournamentPairing, ...]) -> int:
    """Tables with those who stand highest come first."""
    order = {line.entrant: line.place for line in tournament.standings}
    return min(order[one.entrant] for one in at)


def bye_rule(tournament: Tournament) -> Phrase:
    return said.BYE_RULES[ROUND_ROBIN if tournament.format == ROUND_ROBIN else "swiss"]


# --- as JSON

#: What is told as it is.
_SAME = ("id", "name", "game", "format", "players", "clock", "time_up", "public", "lowest", "highest", "fewest", "most",
         "starts", "bot", "state", "round", "revision")  # fmt: skip


def state(tournament: Tournament, names: Mapping[int, str], person: str) -> dict[str, Any]:
    """All of a tournament, for this viewer. People are the numbers of entrants; who somebody is stays with us."""
    me = tournament.entrant_of(person)
    free = [(None, (one,)) for one in tournament.pairings if one.table is None]
    return {name: getattr(tournament, name) for name in _SAME} | {
        "rounds": tournament.last_round or None,
        "options": dict(tournament.options),
        "is_mine": tournament.owner == person,
        "entrants": [
            {"number": one.number, "name": names.get(one.number), "withdrawn": one.withdrawn}
            for one in tournament.entrants
        ],
        "me": None if me is None else me.number,
        "my_table": _my_table(tournament, _mine(tournament, me)),
        "standings": [_line_state(line) for line in (tournament.standings if tournament.round else ())],
        "tables": sorted(
            (_table_state(name, at) for name, at in [*tournament.tables.items(), *free]),
            key=lambda one: (one["round"], one["table"] is None),
        ),
    }


def _line_state(line: StandingsLine) -> dict[str, Any]:
    fractions = {name: float(getattr(line, name)) for name in ("score", "opponents", "share")}
    return vars(line) | fractions | {"decided": line.decided or None}


def _table_state(name: str | None, at: Sequence[TournamentPairing]) -> dict[str, Any]:
    seats = [
        {
            "entrant": one.entrant,
            "seat": one.seat,
            "place": one.place,
            "points": one.points,
            "score": float(one.score) if one.is_decided else None,
        }
        for one in at
    ]
    return {"round": at[0].round, "table": name, "walkover": at[0].walkover, "seats": seats}
