"""How the parts of the protocol say what they need: rounds of signed messages, and local work.

A part of the protocol (a secret choice, a shuffle, an opening) is a generator. It yields a
``Round``, is resumed with every seat's checked contribution to it, yields the next, and returns its
outcome. The table (``net/play/table.py``) runs these generators and knows nothing of what is
inside; the generators read like the protocol's description and know nothing of messages, order or
loss::

    def toss(...) -> Script[bytes]:
        hashes = yield Round("toss", seats, make=..., check=...)
        seeds = yield Round("seed", seats, make=..., check=...)
        return digest(b"...", *seeds.values())

Long work (making or verifying a shuffle proof) is a ``Job``: a pure function that the peer runs in
a thread. A script yields ``Start`` to begin some, and a ``Gate`` where it must not go on before
they have succeeded.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from net.play.digest import digest, number
from rules.game import Move, Seat

T = TypeVar("T")


class Fault(Exception):
    """A signed message that no honest seat would have sent: it convicts its sender.

    ``code`` is stable and part of every verdict; ``detail`` is for the log.
    """

    def __init__(self, code: str, detail: object = "") -> None:
        super().__init__(f"{code}: {detail}" if detail != "" else code)
        self.code = code
        self.detail = detail


class Void(Exception):
    """The game cannot go on although nobody can be convicted: it is void. ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Here:
    """The place in a game that a contribution belongs to.

    ``table`` is the table's id, ``prev`` the hash of the transcript before this ``step``: together
    they name everything that has happened, so what is hashed with them cannot be used elsewhere.
    """

    table: bytes
    step: int
    prev: bytes

    def context(self, seat: Seat) -> bytes:
        """32 bytes that stand for this place and ``seat`` in every hash and every proof."""
        return digest(b"farfadet place", self.table, number(self.step), self.prev, number(seat))


@dataclass(frozen=True, eq=False, slots=True)
class Job:
    """Long work without side effects, to be run in a thread.

    For showing progress, ``name`` is a code for the work and ``of`` how many jobs of that name it
    consists of.
    """

    name: str
    run: Callable[[], Any]
    of: int = 1


@dataclass(frozen=True, slots=True)
class Round:
    """One step of the table: each of ``seats`` owes one message of this ``kind``.

    ``make`` gives our own contribution, or a ``Job`` that gives it. Where it is the player's to
    make, ``make`` is ``None`` and ``answer`` turns the player's move into the contribution.
    ``check`` is cheap (a millisecond); it returns the parsed contribution or raises ``Fault``.
    Bodies are what ``net/play/wire.py`` carries: integers, byte strings, short text, lists of
    these. With ``once``, ``make`` might give something else after a restart: what it gave is on
    disk before it is sent. Otherwise it must give the same again.
    """

    kind: str
    seats: tuple[Seat, ...]
    make: Callable[[Here], Any] | None
    check: Callable[[Here, Seat, Any], Any]
    answer: Callable[[Here, Move], Any] | None = None
    once: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """Begin these jobs and go on at once (the script is resumed with no contributions)."""

    jobs: tuple[tuple[Seat, Job], ...]


@dataclass(frozen=True, slots=True)
class Gate:
    """Go on only when each job has succeeded, whether it was begun by a ``Start`` or not yet.

    A job belongs to the seat whose contribution it checks: if it raises ``Fault``, wherever it was
    begun, it convicts that seat.
    """

    jobs: tuple[tuple[Seat, Job], ...]


@dataclass(frozen=True, slots=True)
class Present:
    """Ask who is at the table: the script is resumed with a mapping whose keys are these seats."""


@dataclass(frozen=True, slots=True)
class Absent:
    """Stands in a round for the contribution of a seat that the others have ruled absent.

    ``draw`` is 32 bytes that follow from everything said up to and in this round: a move can be
    drawn from them that nobody could foresee before the round's last message.
    """

    draw: bytes


class Redealt(Exception):
    """Every slot that was not open has got a new face, dealt again to whoever had seen it.

    Leaves the script that served a request, which is thereby not served; the game says what has
    become of what was done on the strength of the old faces (``Game.redealt``).
    """


Contributions: TypeAlias = Mapping[Seat, Any]
"""What ``check`` returned, or ``Absent``, for each seat of a round, in order; otherwise ``{}``."""

Ask: TypeAlias = Round | Start | Gate | Present

Script: TypeAlias = Generator[Ask, Contributions, T]
"""A part of the protocol; returns its outcome."""
