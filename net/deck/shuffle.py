"""Shuffling ciphertexts, and the Terelius-Wikström proof that it was done honestly.

Follows the pseudo-code of Haenni, Locher, Koenig and Dubuis (*Pseudo-Code Algorithms for Verifiable
Re-encryption Mix-Nets*, Financial Cryptography 2017; the same steps are algorithms 8.41 to 8.47 of
the CHVote specification, ePrint 2017/325), whose names each step below carries. Written additively,
with ``order[i]`` the place in the old deck of what is now at place i.

The idea: commit to the permutation matrix, column by column; let a hash choose a random weight u_j
for every old place; show that the same numbers u'_i, (1) are what the commitment makes of the u_j,
(2) weigh the new ciphertexts to the same sum as the u_j weigh the old ones, up to re-encryption,
and (3) have the same product as the u_j. Together with row sums of 1 only a permutation can do so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from net.deck.group import Cipher, Claim, Group, Point, read_scalar, total, write_scalar
from net.deck.sigma import challenge
from net.play.digest import digest, number
from net.play.rounds import Fault
from net.play.stream import Source, Stream

P = TypeVar("P", Point, Claim)


@dataclass(frozen=True, slots=True)
class Proof(Generic[P]):
    """A proof of shuffle: a ``Proof[Point]`` as made, a ``Proof[Claim]`` as received."""

    commitments: tuple[P, ...]
    """c: the committed permutation, by old place."""
    chain: tuple[P, ...]
    """c^: commitments to the growing product of the weights."""
    challenge: int
    sums: tuple[int, int, int, int]
    """s1 to s4: the answers for row sums, product, weights, and re-encryption."""
    links: tuple[int, ...]
    """s^: the answers for the chain's randomness."""
    weights: tuple[int, ...]
    """s': the answers for the permuted weights u'."""

    def write(self, group: Group) -> bytes:
        """The proof as it travels: points, then exponents, in the order of the fields."""
        scalars = (self.challenge, *self.sums, *self.links, *self.weights)
        points = b"".join((*self.commitments, *self.chain))
        return points + b"".join(write_scalar(group, scalar) for scalar in scalars)


@lru_cache(maxsize=64)
def generators(group: Group, count: int) -> tuple[Point, tuple[Point, ...], Point]:
    """H, H_1 to H_count, and the sum of the latter: points with unknown logarithms (GetGenerators).

    Made from fixed labels, the same in every game, so that nobody has chosen them.
    """
    points = tuple(group.hash(b"generator", number(i)) for i in range(1, count + 1))
    return group.hash(b"generator", number(0)), points, total(group, points)


def proof_size(group: Group, count: int) -> int:
    """Bytes in the proof for ``count`` ciphertexts."""
    return 2 * count * (group.point_size + group.scalar_size) + 5 * group.scalar_size


def read_proof(group: Group, count: int, raw: bytes) -> Proof[Claim]:
    """The proof for ``count`` ciphertexts in ``raw``; ``Fault`` ("length", "scalar") if none is."""
    if len(raw) != proof_size(group, count):
        raise Fault("length", len(raw))
    end = 2 * count * group.point_size
    points = [Claim(part) for part in _parts(raw[:end], group.point_size)]
    scalars = [read_scalar(group, part) for part in _parts(raw[end:], group.scalar_size)]
    c, s1, s2, s3, s4 = scalars[:5]
    return Proof(
        tuple(points[:count]),
        tuple(points[count:]),
        c,
        (s1, s2, s3, s4),
        tuple(scalars[5 : 5 + count]),
        tuple(scalars[5 + count :]),
    )


def _parts(raw: bytes, size: int) -> list[bytes]:
    return [raw[at : at + size] for at in range(0, len(raw), size)]


def reencrypt(
    group: Group,
    key: Point,
    before: Sequence[Cipher],
    order: Sequence[int],
    exponents: Sequence[int],
) -> tuple[Cipher, ...]:
    """GenShuffle, GenReEncryption: place i gets old place ``order[i]``, hidden by exponent i."""
    return tuple(
        Cipher(
            group.add(before[old].a, group.base(r)),
            group.add(before[old].b, group.mul(r, key)),
        )
        for old, r in zip(order, exponents, strict=True)
    )


def _statement(
    group: Group, context: bytes, key: Point, before: Sequence[Cipher], after: Sequence[Cipher]
) -> bytes:
    points = (point for cipher in (*before, *after) for point in cipher)
    return digest(b"farfadet mix", group.name, context, key, number(len(before)), *points)


def _weights(group: Group, statement: bytes, commitments: Sequence[bytes]) -> list[int]:
    """GetNIZKPChallenges: the u_j, by old place."""
    stream = Stream(digest(b"farfadet mix u", statement, *commitments), b"weights")
    return [stream.below(group.order) for _ in commitments]


def _challenge(
    group: Group, statement: bytes, points: Sequence[bytes], commitments: Sequence[Point]
) -> int:
    """GetNIZKPChallenge: the final question, after everything else is fixed."""
    return challenge(group, digest(b"farfadet mix c", statement, *points, *commitments))


def _exponents(group: Group, source: Source, count: int) -> list[int]:
    return [source.below(group.order) for _ in range(count)]


