"""What the journal tells of each kind of event: who, how much, of what, from where."""

from malecon.games.santiago import events, tiles
from malecon.kernel.journal import Event
from tests.games.santiago.table import COLOURS, GOODS, Table, in_building

RED, BLUE, YELLOW, GREEN = range(4)


def events_of(table: Table, kind: str) -> list[Event]:
    """The events of that kind that the last move brought."""
    last = table.match.events(len(table.match) - 1)
    return [event for event in last if events.EVENTS[event.kind] == kind]


def only_event(table: Table, kind: str) -> Event:
    (event,) = events_of(table, kind)
    return event


def source(name: str) -> int:
    return events.SOURCES.index(name)


def building(name: str) -> int:
    return tiles.BUILDING_KEYS.index(name)


def cuban(name: str) -> int:
    return tiles.CUBAN_KEYS.index(name)


def good(name: str) -> int:
    return GOODS.index(name)


def test_a_drive_tells_its_steps_its_stop_and_its_cost():
    table = Table().play("drive 3")
    assert only_event(table, "drove")[1:4] == (RED, 3, 3)
    assert only_event(table, "pesos")[1:4] == (RED, -2, source("drive"))


def test_a_free_drive_tells_of_no_pesos():
    assert events_of(Table().play("drive 1"), "pesos") == []


def test_a_drive_over_a_lap_tells_the_stop_it_reaches():
    assert only_event(Table().lay(car="maria").seat("red", pesos=9).play("drive 10"), "drove")[1:4] == (RED, 10, 2)


def test_what_a_cuban_gives_is_told_with_its_source():
    for name, ware in [("pedro", "tobacco"), ("jose", "sugar"), ("conchita", "citrus"), ("miguel", "wood")]:
        table = Table().seat("red", pesos=9).drive_to(name)
        assert only_event(table, "goods")[1:] == (RED, 2, good(ware), source(name))
    assert only_event(Table().play("drive 2"), "points")[1:4] == (RED, 2, source("maria"))
    assert events_of(Table().play("drive 4"), "pesos")[1][1:4] == (RED, 3, source("martinez"))
    table = Table().lay(car="miguel").play("drive 1", "take rum")
    assert only_event(table, "goods")[1:] == (RED, 1, good("rum"), source("pablo"))


def test_a_cuban_with_less_than_they_give_is_told():
    table = Table().everybody(goods="").seat("blue", goods="7 tobacco").play("drive 1")
    assert only_event(table, "nothing left")[1:4] == (RED, 0, cuban("pedro"))
    assert only_event(table, "goods").amount == 1
    table = Table().everybody(goods="").seat("blue", goods="8 tobacco").play("drive 1")
    assert only_event(table, "nothing left").thing == cuban("pedro")
    assert events_of(table, "goods") == []
    assert events_of(Table().play("drive 1"), "nothing left") == []


def test_a_gift_to_el_zorro_is_told_of_both():
    table = Table(2).lay(car="conchita").seat("blue", goods="1 rum").play("drive 1")
    table.play("give rum")
    assert [e[1:] for e in events_of(table, "goods")] == [
        (BLUE, -1, good("rum"), source("zorro")),
        (RED, 1, good("rum"), source("zorro")),
    ]
    table = Table(2).lay(car="conchita").play("drive 1", "give peso")
    assert [e[1:4] for e in events_of(table, "pesos")] == [(BLUE, -1, source("zorro")), (RED, 1, source("zorro"))]
    table = Table(2).lay(car="conchita").play("drive 1", "give point")
    assert [e[1:4] for e in events_of(table, "points")] == [(BLUE, -1, source("zorro")), (RED, 1, source("zorro"))]


def test_a_seizure_and_a_visit_tell_their_building():
    table = Table(white="casino").lay(car="pablo").play("drive 1", "seize office")
    assert only_event(table, "seized")[1:4] == (RED, 0, building("office"))
    table.play("visit casino")
    assert only_event(table, "moved")[1:4] == (RED, 0, building("casino"))


def test_a_blocked_piece_tells_where_it_stayed():
    table = Table(4, white="bank church cafe").seat("blue", on="bank").seat("yellow", on="church")
    table.seat("green", on="cafe")
    assert only_event(table.play("drive 1"), "stayed")[1:4] == (RED, 0, -1)  # off the board
    table.lay(car="port", turn="red").seat("red", on="market").play("drive 1")
    assert only_event(table, "stayed")[1:4] == (RED, 0, building("market"))


def test_a_face_down_cuban_is_told_when_met_turned_and_turned_back():
    table = Table().lay(face_down="pedro").play("drive 1")
    assert only_event(table, "inactive")[1:4] == (RED, 0, cuban("pedro"))
    assert only_event(table.play("drive 1"), "face up").thing == cuban("pedro")
    assert only_event(in_building("newspaper").play("print maria"), "face down")[1:4] == (RED, 0, cuban("maria"))


def test_the_marker_tells_its_new_value():
    assert only_event(Table().lay(car="alonso").play("drive 2"), "flag")[1:3] == (RED, 3)
    assert only_event(in_building("harbormaster", value=3).play("flag right"), "flag")[1:3] == (RED, 4)
    assert only_event(in_building("harbormaster", value=4).play("flag left"), "flag")[1:3] == (RED, 3)


