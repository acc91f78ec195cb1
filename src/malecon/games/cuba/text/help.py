"""The glossary of Cuba: every name with one sentence of explanation, for help texts and tooltips.

Things are explained by their records, so that a corrected number corrects its explanation too. Phases, sources,
criteria and options, which are not on the board, are in `outline`.
"""

from __future__ import annotations

from functools import cache

from malecon.games.cuba import names, tiles
from malecon.games.cuba.text import outline
from malecon.games.cuba.text.fields import gain_of
from malecon.kernel.common.records import fill_gaps
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.text.game_text import Glossary, GlossaryEntry
from malecon.text.lists import listed


@cache
def glossary() -> Glossary:
    laws = {group.key: _laws(group) for group in tiles.GROUPS}
    return {
        "characters": _characters(),
        "buildings": _buildings(),
        "goods": _goods(),
        "fields": _fields(),
        "berths": _berths(),
        "groups": _groups(),
        **laws,
        "phases": outline.phases(),
        "sources": outline.sources(),
        "criteria": outline.criteria(),
        "options": outline.options(),
        "plantations": outline.plantations(),
    }


def _characters() -> dict[str, GlossaryEntry]:
    def text(character: tiles.Character) -> Phrase:
        first, second, *_ = character.rewards or (0, 0)
        service = fill_gaps(character.help, crops=tiles.FREE_CROP_FIELDS, first=first, second=second)
        return say("{service} In parliament: {votes}.", service=service, votes=names.votes(character.votes))

    return {character.key: GlossaryEntry(character.name, text(character)) for character in tiles.CHARACTERS}


def _buildings() -> dict[str, GlossaryEntry]:
    def use(number: int, building: tiles.Building) -> Phrase:
        gaps: dict[str, Name | int] = {"most": building.times, "votes": names.votes(building.votes)}
        if building.points or building.pesos or building.good:
            gaps["gain"] = gain_of(number, building.times)
            gaps["points"] = gaps["pesos"] = gain_of(number, 1)
        if building.takes:
            gaps["goods"] = names.goods(tiles.GOOD_KEYS.index(building.takes[0]), building.times)
        return fill_gaps(building.help, **gaps)

    def cost(building: tiles.Building) -> Name:
        materials = enumerate(building.cost, tiles.WOOD)
        return listed([names.goods(material, count) for material, count in materials if count])

    return {
        building.key: GlossaryEntry(
            building.name, say("{use} Costs {cost}.", use=use(number, building), cost=cost(building))
        )
        for number, building in enumerate(tiles.BUILDINGS)
    }


def _goods() -> dict[str, GlossaryEntry]:
    return {good.key: GlossaryEntry(good.names.bare, good.help) for good in tiles.GOODS}


def _fields() -> dict[str, GlossaryEntry]:
    def text(kind: tiles.FieldKind) -> Phrase:
        if not kind.good:
            return kind.help
        return fill_gaps(kind.help, gain=names.goods(tiles.GOOD_KEYS.index(kind.good), 1))

    return {kind.key: GlossaryEntry(kind.name, text(kind)) for kind in tiles.FIELD_KINDS}


def _berths() -> dict[str, GlossaryEntry]:
    """From berth 3 to the high seas, as the ships lie."""
    entries = {
        str(berth): GlossaryEntry(
            Phrase("Berth {berth}", {"berth": berth}, context="berth"),
            say("Each good loaded here is worth {points}.", points=names.points(berth)),
        )
        for berth in range(tiles.BERTHS, 0, -1)
    }
    at_sea = GlossaryEntry(
        Phrase("High seas", context="berth"),
        say("This ship cannot be loaded yet; it is the next to enter the harbour."),
    )
    return entries | {str(tiles.HIGH_SEA): at_sea}


def _groups() -> dict[str, GlossaryEntry]:
    return {
        group.key: GlossaryEntry(
            group.title,
            fill_gaps(group.help, points=names.points(group.points), extra=names.points(tiles.BOTH_POINTS)),
        )
        for group in tiles.GROUPS
    }


def _laws(group: tiles.LawGroup) -> dict[str, GlossaryEntry]:
    def text(law: tiles.Law) -> Phrase:
        gaps: dict[str, Name | int] = {
            "gain": names.points(group.points),
            "cost": names.pesos(law.pesos),
            "pesos": names.pesos(law.pesos),
            "points": names.points(law.most),
            "units": law.units,
        }
        if law.goods:
            gaps["cost"] = names.goods(tiles.GOOD_KEYS.index(law.goods[0]), law.units)
        return fill_gaps(law.help, **gaps)

    return {law.key: GlossaryEntry(law.name, text(law)) for law in group.laws}
