"""The story of a game of Santiago de Cuba: each move and all that came of it, as sentences. Reads events, adds none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from malecon.games.santiago import arrays, moves, names, tiles
from malecon.games.santiago import events as ev
from malecon.games.santiago.position import (
    ALONSO,
    CHOOSE_STARTER,
    DELIVER,
    DEMAND,
    DRIVE,
    OVER,
    PABLO,
    ROLL,
    USE,
    VISIT,
    ZORRO,
)
from malecon.games.santiago.text.labels import destination
from malecon.kernel.game import Name
from malecon.kernel.journal import Event
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.kernel.view import Outcome
from malecon.text.game_text import tell_usual_result
from malecon.text.lists import listed
from malecon.text.played_move import PlayedMove


class Scene(PlayedMove):
    """A move of Santiago de Cuba with all that is known of it."""

    def goods(self, kind: int, n: int) -> Phrase:
        return names.goods(kind, n)

    @property
    def who(self) -> Name:
        """Return whose turn it is; not always the one who decided."""
        return self.seats[int(self.before.active)]


def tell_move(
    before: Position, after: Position, code: int, events: Sequence[Event], seats: Sequence[Name]
) -> list[Phrase]:
    scene = Scene(before, after, moves.NOTATION.read(code), events, seats)
    deed = DEEDS.get(int(before.phase))
    lines = [] if deed is None else deed(scene)
    for event in events:
        consequence = CONSEQUENCES.get(event.kind)
        line = None if consequence is None else consequence(scene, event)
        if line is not None:
            lines.append(line)
    return lines


def tell_event(
    before: Position, after: Position, code: int, events: Sequence[Event], number: int, seats: Sequence[Name]
) -> Phrase | None:
    """Return the one sentence that tells an event of a move: its own, or that of the deed it is part of."""
    scene = Scene(before, after, moves.NOTATION.read(code), events, seats)
    consequence, deed = CONSEQUENCES.get(events[number].kind), DEEDS.get(int(before.phase))
    line = None if consequence is None else consequence(scene, events[number])
    return line or next(iter([] if deed is None else deed(scene)), None)


# --- the deed itself, by the phase it was done in


def _start(scene: Scene) -> list[Phrase]:
    return [say("{who} starts the game.", who=scene.seats[scene.parts[0]])]


def _roll(scene: Scene) -> list[Phrase]:
    """All five dice are told when the last has been rolled."""
    if scene.after.phase != DEMAND:
        return []
    dice = [names.goods(good, int(n)) for good, n in enumerate(scene.after.demand)]
    return [say("{who} rolls for ship {ship}: {dice}.", who=scene.who, ship=int(scene.after.ship), dice=listed(dice))]


def _leave_out(scene: Scene) -> list[Phrase]:
    (good,) = scene.parts
    die = names.goods(good, int(scene.before.demand[good]))
    if scene.has(ev.SAILED):
        return [say("{who} leaves out a die: {die}.", who=scene.who, die=die)]
    demand = [names.goods(kind, int(n)) for kind, n in enumerate(scene.after.demand) if n]
    return [
        say(
            "{who} leaves out a die ({die}); ship {ship} asks for {demand}.",
            who=scene.who, die=die, ship=int(scene.after.ship), demand=listed(demand),
        )
    ]  # fmt: skip


def _drive(scene: Scene) -> list[Phrase]:
    (steps,) = scene.parts
    if scene.after.phase == OVER:
        return [_drive_only(scene, Phrase("past the port", context="drive"))]
    where, cost = destination(scene.before, steps), scene.lost(ev.FROM_DRIVE)
    if scene.after.car == tiles.PORT:
        return _drive_to_port(scene, where)
    cuban = int(scene.after.cuban_at[scene.after.car])
    gain = scene.gained(ev.FROM_CUBAN + cuban)
    if gain and cost:
        return [
            say(
                "{who} drives {where} for {cost} and gets {gain}.",
                who=scene.who, where=where, cost=listed(cost), gain=listed(gain),
            )
        ]  # fmt: skip
    if gain:
        return [say("{who} drives {where} and gets {gain}.", who=scene.who, where=where, gain=listed(gain))]
    lines = [_drive_only(scene, where)]
    if cuban == tiles.PABLO and not scene.has(ev.INACTIVE) and scene.after.phase != PABLO:
        lines.append(say("The supply is empty: Pablo has nothing to offer."))
    return lines


def _drive_only(scene: Scene, where: Phrase) -> Phrase:
    cost = scene.lost(ev.FROM_DRIVE)
    if cost:
        return say("{who} drives {where} for {cost}.", who=scene.who, where=where, cost=listed(cost))
    return say("{who} drives {where}.", who=scene.who, where=where)


def _drive_to_port(scene: Scene, where: Phrase) -> list[Phrase]:
    if scene.after.phase != DELIVER:
        return [
            _drive_only(scene, where),
            say("The new ship asks for nothing yet: there is no delivery round."),
        ]
    cost = scene.lost(ev.FROM_DRIVE)
    if cost:
        text = say("{who} drives {where} for {cost} and opens the delivery round.")
        return [text.fill(who=scene.who, where=where, cost=listed(cost))]
    return [say("{who} drives {where} and opens the delivery round.", who=scene.who, where=where)]


def _take_from_pablo(scene: Scene) -> list[Phrase]:
    return [say("{who} gets {gain} from Pablo.", who=scene.who, gain=names.goods(scene.parts[0], 1))]


def _give(scene: Scene) -> list[Phrase]:
    given = next(event for event in scene.events if event.seat == scene.before.actor)
    gift = scene.amount(given.kind, given.thing, -given.amount)
    return [say("{giver} gives {taker} {gift}.", giver=scene.actor, taker=scene.who, gift=gift)]


def _consult_alonso(scene: Scene) -> list[Phrase]:
    if scene.family == moves.PASS:
        return [say("{who} declines Alonso’s help.", who=scene.who)]
    if scene.has(ev.SEIZED):
        return [say("{who} seizes {building}.", who=scene.who, building=names.a_building(scene.parts[0]))]
    return _use(scene)


def _visit(scene: Scene) -> list[Phrase]:
    return [say("{who} moves {to_building}.", who=scene.who, to_building=names.to_building(scene.parts[0]))]


def _use_or_pass(scene: Scene) -> list[Phrase]:
    if scene.family == moves.PASS:
        building = names.a_building(int(scene.before.piece[scene.before.active]))
        return [say("{who} does not use {building}.", who=scene.who, building=building)]
    return _use(scene)


def _use(scene: Scene) -> list[Phrase]:
    building = moves.USES[scene.family]
    who, place = scene.who, names.at_building(building)
    given, gain = scene.lost(ev.FROM_BUILDING + building), scene.gained(ev.FROM_BUILDING + building)
    if building == tiles.CUSTOMS:
        good = names.good(scene.parts[0])
        return [say("{who} turns a die to 0 {place}: {good}.", who=who, good=good, place=place)]
    if building == tiles.HARBORMASTER:
        return [_move_flag(scene, place)]
    if building == tiles.OFFICE:
        goods, points = listed(given), listed(gain)
        return [say("{who} delivers {goods} for {gain} {place}.", who=who, goods=goods, gain=points, place=place)]
    if given:
        text = say("{who} trades {given} for {gain} {place}.")
        return [text.fill(who=who, given=listed(given), gain=listed(gain), place=place)]
    if scene.has(ev.FACE_DOWN):
        text = say("{who} gets {gain} {place} and turns {cuban} face down.")
        cuban = names.cuban(scene.parts[0])
        return [text.fill(who=who, gain=listed(gain), place=place, cuban=cuban)]
    return [say("{who} gets {gain} {place}.", who=who, gain=listed(gain), place=place)]


def _move_flag(scene: Scene, place: Phrase) -> Phrase:
    if scene.has(ev.SAILED):
        return say("{who} sends the ship off {place}.", who=scene.who, place=place)
    value = int(scene.after.value)
    if scene.family == moves.FLAG_LEFT:
        text = say("{who} lowers the value of goods to {value} {place}.")
        return text.fill(who=scene.who, value=value, place=place)
    return say("{who} raises the value of goods to {value} {place}.", who=scene.who, value=value, place=place)


def _deliver(scene: Scene) -> list[Phrase]:
    if scene.family == moves.PASS:
        return [say("{who} passes.", who=scene.actor)]
    delivered = next(event for event in scene.events if event.kind == ev.DELIVERED)
    in_wood = bool(delivered.other)
    source = ev.FROM_WOOD if in_wood else ev.FROM_DELIVERY
    given, gain = listed(scene.lost(source)), listed(scene.gained(source))
    if in_wood:
        text = say("{who} delivers {wood} in place of {good} for {gain}.")
        return [text.fill(who=scene.actor, wood=given, good=names.good(delivered.thing), gain=gain)]
    return [say("{who} delivers {goods} for {gain}.", who=scene.actor, goods=given, gain=gain)]


#: The moves of setup that have no place here are not told: the board shows the tiles.
DEEDS: Mapping[int, Callable[[Scene], list[Phrase]]] = {
    CHOOSE_STARTER: _start,
    ROLL: _roll,
    DEMAND: _leave_out,
    DRIVE: _drive,
    PABLO: _take_from_pablo,
    ZORRO: _give,
    ALONSO: _consult_alonso,
    VISIT: _visit,
    USE: _use_or_pass,
    DELIVER: _deliver,
}


# --- what came of it, event by event


def _inactive(scene: Scene, event: Event) -> Phrase:
    return say("{cuban} is face down: nothing happens.", cuban=names.cuban(event.thing))


def _nothing_left(scene: Scene, event: Event) -> Phrase:
    good = names.good(int(arrays.CUBAN_GOOD[event.thing]))
    if scene.gained(ev.FROM_CUBAN + event.thing):
        return say("The supply has no {good} left.", good=good)
    return say("The supply has no {good} left: {who} gets nothing.", good=good, who=scene.who)


def _face_up(scene: Scene, event: Event) -> Phrase:
    return say("{cuban} is face up again.", cuban=names.cuban(event.thing))


def _stayed(scene: Scene, event: Event) -> Phrase:
    flower = names.flower(int(arrays.CUBAN_FLOWER[scene.after.cuban_at[scene.after.car]]))
    if event.thing < 0:
        text = say("No building under a {flower} flower is free: {who} stays off the board.")
        return text.fill(flower=flower, who=scene.who)
    text = say("No building under a {flower} flower is free: {who} stays {place}.")
    return text.fill(flower=flower, who=scene.who, place=names.at_building(event.thing))


def _flag(scene: Scene, event: Event) -> Phrase | None:
    """The value of goods has risen by itself; at the harbormaster's that is the deed."""
    if scene.family in (moves.FLAG_LEFT, moves.FLAG_RIGHT):
        return None
    return say("The value of goods rises to {value}.", value=event.amount)


