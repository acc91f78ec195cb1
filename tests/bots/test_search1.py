"""`search1` plays what the search of November 2026 played, so that anybody can measure a later one against it."""

from __future__ import annotations

import pytest

from malecon.bots import SearchBot, make
from malecon.match import Match

#: What `search:sims=80` chose after thirty random decisions, and the visits and the best chance it then gave with 500.
PLAYED = {
    ("santiago", 2): (
        "use bank|drive 1|visit market|swap citrus cigars|drive 1|visit distillery|make 5 rum|drive 1|visit office|"
        "consign rum|leave rum|drive 2|visit customs|clear sugar|drive 3|visit cafe",
        (321, 179),
        0.5394437877469371,
    ),
    ("santiago", 4): (
        "swap tobacco citrus|drive 1|visit distillery|make 3 rum|drive 1|visit cafe|serve rum cigars|drive 2|"
        "visit customs|clear tobacco|drive 2|visit church|use church|drive 1|visit factory|make 3 cigars",
        (229, 197, 74),
        0.2779352330519567,
    ),
    ("cuba", 2): (
        "pay duty|pay duty|architect|build cigar cafe|on 4|architect|merchant|pick tobacco|merchant|sell sugar|worker|"
        "field 2|worker|field 6|mayor|ship 3 citrus",
        (473, 27),
        0.6037707736389322,
    ),
    ("cuba", 5): (
        "sell sugar|done|worker|field 6|foreman|store|worker|field 4|worker|field 11|worker|field 1|foreman|store|"
        "architect|build town hall",
        (62, 62, 62, 61),
        0.3043869693096281,
    ),
}


@pytest.mark.parametrize(("game", "players"), PLAYED)
def test_search1_plays_as_it_did(game: str, players: int) -> None:
    moves, visits, chance = PLAYED[game, players]
    options = {"count_warehouse": False} if game == "cuba" else {}  # the usual ones of that day
    match, anybody = Match(game, players, options=options, seed=5), make("random", 5)
    for _ in range(30):
        match.push(anybody.choose(match.view(match.turn)))
    bots = [make("search1:sims=80", seed=3 + seat) for seat in range(players)]
    for expected in moves.split("|"):
        move = bots[match.turn].choose(match.view(match.turn))
        assert str(move) == expected
        match.push(move)
    bot = make("search1:sims=500", seed=1)
    assert isinstance(bot, SearchBot)
    thoughts = bot.evaluate(match.view(match.turn))
    assert thoughts.visits[: len(visits)] == visits
    assert thoughts.chances[0] == pytest.approx(chance, abs=1e-6)
