"""Proofs about exponents: knowledge of one (Schnorr), equality of two (Chaum-Pedersen), in batches.

Each proof is a challenge and an answer, made non-interactive by hashing the whole statement and a
``context`` of 32 bytes that says where in which game it belongs. Checks return what they have
validated or raise ``Fault``.

Nonces come from the prover's own secret and the statement, so a nonce is never used for two
statements and a restarted prover makes the same proof again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from net.deck.group import Cipher, Claim, Group, Point, read_scalar, total, write_scalar
from net.play.digest import digest, number
from net.play.rounds import Fault
from net.play.stream import Stream


class Image(NamedTuple):
    """The claim that ``point`` is some exponent times ``base``."""

    base: Point
    point: Point


def proof_size(group: Group) -> int:
    """Bytes in each proof of this module."""
    return 2 * group.scalar_size


def challenge(group: Group, statement: bytes) -> int:
    """The exponent a hashed ``statement`` asks for: uniform below the order."""
    return Stream(statement, b"challenge").below(group.order)


def nonce(group: Group, secret: bytes, statement: bytes) -> int:
    """The prover's exponent for one ``statement``; unpredictable without ``secret``."""
    return Stream(secret, b"nonce", statement).below(group.order)


# Knowledge of x in X = x G (Schnorr).


def prove_key(group: Group, context: bytes, x: int, key: Point, secret: bytes) -> bytes:
    """Prove knowledge of ``x`` in ``key`` = x G."""
    statement = digest(b"farfadet knows", group.name, context, key)
    w = nonce(group, secret, statement)
    c = challenge(group, digest(b"farfadet asks", statement, group.base(w)))
    return _write(group, c, w + c * x)


def check_key(group: Group, context: bytes, key: Point, proof: bytes) -> None:
    """``Fault("key-proof")`` unless ``proof`` shows that its maker knows the logarithm of ``key``.

    ``key`` must not be the identity (``decode`` sees to that).
    """
    c, s = _read(group, proof)
    statement = digest(b"farfadet knows", group.name, context, key)
    commitment = group.sub(group.base(s), group.mul(c, key))
    if c != challenge(group, digest(b"farfadet asks", statement, commitment)):
        raise Fault("key-proof")


# Equality of two logarithms (Chaum-Pedersen).


def prove_equal(
    group: Group, context: bytes, x: int, first: Image, second: Image, secret: bytes
) -> bytes:
    """Prove that ``first`` and ``second`` are both x times their bases."""
    statement = digest(b"farfadet equal", group.name, context, *first, *second)
    w = nonce(group, secret, statement)
    commitments = (group.mul(w, first.base), group.mul(w, second.base))
    c = challenge(group, digest(b"farfadet asks", statement, *commitments))
    return _write(group, c, w + c * x)


def equal(group: Group, context: bytes, first: Image, second: Image, proof: bytes) -> bool:
    """Whether ``proof`` shows one exponent behind both images."""
    c, s = _read(group, proof)
    statement = digest(b"farfadet equal", group.name, context, *first, *second)
    commitments = tuple(
        group.sub(group.mul(s, image.base), group.mul(c, image.point)) for image in (first, second)
    )
    return c == challenge(group, digest(b"farfadet asks", statement, *commitments))


def _write(group: Group, c: int, s: int) -> bytes:
    return write_scalar(group, c) + write_scalar(group, s % group.order)


def _read(group: Group, proof: bytes) -> tuple[int, int]:
    if len(proof) != proof_size(group):
        raise Fault("length", len(proof))
    half = group.scalar_size
    return read_scalar(group, proof[:half]), read_scalar(group, proof[half:])


# Batches: many equalities weighed into one.


def _weights(group: Group, seed: bytes, count: int) -> list[int]:
    """1, then random exponents fixed by ``seed``, the hash of all that is to be weighed.

    If one of several equalities is false, the weighed sum of all of them is false but for one
    choice of its weight in as many as the group has elements; the first needs no weight of its own.
    """
    stream = Stream(seed, b"weights")
    return [1, *(stream.below(group.order) for _ in range(count - 1))]


