"""Referees in the lobby: announcements and calls that are true, and all those that are not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.public import SealedBox
from nacl.signing import SigningKey

from net.link import topics
from net.link.memory import Hub
from net.meeting.seating import room_of
from net.people.identity import Identity
from net.play.wire import Refusal, pack
from net.referee.calling import (
    DOMAIN,
    LONGEST,
    Announced,
    Call,
    announcement,
    call,
    find_referee,
    read_announcement,
    read_call,
)

WHO = Identity("Arbitre", SigningKey(b"r" * 32))
ROOM = room_of(WHO.public)
TABLE = "ABCDEFGHIJKLMNOP"


def announced(**changes: Any) -> bytes:
    """An announcement of ``WHO``, signed after the ``changes`` were made."""
    fields = {"word": "referee", "room": ROOM, "key": WHO.public, "name": "Arbitre"}
    raw = pack(list((fields | changes).values()))
    return raw + WHO.key.sign(DOMAIN + raw).signature


def test_an_announcement_is_read_as_it_was_made() -> None:
    assert read_announcement(ROOM, announcement(WHO)) == Announced(ROOM, WHO.public, "Arbitre")
    assert announced() == announcement(WHO)


@pytest.mark.parametrize(
    "changes",
    [
        {"word": "table"},
        {"room": TABLE},
        {"key": SigningKey(b"x" * 32).verify_key.encode()},
        {"key": bytes(32)},
        {"key": b""},
        {"key": "text"},
        {"name": "n" * 65},
        {"name": b"bytes"},
        {"more": 1},
    ],
)
def test_an_announcement_with_anything_wrong_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        read_announcement(ROOM, announced(**changes))


def test_an_announcement_is_worth_nothing_in_anothers_place() -> None:
    with pytest.raises(Refusal):
        read_announcement(TABLE, announcement(WHO))


def test_every_flipped_bit_of_an_announcement_is_refused() -> None:
    data = announcement(WHO)
    for at in range(len(data)):
        for bit in range(8):
            with pytest.raises(Refusal):
                read_announcement(ROOM, data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])


@given(st.binary(max_size=2 * LONGEST))
def test_other_bytes_are_neither_an_announcement_nor_a_call(data: bytes) -> None:
    with pytest.raises(Refusal):
        read_announcement(ROOM, data)
    with pytest.raises(Refusal):
        read_call(WHO, data)


async def test_the_first_true_announcement_is_found_among_false_ones() -> None:
    hub = Hub()
    async with hub.transport() as liar, hub.transport() as referee:
        liar.publish(topics.lobby(TABLE), announcement(WHO), retain=True)
        liar.publish(topics.lobby("SOMEBODY"), b"garbage", retain=True)
        referee.publish(topics.lobby(ROOM), announcement(WHO), retain=True)
        found = await find_referee(hub.transport())
    assert found == Announced(ROOM, WHO.public, "Arbitre")


async def test_without_a_referee_the_search_ends_with_nothing() -> None:
    hub = Hub()
    async with hub.transport() as gone:
        gone.publish(topics.lobby(ROOM), announcement(WHO), retain=True)
        gone.publish(topics.lobby(ROOM), b"", retain=True)
        await hub.quiet()
        async with asyncio.timeout(5):
            assert await find_referee(hub.transport(), within=0.2) is None


def test_only_the_referee_can_read_a_call() -> None:
    data = call(WHO.public, TABLE, bytes(16))
    assert read_call(WHO, data) == Call(TABLE, bytes(16))
    with pytest.raises(Refusal):
        read_call(Identity.fresh("other"), data)
    assert TABLE.encode() not in data


def test_two_calls_look_different_to_everybody_else() -> None:
    assert call(WHO.public, TABLE, bytes(16)) != call(WHO.public, TABLE, bytes(16))


@pytest.mark.parametrize(
    "content",
    [
        ["call", TABLE],
        ["call", TABLE, bytes(15)],
        ["call", TABLE, "k" * 16],
        ["call", "a/b", bytes(16)],
        ["call", "+", bytes(16)],
        ["call", "", bytes(16)],
        ["call", 7, bytes(16)],
        ["hello", TABLE, bytes(16)],
        ["call", TABLE, bytes(16), 0],
        None,
    ],
)
def test_a_call_with_anything_wrong_is_refused(content: Any) -> None:
    box = SealedBox(WHO.key.verify_key.to_curve25519_public_key())
    with pytest.raises(Refusal):
        read_call(WHO, bytes(box.encrypt(pack(content))))


def test_nobody_can_be_called_under_a_key_that_is_none() -> None:
    for key in (bytes(32), b"\x01" + bytes(31), b"\xff" * 32):
        with pytest.raises(ValueError, match="referee"):
            call(key, TABLE, bytes(16))