def test_a_delivery_tells_units_good_and_whether_it_was_wood():
    table = Table().lay(car="alonso", demand="3 rum 1 sugar").seat("red", goods="2 rum").seat("blue", goods="1 wood")
    table.play("drive 1", "deliver 2 rum")
    assert only_event(table, "delivered")[1:] == (RED, 2, good("rum"), 0)
    assert only_event(table, "goods")[1:] == (RED, -2, good("rum"), source("delivery"))
    assert only_event(table, "points")[1:4] == (RED, 4, source("delivery"))
    assert only_event(table, "die")[2:4] == (1, good("rum"))
    table.play("deliver 1 wood sugar")
    assert only_event(table, "delivered")[1:] == (BLUE, 1, good("sugar"), 1)
    assert only_event(table, "goods")[1:] == (BLUE, -1, good("wood"), source("wood"))
    assert only_event(table, "points")[1:4] == (BLUE, 1, source("wood"))
    assert only_event(table, "die")[2:4] == (0, good("sugar"))


def test_passing_and_the_end_of_a_round_are_told():
    table = Table(2).lay(car="alonso").play("drive 1", "pass")
    assert only_event(table, "passed").seat == RED
    assert events_of(table, "round over") == []
    table.play("pass")
    assert only_event(table, "passed").seat == BLUE
    assert table.happened == ["passed", "round over", "flag", "turn"]
    assert only_event(table, "turn").seat == BLUE


def test_a_departure_tells_which_ship_and_why():
    full = in_building("customs", demand="2 rum", ship=3).play("clear rum")
    assert only_event(full, "sailed")[1:4] == (RED, 3, events.FULL)
    late = in_building("harbormaster", value=4, ship=5).play("flag right")
    assert only_event(late, "sailed")[1:4] == (RED, 5, events.TIMED_OUT)


def test_dice_are_told_as_they_are_rolled_and_left_out():
    table = Table(dice=None).play("roll sugar 2b")
    assert only_event(table, "rolled")[1:4] == (YELLOW, 2, good("sugar"))
    table.play("roll citrus 4")
    assert only_event(table, "rolled")[1:4] == (YELLOW, 4, good("citrus"))
    table.play("roll tobacco 0", "roll rum 3", "roll cigars 1", "leave citrus")
    assert only_event(table, "left out")[1:4] == (YELLOW, 0, good("citrus"))
    assert only_event(table, "turn").seat == RED


def test_four_zeros_are_told_as_a_full_ship():
    table = Table(dice=None).roll("0 0 0 0 0").play("leave rum")
    assert table.happened == ["left out", "sailed"]
    assert only_event(table, "sailed")[1:4] == (YELLOW, 1, events.FULL)


def test_the_owners_point_is_told_of_the_owner():
    table = Table(white="bank").seat("blue", owns="bank").play("drive 1", "visit bank", "use bank")
    assert only_event(table, "points")[1:4] == (BLUE, 1, source("owner"))
    assert table.happened == ["pesos", "points", "turn"]


def test_each_building_tells_what_it_gave_and_took():
    expected = {
        ("bank", "use bank"): [("pesos", 2, "bank")],
        ("church", "use church"): [("points", 1, "church")],
        ("distillery", "make 2 rum"): [("sugar", -2, "distillery"), ("rum", 2, "distillery")],
        ("factory", "make 1 cigars"): [("tobacco", -1, "factory"), ("cigars", 1, "factory")],
        ("market", "swap rum citrus"): [("rum", -1, "market"), ("citrus", 1, "market")],
        ("sawmill", "use sawmill"): [("wood", -1, "sawmill"), ("points", 1, "sawmill"), ("pesos", 1, "sawmill")],
        ("cafe", "serve rum"): [("rum", -1, "cafe"), ("points", 2, "cafe")],
        ("casino", "buy 2 points"): [("pesos", -6, "casino"), ("points", 2, "casino")],
        ("casino", "sell 1 points"): [("pesos", 3, "casino"), ("points", -1, "casino")],
        ("office", "consign rum"): [("rum", -1, "office"), ("points", 2, "office")],
        ("newspaper", "print"): [("pesos", 1, "newspaper")],
    }
    for (place, move), changes in expected.items():
        goods = "2 sugar 2 tobacco 2 rum 2 wood"
        table = in_building(place, goods=goods, pesos=6, points=3, demand="2 rum 1 sugar").play(move)
        kinds_given = []
        for event in table.match.events(len(table.match) - 1):
            kind = events.EVENTS[event.kind]
            if kind in ("pesos", "points"):
                kinds_given.append((kind, event.amount, events.SOURCES[event.thing]))
            elif kind == "goods":
                kinds_given.append((GOODS[event.thing], event.amount, events.SOURCES[event.other]))
            assert kind not in ("pesos", "points", "goods") or event.seat == RED
        assert kinds_given == changes, move


def test_the_end_is_told_last_with_everybodys_exchange_before_it():
    table = Table(4).lay(car="alonso", ship=7, value=4).everybody(goods="1 rum 1 wood").seat("yellow", goods="7 sugar")
    table.play("drive 2")
    assert table.happened == ["drove", "pesos", "sailed", "points", "over"]
    assert only_event(table, "points")[1:4] == (YELLOW, 2, source("exchange"))
    assert only_event(table, "over").seat == -1


def test_every_kind_of_event_and_every_source_has_a_name_of_its_own():
    assert len(set(events.EVENTS)) == len(events.EVENTS)
    assert len(set(events.SOURCES)) == len(events.SOURCES)
    assert COLOURS == tiles.COLOURS
    assert GOODS == tiles.GOOD_KEYS
