"""The bodies of the deck's messages: byte strings of one exact length, cut into their fields.

Whatever a seat sends instead of such a string ends in ``Fault("bad-body")``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from net.deck.group import Cipher, Claim, Group, Point
from net.deck.pack import Lot
from net.rounds import Fault


def sized(body: Any, size: int) -> bytes:
    """``body``, if it is a byte string of ``size`` bytes."""
    if not isinstance(body, bytes) or len(body) != size:
        raise Fault("bad-body")
    return body


def cut(body: Any, lots: Sequence[Lot], each: int, proof: int) -> list[bytes]:
    """The part of ``body`` for each lot: ``each`` bytes a slot, then a proof."""
    sizes = [len(lot.slots) * each + proof for lot in lots]
    raw = sized(body, sum(sizes))
    return [raw[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))]


def claims(group: Group, raw: bytes) -> tuple[Claim, ...]:
    """``raw`` as claimed points, one after the other."""
    size = group.point_size
    return tuple(Claim(raw[at : at + size]) for at in range(0, len(raw), size))


def ciphers(points: Sequence[Point]) -> tuple[Cipher, ...]:
    """``points`` as ciphertexts, two each."""
    return tuple(Cipher(*pair) for pair in zip(points[::2], points[1::2], strict=True))


def points(deck: Sequence[Cipher]) -> list[Point]:
    """The points of all ciphertexts in ``deck``, in order."""
    return [point for cipher in deck for point in cipher]
