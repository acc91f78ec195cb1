"""The longest game: the same limit wherever a game is played, no change for shorter ones, and no number that wraps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from malecon import games
from malecon.bots import make
from malecon.envs.data import unfold
from malecon.envs.vector import Tables
from malecon.games.santiago import arrays, events, moves, tiles
from malecon.kernel import verbs
from malecon.kernel.journal import new_journal
from malecon.kernel.playing import LONGEST_GAME, make_move
from malecon.match import Match, Record
from malecon.simulation.whole_games import play_many
from malecon.text import LANGUAGES, tell, too_long, translate

#: Everybody drives on by one step and moves the flag back: so no ship ever leaves.
STALLING = ("flag left", "visit harbormaster", "drive 1", "pass")
GAME = games.get("santiago")
MOST = np.iinfo(np.int16).max


def stall(legal: list[str]) -> str:
    return next((text for text in STALLING if text in legal), legal[0])


@pytest.fixture(scope="module")
def endless() -> Match:
    match = Match("santiago", 2, seed=1)
    while match.turn is not None:
        match.push(stall([str(move) for move in match.legal_moves]))
    return match


def test_a_game_without_an_end_is_ended_and_counted(endless: Match) -> None:
    assert len(endless) == LONGEST_GAME
    assert endless.phase == "over"
    position = endless.position
    assert position.ship <= tiles.SHIPS
    outcome = endless.outcome
    assert outcome is not None
    before = endless.position_after(LONGEST_GAME - 1)
    verbs.play(before, endless.code_at(-1))
    for seat in range(2):  # the last exchange is made, as after the seventh ship
        goods = int(position.goods[seat].sum())
        assert outcome.points[seat] == before.points[seat] + goods // tiles.GOODS_PER_FINAL_POINT
        assert sum(endless.scores[seat].breakdown.values()) == outcome.points[seat]
    assert endless.view(0).position.points[1] == outcome.points[1]  # screens are taken away
    another = endless.fork(LONGEST_GAME - 1)
    another.push(another.legal_moves[-1])
    assert (another.is_over, len(another)) == (True, LONGEST_GAME)


def test_its_record_and_its_snapshot_are_those_of_a_finished_game(endless: Match) -> None:
    record = endless.record()
    assert record.result is not None
    again = Record.from_json(record.to_json()).replay()
    assert again.outcome == endless.outcome
    assert again.position.tobytes() == endless.position.tobytes()
    assert Match.from_bytes(endless.to_bytes()).outcome == endless.outcome
    assert endless.fork(LONGEST_GAME - 1).turn is not None


def test_the_log_says_why_in_every_language(endless: Match) -> None:
    sentences = tell(endless, LONGEST_GAME - 1)
    texts = {language: [translate(line, language) for line in sentences] for language in LANGUAGES}
    assert "The game ends here: it has lasted 2000 moves, the most a game may have." in texts["en"]
    assert len({"\n".join(lines) for lines in texts.values()}) == 4
    assert too_long(endless) in sentences
    assert too_long(endless.fork(LONGEST_GAME - 1)) is None
    assert too_long(Match("santiago", 2)) is None


def test_tables_end_such_a_game_after_as_many_moves() -> None:
    tables = Tables("santiago", 2, 1, seed=5, restart=False)
    while tables.seats[0] >= 0:
        legal = [GAME.notation.name(code) for code in np.flatnonzero(tables.masks[0]).tolist()]
        tables.step([GAME.notation.code(stall(legal))])
    assert tables._buffers.made[0] == LONGEST_GAME
    assert tables.ended[0]
    assert tables.places[0].min() == 1
    assert int(tables.position(0).phase) == GAME.phases.index("over")


def test_the_same_moves_end_in_the_same_position_as_data(endless: Match) -> None:
    codes = np.array([turn.move.code for turn in endless.history if turn.move], np.int16)
    cells = np.zeros(2, GAME.dtype).view(np.recarray)
    cells[0] = GAME.new_position(2)
    size, most = GAME.pieces.size, len(codes)
    unfold(
        cells, codes, True, np.empty(GAME.most_legal, np.int16), np.zeros(most, GAME.dtype).view(np.recarray),
        np.zeros(most, np.int8), np.zeros(most, np.int16), np.zeros(most, np.int32),
        np.zeros((most, GAME.decisions), np.int8), np.zeros((most, size), np.int16),
    )  # fmt: skip
    assert cells[0].tobytes() == endless.position.tobytes()


def test_the_same_moves_end_in_the_same_position_in_openspiel(endless: Match) -> None:
    pytest.importorskip("pyspiel")
    from malecon.envs.openspiel import pyspiel

    game = pyspiel.load_game("python_malecon_santiago", {"players": 2})
    assert game.max_game_length() == LONGEST_GAME
    state = game.new_initial_state()
    for turn in endless.history:
        assert not state.is_terminal()
        assert turn.move is not None
        state.apply_action(turn.move.code - (GAME.decisions if state.is_chance_node() else 0))
    assert state.is_terminal()
    assert state.played.octets == endless.position.tobytes()


@pytest.mark.parametrize("name", games.names())
def test_a_game_of_cuba_would_end_as_well(name: str) -> None:
    game = games.get(name)
    cells = np.zeros(1, game.dtype).view(np.recarray)
    for seed in range(3):
        match = Match(name, 3, seed=seed)
        bot = make("random", seed)
        for _ in range(40 + 25 * seed):
            assert match.turn is not None
            match.push(bot.choose(match.view(match.turn)))
        cells[0] = match.position
        code = match.legal_moves.codes[0]
        assert make_move(cells[0], code, LONGEST_GAME - 1) == LONGEST_GAME
        assert verbs.actor(cells[0]) == verbs.NOBODY
        assert game.phases[int(cells[0].phase)] == "over"
        seen = cells[0].copy()
        verbs.hide(seen, -1)
        assert seen.tobytes() == cells[0].tobytes()  # nothing is hidden any more


# --- nobody gets near by playing to win


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("bot", [0, 1])
def test_no_game_of_simple_bots_comes_near(name: str, bot: int) -> None:
    game, count = games.get(name), 200
    for players in (game.fewest_players, game.most_players):
        start = np.zeros(1, game.dtype).view(np.recarray)
        start[0] = game.new_position(players)
        lengths, results = np.zeros((count, 2), np.int64), np.zeros((count, players, 2), np.int64)
        seeds = np.arange(1, count + 1).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        with np.errstate(over="ignore"):
            play_many(
                start, np.zeros(3, game.dtype).view(np.recarray), np.full(players, bot, np.int64), seeds,
                np.empty(game.most_legal, np.int16), np.zeros((count, 0), np.int16), lengths, results,
            )  # fmt: skip
        assert lengths[:, 0].max() < LONGEST_GAME


# --- no number can wrap: docs/rules.md has the sum


def wealth(position: verbs.Position) -> int:
    """All points and pesos on the table; the casino gives three pesos for a point, and takes as many."""
    players = int(position.players)
    return tiles.BUILDINGS[tiles.CASINO].pesos * int(position.points[:players].sum()) + int(
        position.pesos[:players].sum()
    )


#: What a move can bring besides deliveries: two wares at the café, and a point for its owner.
MOST_A_MOVE = tiles.BUILDINGS[tiles.CASINO].pesos * (2 * int(arrays.USE_POINTS[tiles.CAFE]) + tiles.OWNERS_POINTS)


def most_for_ships() -> int:
    """What all deliveries of a game can bring: the highest demand of four dice on seven ships, at the highest value."""
    faces = np.sort(arrays.DICE.max(axis=1))[1:].sum()
    return int(tiles.BUILDINGS[tiles.CASINO].pesos * tiles.SHIPS * faces * tiles.HIGHEST_VALUE)


def test_no_number_of_santiago_can_wrap_within_the_longest_game() -> None:
    at_first = wealth(GAME.new_position(tiles.MOST_PLAYERS))
    exchanged = (
        tiles.BUILDINGS[tiles.CASINO].pesos * tiles.SUPPLY_EACH * len(tiles.GOOD_KEYS) // tiles.GOODS_PER_FINAL_POINT
    )
    # Nobody can have more pesos, nor more points, than there is wealth on the table.
    assert at_first + LONGEST_GAME * MOST_A_MOVE + most_for_ships() + exchanged <= MOST


def gains(match: Match) -> Iterator[tuple[int, int, int]]:
    """For every move: what the table is worth more after it, of that by deliveries, and by the last exchange."""
    for number in range(len(match)):
        before, after, journal = match.position_after(number), match.position_after(number + 1), new_journal()
        verbs.play_logged(before.copy(), match.code_at(number), journal)
        rows = journal[1 : journal[0, 0] + 1]
        points = rows[rows[:, 0] == events.POINTS]
        source = points[:, 3]
        ships = np.isin(source, (events.FROM_DELIVERY, events.FROM_WOOD, events.FROM_BUILDING + tiles.OFFICE))
        last = source == events.FROM_EXCHANGE
        yield wealth(after) - wealth(before), *(3 * int(points[part, 2].sum()) for part in (ships, last))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_move_brings_more_than_the_sum_allows(players: int) -> None:
    for seed in range(3):
        match = Match("santiago", players, seed=seed)
        bots = [make(("greedy", "random")[(seed + seat) % 2], seat) for seat in range(players)]
        while match.turn is not None:
            match.push(bots[match.turn].choose(match.view(match.turn)))
        all_gains = list(gains(match))
        assert max(more - ships - last for more, ships, last in all_gains) <= MOST_A_MOVE
        assert sum(ships for _, ships, _ in all_gains) <= most_for_ships()


def test_every_use_of_a_building_brings_no_more_than_the_sum_allows() -> None:
    """Each use in the richest position for it: what the table is worth more afterwards."""
    position = GAME.new_position(2)
    position.building_at[:], position.cuban_at[1:] = np.arange(12), np.arange(9)
    position.pesos[:2], position.points[:2], position.goods[:2] = 500, 500, 4
    position.demand[:], position.value, position.departed = tiles.HIGHEST_DEMAND, tiles.HIGHEST_VALUE, False
    position.phase, position.active, position.actor = GAME.phases.index("use"), 0, 0
    legal = np.empty(GAME.most_legal, np.int16)
    for building in range(len(tiles.BUILDING_KEYS)):
        position.piece[0], position.owner[building] = building, 1
        for code in legal[: verbs.legal(position, legal)].copy().tolist():
            after = position.copy()
            verbs.play(after, code)
            is_delivery = moves.FAMILY[code] == moves.CONSIGN
            assert wealth(after) - wealth(position) <= MOST_A_MOVE or is_delivery


#: In Cuba: what a move brings to a seat at most, in points or in pesos; and in the law phase and the last count.
MOST_IN_CUBA, MOST_BY_LAWS = 10, 100


def test_no_number_of_cuba_can_wrap() -> None:
    """The law phase comes once a round, and asks every seat twice at most."""
    game = games.get("cuba")
    laws = [game.phases.index(phase) for phase in ("bid", "second bid", "enact", "tax", "duty")]
    assert LONGEST_GAME * MOST_IN_CUBA + 6 * 2 * game.most_players * MOST_BY_LAWS <= MOST
    for seed in range(4):
        players = 2 + seed
        match = Match("cuba", players, seed=seed)
        bots = [make(("greedy", "random")[(seed + seat) % 2], seat) for seat in range(players)]
        before = match.position
        while match.turn is not None:
            match.push(bots[match.turn].choose(match.view(match.turn)))
            after = match.position
            most = MOST_BY_LAWS if before.phase in laws else MOST_IN_CUBA
            for held in ("points", "pesos"):
                assert (after[held] - before[held]).max() <= most
            before = after
