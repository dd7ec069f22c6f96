"""The envelope: exact bytes, limits on everything, and no way around the signature."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from net.play.wire import (
    DOMAIN,
    LONGEST,
    SIGNATURE,
    Refusal,
    compose,
    pack,
    parse,
    signed,
    unpack,
)

KEY = SigningKey(bytes(range(32)))
PUBLIC = bytes(KEY.verify_key)
MESSAGE = compose(KEY, b"t" * 32, 2, 7, 9, b"p" * 32, "reveal", [b"n" * 32, ["Mushroom", 1]])

bodies = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.binary(max_size=40)
    | st.text(max_size=40),
    lambda inside: st.lists(inside, max_size=5),
    max_leaves=20,
)


@given(bodies)
def test_a_message_comes_back_as_it_was_sent(body: Any) -> None:
    sent = compose(KEY, bytes(32), 0, 1, 2, bytes(32), "play", body)
    got = parse(sent.data)
    assert got == sent
    assert got.signed_by(PUBLIC)
    assert got.body() == body


def test_every_flipped_bit_is_refused_or_breaks_the_signature() -> None:
    for at in range(len(MESSAGE.data)):
        for bit in range(8):
            data = bytearray(MESSAGE.data)
            data[at] ^= 1 << bit
            try:
                got = parse(bytes(data))
            except Refusal:
                continue
            assert not got.signed_by(PUBLIC), (at, bit)


def test_a_signature_is_for_one_key_one_domain_and_all_of_the_bytes() -> None:
    signature = MESSAGE.data[-SIGNATURE:]
    other = bytes(SigningKey(bytes(32)).verify_key)
    assert signed(PUBLIC, DOMAIN + MESSAGE.raw, signature)
    assert not signed(other, DOMAIN + MESSAGE.raw, signature)
    assert not signed(PUBLIC, MESSAGE.raw, signature)
    assert not signed(PUBLIC, DOMAIN + MESSAGE.raw[:-1], signature)
    assert not signed(b"short", DOMAIN + MESSAGE.raw, signature)
    assert not signed(PUBLIC, DOMAIN + MESSAGE.raw, b"short")


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_refused_and_nothing_worse(data: bytes) -> None:
    for read in (parse, unpack):
        try:
            read(data)
        except Refusal:
            continue
        assert read is unpack
        assert pack(unpack(data)) == data


DEEP: Any = 0
for _ in range(600):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc4\x01a"[:2],
        b"\xc5\x00\x01a",  # bin16 where bin8 does
        b"\xcd\x00\x01",  # uint16 where fixint does
        b"\xd9\x01a",  # str8 where fixstr does
        b"\xdc\x00\x01\x01",  # array16 where fixarray does
        b"\x01\x01",
        b"\xc1",
        b"\xca\x00\x00\x00\x00",
        b"\xa1\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        msgpack.packb(1.5),
        msgpack.packb({"a": 1}),
        msgpack.packb({}),
        msgpack.packb(msgpack.ExtType(1, b"")),
        msgpack.packb(msgpack.Timestamp(1)),
        msgpack.packb("x" * 300),
        msgpack.packb([0] * 5000),
        msgpack.packb(bytes(LONGEST + 1)),
        b"\x91" * 100_000 + b"\x00",
    ],
)
def test_only_one_encoding_of_allowed_values_is_accepted(data: bytes) -> None:
    with pytest.raises(Refusal):
        unpack(data)


def test_bottomless_nesting_is_refused() -> None:
    with pytest.raises(Refusal):
        unpack(b"\x91" * 1500 + b"\x00")


@pytest.mark.parametrize(
    "fields",
    [
        [2, b"t" * 32, 0, 0, 0, b"p" * 32, "play", b""],
        [1, b"t" * 31, 0, 0, 0, b"p" * 32, "play", b""],
        [1, b"t" * 32, -1, 0, 0, b"p" * 32, "play", b""],
        [1, b"t" * 32, 64, 0, 0, b"p" * 32, "play", b""],
        [1, b"t" * 32, True, 0, 0, b"p" * 32, "play", b""],
        [1, b"t" * 32, 0, None, 0, b"p" * 32, "play", b""],
        [1, b"t" * 32, 0, 0, 1 << 30, b"p" * 32, "play", b""],
        [1, b"t" * 32, 0, 0, 0, "p" * 32, "play", b""],
        [1, b"t" * 32, 0, 0, 0, b"p" * 32, b"play", b""],
        [1, b"t" * 32, 0, 0, 0, b"p" * 32, "k" * 17, b""],
        [1, b"t" * 32, 0, 0, 0, b"p" * 32, "play", []],
        [1, b"t" * 32, 0, 0, 0, b"p" * 32, "play"],
        [],
        7,
    ],
)
def test_an_envelope_with_one_wrong_field_is_refused(fields: Any) -> None:
    with pytest.raises(Refusal):
        parse(pack(fields) + bytes(SIGNATURE))


def test_a_message_too_long_for_the_wire_is_neither_made_nor_taken() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        compose(KEY, bytes(32), 0, 0, 0, bytes(32), "play", bytes(LONGEST))
    with pytest.raises(Refusal, match="size"):
        parse(bytes(LONGEST + 1))
    with pytest.raises(Refusal, match="size"):
        parse(bytes(SIGNATURE))
