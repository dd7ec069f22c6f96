"""The pieces of Gnomia: gnomes and their veinards, fiestas, phases, moves, the state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from rules.game import Face, Seat, Slot

SEATS: Final = range(2, 6)

VALUES: Final = tuple(range(10, 101, 10))
"""The numbered gnomes of each colour. Seat 0 plays red, then yellow, blue, purple and grey."""
GRINCHEUX: Final = 0
"""The eleventh gnome of each colour, in place of a value."""

Hand: TypeAlias = tuple[int, ...]
"""Gnomes a seat still holds: values from low to high, then ``GRINCHEUX``. Known to everybody."""

HAND: Final[Hand] = (*VALUES, GRINCHEUX)

BROTHER: Final[Face] = 0
"""The face of P'tit frère. A numbered fiesta's face is its value, 1 to 15."""
HIGHEST: Final = 15
ZOZO: Final[Face] = 16
FACES: Final = 17

FIESTAS: Final[tuple[Face, ...]] = (
    BROTHER,
    *(value for value in range(1, 11) for _ in range(4)),
    *range(11, HIGHEST + 1),
    *(ZOZO,) * 7,
)
"""The 53 fiestas (published game; our French rules give only their number)."""

ONE_GRINCHEUX: Final = 1
"""How many Grincheux must be played for one to look at the pile: exactly so many (published)."""


def veinards(seat: Seat, value: int) -> int:
    """How many veinards, 1 to 5, are on a numbered gnome: they decide between equal values.

    Ours, since the printed table is lost. At each value the colours carry 1 to 5 once each, so no
    tie survives, and every colour carries 30 in all.
    """
    index = value // 10 - 1
    place = (seat + 2 * index) % 5
    return place + 1 if index < 5 else 5 - place


class Phase(IntEnum):
    """What is being done now."""

    PILE = 0
    """The fiestas are shuffled."""
    TURN = 1
    """The next fiesta is turned face up."""
    BID = 2
    """All who can play choose a gnome, in secret and all at once."""
    LOOK = 3
    """The only Grincheux looks at the next fiesta, alone."""
    DECIDE = 4
    """He takes it or gives it away."""
    SHOW = 5
    """What he took or gave is turned face up."""
    DRAW = 6
    """The last seat with gnomes draws as many fiestas."""
    OVER = 7


@dataclass(frozen=True, slots=True)
class Gnome:
    """Play the gnome of this ``value``: 10 to 100, or ``GRINCHEUX``."""

    value: int


@dataclass(frozen=True, slots=True)
class Take:
    """Having looked: take the fiesta. Grincheux is lost by it, unless it is a Zozo."""


@dataclass(frozen=True, slots=True)
class Give:
    """Having looked: give the fiesta, which is no Zozo, to ``seat``, and keep Grincheux."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class State:
    """All that everybody may know; fiestas in the pile are slots without faces."""

    seats: int
    phase: Phase
    round: int
    """The round being played, from 1: one more with each fiesta turned; 0 before the first."""
    pile: tuple[Slot, ...]
    """Unopened fiestas, from the top."""
    fiesta: Face | None
    """The fiesta that is played for, in ``BID``."""
    hands: tuple[Hand, ...]
    won: tuple[tuple[Face, ...], ...]
    """Each seat's fiestas, in the order they came."""
    gone: tuple[Face, ...]
    """Fiestas that nobody won."""
    looker: Seat | None
    """Who looks at the pile, from ``LOOK`` to ``SHOW``."""
    taker: Seat | None
    """Who gets what was looked at, in ``SHOW``: the looker too."""
