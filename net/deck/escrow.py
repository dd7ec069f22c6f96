"""A seat's deck key shared out in advance, so that a deck outlives a seat that leaves (Feldman).

The owner of the key x hides it as f(0) of a random polynomial f of degree ``threshold`` - 1 and
gives f(i) to the holder with index i, in private; commitments to the coefficients, published, let
every holder check its piece and everybody check what a holder does with it. Any ``threshold``
holders can together stand in for the owner; fewer learn nothing about x.

What holders put together is never x: it is x A for the one slot (A, B) that has to be opened, from
each holder's f(i) A with proof (``sigma.make_shares``), by interpolation among points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from net.deck.group import Group, Point, total
from net.play.rounds import Fault
from net.play.stream import Source


@dataclass(frozen=True, slots=True)
class Escrow:
    """What the owner of a key makes: ``commitments`` for all, ``pieces`` each for its holder."""

    commitments: tuple[Point, ...]
    pieces: Mapping[int, int]

    def write(self) -> bytes:
        """The commitments as they travel."""
        return b"".join(self.commitments)


def _allow(group: Group, indices: Sequence[int], threshold: int) -> None:
    distinct = {index % group.order for index in indices}
    if 0 in distinct or len(distinct) != len(indices):
        raise ValueError("holders have distinct indices other than zero")
    if not 1 <= threshold <= len(indices):
        raise ValueError("the threshold is at least 1 and at most the number of holders")


def split(group: Group, x: int, indices: Sequence[int], threshold: int, source: Source) -> Escrow:
    """Share out ``x`` to the holders at ``indices`` so that any ``threshold`` of them suffice.

    ``ValueError`` for indices that are zero or equal modulo the order, or an impossible threshold.
    """
    _allow(group, indices, threshold)
    bound = group.order - 1
    polynomial = [x % group.order, *(source.below(bound) + 1 for _ in range(threshold - 1))]
    pieces = {}
    for index in indices:
        piece = 0
        for coefficient in reversed(polynomial):
            piece = (piece * index + coefficient) % group.order
        pieces[index] = piece
    return Escrow(tuple(group.base(coefficient) for coefficient in polynomial), pieces)


def read_commitments(group: Group, key: Point, threshold: int, raw: bytes) -> tuple[Point, ...]:
    """The commitments in ``raw``, which must share out the key x of ``key`` = x G.

    Exactly ``threshold`` of them: one more would silently raise the number of holders needed, and
    so would nothing but a point of the group; a last one that is the identity would lower it.
    ``Fault`` ("length", "point", "escrow-key").
    """
    if len(raw) != threshold * group.point_size:
        raise Fault("length", len(raw))
    size = group.point_size
    points = tuple(group.decode(raw[at : at + size]) for at in range(0, len(raw), size))
    if points[0] != key:
        raise Fault("escrow-key")
    return points


def holder_key(group: Group, commitments: Sequence[Point], index: int) -> Point:
    """f(``index``) G: the public key that the holder's shares are proved against."""
    result = commitments[-1]
    for commitment in reversed(commitments[:-1]):
        result = group.add(group.mul(index, result), commitment)
    return result


def check_piece(group: Group, commitments: Sequence[Point], index: int, piece: int) -> None:
    """``Fault("escrow-piece")`` unless ``piece`` is what the commitments say this holder gets.

    Zero is refused too: a holder of it could only ever publish the identity, which nobody accepts.
    """
    if not 0 < piece < group.order or group.base(piece) != holder_key(group, commitments, index):
        raise Fault("escrow-piece", index)


def recover(group: Group, shares: Mapping[int, Point], threshold: int) -> Point:
    """x A, from the checked shares f(i) A of at least ``threshold`` holders, by index i.

    ``ValueError`` if they are too few, or their indices zero or equal modulo the order. Shares
    beyond the first ``threshold`` by index are not needed and not used.
    """
    _allow(group, tuple(shares), threshold)
    chosen = sorted(shares)[:threshold]
    return total(group, (group.mul(_lagrange(group, chosen, i), shares[i]) for i in chosen))


def _lagrange(group: Group, indices: Sequence[int], index: int) -> int:
    """The weight of f(``index``) in f(0) for a polynomial known at ``indices``."""
    above, below = 1, 1
    for other in indices:
        if other != index:
            above = above * other % group.order
            below = below * (other - index) % group.order
    return above * pow(below, -1, group.order) % group.order
