"""A stranger who hears everything on the broker: sizes and times, and nothing else.

The game is the real one, over real brokers: friends gather, one of them with spoken words, and play
to the end, while the stranger says all it has heard again, as it was and garbled.
"""

from __future__ import annotations

import asyncio
from base64 import b32encode, b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import pytest
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

import rules
from net.link import topics
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.meeting.invitation import Invitation
from net.meeting.knock import Porch, keep_door, meet
from net.meeting.room import Newcomer, Room, invite
from net.meeting.seating import Offer
from net.meeting.spoken import Spoken
from net.people.identity import Identity
from net.play.audit import audit
from net.play.digest import digest
from net.play.peer import Peer
from net.play.stream import Stream
from net.play.wire import unpack
from rules.bots import bot
from tests.broker.clients import client
from tests.services import PATIENCE, Service

pytestmark = pytest.mark.broker

NAMES = ("Anastasia", "Bohumil", "Chloé")
GAME = "taverne"
WIDEST = ("#", f"{topics.ROOT}/#", f"{topics.ROOT}/t/#")
"""What a stranger asks for; it gets the first that is granted."""

NONCE = 24
"""Bytes at the front of what was sealed."""

WELL_SPREAD = 255 + 10 * 510**0.5
"""Chi-square of bytes, 255 degrees of freedom, ten deviations above the mean: random ones pass."""