def prove(
    group: Group,
    context: bytes,
    key: Point,
    before: Sequence[Cipher],
    after: Sequence[Cipher],
    order: Sequence[int],
    exponents: Sequence[int],
    secret: bytes,
) -> Proof[Point]:
    """GenShuffleProof: prove ``after`` = ``reencrypt(before, order, exponents)``.

    All its randomness is drawn from ``secret`` and the statement. 8 N + 5 multiplications.
    """
    count, q = len(before), group.order
    h, hs, _ = generators(group, count)
    statement = _statement(group, context, key, before, after)
    source = Stream(secret, b"shuffle proof", statement)

    # GenPermutationCommitment: the column of old place order[i] has its 1 in row i.
    rs = _exponents(group, source, count)
    columns = {old: group.add(group.base(rs[old]), row) for old, row in zip(order, hs, strict=True)}
    commitments = tuple(columns[old] for old in range(count))

    us = _weights(group, statement, commitments)
    permuted = [us[old] for old in order]

    # GenCommitmentChain: each link commits to the product of the weights so far.
    links = _exponents(group, source, count)
    chain: list[Point] = []
    for r, u in zip(links, permuted, strict=True):
        chain.append(group.add(group.base(r), group.mul(u, chain[-1] if chain else h)))

    r_rows = sum(rs)
    r_product, v = 0, 1
    for r, u in zip(reversed(links), reversed(permuted), strict=True):
        r_product, v = r_product + r * v, v * u % q
    r_weights = sum(r * u for r, u in zip(rs, us, strict=True))
    r_cipher = sum(r * u for r, u in zip(exponents, permuted, strict=True))

    w1, w2, w3, w4 = _exponents(group, source, 4)
    link_nonces = _exponents(group, source, count)
    weight_nonces = _exponents(group, source, count)
    mul = group.mul
    asked = (
        group.base(w1),
        group.base(w2),
        total(group, [group.base(w3), *map(mul, weight_nonces, hs)]),
        total(
            group,
            [group.base(-w4), *(mul(w, e.a) for w, e in zip(weight_nonces, after, strict=True))],
        ),
        total(
            group,
            [mul(-w4, key), *(mul(w, e.b) for w, e in zip(weight_nonces, after, strict=True))],
        ),
        *(
            group.add(group.base(w), mul(weight, previous))
            for w, weight, previous in zip(
                link_nonces, weight_nonces, (h, *chain[:-1]), strict=True
            )
        ),
    )
    c = _challenge(group, statement, (*commitments, *chain), asked)
    return Proof(
        commitments,
        tuple(chain),
        c,
        (
            (w1 + c * r_rows) % q,
            (w2 + c * r_product) % q,
            (w3 + c * r_weights) % q,
            (w4 + c * r_cipher) % q,
        ),
        tuple((w + c * r) % q for w, r in zip(link_nonces, links, strict=True)),
        tuple((w + c * u) % q for w, u in zip(weight_nonces, permuted, strict=True)),
    )


def verify(
    group: Group,
    context: bytes,
    key: Point,
    before: Sequence[Cipher],
    after: Sequence[Cipher],
    proof: Proof[Claim],
) -> None:
    """CheckShuffleProof: ``Fault`` ("length", "point", "shuffle-proof") unless all holds.

    Both decks are points already; those in the proof are validated by being multiplied. 9 N + 11
    multiplications.
    """
    count = len(before)
    vectors = (after, proof.commitments, proof.chain, proof.links, proof.weights)
    if count == 0 or any(len(vector) != count for vector in vectors):
        raise Fault("length", count)
    base, mul = group.base, group.mul
    h, hs, h_sum = generators(group, count)
    c, (s1, s2, s3, s4) = proof.challenge, proof.sums
    statement = _statement(group, context, key, before, after)
    us = _weights(group, statement, proof.commitments)

    # These two lines touch every point of the proof: from here on they are points.
    weighed = total(group, map(group.enter, us, proof.commitments))
    asked_links = [group.enter(-c, link) for link in proof.chain]
    commitments = [Point(commitment) for commitment in proof.commitments]
    chain = [Point(link) for link in proof.chain]

    product = 1
    for u in us:
        product = product * u % group.order
    rows = group.sub(total(group, commitments), h_sum)
    last = group.sub(chain[-1], mul(product, h))
    weighed_a = total(group, (mul(u, e.a) for u, e in zip(us, before, strict=True)))
    weighed_b = total(group, (mul(u, e.b) for u, e in zip(us, before, strict=True)))

    answers = proof.weights
    answered_a = total(group, (mul(s, e.a) for s, e in zip(answers, after, strict=True)))
    answered_b = total(group, (mul(s, e.b) for s, e in zip(answers, after, strict=True)))
    asked = (
        group.add(base(s1), mul(-c, rows)),
        group.add(base(s2), mul(-c, last)),
        total(group, [base(s3), mul(-c, weighed), *map(mul, answers, hs)]),
        total(group, [base(-s4), mul(-c, weighed_a), answered_a]),
        total(group, [mul(-s4, key), mul(-c, weighed_b), answered_b]),
        *(
            total(group, [base(s), asked_link, mul(weight, previous)])
            for s, asked_link, weight, previous in zip(
                proof.links, asked_links, answers, (h, *chain[:-1]), strict=True
            )
        ),
    )
    points = (*proof.commitments, *proof.chain)
    if c != _challenge(group, statement, points, asked):
        raise Fault("shuffle-proof")
