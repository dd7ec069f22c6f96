"""A prover of its own, written from the equations, that cheats in every way the proof must catch.

The proof of shuffle has five equations. For each there is a cheat here that satisfies all the
others, so that only this one stands between it and a stacked deck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from net.deck import shuffle
from net.deck.group import EDWARDS, Cipher, Group, Point, write_scalar
from net.play.digest import digest
from net.play.rounds import Fault
from tests.net.deck.groups import TOY, Mix, decrypt, mix

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])
HERE = digest(b"test", b"here")
Q = TOY.order
HALF = pow(2, -1, Q)
Matrix = Sequence[Sequence[int]]


def weigh(group: Group, scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """The sum of points with these factors."""
    result = group.identity
    for scalar, point in zip(scalars, points, strict=True):
        result = group.add(result, group.mul(scalar, point))
    return result


def combine(one: Mix, matrix: Matrix, group: Group = TOY) -> tuple[Cipher, ...]:
    """A deck whose place i holds the cards weighed with row i, re-encrypted."""
    return tuple(
        Cipher(
            group.add(weigh(group, row, [old.a for old in one.before]), group.base(r)),
            group.add(weigh(group, row, [old.b for old in one.before]), group.mul(r, one.key)),
        )
        for row, r in zip(matrix, one.exponents, strict=True)
    )


@dataclass
class Prover:
    """Proves that ``one.after`` follows from a committed ``matrix``: true or not.

    ``weights`` may give other weights u' than the matrix does; ``product`` another product for the
    last link to commit to. ``asked`` is what the prover says it was asked.
    """

    group: Group
    one: Mix
    matrix: Matrix
    weights: Callable[[list[int]], list[int]] | None = None
    product: bool = False
    asked: list[Point] = field(default_factory=list)

    def prove(self) -> bytes:
        """The proof, with randomness of its own."""
        group, one = self.group, self.one
        random, q, count = Random(one.x), group.order, len(one.before)
        h, hs, _ = shuffle.generators(group, count)
        mul, base, add = group.mul, group.base, group.add

        def draw(many: int) -> list[int]:
            return [random.randrange(q) for _ in range(many)]

        r = draw(count)
        columns = [
            add(base(r[j]), weigh(group, [row[j] for row in self.matrix], hs)) for j in range(count)
        ]
        statement = shuffle._statement(group, HERE, one.key, one.before, one.after)
        u = shuffle._weights(group, statement, columns)
        moved = [sum(m * x for m, x in zip(row, u, strict=True)) % q for row in self.matrix]
        if self.weights is not None:
            moved = self.weights(u)
        r_hat = draw(count)
        chain: list[Point] = []
        big_r, big_u = 0, 1
        for link, weight in zip(r_hat, moved, strict=True):
            big_r, big_u = (link + weight * big_r) % q, big_u * weight % q
            chain.append(add(base(big_r), mul(big_u, h)))
        if self.product:
            wanted = 1
            for weight in u:
                wanted = wanted * weight % q
            chain[-1] = add(base(big_r), mul(wanted, h))
        (w1, w2, w3, w4), link_w, weight_w = draw(4), draw(count), draw(count)
        self.asked = [
            base(w1),
            base(w2),
            add(base(w3), weigh(group, weight_w, hs)),
            add(base(-w4), weigh(group, weight_w, [e.a for e in one.after])),
            add(mul(-w4, one.key), weigh(group, weight_w, [e.b for e in one.after])),
            *(
                add(base(w), mul(weight, previous))
                for w, weight, previous in zip(link_w, weight_w, (h, *chain[:-1]), strict=True)
            ),
        ]
        c = shuffle._challenge(group, statement, (*columns, *chain), self.asked)
        answers = [
            c,
            w1 + c * sum(r),
            w2 + c * big_r,
            w3 + c * sum(a * b for a, b in zip(r, u, strict=True)),
            w4 + c * sum(a * b for a, b in zip(one.exponents, moved, strict=True)),
        ]
        answers += [w + c * link for w, link in zip(link_w, r_hat, strict=True)]
        answers += [w + c * weight for w, weight in zip(weight_w, moved, strict=True)]
        points = b"".join((*columns, *chain))
        return points + b"".join(write_scalar(group, answer % q) for answer in answers)


def unit(one: Mix) -> Matrix:
    """The permutation matrix of an honest shuffle."""
    return [[int(old == j) for j in range(len(one.order))] for old in one.order]


def verdict(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, set[int]]:
    """Whether the proof is accepted, and the equations in which it fails, by number."""
    seen: list[Point] = []
    honest = shuffle._challenge

    def watching(
        group: Group, statement: bytes, points: Sequence[bytes], asked: Sequence[Point]
    ) -> int:
        seen[:] = asked
        return honest(group, statement, points, asked)

    raw, one = prover.prove(), prover.one
    proof = shuffle.read_proof(prover.group, len(one.before), raw)
    accepted = True
    with monkeypatch.context() as patch:
        patch.setattr(shuffle, "_challenge", watching)
        try:
            shuffle.verify(prover.group, HERE, one.key, one.before, one.after, proof)
        except Fault:
            accepted = False
    return accepted, {
        at
        for at, (mine, theirs) in enumerate(zip(prover.asked, seen, strict=True))
        if mine != theirs
    }


@BOTH
@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_a_prover_written_from_the_equations_is_accepted(
    group: Group, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = mix(group, count, "oracle")
    assert verdict(Prover(group, one, unit(one)), monkeypatch) == (True, set())


def test_row_sums_alone_stop_a_deck_of_scaled_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice one card and half another: weights and product come out right."""
    one = mix(TOY, 3, "scaled")
    one = replace(one, after=combine(one, [[HALF, 0, 0], [0, 2, 0], [0, 0, 1]]))
    matrix = [[2, 0, 0], [0, HALF, 0], [0, 0, 1]]
    assert verdict(Prover(TOY, one, matrix), monkeypatch) == (False, {0})


