"""The vocabulary of a game: requests, events, slots, sight. Read this file first.

A game is a pure machine. It holds a *state* (only what everybody may know), says through one
*request* at a time what it needs next from the table, and is told through one *event* what
happened. Same events, same states, on every machine, for ever: no I/O, no clock, no randomness,
no names of players. Whoever plays it (an open deck in one process, peers with a sealed deck across
a network, a file) runs this loop and no other::

    state = game.start(seats)
    while not isinstance(request := game.request(state), Over):
        state = game.apply(state, serve(request))

=============== ===================================================== ==================
request         what the table does                                   event
=============== ===================================================== ==================
``Shuffle``     puts faces into an order that nobody knows            ``Shuffled``
``Deal``        lets one seat, alone, see some slots                  ``Dealt``
``Open``        turns slots face up for everybody                     ``Opened``
``Choose``      asks seats for one move each (secret: all at once)    ``Chosen``
``Over``        nothing: the game has ended                           (none)
=============== ===================================================== ==================

Everything hidden is a **slot**: a sealed token with a number and no face. What a seat has seen is
its **sight**. The state never holds a face that somebody may not see, so every seat holds the same
state and two seats can compare its hash.

States and moves are frozen, slotted dataclasses built of ``int``, ``bool``, ``str``, ``None``,
tuples, enums and other such dataclasses; ``rules/form.py`` turns any of them into one line of text
or a plain structure of lists and back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

Seat: TypeAlias = int
"""A place at the table, 0 to seats - 1. Who sits there is none of the rules' business."""

Slot: TypeAlias = int
"""A sealed token. Numbers are given by the table at each shuffle, never twice in a game."""

Face: TypeAlias = int
"""What a token shows when it is turned up, as a small code of the game's own."""

Sight: TypeAlias = Mapping[Slot, Face]
"""The faces that one seat has seen, its own private looks included."""

State: TypeAlias = Any
"""A game's public state: a frozen dataclass of the game's own."""

Move: TypeAlias = Any
"""One seat's choice: a frozen dataclass of the game's own."""


# Requests: what a game needs next.


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Seal these faces in an order that nobody knows. Faces may repeat."""

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """Let seat ``to``, and nobody else, see the faces of ``slots``."""

    slots: tuple[Slot, ...]
    to: Seat


@dataclass(frozen=True, slots=True)
class Open:
    """Turn ``slots`` face up for everybody."""

    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """Ask each of ``seats`` for one move.

    With ``secret``, nobody learns a move before every one is made; without it there is exactly one
    seat, which plays in the open.
    """

    seats: tuple[Seat, ...]
    secret: bool


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended with this result; nothing more is needed."""

    result: Result


Request: TypeAlias = Shuffle | Deal | Open | Choose | Over


# Events: what the table did about a request.


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The faces of a ``Shuffle`` are sealed; ``slots`` lists them from the top."""

    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """Seat ``to`` has seen ``slots``."""

    slots: tuple[Slot, ...]
    to: Seat


@dataclass(frozen=True, slots=True)
class Opened:
    """``faces`` pairs each opened slot with its face, in the order asked for."""

    faces: tuple[tuple[Slot, Face], ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """``moves`` pairs each seat asked with its move, in the order of seats."""

    moves: tuple[tuple[Seat, Move], ...]


Event: TypeAlias = Shuffled | Dealt | Opened | Chosen


# Results and stories: numbers and codes; the screens put them into words.


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: ``count`` things of the kind ``code`` are worth ``points`` in all."""

    code: str
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """One seat's score taken apart. ``rank`` starts at 1; tied seats share a rank."""

    seat: Seat
    total: int
    rank: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of all seats, in the order of seats."""

    scores: tuple[Score, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1: several when they share the victory."""
        return tuple(score.seat for score in self.scores if score.rank == 1)


@dataclass(frozen=True, slots=True)
class Tale:
    """Something that happened, as a ``code`` and its ``facts``; each game documents its codes."""

    code: str
    facts: tuple[int | tuple[int, ...], ...] = ()


# Errors: a code for programs, details for the log; the screens have the sentence.


