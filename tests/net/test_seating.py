"""Sitting down among people who lie, replay and shout: one charter, or none."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from net.meeting.seating import DOMAIN, SAY_EVERY, SILENT_AFTER, Offer, Seating
from net.people.identity import Identity
from net.play.charter import claim, nonce_hash
from net.play.wire import SIGNATURE, pack, unpack
from tests.net.test_room import GAME, gather, guests, taken
from tests.net.test_wire import bodies

SEED = 20261130
KEY = SigningKey(b"k" * 32)
WHO = Identity("Eve", SigningKey(b"i" * 32))


def signed(content: Any, key: SigningKey = KEY) -> bytes:
    """``content`` as a message of the room."""
    raw = pack(content)
    return raw + key.sign(DOMAIN + raw).signature


def hello(where: str, **changes: Any) -> list[Any]:
    """What a guest says; ``changes`` are made after the certificate is."""
    public, hashed = bytes(KEY.verify_key), nonce_hash(bytes(32))
    certificate = WHO.key.sign(claim(where, public, "Eve", hashed)).signature
    fields = {
        "kind": "hello",
        "room": where,
        "identity": WHO.public,
        "key": public,
        "name": "Eve",
        "hashed": hashed,
        "certificate": certificate,
        "bot": 0,
        "turn": 0,
    }
    return list((fields | changes).values())


def test_a_true_hello_takes_a_seat() -> None:
    host = guests("A")[0]
    host.receive(signed(hello(host.room)), 1.0)
    assert taken(host) == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"room": "ELSEWHERE"},
        {"identity": bytes(32)},
        {"identity": b"\x01" + bytes(31)},
        {"identity": b"short"},
        {"key": bytes(32)},
        {"key": b""},
        {"name": "Mallory"},
        {"name": "e" * 65},
        {"name": b"Eve"},
        {"hashed": bytes(32)},
        {"hashed": b""},
        {"certificate": bytes(64)},
        {"certificate": b""},
        {"bot": 2},
        {"bot": -1},
        {"bot": None},
        {"turn": -1},
        {"turn": 1 << 32},
        {"more": 0},
    ],
)
def test_a_hello_with_anything_wrong_takes_none(changes: dict[str, Any]) -> None:
    host = guests("A")[0]
    host.receive(signed(hello(host.room, **changes)), 1.0)
    assert taken(host) == 1


def test_every_flipped_bit_of_a_hello_is_ignored() -> None:
    host = guests("A")[0]
    data = signed(hello(host.room))
    for at in range(len(data)):
        for bit in range(8):
            host.receive(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :], 1.0)
    assert taken(host) == 1


def test_anothers_certificate_seats_nobody() -> None:
    host = guests("A")[0]
    thief = SigningKey(b"t" * 32)
    public = bytes(thief.verify_key)
    host.receive(signed(hello(host.room, key=public), thief), 1.0)
    host.receive(signed(hello(host.room), thief), 1.0)
    assert taken(host) == 1


@given(st.lists(st.sampled_from(["hello", "seating", "nonce"]) | bodies, max_size=9))
def test_no_signed_nonsense_breaks_a_seating(content: list[Any]) -> None:
    host, guest, _ = guests("ABC")
    before = host.plan
    for seating in (host, guest):
        seating.receive(signed(content), 1.0)
        seating.receive(signed([*content[:1], seating.room, *content[1:]]), 1.0)
    assert host.plan == before
    assert guest.plan is None


@given(st.integers(0, 2**32))
def test_what_a_host_signs_wrongly_seats_nobody(seed: int) -> None:
    source = Random(seed)
    host, guest, _ = guests("ABC")
    (_, seating) = host.tick(1.0)
    content = unpack(seating[:-SIGNATURE])
    true = list(content)
    at = source.randrange(1, len(content))
    content[at] = source.choice([None, True, -1, 0, 65, 2**64 - 1, "x", b"x", [], [[]], [b""]])
    key = host._key
    guest.receive(signed(content, key), 1.0)
    if guest.plan is not None:
        # Game, version and number of seats are judged by the room, before anybody sits down.
        assert at in (2, 3, 4) or content == true
        assert guest.charter is None


def test_old_words_of_the_host_do_not_open_a_closed_table() -> None:
    seatings = host, *others = guests("ABC")
    old = host.tick(0.1)
    gather(list(seatings), Random(SEED), 0.0)
    charters = {seating.charter for seating in seatings}
    for guest in others:
        for data in old:
            guest.receive(data, 50.0)
        assert guest.plan is not None
        assert guest.plan.closed
    assert {seating.charter for seating in seatings} == charters
    assert len(charters) == 1


@pytest.mark.parametrize("seed", range(SEED, SEED + 10))
def test_replays_and_losses_never_lead_to_two_charters(seed: int) -> None:
    print(f"seed {seed}")
    source, seatings = Random(seed), guests("ABC")
    said: list[bytes] = []
    now = 0.0
    while now < 120 and not all(seating.charter for seating in seatings):
        now += 0.25
        for seating in seatings:
            said += seating.tick(now)
        for seating in seatings:
            for data in source.sample(said, min(len(said), 6)):
                seating.receive(data, now)
    charters = {seating.charter for seating in seatings if seating.charter}
    assert len(charters) == 1, now
    charters.pop().check(GAME)


def test_nobody_shows_a_nonce_before_the_seats_are_settled() -> None:
    host, one, two = guests("ABC")
    now = 0.0
    for _ in range(8):
        now += SAY_EVERY
        for speaking in (host, one):
            for data in speaking.tick(now):
                assert unpack(data[:-SIGNATURE])[0] != "nonce"
                for hearing in (host, one):
                    hearing.receive(data, now)
    assert taken(host) == 2
    gather([host, one, two], Random(SEED), 0.0)
    assert host.charter is not None


def test_another_nonce_than_the_one_promised_is_not_taken() -> None:
    host, one, two = guests("ABC")
    now = 0.0
    while not all(seating.plan is not None and seating.plan.closed for seating in (host, one, two)):
        now += 0.25
        for speaking in (host, one, two):
            for data in speaking.tick(now):
                if unpack(data[:-SIGNATURE])[0] != "nonce":
                    for hearing in (host, one, two):
                        hearing.receive(data, now)
    assert host.plan is not None
    false = ["nonce", host.room, host.plan.mark, bytes(32)]
    for key in (one._key, two._key, KEY):
        host.receive(signed(false, key), now)
    assert not agreed(host)
    gather([host, one, two], Random(SEED), 0.0, until=now + 60)
    assert len(agreed(host)) == 3
    assert bytes(32) not in agreed(host)


def agreed(seating: Seating) -> set[bytes]:
    """The nonces of the charter; none if there is none yet."""
    charter = seating.charter
    return set() if charter is None else {chair.nonce for chair in charter.chairs}


def test_a_closed_table_keeps_a_guest_that_is_silent_for_a_while() -> None:
    seatings = guests("ABC")
    gather(seatings, Random(SEED), 0.0)
    host = seatings[0]
    host.tick(1000 * SILENT_AFTER)
    assert taken(host) == 3


REFEREE = bytes(SigningKey(b"r" * 32).verify_key)


def test_the_terms_of_the_host_are_everybodys() -> None:
    host, one, two = guests("ABC", Offer(GAME, 3, 90, REFEREE, True))
    gather([host, one, two], Random(SEED), 0.0)
    charters = {seating.charter for seating in (host, one, two)}
    assert len(charters) == 1
    charter = charters.pop()
    assert charter is not None
    assert (charter.limit, charter.referee, charter.escrow) == (90, REFEREE, True)
    assert charter.keys[3] == REFEREE


@pytest.mark.parametrize(
    "terms",
    [
        [9, b"", 0],
        [24 * 3600 + 1, b"", 0],
        [-1, b"", 0],
        [True, b"", 0],
        [0, b"short", 0],
        [0, bytes(32), 0],
        [0, b"\x01" + bytes(31), 0],
        [0, b"", 2],
        [0, b"", True],
        [0, b""],
        [0, b"", 0, 0],
        0,
    ],
)
def test_terms_that_nobody_may_offer_seat_nobody(terms: Any) -> None:
    host, guest, _ = guests("ABC")
    (_, seating) = host.tick(1.0)
    content = unpack(seating[:-SIGNATURE])
    assert content[6] == [0, b"", 0]
    content[6] = terms
    guest.receive(signed(content, host._key), 1.0)
    assert guest.plan is None
