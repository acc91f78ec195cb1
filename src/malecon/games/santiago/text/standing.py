"""How a game of Santiago de Cuba stands, in sentences. Positions may be views: what is unknown is not told."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.santiago import arrays, names, tiles
from malecon.games.santiago.position import UNKNOWN
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, counted, say
from malecon.kernel.verbs import Position
from malecon.text.lists import commas
from malecon.text.rulebook import Section


def chapter(position: Position) -> Phrase | None:
    """Return which part of the game this is."""
    return say("Ship {n} of {ships}", n=min(int(position.ship), tiles.SHIPS), ships=tiles.SHIPS)


def summary(position: Position, seats: Sequence[Name]) -> list[Phrase]:
    """Return what people ask first: what the ship wants, what it pays, where the car is."""
    return [*_ship(position), _car(position)]


def sections(position: Position, seats: Sequence[Name]) -> list[Section]:
    """Return the whole table: harbour, street, buildings, and what each player has."""
    board = [
        Section(say("The harbour"), tuple(_ship(position))),
        Section(say("The street"), (_car(position), *_street(position))),
        Section(say("The buildings"), tuple(_building(position, site, seats) for site in range(tiles.SITES))),
    ]
    players = range(int(position.players))
    return [*board, *(Section(say("{who}", who=seats[seat]), tuple(_player(position, seat))) for seat in players)]


def _ship(position: Position) -> list[Phrase]:
    demand: list[Name] = [names.goods(good, int(n)) for good, n in enumerate(position.demand) if n > 0]
    out = int(position.left_out)
    if out >= 0:
        demand = [names.goods(good, int(n)) for good, n in enumerate(position.demand) if n > 0 and good != out]
    sentences = [
        say("The ship wants nothing yet.") if not demand else say("The ship wants {goods}.", goods=commas(demand))
    ]
    if out >= 0:
        sentences.append(say("The die that was left out: {good}.", good=names.good(out)))
    sentences.append(say("The flag: each good earns {points}.", points=names.points(int(position.value))))
    return sentences


def _car(position: Position) -> Phrase:
    stop = int(position.car)
    if stop == tiles.PORT or position.cuban_at[stop] < 0:
        return say("The car stands at the port.")
    return say("The car stands at {cuban}.", cuban=names.cuban(int(position.cuban_at[stop])))


def _street(position: Position) -> list[Phrase]:
    sentences = []
    for ahead in range(1, tiles.STOPS + 1):
        stop = (int(position.car) + ahead) % tiles.STOPS
        if stop == tiles.PORT:
            sentences.append(counted("{n} stop ahead: the port.", "{n} stops ahead: the port.", ahead))
            continue
        cuban = int(position.cuban_at[stop])
        if cuban < 0:
            continue
        sentence = counted("{n} stop ahead: {who}.", "{n} stops ahead: {who}.", ahead)
        sentences.append(sentence.fill(who=_cuban(position, cuban)))
    return sentences


def _cuban(position: Position, cuban: int) -> Phrase:
    if position.face_down >> cuban & 1:
        return say("{cuban}, face down", cuban=names.cuban(cuban))
    return flowered(names.cuban(cuban), int(arrays.CUBAN_FLOWER[cuban]))


def flowered(name: Name, flower: int) -> Phrase:
    """Return a thing with its flower."""
    if flower < 0:
        return say("{name}, without a flower", name=name)
    return say("{name}, {flower} flower", name=name, flower=names.flower(flower))


def _building(position: Position, site: int, seats: Sequence[Name]) -> Phrase:
    building = int(position.building_at[site])
    if building < 0:
        return say("An empty site.")
    sentence = flowered(names.building(building), site // tiles.SITES_PER_FLOWER)
    owner = int(position.owner[building])
    if owner >= 0:
        sentence = say("{thing}; belongs to {who}", thing=sentence, who=seats[owner])
    for who in standing_at(position, building, seats):
        sentence = say("{thing}; {who}’s piece stands there", thing=sentence, who=who)
    return say("{thing}.", thing=sentence)


def standing_at(position: Position, building: int, seats: Sequence[Name]) -> list[Name]:
    """Return whose pieces stand on a building."""
    return [seats[seat] for seat in range(int(position.players)) if position.piece[seat] == building]


def _player(position: Position, seat: int) -> list[Phrase]:
    if position.points[seat] == UNKNOWN:
        return [say("Pesos, points and goods are behind the screen.")]
    held: list[Name] = [names.pesos(int(position.pesos[seat])), names.points(int(position.points[seat]))]
    held += [names.goods(good, int(n)) for good, n in enumerate(position.goods[seat]) if n > 0]
    return [say("Has {things}.", things=commas(held))]
