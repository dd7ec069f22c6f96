"""Knocking with spoken words: who knows them is let in, and nobody learns anything else."""

from __future__ import annotations

import asyncio
from base64 import b32encode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox
from nacl.pwhash import argon2id
from nacl.utils import random

from net.link import topics
from net.link.address import Broker
from net.link.memory import Hub, MemoryTransport
from net.link.transport import TransportError
from net.meeting.invitation import BadInvitation, Invitation
from net.meeting.knock import (
    ANSWER_EVERY,
    LONGEST,
    MOST_ANSWERS,
    Doorkeeper,
    Knock,
    Porch,
    invited,
    keep_door,
    meet,
)
from net.meeting.room import RoomError
from net.meeting.spoken import Spoken, read_spoken
from net.play.digest import digest
from net.play.wire import pack, unpack

WORDS = Spoken("192.168.1.20", 21883, False, b"secret")
PORCH = Porch.of(WORDS)
INVITATION = Invitation("192.168.1.20", 21883, "ABCDEFGHIJKLMNOP", bytes(range(16)))


def door() -> Doorkeeper:
    """The door of a host who is there."""
    return Doorkeeper(PORCH, INVITATION)


def sealed(*said: object) -> bytes:
    """Something said by somebody who knows the words."""
    return bytes(PORCH.box.encrypt(pack(list(said))))


async def test_who_has_heard_the_words_gets_the_invitation() -> None:
    hub = Hub()
    keeping = asyncio.create_task(keep_door(hub.transport(), WORDS, INVITATION))
    try:
        heard = read_spoken(str(WORDS))
        met = await asyncio.gather(*(meet(hub.transport(), heard) for _ in range(5)))
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    assert met == [INVITATION] * 5
    assert hub.retained == {}


async def test_one_line_takes_an_invitation_or_the_words_for_it() -> None:
    hub, asked = Hub(), list[Broker]()

    def reach(broker: Broker) -> MemoryTransport:
        asked.append(broker)
        return hub.transport()

    assert await invited(str(INVITATION), reach) == INVITATION
    assert asked == []
    keeping = asyncio.create_task(keep_door(hub.transport(), WORDS, INVITATION))
    assert await invited(f" {WORDS} ", reach) == INVITATION
    assert asked == [WORDS.broker]
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    for text, code in (("farfadet://here", "bad-invitation"), ("bonjour", "no-word")):
        with pytest.raises(BadInvitation) as caught:
            await invited(text, reach)
        assert caught.value.code == code


async def test_the_host_may_come_later() -> None:
    hub = Hub()
    meeting = asyncio.create_task(meet(hub.transport(), WORDS))
    await asyncio.sleep(0.5)
    keeping = asyncio.create_task(keep_door(hub.transport(), WORDS, INVITATION))
    assert await meeting == INVITATION
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


@pytest.mark.parametrize(
    "other",
    [
        replace(WORDS, secret=b"secreu"),
        replace(WORDS, host="192.168.1.21"),
        replace(WORDS, port=21884),
        replace(WORDS, tls=True),
    ],
)
async def test_other_words_meet_nobody(other: Spoken) -> None:
    hub = Hub()
    keeping = asyncio.create_task(keep_door(hub.transport(), WORDS, INVITATION))
    with pytest.raises(RoomError) as caught:
        await meet(hub.transport(), other, 0.3)
    assert caught.value.code == "nobody-here"
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


async def test_a_broker_that_is_not_there_is_said() -> None:
    hub = Hub()
    transport = hub.transport()

    async def fail() -> None:
        raise TransportError("refused")

    transport.open = fail  # type: ignore[method-assign]
    with pytest.raises(TransportError):
        await meet(transport, WORDS)
    with pytest.raises(TransportError):
        await keep_door(transport, WORDS, INVITATION)


def test_nothing_said_twice_looks_the_same() -> None:
    knock, keeper = Knock(PORCH), door()
    said = [knock.payload for _ in range(10)]
    answers = [keeper.receive(data, float(at)) for at, data in enumerate(said)]
    assert len({*said, *answers}) == 20
    assert [knock.receive(answer) for answer in answers if answer] == [INVITATION] * 10


