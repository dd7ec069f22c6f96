"""The border of the group: what is let in, and what operations do at their edges."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from nacl import bindings

from net.deck.group import (
    EDWARDS,
    POISONED,
    Claim,
    Edwards,
    Group,
    Point,
    read_scalar,
    self_test,
    total,
    write_scalar,
)
from net.play.rounds import Fault
from tests.net.deck.groups import TOY

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])

SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]
"""Encodings of points of order 1, 2, 4 and 8 on edwards25519."""


def doors(group: Group) -> list[Callable[[bytes], Point]]:
    """The two ways in."""
    return [
        group.decode,
        lambda raw: group.enter(5, Claim(raw)),
        lambda raw: group.enter(0, Claim(raw)),
    ]


@BOTH
def test_points_and_exponents_read_back(group: Group) -> None:
    point = group.base(12345)
    assert group.decode(bytes(point)) == point
    assert len(point) == group.point_size
    for scalar in (0, 1, group.order - 1):
        assert read_scalar(group, write_scalar(group, scalar)) == scalar


@BOTH
def test_exponents_have_one_encoding_of_one_length(group: Group) -> None:
    size = group.scalar_size
    for scalar in (group.order, group.order + 1, 256**size - 1):
        with pytest.raises(Fault, match="scalar"):
            read_scalar(group, scalar.to_bytes(size, "little"))
    for raw in (b"", bytes(size - 1), bytes(size + 1)):
        with pytest.raises(Fault, match="scalar"):
            read_scalar(group, raw)


@BOTH
def test_operations_are_those_of_a_group_of_that_order(group: Group) -> None:
    g, zero, q = group.generator, group.identity, group.order
    assert group.base(1) == g
    assert group.base(0) == group.base(q) == group.mul(0, g) == group.mul(q, g) == zero
    assert group.mul(7, zero) == zero
    assert group.base(-1) == group.sub(zero, g)
    assert group.mul(3, group.base(5)) == group.base(15)
    assert group.add(group.base(3), group.base(5)) == group.base(8)
    assert group.sub(group.base(3), group.base(3)) == zero
    assert group.add(g, zero) == g
    assert group.add(group.base(q - 1), g) == zero
    assert total(group, [g]) == g
    assert total(group, [g, g, g]) == group.base(3)
    assert group.mul(q + 2, g) == group.base(2)


@BOTH
def test_entering_multiplies(group: Group) -> None:
    point = group.base(9)
    assert group.enter(4, Claim(point)) == group.base(36)
    assert group.enter(-1, Claim(point)) == group.base(-9)
    assert group.enter(0, Claim(point)) == group.identity


@BOTH
def test_the_identity_and_wrong_lengths_stay_outside(group: Group) -> None:
    good = bytes(group.base(3))
    for door in doors(group):
        for raw in (group.identity, b"", good[:-1], good + b"\0", bytes(len(good))):
            with pytest.raises(Fault, match="point"):
                door(raw)


@pytest.mark.parametrize("raw", SMALL_ORDER)
def test_points_of_small_order_stay_outside_alone_and_added_to_a_good_one(raw: str) -> None:
    small = bytes.fromhex(raw)
    mixed = bindings.crypto_core_ed25519_add(bytes(EDWARDS.base(77)), small)
    for door in doors(EDWARDS):
        with pytest.raises(Fault, match="point"):
            door(small)
        if small != EDWARDS.identity:
            with pytest.raises(Fault, match="point"):
                door(mixed)


def test_encodings_that_are_not_canonical_or_not_on_the_curve_stay_outside() -> None:
    p = 2**255 - 19
    off_curve = (2).to_bytes(32, "little")
    for raw in (off_curve, (p + 1).to_bytes(32, "little"), (p + 3).to_bytes(32, "little")):
        for door in doors(EDWARDS):
            with pytest.raises(Fault, match="point"):
                door(raw)


def test_the_poisoned_point_is_the_generator_plus_the_point_of_order_two() -> None:
    added = bindings.crypto_core_ed25519_add(
        bytes(EDWARDS.generator), bytes.fromhex(SMALL_ORDER[1])
    )
    assert added == POISONED


def test_it_refuses_to_start_where_the_poisoned_point_is_accepted() -> None:
    class Old(Edwards):
        def decode(self, raw: bytes) -> Point:
            return Point(raw) if raw == POISONED else super().decode(raw)

    class OldInside(Edwards):
        def enter(self, scalar: int, claim: Claim) -> Point:
            return self.generator if claim == POISONED else super().enter(scalar, claim)

    for old in (Old(), OldInside()):
        with pytest.raises(ImportError, match="CVE-2025-69277"):
            self_test(old)
    self_test(EDWARDS)


def test_it_refuses_to_start_on_a_libsodium_that_computes_something_else() -> None:
    class Other(Edwards):
        def base(self, scalar: int) -> Point:
            return super().base(scalar + 1)

    with pytest.raises(ImportError, match="compute"):
        self_test(Other())


def test_it_refuses_to_start_on_a_cut_down_libsodium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bindings, "has_crypto_core_ed25519", False)
    with pytest.raises(ImportError, match="without"):
        self_test(EDWARDS)


@BOTH
def test_hashing_to_the_group_gives_valid_points_that_differ(group: Group) -> None:
    points = [group.hash(b"x", bytes([i])) for i in range(40)]
    assert len(set(points)) == 40
    assert all(group.decode(bytes(point)) == point for point in points)
    assert group.hash(b"x", b"y") == group.hash(b"x", b"y") != group.hash(b"xy")


def test_hashing_to_the_group_adds_two_maps() -> None:
    seen: list[bytes] = []

    class Watching(Edwards):
        def add(self, left: Point, right: Point) -> Point:
            seen.extend((left, right))
            return super().add(left, right)

    point = Watching().hash(b"card")
    assert len(set(seen)) == 2
    assert point == EDWARDS.hash(b"card")
    assert point not in seen
