"""The hash and the stream that everything secret and everything signed is made of."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.play.digest import digest, number
from net.play.stream import Stream

parts = st.lists(st.binary(max_size=10), max_size=4)


@given(parts, parts)
def test_two_lists_of_parts_have_the_same_hash_only_if_they_are_the_same(
    one: list[bytes], other: list[bytes]
) -> None:
    assert (digest(b"d", *one) == digest(b"d", *other)) is (one == other)


def test_domains_are_apart_and_limited() -> None:
    assert digest(b"a", b"x") != digest(b"b", b"x")
    for bad in (b"", b"x" * 17):
        with pytest.raises(ValueError, match="1 to 16"):
            digest(bad)


def test_known_answers_stay_what_they_are() -> None:
    assert digest(b"farfadet test", b"a", b"bc").hex() == (
        "37f4274bc74895c432ae8f66c4bf3b825b2fcf2a578173b7004f32433fe8f389"
    )
    assert Stream(bytes(32), b"test").take(16).hex() == "5f675091c73465a181d9b4482a5c957a"
    assert number(258) == b"\0\0\0\0\0\0\1\2"


def test_a_stream_is_the_same_in_any_bites_and_another_for_any_other_label() -> None:
    whole = Stream(b"k" * 32, b"a").take(200)
    stream = Stream(b"k" * 32, b"a")
    assert b"".join(stream.take(size) for size in (1, 0, 63, 64, 65, 7)) == whole
    assert Stream(b"k" * 32, b"b").take(200) != whole
    assert Stream(b"k" * 32, b"a", b"").take(200) != whole
    assert Stream(b"q" * 32, b"a").take(200) != whole


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 60, 256, 257])
def test_integers_are_in_range_and_about_equally_likely(bound: int) -> None:
    stream = Stream(b"k" * 32, b"below", number(bound))
    rounds = 300 * bound
    counts = Counter(stream.below(bound) for _ in range(rounds))
    assert set(counts) == set(range(bound))
    assert all(180 < count < 420 for count in counts.values()) or bound == 1
    with pytest.raises(ValueError, match="at least 1"):
        stream.below(0)


def test_permutations_are_permutations_and_reach_every_order() -> None:
    stream = Stream(b"k" * 32, b"orders")
    seen = Counter(tuple(stream.permutation(4)) for _ in range(4800))
    assert len(seen) == 24
    assert all(130 < count < 280 for count in seen.values())
    assert sorted(stream.permutation(60)) == list(range(60))
