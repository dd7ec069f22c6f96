"""Proofs about exponents: they convince when true, and never when anything in them is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from net.deck import sigma
from net.deck.group import EDWARDS, Cipher, Claim, Group, Point, write_scalar
from net.deck.shuffle import reencrypt
from net.play.digest import digest
from net.play.rounds import Fault
from tests.net.deck.groups import TOY, Counting, encrypt

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])
HERE = digest(b"test", b"here")
THERE = digest(b"test", b"there")
SECRET = digest(b"test", b"secret")


def changed(raw: bytes) -> Iterator[bytes]:
    """``raw`` with one bit flipped in each byte, cut short, and made longer."""
    for at in range(len(raw)):
        yield raw[:at] + bytes([raw[at] ^ 1 << at % 8]) + raw[at + 1 :]
    yield raw[:-1]
    yield raw + b"\0"
    yield b""
    yield bytes(len(raw))
    yield b"\xff" * len(raw)


def refused(check: Callable[..., None], *args: object, **changes: object) -> str:
    """The code of the fault that ``check`` must raise when called so."""
    with pytest.raises(Fault) as caught:
        check(*args, **changes)
    return caught.value.code


@BOTH
def test_a_key_proof_convinces_and_nothing_near_it_does(group: Group) -> None:
    x = 987654321
    key = group.base(x)
    proof = sigma.prove_key(group, HERE, x, key, SECRET)
    sigma.check_key(group, HERE, key, proof)
    assert len(proof) == sigma.proof_size(group)
    for other in changed(proof):
        code = refused(sigma.check_key, group, HERE, key, other)
        assert code in {"key-proof", "scalar", "length"}
    assert refused(sigma.check_key, group, THERE, key, proof) == "key-proof"
    other_key = group.base(x + 1)
    assert refused(sigma.check_key, group, HERE, other_key, proof) == "key-proof"


@BOTH
def test_a_proof_made_with_the_wrong_key_convinces_nobody(group: Group) -> None:
    key = group.base(5)
    proof = sigma.prove_key(group, HERE, 6, key, SECRET)
    assert refused(sigma.check_key, group, HERE, key, proof) == "key-proof"


@BOTH
def test_equality_convinces_only_for_one_exponent_behind_both(group: Group) -> None:
    x, base = 321, group.hash(b"base")
    first, second = (
        sigma.Image(group.generator, group.base(x)),
        sigma.Image(base, group.mul(x, base)),
    )
    proof = sigma.prove_equal(group, HERE, x, first, second, SECRET)
    assert sigma.equal(group, HERE, first, second, proof)
    assert not sigma.equal(group, THERE, first, second, proof)
    assert not sigma.equal(group, HERE, second, first, proof)
    false = sigma.Image(base, group.mul(x + 1, base))
    for exponent in (x, x + 1):
        lie = sigma.prove_equal(group, HERE, exponent, first, false, SECRET)
        assert not sigma.equal(group, HERE, first, false, lie)


@BOTH
@pytest.mark.parametrize("count", [1, 2, 7])
def test_shares_convince_and_nothing_near_them_does(group: Group, count: int) -> None:
    x = 1357
    key = group.base(x)
    points = [group.hash(b"point", bytes([i])) for i in range(count)]
    shares, proof = sigma.make_shares(group, HERE, x, key, points, SECRET)
    assert shares == tuple(group.mul(x, point) for point in points)
    claims = [Claim(share) for share in shares]

    def check(
        context: bytes = HERE,
        key: Point = key,
        points: list[Point] = points,
        claims: list[Claim] = claims,
        proof: bytes = proof,
    ) -> None:
        sigma.check_shares(group, context, key, points, claims, proof)

    check()
    for other in changed(proof):
        assert refused(check, proof=other) in {
            "share-proof",
            "scalar",
            "length",
        }
    for at in range(count):
        for raw in changed(shares[at]):
            lie = [*claims[:at], Claim(raw), *claims[at + 1 :]]
            assert refused(check, claims=lie) in {"point", "share-proof"}
        foreign = [*claims[:at], Claim(group.mul(x + 1, points[at])), *claims[at + 1 :]]
        assert refused(check, claims=foreign) == "share-proof"
    assert refused(check, context=THERE) == "share-proof"
    assert refused(check, key=group.base(x + 1)) == "share-proof"
    assert refused(check, points=[*points[1:], group.generator]) == "share-proof"
    assert refused(check, claims=claims[:-1]) == "length"
    assert refused(check, claims=[*claims, claims[0]]) == "length"
    assert refused(check, points=[], claims=[]) == "length"
    if count > 1:
        assert refused(check, claims=claims[::-1]) == "share-proof"
        assert refused(check, claims=[claims[0]] * count) == "share-proof"


@BOTH
def test_errors_of_two_shares_do_not_cancel_out(group: Group) -> None:
    x = 24680
    key = group.base(x)
    points = [group.hash(b"point", bytes([i])) for i in range(3)]
    shares, _ = sigma.make_shares(group, HERE, x, key, points, SECRET)
    shift = group.base(99)
    lies = (group.add(shares[0], shift), group.sub(shares[1], shift), shares[2])

    class Lying:
        """A group in which the prover's shares come out wrong, the sum of errors being zero."""

        def __init__(self) -> None:
            self.left = list(lies)

        def __getattr__(self, name: str) -> object:
            return getattr(group, name)

        def mul(self, scalar: int, point: Point) -> Point:
            return self.left.pop(0) if self.left else group.mul(scalar, point)

    liar: Group = Lying()  # type: ignore[assignment]
    made, proof = sigma.make_shares(liar, HERE, x, key, points, SECRET)
    assert made == lies
    claims = [Claim(lie) for lie in lies]
    code = refused(sigma.check_shares, group, HERE, key, points, claims, proof)
    assert code == "share-proof"