def _weigh(group: Group, weights: Sequence[int], points: Sequence[Point]) -> Point:
    rest = (group.mul(w, p) for w, p in zip(weights[1:], points[1:], strict=True))
    return total(group, [points[0], *rest])


def make_shares(
    group: Group, context: bytes, x: int, key: Point, points: Sequence[Point], secret: bytes
) -> tuple[tuple[Point, ...], bytes]:
    """x times each of ``points``, and one proof that this x is that of ``key`` = x G.

    ``points`` is not empty. This is a decryption share when the points are ciphertexts' ``a``.
    """
    shares = tuple(group.mul(x, point) for point in points)
    seed = _shares_seed(group, context, key, points, shares)
    base = _weigh(group, _weights(group, seed, len(points)), points)
    second = Image(base, group.mul(x, base))
    return shares, prove_equal(group, seed, x, Image(group.generator, key), second, secret)


def check_shares(
    group: Group,
    context: bytes,
    key: Point,
    points: Sequence[Point],
    claims: Sequence[Claim],
    proof: bytes,
) -> None:
    """Check that each of ``claims`` is that multiple of its point that ``key`` is of G.

    Raises ``Fault`` ("length", "point", "share-proof"). Afterwards every claim is a point.
    """
    if len(claims) != len(points) or not points:
        raise Fault("length", len(claims))
    seed = _shares_seed(group, context, key, points, claims)
    weights = _weights(group, seed, len(points))
    first, *rest = claims
    entered = [group.enter(w, claim) for w, claim in zip(weights[1:], rest, strict=True)]
    second = Image(_weigh(group, weights, points), total(group, [group.decode(first), *entered]))
    if not equal(group, seed, Image(group.generator, key), second, proof):
        raise Fault("share-proof")


def _shares_seed(
    group: Group,
    context: bytes,
    key: Point,
    points: Sequence[Point],
    shares: Sequence[Point] | Sequence[Claim],
) -> bytes:
    count = number(len(points))
    return digest(b"farfadet shares", group.name, context, key, count, *points, *shares)


def prove_reencryption(
    group: Group,
    context: bytes,
    key: Point,
    before: Sequence[Cipher],
    after: Sequence[Cipher],
    exponents: Sequence[int],
    secret: bytes,
) -> bytes:
    """Prove that each ``after`` is its ``before`` + (r G, r ``key``), r being its exponent."""
    seed = _reencryption_seed(group, context, key, before, after)
    weights = _weights(group, seed, len(before))
    r = sum(w * e for w, e in zip(weights, exponents, strict=True)) % group.order
    first = Image(group.generator, group.base(r))
    return prove_equal(group, seed, r, first, Image(key, group.mul(r, key)), secret)


def check_reencryption(
    group: Group,
    context: bytes,
    key: Point,
    before: Sequence[Cipher],
    after: Sequence[Cipher],
    proof: bytes,
) -> None:
    """Check that each ``after`` hides what its ``before`` hides, under randomness of its own.

    Raises ``Fault`` ("length", "reenc-same", "reenc-proof"). A ciphertext that kept its old
    randomness is refused, for the old shares would open it to everybody.
    """
    if len(after) != len(before) or not before:
        raise Fault("length", len(after))
    seed = _reencryption_seed(group, context, key, before, after)
    weights = _weights(group, seed, len(before))
    pairs = list(zip(after, before, strict=True))
    moves = [group.sub(new.a, old.a) for new, old in pairs]
    if group.identity in moves:
        raise Fault("reenc-same")
    first = Image(group.generator, _weigh(group, weights, moves))
    shifts = [group.sub(new.b, old.b) for new, old in pairs]
    if not equal(group, seed, first, Image(key, _weigh(group, weights, shifts)), proof):
        raise Fault("reenc-proof")


def _reencryption_seed(
    group: Group,
    context: bytes,
    key: Point,
    before: Sequence[Cipher],
    after: Sequence[Cipher],
) -> bytes:
    points = (point for cipher in (*before, *after) for point in cipher)
    count = number(len(before))
    return digest(b"farfadet reenc", group.name, context, key, count, *points)