def _sailed(scene: Scene, event: Event) -> Phrase:
    if event.thing == ev.TIMED_OUT:
        return say("Ship {ship} sails: its time is up.", ship=event.amount)
    if scene.has(ev.LEFT_OUT):
        return say("Ship {ship} asks for nothing and sails at once.", ship=event.amount)
    return say("Ship {ship} sails, fully loaded.", ship=event.amount)


def _points(scene: Scene, event: Event) -> Phrase | None:
    """Tell points that came without a deed of one's own."""
    who, points = scene.seats[event.seat], names.points(event.amount)
    if event.thing == ev.FROM_OWNING:
        building = names.of_building(int(scene.after.piece[scene.before.active]))
        return say("{who} gets {points} as owner {of_building}.", who=who, points=points, of_building=building)
    if event.thing == ev.FROM_EXCHANGE:
        return say("{who} exchanges leftover goods for {points}.", who=who, points=points)
    return None


def _round_over(scene: Scene, event: Event) -> Phrase:
    return say("Everyone has passed: the delivery round ends.")


def _game_over(scene: Scene, event: Event) -> Phrase:
    return say("The game is over.")


#: Events without an entry are part of the deed's own sentence.
CONSEQUENCES: Mapping[int, Callable[[Scene, Event], Phrase | None]] = {
    ev.POINTS: _points,
    ev.INACTIVE: _inactive,
    ev.NOTHING_LEFT: _nothing_left,
    ev.FACE_UP: _face_up,
    ev.STAYED: _stayed,
    ev.FLAG: _flag,
    ev.SAILED: _sailed,
    ev.ROUND_OVER: _round_over,
    ev.GAME_OVER: _game_over,
}


# --- the end


def tell_result(outcome: Outcome, seats: Sequence[Name]) -> list[Phrase]:
    winner, points = seats[outcome.winners[0]], names.points(outcome.points[outcome.winners[0]])
    text = say("{winner} wins with {points}: tied on points and goods, but with more pesos.")
    if outcome.reason == "goods":
        text = say("{winner} wins with {points}: tied on points, but with more goods left over.")
    return tell_usual_result(outcome, seats) or [text.fill(winner=winner, points=points)]
