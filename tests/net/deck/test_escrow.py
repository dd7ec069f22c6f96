"""Keys shared out: enough holders can open one slot, fewer learn nothing, cheats are found."""

from __future__ import annotations

from itertools import combinations

import pytest

from net.deck import sigma
from net.deck.escrow import check_piece, holder_key, read_commitments, recover, split
from net.deck.group import EDWARDS, POISONED, Claim, Group, Point
from net.play.digest import digest
from net.play.rounds import Fault
from net.play.stream import Stream
from tests.net.deck.groups import TOY, Toy, encrypt

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])
HERE = digest(b"test", b"here")
X = 1234567890


def source() -> Stream:
    """The owner's randomness."""
    return Stream(digest(b"test", b"escrow"))


@BOTH
@pytest.mark.parametrize(("holders", "threshold"), [(1, 1), (3, 2), (3, 3), (5, 4), (7, 3)])
def test_any_threshold_of_holders_can_stand_in(group: Group, holders: int, threshold: int) -> None:
    escrow = split(group, X, range(1, holders + 1), threshold, source())
    key = group.base(X)
    commitments = read_commitments(group, key, threshold, escrow.write())
    assert commitments == escrow.commitments
    a = group.hash(b"a slot")
    shares = {}
    for index, piece in escrow.pieces.items():
        check_piece(group, commitments, index, piece)
        assert holder_key(group, commitments, index) == group.base(piece)
        shares[index] = group.mul(piece, a)
    for chosen in combinations(shares, threshold):
        assert recover(group, {i: shares[i] for i in chosen}, threshold) == group.mul(X, a)
    assert recover(group, shares, threshold) == group.mul(X, a)


def test_a_slot_is_opened_without_its_owner_and_without_the_owners_key() -> None:
    """From end to end: proved shares of pieces, interpolated, take the owner's place."""
    group, others_x = EDWARDS, 555
    joint = group.base(X + others_x)
    face = group.hash(b"face")
    (cipher,) = encrypt(group, joint, [face], [42])
    escrow = split(group, X, (1, 2, 3), 2, source())
    shares: dict[int, Point] = {}
    for index in (3, 1):
        piece = escrow.pieces[index]
        public = holder_key(group, escrow.commitments, index)
        made, proof = sigma.make_shares(group, HERE, piece, public, [cipher.a], b"holder")
        claims = [Claim(share) for share in made]
        sigma.check_shares(group, HERE, public, [cipher.a], claims, proof)
        wrong = holder_key(group, escrow.commitments, 2)
        with pytest.raises(Fault, match="share-proof"):
            sigma.check_shares(group, HERE, wrong, [cipher.a], claims, proof)
        shares[index] = made[0]
    owner = recover(group, shares, 2)
    rest = group.mul(others_x, cipher.a)
    assert group.sub(group.sub(cipher.b, owner), rest) == face


def test_fewer_than_the_threshold_learn_nothing() -> None:
    """Every key explains the pieces of two of three-of-five holders equally well."""
    group = Toy(order=593, point_size=2, scalar_size=2)
    escrow = split(group, 77, range(1, 6), 3, source())
    seen = {index: escrow.pieces[index] for index in (2, 5)}
    fitting = set()
    for x in range(group.order):
        for slope in range(group.order):
            curve = (seen[2] - x - 2 * slope) * pow(4, -1, group.order) % group.order
            if (x + 5 * slope + 25 * curve - seen[5]) % group.order == 0:
                fitting.add(x)
    assert fitting == set(range(group.order))


@BOTH
def test_a_wrong_piece_is_found_by_its_holder(group: Group) -> None:
    escrow = split(group, X, (1, 2, 3), 2, source())
    for index, piece in escrow.pieces.items():
        for wrong in (piece + 1, 0, escrow.pieces[index % 3 + 1], piece + group.order, -1):
            with pytest.raises(Fault, match="escrow-piece"):
                check_piece(group, escrow.commitments, index, wrong)


@BOTH
def test_commitments_of_another_length_key_or_with_bad_points_are_refused(group: Group) -> None:
    escrow = split(group, X, (1, 2, 3), 2, source())
    key, raw, size = group.base(X), escrow.write(), group.point_size
    for lie in (b"", raw[:-1], raw + b"\0", raw[:size], raw + raw[:size]):
        with pytest.raises(Fault, match="length"):
            read_commitments(group, key, 2, lie)
    with pytest.raises(Fault, match="length"):
        read_commitments(group, key, 3, raw)
    with pytest.raises(Fault, match="escrow-key"):
        read_commitments(group, group.base(X + 1), 2, raw)
    for bad in (bytes(group.identity), bytes(size), POISONED[:size] if size == 32 else b"\xff" * 8):
        for at in (0, size):
            with pytest.raises(Fault, match="point"):
                read_commitments(group, key, 2, raw[:at] + bad + raw[at + size :])


@BOTH
def test_holders_need_distinct_indices_that_are_not_zero(group: Group) -> None:
    q = group.order
    for indices in ((0, 1), (1, 1), (1, q + 1), (q, 1)):
        with pytest.raises(ValueError, match="indices"):
            split(group, X, indices, 2, source())
    for threshold in (0, -1, 3):
        with pytest.raises(ValueError, match="threshold"):
            split(group, X, (1, 2), threshold, source())
    g = group.generator
    for shares in ({0: g, 1: g}, {1: g, q + 1: g}):
        with pytest.raises(ValueError, match="indices"):
            recover(group, shares, 2)
    with pytest.raises(ValueError, match="threshold"):
        recover(group, {1: g}, 2)


@BOTH
def test_a_wrong_share_among_those_used_gives_something_else(group: Group) -> None:
    """Why shares must be checked first: interpolation itself finds nothing wrong."""
    escrow = split(group, X, (1, 2, 3), 2, source())
    a = group.hash(b"a slot")
    shares = {index: group.mul(piece, a) for index, piece in escrow.pieces.items()}
    shares[2] = group.add(shares[2], group.generator)
    assert recover(group, shares, 2) != group.mul(X, a)
    assert recover(group, {1: shares[1], 3: shares[3]}, 2) == group.mul(X, a)
