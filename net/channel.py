"""One room's channel: the payloads of its peers by kind, sealed with the invitation's key.

The broker and strangers on it see sizes and times. A payload that the key does not open is dropped
and counted: it is nobody's.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from net import lobby, topics
from net.digest import digest
from net.seating import room_of
from net.transport import Transport

KINDS = ("log", "sync", "room")
"""The kinds a table needs: the seats' messages, catching up, sitting down."""

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
        self._transport = transport
        self._room, self._key, self._secret = room, key, secret
        self._box = SecretBox(digest(b"farfadet sealed", secret)) if secret else None
        self._mine = {kind: topics.spoken(room, kind, key.hex()) for kind in KINDS}
        self._hear: Hear = lambda kind, payload: None
        self._notify: Notify = lambda up: None
        self._opened = False
        for kind in KINDS:
            transport.subscribe(topics.heard(room, kind))
        transport.listen(self._take, lambda up: self._notify(up))

    def listen(self, hear: Hear, notify: Notify) -> None:
        """Say who is called; replaces the last one."""
        self._hear, self._notify = hear, notify

    def publish(self, kind: str, payload: bytes) -> None:
        """Send ``payload`` to everybody in the room, at once or never."""
        sealed = bytes(self._box.encrypt(payload)) if self._box else payload
        self._transport.publish(self._mine[kind], sealed)

    def call(self, referee: bytes) -> None:
        """Let the holder of the key ``referee`` know the way into this room."""
        if self._secret is not None:
            topic = topics.spoken(room_of(referee), "room", self._key.hex())
            self._transport.publish(topic, lobby.call(referee, self._room, self._secret))

    async def open(self) -> None:
        """Enter the room, unless we are in it; raises ``net.transport.TransportError``."""
        if not self._opened:
            await self._transport.open()
            self._opened = True

    async def close(self) -> None:
        """Leave the room."""
        await self._transport.close()

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
        self.heard = time.monotonic()
        self._hear(address.kind, payload)
