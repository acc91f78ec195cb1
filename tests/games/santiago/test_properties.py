"""What must hold in every game of Santiago de Cuba; what holds in any game is in `tests/games`."""

from hypothesis import given
from hypothesis import strategies as st

from malecon.games.santiago import events as kinds
from malecon.kernel import verbs
from malecon.kernel.journal import events, new_journal
from malecon.kernel.randomness import randomness
from tests.games.random_games import matches, play_out
from tests.games.santiago.games import odd_tables, sound

SEEDS = st.integers(0, 2**32)


@given(odd_tables(), SEEDS)
def test_the_journal_tells_of_everything_else_that_changed(table, seed):
    """Of flags, dice, ships, tiles, owners and pieces, the last word in the journal is how they stand afterwards."""
    for match in play_out(table, 60, seed):
        position, journal = match.position, new_journal()
        before = match.position
        code = match.legal_moves.codes[seed % len(match.legal_moves)]
        verbs.play_logged(position, code, journal)
        happened = {kind: [e for e in events(journal) if e.kind == kind] for kind in range(len(kinds.EVENTS))}
        assert position.ship - before.ship == len(happened[kinds.SAILED])
        assert (position.face_down != before.face_down) == bool(happened[kinds.FACE_UP] or happened[kinds.FACE_DOWN])
        assert (position.owner != before.owner).sum() == len(happened[kinds.SEIZED])
        assert (position.piece != before.piece).sum() == len(happened[kinds.MOVED])
        assert (position.car != before.car) <= bool(happened[kinds.DROVE])
        assert (position.ship == 8) == bool(happened[kinds.GAME_OVER])
        if not happened[kinds.SAILED]:
            assert (position.value != before.value) <= bool(happened[kinds.FLAG])
            if position.active != before.active:
                assert [e.seat for e in happened[kinds.TURN]] == [position.active]


@given(odd_tables(), SEEDS)
def test_a_guess_at_what_is_hidden_fits_all_that_is_seen_and_nothing_else(table, seed):
    truth = table.position
    for viewer in range(table.match.players):
        seen = table.match.view(viewer).position
        guessed = seen.copy()
        verbs.guess(guessed, viewer, randomness(seed))
        sound(guessed)
        for name in truth.dtype.names:
            if name not in ("pesos", "points", "goods"):
                assert guessed[name].tolist() == truth[name].tolist(), name
            else:
                assert guessed[name][viewer].tolist() == truth[name][viewer].tolist(), name


@given(odd_tables(), SEEDS)
def test_where_nothing_is_hidden_there_is_nothing_to_guess(table, seed):
    guessed = table.position.copy()
    verbs.guess(guessed, 0, randomness(seed))
    assert guessed.tobytes() == table.position.tobytes()


@given(matches("santiago", open_screens=True))
def test_with_open_screens_every_view_is_the_whole_truth(game):
    match, choices = game
    for number, move in enumerate(choices):
        if number % 20 == 0:
            for viewer in (None, *range(match.players)):
                assert match.view(viewer).position.tobytes() == match.position.tobytes()
        match.push(move)