class Stranger:
    """Hears all that a broker lets anybody hear; if it ``meddles``, it says it again."""

    def __init__(self, url: str, meddles: bool) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.said = 0
        self._url = url
        self._meddles = meddles
        self._own: set[tuple[str, bytes]] = set()

    async def listen(self, ready: asyncio.Event) -> None:
        """Listen until cancelled; ``ready`` is set once nothing will be missed."""
        async with client(self._url) as ear:
            for pattern in WIDEST:
                (granted,) = await ear.subscribe(pattern)
                if getattr(granted, "value", granted) < 0x80:
                    break
            ready.set()
            async for message in ear.messages:
                said = message.topic.value, bytes(message.payload)
                if said in self._own:
                    continue
                assert not message.retain
                self.heard.append(said)
                if self._meddles:
                    await self._say_again(ear, *said)

    async def _say_again(self, mouth: aiomqtt.Client, topic: str, payload: bytes) -> None:
        address = topics.parse(topic)
        assert address is not None
        room, kind, key = address.room, address.kind, address.key
        at = len(self.heard)
        bit = at % (8 * len(payload))
        flipped = bytearray(payload)
        flipped[bit // 8] ^= 1 << bit % 8
        elsewhere = topics.spoken(room, topics.KINDS[at % len(topics.KINDS)], key)
        somebody = topics.spoken(room, kind, f"{at:064x}")
        whole = ((topic, payload), (elsewhere, payload), (somebody, payload))
        garbled = (bytes(flipped), payload[: at % len(payload)], payload + b"\0")
        for again in (whole[at % 3], (topic, garbled[at // 3 % 3])):
            if again != (topic, payload):
                self._own.add(again)
            self.said += 1
            await mouth.publish(*again)


class Evening:
    """Three friends' private table, gathered through ``url``; the last comes by spoken words."""

    def __init__(self, url: str, folder: Path) -> None:
        self._broker = Broker.parse(url)
        self._folder = folder
        self.newcomers = [Newcomer.fresh(Identity.fresh(name)) for name in NAMES]
        where = self._broker.host, self._broker.port
        self.invitation = invite(self.newcomers[0].key, *where)
        self.words = Spoken.fresh(*where)
        self.rooms: list[Room] = []

    async def play(self) -> list[Peer]:
        """Gather, and play to the end."""
        keeping = asyncio.create_task(
            keep_door(MqttTransport(self._broker), self.words, self.invitation)
        )
        try:
            return list(await asyncio.gather(*map(self._sit, range(len(NAMES)))))
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    async def _sit(self, at: int) -> Peer:
        told: Invitation = self.invitation
        if at == 2:
            told = await meet(MqttTransport(self._broker), self.words, PATIENCE)
        offer = Offer(rules.load(GAME), len(NAMES)) if at == 0 else None
        transport = MqttTransport(self._broker)
        room = Room(transport, told, self.newcomers[at], self._folder / str(at), offer)
        self.rooms.append(room)
        await room.open()
        peer = await room.wait()
        peer.delegate(bot("random", Stream(b"listener", bytes([at]))))
        await peer.run()
        return peer

    def secrets(self) -> Iterator[bytes]:
        """What nobody else may learn, in every form it could be written in."""
        yield from map(str.encode, NAMES)
        yield from (GAME.encode(), b"farfadet", b"hello", b"seating", b"commit", b"reveal")
        raw = [self.invitation.key, self.words.secret, *(n.secret for n in self.newcomers)]
        raw += [n.identity.public for n in self.newcomers]
        for value in raw:
            yield from (value, value.hex().encode(), b32encode(value).rstrip(b"="))
            yield from (b64encode(value).rstrip(b"="), urlsafe_b64encode(value).rstrip(b"="))

    def boxes(self) -> dict[str, SecretBox]:
        """The key of each room that is spoken in."""
        porch = Porch.of(self.words)
        room = SecretBox(digest(b"farfadet sealed", self.invitation.key))
        return {self.invitation.room: room, porch.place: porch.box}


async def evening(url: str, folder: Path, meddles: bool) -> tuple[Evening, Stranger, list[Peer]]:
    """An evening, overheard."""
    stranger, party, ready = Stranger(url, meddles), Evening(url, folder), asyncio.Event()
    listening = asyncio.create_task(stranger.listen(ready))
    try:
        async with asyncio.timeout(4 * PATIENCE):
            await ready.wait()
            peers = await party.play()
        assert not listening.done()
    finally:
        while not listening.done():
            # More than once: the ``asyncio.wait_for`` of Python 3.11 may swallow a cancellation.
            listening.cancel()
            await asyncio.wait((listening,), timeout=1)
    return party, stranger, peers


async def test_a_stranger_learns_sizes_and_times_only(broker: Service, tmp_path: Path) -> None:
    party, stranger, peers = await evening(broker.url, tmp_path / "games", meddles=False)
    assert len(stranger.heard) > 200
    spoken = [topic.encode() for topic, _ in stranger.heard]
    payloads = [payload for _, payload in stranger.heard]
    keys = [bytes(newcomer.key.verify_key) for newcomer in party.newcomers]
    for secret in party.secrets():
        assert not any(secret in payload for payload in payloads), secret
        assert secret == b"farfadet" or not any(secret.lower() in t.lower() for t in spoken), secret
    for public in (*keys, *(key.hex().encode() for key in keys), party.invitation.room.encode()):
        assert not any(public in payload for payload in payloads)
    _topics_name_nobody(party, stranger)
    _payloads_open_for_friends_only(party, stranger)
    _payloads_have_no_form(payloads)
    assert len({peer.result for peer in peers}) == 1


def _topics_name_nobody(party: Evening, stranger: Stranger) -> None:
    """Rooms are hashes; whoever speaks in one is a key made for this one table, or knock."""
    said = {topics.parse(topic) for topic, _ in stranger.heard}
    rooms = {address.room for address in said if address is not None}
    assert None not in said
    assert rooms == set(party.boxes())
    here = {a.key for a in said if a is not None and a.room == party.invitation.room}
    assert here == {bytes(newcomer.key.verify_key).hex() for newcomer in party.newcomers}
    assert here.isdisjoint(newcomer.identity.public.hex() for newcomer in party.newcomers)


def _payloads_open_for_friends_only(party: Evening, stranger: Stranger) -> None:
    boxes, kinds = party.boxes(), Counter[str]()
    wrong = [SecretBox(bytes(byte ^ 1 for byte in bytes(box))) for box in boxes.values()]
    wrong += [SecretBox(bytes(32)), SecretBox(digest(b"farfadet sealed", bytes(16)))]
    for topic, payload in stranger.heard:
        address = topics.parse(topic)
        assert address is not None
        kinds[address.kind] += 1
        opened = boxes[address.room].decrypt(payload)
        if address.kind != "sync":
            assert isinstance(unpack(opened if _is_whole(opened) else opened[:-64]), list)
        for box in wrong:
            with pytest.raises(CryptoError):
                box.decrypt(payload)
    assert set(kinds) == {"room", "log", "sync"}


def _is_whole(opened: bytes) -> bool:
    """Whether this is a knock or its answer, which nobody signs."""
    return b"\xa5knock" in opened[:8] or b"\xa6answer" in opened[:8]


def _payloads_have_no_form(payloads: list[bytes]) -> None:
    """Nonces are never used again, and bytes are spread as chance spreads them."""
    assert len({payload[:NONCE] for payload in payloads}) == len(payloads)
    for bytes_seen in (b"".join(payloads), b"".join(payload[NONCE:25] for payload in payloads)):
        assert _spread(bytes_seen) < WELL_SPREAD
    opened_form = b"\x98\x01\xc4\x20" * len(payloads)
    assert _spread(opened_form) > WELL_SPREAD


def _spread(data: bytes) -> float:
    """Chi-square against even bytes."""
    even, seen = len(data) / 256, Counter(data)
    return sum((seen[byte] - even) ** 2 / even for byte in range(256))


async def test_saying_again_what_it_heard_does_nothing(broker: Service, tmp_path: Path) -> None:
    party, stranger, peers = await evening(broker.url, tmp_path / "games", meddles=True)
    assert stranger.said > 200
    assert [peer.table.blame for peer in peers] == [None] * 3
    saved = [peer.saved for peer in peers]
    files = {path.read_bytes() for path in saved if path is not None}
    assert (None in saved, len(files)) == (False, 1)
    verdict = audit(files.pop())
    assert (verdict.good, verdict.absences) == (True, ())
    assert sorted(verdict.names) == sorted(NAMES)
    assert all(room._channel.refused["sealed"] > 20 for room in party.rooms)
