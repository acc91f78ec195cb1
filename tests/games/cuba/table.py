"""A table to lay out positions of Cuba on, and to read them back, in the rulebook's own words."""

from __future__ import annotations

from malecon.games.cuba import position, tiles
from tests.games import table
from tests.open_match import OpenMatch

COLOURS = tiles.COLOURS
GOODS = tiles.GOOD_KEYS
#: Unless a test says otherwise: the ships at berth 2, at berth 1 and on the high seas, in the order they are drawn.
SHIPS = ("sctrz", "ccszz", "ttcrz")
#: And the laws proposed first.
PROPOSALS = ("tax 3", "duty water", "subsidy water", "other harbour")
#: Start goods, chosen by everybody alike.
START = ("materials wood stone", "crops sugar citrus")


class Table(table.Table):
    """A match whose chance moves are ours. It begins with Blue's first card, unless told to stop before."""

    def __init__(
        self,
        players: int = 3,
        *,
        ships: tuple[str, ...] = SHIPS,
        starter: str = "blue",
        proposals: tuple[str, ...] | None = PROPOSALS,
        names: list[str] | None = None,
        **options: bool | str,
    ) -> None:
        self.match = OpenMatch(
            "cuba", players, names=names, options={"plantations": "common", "count_warehouse": False} | options
        )
        self.draw(*ships).play(f"starter {starter}")
        if proposals is not None:
            self.play(*(START * players))
            self.propose(*proposals)

    # --- laying out

    def lay(
        self,
        *,
        round_number: int | None = None,
        law: dict[str, str | None] | None = None,
        market: str | None = None,
        supply: str | None = None,
        berths: dict[int, str] | None = None,
        turn: str | None = None,
    ) -> Table:
        """Change what lies on the board; what is not named stays. Pieces come out of nowhere and go there."""
        board = self.position
        if round_number is not None:
            board.round_number = round_number
        for group, name in (law or {}).items():
            number = tiles.GROUP_KEYS.index(group)
            board.law[number] = -1 if name is None else tiles.LAW_KEYS[number].index(name)
        if market is not None:
            for good, count in self._counts(market).items():
                board.market[GOODS.index(good)] = count
        if supply is not None:
            for good, count in self._counts(supply).items():
                board.supply[GOODS.index(good)] = count
        for berth, name in (berths or {}).items():
            self._lay_ship(berth, name)
        if turn is not None:
            board.active = board.actor = COLOURS.index(turn)
        return self

    def _lay_ship(self, berth: int, text: str) -> None:
        """`sctrz` or `sctrz with 1 rum`: the card comes out of the deck, the one that was there goes back into it."""
        board = self.position
        name, _, cargo = text.partition(" with ")
        if board.ship_at[berth] >= 0:
            board.unseen_ships |= 1 << int(board.ship_at[berth])
        ship = tiles.SHIP_KEYS.index(name)
        assert board.unseen_ships >> ship & 1, "that ship is not in the deck"
        board.unseen_ships ^= 1 << ship
        board.ship_at[berth] = ship
        board.cargo[berth] = [self._counts(cargo).get(good, 0) for good in tiles.TRADE_GOODS]

    def seat(
        self,
        colour: str,
        *,
        pesos: int | None = None,
        points: int | None = None,
        yard: str | None = None,
        stored: str | None = None,
        built: dict[int, str] | None = None,
        figure: int | None = None,
        played: str | None = None,
    ) -> Table:
        """Change what a player has; what is not named stays. Fields are counted from 1."""
        board, seat = self.position, COLOURS.index(colour)
        if pesos is not None:
            board.pesos[seat] = pesos
        if points is not None:
            board.points[seat] = points
        if yard is not None:
            board.yard[seat] = [self._counts(yard).get(good, 0) for good in GOODS]
        if stored is not None:
            board.stored[seat] = [self._counts(stored).get(good, 0) for good in tiles.CROPS]
        for field, building in (built or {}).items():
            number = tiles.BUILDING_KEYS.index(building)
            assert board.built[seat, field - 1] < 0
            board.built[seat, field - 1] = number
            board.buildings_left[number] -= 1
        if figure is not None:
            board.figure[seat] = figure - 1
        if played is not None:
            board.played[seat] = sum(1 << tiles.CHARACTER_KEYS.index(card) for card in played.split())
        return self

    # --- playing

    def draw(self, *ships: str) -> Table:
        return self.play(*(f"draw {ship}" for ship in ships))

    def propose(self, *laws: str) -> Table:
        return self.play(*(f"propose {law}" for law in laws))

    def chance(self) -> Table:
        """Whatever comes up first, until somebody has to decide."""
        while self.match.turn == -1:
            self.match.push(self.match.legal_moves[0])
        return self

    def to_parliament(self, **kept: str) -> Table:
        """As if everybody had played their four cards but the one kept; the last to play is the seat before the
        starting player. Without a name, everybody keeps the worker and the mayor is the fourth card."""
        board = self.position
        for seat in range(self.match.players):
            card = tiles.CHARACTER_KEYS.index(kept.get(COLOURS[seat], "worker"))
            board.played[seat] = 31 & ~(1 << card)
            board.last_card[seat] = tiles.MAYOR if card != tiles.MAYOR else tiles.FOREMAN
        last = (int(board.starter) + self.match.players - 1) % self.match.players
        # the last card of the round: a merchant who does nothing
        board.active = board.actor = last
        board.step = 4 * self.match.players - 1
        board.phase = position.TRADE
        return self.play("done")

    # --- reading

    def yard(self, colour: str = "blue") -> str:
        return self._text(self.position.yard[COLOURS.index(colour)])

    def stored(self, colour: str = "blue") -> str:
        return self._text(self.position.stored[COLOURS.index(colour)])

    def built(self, field: int, colour: str = "blue") -> str | None:
        number = int(self.position.built[COLOURS.index(colour), field - 1])
        return None if number < 0 else [*tiles.BUILDING_KEYS, "printed warehouse"][number]

    def market(self, good: str) -> int:
        return int(self.position.market[GOODS.index(good)])

    def ship(self, berth: int) -> str | None:
        """The card at a berth; 0 is the high seas."""
        number = int(self.position.ship_at[berth])
        return None if number < 0 else tiles.SHIP_KEYS[number]

    def cargo(self, berth: int) -> str:
        return self._text(self.position.cargo[berth])

    @property
    def queue(self) -> list[str]:
        """The cards under the deck whose order is known."""
        return [tiles.SHIP_KEYS[ship] for ship in self.position.queue[: self.position.queued]]

    @property
    def unseen(self) -> set[str]:
        return {name for i, name in enumerate(tiles.SHIP_KEYS) if self.position.unseen_ships >> i & 1}

    def law(self, group: str) -> str | None:
        number = tiles.GROUP_KEYS.index(group)
        card = int(self.position.law[number])
        return None if card < 0 else tiles.LAW_KEYS[number][card]

    def proposal(self, group: str) -> str | None:
        number = tiles.GROUP_KEYS.index(group)
        card = int(self.position.proposal[number])
        return None if card < 0 else tiles.LAW_KEYS[number][card]

    @property
    def starter(self) -> str:
        return COLOURS[self.position.starter]


def with_card(card: str, players: int = 3, **has) -> Table:
    """Blue has just played the card; `has` says what Blue has, on the common plantation, with nothing else."""
    board = {key: has.pop(key) for key in ("law", "market", "supply", "berths", "round_number") if key in has}
    table = Table(players).everybody(pesos=0, points=0, yard="")
    return table.lay(**board).seat("blue", **has).play(card)
