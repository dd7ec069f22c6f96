"""The bodies of the deck's messages: byte strings of one exact length, cut into their fields.

Whatever a seat sends instead of such a string ends in ``Fault("bad-body")``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from net.deck.group import Cipher, Claim, Group, Point
from net.play.rounds import Fault


def sized(body: Any, size: int) -> bytes:
    """``body``, if it is a byte string of ``size`` bytes."""
    if not isinstance(body, bytes) or len(body) != size:
        raise Fault("bad-body")
    return body


def split(raw: bytes, size: int) -> list[bytes]:
    """``raw`` in parts of ``size`` bytes."""
    return [raw[at : at + size] for at in range(0, len(raw), size)]


def cut(body: Any, counts: Sequence[int], each: int, proof: int) -> list[tuple[bytes, bytes]]:
    """A part of ``body`` for each of ``counts``: so many times ``each`` bytes, then a proof's."""
    raw = sized(body, sum(count * each + proof for count in counts))
    parts, at = list[tuple[bytes, bytes]](), 0
    for count in counts:
        middle = at + count * each
        parts.append((raw[at:middle], raw[middle : middle + proof]))
        at = middle + proof
    return parts


def claims(group: Group, raw: bytes) -> tuple[Claim, ...]:
    """``raw`` as claimed points, one after the other."""
    return tuple(map(Claim, split(raw, group.point_size)))


def ciphers(points: Sequence[Point]) -> tuple[Cipher, ...]:
    """``points`` as ciphertexts, two each."""
    return tuple(Cipher(*pair) for pair in zip(points[::2], points[1::2], strict=True))


def points(deck: Sequence[Cipher]) -> list[Point]:
    """The points of all ciphertexts in ``deck``, in order."""
    return [point for cipher in deck for point in cipher]
