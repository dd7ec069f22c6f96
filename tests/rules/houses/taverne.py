"""La Taverne des Hobbits: sixty stones, and seats that are all alike."""

from __future__ import annotations

from dataclasses import replace

from rules.taverne import Character, Mushroom, Protect, Serve, State
from tests.rules.kit import House, moved_on


def stones(state: State) -> object:
    """All stones: 60 from the moment they are in the bag (and none before)."""
    lying = (*state.mushrooms, *state.tiles, *state.safe)
    return len(state.bag) + sum(map(sum, lying)) or 60


def turned(state: State) -> State:
    """Every seat one further on; mushrooms stay."""
    named = state.distributor
    return replace(
        state,
        distributor=None if named is None else (named + 1) % state.seats,
        tiles=moved_on(state.tiles),
        safe=moved_on(state.safe),
        resting=moved_on(state.resting),
    )


def moved(state: State, move: object) -> Mushroom | Character | Protect | Serve:
    """The same move at the turned table."""
    if isinstance(move, Character):
        return Character((move.seat + 1) % state.seats)
    assert isinstance(move, Mushroom | Protect | Serve)
    return move


HOUSE = House(stones, turned, moved)
