"""The pieces of La Taverne des Hobbits: stones, phases, moves, the state, and their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from rules.game import Seat, Slot


class Stone(IntEnum):
    """The kinds of life stones; also the codes of their faces."""

    RED = 0
    BLUE = 1
    YELLOW = 2
    WHITE = 3


Stones: TypeAlias = tuple[int, int, int, int]
"""How many red, blue, yellow and white stones lie together."""

NONE: Final[Stones] = (0, 0, 0, 0)

SEATS: Final = range(3, 7)
BAG: Final[Stones] = (18, 18, 18, 6)
"""The stones of the game, 60 in all (published game; the picture in our French rules is lost)."""

SET_POINTS: Final = 5
WHITE_POINTS: Final = 2
SINGLE_POINTS: Final = 1
ON_EMPTY: Final = 2
"""Stones put on an empty mushroom at each refill."""
ON_OTHERS: Final = 1
"""Stones put on each other mushroom at each refill (published game)."""


class Phase(IntEnum):
    """What is being done now."""

    LOTS = 0
    """Lots are shuffled to draw the distributor."""
    DRAW = 1
    """The first lot is opened: its face is the distributor's seat."""
    FILL = 2
    """The stones go into the bag."""
    REFILL = 3
    """Stones are drawn onto the mushrooms."""
    POINT = 4
    """Everybody points, in secret and all at once."""
    SERVE = 5
    """The bag is short: the distributor says in which order mushrooms are served."""
    OVER = 6


@dataclass(frozen=True, slots=True)
class Mushroom:
    """Point at mushroom ``index``, counted from 0."""

    index: int


@dataclass(frozen=True, slots=True)
class Character:
    """Point at the tile of another ``seat``, to steal its stones."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Protect:
    """Cover one's own tile: its stones are safe for good, and one rests next turn."""


@dataclass(frozen=True, slots=True)
class Serve:
    """The distributor's ``order`` of all mushrooms (from 0) for the last, short refill."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """All that there is to know; stones in the bag are slots without faces."""

    seats: int
    phase: Phase
    turn: int
    """The turn being played, from 1; 0 before the first."""
    distributor: Seat | None
    lots: tuple[Slot, ...]
    """Sealed lots, while the distributor is drawn."""
    bag: tuple[Slot, ...]
    """Unopened stones, from the top."""
    order: tuple[int, ...]
    """The order in which the next refill serves the mushrooms."""
    mushrooms: tuple[Stones, ...]
    tiles: tuple[Stones, ...]
    """On each seat's character: these can be stolen."""
    safe: tuple[Stones, ...]
    """Each seat's protected stones."""
    resting: tuple[bool, ...]
    """Who sits out this turn."""
    last: bool
    """This turn is the last."""
