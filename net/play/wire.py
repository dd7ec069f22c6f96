"""The envelope: the exact bytes of one signed message, and the limits on everything in it.

A message on the wire is ``raw || signature``. ``raw`` is a msgpack array in fixed order,
``[version, table, seat, seq, step, prev, kind, body]``, whose body is itself packed; the signature
is Ed25519 over ``b"farfadet/1\\0" + raw`` with the seat's key for this table. What is signed and
hashed is the bytes that travel, never a re-encoding; and since msgpack has no canonical form, only
bytes that re-encode to themselves are accepted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import msgpack
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from net.play.digest import SIZE
from rules.game import Seat

VERSION = 1
DOMAIN = b"farfadet/1\0"
SIGNATURE = 64
"""Length of a signature in bytes."""

LONGEST = 60 * 1024
"""Most bytes in a message: leaves room for sealing and topic below every broker's 64 KiB."""

MOST_STEPS = 1 << 20
"""Steps a table may have; a game has some hundreds."""

Body: TypeAlias = Any
"""Integers, booleans, ``None``, byte strings, short text, and lists of these."""


class Refusal(Exception):
    """Bytes that are not (or not now) a message of this table; nobody is blamed for them."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Message:
    """One signed message. ``data`` is the exact bytes that travelled, signature included."""

    table: bytes
    seat: Seat
    seq: int
    step: int
    prev: bytes
    kind: str
    packed: bytes
    data: bytes

    @property
    def raw(self) -> bytes:
        """What was signed."""
        return self.data[:-SIGNATURE]

    def body(self) -> Body:
        """The unpacked body; ask for it only after ``signed_by``. Raises ``Refusal``."""
        return unpack(self.packed)

    def signed_by(self, key: bytes) -> bool:
        """Whether the holder of the public key ``key`` signed these very bytes."""
        return signed(key, DOMAIN + self.raw, self.data[-SIGNATURE:])


def compose(
    key: SigningKey,
    table: bytes,
    seat: Seat,
    seq: int,
    step: int,
    prev: bytes,
    kind: str,
    body: Body,
) -> Message:
    """Make and sign a message; its ``seq`` counts this seat's messages from 0."""
    packed = pack(body)
    raw = pack([VERSION, table, seat, seq, step, prev, kind, packed])
    data = raw + key.sign(DOMAIN + raw).signature
    if len(data) > LONGEST:
        raise ValueError(f"a {kind} message of {len(data)} bytes does not fit the wire")
    return Message(table, seat, seq, step, prev, kind, packed, data)


@lru_cache(maxsize=512)
def parse(data: bytes) -> Message:
    """The message in ``data``, its signature and body not yet looked at; raises ``Refusal``."""
    if not SIGNATURE < len(data) <= LONGEST:
        raise Refusal("size")
    fields = unpack(data[:-SIGNATURE])
    if not isinstance(fields, list) or len(fields) != 8:
        raise Refusal("envelope")
    version, table, seat, seq, step, prev, kind, packed = fields
    if isinstance(version, bool) or version != VERSION:
        raise Refusal("version")
    if not (
        _sized(table)
        and _within(seat, 64)
        and _within(seq, MOST_STEPS)
        and _within(step, MOST_STEPS)
        and _sized(prev)
        and isinstance(kind, str)
        and len(kind) <= 16
        and isinstance(packed, bytes)
    ):
        raise Refusal("envelope")
    return Message(table, seat, seq, step, prev, kind, packed, data)


def signed(key: bytes, statement: bytes, signature: bytes) -> bool:
    """Whether ``signature`` is ``key``'s Ed25519 signature of ``statement``."""
    try:
        VerifyKey(key).verify(statement, signature)
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True


def state(key: SigningKey, domain: bytes, content: Body) -> bytes:
    """``content`` as its msgpack bytes, then ``key``'s signature of ``domain`` and these."""
    raw = pack(content)
    return raw + key.sign(domain + raw).signature


def stated(data: bytes, longest: int) -> Body:
    """What is stated in ``data``, at most ``longest`` bytes, by whoever ``states`` it.

    Raises ``Refusal``.
    """
    if not SIGNATURE < len(data) <= longest:
        raise Refusal("size")
    return unpack(data[:-SIGNATURE])


def states(key: bytes, domain: bytes, data: bytes) -> bool:
    """Whether the holder of the public key ``key`` has signed the statement ``data``."""
    return signed(key, domain + data[:-SIGNATURE], data[-SIGNATURE:])


def pack(value: Body) -> bytes:
    """The msgpack bytes of a body."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def unpack(data: bytes) -> Body:
    """The body in ``data``, if it is well-formed, within limits and in the one accepted form.

    Raises ``Refusal`` for anything else: floats, maps, extensions, over-long or non-minimal
    encodings, trailing bytes, bottomless nesting.
    """
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            max_str_len=256,
            max_bin_len=LONGEST,
            max_array_len=4096,
            max_map_len=0,
            max_ext_len=0,
        )
        same = pack(value) == data
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise Refusal("encoding") from None
    if not same or not _plain(value):
        raise Refusal("encoding")
    return value


def _plain(value: object) -> bool:
    if isinstance(value, list):
        return all(map(_plain, value))
    return value is None or isinstance(value, int | bytes | str)


def _within(value: object, bound: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < bound


def _sized(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == SIZE
