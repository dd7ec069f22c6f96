"""All seats but one put together everything they have, and still do not know a sealed card."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from net.deck.group import Cipher, Point, total
from net.deck.verified import Verified
from net.play.digest import digest, number
from net.play.rounds import Redealt
from net.play.stream import Stream
from rules.game import Seat
from tests.net.deck.driver import Circle, secret_of
from tests.net.deck.groups import TOY

HONEST: Seat = 1
"""The one seat that keeps to the rules; 0 and 2 tell each other everything."""

CARDS = 3
GAMES = 400

BOUND = 36
"""What chi square exceeds once in about a million for six equally likely outcomes."""

BOUND_OF_NINE = 43
"""The same for nine."""


def strip(circle: Circle, cipher: Cipher, seed: str) -> Point:
    """What is left of a ciphertext when the colluders have taken off their shares."""
    shares = []
    for seat in range(circle.seats):
        if seat != HONEST:
            stream = Stream(secret_of(seat, seed), b"deck key", circle.table, number(0))
            shares.append(TOY.mul(1 + stream.below(TOY.order - 1), cipher.a))
    return TOY.sub(cipher.b, total(TOY, shares))


def chi_square(counts: Counter[object], kinds: int, samples: int) -> float:
    """How far ``counts`` are from all ``kinds`` being equally likely."""
    expected = samples / kinds
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + (kinds - len(counts)) * expected


def test_colluders_cannot_tell_where_a_card_went_nor_read_it() -> None:
    """Over many games: places are uniform, and no feature of what they hold goes with the face.

    The games are always the same ones.
    """
    orders: Counter[object] = Counter()
    features: dict[str, Counter[object]] = {}
    for game in range(GAMES):
        seed = f"game {game}"
        circle = Circle(3, TOY, seed, verified=Verified())
        circle.run(lambda deck: deck.shuffle(tuple(range(CARDS))))
        ciphers = [token.cipher for token in circle.decks[0]._tokens.values()]
        faces = circle.decks[0]._tokens[0].pack.faces
        left = [strip(circle, cipher, seed) for cipher in ciphers]
        assert not set(left) & set(faces)
        found = dict(circle.run(lambda deck: deck.open(tuple(range(CARDS)))))
        orders[tuple(found[slot] for slot in range(CARDS))] += 1
        proof = next(
            said.body for said in circle.log if (said.kind, said.seat) == ("shuffled", HONEST)
        )
        held = {"left": left[0], "a": ciphers[0].a, "proof": digest(b"test", proof), "end": proof}
        for name, raw in held.items():
            features.setdefault(name, Counter())[raw[-1] % 2, found[0]] += 1
    assert set(orders) == set(permutations(range(CARDS)))
    assert chi_square(orders, 6, GAMES) < BOUND
    for counts in features.values():
        assert chi_square(counts, 2 * CARDS, GAMES) < BOUND


def test_the_honest_order_stays_uniform_whatever_the_colluders_fix() -> None:
    """The colluders' secrets are the same in all games; only the honest seat's differ."""
    orders: Counter[object] = Counter()
    seeds = [secret_of(seat, "fixed") for seat in range(3)]
    for game in range(GAMES):
        circle = Circle(3, TOY, "fixed", verified=Verified())
        deck = circle.decks[HONEST]
        deck._party._secret = digest(b"test honest", seeds[HONEST], number(game))
        circle.run(lambda deck: deck.shuffle(tuple(range(CARDS))))
        found = dict(circle.run(lambda deck: deck.open(tuple(range(CARDS)))))
        orders[tuple(found[slot] for slot in range(CARDS))] += 1
    assert set(orders) == set(permutations(range(CARDS)))
    assert chi_square(orders, 6, GAMES) < BOUND


@pytest.mark.nightly
def test_what_is_sealed_anew_is_in_an_order_that_has_nothing_to_do_with_the_old_one() -> None:
    """Seat 2 leaves. Whoever was dealt a card is as likely to be dealt any other in its place."""
    orders: Counter[object] = Counter()
    moved: Counter[object] = Counter()
    for game in range(GAMES):
        circle = Circle(3, TOY, f"anew {game}", verified=Verified())
        circle.run(lambda deck: deck.shuffle(tuple(range(CARDS))))
        circle.run(lambda deck: deck.deal((0,), HONEST))
        old = circle.decks[HONEST].sight[0]
        circle.leaves = {circle.step: (2,)}
        with pytest.raises(Redealt):
            circle.run(lambda deck: deck.open((1,)))
        moved[old, circle.decks[HONEST].sight[0]] += 1
        found = dict(circle.run(lambda deck: deck.open(tuple(range(CARDS)))))
        orders[tuple(found[slot] for slot in range(CARDS))] += 1
    assert set(orders) == set(permutations(range(CARDS)))
    assert chi_square(orders, 6, GAMES) < BOUND
    assert chi_square(moved, CARDS**2, GAMES) < BOUND_OF_NINE


def test_a_bad_shuffle_would_be_noticed_by_this_statistic() -> None:
    """The measure itself works: an order that comes twice as often is out of bounds."""
    lopsided: Counter[object] = Counter(dict.fromkeys(permutations(range(CARDS)), GAMES // 6))
    lopsided[tuple(range(CARDS))] *= 2
    assert chi_square(lopsided, 6, lopsided.total()) > BOUND
