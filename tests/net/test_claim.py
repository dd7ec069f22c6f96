"""What the processes of a referee say to each other: read by them alone, and within limits."""

from __future__ import annotations

import pytest

from net.people.identity import Identity
from net.play.wire import LONGEST, Refusal, pack
from net.referee.claim import MOST_PLACES, Ask, Beat, Claim, Seal, Word, fits, merged
from tests.net.paper import KEY, PLACE, SEAL, name

WORDS: list[Word] = [
    Claim(name(1), "ROOM", KEY, 3, b"instance", 5, {PLACE: (2, 0), (9, b"p" * 32): (1,)}),
    Claim(name(1), "ROOM", KEY, 0, b"instance", 0, {}),
    Beat(b"instance", 7, True, False, True, {name(1): (3, 5), name(2): (1, 0)}),
    Ask((name(1), name(2))),
]


@pytest.mark.parametrize("word", WORDS)
def test_what_is_said_is_read_by_whoever_has_the_key_and_by_nobody_else(
    word: Claim | Beat | Ask,
) -> None:
    sealed = SEAL.close(word)
    assert SEAL.open(sealed) == word
    assert word.__class__.__name__.lower().encode() not in sealed
    with pytest.raises(Refusal):
        Seal(Identity.fresh("other")).open(sealed)
    for at in (0, 30, len(sealed) - 1):
        with pytest.raises(Refusal):
            SEAL.open(sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :])


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        ["claim", name(1), "RO/OM", KEY, 1, b"instance", 0, []],
        ["claim", name(1), "ROOM", KEY, -1, b"instance", 0, []],
        ["claim", name(1), "ROOM", KEY, 1, b"short", 0, []],
        ["claim", name(1), "ROOM", KEY, 1, b"instance", 0, [[1, bytes(32), []]]],
        ["claim", name(1), "ROOM", KEY, 1, b"instance", 0, [[1, bytes(31), [1]]]],
        ["beat", b"instance", 1, True, False, False, [[name(1), 1]]],
        ["beat", b"instance", 1, 1, 0, 0, []],
        ["ask", [1]],
    ],
)
def test_what_a_faulty_program_with_our_key_says_is_dropped(plain: object) -> None:
    with pytest.raises(Refusal):
        SEAL.open(bytes(SEAL._box.encrypt(pack(plain))))


def test_the_fullest_claim_and_the_fullest_beat_fit_one_payload() -> None:
    promises = {(500 + step, bytes(32)): (127,) * 32 for step in range(MOST_PLACES)}
    claim = Claim(name(1), "R" * 64, KEY, 1 << 40, b"instance", 1 << 40, promises)
    holds = {name(at): (1 << 20, 1 << 20) for at in range(1000)}
    beat = Beat(b"instance", 1 << 40, True, True, True, holds)
    for word in (claim, beat):
        assert len(SEAL.close(word)) < LONGEST
        assert SEAL.open(SEAL.close(word)) == word


def test_a_topic_does_not_tell_which_table_is_claimed() -> None:
    topic = SEAL.topic(WORDS[0], b"instance")
    assert topic == SEAL.place(name(1)) != SEAL.place(name(2))
    assert name(1).hex() not in topic


def test_of_two_histories_that_fit_the_longer_is_kept_and_else_the_first() -> None:
    assert fits((1, 0), (1,))
    assert fits((), (1,))
    assert not fits((1, 0), (0,))
    first, second = {PLACE: (1,), (8, bytes(32)): (2, 0)}, {PLACE: (1, 0), (8, bytes(32)): (0,)}
    assert merged(first, second) == {PLACE: (1, 0), (8, bytes(32)): (2, 0)}
    assert merged({}, second) == second