def test_a_batch_of_shares_costs_two_exponentiations_each_and_a_few() -> None:
    for count in (1, 2, 10, 60):
        group = Counting(TOY)
        points = [TOY.hash(b"point", bytes([i])) for i in range(count)]
        shares, proof = sigma.make_shares(group, HERE, 5, TOY.base(5), points, SECRET)
        assert group.exponentiations == 2 * count + 2
        group.counts.clear()
        claims = [Claim(share) for share in shares]
        sigma.check_shares(group, HERE, TOY.base(5), points, claims, proof)
        assert group.exponentiations == 2 * count + 2
        assert group.counts["decode"] == 1


@BOTH
@pytest.mark.parametrize("count", [1, 2, 6])
def test_reencryption_convinces_and_nothing_near_it_does(group: Group, count: int) -> None:
    key = group.base(777)
    cards = [group.hash(b"card", bytes([i])) for i in range(count)]
    before = encrypt(group, key, cards, range(10, 10 + count))
    exponents = list(range(500, 500 + count))
    after = reencrypt(group, key, before, range(count), exponents)
    proof = sigma.prove_reencryption(group, HERE, key, before, after, exponents, SECRET)

    def check(
        context: bytes = HERE,
        key: Point = key,
        before: tuple[Cipher, ...] = before,
        after: tuple[Cipher, ...] = after,
        proof: bytes = proof,
    ) -> None:
        sigma.check_reencryption(group, context, key, before, after, proof)

    check()
    for other in changed(proof):
        assert refused(check, proof=other) in {
            "reenc-proof",
            "scalar",
            "length",
        }
    for at, cipher in enumerate(after):
        for lie in (
            Cipher(cipher.a, group.add(cipher.b, group.generator)),
            Cipher(group.add(cipher.a, group.generator), cipher.b),
            Cipher(cipher.b, cipher.a),
            before[at - 1] if count > 1 else Cipher(cards[0], cards[0]),
        ):
            lies = (*after[:at], lie, *after[at + 1 :])
            assert refused(check, after=lies) in {"reenc-proof", "reenc-same"}
        kept = (*after[:at], Cipher(before[at].a, cipher.b), *after[at + 1 :])
        assert refused(check, after=kept) == "reenc-same"
    assert refused(check, after=before) == "reenc-same"
    assert refused(check, context=THERE) == "reenc-proof"
    assert refused(check, key=group.base(778)) == "reenc-proof"
    assert refused(check, after=after[:-1]) == "length"
    assert refused(check, before=(), after=()) == "length"
    if count > 1:
        assert refused(check, after=after[::-1]) == "reenc-proof"


@BOTH
def test_a_reencryption_to_another_face_cannot_be_proved(group: Group) -> None:
    key = group.base(31)
    before = encrypt(group, key, [group.hash(b"a")], [3])
    swapped = encrypt(group, key, [group.hash(b"b")], [3 + 44])
    proof = sigma.prove_reencryption(group, HERE, key, before, swapped, [44], SECRET)
    code = refused(sigma.check_reencryption, group, HERE, key, before, swapped, proof)
    assert code == "reenc-proof"


def test_proofs_repeat_for_one_statement_and_share_no_nonce_between_two() -> None:
    group, x = TOY, 4242
    key = group.base(x)
    proof = sigma.prove_key(group, HERE, x, key, SECRET)
    assert proof == sigma.prove_key(group, HERE, x, key, SECRET)
    nonces = set()
    for context in (HERE, THERE):
        for secret in (SECRET, THERE):
            raw = sigma.prove_key(group, context, x, key, secret)
            c, s = (int.from_bytes(raw[at : at + 8], "little") for at in (0, 8))
            nonces.add((s - c * x) % group.order)
    assert len(nonces) == 4


def test_one_kind_of_proof_is_not_another() -> None:
    group, x = EDWARDS, 2468
    key, base = group.base(x), group.generator
    shares, proof = sigma.make_shares(group, HERE, x, key, [base], SECRET)
    assert shares == (key,)
    assert refused(sigma.check_key, group, HERE, key, proof) == "key-proof"
    image = sigma.Image(base, key)
    assert not sigma.equal(group, HERE, image, image, proof)
    with pytest.raises(Fault, match="scalar"):
        sigma.equal(group, HERE, image, image, proof[:32] + b"\xff" * 32)
    assert write_scalar(group, 1) == b"\1" + bytes(31)
