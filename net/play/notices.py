"""What a table tells whoever is looking: codes and values, never sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rules.game import Event, Result, Seat, State


@dataclass(frozen=True, slots=True)
class Happened:
    """The table served a request: the game went from ``before`` to ``after``."""

    before: State
    event: Event
    after: State


@dataclass(frozen=True, slots=True)
class Contributed:
    """``seat`` has done its part of the open step; what it is worth is not said."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Progress:
    """Long work goes on: ``done`` of ``total`` parts of the work called ``code`` are finished.

    Codes: ``"seal"`` (making our shuffle), ``"proof"`` (checking the others' proofs), and others
    for work too short to be worth a word.
    """

    code: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Blamed:
    """``seat`` is convicted by its own signed messages of ``code``; the table stops.

    The number after the last seat's is the referee.
    """

    seat: Seat
    code: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over and every seat has signed this result."""

    result: Result


@dataclass(frozen=True, slots=True)
class Link:
    """The way to the broker is open (``up``), or lost and being tried again."""

    up: bool


@dataclass(frozen=True, slots=True)
class Away:
    """These ``seats`` have not been heard for a while; the table waits for them."""

    seats: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class Ruled:
    """The ``members`` (the referee may be one) were ruled absent: the table goes on without them.

    ``me`` says whether we are one of them.
    """

    members: frozenset[Seat]
    me: bool


@dataclass(frozen=True, slots=True)
class Returned:
    """These ``members`` are back: they are waited for again."""

    members: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class DealtAnew:
    """The hidden cards have been dealt anew without somebody, or with somebody who is back."""

    before: State
    after: State


Past: TypeAlias = Happened | DealtAnew | Ruled | Returned
"""What belongs to the story of a game, for whoever comes to the table later."""


@dataclass(frozen=True, slots=True)
class Rewound:
    """What we had seen last was without the others: ``past`` is what has really happened."""

    past: tuple[Past, ...]


Notice: TypeAlias = (
    Happened
    | Contributed
    | Progress
    | Blamed
    | Ended
    | Link
    | Away
    | Ruled
    | Returned
    | DealtAnew
    | Rewound
)
