"""How a referee makes itself known on a broker, and how a table calls it.

A referee announces itself in the lobby, retained and signed, under the room that is named after its
key (``net/meeting/seating.py``); the announcement is taken back when it goes. A table that has its
key in the charter calls it: a box that only the referee can open, with the way into the table's
room. No clock here, and no I/O but ``find_referee``.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from nacl.exceptions import CryptoError
from nacl.public import SealedBox
from nacl.signing import VerifyKey

from net.link import topics
from net.link.transport import Transport
from net.meeting import invitation
from net.meeting.seating import room_of
from net.people.identity import KEY, Identity, acceptable
from net.play.charter import LONGEST_NAME
from net.play.wire import Refusal, pack, state, stated, states, unpack

DOMAIN = b"farfadet/1 referee\0"
ANNOUNCED = "referee"
CALL = "call"
LONGEST = 1024
"""Most bytes of an announcement or a call."""

FOUND_WITHIN = 4.0
"""Seconds to look for a referee: what is retained comes at once, if it comes."""


@dataclass(frozen=True, slots=True)
class Announced:
    """A referee that is on the broker. ``name`` is text from the network."""

    room: str
    key: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """The way into the ``room`` of a table: its invitation's ``key``."""

    room: str
    key: bytes


def announcement(referee: Identity) -> bytes:
    """What ``referee`` says of itself in the lobby, for ``topics.lobby(room_of(its key))``."""
    room, name = room_of(referee.public), referee.name[:LONGEST_NAME]
    return state(referee.key, DOMAIN, [ANNOUNCED, room, referee.public, name])


def read_announcement(room: str, data: bytes) -> Announced:
    """The referee announced under ``room``; raises ``Refusal`` unless it says so itself."""
    match stated(data, LONGEST):
        case [str(word), str(where), bytes(key), str(name)] if (
            word == ANNOUNCED
            and len(key) == KEY
            and where == room == room_of(key)
            and len(name) <= LONGEST_NAME
            and acceptable(key)
            and states(key, DOMAIN, data)
        ):
            return Announced(room, key, name)
    raise Refusal("announcement")


def call(referee: bytes, room: str, key: bytes) -> bytes:
    """What calls the holder of ``referee`` into ``room``; says nothing to anybody else.

    Raises ``ValueError`` if that is nobody's key.
    """
    try:
        box = SealedBox(VerifyKey(referee).to_curve25519_public_key())
    except (CryptoError, RuntimeError) as error:
        raise ValueError("a referee's key is an Ed25519 key") from error
    return bytes(box.encrypt(pack([CALL, room, key])))


def read_call(referee: Identity, data: bytes) -> Call:
    """The call in ``data``; raises ``Refusal`` if it is none, or for somebody else."""
    if len(data) > LONGEST:
        raise Refusal("size")
    try:
        opened = SealedBox(referee.key.to_curve25519_private_key()).decrypt(data)
    except (CryptoError, ValueError, TypeError):
        raise Refusal("sealed") from None
    match unpack(opened):
        case [str(word), str(room), bytes(key)] if word == CALL and len(key) == invitation.KEY:
            try:
                return Call(topics.level(room), key)
            except ValueError:
                raise Refusal("call") from None
    raise Refusal("call")


async def find_referee(transport: Transport, within: float | None = None) -> Announced | None:
    """The first referee that is announced on the broker behind ``transport``; ``None`` if none is.

    Looks for it for ``within`` seconds, ``FOUND_WITHIN`` unless that is said. Opens the transport
    and closes it. Raises ``net.link.transport.TransportError``.
    """
    found: asyncio.Future[Announced] = asyncio.get_running_loop().create_future()

    def hear(topic: str, payload: bytes) -> None:
        address = topics.parse(topic)
        if address is None or found.done():
            return
        try:
            found.set_result(read_announcement(address.room, payload))
        except Refusal:
            return

    transport.subscribe(topics.LOBBIES)
    transport.listen(hear, lambda up: None)
    async with transport:
        try:
            return await asyncio.wait_for(found, FOUND_WITHIN if within is None else within)
        except TimeoutError:
            return None
