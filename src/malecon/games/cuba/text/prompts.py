"""What Cuba asks of the one who acts, and what the others wait for, in every phase."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.cuba import names, tiles
from malecon.games.cuba.position import (
    BID,
    BUILD,
    CARD,
    CHOOSE_STARTER,
    DRAW_SHIP,
    ENACT,
    ENVOY,
    FIGURE,
    HARVEST,
    IRRIGATE,
    PAY_DUTY,
    PAY_TAX,
    PROPOSE,
    SECOND_BID,
    SHIP,
    SITE,
    START_CROPS,
    START_MATERIALS,
    TRADE,
    USE,
)
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, counted, say
from malecon.kernel.verbs import Position


def prompt_actor(position: Position, seats: Sequence[Name]) -> Phrase:
    phase = int(position.phase)
    if phase == HARVEST:
        return counted("Choose {n} crop", "Choose {n} crops", int(position.picks))
    if phase == SITE:
        return say("Choose a field for {building}", building=names.a_building(max(int(position.planned), 0)))
    if phase == SHIP and position.berth:
        return say("Load more {place}, or stop", place=names.place(int(position.berth)))
    if phase in (PAY_TAX, PAY_DUTY):
        group = tiles.TAX if phase == PAY_TAX else tiles.DUTY
        law = names.law(group, int(position.law[group]))
        return say("Pay, or give up the points ({law})", law=law)
    if phase in OWN:
        return OWN[phase]
    return prompt_others(position, seats)


def prompt_others(position: Position, seats: Sequence[Name]) -> Phrase:
    phase, who = int(position.phase), seats[max(int(position.actor), 0)]
    if phase in OTHERS:
        return OTHERS[phase].fill(who=who)
    if phase == DRAW_SHIP:
        return say("Ships are coming in")
    if phase == CHOOSE_STARTER:
        return say("The starting player is being drawn")
    if phase == PROPOSE:
        return say("New laws are being proposed")
    return say("The game is over")


OWN = {
    START_MATERIALS: say("Choose two materials to start with"),
    START_CROPS: say("Choose two crops to start with"),
    ENVOY: say("Choose the card for parliament; it stays face down until then"),
    CARD: say("Play a card"),
    FIGURE: say("Place your figure and harvest its row and column"),
    IRRIGATE: say("Harvest more for water, or keep the water"),
    TRADE: say("Buy and sell on the market, or take something for free"),
    BUILD: say("Choose a building, or build nothing"),
    USE: say("Use your buildings"),
    SHIP: say("Choose the ship to load, or deliver nothing"),
    BID: say("Bid in secret: each peso is a vote"),
    SECOND_BID: say("You are tied: bid again, in secret"),
    ENACT: say("You have won the vote: choose two laws"),
}
OTHERS = {
    START_MATERIALS: say("Waiting for {who} to choose materials"),
    START_CROPS: say("Waiting for {who} to choose crops"),
    ENVOY: say("Waiting for {who} to choose a card for parliament"),
    CARD: say("Waiting for {who} to play a card"),
    FIGURE: say("Waiting for {who} to place the figure"),
    HARVEST: say("Waiting for {who} to harvest"),
    IRRIGATE: say("Waiting for {who} to harvest"),
    TRADE: say("Waiting for {who} to trade"),
    BUILD: say("Waiting for {who} to build"),
    SITE: say("Waiting for {who} to build"),
    USE: say("Waiting for {who} to use buildings"),
    SHIP: say("Waiting for {who} to load a ship"),
    BID: say("Waiting for {who} to bid"),
    SECOND_BID: say("Waiting for {who} to bid again"),
    ENACT: say("Waiting for {who} to enact two laws"),
    PAY_TAX: say("Waiting for {who} to decide on the tax"),
    PAY_DUTY: say("Waiting for {who} to decide on the duty"),
}
