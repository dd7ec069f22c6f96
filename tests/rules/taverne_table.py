"""A table of Taverne in the middle of a game, as the tests of its rules lay it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from rules import load
from rules.game import Choose, Chosen, Illegal, Move, Seat
from rules.taverne import NONE, Phase, State, Stones

TAVERNE = load("taverne")
R, B, Y, W = (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)


def table(
    tiles: Mapping[Seat, Stones] | None = None,
    mushrooms: Mapping[int, Stones] | None = None,
    *,
    seats: int = 4,
    **changes: Any,
) -> State:
    """A turn in the middle of a game; each mushroom holds a red and a blue unless said."""
    middle: State = replace(
        TAVERNE.start(seats),
        phase=Phase.POINT,
        turn=5,
        distributor=0,
        bag=tuple(range(100, 130)),
        mushrooms=tuple((mushrooms or {}).get(at, (1, 1, 0, 0)) for at in range(seats - 1)),
        tiles=tuple((tiles or {}).get(seat, NONE) for seat in range(seats)),
    )
    return replace(middle, **changes)


def turn(state: State, *moves: Move) -> State:
    """The state after the active seats, in order, have chosen ``moves``."""
    request = TAVERNE.request(state)
    assert isinstance(request, Choose)
    after: State = TAVERNE.apply(state, Chosen(tuple(zip(request.seats, moves, strict=True))))
    return after


def code_of(state: State, seat: Seat, move: Move) -> str:
    """Why ``seat`` may not make ``move``."""
    with pytest.raises(Illegal) as caught:
        TAVERNE.check(state, seat, move)
    return caught.value.code
