"""The proof of shuffle: complete for every size, and refused after any change to anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from random import Random

import pytest

from net.deck import shuffle
from net.deck.group import EDWARDS, POISONED, Cipher, Claim, Group
from net.play.digest import digest
from net.play.rounds import Fault
from tests.net.deck.groups import TOY, Counting, Mix, decrypt, encrypt, mix, put

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])
HERE = digest(b"test", b"here")
SECRET = digest(b"test", b"secret")
CODES = {"shuffle-proof", "point", "length", "scalar"}


def proved(group: Group, one: Mix, context: bytes = HERE) -> bytes:
    """The proof of an honest shuffle, as it travels."""
    proof = shuffle.prove(
        group, context, one.key, one.before, one.after, one.order, one.exponents, SECRET
    )
    return proof.write(group)


def check(group: Group, one: Mix, raw: bytes, context: bytes = HERE) -> None:
    """Read and verify a proof."""
    proof = shuffle.read_proof(group, len(one.before), raw)
    shuffle.verify(group, context, one.key, one.before, one.after, proof)


def refused(group: Group, one: Mix, raw: bytes, context: bytes = HERE) -> str:
    """The code of the fault that this proof must end in."""
    with pytest.raises(Fault) as caught:
        check(group, one, raw, context)
    assert caught.value.code in CODES
    return caught.value.code


@pytest.mark.parametrize("count", range(1, 61))
def test_an_honest_shuffle_of_any_size_is_accepted(count: int) -> None:
    one = mix(TOY, count, f"complete {count}")
    assert one.after == shuffle.reencrypt(TOY, one.key, one.before, one.order, one.exponents)
    raw = proved(TOY, one)
    assert len(raw) == shuffle.proof_size(TOY, count) == count * 32 + 40
    check(TOY, one, raw)
    opened = decrypt(TOY, one.x, one.after)
    assert opened == tuple(one.cards[old] for old in one.order)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 30, 53, 60])
def test_an_honest_shuffle_on_edwards25519_is_accepted(count: int) -> None:
    one = mix(EDWARDS, count, f"complete {count}")
    raw = proved(EDWARDS, one)
    assert len(raw) == shuffle.proof_size(EDWARDS, count) == count * 128 + 160
    check(EDWARDS, one, raw)


@pytest.mark.parametrize("count", [2, 30, 53, 60])
def test_the_work_is_counted(count: int) -> None:
    one = mix(TOY, count, "count")
    group = Counting(TOY)
    shuffle.generators(group, count)
    group.counts.clear()
    shuffle.reencrypt(group, one.key, one.before, one.order, one.exponents)
    assert group.exponentiations == 2 * count
    group.counts.clear()
    raw = proved(group, one)
    assert group.exponentiations == 8 * count + 5
    assert group.counts["base"] == 3 * count + 4
    group.counts.clear()
    check(group, one, raw)
    assert group.exponentiations == 9 * count + 11
    assert group.counts["base"] == count + 4
    assert group.counts["decode"] == group.counts["hash"] == 0


@BOTH
def test_the_same_secret_makes_the_same_proof_and_another_one_another(group: Group) -> None:
    one = mix(group, 4, "same")
    assert proved(group, one) == proved(group, one)
    other = shuffle.prove(
        group, HERE, one.key, one.before, one.after, one.order, one.exponents, bytes(32)
    )
    raw = other.write(group)
    check(group, one, raw)
    size = group.point_size
    points = {raw[at : at + size] for at in range(0, 8 * size, size)}
    assert not points & {proved(group, one)[at : at + size] for at in range(0, 8 * size, size)}


def test_a_flip_of_any_bit_is_refused() -> None:
    one = mix(TOY, 3, "flip")
    raw = proved(TOY, one)
    for at, bit in product(range(len(raw)), range(8)):
        refused(TOY, one, raw[:at] + bytes([raw[at] ^ 1 << bit]) + raw[at + 1 :])


def test_a_flip_in_any_field_is_refused_on_edwards25519() -> None:
    one = mix(EDWARDS, 3, "flip")
    raw = proved(EDWARDS, one)
    random = Random(one.x)
    for field in range(0, len(raw), 32):
        at, bit = field + random.randrange(31), random.randrange(8)
        refused(EDWARDS, one, raw[:at] + bytes([raw[at] ^ 1 << bit]) + raw[at + 1 :])


@BOTH
def test_every_field_replaced_by_a_valid_one_is_refused(group: Group) -> None:
    one = mix(group, 3, "replace")
    raw = proved(group, one)
    proof = shuffle.read_proof(group, 3, raw)
    point, scalar = Claim(group.base(1234567)), 7654321

    def others() -> Iterator[shuffle.Proof[Claim]]:
        for at in range(3):
            after = at + 1
            for points in ("commitments", "chain"):
                old = getattr(proof, points)
                for new in (point, old[at - 1], Claim(one.after[at].a)):
                    yield put(proof, points, (*old[:at], new, *old[after:]))
                yield put(proof, points, old[::-1])
            for scalars in ("links", "weights"):
                old = getattr(proof, scalars)
                for number in (scalar, 0, old[at] + 1, old[at - 1]):
                    yield put(proof, scalars, (*old[:at], number, *old[after:]))
        for at in range(4):
            for number in (scalar, 0, proof.sums[at] + 1):
                s = [*proof.sums[:at], number, *proof.sums[at + 1 :]]
                yield replace(proof, sums=(s[0], s[1], s[2], s[3]))
        for number in (scalar, 0, proof.challenge + 1):
            yield replace(proof, challenge=number)

    for other in others():
        with pytest.raises(Fault, match="shuffle-proof"):
            shuffle.verify(group, HERE, one.key, one.before, one.after, other)


@BOTH
def test_bad_points_and_exponents_are_refused_wherever_they_stand(group: Group) -> None:
    one = mix(group, 2, "bad")
    raw = proved(group, one)
    size = group.point_size
    bad = [group.identity, bytes(size), b"\xff" * size]
    if group is EDWARDS:
        bad.append(POISONED)
    for at in range(0, 4 * size, size):
        for point in bad:
            assert refused(group, one, raw[:at] + point + raw[at + size :]) == "point"
    order = group.order.to_bytes(group.scalar_size, "little")
    for at in range(4 * size, len(raw), group.scalar_size):
        lie = raw[:at] + order + raw[at + group.scalar_size :]
        assert refused(group, one, lie) == "scalar"


def test_a_challenge_of_zero_lets_no_bad_point_in() -> None:
    one = mix(EDWARDS, 2, "zero")
    proof = shuffle.read_proof(EDWARDS, 2, proved(EDWARDS, one))
    for vector in ("commitments", "chain"):
        lie = replace(put(proof, vector, (proof.chain[0], Claim(POISONED))), challenge=0)
        with pytest.raises(Fault, match="point"):
            shuffle.verify(EDWARDS, HERE, one.key, one.before, one.after, lie)


@BOTH
def test_every_part_of_the_statement_counts(group: Group) -> None:
    one = mix(group, 3, "statement")
    raw = proved(group, one)
    check(group, one, raw)
    g = group.generator
    assert refused(group, one, raw, digest(b"test", b"there")) == "shuffle-proof"
    assert refused(group, replace(one, key=group.add(one.key, g)), raw) == "shuffle-proof"
    for name in ("before", "after"):
        deck = getattr(one, name)
        for at, cipher in enumerate(deck):
            for new in (
                Cipher(group.add(cipher.a, g), cipher.b),
                Cipher(cipher.a, group.add(cipher.b, g)),
                Cipher(cipher.b, cipher.a),
                deck[at - 1],
            ):
                lie = put(one, name, (*deck[:at], new, *deck[at + 1 :]))
                assert refused(group, lie, raw) == "shuffle-proof"
        assert refused(group, put(one, name, deck[::-1]), raw) == "shuffle-proof"
    back = replace(one, before=one.after, after=one.before)
    assert refused(group, back, raw) == "shuffle-proof"


@BOTH
def test_vectors_of_another_length_are_refused(group: Group) -> None:
    one = mix(group, 3, "length")
    raw = proved(group, one)
    for lie in (b"", raw[:-1], raw + b"\0", raw + raw[-group.scalar_size :]):
        assert refused(group, one, lie) == "length"
    for count in (0, 1, 2, 4, 60):
        with pytest.raises(Fault, match="length"):
            shuffle.read_proof(group, count, raw)
    for deck in (one.after[:-1], (*one.after, one.after[0]), ()):
        assert refused(group, replace(one, after=deck), raw) == "length"
    proof = shuffle.read_proof(group, 3, raw)
    for name in ("commitments", "chain", "links", "weights"):
        vector = getattr(proof, name)
        for other in (vector[:-1], (*vector, vector[0]), ()):
            with pytest.raises(Fault, match="length"):
                shuffle.verify(group, HERE, one.key, one.before, one.after, put(proof, name, other))
    nothing: shuffle.Proof[Claim] = shuffle.Proof((), (), 1, (1, 1, 1, 1), (), ())
    with pytest.raises(Fault, match="length"):
        shuffle.verify(group, HERE, one.key, (), (), nothing)


def brute(one: Mix, after: tuple[Cipher, ...]) -> bool:
    """Whether ``after`` is a shuffle of ``before``: with the key, over all permutations."""
    old, new = decrypt(TOY, one.x, one.before), decrypt(TOY, one.x, after)
    return any(tuple(old[i] for i in order) == new for order in permutations(range(len(old))))


@pytest.mark.parametrize("count", [2, 3, 4])
def test_proofs_agree_with_a_search_over_all_permutations(count: int) -> None:
    """Every map of places, permutation or not, proved as well as a cheat can prove it.

    The re-encryption is right for every map; only a permutation may be accepted.
    """
    one = mix(TOY, count, f"brute {count}")
    random, accepted = Random(count), 0
    for order in product(range(count), repeat=count):
        after = shuffle.reencrypt(TOY, one.key, one.before, order, one.exponents)
        assert brute(one, after) == (len(set(order)) == count)
        if brute(one, after):
            raw = proved(TOY, replace(one, order=order, after=after))
            check(TOY, replace(one, after=after), raw)
            accepted += 1
            continue
        claims = list(permutations(range(count)))
        for claimed in claims if count < 4 else random.sample(claims, 2):
            lie = replace(one, order=claimed, after=after)
            assert refused(TOY, lie, proved(TOY, lie)) == "shuffle-proof"
    assert accepted == {2: 2, 3: 6, 4: 24}[count]


def test_stripped_and_marked_cards_cannot_be_proved() -> None:
    """The classic cheats: a card in the clear, a card of one's own, a marked card."""
    one = mix(TOY, 3, "cheats")
    own = encrypt(TOY, one.key, [TOY.hash(b"mine")], [5])[0]
    for new in (
        own,
        Cipher(TOY.generator, TOY.add(one.cards[0], one.key)),
        Cipher(one.after[0].a, TOY.add(one.after[0].b, TOY.base(2))),
        Cipher(TOY.mul(2, one.after[0].a), TOY.mul(2, one.after[0].b)),
    ):
        after = (new, *one.after[1:])
        lie = replace(one, after=after)
        if brute(one, after):
            continue
        assert refused(TOY, lie, proved(TOY, lie)) == "shuffle-proof"


@BOTH
def test_generators_are_fixed_distinct_and_none_of_the_others(group: Group) -> None:
    h, hs, added = shuffle.generators(group, 60)
    assert len({h, *hs, group.generator}) == 62
    assert shuffle.generators(group, 5)[1] == hs[:5]
    result = group.identity
    for point in hs:
        result = group.add(result, point)
    assert added == result
