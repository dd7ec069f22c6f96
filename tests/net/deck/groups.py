"""Groups for tests: one small enough to take apart, and one that counts what is asked of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from net.deck.group import Cipher, Claim, Group, Point
from net.play.digest import digest
from net.play.rounds import Fault
from net.play.stream import Stream


@dataclass(frozen=True)
class Toy:
    """The squares modulo the safe prime 2 ``order`` + 1. No protection at all, and fast."""

    order: int = 2305843009213697249
    point_size: int = 8
    scalar_size: int = 8

    @property
    def name(self) -> bytes:
        """See ``Group``."""
        return b"toy" + self.order.to_bytes(8, "big")

    @property
    def modulus(self) -> int:
        """The prime that numbers are taken modulo."""
        return 2 * self.order + 1

    @property
    def generator(self) -> Point:
        """See ``Group``."""
        return self.write(4)

    @property
    def identity(self) -> Point:
        """See ``Group``."""
        return self.write(1)

    def write(self, value: int) -> Point:
        """The encoding of a number."""
        return Point(value.to_bytes(self.point_size, "big"))

    def read(self, point: bytes) -> int:
        """The number encoded."""
        return int.from_bytes(point, "big")

    def decode(self, raw: bytes) -> Point:
        """See ``Group``."""
        value = self.read(raw)
        if (
            len(raw) != self.point_size
            or not 1 < value < self.modulus
            or pow(value, self.order, self.modulus) != 1
        ):
            raise Fault("point")
        return Point(raw)

    def add(self, left: Point, right: Point) -> Point:
        """See ``Group``."""
        return self.write(self.read(left) * self.read(right) % self.modulus)

    def sub(self, left: Point, right: Point) -> Point:
        """See ``Group``."""
        inverse = pow(self.read(right), -1, self.modulus)
        return self.write(self.read(left) * inverse % self.modulus)

    def mul(self, scalar: int, point: Point) -> Point:
        """See ``Group``."""
        return self.write(pow(self.read(point), scalar % self.order, self.modulus))

    def base(self, scalar: int) -> Point:
        """See ``Group``."""
        return self.mul(scalar, self.generator)

    def enter(self, scalar: int, claim: Claim) -> Point:
        """See ``Group``."""
        return self.mul(scalar, self.decode(claim))

    def hash(self, *label: bytes) -> Point:
        """See ``Group``."""
        root = Stream(digest(b"toy point", *label)).below(self.modulus - 3) + 2
        return self.write(root * root % self.modulus)


TOY: Group = Toy()


@dataclass(frozen=True)
class Counting:
    """Another group, and how often each of its operations has been used."""

    group: Group
    counts: Counter[str] = field(default_factory=Counter, compare=False)

    def __getattr__(self, name: str) -> object:
        """What is not counted comes straight from the group."""
        return getattr(self.group, name)

    @property
    def name(self) -> bytes:
        """See ``Group``."""
        return self.group.name

    @property
    def order(self) -> int:
        """See ``Group``."""
        return self.group.order

    @property
    def point_size(self) -> int:
        """See ``Group``."""
        return self.group.point_size

    @property
    def scalar_size(self) -> int:
        """See ``Group``."""
        return self.group.scalar_size

    @property
    def generator(self) -> Point:
        """See ``Group``."""
        return self.group.generator

    @property
    def identity(self) -> Point:
        """See ``Group``."""
        return self.group.identity

    @property
    def exponentiations(self) -> int:
        """Multiplications of a point by an exponent, of whatever kind."""
        return sum(self.counts[kind] for kind in ("mul", "base", "enter"))

    def decode(self, raw: bytes) -> Point:
        """See ``Group``."""
        self.counts["decode"] += 1
        return self.group.decode(raw)

    def add(self, left: Point, right: Point) -> Point:
        """See ``Group``."""
        self.counts["add"] += 1
        return self.group.add(left, right)

    def sub(self, left: Point, right: Point) -> Point:
        """See ``Group``."""
        self.counts["add"] += 1
        return self.group.sub(left, right)

    def mul(self, scalar: int, point: Point) -> Point:
        """See ``Group``."""
        self.counts["mul"] += 1
        return self.group.mul(scalar, point)

    def base(self, scalar: int) -> Point:
        """See ``Group``."""
        self.counts["base"] += 1
        return self.group.base(scalar)

    def enter(self, scalar: int, claim: Claim) -> Point:
        """See ``Group``."""
        self.counts["enter"] += 1
        return self.group.enter(scalar, claim)

    def hash(self, *label: bytes) -> Point:
        """See ``Group``."""
        self.counts["hash"] += 1
        return self.group.hash(*label)


T = TypeVar("T")


def put(value: T, name: str, new: Any) -> T:
    """The dataclass ``value`` with another field ``name``."""
    changed: Any = replace(value, **{name: new})  # type: ignore[type-var]
    result: T = changed
    return result


@dataclass(frozen=True)
class Mix:
    """A deck of ciphertexts, its shuffle, and all the secrets that went into both."""

    x: int
    key: Point
    cards: tuple[Point, ...]
    before: tuple[Cipher, ...]
    order: tuple[int, ...]
    exponents: tuple[int, ...]
    after: tuple[Cipher, ...]


def mix(group: Group, count: int, seed: str) -> Mix:
    """An honest shuffle of ``count`` cards, with everything in it drawn from ``seed``."""
    source = Stream(seed.encode(), b"mix")
    x = source.below(group.order - 1) + 1
    key = group.base(x)
    cards = tuple(group.hash(b"test card", bytes([i])) for i in range(count))
    before = encrypt(group, key, cards, [source.below(group.order - 1) + 1 for _ in cards])
    order = tuple(source.permutation(count))
    exponents = tuple(source.below(group.order) for _ in cards)
    moved = [before[old] for old in order]
    after = encrypt(group, key, [cipher.b for cipher in moved], exponents)
    after = tuple(
        Cipher(group.add(new.a, old.a), new.b) for new, old in zip(after, moved, strict=True)
    )
    return Mix(x, key, cards, before, order, exponents, after)


def encrypt(
    group: Group, key: Point, points: Iterable[Point], exponents: Iterable[int]
) -> tuple[Cipher, ...]:
    """Encrypt each point with its exponent."""
    return tuple(
        Cipher(group.base(r), group.add(point, group.mul(r, key)))
        for point, r in zip(points, exponents, strict=True)
    )


def decrypt(group: Group, x: int, ciphers: Iterable[Cipher]) -> tuple[Point, ...]:
    """The point in each ciphertext, for whoever has the secret key."""
    return tuple(group.sub(cipher.b, group.mul(x, cipher.a)) for cipher in ciphers)
