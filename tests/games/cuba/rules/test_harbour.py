"""Ships: the conveyor from the deck over the high seas to berth 3, and what leaves when (rulebook pp. 4, 9 and 12)."""

from malecon.games.cuba import tiles
from tests.games.cuba.table import SHIPS, Table


def at_the_end_of_the_round(round_number: int = 2, *, berths: dict[int, str] | None = None, law=None) -> Table:
    """Just before two laws are enacted that end the round."""
    table = Table(3).everybody(pesos=0, yard="").lay(round_number=round_number, berths=berths, law=law)
    return table.to_parliament()


def end(table: Table) -> Table:
    return table.play("enact tax duty")


FULL = " with 1 sugar 1 citrus 1 tobacco 2 rum"  # of sctrr


def harbour(table: Table) -> list[str | None]:
    """Berths 3, 2, 1 and the high seas."""
    return [table.ship(place) for place in (3, 2, 1, 0)]


def test_the_end_of_the_first_round_all_ships_move_up_by_one():
    table = end(at_the_end_of_the_round(1))
    assert harbour(table) == [*SHIPS, None]
    assert table.turn == "chance"
    table.draw("sstzz")
    assert harbour(table) == [*SHIPS, "sstzz"]
    assert table.phase == "propose"


def test_from_the_second_round_on_the_ship_at_berth_3_leaves_in_any_case():
    table = end(at_the_end_of_the_round(2, berths={3: "sscrr with 1 rum"}))
    assert harbour(table) == [*SHIPS, None]
    assert table.queue == ["sscrr"]


def test_full_ships_leave_and_the_ships_left_close_up_in_their_order():
    table = end(at_the_end_of_the_round(2, berths={3: "sscrr", 2: "sctrr" + FULL}))
    assert harbour(table) == [SHIPS[1], SHIPS[2], None, None]
    table.draw("sstzz")
    assert harbour(table) == [SHIPS[1], SHIPS[2], "sstzz", None]
    table.draw("sstrz")
    assert harbour(table) == [SHIPS[1], SHIPS[2], "sstzz", "sstrz"]
    assert table.phase == "propose"


def test_cards_that_leave_go_under_the_deck_the_one_at_berth_3_first():
    table = end(at_the_end_of_the_round(2, berths={3: "sscrr", 2: "sctrr" + FULL}))
    assert table.queue == ["sscrr", "sctrr"]


def test_in_the_first_round_full_ships_leave_too():
    table = end(at_the_end_of_the_round(1, berths={2: "sctrr" + FULL}))
    assert harbour(table) == [SHIPS[1], SHIPS[2], None, None]


def test_even_the_ship_on_the_high_sea_goes_to_berth_3_when_all_others_left():
    both = {2: "sctrr" + FULL, 1: "sctrz with 1 sugar 1 citrus 1 tobacco 1 rum 1 cigars"}
    table = Table(3).everybody(pesos=0, yard="")
    table.lay(berths={2: both[2]}).lay(berths={1: both[1]}).to_parliament()
    end(table)
    assert harbour(table) == [SHIPS[2], None, None, None]
    table.draw("sstzz", "sstrz", "ccsrr")
    assert harbour(table) == [SHIPS[2], "sstzz", "sstrz", "ccsrr"]


def test_cargo_stays_on_a_ship_that_moves_up():
    table = end(at_the_end_of_the_round(2, berths={3: "sscrr", 2: "sctrr with 1 rum"}))
    assert (table.ship(3), table.cargo(3), table.cargo(2)) == ("sctrr", "1 rum", "")


def test_cargo_returns_to_the_supply():
    table = at_the_end_of_the_round(2, berths={3: "sscrr with 2 sugar 1 rum"})
    before = table.supply("sugar"), table.supply("rum")
    end(table)
    assert (table.supply("sugar"), table.supply("rum")) == (before[0] + 2, before[1] + 1)


def test_the_ship_at_berth_3_is_worth_three_points_in_the_next_round():
    table = end(at_the_end_of_the_round(1)).chance().seat("yellow", yard="1 rum")
    assert table.turn == "yellow"
    table.play("mayor", "ship 3 rum")
    assert table.points("yellow") == 3


def test_chance_draws_while_part_of_the_deck_is_unseen():
    table = at_the_end_of_the_round(1)
    last = tiles.SHIP_KEYS.index("sstzz")
    table.position.unseen_ships = 1 << last
    end(table)
    assert table.moves == ["draw sstzz"]
    assert table.turn == "chance"


def test_when_nothing_is_unseen_the_next_card_is_known_and_chance_is_not_asked():
    table = at_the_end_of_the_round(2, berths={3: "sscrr"})
    table.position.unseen_ships = 0
    for name in ("sstzz", "ccsrr"):
        table.position.queue[table.position.queued] = tiles.SHIP_KEYS.index(name)
        table.position.queued += 1
    end(table)
    assert table.ship(0) == "sstzz"
    assert table.queue == ["ccsrr", "sscrr"]
    assert table.phase == "propose"


def test_law_harbour_only_the_places_behind_move_up():
    table = Table(3).everybody(pesos=0, yard="")
    table.lay(law={"other": "harbour"}, berths={3: "sscrr", 1: "sctrr with 1 sugar 1 citrus 1 tobacco 1 rum"})
    table.seat("blue", yard="1 rum").play("mayor", "ship 1 rum")
    assert harbour(table) == ["sscrr", SHIPS[0], SHIPS[2], None]
    assert table.points("blue") == 1


def test_law_harbour_a_full_ship_at_berth_3_makes_room_for_all():
    table = Table(3).everybody(pesos=0, yard="")
    table.lay(law={"other": "harbour"}, berths={3: "sctrr with 1 sugar 1 citrus 1 tobacco 1 rum"})
    table.seat("blue", yard="1 rum").play("mayor", "ship 3 rum")
    assert harbour(table) == [*SHIPS, None]
    table.draw("sscrr")
    assert (table.points("blue"), table.turn) == (3, "red")


def test_after_the_sixth_round_no_ships_are_drawn():
    table = end(at_the_end_of_the_round(6, berths={3: "sscrr"}))
    assert table.match.is_over
