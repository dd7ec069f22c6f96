"""Knocking with spoken words: the joiner knocks, the host who is there gives the invitation.

The secret of the words (``net/meeting/spoken.py``) is too short to be a key: Argon2id makes of it,
and of the broker's address, a place to meet and a key. The joiner knocks there with a public key
made for this once; the host answers with the invitation, sealed for that key and under the words'
key.

Whoever listens on the broker sees the place, and can try secrets against it at the price of one
Argon2id each, 2^47 on average. What it would gain is the chance to knock while the host is still
there, or to stand between the two: a knock and its answer that were recorded stay closed even to
somebody who has found the words.
"""

from __future__ import annotations

import asyncio
import time
from base64 import b32encode
from collections.abc import Callable
from dataclasses import dataclass

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox
from nacl.pwhash import argon2id
from nacl.secret import SecretBox

from net.link import topics
from net.link.address import Broker
from net.link.transport import Transport
from net.meeting.invitation import BadInvitation, Invitation, read_invitation
from net.meeting.room import RoomError
from net.meeting.spoken import Spoken, looks_spoken, read_spoken
from net.people.identity import KEY
from net.play.digest import SIZE, digest
from net.play.wire import Refusal, pack, unpack

KNOCK_EVERY = 1.0
"""Seconds between two knocks of the same joiner."""

ANSWER_EVERY = 0.5
"""Seconds between two answers to the same joiner."""

MOST_ANSWERS = 8
"""Answers given in that time: more friends do not come at once."""

ANSWERED_WITHIN = 8.0
"""Seconds after which nobody is there."""

LONGEST = 1024
"""Most bytes of a knock or an answer."""


@dataclass(frozen=True, slots=True)
class Porch:
    """Where those meet who know the same words: a room of the topics, and the key to all in it."""

    place: str
    box: SecretBox

    @classmethod
    def of(cls, spoken: Spoken) -> Porch:
        """The porch that ``spoken`` leads to: a tenth of a second of work and 64 MiB of memory."""
        where = f"{spoken.host} {spoken.port} {int(spoken.tls)}".encode()
        seed = argon2id.kdf(
            SIZE,
            spoken.secret,
            digest(b"farfadet spoken", where)[: argon2id.SALTBYTES],
            opslimit=argon2id.OPSLIMIT_INTERACTIVE,
            memlimit=argon2id.MEMLIMIT_INTERACTIVE,
        )
        place = b32encode(digest(b"farfadet porch", seed)[:10]).decode()
        return cls(place, SecretBox(digest(b"farfadet knock", seed)))

    @property
    def heard(self) -> str:
        """The filter for all that is said there."""
        return topics.heard(self.place, "room")

    def topic(self, key: bytes) -> str:
        """Where somebody speaks who made ``key`` for it."""
        return topics.spoken(self.place, "room", key.hex())


class Knock:
    """The joiner's side, once. ``payload`` is to be published at ``topic`` until answered."""

    def __init__(self, porch: Porch) -> None:
        self._porch = porch
        self._key = PrivateKey.generate()
        self._public = bytes(self._key.public_key)
        self.topic = porch.topic(self._public)

    @property
    def payload(self) -> bytes:
        """The knock, under a new nonce."""
        return bytes(self._porch.box.encrypt(pack(["knock", self._public])))

    def receive(self, data: bytes) -> Invitation | None:
        """The invitation, if ``data`` is the answer to this knock."""
        try:
            match _opened(self._porch, data):
                case ["answer", self._public, bytes(sealed)]:
                    told = SealedBox(self._key).decrypt(sealed).decode()
                    return read_invitation(told)
        except (Refusal, CryptoError, UnicodeDecodeError, BadInvitation):
            pass
        return None


class Doorkeeper:
    """The host's side: answers well-formed knocks with ``invitation``, but never a flood of them.

    What it says is to be published at ``topic``, not retained.
    """

    def __init__(self, porch: Porch, invitation: Invitation) -> None:
        self._porch = porch
        self._invitation = str(invitation).encode()
        self._answered: dict[bytes, float] = {}
        self.topic = porch.topic(bytes(PrivateKey.generate().public_key))

    def receive(self, data: bytes, now: float) -> bytes | None:
        """What to answer to ``data``, if anything; ``now`` in seconds."""
        try:
            match _opened(self._porch, data):
                case ["knock", bytes(key)] if len(key) == KEY:
                    return self._answer(key, now)
        except Refusal:
            pass
        return None

    def _answer(self, key: bytes, now: float) -> bytes | None:
        lately = {who: at for who, at in self._answered.items() if now - at < ANSWER_EVERY}
        self._answered = lately
        if key in lately or len(lately) >= MOST_ANSWERS:
            return None
        try:
            sealed = SealedBox(PublicKey(key)).encrypt(self._invitation)
        except (CryptoError, RuntimeError):
            # A key of small order: nobody's.
            return None
        lately[key] = now
        return bytes(self._porch.box.encrypt(pack(["answer", key, sealed])))


async def keep_door(transport: Transport, spoken: Spoken, invitation: Invitation) -> None:
    """Answer who knocks with the words ``spoken``, until cancelled.

    Opens the transport, which is for this alone, and closes it. Raises
    ``net.link.transport.TransportError``.
    """
    porch = await asyncio.to_thread(Porch.of, spoken)
    doorkeeper = Doorkeeper(porch, invitation)

    def hear(topic: str, payload: bytes) -> None:
        answer = doorkeeper.receive(payload, time.monotonic())
        if answer is not None:
            transport.publish(doorkeeper.topic, answer)

    transport.subscribe(porch.heard)
    transport.listen(hear, lambda up: None)
    async with transport:
        await asyncio.Event().wait()


async def meet(transport: Transport, spoken: Spoken, within: float | None = None) -> Invitation:
    """The invitation that the host gives for ``spoken``.

    Knocks for ``within`` seconds, ``ANSWERED_WITHIN`` unless that is said. Opens the transport and
    closes it. Raises ``RoomError("nobody-here")`` and ``net.link.transport.TransportError``.
    """
    porch = await asyncio.to_thread(Porch.of, spoken)
    knock = Knock(porch)
    answered: asyncio.Future[Invitation] = asyncio.get_running_loop().create_future()

    def hear(topic: str, payload: bytes) -> None:
        told = knock.receive(payload)
        if told is not None and not answered.done():
            answered.set_result(told)

    transport.subscribe(porch.heard)
    transport.listen(hear, lambda up: None)
    async with transport:
        deadline = time.monotonic() + (ANSWERED_WITHIN if within is None else within)
        while (left := deadline - time.monotonic()) > 0:
            transport.publish(knock.topic, knock.payload)
            await asyncio.wait((answered,), timeout=min(left, KNOCK_EVERY))
            if answered.done():
                return answered.result()
    raise RoomError("nobody-here")


async def invited(text: str, reach: Callable[[Broker], Transport]) -> Invitation:
    """The invitation that ``text`` is, or leads to, if it is words; ``reach`` makes the way there.

    Raises ``net.meeting.invitation.BadInvitation`` (``net.meeting.spoken.BadWords`` for words) and
    what ``meet`` raises.
    """
    if not looks_spoken(text):
        return read_invitation(text)
    spoken = read_spoken(text)
    return await meet(reach(spoken.broker), spoken)


def _opened(porch: Porch, data: bytes) -> object:
    """What was said on the porch; raises ``Refusal`` unless it was sealed there."""
    if len(data) > LONGEST:
        raise Refusal("size")
    try:
        return unpack(porch.box.decrypt(data))
    except (CryptoError, ValueError):
        raise Refusal("sealed") from None
