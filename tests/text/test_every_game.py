"""What must be true of the words of any game: nothing goes unsaid, nothing is said twice, and no gap stays empty."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import pytest

from malecon import games
from malecon.games.cuba import moves as cuba
from malecon.games.cuba import position as cuba_phases
from malecon.games.santiago import moves as santiago
from malecon.games.santiago import position as santiago_phases
from malecon.kernel.common.holdings import GOODS, PESOS, POINTS
from malecon.kernel.verbs import CHANCE
from malecon.match import LegalMoves, Match, View
from malecon.text import LANGUAGES, describe_move, glossary, prompt, story, tell, translate
from malecon.text.extract import collect
from tests.text.phrases import messages_of, random_match

#: Names that would break anything that formats twice or matches carelessly; none can be mistaken for a word.
ODD_NAMES = ["{x}", "100%", "O’Neil", "%(who)s {0}", "{{"]


@dataclass(frozen=True, eq=False)
class Words:
    """What is particular to a game."""

    name: str
    chance: Mapping[int, int]  # by phase, the family of the moves that chance makes in it
    signs: Mapping[str, str]  # what English says of each kind of event; the others are parts of something else
    later: str = "$."  # moves whose changes are told with the next one
    silent: str = "$."  # moves of seats that say nothing new: the next one tells them, or the one before has
    options: Mapping[str, bool | str] = field(default_factory=dict)  # with which every phase can be met


SANTIAGO = Words(
    "santiago",
    {
        santiago_phases.PLACE_BUILDINGS: santiago.PLACE_BUILDING,
        santiago_phases.PLACE_CUBANS: santiago.PLACE_CUBAN,
        santiago_phases.CHOOSE_STARTER: santiago.STARTER,
        santiago_phases.ROLL: santiago.ROLL,
    },
    {
        "drove": "drives",
        "inactive": "is face down: nothing happens",
        "nothing left": "The supply has no",
        "face up": "is face up again",
        "face down": "face down",
        "seized": "seizes",
        "moved": "moves to",
        "stayed": "stays",
        "flag": "value of goods",
        "delivered": "delivers",
        "passed": "passes",
        "round over": "Everyone has passed",
        "sailed": "Ship",
        "left out": "leaves out",
        "over": "The game is over",
    }
    | dict.fromkeys(("turn", "die", "rolled"), ""),
)
CUBA = Words(
    "cuba",
    {
        cuba_phases.DRAW_SHIP: cuba.DRAW,
        cuba_phases.CHOOSE_STARTER: cuba.STARTER,
        cuba_phases.PROPOSE: cuba.PROPOSE,
    },
    {
        "stored": "stores",
        "nothing left": "The supply has no",
        "round": "Round",
        "figure": "plays the Worker",
        "built": "builds",
        "idle": "but",
        "loaded": "loads",
        "sailed": "sails",
        "arrived": "ship",
        "called": "replaces the ship",
        "vetoed": "vetoes",
        "starter": "starting player",
        "votes": "Parliament",
        "bid": "bids:",
        "tied": "Tied at",
        "won": "wins the vote",
        "enacted": "enacts",
        "paid": "gets",
        "refused": "does not pay",
        "unable": " pay the ",
        "over": "The game is over",
        "forwent": "nothing",
    }
    | dict.fromkeys(("market", "card", "used", "proposed"), ""),
    later="materials|build|harvest",  # start materials, the cost of a building, the first of two crops
    silent="materials|build|harvest|worker|merchant|architect|mayor|done",
    options={"envoys": True},
)
EACH_GAME = pytest.mark.parametrize("own", [SANTIAGO, CUBA], ids=lambda own: own.name)


def module(own: Words, part: str):
    return importlib.import_module(f"malecon.games.{own.name}.{part}")


def phases(own: Words) -> tuple[str, ...]:
    """Those in which something is asked of somebody, or of chance, and the end."""
    position = module(own, "position")
    return position.PHASES[: position.OVER + 1]


def codes(own: Words, phase: int) -> list[int]:
    """Every move that can occur in a phase, legal or not just now."""
    made_in = module(own, "rules.refusals").MADE_IN
    families = [family for family in made_in if phase in made_in[family]]
    return games.get(own.name).notation.codes(*([own.chance[phase]] if phase in own.chance else families))


@cache
def random_games(own: Words) -> list[Match]:
    game = games.get(own.name)
    matches = []
    for seed in range(20):
        players = game.fewest_players + seed % (1 + game.most_players - game.fewest_players)
        options = own.options if seed % 2 else {}
        matches.append(random_match(seed, players, ODD_NAMES[:players], game=own.name, **options))
    return matches


@cache
def tables(own: Words) -> dict[int, View]:
    """A table of the most players there can be, in each phase."""
    views: dict[int, View] = {}
    for match in (match_ for match_ in random_games(own) if match_.players == match_.game.most_players):
        for number in range(len(match) + 1):
            view = match.everything(number)
            views.setdefault(int(view.position.phase), view)
    return views


# --- labels


@EACH_GAME
def test_every_move_has_a_label_in_every_phase_it_can_occur_in(own):
    known = set(collect())
    for phase in range(len(phases(own)) - 1):
        assert codes(own, phase)
        for code in codes(own, phase):
            phrase = describe_move(tables(own)[phase], code)
            assert messages_of(phrase) <= known
            for language in LANGUAGES:
                label = translate(phrase, language)
                assert label
                for name in ODD_NAMES:
                    label = label.replace(name, "X")
                assert "{" not in label


@EACH_GAME
def test_the_phases_cover_all_moves(own):
    offered = {code for phase in range(len(phases(own)) - 1) for code in codes(own, phase)}
    assert offered == set(range(len(games.get(own.name).notation)))


@EACH_GAME
def test_no_two_moves_to_choose_from_look_the_same(own):
    match = random_games(own)[1]
    for number in range(0, len(match), 2):
        table = match.everything(number)
        if table.turn != CHANCE:  # two faces of a die may show the same
            for language in LANGUAGES:
                now = LegalMoves(match.game, table.position).codes
                assert len({translate(describe_move(table, code), language) for code in now}) == len(now)


# --- prompts


@EACH_GAME
def test_every_phase_has_a_prompt_for_everybody(own):
    known = set(collect())
    assert set(tables(own)) == set(range(len(phases(own))))
    for view in tables(own).values():
        for seat in (None, *range(len(view.names))):
            phrase = prompt(view, seat)
            assert messages_of(phrase) <= known
            for language in LANGUAGES:
                text = translate(phrase, language)
                for name in view.names:
                    text = text.replace(str(name), "X")
                assert "{" not in text


# --- the story


@EACH_GAME
def test_a_move_is_told_by_its_number(own):
    match = random_games(own)[0]
    assert list(story(match)) == [tell(match, index) for index in range(len(match))]
    assert list(story(match, len(match))) == []
    for index in (-1, len(match)):
        with pytest.raises(IndexError):
            tell(match, index)


@EACH_GAME
def test_every_kind_of_event_is_told(own):
    kinds, seen = module(own, "events").EVENTS, set()
    for match in random_games(own):
        for index, said in enumerate(story(match)):
            text = " ".join(map(str, said))
            for event in match.events(index):
                seen.add(kinds[event.kind])
                assert own.signs.get(kinds[event.kind], "") in text
    assert seen == set(kinds)
    assert set(kinds) - set(own.signs) == {"pesos", "points", "goods"}


@EACH_GAME
def test_whatever_changes_hands_is_told_with_its_owner(own):
    for match in random_games(own):
        for index, said in enumerate(story(match)):
            text = " ".join(map(str, said))
            if re.match(own.later, str(match.history[index].move)):
                continue
            for event in match.events(index):
                if event.kind in (PESOS, POINTS, GOODS):
                    assert match.names[event.seat] in text
                    assert re.search(r"\d", text)


@EACH_GAME
def test_every_move_of_a_player_is_told_and_no_gap_stays_empty(own):
    known, checked = set(collect()), set()
    for match in random_games(own):
        for turn, said in zip(match.history, story(match), strict=True):
            assert said or turn.seat < 0 or re.match(own.silent, str(turn.move))
            for phrase in said:
                messages = frozenset(messages_of(phrase))
                assert messages <= known
                if messages in checked:
                    continue
                checked.add(messages)
                for language in LANGUAGES:
                    text = translate(phrase, language)
                    assert text.endswith(".")
                    for name in match.names:
                        text = text.replace(name, "X")
                    assert not re.search(r"[{}%]|  ", text)


# --- reasons and the glossary


@EACH_GAME
def test_every_reason_is_in_the_catalogs(own):
    known, met = set(collect()), set()
    for match in random_games(own)[:4]:
        for number in range(0, len(match), 17):
            position = match.everything(number).position
            for code in set(range(len(match.game.notation))) - set(LegalMoves(match.game, position).codes):
                met |= messages_of(match.game.why_illegal(position, code, match.names))
    assert met <= known
    assert len({message.text for message in met if not message.context}) > 20, "most reasons were met"


@EACH_GAME
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_different_and_explanations_are_sentences(own, language):
    known = set(collect())
    for entries in glossary(games.get(own.name)).values():
        names = [translate(entry.name, language) for entry in entries.values()]
        assert len(set(names)) == len(names)
        for entry in entries.values():
            assert messages_of(entry.name) | messages_of(entry.text) <= known
            text = translate(entry.text, language)
            assert text.endswith(".")
            assert text[0].isupper()
            assert "{" not in text
