"""A table to lay out positions of Santiago de Cuba on, and to read them back, in the rulebook's own words."""

from __future__ import annotations

from malecon.games.santiago import tiles
from tests.games import table
from tests.open_match import OpenMatch

#: Unless a test says otherwise, the Cubans stand in this order behind the port, El Zorro at stop 6.
STREET = ("pedro", "maria", "jose", "martinez", "conchita", "zorro", "miguel", "pablo", "alonso")
COLOURS = ("red", "blue", "yellow", "green")
GOODS = ("sugar", "citrus", "tobacco", "rum", "cigars", "wood")
FLOWERS = ("white", "yellow", "blue", "red")


class Table(table.Table):
    """A match whose chance moves are ours. It begins with Red's first drive, unless `dice` is None."""

    def __init__(
        self,
        players: int = 3,
        *,
        street: tuple[str, ...] = STREET,
        starter: str = "red",
        dice: str | None = "1 2 1 1 1",
        leave: str = "cigars",
        names: list[str] | None = None,
        open_screens: bool = False,
        **under: str,  # white="bank church": what lies under a flower; other buildings fill the sites left
    ) -> None:
        self.match = OpenMatch("santiago", players, names=names, options={"open_screens": open_screens})
        self.play(*(f"place {building}" for building in self._sites(under)))
        self.play(*(f"place {cuban}" for cuban in street))
        self.play(f"starter {starter}")
        if dice is not None:
            self.roll(dice)
            self.play(f"leave {leave}")

    @staticmethod
    def _sites(under: dict[str, str]) -> list[str]:
        assert set(under) <= set(FLOWERS)
        chosen = {flower: under.get(flower, "").split() for flower in FLOWERS}
        rest = [b for b in tiles.BUILDING_KEYS if not any(b in buildings for buildings in chosen.values())]
        for buildings in chosen.values():
            while len(buildings) < 3:
                buildings.append(rest.pop(0))
        return [building for flower in FLOWERS for building in chosen[flower]]

    # --- laying out

    def lay(
        self,
        *,
        car: str | None = None,
        value: int | None = None,
        ship: int | None = None,
        demand: str | None = None,
        face_down: str | None = None,
        turn: str | None = None,
    ) -> Table:
        """Change what lies on the board; what is not named stays."""
        position = self.position
        if car is not None:
            position.car = self._stop(car)
        if value is not None:
            position.value = value
        if ship is not None:
            position.ship = ship
        if demand is not None:
            position.demand[:] = [self._counts(demand).get(good, 0) for good in GOODS[:5]]
        if face_down is not None:
            position.face_down = sum(1 << tiles.CUBAN_KEYS.index(cuban) for cuban in face_down.split())
        if turn is not None:
            position.active = position.actor = COLOURS.index(turn)
        return self

    def seat(
        self,
        colour: str,
        *,
        pesos: int | None = None,
        points: int | None = None,
        goods: str | None = None,
        on: str | None = None,
        owns: str | None = None,
        markers: int | None = None,
    ) -> Table:
        """Change what a player has; what is not named stays. Goods come out of the supply."""
        position, seat = self.position, COLOURS.index(colour)
        if pesos is not None:
            position.pesos[seat] = pesos
        if points is not None:
            position.points[seat] = points
        if goods is not None:
            position.goods[seat] = [self._counts(goods).get(good, 0) for good in GOODS]
            position.supply[:] = 8 - position.goods.sum(axis=0)
            assert (position.supply >= 0).all(), "there are only 8 of each kind"
        if on is not None:
            position.piece[seat] = tiles.BUILDING_KEYS.index(on)
        if owns is not None:
            for building in owns.split():
                position.owner[tiles.BUILDING_KEYS.index(building)] = seat
            position.markers[seat] = 3 - (position.owner == seat).sum()
        if markers is not None:
            position.markers[seat] = markers
        return self

    def _stop(self, name: str) -> int:
        return 0 if name == "port" else self.position.cuban_at.tolist().index(tiles.CUBAN_KEYS.index(name), 1)

    # --- playing

    def roll(self, faces: str) -> Table:
        """The five dice, in the order sugar, citrus, tobacco, rum, cigars."""
        for good, face in zip(GOODS, faces.split(), strict=False):
            self.play(f"roll {good} {face}")
        return self

    def drive_to(self, name: str) -> Table:
        """The next time the car gets there."""
        return self.play(f"drive {(self._stop(name) - int(self.position.car) - 1) % 10 + 1}")

    # --- reading

    def goods(self, colour: str) -> str:
        return self._text(self.position.goods[COLOURS.index(colour)])

    def markers(self, colour: str) -> int:
        return int(self.position.markers[COLOURS.index(colour)])

    def piece(self, colour: str) -> str | None:
        building = int(self.position.piece[COLOURS.index(colour)])
        return None if building < 0 else tiles.BUILDING_KEYS[building]

    def owner(self, building: str) -> str | None:
        seat = int(self.position.owner[tiles.BUILDING_KEYS.index(building)])
        return None if seat < 0 else COLOURS[seat]

    @property
    def demand(self) -> str:
        return self._text(self.position.demand)

    @property
    def car(self) -> str:
        stop = int(self.position.car)
        return "port" if stop == 0 else tiles.CUBAN_KEYS[self.position.cuban_at[stop]]

    @property
    def value(self) -> int:
        return int(self.position.value)

    @property
    def ship(self) -> int:
        return int(self.position.ship)

    @property
    def face_down(self) -> str:
        return " ".join(cuban for i, cuban in enumerate(tiles.CUBAN_KEYS) if self.position.face_down >> i & 1)


def in_building(building: str, players: int = 3, **has) -> Table:
    """Red may use the building once more: their piece stands there and El Zorro found nobody with anything to give."""
    table = Table(players).everybody(pesos=0, points=0, goods="").lay(car="conchita")
    board = {key: has.pop(key) for key in ("value", "ship", "demand", "face_down") if key in has}
    return table.lay(**board).seat("red", on=building, **has).play("drive 1")