def test_the_product_alone_stops_a_deck_of_blended_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that sum to 1 and are no permutation; the blended deck fits them."""
    one = mix(TOY, 3, "blended")
    matrix = [[1 - 3, 3, 0], [5, 1 - 5, 0], [0, 0, 1]]
    scale = pow(1 - 3 - 5, -1, Q)
    inverse = [[(1 - 5) * scale, -5 * scale, 0], [-3 * scale, (1 - 3) * scale, 0], [0, 0, 1]]
    one = replace(one, after=combine(one, inverse))
    assert verdict(Prover(TOY, one, matrix), monkeypatch) == (False, {1})


def test_a_link_alone_stops_a_chain_that_ends_in_the_wanted_product(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The blended deck again, the last link committing to what it should, not what it is."""
    one = mix(TOY, 3, "blended")
    matrix = [[1 - 3, 3, 0], [5, 1 - 5, 0], [0, 0, 1]]
    scale = pow(1 - 3 - 5, -1, Q)
    inverse = [[(1 - 5) * scale, -5 * scale, 0], [-3 * scale, (1 - 3) * scale, 0], [0, 0, 1]]
    one = replace(one, after=combine(one, inverse))
    assert verdict(Prover(TOY, one, matrix, product=True), monkeypatch) == (False, {5 + 2})


def test_the_weights_alone_stop_answers_for_another_matrix_than_committed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A faultless commitment, and answers for the deck of scaled cards."""
    one = mix(TOY, 3, "scaled")
    one = replace(one, after=combine(one, [[HALF, 0, 0], [0, 2, 0], [0, 0, 1]]))
    prover = Prover(
        TOY,
        one,
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        weights=lambda u: [2 * u[0] % Q, HALF * u[1] % Q, u[2]],
    )
    assert verdict(prover, monkeypatch) == (False, {2})


def test_reencryption_alone_stops_every_other_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """An honest permutation committed and proved; the deck is another."""
    one = mix(TOY, 3, "deck")
    first = one.after[0]
    for at, new in (
        (3, Cipher(TOY.add(first.a, TOY.generator), first.b)),
        (4, Cipher(first.a, TOY.add(first.b, TOY.generator))),
        (4, Cipher(first.a, TOY.add(first.b, TOY.sub(one.cards[0], one.cards[1])))),
    ):
        lie = replace(one, after=(new, *one.after[1:]))
        assert verdict(Prover(TOY, lie, unit(one)), monkeypatch) == (False, {at})


def test_a_card_twice_is_stopped_by_the_product_or_the_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One card at two places, and one gone: whatever matrix is claimed."""
    one = mix(TOY, 3, "twice")
    matrix = [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
    one = replace(one, after=combine(one, matrix))
    opened = decrypt(TOY, one.x, one.after)
    assert opened == (one.cards[0], one.cards[0], one.cards[2])
    assert verdict(Prover(TOY, one, matrix), monkeypatch) == (False, {1, 3, 4})
    for order in ((0, 1, 2), (1, 0, 2)):
        honest = [[int(old == j) for j in range(3)] for old in order]
        assert verdict(Prover(TOY, one, honest), monkeypatch) == (False, {3, 4})
