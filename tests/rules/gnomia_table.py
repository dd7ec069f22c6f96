"""A table of Gnomia in the middle of a game, as the tests of its rules lay it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from rules import load
from rules.game import Choose, Chosen, Face, Illegal, Move, Opened, Seat
from rules.gnomia import GRINCHEUX, HAND, Gnome, Hand, Phase, State

GNOMIA = load("gnomia")
G = GRINCHEUX


def table(
    fiesta: Face = 9,
    hands: Mapping[Seat, Hand] | None = None,
    *,
    seats: int = 3,
    pile: int = 20,
    **changes: Any,
) -> State:
    """A round in the middle of a game; everybody holds all gnomes unless said."""
    middle: State = replace(
        GNOMIA.start(seats),
        phase=Phase.BID,
        round=5,
        fiesta=fiesta,
        pile=tuple(range(100, 100 + pile)),
        hands=tuple((hands or {}).get(seat, HAND) for seat in range(seats)),
    )
    return replace(middle, **changes)


def play(state: State, *values: int) -> State:
    """The state after the asked seats, in order, have played gnomes of these ``values``."""
    request = GNOMIA.request(state)
    assert isinstance(request, Choose)
    moves = tuple((s, Gnome(value)) for s, value in zip(request.seats, values, strict=True))
    after: State = GNOMIA.apply(state, Chosen(moves))
    return after


def decide(state: State, move: Move) -> State:
    """The looker has chosen."""
    assert state.looker is not None
    after: State = GNOMIA.apply(state, Chosen(((state.looker, move),)))
    return after


def open_(state: State, *faces: Face) -> State:
    """The next fiestas of the pile are these."""
    after: State = GNOMIA.apply(state, Opened(tuple(zip(state.pile, faces, strict=False))))
    return after


def spent(state: State, seat: Seat) -> set[int]:
    """The gnomes that ``seat`` has discarded."""
    return set(HAND) - set(state.hands[seat])


def code_of(state: State, seat: Seat, move: Move) -> str:
    """Why ``seat`` may not make ``move``."""
    with pytest.raises(Illegal) as caught:
        GNOMIA.check(state, seat, move)
    return caught.value.code
