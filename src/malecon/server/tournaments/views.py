"""A tournament as its page and JSON show it: what everybody sees, and what is for one viewer. Plain values."""

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
from malecon.server.lobby.waiting import rating_range
from malecon.server.tournaments import texts as tournament_texts
from malecon.server.tournaments.model import (
    CALLED_OFF,
    ON,
    OPEN,
    OVER,
    ROUND_ROBIN,
    Entrant,
    Tournament,
    TournamentPairing,
)
from malecon.server.tournaments.standings import StandingsLine
from malecon.text import glossary as text_glossary
from malecon.text import translate

Number = Callable[[Fraction], str]


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
    names.append(tournament_texts.FORMAT_NAMES[tournament.format])
    if tournament.is_series:
        level = next((level.name for level in LEVELS if level.key == tournament.bot), tournament.bot or "")
        names += [tournament_texts.against(level), tournament_texts.games(tournament.rounds)]
    elif tournament.last_round:
        names.append(tournament_texts.rounds(tournament.last_round))
    names.append(community_texts.numbers_of_players(str(tournament.players)) if tournament.is_series
                 else tournament_texts.tables_of(tournament.players))  # fmt: skip
    if tournament.clock != "none":
        names.append(texts.CLOCK_NAMES[tournament.clock])
    if tournament.lowest is not None or tournament.highest is not None:
        low, high = rating_range(tournament.lowest, tournament.highest)
        names.append(community_texts.rated_between(round(low), round(high)))
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
            tournament_texts.DECIDED.get(line.decided),
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
        winner=None if first is None else tournament_texts.wins(first),
    )


def personal_view(tournament: Tournament, person: str) -> PersonalView:
    """Return what only this viewer is shown."""
    me = tournament.entrant_of(person)
    if me is None:
        return PersonalView(None, None, None)
    if tournament.state in (OPEN, CALLED_OFF) and not tournament.is_series:
        return PersonalView(me.number, tournament_texts.YOU_ENTERED, None)
    own = _own_pairing(tournament, me)
    table, news = _my_table(tournament, own), _news(tournament, own)
    if table is not None and news is None:
        news = tournament_texts.game_of(tournament.round, tournament.rounds)
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
        return tournament_texts.YOU_WITHDREW
    if own.table is None:
        return tournament_texts.WALKOVER if own.walkover else tournament_texts.YOU_HAVE_A_BYE
    return tournament_texts.WAIT_FOR_OTHERS if own.is_decided else tournament_texts.YOUR_GAME_IS_ON


def _score_line(tournament: Tournament, number: Number) -> Phrase | None:
    if not tournament.is_series:
        return None
    played = sum(pairing.is_decided for pairing in tournament.pairings)
    return tournament_texts.score_line(number(tournament.score), played)


def _series(tournament: Tournament, number: Number) -> list[SeriesGameView]:
    return [
        SeriesGameView(
            tournament_texts.game_of(pairing.round, tournament.rounds),
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
                None if pairings[0].is_decided else tournament_texts.IN_PROGRESS,
            )
            for name, pairings in by_round.get(number, ())
        ]
        for pairing in tournament.of_round(number):
            if pairing.table is None:
                seat = RoundSeatView(players[pairing.entrant], format_score(pairing.score), False)
                tables.append(
                    RoundTableView(
                        None, [seat], tournament_texts.WALKOVER if pairing.walkover else tournament_texts.BYE
                    )
                )
        heading = tournament_texts.round_of(number, tournament.last_round)
        rounds.append(RoundView(heading, tables, number == tournament.round and tournament.state == ON))
    return rounds


def bye_rule(tournament: Tournament) -> Phrase:
    return tournament_texts.BYE_RULES[ROUND_ROBIN if tournament.format == ROUND_ROBIN else "swiss"]


# --- as JSON

#: Fields that JSON has unchanged.
_SAME = ("id", "name", "game", "format", "players", "clock", "time_up", "public", "lowest", "highest", "fewest", "most",
         "starts", "bot", "state", "round", "revision")  # fmt: skip


def personal_state(tournament: Tournament, person: str) -> dict[str, Any]:
    """Return what JSON says of this viewer."""
    me = tournament.entrant_of(person)
    return {
        "is_mine": tournament.owner == person,
        "me": None if me is None else me.number,
        "my_table": _my_table(tournament, _own_pairing(tournament, me)),
    }


def state(tournament: Tournament, names: Mapping[int, str]) -> dict[str, Any]:
    """Return a tournament as JSON for everybody. People are identified by their entrant numbers only."""
    free = [(None, (pairing,)) for pairing in tournament.pairings if pairing.table is None]
    return {name: getattr(tournament, name) for name in _SAME} | {
        "rounds": tournament.last_round or None,
        "options": dict(tournament.options),
        "entrants": [
            {"number": entrant.number, "name": names.get(entrant.number), "withdrawn": entrant.withdrawn}
            for entrant in tournament.entrants
        ],
        "standings": [_line_state(line) for line in (tournament.standings if tournament.round else ())],
        "tables": sorted(
            (_table_state(name, at) for name, at in [*tournament.tables.items(), *free]),
            key=lambda table: (table["round"], table["table"] is None),
        ),
    }


def _line_state(line: StandingsLine) -> dict[str, Any]:
    fractions = {name: float(getattr(line, name)) for name in ("score", "opponents", "share")}
    return vars(line) | fractions | {"decided": line.decided or None}


def _table_state(name: str | None, pairings: Sequence[TournamentPairing]) -> dict[str, Any]:
    seats = [
        {
            "entrant": pairing.entrant,
            "seat": pairing.seat,
            "place": pairing.place,
            "points": pairing.points,
            "score": float(pairing.score) if pairing.is_decided else None,
        }
        for pairing in pairings
    ]
    return {"round": pairings[0].round, "table": name, "walkover": pairings[0].walkover, "seats": seats}
