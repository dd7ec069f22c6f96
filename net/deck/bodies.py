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


def cut(body: Any, lots: Sequence[Lot], each: int, proof: int) -> list[tuple[Lot, bytes, bytes]]:
    """Each lot with its part of ``body``: ``each`` bytes a token, then ``proof`` bytes."""
    raw = sized(body, sum(len(lot.tokens) * each + proof for lot in lots))
    parts, at = list[tuple[Lot, bytes, bytes]](), 0
    for lot in lots:
        middle = at + len(lot.tokens) * each
        parts.append((lot, raw[at:middle], raw[middle : middle + proof]))
        at = middle + proof
    return parts


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
