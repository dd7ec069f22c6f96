"""Checking that an event answers a request, for every game: values in, or ``Mismatch``."""

from __future__ import annotations

from rules.game import Chosen, Dealt, Event, Face, Mismatch, Move, Opened, Seat, Shuffled, Slot


def is_int(value: object, start: int, stop: int) -> bool:
    """Whether ``value`` is an integer, and no bool, of ``range(start, stop)``."""
    return type(value) is int and start <= value < stop


def shuffled(event: Event, count: int) -> tuple[Slot, ...]:
    """The ``count`` different slots of a ``Shuffled``."""
    if type(event) is not Shuffled or type(event.slots) is not tuple or len(event.slots) != count:
        raise Mismatch("not-shuffled")
    if any(type(slot) is not int for slot in event.slots) or len(set(event.slots)) != count:
        raise Mismatch("slots")
    return event.slots


def dealt(event: Event, slots: tuple[Slot, ...], to: Seat) -> None:
    """Raise unless this is a ``Dealt`` of exactly ``slots`` to seat ``to``."""
    if type(event) is not Dealt or event != Dealt(slots, to):
        raise Mismatch("not-dealt")


def opened(event: Event, slots: tuple[Slot, ...], faces: int) -> list[Face]:
    """The faces, each below ``faces``, of an ``Opened`` of exactly ``slots``."""
    if type(event) is not Opened or type(event.faces) is not tuple:
        raise Mismatch("not-opened")
    if len(event.faces) != len(slots):
        raise Mismatch("slots")
    found = []
    for pair, slot in zip(event.faces, slots, strict=True):
        if type(pair) is not tuple or len(pair) != 2 or not is_int(pair[0], slot, slot + 1):
            raise Mismatch("slots")
        if not is_int(pair[1], 0, faces):
            raise Mismatch("faces")
        found.append(pair[1])
    return found


def chosen(event: Event, seats: tuple[Seat, ...]) -> tuple[tuple[Seat, Move], ...]:
    """The moves, not yet judged, of a ``Chosen`` of exactly ``seats``."""
    if type(event) is not Chosen or type(event.moves) is not tuple:
        raise Mismatch("not-chosen")
    if len(event.moves) != len(seats):
        raise Mismatch("seats")
    for pair, seat in zip(event.moves, seats, strict=True):
        if type(pair) is not tuple or len(pair) != 2 or not is_int(pair[0], seat, seat + 1):
            raise Mismatch("seats")
    return event.moves