class RuleError(Exception):
    """Base of all that rules raise. ``code`` is stable; ``detail`` is for the log."""

    def __init__(self, code: str, detail: object = "") -> None:
        super().__init__(f"{code}: {detail}" if detail != "" else code)
        self.code = code
        self.detail = detail


class Malformed(RuleError):
    """Text or bytes that are no value of the wanted type at all."""


class Illegal(RuleError):
    """A well-formed move that this seat may not make now; ``code`` says why."""


class Mismatch(RuleError):
    """An event that does not answer the state's request."""


class Foul(RuleError):
    """An opened face shows that ``seat`` broke the rules in an earlier move."""

    def __init__(self, seat: Seat, code: str, detail: object = "") -> None:
        super().__init__(code, detail)
        self.seat = seat


class Game(Protocol):
    """What each module of ``rules/`` offers as its constant ``GAME``.

    Every method is a pure function. A method that is given a value which did not come from this
    game raises a ``RuleError`` and never anything else.
    """

    @property
    def name(self) -> str:
        """Code name, ``[a-z]+``: the module's own name, part of the charter."""

    @property
    def version(self) -> int:
        """Goes up when, and only when, the same events would lead to another state."""

    @property
    def deck(self) -> str:
        """The cards as text, part of the charter; empty for the cards that come with the game."""

    @property
    def seats(self) -> range:
        """The numbers of seats this game can be played with."""

    @property
    def state_type(self) -> type:
        """The dataclass of this game's states."""

    @property
    def move_types(self) -> tuple[type, ...]:
        """The dataclasses of this game's moves; their names are part of the wire form."""

    def start(self, seats: int) -> State:
        """The state before anything happened; ``Illegal("seats")`` if ``seats`` is out of range."""

    def request(self, state: State) -> Request:
        """What is needed next. Cheap: it is asked often."""

    def apply(self, state: State, event: Event) -> State:
        """The state after ``event``.

        Raises ``Mismatch`` if the event does not answer ``request(state)``, ``Illegal`` if a move
        in it is not allowed, ``Foul`` if a face in it convicts a seat. ``state`` is untouched.
        """

    def moves(self, state: State, seat: Seat, sight: Sight) -> tuple[Move, ...]:
        """The legal moves of ``seat`` as that seat knows them, without repeats, in a fixed order.

        Never empty for a seat that is asked to choose; empty for everybody else.
        """

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """Raise ``Illegal``, with the reason as its code, unless ``move`` may be made.

        Judges by public state alone: a move that only a hidden face makes illegal passes here and
        is found out by ``Foul`` when the face is opened.
        """

    def default(self, state: State, seat: Seat) -> Move:
        """The move of a seat that sealed its move and then did not open it.

        A function of public state alone, and the poorest move, so that nobody gains by falling
        silent after having seen the others' moves.
        """

    def absent(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """The moves of which one is drawn by lot for a seat that is absent, in a fixed order.

        A function of public state alone: each is legal whatever the faces that are hidden, so that
        none can convict the seat. Never empty for a seat that is asked to choose; empty for
        everybody else.
        """

    def redealt(self, state: State) -> State:
        """The state after every slot that was not open was given a new face.

        Within each shuffle, the faces that are still hidden have changed places, and whoever had
        seen a slot has been shown its new face. What was said or done on the strength of an old
        face that has not been opened is undone: no new face may convict a seat that was honest.
        What is undone already stays as it is: ``redealt(redealt(state)) == redealt(state)``.
        """

    def round(self, state: State) -> int:
        """Which round, or turn, is being played, as the players of this game count; 0 before it.

        Never goes down, and goes up by one at a time.
        """

    def advise(self, state: State, seat: Seat, sight: Sight) -> tuple[tuple[Move, int], ...]:
        """Sensible moves with positive weights, as a good player who hides intentions mixes them.

        Knows what ``moves`` knows and no more. Bots draw from it.
        """

    def write(self, move: Move) -> str:
        """The short text a player types for ``move``, as in ``"3"`` or ``"protect"``."""

    def read(self, text: str) -> Move:
        """The move for a text as ``write`` makes it, or one of its longer forms.

        Raises ``Malformed("move-text")`` for any other text. ``read(write(move)) == move``.
        """

    def tell(self, state: State, event: Event) -> tuple[Tale, ...]:
        """What ``event`` did to ``state``, for a history a player can follow."""