def test_a_recorded_answer_stays_closed_to_who_finds_the_words_later() -> None:
    knock = Knock(PORCH)
    answer = door().receive(knock.payload, 0.0)
    assert answer is not None
    said, key, inner = unpack(PORCH.box.decrypt(answer))
    assert (said, key) == ("answer", bytes.fromhex(knock.topic.rpartition("/")[2]))
    for stranger in (PrivateKey.generate(), PrivateKey(bytes(PORCH.box))):
        with pytest.raises(CryptoError):
            SealedBox(stranger).decrypt(inner)
    assert Knock(PORCH).receive(answer) is None


def test_topics_and_payloads_show_no_secret() -> None:
    knock, keeper = Knock(PORCH), door()
    answer = keeper.receive(knock.payload, 0.0)
    assert answer is not None
    for topic in (knock.topic, keeper.topic):
        address = topics.parse(topic)
        assert address is not None
        assert (address.room, address.kind, len(address.key)) == (PORCH.place, "room", 64)
        assert WORDS.secret.hex() not in topic
    for said in (knock.payload, answer):
        assert not any(part in said for part in (WORDS.secret, INVITATION.key, b"farfadet", b"ABC"))
    assert len(knock.payload) < len(answer) <= LONGEST


def test_a_flood_of_knocks_is_answered_a_few_times() -> None:
    keeper = door()
    recorded = Knock(PORCH).payload
    assert sum(keeper.receive(recorded, 0.0) is not None for _ in range(100)) == 1
    assert keeper.receive(recorded, ANSWER_EVERY) is not None
    knocks = [Knock(PORCH).payload for _ in range(100)]
    given_now = [keeper.receive(data, 2.0) for data in knocks]
    assert sum(answer is not None for answer in given_now) == MOST_ANSWERS
    assert keeper.receive(knocks[-1], 2.0 + ANSWER_EVERY) is not None


def test_what_is_no_knock_is_not_answered() -> None:
    keeper = door()
    key = bytes(PrivateKey.generate().public_key)
    assert keeper.receive(sealed("knock", key), 0.0) is not None
    for data in (
        b"",
        b"knock" + key,
        pack(["knock", key]),
        bytes(2 * LONGEST),
        sealed("knock", key[:-1]),
        sealed("knock", bytes(32)),
        sealed("knock", b"\x01" + bytes(31)),
        sealed("knock", key.hex()),
        sealed("knock", key, 1),
        sealed("answer", key),
        sealed("answer", key, key),
        sealed(),
        bytes(PORCH.box.encrypt(b"\xc1")),
    ):
        assert keeper.receive(data, 9.0) is None


def test_what_is_no_answer_is_no_invitation() -> None:
    knock = Knock(PORCH)
    key = bytes.fromhex(knock.topic.rpartition("/")[2])
    box = SealedBox(knock._key.public_key)
    assert knock.receive(sealed("answer", key, box.encrypt(str(INVITATION).encode()))) == INVITATION
    for data in (
        knock.payload,
        sealed("answer", key, b""),
        sealed("answer", key, box.encrypt(b"\xff")),
        sealed("answer", key, box.encrypt(b"farfadet://example.net/ROOM#KEY")),
        sealed("answer", random(32), box.encrypt(str(INVITATION).encode())),
        sealed("answer", key, str(INVITATION)),
        sealed("answer", key),
    ):
        assert knock.receive(data) is None


@given(st.binary(max_size=200))
def test_anything_else_is_ignored(data: bytes) -> None:
    assert door().receive(data, 0.0) is None
    assert Knock(PORCH).receive(data) is None


def test_garbling_a_knock_or_an_answer_makes_it_nothing() -> None:
    knock, keeper = Knock(PORCH), door()
    said = knock.payload
    answer = keeper.receive(said, 0.0)
    assert answer is not None
    for at in range(0, 8 * len(said), 7):
        assert keeper.receive(_flipped(said, at), 9.0) is None
    for at in range(0, 8 * len(answer), 7):
        assert knock.receive(_flipped(answer, at)) is None


def test_a_guess_costs_one_argon2id_with_the_address_in_its_salt() -> None:
    salt = digest(b"farfadet spoken", b"192.168.1.20 21883 0")[:16]
    seed = argon2id.kdf(32, b"secret", salt, opslimit=2, memlimit=64 * 1024 * 1024)
    assert PORCH.place == b32encode(digest(b"farfadet porch", seed)[:10]).decode()
    assert bytes(PORCH.box) == digest(b"farfadet knock", seed)


def _flipped(data: bytes, bit: int) -> bytes:
    return bytes(byte ^ (1 << bit % 8 if at == bit // 8 else 0) for at, byte in enumerate(data))
