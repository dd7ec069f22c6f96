"""Gobelin des bois: thirty cards, and seats that are alike but for who begins."""

from __future__ import annotations

from dataclasses import replace

from rules.game import Seat
from rules.gobelin import CARDS, Keep, Pick, Play, Show, State, Stop
from tests.rules.kit import House, moved_on


def cards(state: State) -> object:
    """All cards: 30 from the moment they are laid out (and none before)."""
    held = sum(map(len, (*state.hands, *state.treasures)))
    lying = (state.aside, state.deck, state.trail, state.removed)
    return held + sum(map(len, lying)) or CARDS


def turned(state: State) -> State:
    """Every seat one further on; what lies between them stays."""

    def on(seat: Seat) -> Seat:
        return (seat + 1) % state.seats

    return replace(
        state,
        wins=moved_on(state.wins),
        first=None if state.first is None else on(state.first),
        turn=None if state.turn is None else on(state.turn),
        hands=moved_on(state.hands),
        treasures=moved_on(state.treasures),
        playing=moved_on(state.playing),
        looks=tuple(replace(look, seat=on(look.seat)) for look in state.looks),
        claims=tuple(replace(claim, seat=on(claim.seat)) for claim in state.claims),
    )


def moved(state: State, move: object) -> Play | Show | Stop | Pick | Keep:
    """The same move at the turned table."""
    if isinstance(move, Pick):
        return Pick((move.seat + 1) % state.seats, move.index)
    assert isinstance(move, Play | Show | Stop | Keep)
    return move


HOUSE = House(cards, turned, moved)
