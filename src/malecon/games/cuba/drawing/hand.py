"""The five characters in hand, and what can be had instead of their work, under black markers once it is taken."""

from __future__ import annotations

from malecon.drawing.board_parts import Box, back, fitted
from malecon.drawing.pictures import game_picture
from malecon.drawing.scene import BoardScene, frame, halo
from malecon.drawing.svg import circle, group, label, memoised, path, rect
from malecon.drawing.symbols import row, row_width, symbol_at
from malecon.games.cuba import GAME, arrays, names, tiles
from malecon.games.cuba.drawing.buildings import named
from malecon.games.cuba.drawing.layout import ALTERNATIVES, Layout
from malecon.games.cuba.drawing.plantation import shown_seat
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.text import translate

#: What each character does, in symbols.
DEEDS: dict[str, tuple[str, ...]] = {
    "worker": ("+", "material", "crop"),
    "merchant": ("peso", "swap", "any"),
    "architect": ("material", "arrow", "use"),
    "foreman": ("use", "arrow", "any"),
    "mayor": ("any", "arrow", "ship"),
}
#: What is to be had once, in symbols, and whether it is taken.
Offer = tuple[tuple[str, ...], bool]


@memoised
def character_card(character: int, name: str, box: Box) -> str:
    """Draw a character's portrait, name, work and votes as a card."""
    key = tiles.CHARACTER_KEYS[character]
    portrait = game_picture(GAME.name, f"characters/{key}")
    picture = box.w * portrait.height / portrait.width
    tokens = DEEDS[key]
    size = min(18, 18 * (box.w - 6) / row_width(tokens, 18))
    text = 12 if box.w < 90 else 13
    x, y = box.x + box.w - 21, box.y + 12
    return (
        rect("shade", box.x + 2, box.y + 3, box.w, box.h, 6)
        + rect("paper", box.x, box.y, box.w, box.h, 6)
        + fitted(portrait, Box(box.x, box.y, box.w, picture))
        + label(name, box.middle, box.y + picture + (box.h - picture) * 0.34, text, room=box.w - 5)
        + row(tokens, box.middle, box.y + picture + (box.h - picture) * 0.71, size)
        + rect("plaster/line", x - 10, y - 10, 29, 17, 8, width=1.2)
        + label(str(tiles.CHARACTERS[character].votes), x - 2, y + 3, 13, colours="ink")
        + symbol_at("vote", x + 3, y - 8.5, 14)
        + frame(box.x, box.y, box.w, box.h, 6)
    )


def hand(scene: BoardScene, layout: Layout) -> str:
    """Draw the cards of the seat whose plantation lies on the board; played ones are turned down."""
    cards = [scene.part(held_card, layout.cards[card], card) for card in range(len(tiles.CHARACTER_KEYS))]
    return group("".join(cards) + scene.part(_alternatives, layout), id="cards")


def held_card(scene: BoardScene, box: Box, character: int) -> str:
    """Draw a card as its owner's seat has it: in hand, played, or laid down for parliament."""
    position, seat, key = scene.position, shown_seat(scene), tiles.CHARACTER_KEYS[character]
    name, spoken = named(scene, "characters", key)
    spoken += f" ({translate(names.votes(tiles.CHARACTERS[character].votes), scene.language)})"
    card = character_card(character, name, box)
    if position.played[seat] >> character & 1:
        card = back(name, box)
        spoken = translate(say("{card}: played.", card=name), scene.language)
    elif position.envoy[seat] == character:
        card = back(name, box) + circle("plaster/line", box.middle, box.y + 38, 17, 1.4)
        card += symbol_at("vote", box.middle - 12, box.y + 26, 24)
    glow = halo(box.x, box.y, box.w, box.h, 6)
    return scene.thing(f"card-{key}", card, spoken, glow, explained=f"characters/{key}")


# --- instead


def _alternatives(scene: BoardScene, layout: Layout) -> str:
    position = scene.position
    points, pesos = arrays.ARCHITECT_POINTS.tolist(), arrays.MAYOR_PESOS.tolist()
    materials = [names.good(good) for good in range(len(tiles.TRADE_GOODS), len(tiles.GOOD_KEYS))]
    cheapest = [names.good(tiles.CROPS.index(key)) for key in _cheapest(position)]
    offers: dict[str, tuple[list[Offer], list[Phrase]]] = {
        "material": ([(("+1", "material"), bool(position.material_picked))], materials),
        "crop": ([(("+1", *_cheapest(position)), bool(position.crop_picked))], cheapest),
        "architect": (
            [((f"+{n}", "point"), i < position.not_built) for i, n in enumerate(points) if n],
            [names.points(n) for n in points[position.not_built :]],
        ),
        "mayor": (
            [((f"+{n}", "peso"), i < position.not_shipped) for i, n in enumerate(pesos) if n],
            [names.pesos(n) for n in pesos[position.not_shipped :]],
        ),
    }
    return "".join(
        _alternative(scene, layout, key, box, *offers[key])
        for key, box in zip(ALTERNATIVES, layout.alternatives, strict=True)
    )


def _alternative(
    scene: BoardScene, layout: Layout, key: str, box: Box, offers: list[Offer], open_offers: list[Phrase]
) -> str:
    character = key if key in tiles.CHARACTER_KEYS else "merchant"
    card = scene.glossary["characters"][character]
    name = translate(card.name, scene.language)
    sign = rect("plaza/line", box.x, box.y, box.w, box.h, 6, width=1.2)
    if not layout.wide:
        sign += label(name, box.middle, box.y + 14, 11.5, room=box.w - 8)
    sign += "".join(
        _offer(place, *offer) for place, offer in zip(_places(layout, box, len(offers)), offers, strict=True)
    )
    spoken = f"{name}: {' / '.join(translate(offer, scene.language) for offer in open_offers)}"
    glow = halo(box.x, box.y, box.w, box.h, 6)
    return scene.thing(f"alternative-{key}", sign, spoken, glow, explained=f"characters/{character}")


def _cheapest(position: Position) -> tuple[str, ...]:
    """Return the crops whose price is the lowest now."""
    market = position.market[: len(tiles.CROPS)].tolist()
    return tuple(key for key, standing in zip(tiles.CROPS, market, strict=True) if standing == max(market))


def _places(layout: Layout, box: Box, count: int) -> list[Box]:
    if layout.wide:
        h = (box.h - 6) / count
        return [Box(box.x + 3, box.y + 3 + h * i, box.w - 6, h) for i in range(count)]
    w = (box.w - 6) / count
    return [Box(box.x + 3 + w * i, box.y + 17, w, box.h - 19) for i in range(count)]


def _offer(box: Box, tokens: tuple[str, ...], taken: bool) -> str:
    """Draw what is to be had once, or the black marker on it."""
    y = box.y + box.h / 2
    if not taken and len(tokens) > 2 and box.h > box.w:  # several crops at the lowest price
        places = [(box.middle + dx, y + dy) for dy in (-9, 9) for dx in (-8, 8)]
        return "".join(row((token,), *place, 15) for token, place in zip(tokens, places, strict=False))
    size = min(20, 20 * (box.w - 2) / row_width(tokens, 20))
    if not taken:
        return row(tokens, box.middle, y, size)
    x = box.middle
    return (
        path("shade", f"M{x - 6:.1f} {y + 11:.1f}l10 5 14-4-6-12Z")
        + path("ink/stone", f"M{x - 12:.1f} {y - 6:.1f}l12-6 12 6v12l-12 6-12-6Z", 1.2)
        + path("street", f"M{x - 12:.1f} {y - 6:.1f}l12-6 12 6-12 6Z")
    )
