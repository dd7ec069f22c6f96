"""The group the sealed deck computes in: points, exponents, and the checks at its border.

All of ``net/deck`` is written for *a* cyclic group of prime order, given by a ``Group``. The game
plays in ``EDWARDS``, the prime-order subgroup of edwards25519 as libsodium has it; tests also play
in groups small enough to be searched. Exponents are plain integers modulo the order.

The rule of this module: a ``Point`` is known to be an element of the group. Bytes from outside are
a ``Claim`` until ``decode`` or ``enter`` has accepted them; both refuse the identity.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple, NewType, Protocol

from nacl import bindings
from nacl.exceptions import RuntimeError as Refused

from net.play.digest import digest, number
from net.play.rounds import Fault

Point = NewType("Point", bytes)
"""The encoding of a group element: decoded, or computed from other points. Unique per element."""

Claim = NewType("Claim", bytes)
"""Bytes of a point's length that somebody says are a point. Good for hashing and ``enter`` only."""


class Cipher(NamedTuple):
    """An ElGamal ciphertext of the point M under the key P: ``a`` = r G, ``b`` = M + r P."""

    a: Point
    b: Point


class Group(Protocol):
    """A group of prime ``order``, written additively, in which discrete logarithms are hard."""

    @property
    def name(self) -> bytes:
        """Names the group inside every hash."""

    @property
    def order(self) -> int:
        """The prime number of elements."""

    @property
    def point_size(self) -> int:
        """Bytes in the encoding of a point."""

    @property
    def scalar_size(self) -> int:
        """Bytes in the encoding of an exponent, little-endian."""

    @property
    def generator(self) -> Point:
        """G, the base of ``base``."""

    @property
    def identity(self) -> Point:
        """The neutral element: a result of operations, never accepted from outside."""

    def __hash__(self) -> int:
        """Equal groups are the same group: results are remembered under them."""

    def decode(self, raw: bytes) -> Point:
        """The point encoded by ``raw``; ``Fault("point")`` if none is, or the identity."""

    def add(self, left: Point, right: Point) -> Point:
        """``left`` + ``right``."""

    def sub(self, left: Point, right: Point) -> Point:
        """``left`` - ``right``."""

    def mul(self, scalar: int, point: Point) -> Point:
        """``scalar`` times ``point``; ``scalar`` may be any integer."""

    def base(self, scalar: int) -> Point:
        """``scalar`` times G."""

    def enter(self, scalar: int, claim: Claim) -> Point:
        """``scalar`` times the point that ``claim`` encodes, or ``Fault("point")``.

        Accepts exactly what ``decode`` accepts: after it has returned, ``claim`` is a point. For
        libsodium the check is part of the multiplication, so this costs no more than ``mul``.
        """

    def hash(self, *label: bytes) -> Point:
        """A point made from ``label`` whose logarithm nobody knows."""


def total(group: Group, points: Iterable[Point]) -> Point:
    """The sum of ``points``, of which there is at least one."""
    return reduce(group.add, points)


def write_scalar(group: Group, scalar: int) -> bytes:
    """The encoding of an exponent (0 to order - 1)."""
    return scalar.to_bytes(group.scalar_size, "little")


def read_scalar(group: Group, raw: bytes) -> int:
    """The exponent encoded by ``raw``; ``Fault("scalar")`` unless it is below the order."""
    scalar = int.from_bytes(raw, "little")
    if len(raw) != group.scalar_size or scalar >= group.order:
        raise Fault("scalar", raw.hex())
    return scalar


class Edwards:
    """The subgroup of prime order of edwards25519, in libsodium through PyNaCl.

    Encodings are those of RFC 8032. libsodium multiplies only by a point of this subgroup other
    than the identity and calls a result that is the identity an error; ``mul`` and ``base`` answer
    these cases themselves. Its ``add`` checks no more than that its operands are on the curve,
    which is why nothing but a ``Point`` may reach it.
    """

    name = b"edwards25519"
    order = 2**252 + 27742317777372353535851937790883648493
    point_size = 32
    scalar_size = 32
    generator = Point(bytes([0x58]) + bytes([0x66]) * 31)
    identity = Point(bytes([1]) + bytes(31))

    def decode(self, raw: bytes) -> Point:
        """See ``Group``. libsodium also refuses encodings that are not canonical."""
        if len(raw) != self.point_size or not bindings.crypto_core_ed25519_is_valid_point(raw):
            raise Fault("point", raw.hex())
        return Point(raw)

    def add(self, left: Point, right: Point) -> Point:
        """See ``Group``."""
        return Point(bindings.crypto_core_ed25519_add(left, right))

    def sub(self, left: Point, right: Point) -> Point:
        """See ``Group``."""
        return Point(bindings.crypto_core_ed25519_sub(left, right))

    def mul(self, scalar: int, point: Point) -> Point:
        """See ``Group``."""
        scalar %= self.order
        if scalar == 0 or point == self.identity:
            return self.identity
        raw = scalar.to_bytes(32, "little")
        return Point(bindings.crypto_scalarmult_ed25519_noclamp(raw, point))

    def base(self, scalar: int) -> Point:
        """See ``Group``."""
        scalar %= self.order
        if scalar == 0:
            return self.identity
        return Point(bindings.crypto_scalarmult_ed25519_base_noclamp(scalar.to_bytes(32, "little")))

    def enter(self, scalar: int, claim: Claim) -> Point:
        """See ``Group``."""
        scalar %= self.order
        if scalar == 0 or len(claim) != self.point_size:
            self.decode(claim)
            return self.identity
        try:
            raw = scalar.to_bytes(32, "little")
            return Point(bindings.crypto_scalarmult_ed25519_noclamp(raw, claim))
        except Refused:
            raise Fault("point", claim.hex()) from None

    def hash(self, *label: bytes) -> Point:
        """See ``Group``. The sum of two Elligator 2 maps: one map reaches half of all points."""
        halves = (
            Point(
                bindings.crypto_core_ed25519_from_uniform(
                    digest(b"farfadet point", *label, number(half))
                )
            )
            for half in range(2)
        )
        return total(self, halves)


POISONED = bytes([0x95]) + bytes([0x99]) * 31
"""G + (0, -1): on the curve and outside the subgroup. libsodium before CVE-2025-69277 takes it."""


def self_test(group: Group) -> None:
    """Raise ``ImportError`` if the libsodium at hand cannot be trusted with this work.

    Distributions may link PyNaCl to a libsodium of their own, which can be old or cut down.
    """
    if not bindings.has_crypto_core_ed25519 or not bindings.has_crypto_scalarmult_ed25519:
        raise ImportError("this libsodium was built without edwards25519 point arithmetic")
    if group.base(1) != group.generator or group.decode(group.generator) != group.generator:
        raise ImportError("this libsodium does not compute on edwards25519 as it should")
    for check in (group.decode, lambda raw: group.enter(3, Claim(raw))):
        for bad in (POISONED, group.identity, bytes(32), bytes([0xFF]) * 32):
            try:
                check(bad)
            except Fault:
                continue
            raise ImportError("this libsodium accepts points outside the group (CVE-2025-69277)")


EDWARDS: Group = Edwards()
self_test(EDWARDS)
