"""One room's channel: the payloads of its peers by kind, sealed with the invitation's key.

The broker and strangers on it see sizes and times. A payload that the key does not open is dropped
and counted: it is nobody's.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from net.link import topics
from net.link.transport import Transport, TransportError
from net.meeting.seating import room_of
from net.meeting.tables import Poster
from net.play.digest import digest
from net.referee import calling

log = logging.getLogger(__name__)

KINDS = ("log", "sync", "room")
"""The kinds a table needs: the seats' messages, catching up, sitting down."""

CHAT = "chat"
"""The kind that only people need."""

PAUSE = 2.0
"""Seconds between two attempts of whoever goes back to a table and does not find the way."""

Hear: TypeAlias = Callable[[str, bytes], None]
"""Called with the kind and the opened payload of what somebody else published."""

Notify: TypeAlias = Callable[[bool], None]
"""Called with ``True`` when the link is up, ``False`` when it is lost."""


class Channel:
    """What the holder of the public table key ``key`` says and hears in ``room``.

    ``secret`` is the invitation's key; without one (a table inside one process) nothing is sealed.
    """

    def __init__(self, transport: Transport, room: str, key: bytes, secret: bytes | None) -> None:
        self.refused: Counter[str] = Counter()
        self.heard = time.monotonic()
        """When somebody else last said something here; before that, when we came."""
        self.up = False
        """Whether the link is up."""
        self._transport = transport
        self._room, self._key, self._secret = room, key, secret
        self._box = SecretBox(digest(b"farfadet sealed", secret)) if secret else None
        self._mine = {kind: topics.spoken(room, kind, key.hex()) for kind in (*KINDS, CHAT)}
        self._hear: Hear = lambda kind, payload: None
        self._overhear: Callable[[bytes], None] = lambda payload: None
        self._notify: Notify = lambda up: None
        self._opened = False
        self._kept = False
        self.met = False
        """Whether somebody else has spoken here in words that our key opened."""
        self._poster: Poster | None = None
        for kind in KINDS:
            transport.subscribe(topics.heard(room, kind))
        transport.listen(self._take, self._link)

    def listen(self, hear: Hear, notify: Notify) -> None:
        """Say who is called; replaces the last one."""
        self._hear, self._notify = hear, notify

    def converse(self, hear: Callable[[bytes], None]) -> None:
        """Hear the chat too: ``hear`` is called with every opened payload of it."""
        self._overhear = hear
        self._transport.subscribe(topics.heard(self._room, CHAT))

    def publish(self, kind: str, payload: bytes) -> None:
        """Send ``payload`` to everybody in the room, at once or never."""
        sealed = bytes(self._box.encrypt(payload)) if self._box else payload
        self._transport.publish(self._mine[kind], sealed)

    def call(self, referee: bytes) -> None:
        """Let the holder of the key ``referee`` know the way into this room."""
        if self._secret is not None:
            topic = topics.spoken(room_of(referee), "room", self._key.hex())
            self._transport.publish(topic, calling.call(referee, self._room, self._secret))

    @property
    def locked(self) -> bool:
        """Whether others have spoken here and our key opened none of it: it is not theirs."""
        return self.refused["sealed"] > 0 and not self.met

    def post(self, poster: Poster) -> None:
        """Announce the room in the lobby, as ``poster`` says, until it is left or taken down.

        The transport's will should take the announcement back.
        """
        self._poster = poster

    def take_down(self) -> None:
        """Take the announcement back, if there is one."""
        if self._poster is not None:
            self._poster.end()
            self.tick()

    def tick(self) -> None:
        """Say in the lobby what is due there; to be called some times a second."""
        if self._poster is not None:
            said = self._poster.tick(time.monotonic(), time.time())
            if said is not None:
                self._transport.publish(topics.lobby(self._room), said, retain=True)

    async def open(self) -> None:
        """Enter the room, unless we are in it; raises ``net.link.transport.TransportError``."""
        if not self._opened:
            await self._transport.open()
            self._opened = True

    async def reach(self) -> None:
        """Enter the room, however long that takes; raises only what waiting does not mend."""
        while True:
            try:
                await self.open()
            except TransportError as error:
                if not error.passing:
                    raise
                log.info("not reached yet: %s", error)
                self._notify(False)
                await asyncio.sleep(PAUSE)
            else:
                return

    def keep(self) -> None:
        """Stay in the room after ``close``, until ``leave``."""
        self._kept = True

    async def close(self) -> None:
        """Leave the room, unless somebody stays; what is announced of it is taken back."""
        self.take_down()
        if not self._kept:
            await self._transport.close()

    async def leave(self) -> None:
        """Leave the room for good."""
        self._kept = False
        await self.close()

    def _link(self, up: bool) -> None:
        self.up = up
        if up and self._poster is not None:
            self._poster.hurry()
        self._notify(up)

    def _take(self, topic: str, payload: bytes) -> None:
        address = topics.parse(topic)
        if address is None or topic in self._mine.values():
            return
        if self._box is not None:
            try:
                payload = self._box.decrypt(payload)
            except (CryptoError, ValueError):
                self.refused["sealed"] += 1
                return
        self.met = True
        if address.kind == CHAT:
            self._overhear(payload)
            return
        self.heard = time.monotonic()
        self._hear(address.kind, payload)
